"""The edits of a correction, each taken or left by what speaks for it.

The editor answers with a whole sentence, in which it may mend four errors and make a fifth: the sentence is
neither taken nor refused as a whole.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from typing import Final, NamedTuple

from redraft.editor import editor_messages
from redraft.models import LogProbs, Scorer
from redraft.quality import meaning_changes
from redraft.revision.draft import Draft
from redraft.revision.rewriting.corrections import corrections, suggested
from redraft.revision.rewriting.past import is_told_in_past, mended_by_rules
from redraft.revision.rewriting.slip_words import CONFUSED, MEASURED, SMALL, verb_of
from redraft.revision.rewriting.spelling import Misspelling, distance, misspellings
from redraft.revision.tuning import (
    CARE_COST,
    CERTAINTY_WORTH,
    CLEARLY_WORSE,
    DOUBTFUL_EVIDENCE,
    EVIDENCE_BASE,
    GAIN_WORTH,
    MENDED_WORTH,
    MOST_GAIN,
    MOST_ODDS,
    OTHER_COUNT_COST,
    RESPELLING_COST,
    RESPELLING_GAIN,
    SOUNDNESS_COST,
    SPELLING_LIKENESS,
    SURE_REWORDING,
)
from redraft.revision.verdicts import Verdicts
from redraft.text import (
    PLURALS,
    Edit,
    Span,
    diff_words,
    is_in_dictionary,
    quotations,
    spelling_pairs,
    spellings,
    zipf,
)

_MARKS: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_OPENS: Final = re.compile(r"(?:\A|[.!?:;\n])[\s\"“‘'(*_>#-]*\Z")
"""What stands before the first word of a sentence."""
_NOT: Final = re.compile(r"(?:not|nt|\w+n't|\w*nt)")
_TURNING: Final = re.compile(
    r"\b(?:not?|nt|never|none|nobody|nothing|neither|nor|without|cannot"
    r"|(?:ca|wo|do|does|did|is|are|was|were|has|have|had|would|could|should|must|need|ai)n'?t"
    r"|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million)\b"
)
"""Words that make another statement of a sentence when they come or go: denials, and numbers."""
_ANY: Final = {"nothing": "anything", "nobody": "anybody", "no": "any", "none": "any", "never": "ever"}
"""What a second denial becomes."""
_DENIED: Final = re.compile(r"\b(?:not|never|nobody|nothing|without|hardly|cannot)\b|n't\b|\bdont\b")
_ALIKE: Final = 0.6
_LIKE_WORDS: Final = 0.55
_LEAST_WORD: Final = 3
"""Letters of a word with a meaning of its own: "m" may be all that is left of "am"."""
_NAME: Final = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}(?:-[A-Z][a-z]+)*")
"""A word with a capital that opens no sentence."""
_DENYING: Final = re.compile(r"(?:un|in|im|il|ir|dis|non|mis)(?P<rest>[a-z]{4,})")
_AMOUNT: Final = re.compile(r"\d\s*\Z")
_SHORT_WORD: Final = 4
_MET: Final = 2.5
_FARTHEST: Final = 2.5
"""How common a word is that there is, and how far off what was meant by one that there is not may be."""
_STEM: Final = 5
_LEAST: Final = -20.0
"""The logarithm of a likelihood below which it does not matter how small it is."""


class EditKey(NamedTuple):
    """Where an edit stands in a text, and what it puts there."""

    start: int
    end: int
    after: str

    @classmethod
    def of(cls, step: Edit) -> EditKey:
        """That of a step."""
        return cls(step.original.start, step.original.end, step.after.strip())


def edit_keys(text: str, answer: str) -> list[EditKey]:
    """The edits of an answer to a text."""
    return [EditKey.of(step) for step in diff_words(text, answer) if is_edit(step)]


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of a sentence beside its words."""

    care: float = 0.0
    """How good the English of the other sentences is (a logarithm)."""
    was_mended: bool = False
    """Whether rules have found an error in it."""
    again: Callable[[], Awaitable[Collection[EditKey]]] | None = None
    """The edits that the editor makes in it when it is asked about the whole paragraph."""


_ALONE: Final = Around()


class Sifter:
    """Takes the edits of the editor's answers that the editor is sure of, or that make a sentence likelier.

    `answers` says how likely the editor is to say something, `scorer` how likely a text is by itself.
    """

    def __init__(self, scorer: Scorer, answers: Scorer, verdicts: Verdicts) -> None:
        self._scorer = scorer
        self._answers = answers
        self._verdicts = verdicts

    async def respelt(self, text: str, keeps: Keeps) -> str:
        """The text with the words that were meant by those that there are not: the likelier of several."""
        for found in reversed(keeps.misspellings(text)):
            head, tail = text[: found.start], text[found.end :]
            meant = found.meant[0]
            if not found.is_clear:
                tried = [head + one + tail for one in found.meant]
                before, *after = await self._scorer.log_probs([text, *tried])
                wrong = text[found.start : found.end].lower()
                worth = [
                    likely.total - RESPELLING_COST * distance(wrong, one.lower())
                    for one, likely in zip(found.meant, after, strict=True)
                ]
                best = max(range(len(tried)), key=worth.__getitem__)
                if after[best].total < before.total + RESPELLING_GAIN:
                    continue
                meant = found.meant[best]
            text = head + meant + tail
        return text

    async def soundness(self, sentences: Sequence[str]) -> list[float]:
        """How sound each sentence is."""
        return await self._verdicts.soundness(sentences)

    async def corrected(
        self,
        text: str,
        answer: str,
        asked: str,
        keeps: Keeps,
        written: str = "",
        around: Around = _ALONE,
    ) -> str:
        """The same, and of what Harper and the rules suggest besides: the editor may have overlooked it.

        `written` is the text as it was before rules mended it: who made these errors may have made others.
        """
        found = await self.sifted(text, answer, asked, keeps, written, around)
        suggestions = corrections(found)
        if suggestions:
            found = await self.sifted(found, suggestions[0].text, asked, keeps, written)
        return keeps.mended(found, last=True)

    async def sifted(
        self,
        text: str,
        answer: str,
        asked: str,
        keeps: Keeps,
        written: str = "",
        around: Around = _ALONE,
    ) -> str:
        """The text with the edits of an answer that enough speaks for; itself where there are none.

        `asked` is what the editor was told to do, and `keeps` says what may not be touched. What is doubtful,
        or puts another word for one, is done where the editor does it to the whole paragraph too.
        """
        steps = diff_words(text, answer)
        places = [place for place, step in enumerate(steps) if is_edit(step)]
        whole = made(steps, places)
        moved = _moved(steps, places)
        tried = [
            place
            for place in places
            if keeps.allows(text, steps[place], moves=place in moved)
            and not _says_otherwise(steps[place], made(steps, [one for one in places if one != place]), whole)
        ]
        tried = [place for place in tried if moved.get(place, place) in tried]
        reworded = {place for place in tried if place not in moved and _rewords(text, steps[place])}
        if not tried or (len(reworded) == len(tried) and around.again is None):
            return text
        whole = made(steps, tried)
        without = [made(steps, [one for one in tried if one != place]) for place in tried]
        (message,) = editor_messages(asked, text)
        (said,) = await self._answers.log_probs([whole], [message.content])
        likely, *less = await self._scorer.log_probs([in_marks_of(text, one) for one in (whole, *without)])
        soundness = min(await self._verdicts.soundness([text, written or text]))
        taken: list[int] = []
        doubtful: list[int] = []
        for place, other in zip(tried, less, strict=True):
            start = len(made(steps[:place], tried))
            certainty = _certainty(said, start, start + len(steps[place].after))
            found = evidence(steps[place], certainty, likely.total - other.total, soundness, around)
            if place in reworded:
                doubtful += [place] if certainty > SURE_REWORDING else []
            elif found > 0:
                taken.append(place)
            elif found > DOUBTFUL_EVIDENCE:
                doubtful.append(place)
        if doubtful and around.again is not None:
            again = await around.again()
            taken += [place for place in doubtful if _agrees(steps[place], again)]
        taken = [place for place in taken if moved.get(place, place) in taken]
        best = in_marks_of(text, made(steps, taken))
        every_one = {*tried} - (reworded - {*taken})
        if not taken or len(taken) == len(every_one):
            return best
        # Edits may need each other: "organise" may only be "organising" where an "are" stands before it.
        everything = in_marks_of(text, made(steps, every_one))
        some, every = await self._verdicts.soundness([best, everything])
        return everything if every > some + CLEARLY_WORSE else best


def evidence(step: Edit, certainty: float, gain: float, soundness: float, around: Around) -> float:
    """What speaks for an edit: the log-odds that it mends something.

    `certainty` is how sure the editor is of the least certain of its words (a logarithm), `gain` by how much
    the edit makes the sentence likelier, and `soundness` that of the sentence as it was written: what has
    nothing wrong in it needs no edit.
    """
    return (
        EVIDENCE_BASE
        + CERTAINTY_WORTH * certainty
        + GAIN_WORTH * min(max(gain, -MOST_GAIN), MOST_GAIN)
        - SOUNDNESS_COST * log_odds(soundness)
        - CARE_COST * around.care
        + MENDED_WORTH * around.was_mended
        - OTHER_COUNT_COST * (len(step.before.split()) != len(step.after.split()))
    )


def log_odds(soundness: float) -> float:
    """The log-odds of a likelihood, up to MOST_ODDS either way."""
    odds = math.log(max(soundness, 1e-9) / max(1 - soundness, 1e-9))
    return min(max(odds, -MOST_ODDS), MOST_ODDS)


def _agrees(step: Edit, again: Collection[EditKey]) -> bool:
    """Whether an edit is made again: the same, or one in its place that puts in its new words too."""
    own = EditKey.of(step)
    new = set(spellings(step.after.lower())) - set(spellings(step.before.lower()))
    return own in again or any(
        one.start <= own.end and own.start <= one.end and new and new <= set(spellings(one.after.lower()))
        for one in again
    )


def _certainty(said: LogProbs, start: int, end: int) -> float:
    """How likely the least likely token is that stands there; of nothing, the one that comes next."""
    found, at = [], 0
    for token, value in zip(said.tokens, said.values, strict=True):
        if at < max(end, start + 1) and at + len(token) > start:
            found.append(value)
        at += len(token)
    return max(min(found, default=0.0), _LEAST)


def made(steps: Sequence[Edit], taken: Collection[int]) -> str:
    """A text with some of the edits of its steps."""
    return "".join(
        step.after if step.op == "equal" or place in taken else step.before
        for place, step in enumerate(steps)
    )


def in_marks_of(text: str, answer: str) -> str:
    """An answer with the apostrophes and quotation marks of the text, curved or straight."""
    if text == text.translate(_MARKS):
        return answer.translate(_MARKS)
    if "'" not in text and "’" in text:
        return answer.replace("'", "’")
    return answer


def is_edit(step: Edit) -> bool:
    """Whether a step changes more than white space, or the form of an apostrophe."""
    before, after = (words.translate(_MARKS).split() for words in (step.before, step.after))
    return step.op != "equal" and before != after


def _moved(steps: Sequence[Edit], places: Sequence[int]) -> dict[int, int]:
    """The edits by which words only change their place, each with its other half: "stood often"."""
    gone, new = (
        {" ".join(words.lower().split()): place for place, words in found if words.strip()}
        for found in (
            [(place, steps[place].before) for place in places if not steps[place].after.strip()],
            [(place, steps[place].after) for place in places if not steps[place].before.strip()],
        )
    )
    pairs = [(gone[words], new[words]) for words in gone.keys() & new.keys()]
    return dict(pairs) | {other: one for one, other in pairs}


def _says_otherwise(step: Edit, without: str, whole: str) -> bool:
    """Whether an edit makes another statement of a sentence.

    A word that is much like the one before it is mostly that word, spelt or inflected rightly, and who reads
    errors sees changes that are none; but not a "can" that was "can't", or a "two" that was "too".
    """
    before, after = (
        Counter("not" if _NOT.fullmatch(word) else word for word in _TURNING.findall(_counted(words)))
        for words in (step.before, step.after)
    )
    if before != after and not (_undoubles(step) and _DENIED.search(_counted(whole))):
        return True
    if _undoubles(step):
        return False
    old, new = (set(spellings(words.lower())) for words in (step.before, step.after))
    for one, other in ((old - new, new - old), (new - old, old - new)):
        if any((found := _DENYING.fullmatch(word)) and found["rest"] in other for word in one):
            return True
    likeness = SequenceMatcher(None, step.before.lower(), step.after.lower()).ratio()
    return likeness < _ALIKE and bool(meaning_changes(without, whole))


def _counted(words: str) -> str:
    """Words in which denials and numbers are looked for: "two hundreds" says what "two hundred" says."""
    return re.sub(r"\b(hundred|thousand|million)s\b", r"\1", words.lower().replace("’", "'"))


def _undoubles(step: Edit) -> bool:
    """Whether an edit takes the second denial out of two: "didn't see nothing"."""
    old, new = step.before.lower().split(), step.after.lower().split()
    return len(old) == len(new) and all(
        one == other or _ANY.get(one) == other for one, other in zip(old, new, strict=True)
    )


class Keeps:
    """What a correction leaves alone, in one passage of a draft.

    That is what somebody is quoted with, names and numbers, either way of spelling a word, and a word that
    the writer uses again: that is no slip, unless the dictionary says so.
    """

    def __init__(
        self,
        quoted: Sequence[str] = (),
        used: Mapping[str, int] | None = None,
        *,
        names: Collection[str] = (),
        told_in_past: bool = False,
    ) -> None:
        self._quoted = quoted
        self._used = used or {}
        self._names = names
        self.told_in_past = told_in_past

    def mended(self, text: str, *, last: bool = False) -> str:
        """A passage without the errors that rules are sure of; `last`, with those that the editor left."""
        return mended_by_rules(text, self._quoted, self._used, told_in_past=self.told_in_past, last=last)

    def misspellings(self, text: str) -> list[Misspelling]:
        """The words of a passage that there are not, and what may be meant by them."""
        return list(misspellings(text, self._quoted, self._used))

    def allows(self, text: str, step: Edit, *, moves: bool = False) -> bool:
        """Whether an edit of a passage may be made; one that only `moves` words can lose or invent none."""
        before, after = step.before, step.after
        if any(character.isdigit() for character in before + after):
            return False
        if any(
            span.start < step.original.end and step.original.start < span.end for span in self._spans(text)
        ):
            return False
        if any(word in self._names and word not in after for word in spellings(before)):
            return False
        if _is_named(text, step) or _is_variant(before, after) or _puts_unlike_word(step):
            return False
        return moves or not self._is_meant(text, step)

    def _spans(self, text: str) -> Iterator[Span]:
        for words in self._quoted:
            start = text.find(words)
            if start >= 0:
                yield Span(start, start + len(words))

    def _is_meant(self, text: str, step: Edit) -> bool:
        """Whether the writer uses a word again that the edit would respell, and nothing calls it misspelt."""
        now = set(spellings(step.after.lower()))
        stems = {word[:_STEM] for word in now}
        again = [
            word
            for word in set(spellings(step.before.lower())) - now
            if len(word) > _SHORT_WORD and self._used.get(word, 0) > 1 and word[:_STEM] not in stems
        ]
        if not any(get_close_matches(word, now, 1, SPELLING_LIKENESS) for word in again):
            return False
        there = step.original
        return not any(
            one.start < there.end and there.start < one.end and one.after in step.after
            for one in suggested(text)
        )


def what_to_keep(draft: Draft) -> list[Keeps]:
    """What a correction leaves alone in each unit of a draft."""
    used = Counter(word for unit in draft.units for word in set(spellings(unit.source.lower())))
    quoted = quoted_in_units(draft)
    past = is_told_in_past(draft.text)
    names = {found[0] for unit in draft.units for found in _NAME.finditer(unit.source)}
    return [
        Keeps(quoted.get(place, ()), used, names=names, told_in_past=past)
        for place in range(len(draft.units))
    ]


def quoted_in_units(draft: Draft) -> dict[int, list[str]]:
    """What is quoted in each unit, by its place; a quotation may go on from one to the next."""
    text = draft.text
    spans = [(found.start, found.end) for found in quotations(text)]
    found: dict[int, list[str]] = {}
    for place, (start, unit) in enumerate(zip(draft.starts, draft.units, strict=True)):
        if start is not None:
            end = start + len(unit.text)
            inside = [(max(start, one), min(end, other)) for one, other in spans]
            found[place] = [text[one:other] for one, other in inside if one < other]
    return found


def _is_named(text: str, step: Edit) -> bool:
    """Whether a word with a capital, which does not open a sentence, would be another one, or lose it."""
    after = spellings(step.after)
    opens = _OPENS.search(text, 0, step.original.start) is not None
    named = [word for word in spellings(step.before)[opens:] if word[0].isupper() and len(word) > 1]
    return any(word not in after for word in named)


def _rewords(text: str, step: Edit) -> bool:
    """Whether an edit leaves out a word with a meaning, makes a word up, or writes a measure otherwise."""
    letters = ["".join(filter(str.isalpha, words.lower())) for words in (step.before, step.after)]
    if letters[0] == letters[1]:
        return False
    before, after = (set(spellings(words.lower().replace("’", "'"))) for words in (step.before, step.after))
    lost, gained = _with_meaning(before - after), _with_meaning(after - before)
    lost = [
        word
        for word in lost
        if not get_close_matches(word, after, 1, _LIKE_WORDS)
        and not any(one in SMALL and _are_alike(word, one) for one in after)
    ]
    if len(lost) == len(gained) == 1 and not _are_alike(lost[0], gained[0]):
        return True
    known = set(spellings(text.lower()))
    made_up = [word for word in after - known if "'" not in word and not _is_word(word)]
    measured = _AMOUNT.search(text, 0, step.original.start) and (
        before & MEASURED
        or lost
        or any(after and all(distance(word, one) > _FARTHEST for one in after) for word in before - after)
    )
    return len(lost) > len(gained) or bool(made_up or measured) or "%" in step.after


def _puts_unlike_word(step: Edit) -> bool:
    """Whether a word that there is not becomes another one than the one that it looks like."""
    before, after = (set(spellings(words.lower().replace("’", "'"))) for words in (step.before, step.after))
    return any(_is_unlike(word, after) for word in before - after)


def _with_meaning(words: Collection[str]) -> list[str]:
    """Those of the words that have a meaning of their own."""
    return [
        word for word in words if len(word) >= _LEAST_WORD and word not in SMALL and is_in_dictionary(word)
    ]


def _is_unlike(word: str, after: Collection[str]) -> bool:
    """Whether a word that there is not became another one than the one that it looks like."""
    if len(word) <= _SHORT_WORD or not word.isalpha() or is_in_dictionary(word) or zipf(word) >= _MET:
        return False
    forms = _forms_of(word)
    return all(distance(word, other) > _FARTHEST and not forms & _forms_of(other) for other in after)


def _is_word(word: str) -> bool:
    """Whether there is such a word: the dictionary has no "to" and no "which"."""
    return is_in_dictionary(word) or zipf(word) >= _MET


def _are_alike(one: str, other: str) -> bool:
    """Whether two words are forms of one word, or are often put for one another."""
    old, new = _forms_of(one), _forms_of(other)
    return bool(old & new) or any(old & group and new & group for group in CONFUSED)


def _forms_of(word: str) -> set[str]:
    """A word, and what it is a form of."""
    return {word, verb_of(word), PLURALS.get(word, "")} - {""}


def _is_variant(before: str, after: str) -> bool:
    """Whether only British spelling became American, or the other way round."""
    left, right = before.lower().split(), after.lower().split()
    return (
        len(left) == len(right)
        and left != right
        and all(
            one == other or other in _variants().get(one, ()) for one, other in zip(left, right, strict=True)
        )
    )


@cache
def _variants() -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for british, american, _ in spelling_pairs():
        found.setdefault(british, set()).add(american)
        found.setdefault(american, set()).add(british)
    return found
