"""The edits of a correction, each taken or left by what speaks for it.

The editor answers with a whole sentence, in which it may mend four errors and make a fifth: the sentence is
neither taken nor refused as a whole.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from redraft.editor import editor_messages
from redraft.models import LogProbs, Scorer, Tagger
from redraft.revision.corrections.left_alone import Keeps
from redraft.revision.corrections.spelling import distance
from redraft.revision.corrections.steps import (
    in_marks_of,
    is_edit,
    made,
    moved_pairs,
    only_ends,
    rewords,
    says_otherwise,
    shifts_weight,
)
from redraft.revision.corrections.suggestions import corrections
from redraft.revision.corrections.tagging import Reading, read_passage
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.tuning import (
    CARE_COST,
    CERTAINTY_WORTH,
    CLEARLY_WORSE,
    DOUBT_WORTH,
    DOUBTFUL_EVIDENCE,
    EVIDENCE_BASE,
    GAIN_WORTH,
    LEAST_TAGGED_CERTAINTY,
    MENDED_WORTH,
    MOST_GAIN,
    MOST_ODDS,
    MOST_SUPPORT,
    OTHER_COUNT_COST,
    RESPELLING_COST,
    RESPELLING_GAIN,
    SUPPORT_WORTH,
    SURE_REWORDING,
    TAGGED_BASE,
    TAGGED_CERTAINTY_WORTH,
    TAGGED_GAIN_WORTH,
)
from redraft.text import Edit, diff_words, spellings

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
    reading: Reading | None = None
    """What the tagger says of it, where it has read the whole paragraph."""


ALONE: Final = Around()


class Sifter:
    """Takes the edits of the editor's answers that the editor is sure of, or that make a sentence likelier.

    `answers` says how likely the editor is to say something, `scorer` how likely a text is by itself.
    """

    def __init__(self, scorer: Scorer, answers: Scorer, verdicts: Verdicts, tagger: Tagger) -> None:
        self._scorer = scorer
        self._answers = answers
        self._verdicts = verdicts
        self._tagger = tagger

    async def read(self, passage: str) -> Reading:
        """What the tagger says of a passage."""
        return await read_passage(self._tagger, passage)

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
        self, text: str, answer: str, asked: str, keeps: Keeps, around: Around = ALONE
    ) -> str:
        """The text with the edits of the editor's answer that enough speaks for, then those of the tagger.

        After them come those of what Harper and the rules suggest: both may have overlooked it.
        """
        reading = around.reading or await self.read(text)
        found = await self.sifted(text, answer, asked, keeps, around, reading)
        if found != text:
            reading = await self.read(found)
        by_tagger = await self.sifted(found, reading.answer(), asked, keeps, ALONE, reading, by_tagger=True)
        suggestions = corrections(by_tagger)
        if suggestions:
            reading = reading if by_tagger == found else await self.read(by_tagger)
            by_tagger = await self.sifted(by_tagger, suggestions[0].text, asked, keeps, ALONE, reading)
        return keeps.mended(by_tagger, last=True)

    async def sifted(
        self,
        text: str,
        answer: str,
        asked: str,
        keeps: Keeps,
        around: Around,
        reading: Reading,
        *,
        by_tagger: bool = False,
    ) -> str:
        """The text with the edits of an answer that enough speaks for; itself where there are none.

        `asked` is what the editor was told to do, and `keeps` says what may not be touched. What is doubtful,
        or puts another word for one, is done where the editor does it to the whole paragraph too.
        """
        steps = diff_words(text, answer)
        places = [place for place, step in enumerate(steps) if is_edit(step)]
        whole = made(steps, places)
        moved = moved_pairs(steps, places)
        tried = [
            place
            for place in places
            if keeps.allows(text, steps[place], moves=place in moved)
            and not says_otherwise(steps[place], made(steps, [one for one in places if one != place]), whole)
        ]
        tried = [place for place in tried if moved.get(place, place) in tried]
        reworded = {place for place in tried if place not in moved and rewords(text, steps[place])}
        if not tried or (by_tagger and len(reworded) == len(tried)):
            return text
        whole = made(steps, tried)
        without = [made(steps, [one for one in tried if one != place]) for place in tried]
        (message,) = editor_messages(asked, text)
        (said,) = await self._answers.log_probs([whole], [message.content])
        likely, *less = await self._scorer.log_probs([in_marks_of(text, one) for one in (whole, *without)])
        taken: list[int] = []
        doubtful: list[int] = []
        for place, other in zip(tried, less, strict=True):
            step = steps[place]
            start = len(made(steps[:place], tried))
            certainty = _certainty(said, start, start + len(step.after))
            gain = min(max(likely.total - other.total, -MOST_GAIN), MOST_GAIN)
            if by_tagger:
                is_small = not (place in reworded or shifts_weight(step) or only_ends(text, step))
                if is_small and tagged_evidence(certainty, gain, reading.support(step)) > 0:
                    taken.append(place)
                continue
            found = evidence(step, certainty, gain, reading.doubt(step), around)
            if place in reworded:
                if certainty > SURE_REWORDING:
                    (taken if reading.support(step) > 0 else doubtful).append(place)
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
        if not taken or len(taken) == len(every_one) or by_tagger:
            return best
        # Edits may need each other: "organise" may only be "organising" where an "are" stands before it.
        everything = in_marks_of(text, made(steps, every_one))
        some, every = await self._verdicts.soundness([best, everything])
        return everything if every > some + CLEARLY_WORSE else best


def evidence(step: Edit, certainty: float, gain: float, doubt: float, around: Around) -> float:
    """What speaks for an edit of the editor: the log-odds that it mends something.

    `certainty` is how sure the editor is of the least certain of its words (a logarithm), `gain` by how much
    the edit makes the sentence likelier, and `doubt` how sure the tagger is that something is wrong there.
    """
    return (
        EVIDENCE_BASE
        + CERTAINTY_WORTH * certainty
        + GAIN_WORTH * gain
        + DOUBT_WORTH * doubt
        - CARE_COST * around.care
        + MENDED_WORTH * around.was_mended
        - OTHER_COUNT_COST * (len(step.before.split()) != len(step.after.split()))
    )


def tagged_evidence(certainty: float, gain: float, support: float) -> float:
    """The same for an edit of the tagger, which is as sure of it as `support` says (a logarithm of odds)."""
    return (
        TAGGED_BASE
        + TAGGED_CERTAINTY_WORTH * max(certainty, -LEAST_TAGGED_CERTAINTY)
        + TAGGED_GAIN_WORTH * gain
        + SUPPORT_WORTH * min(support, MOST_SUPPORT)
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
