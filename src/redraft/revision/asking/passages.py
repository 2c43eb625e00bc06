"""What a larger model that was taught to edit is asked: passage by passage, by the controls it has learnt.

It has seen paragraphs of up to a hundred words or so, one wish at a time; a whole letter with three wishes it
has not. So each paragraph is asked about by itself, and the answer to one wish is what the next is about. A
sentence of the answer that changes a fact, or says something else to the judge, is asked for by itself, and
else is the writer's.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from statistics import mean
from typing import Final

from redraft.editor import Editor, EditVerdicts, control_instruction
from redraft.models import Model
from redraft.quality import SamenessJudge, judged_claim_changes
from redraft.revision.corrections.left_alone import Keeps, what_to_keep
from redraft.revision.corrections.meaning import meant_in
from redraft.revision.corrections.slips import without_slips
from redraft.revision.corrections.steps import is_edit, made
from redraft.revision.corrections.vetting import Vetting, allowed
from redraft.revision.draft import Draft, Option, content_stems
from redraft.revision.editing.controls import FORM_CONTROLS
from redraft.revision.editing.editor import edits_of
from redraft.revision.judging.facts import FactCheck
from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import with_fitting_articles
from redraft.revision.task import Task
from redraft.revision.tuning import PASSAGE_WORDS
from redraft.revision.wishes.wording import style_controls
from redraft.text import Document, align_passages, diff_words, is_letter_line

_FEWEST_WORDS: Final = 4
_LEAST_SHARE: Final = 0.2
"""Of its words a passage is asked to keep so many at the least."""
_TIGHT_SHARE: Final = 0.6
"""A text that may keep so many of its words is first put concisely, which loses nothing."""
_ROUNDS: Final = 2
_ANSWERS: Final = 4
"""Answers about a sentence by itself, of which the best is taken that says what it says."""
_SURE: Final = 0.95
"""How sure an editor that learnt to tell has to be that its edit says what its source says. Of 192 edits that
were read, 47 % of the good ones and 6 % of the others are as sure; judge and rules take 58 and 20 %."""
_SURE_OF_CORRECTION: Final = 0.9
_HARDLY_SURE: Final = 0.4
"""The same of a correction, to be taken at once, and to be taken where no answer about the sentence by itself
is surer: what is wrong in the source makes everybody less sure."""
_ALONE: Final = {"simplification": "plain"}
"""What is asked of a sentence by itself, where it keeps more of what is said: of 137 sentences of answers
that were read, 35 % were good in plain language, and 18 % in simpler words."""
_ERRORS: Final = "fluency"
_ENDED: Final = re.compile(r"[.!?…][\"”’')\]*_}]*(?:\[\^\w+\]|</\w+>)?\s*\Z")
"""How a sentence ends; a greeting or a heading does not."""
_REQUEST: Final = re.compile(r"(?i)(?:please|(?:could|would|can|will|may) (?:you|I ask))\b")
"""How an order is put politely, as a question or not."""
_STATED: Final = re.compile(
    r"(?i)\W*(?:it|this|that|these|they|there|the \w+|not)\b(?!.*\b(?:should|must|needs?)\b)"
)
"""What goes with a bound and asks for nothing: "not one more", "that is all the form accepts"."""
_IF_NEEDED: Final = re.compile(
    r"(?i)\b(?:if|where|wherever) (?:(?:it|it's|it is|anything is) )?(?:needed|necessary)\b"
)
"""What is to be done only where something is wrong: errors are corrected, and nothing is said otherwise."""
_CUTS: Final = ("shorten", "concise")
_NEUTRAL: Final = "neutralization"
"""What praises or blames is left out by it."""
_LEAST_LEFT: Final = {
    **dict.fromkeys(_CUTS, 0.0),
    **{"neutralization": 0.4, "confident": 0.4, "simplification": 0.45},
}
_USUALLY_LEFT: Final = 0.6
"""The share of its words that a sentence has at the least, by the control: with fewer, something is gone."""
_LEAST_SAME: Final = {
    **dict.fromkeys(_CUTS, 0.05),
    **dict.fromkeys((_ERRORS, "split", "active", "impersonal", "neutralization", "past", "present"), 0.15),
    # Of plain words for legal ones the judge is never sure.
    **dict.fromkeys(("plain", "simplification"), 0.15),
}
_USUALLY_SAME: Final = 0.35
"""How surely a sentence says what its source says, at the least; where other words are wished, more surely.
Of eight texts that were read, those that said the contrary had 0.03 to 0.33."""
_SURELY_SAME: Final = 0.85
"""How surely, read both ways, a sentence says what its source says where no comparison of words is needed."""
_LEAST_TOLD: Final = 1
"""Words of content in a row that may go where nothing is to be cut: two say something.
Of 205 sentences of answers that were read, these two take 86 of the 100 good ones and 12 of the 61 that say
something else; the comparison of words alone took 82 and 15."""


@dataclass(frozen=True, slots=True)
class Wish:
    """One thing that is asked of every passage, by a control or in the writer's own words."""

    control: str = ""
    words: str = ""
    share: float = 1.0
    """Of the words that a cut may keep."""
    most: int = 0
    """Words of a sentence that is split."""

    def asked(self, text: str) -> str:
        """How it is put, of a passage."""
        if self.control == "shorten":
            return control_instruction("shorten", n=max(math.floor(self.share * len(text.split())), 3))
        if self.control == "split":
            return control_instruction("split", n=self.most)
        return control_instruction(self.control) if self.control else self.words


class PassageEditor:
    """Edits the passages of a text one by one, for every wish of a task in turn.

    The `judge` tells how surely a sentence says what its source says, `vetting` which edits of a correction
    are needed. An editor that has learnt to tell gives its own `verdicts`, which are `believed` where it is
    sure. What is made by `rules` stands for sentences of which nothing was taken. Whoever is to be `told`
    hears of the draft whenever a passage is answered.
    """

    def __init__(
        self,
        task: Task,
        judge: SamenessJudge,
        vetting: Vetting,
        *,
        verdicts: EditVerdicts | None = None,
        believed: Callable[[Mapping[tuple[str, str], float]], None] | None = None,
        rules: Callable[[], Awaitable[Mapping[str, str]]] | None = None,
        told: Callable[[Draft], None] | None = None,
        seed: int = 0,
    ) -> None:
        self._task = task
        self._facts = FactCheck(task)
        self._meant = meant_in(task, Draft.of(task)) or str
        self._judge = judge
        self._vetting = vetting
        self._verdicts = verdicts
        self._believed = believed
        self._rules = rules
        self._told = told
        self._seed = seed
        self.refused: dict[str, str] = {}
        """What the model made of sentences that are as the writer had them, since it says something else."""

    async def revised(self, model: Model) -> str:
        """The whole text as the model would have it, with the facts of the original. It knows English."""
        draft = Draft.of(self._task)
        if not self._task.is_english:
            return draft.text
        for wish in wishes_of(self._task):
            draft = await self._edited(draft, wish, model)
        draft = await self._by_rules(draft)
        draft = await self._shortened(draft, model)
        if self._is_too_long(draft.text):
            draft = await self._edited(draft, Wish("split", most=int(self._task.lengths.high)), model)
        return draft.text

    async def _by_rules(self, draft: Draft) -> Draft:
        """The draft with what our rules make of the sentences that stayed as the writer had them."""
        stayed = {
            sentence.text
            for unit in draft.units
            if unit.free
            for sentence in Document(unit.source, self._task.format).sentences
            if sentence.text in unit.text
        }
        made = await self._rules() if self._rules is not None and stayed else {}
        options: list[Option] = []
        for place, unit in enumerate(draft.units):
            text = unit.text
            for before, after in made.items() if unit.free else ():
                text = text.replace(before, after, 1) if before in stayed else text
            if text != unit.text:
                by = unit.by if unit.text != unit.source else "wording"
                options.append(Option(place, place + 1, Candidate(text, by, (Reason("rewrite"),))))
        return draft.with_some(options) if options else draft

    async def _shortened(self, draft: Draft, model: Model) -> Draft:
        """The draft below the most words that there may be, as far as the model goes."""
        most = self._task.bounds("words").high
        for turn in range(_ROUNDS + 1):
            words = self._task.read(draft.text).words
            free = sum(len(draft.passage(*place).split()) for place in self._passages(draft))
            if words <= most or not free:
                break
            share = max(1 - (words - most) / free, _LEAST_SHARE)
            if not turn and share < _TIGHT_SHARE:
                continue
            draft = await self._edited(draft, Wish("shorten" if turn else "concise", share=share), model)
        return draft

    async def _edited(self, draft: Draft, wish: Wish, model: Model) -> Draft:
        """The draft with what the model makes of its passages."""
        editor = Editor(model, seed=self._seed)
        places = list(self._passages(draft))
        made_of: list[Option] = []
        corrects = wish.control == _ERRORS
        keeps = what_to_keep(draft, with_quotations=not self._task.corrects_quotations) if corrects else []

        async def edit(start: int, stop: int) -> None:
            before = draft.passage(start, stop)
            text = await self._answered(editor, before, wish, keeps[start:stop])
            if text != before:
                made_of.append(Option(start, stop, Candidate(text, model.spec, (Reason("rewrite"),))))
                if self._told is not None:
                    self._told(draft.with_some(made_of))

        await asyncio.gather(*(edit(start, stop) for start, stop in places))
        return draft.with_some(made_of) if made_of else draft

    async def _answered(self, editor: Editor, text: str, wish: Wish, keeps: Sequence[Keeps]) -> str:
        """What the model makes of a passage, with the writer's sentences where it says something else.

        Of a correction it is taken without the edits that no correction needs.
        """
        if wish.control == "split" and not self._is_too_long(text):
            return text
        answer = raw = await self._answer(editor, text, wish)
        if wish.control == _ERRORS:
            answer = await self._vetting.vetted(text, raw, keeps)
        others: dict[str, str] = {}
        if self._verdicts is not None and answer != raw:
            others = dict(self._pairs(text, allowed(text, raw, keeps)))
        pairs = await self._joined(self._pairs(text, answer), wish)
        stand = [one > self._enough(wish) for one in await self._worth(pairs, wish)]
        is_cut = wish.control in _CUTS
        if all(stand) and (is_cut or all(source and own for source, own in pairs)):
            return answer

        async def piece(source: str, own: str, stands: bool) -> str:
            if stands and own:
                return own
            if not source or (stands and is_cut):
                return ""
            had = [own, others.get(source, "")]
            return await self._again(editor, source, had, wish, keeps, alone=len(pairs) == 1)

        pieces = await asyncio.gather(
            *(piece(source, own, stands) for (source, own), stands in zip(pairs, stand, strict=True))
        )
        return " ".join(filter(None, pieces)) or text

    async def _again(
        self,
        editor: Editor,
        source: str,
        had: Sequence[str],
        wish: Wish,
        keeps: Sequence[Keeps],
        *,
        alone: bool,
    ) -> str:
        """A sentence of which the model may have said something else: by itself, or as the writer had it.

        Of a correction the edits that change a fact are left out.
        """
        corrects = wish.control == _ERRORS
        tried = [self._with_facts(source, one) if corrects else one for one in had if one]
        if self._verdicts is not None:
            asked = replace(wish, control=_ALONE.get(wish.control, wish.control))
            found = await self._answers(editor, source, asked, count=_ANSWERS)
            tried += [allowed(source, one, keeps) for one in found] if corrects else found
        elif not alone and not (corrects and set(tried) - {source}):
            tried += await self._answers(editor, source, wish)
        tried = [one for one in dict.fromkeys(tried) if one != source]
        ranked = list(zip(await self._worth([(source, one) for one in tried], wish), tried, strict=True))
        surest = max(ranked, key=itemgetter(0), default=(0.0, ""))
        # What is nearest to the source is surest, and does the least: the first that is sure enough is taken.
        worth, best = next((one for one in ranked if one[0] > self._enough(wish)), surest)
        if worth:
            return best
        if refused := next((one for one in (*tried, *had) if one and one != source), ""):
            self.refused[source] = refused
        return source

    def _enough(self, wish: Wish) -> float:
        """What an edit has to be worth more than, to be taken with nothing further asked."""
        return _SURE_OF_CORRECTION if self._verdicts is not None and wish.control == _ERRORS else 0.0

    def _pairs(self, text: str, answer: str) -> list[tuple[str, str]]:
        """The sentences of a passage, in their order, each with what the answer makes of it, if anything.

        What the answer says besides stands for nothing, and comes with no sentence.
        """
        sources, made_of = (
            [one.text for one in Document(side, self._task.format).sentences] for side in (text, answer)
        )
        pairs: list[tuple[float, str, str]] = []
        behind = -1.0  # what stands for nothing comes behind what the answer says before it
        for link in sorted(align_passages(sources, made_of), key=lambda one: min(one.revised, default=0)):
            source = " ".join(sources[number - 1] for number in sorted(link.original))
            own = " ".join(made_of[number - 1] for number in sorted(link.revised))
            place = min(link.original, default=behind + 0.5)
            if link.revised:
                behind = max(link.original, default=place)
            pairs.append((place, source, own))
        return [(source, own) for _, source, own in sorted(pairs, key=itemgetter(0))]

    async def _joined(self, pairs: Sequence[tuple[str, str]], wish: Wish) -> list[tuple[str, str]]:
        """The same with what stands for nothing by itself joined to a neighbour, where both together do.

        So a sentence that was divided, or two that became one, are held against all of what they came from.
        """
        joined = list(pairs)
        least = _LEAST_SAME.get(wish.control, _USUALLY_SAME)
        place = 0
        while place < len(joined):
            source, own = joined[place]
            is_alone = not source or not (own or wish.control in _CUTS)
            sides = (
                [first for first in (place - 1, place) if 0 <= first < len(joined) - 1] if is_alone else []
            )
            tried = [_both(*joined[first : first + 2]) for first in sides]
            same = [min(one) for one in await self._same_both_ways(tried)]
            best = max(range(len(tried)), key=same.__getitem__, default=None)
            if best is None or same[best] < least:
                place += 1
            else:
                joined[sides[best] : sides[best] + 2] = [tried[best]]
                place = sides[best]
        return joined

    async def _worth(self, pairs: Sequence[tuple[str, str]], wish: Wish) -> list[float]:
        """How surely each sentence says what its source says; 0 where a fact is changed, or it does not.

        What is wrong in a source says something else by itself, so of corrections the facts count.
        """
        is_cut = wish.control in _CUTS
        may_be = [
            source == own
            or (
                bool(source)
                and bool(own or is_cut)
                and not (own and self._facts.objections_to(self._meant(source), self._meant(own)))
            )
            for source, own in pairs
        ]
        asked = [pair for pair, is_open in zip(pairs, may_be, strict=True) if is_open and pair[0] != pair[1]]
        if self._verdicts is not None:
            sure = await self._verdicts.sure(asked, is_cut=is_cut)
            least = _HARDLY_SURE if wish.control == _ERRORS else _SURE
            known = {pair: one if one > least else 0.0 for pair, one in zip(asked, sure, strict=True)}
            if self._believed is not None and not is_cut:
                self._believed({pair: one for pair, one in known.items() if one > _SURE_OF_CORRECTION})
        else:
            known = await self._judged(asked, wish)
        return [
            (1.0 if pair[0] == pair[1] else known[pair]) if is_open else 0.0
            for pair, is_open in zip(pairs, may_be, strict=True)
        ]

    async def _judged(self, pairs: Sequence[tuple[str, str]], wish: Wish) -> dict[tuple[str, str], float]:
        """How alike the judge finds what is alike enough, and leaves nothing out."""
        same = await self._judge.sameness(pairs)
        least = _LEAST_SAME.get(wish.control, _USUALLY_SAME)
        share = _LEAST_LEFT.get(wish.control, _USUALLY_LEFT)
        known = {
            pair: one if one >= least and len(pair[1].split()) >= share * len(pair[0].split()) else 0.0
            for pair, one in zip(pairs, same, strict=True)
        }
        if wish.control == _ERRORS:
            return known
        new = [pair for pair, one in known.items() if one and pair[1]]
        for pair, both_ways in zip(new, await self._same_both_ways(new), strict=True):
            if not await self._says_the_same(*pair, wish, both_ways):
                known[pair] = 0.0
        return known

    async def _same_both_ways(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
        """How surely each text says what its source says, and the other way round."""
        turned = [(text, source) for source, text in pairs]
        same = await self._judge.sameness([*pairs, *turned])
        return list(zip(same[: len(pairs)], same[len(pairs) :], strict=True))

    async def _says_the_same(self, source: str, own: str, wish: Wish, likeness: tuple[float, float]) -> bool:
        """Whether a sentence leaves out nothing, and claims and asks what its source does."""
        if wish.control not in (*_CUTS, _NEUTRAL) and _most_left_out(source, own) > _LEAST_TOLD:
            return False
        if source.count("?") != own.count("?") and not _REQUEST.match(own):
            return False
        return mean(likeness) >= _SURELY_SAME or not await self._changes_a_claim(source, own, wish)

    async def _changes_a_claim(self, source: str, own: str, wish: Wish) -> bool:
        """Whether a sentence claims something else; only a cut may lose a claim."""
        found = await judged_claim_changes(source, own, self._judge)
        lost = () if wish.control in (*_CUTS, _NEUTRAL) else ("left out",)
        return any(one.kind in ("new", "changed", "reversed", *lost) and not one.minor for one in found)

    async def _answer(self, editor: Editor, text: str, wish: Wish) -> str:
        """What the model makes of a passage; the passage where that is no use."""
        found = await self._answers(editor, text, wish)
        return found[0] if found else text

    async def _answers(self, editor: Editor, text: str, wish: Wish, *, count: int = 1) -> list[str]:
        """What the model makes of a passage, where it is something else."""
        found = await edits_of(editor, text, wish.asked(text), self._task, count=count)
        return [self._without_slips(text, one) for one in found]

    def _without_slips(self, text: str, answer: str) -> str:
        """An answer whose sentences are not the writer's own, without slips such as "a hour"."""
        for sentence in Document(answer, self._task.format).sentences:
            if sentence.text not in text:
                mended = with_fitting_articles(without_slips(sentence.text, last=False))
                answer = answer.replace(sentence.text, mended, 1)
        return answer

    def _with_facts(self, text: str, answer: str) -> str:
        """A correction without the edits that change a fact."""
        steps = diff_words(text, answer)
        places = [place for place, step in enumerate(steps) if is_edit(step)]
        meant = self._meant(text)
        tried = [(place, self._meant(made(steps, [place]))) for place in places]
        return made(steps, [place for place, one in tried if not self._facts.objections_to(meant, one)])

    def _is_too_long(self, text: str) -> bool:
        """Whether a sentence of a text has more words than one may have."""
        return max(self._task.read(text).sentence_words, default=0) > self._task.lengths.high

    def _passages(self, draft: Draft) -> Iterator[tuple[int, int]]:
        """Where the stretches begin and end that are asked about: sentences of a paragraph."""
        start, words = 0, 0
        for place, unit in enumerate(draft.units):
            own = len(unit.text.split())
            changes = self._may_change(draft, place)
            if not changes or "\n" in unit.gap or words + own > PASSAGE_WORDS:
                if words >= _FEWEST_WORDS:
                    yield start, place
                start, words = place, 0
            if changes:
                words += own
            else:
                start = place + 1
        if words >= _FEWEST_WORDS:
            yield start, len(draft.units)

    def _may_change(self, draft: Draft, place: int) -> bool:
        """Whether a unit is a sentence that may change, and no greeting or heading."""
        unit = draft.units[place]
        opens = not place or "\n" in unit.gap
        if opens and len(unit.text.split()) < _FEWEST_WORDS:
            return False
        return unit.free and bool(_ENDED.search(unit.text)) and not is_letter_line(unit.text)


def _most_left_out(source: str, text: str) -> int:
    """How many words of content go together, and are nowhere in a text."""
    said = content_stems(text)
    cuts = (step for step in diff_words(source, text) if step.op == "delete")
    return max((len(content_stems(cut.before) - said) for cut in cuts), default=0)


def _both(one: tuple[str, str], other: tuple[str, str]) -> tuple[str, str]:
    """Two sentences in a row as one, and so what became of them."""
    source, own = (" ".join(filter(None, sides)) for sides in zip(one, other, strict=True))
    return source, own


def wishes_of(task: Task) -> list[Wish]:
    """What is asked for beside the bounds; where no control is for it, in the writer's own words."""
    style = task.style or ("" if task.constraints else task.instruction)
    forms = [FORM_CONTROLS[mark] for mark in task.banned_marks if mark in FORM_CONTROLS]
    forms += [task.tense] if task.tense else []
    wished = style_controls(style)
    if forms or wished:
        errors = [_ERRORS] if _ERRORS in wished else []
        return [Wish(name) for name in dict.fromkeys((*errors, *forms, *wished))]
    if not style.strip() or (task.constraints and _STATED.match(style)):
        return []
    return [Wish(_ERRORS) if _IF_NEEDED.search(style) else Wish(words=style)]
