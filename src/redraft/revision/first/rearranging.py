"""Paragraphs and sentences that are to go, to move, to be joined or divided: done to the letter at first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from redraft.constraints import Constraint, Finding, Findings, PartEdit, PartLength, SentenceEdit
from redraft.revision.first.sentence_edits import BY, carried, left_to_do, told_of_changes
from redraft.revision.records import Change, Concern, Reason, explained
from redraft.revision.revision import ReviseOptions, Revision
from redraft.revision.task import Task
from redraft.text import POINTS_BACK, Document, prose_paragraphs

_DONE: Final = "the parts were arranged, as asked"
_TURNS: Final = {"delete": 0, "move": 1, "swap": 1, "join": 2, "divide": 3}
"""Whatever is said first, what goes is gone before anything can move into it; breaks move no sentence.

Of what goes, ranges go first: the part that they begin or end at has to be there still.
"""
_UNDONE: Final = "the parts could not be arranged as asked: they stay as they were"


class Rearranged:
    """A task after its parts were arranged: what is left to do is done to the text that they make."""

    def __init__(self, task: Task) -> None:
        self.given = task
        self._own = [task.original[one.start : one.end] for one in task.before.document.sentences]
        self._order = tuple(range(len(self._own)))
        self._changes: list[Change] = []
        self.text = task.original
        edits = [one for one in task.constraints if isinstance(one, PartEdit)]
        for edit in sorted(edits, key=lambda one: (_TURNS[one.edit], one.edit == "delete" and not one.where)):
            if edit.missing(task.before) is None:
                self._apply(edit)

    def _apply(self, edit: PartEdit) -> None:
        before, now = self.given.before.document, Document(self.text, self.given.format)
        current = edit.renumbered(before, now, self._order)
        if current is None or current.missing(self.given.read(self.text)) is not None:
            return
        made = current.arranged(now)
        self._changes += self._told(edit, current, now, made.text)
        self.text = made.text
        self._order = tuple(self._order[place] for place in made.order)

    def _told(self, edit: PartEdit, current: PartEdit, now: Document, text: str) -> Iterator[Change]:
        """The changes that an edit makes."""
        if edit.edit == "divide":
            yield from _divisions(now, Document(text, now.format))
            return
        sentences = now.sentences
        parts = [now.text[sentences[part[0]].start : sentences[part[-1]].end] for part in current.named(now)]
        if edit.edit == "delete":
            yield from (Change(part, "", BY, explained([Reason("drop")])) for part in parts)
        elif edit.edit == "join":
            first, second = current.named(now)
            whole = now.text[sentences[first[0]].start : sentences[second[-1]].end]
            why = explained([Reason("merge", detail="into one paragraph")])
            yield Change(whole, " ".join(parts), BY, why)
        elif edit.edit == "swap":
            names = [f"{edit.unit} {number}" for number in edit.numbers]
            for part, other, name in zip(parts, reversed(parts), reversed(names), strict=True):
                yield Change(part, other, BY, explained([Reason("swap", detail=name)]))
        else:
            why = explained([Reason("place", detail=edit.parts()["place"])])
            yield from (Change(part, part, BY, why) for part in parts)

    @property
    def is_all(self) -> bool:
        """Whether nothing else is asked for."""
        others = [one for one in self.given.constraints if not isinstance(one, PartEdit)]
        return not (others or self.given.style.strip())

    @property
    def task(self) -> Task:
        """What is left to do, said without the edits: they are done."""
        task = self.given.on(self.text)
        constraints = [self._carried(one) for one in task.constraints if not isinstance(one, PartEdit)]
        return left_to_do(task, [one for one in constraints if one is not None])

    def _carried(self, constraint: Constraint) -> Constraint | None:
        before = self.given.before
        if isinstance(constraint, SentenceEdit):
            if constraint.missing(before) is not None:
                return constraint
            numbers = self._numbers(constraint.places(before))
            is_whole = len(numbers) == len(constraint.places(before))
            is_enough = is_whole or (constraint.edit == "delete" and bool(numbers))
            return replace(constraint, sentences=tuple(numbers), within="") if is_enough else None
        if isinstance(constraint, PartLength):
            return self._of_part(constraint)
        return carried(constraint, before, self._numbers, frozenset(range(len(self._own))) - {*self._order})

    def _of_part(self, constraint: PartLength) -> PartLength | None:
        """The bound of a paragraph by the number that it has now; None where it is gone."""
        before, now = self.given.before.document, Document(self.text, self.given.format)
        spans = constraint.spans(before) if "paragraph" in constraint.part else ()
        if not spans:
            return constraint
        own = [one.number - 1 for one in before.sentences if spans[0].start <= one.start < spans[0].end]
        starts = [now.sentences[self._order.index(place)].start for place in own if place in self._order]
        for number, span in enumerate(prose_paragraphs(now) if starts else (), 1):
            if span.start <= starts[0] < span.end:
                return replace(constraint, part=f"paragraph {number}")
        return None

    def check(self, text: str) -> Findings:
        """What checking a text gives: the length of a paragraph is that of the one that was meant."""
        found = self.given.check(text)
        return replace(found, findings=tuple(self._checked(one, text) for one in found))

    def _checked(self, finding: Finding, text: str) -> Finding:
        constraint, before = finding.constraint, self.given.before
        if not isinstance(constraint, PartLength):
            return finding
        meant = self._of_part(constraint.absolute(before))
        if meant is None:
            return finding
        return replace(meant.check(before, self.given.read(text)), constraint=constraint)

    def _numbers(self, places: Sequence[int]) -> list[int]:
        """The numbers of sentences of the original in the text as it is now."""
        sentences = self.given.before.sentences
        left = [place for place in self._order if not sentences[place].aside]
        return [left.index(place) + 1 for place in places if place in left]

    def revision(self) -> Revision:
        """The edits alone."""
        findings = self.check(self.text)
        return Revision(self.text, findings, stopped=_DONE if findings.met else _UNDONE)

    def told(self, found: Revision) -> Revision:
        """A revision of the text after the edits, as one of the writer's own text."""
        concerns = (*found.concerns, *self._loose_ends(found.text))
        return replace(told_of_changes(found, self._changes, self.given.original), concerns=concerns)

    def _loose_ends(self, text: str) -> Iterator[Concern]:
        """The sentences that may have spoken of one that stands before them no more."""
        standing = {one.text: one.counted or None for one in Document(text, self.given.format).sentences}
        for at, place in enumerate(self._order):
            before = self._order[at - 1] if at else None
            opening = POINTS_BACK.match(self._own[place])
            if opening and place and before != place - 1 and self._own[place] in standing:
                why = f"“{opening[0]}” may have meant what stood before it: “{self._own[place - 1]}”"
                yield Concern("points back", standing[self._own[place]], self._own[place], why)


def _divisions(before: Document, after: Document) -> Iterator[Change]:
    """The paragraphs that have become several: no sentence has changed or moved."""
    why = explained([Reason("paragraphs")])
    pairs = list(zip(before.sentences, after.sentences, strict=True))
    for number in dict.fromkeys(one.paragraph for one in before.sentences):
        own = [pair for pair in pairs if pair[0].paragraph == number]
        if len({other.paragraph for _, other in own}) > 1:
            (first, new), (last, end) = own[0], own[-1]
            yield Change(before.text[first.start : last.end], after.text[new.start : end.end], BY, why)


def rearranged(task: Task, options: ReviseOptions) -> Rearranged | None:
    """The task after its parts were arranged; None where nothing is asked of them."""
    by_rules = options.strategy in ("search", "repair") and options.plan is None
    asked = any(isinstance(one, PartEdit) for one in task.constraints)
    return Rearranged(task) if by_rules and asked else None
