"""What a reader of a revision should know though it may obey: what reads badly, says something else, is gone.

Only what the revision did is looked at: a sentence that stands as the writer had it is no concern of ours.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Final, Literal, Protocol

from redraft.quality import compare_meaning
from redraft.revision.corrections.meaning import meant_in
from redraft.revision.draft import WRITER, Draft, Unit, content_stems
from redraft.revision.judging.omission import FACT
from redraft.revision.judging.verdicts import Verdict, Verdicts, is_clause_of, reads_badly
from redraft.revision.records import Concern
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.rewriting.splits.conditions import with_conditions
from redraft.revision.search.plans import units_of_sentences
from redraft.revision.task import Task
from redraft.revision.tuning import DOUBTFUL_SAMENESS
from redraft.text import Document, Sentence, diff_words, spellings, word_sets

_CUT_WORDS: Final = 4
"""Words in a row from which on a cut may be a statement."""
_LOOSE_ENDS: Final = re.compile(
    r"(?i)\A(?:[\s,;:—–-]+|(?:and|or|but)\b)+|(?:[\s,;:—–-]+|\b(?:the|an?|and|who|which|that))+\Z"
)
_SET_APART: Final = re.compile(
    r"(?:This (?:does not apply|applies only)|The same applies|If so|In that case|Do the following)\b"
)
_HOLLOW: Final = content_stems(" ".join(word_sets("redraft.revision.judging")["concerns.hollow"]))
"""Words of which phrases are made that say nothing: "at this point in time"."""
_GONE: Final = 0.5
"""The share of its words of content that are nowhere in the new passage, where a cut left something out."""
_RISKS: Final = ("reads badly", "changed meaning", "new")
"""Concerns for which a sentence goes back to what it was, where no constraint is broken by that."""
_REFUSED: Final = "what the model makes of it may say something else: “{}”"


class Claim(Protocol):
    """A statement that a revision does not make as its source did; `sentence` counts in the source."""

    @property
    def kind(self) -> Literal["left out", "reversed", "changed", "new"]:
        """What became of it; for what is new, `sentence` counts in the revision."""

    @property
    def sentence(self) -> int: ...
    @property
    def before(self) -> str: ...
    @property
    def after(self) -> str: ...


async def find_concerns(
    task: Task, draft: Draft, verdicts: Verdicts, claims: Sequence[Claim] = ()
) -> tuple[Concern, ...]:
    """All that is wrong with what a draft changed: sentence by sentence, then statement by statement.

    The claims are those that were compared elsewhere, over the whole text; nothing is told twice.
    """
    changed = [place for place, unit in enumerate(draft.units) if _is_changed(unit)]
    units = [draft.units[place] for place in changed]
    meant = meant_in(task, draft) or str
    found = await verdicts.of([(meant(unit.source), unit.text) for unit in units])
    sentences, said = _by_place(task, draft), content_stems(draft.text)
    concerns: list[Concern] = []
    for place, unit, verdict in zip(changed, units, found, strict=True):
        if _is_asked_for(task, unit.text):
            continue
        if unit.text.strip():
            own = set(verdicts.sentences(unit.source))
            new = [sentence for sentence in sentences.get(place, ()) if sentence.text not in own]
            new = [sentence for sentence in new if not any(is_clause_of(sentence.text, one) for one in own)]
            scores = await verdicts.soundness([sentence.text for sentence in new])
            concerns += _bad_sentences(new, scores, verdict)
            concerns += _changed_meaning(meant(unit.source), unit, new, verdict)
            concerns += _cuts(unit, new, said)
        elif unit.source.strip():
            concerns.append(Concern("left out", None, unit.source))
    return (*concerns, *_from_claims(task, draft, claims, concerns))


async def keep_unbroken(task: Task, draft: Draft, verdicts: Verdicts) -> tuple[Draft, tuple[Concern, ...]]:
    """The draft with the writer's own sentences in the place of broken ones, and which those are.

    One that was left out because it would not obey by itself is put back too.
    """
    meant = meant_in(task, draft) or str
    found = await verdicts.of([(meant(unit.source), unit.text) for unit in draft.units])
    reasons = {
        place: why
        for place, (unit, verdict) in enumerate(zip(draft.units, found, strict=True))
        if (why := _why_kept(task, unit, verdict))
    }
    kept = _with_own(draft, reasons)
    sentences = _by_place(task, kept)
    concerns = [
        Concern("kept", sentence.counted or None, sentence.text, why)
        for place, why in reasons.items()
        for sentence in sentences.get(place, ())[:1]
    ]
    return kept, tuple(concerns)


def without_needless(task: Task, draft: Draft, concerns: Sequence[Concern]) -> tuple[Draft, dict[str, str]]:
    """The draft with the writer's own sentences in the place of those that are a concern for nothing.

    With it comes what stood there, by what stands there now. What no constraint calls for need not be risked:
    a wish is no reason to say something else. But each step towards a bound is a gain, though it is not met.
    """
    risky = [" ".join(one.text.split()) for one in concerns if one.kind in _RISKS]
    places = [
        place
        for place, unit in enumerate(draft.units)
        if unit.free and _is_changed(unit) and _is_among(" ".join(unit.text.split()), risky)
    ]
    if not places:
        return draft, {}
    distance, met = _standing(task, draft)
    refused: dict[str, str] = {}
    for some in (places, *([place] for place in places if len(places) > 1)):
        kept = _with_own(draft, some)
        farther, still = _standing(task, kept)
        if farther <= distance and met <= still:
            refused |= {draft.units[place].source: draft.units[place].text for place in some}
            draft, distance, met = kept, farther, still
            if some is places:
                break
    return draft, refused


def _with_own(draft: Draft, places: Container[int]) -> Draft:
    """The draft with the writer's own sentences in some places."""
    units = (
        replace(unit, text=unit.source, by=WRITER, why=()) if place in places else unit
        for place, unit in enumerate(draft.units)
    )
    return replace(draft, units=tuple(units))


def _is_among(text: str, others: Sequence[str]) -> bool:
    return bool(text) and any(one in text or text in one for one in others)


def _standing(task: Task, draft: Draft) -> tuple[float, set[int]]:
    """How far a draft is from what is asked for, and which constraints it meets."""
    findings = task.check(draft.text)
    return findings.distance, {number for number, one in enumerate(findings) if one.met}


def refused_answers(text: Document, refused: Mapping[str, str]) -> tuple[Concern, ...]:
    """Which sentences stand as the writer had them, since what a model made of them was `refused`."""
    said = " ".join(text.text.split())
    stayed = [(source, other) for source, other in refused.items() if source in said]
    return tuple(
        Concern("kept", sentence.counted or None, sentence.text, _REFUSED.format(other))
        for source, other in stayed
        for sentence in [one for one in text.sentences if " ".join(one.text.split()) in source][:1]
    )


def _is_asked_for(task: Task, text: str) -> bool:
    """Whether a text is only what the instruction wants at the start or the end, as a salutation may be."""
    words = spellings(text.lower())
    return bool(words) and any(spellings(end.lower()) == words for end in task.required_ends.values())


def meant_by(task: Task, draft: Draft) -> str:
    """What the original of a draft says; where errors are corrected, without those that are sure."""
    meant = meant_in(task, draft)
    if meant is None:
        return task.original
    return replace(draft, units=tuple(replace(unit, text=meant(unit.source)) for unit in draft.units)).text


def _is_tightened(unit: Unit) -> bool:
    """Whether a unit is the writer's without what says nothing, and no other."""
    tight = tightened(unit.source)
    return tight is not None and tight.text == unit.text


def _is_changed(unit: Unit) -> bool:
    return unit.text.split() != unit.source.split()


def _by_place(task: Task, draft: Draft) -> dict[int, list[Sentence]]:
    """The sentences of a draft's text, by the place of the unit that they stand in."""
    document = Document(draft.text, task.format)
    places = units_of_sentences(draft, document)
    found: dict[int, list[Sentence]] = {}
    for sentence in document.sentences:
        if sentence.number in places:
            found.setdefault(places[sentence.number], []).append(sentence)
    return found


def _bad_sentences(
    sentences: Sequence[Sentence], scores: Sequence[float], verdict: Verdict
) -> Iterator[Concern]:
    for sentence, score in zip(sentences, scores, strict=True):
        if reads_badly(score, verdict.before):
            why = f"good English by {score:.2f} of 1, its source by {verdict.before:.2f}"
            yield Concern("reads badly", sentence.counted or None, sentence.text, why)


def _changed_meaning(source: str, unit: Unit, new: Sequence[Sentence], verdict: Verdict) -> Iterator[Concern]:
    # What is only gone is left out.
    found = compare_meaning(source, with_conditions(unit.text))
    changes = [str(one) for one in found if one.after or one.kind not in ("name", "number", "all")]
    changes = list(dict.fromkeys([*changes, *verdict.turned]))
    if not changes and verdict.sameness < DOUBTFUL_SAMENESS and not _is_tightened(unit):
        changes = [f"the same as its source by {verdict.sameness:.2f} of 1"]
    if changes and new:
        yield Concern("changed meaning", new[0].counted or None, unit.text, "; ".join(changes))


def _cuts(unit: Unit, new: Sequence[Sentence], elsewhere: Set[str]) -> Iterator[Concern]:
    """The stretches that a cut took along with what they said; `elsewhere` is what the whole draft says."""
    said = content_stems(unit.text)
    tight = tightened(unit.source)
    for edit in diff_words(tight.text if tight else unit.source, with_conditions(unit.text)):
        stems = content_stems(edit.before) - _HOLLOW if edit.op != "equal" else set()
        gone = stems - said
        is_long = len(edit.before.split()) >= _CUT_WORDS and len(gone) > max(_GONE * len(stems), 1)
        is_long |= edit.op == "delete" and len(gone - elsewhere) > 1
        if is_long or (edit.op == "delete" and stems - elsewhere and FACT.search(edit.before)):
            number = (new[0].counted or None) if new else None
            said_no_more = _LOOSE_ENDS.sub("", edit.before)
            yield Concern("left out", number, said_no_more, "cut from this sentence")


def _from_claims(
    task: Task, draft: Draft, claims: Sequence[Claim], told: Sequence[Concern]
) -> Iterator[Concern]:
    """The claims as concerns, without those that only say again what is told."""
    gone = [one.text for one in told if one.kind == "left out"]
    changed = {one.sentence for one in told if one.kind == "changed meaning"}
    sentences = Document(draft.text, task.format).sentences
    tight = [" ".join(unit.source.split()) for unit in draft.units if _is_tightened(unit)]
    said_now = content_stems(draft.text) | _HOLLOW
    replaced = {" ".join(unit.source.split()) for unit in draft.units if _is_asked_for(task, unit.text)}
    for claim in claims:
        if _is_asked_for(task, claim.after) or any(claim.before and claim.before in one for one in replaced):
            continue
        if claim.before and claim.kind != "reversed" and any(claim.before in one for one in tight):
            continue
        is_gone = any(claim.before in one or one in claim.before for one in gone)
        if claim.kind == "new" and _SET_APART.match(claim.after):
            continue  # a condition that is a sentence of its own now
        if claim.kind == "new":
            here = sentences[claim.sentence - 1 : claim.sentence]
            yield Concern("new", (here[0].counted or None) if here else None, claim.after)
        elif claim.kind == "left out" and not is_gone and content_stems(claim.before) - said_now:
            yield Concern("left out", None, claim.before)
        elif claim.kind == "reversed" or (claim.kind == "changed" and not is_gone):
            said = " ".join(claim.after.split())
            number = next((one.counted for one in sentences if said and said in one.text), None)
            if number not in changed:
                why = f"the original says: “{claim.before}”"
                yield Concern("changed meaning", number, claim.after or claim.before, why)


def _why_kept(task: Task, unit: Unit, verdict: Verdict) -> str:
    if not unit.free or not _is_changed(unit):
        return ""
    if not unit.text.strip():
        return "to obey it would have to be left out" if task.fault(unit.source) else ""
    if verdict.broken:
        return f"what obeys reads badly: “{verdict.worst}”"
    return f"what obeys says something else: “{unit.text}”" if verdict.reversed else ""
