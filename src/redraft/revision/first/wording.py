"""Wishes about wording: listed phrases are put right first, as far as the judge finds it good English.

Each wish has lists of phrases with what may stand in their place (`redraft.text.wording`). What a person
listed is not refused for being less likely, but a sentence that reads badly after it is left as it was. What
is left to do is done to the text that has the new words, by the editor and the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from redraft.constraints import PersonUse, Wording
from redraft.revision.draft import Draft, Unit
from redraft.revision.first.replacing import Passage, told_of_passages
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Reason
from redraft.revision.revision import Revision
from redraft.revision.rewriting.cuts.reductions import without_stray_that
from redraft.revision.rewriting.wording.marks import without_marks
from redraft.revision.rewriting.wording.tone import Tone
from redraft.revision.task import Task
from redraft.revision.tuning import LISTED_RANK, LISTED_SOUND, LISTED_WORSE
from redraft.revision.wishes.wording import WAYS, is_by_rule, wished_wordings
from redraft.text import WORDINGS, find_wording, mask, quoted_sentences, rewordings

BY: Final = "wording"
"""Who made such a change."""
_JUDGED_FROM: Final = 3
"""So many words make a sentence that can be judged."""


def _is_to_be_easier(task: Task) -> bool:
    """Whether a bound on readability is broken by a text that is too hard."""
    broken = (one.constraint for one in task.check(task.original) if not one.met)
    easier = {
        "reading_grade_check": "at most",
        "reading_ease_check": "at least",
        "relative_reading_check": "easier",
    }
    return any(getattr(one, "relation", "") == easier.get(one.name) for one in broken)


@dataclass(frozen=True, slots=True)
class Wishes:
    """What is wished of the wording of a text: lists of phrases, marks, and rules of form."""

    lists: tuple[str, ...]
    marks: tuple[str, ...] = ()
    tone: Tone = field(default_factory=lambda: Tone(()))

    @classmethod
    def of(cls, task: Task) -> Wishes:
        """The wishes of a task, those that can be checked included."""
        banned = [WORDINGS[one.sought] for one in task.constraints if isinstance(one, Wording)]
        found = [WAYS[name] for name in wished_wordings(task.style)]
        if any(
            isinstance(one, PersonUse) and one.person == "second" and one.relation == "use"
            for one in task.constraints
        ):
            found.append(WAYS["address"])
        if _is_to_be_easier(task):
            found.append(WAYS["simple"])
        lists = (*banned, *(name for way in found for name in way.lists))
        marks = (mark for way in found for mark in way.marks)
        rules = tuple(dict.fromkeys(rule for way in found for rule in way.rules))
        own = [task.original[one.start : one.end] for one in task.before.sentences]
        return cls(tuple(dict.fromkeys(lists)), tuple(dict.fromkeys(marks)), Tone.of(rules, own))

    def __bool__(self) -> bool:
        return bool(self.lists or self.tone.rules)

    def versions(self, text: str) -> Iterator[list[str]]:
        """Versions of a passage, the best first: all that is wished, then less of it."""
        hits = [hit for hit in find_wording(text, self.lists) if hit.ways]
        made = list(rewordings(text, hits)) or [text]
        if self.tone.rules:
            yield list(self._finished(text, made, toned=True))
        yield list(self._finished(text, made))
        if len(hits) > 1:
            fewer = [hits[:at] + hits[at + 1 :] for at in range(len(hits))]
            yield [one for some in fewer for one in self._finished(text, list(rewordings(text, some))[:3])]
            yield [one for hit in hits for one in self._finished(text, list(rewordings(text, [hit])))]
        if hits and (self.marks or self.tone.rules):
            yield list(self._finished(text, [text], toned=True))

    def _again(self, text: str) -> str:
        """A version without what a longer phrase had hidden, if there is anything left."""
        hits = [hit for hit in find_wording(text, self.lists) if hit.ways]
        return next(rewordings(text, hits), text)

    def _finished(self, source: str, made: Sequence[str], *, toned: bool = False) -> Iterator[str]:
        """The versions with their marks as wished, in the tone that is wished, but not the source itself."""
        for one in map(without_stray_that, made):
            text = self._again(one) if one != source else one
            text = (self.tone.of_sentence(text) or text) if toned else text
            text = next((new.text for new in without_marks(text, self.marks)), text) if self.marks else text
            text = text if any(map(str.isalnum, text)) else ""  # all of it said nothing
            if text != source:
                yield text


class Worded:
    """A task after its listed phrases were put right: what is left is done to a text with the new words."""

    def __init__(self, task: Task, text: str, passages: Sequence[Passage]) -> None:
        self.given = task
        self.text = text
        self._passages = passages

    @property
    def task(self) -> Task:
        """What is left to do."""
        task = self.given.on(self.text)
        task.reworded = frozenset(passage.after for passage in self._passages)
        return task

    @property
    def is_all(self) -> bool:
        """Whether nothing else is asked for, and all of it is done."""
        style = self.given.style
        return (not style or is_by_rule(style)) and self.given.check(self.text).met

    @property
    def sentences(self) -> dict[str, str]:
        """What was made of the sentences that have new words."""
        return {passage.before: passage.after for passage in self._passages}

    def revision(self) -> Revision:
        """The new words alone."""
        done = Revision(self.text, self.given.check(self.text), stopped="the words were changed, as asked")
        return self.told(done)

    def told(self, found: Revision) -> Revision:
        """A revision of the text with the new words, as one of the writer's own text."""
        return told_of_passages(found, self._passages, self.given.original, BY)


async def reword(task: Task, verdicts: Verdicts) -> Worded | None:
    """The text with other words for what is listed; None where nothing is wished, or nothing found."""
    wishes = Wishes.of(task)
    if not wishes or not task.is_english:
        return None
    draft = Draft.of(task)
    quoted = quoted_sentences(task.before.document)
    units = list(draft.units)
    for place, unit in enumerate(units):
        if unit.free and unit.text.strip() and unit.text not in quoted and not _is_in_table(task, unit):
            text = await _best(task, wishes, unit, verdicts)
            if text != unit.text and _keeps(task, draft, units, place, text):
                units[place] = replace(unit, text=text, by=BY)
                wishes.tone.turns += 1
    text = replace(draft, units=tuple(units)).text
    if text == task.original:
        return None
    passages = [Passage(one.source, one.text, _why(wishes, one.source)) for one in units if one.by == BY]
    return Worded(task, text, passages)


def _is_in_table(task: Task, unit: Unit) -> bool:
    return task.before.document.is_in_table(task.original.find(unit.source))


async def _best(task: Task, wishes: Wishes, unit: Unit, verdicts: Verdicts) -> str:
    """The version of a unit that reads best, of those that do most of what is wished; else as it was."""
    hidden = mask(unit.text, task.format)
    if len(unit.text.split()) < _JUDGED_FROM:  # a greeting, a closing
        short = (
            one for some in wishes.versions(hidden.text) for one in map(hidden.tried, some) if one is not None
        )
        return next(short, unit.text)
    before = min(await verdicts.soundness(verdicts.sentences(unit.text)), default=1.0)
    for some in wishes.versions(hidden.text):
        restored = [
            one for one in map(hidden.tried, dict.fromkeys(some)) if one is not None and one != unit.text
        ]
        worth: dict[str, float] = {}
        for rank, text in enumerate(restored):
            sound = min(await verdicts.soundness(verdicts.sentences(text)), default=1.0)
            if sound >= LISTED_SOUND or sound >= before - LISTED_WORSE:
                worth[text] = sound - LISTED_RANK * rank
        if worth:
            return max(worth, key=worth.__getitem__)
    return unit.text


def _keeps(task: Task, draft: Draft, units: Sequence[Unit], place: int, text: str) -> bool:
    """Whether no constraint that holds is broken by a passage."""
    others = [one for one in task.constraints if not isinstance(one, Wording)]
    if not others:
        return True
    now = replace(draft, units=tuple(units)).text
    new = replace(draft, units=(*units[:place], replace(units[place], text=text), *units[place + 1 :])).text
    return not any(
        old.met and not after.met for old, after in zip(task.check(now), task.check(new), strict=True)
    )


def _why(wishes: Wishes, source: str) -> tuple[Reason, ...]:
    found = [source[hit.span.start : hit.span.end] for hit in find_wording(source, wishes.lists) if hit.ways]
    return tuple(Reason("omit", one) for one in dict.fromkeys(found)) or (Reason("rewrite"),)
