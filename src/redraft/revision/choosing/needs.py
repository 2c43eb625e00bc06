"""What the constraints call for in a text: which rules there is work for."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from redraft.constraints import Interval, Reading
from redraft.revision.draft import Draft, places_within
from redraft.revision.task import Task

_NO_LIMIT: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Needs:
    """Which ways the text as a whole has to go; None where it may stay as it is."""

    fewer_words: bool = False
    more_words: bool = False
    fewer_sentences: int = 0
    """About how many too many there are, those that splits will add included."""
    more_sentences: bool = False
    keywords: tuple[str, ...] = ()
    """To be had more often."""
    spare: tuple[str, ...] = ()
    """To be had less often."""
    marks: tuple[str, ...] = ()
    """Marks to be had less often."""
    plainer: bool = False

    @classmethod
    def of(cls, task: Task, text: str, hard: bool = False) -> Needs:
        """What a text lacks and exceeds; `hard` looks for room in every bounded direction."""
        reading = task.read(text)
        words, sentences = task.bounds("words"), task.bounds("sentences")
        characters = task.bounds("characters")
        short = sum(count < task.lengths.low for count in reading.sentence_words)
        size = len(text.strip())
        counts = {keyword: len(reading.occurrences(keyword)) for keyword in task.frequencies}
        return cls(
            fewer_words=reading.words > words.high or size > characters.high or hard,
            more_words=reading.words < words.low or size < characters.low or (hard and words.low > 0),
            fewer_sentences=int(
                min(max(len(reading.sentences) + _added(task, reading) - sentences.high, 0), _NO_LIMIT)
            )
            or _NO_LIMIT * hard,
            more_sentences=len(reading.sentences) - short < sentences.low or (hard and sentences.low > 0),
            keywords=tuple(
                k
                for k, n in counts.items()
                if n < task.frequencies[k].low or (hard and task.frequencies[k].low > 0)
            ),
            spare=tuple(k for k, n in counts.items() if n > task.frequencies[k].high),
            marks=tuple(
                mark
                for mark, allowed in task.marks.items()
                if mark not in task.banned_marks and task.count_marks(text, mark) > allowed.high
            ),
            plainer=bool(task.scores),
        )


def needs_of_parts(task: Task, draft: Draft, needs: Needs) -> dict[int, Needs]:
    """What the units of a part need, by their places, where it has a bound of its own that is not met."""
    found: dict[int, Needs] = {}
    document = task.read(draft.text).document
    for part in task.part_lengths:
        measured = part.measure(document)
        over, under = max(measured - part.allowed.high, 0), measured < part.allowed.low
        for place in places_within(draft, part, task.format) if over or under else ():
            now = found.get(place, needs)
            if part.unit == "sentences":
                fewer = now.fewer_sentences or int(over)
                found[place] = replace(now, fewer_sentences=fewer, more_sentences=now.more_sentences or under)
            else:
                found[place] = replace(
                    now, fewer_words=now.fewer_words or over > 0, more_words=now.more_words or under
                )
    return found


def _added(task: Task, reading: Reading) -> int:
    """About how many sentences come of those that are too long."""
    if task.lengths.high == Interval().high:
        return 0
    return sum(math.ceil(count / max(task.lengths.high, 1)) - 1 for count in reading.sentence_words if count)
