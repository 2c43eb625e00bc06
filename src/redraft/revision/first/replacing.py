"""Words that were asked for in the place of others, put there to the letter before anything else is done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from redraft.constraints import Replacement
from redraft.revision.first.sentence_edits import left_to_do
from redraft.revision.records import Change, Reason, explained
from redraft.revision.revision import Revision
from redraft.revision.rewriting.forms.address import ROLES, to_reader
from redraft.revision.task import Task
from redraft.text import Document, mask, plural, quoted_sentences

BY = "replacement"
"""Who made such a change."""


class Passage(NamedTuple):
    """A passage of the writer's, and what stood there when the rest of the work began."""

    before: str
    after: str
    why: tuple[Reason, ...]


def told_of_passages(found: Revision, passages: Iterable[Passage], original: str, by: str) -> Revision:
    """A revision of a text in which passages had changed already, as one of the writer's own text."""
    changes = list(found.changes)
    for passage in passages:
        places = [place for place, one in enumerate(changes) if passage.after in one.before]
        for place in places:
            one = changes[place]
            changes[place] = replace(one, before=one.before.replace(passage.after, passage.before))
        if not places:
            changes.append(Change(passage.before, passage.after, by, explained(passage.why)))
    return replace(found, changes=tuple(sorted(changes, key=lambda one: original.find(one.before))))


def _addressed(text: str, constraint: Replacement, task: Task) -> str | None:
    """The text with "you" for whom it speaks of, verbs and all, where that is what is asked for."""
    if (
        constraint.rest == "kept"
        or constraint.within
        or [one.lower() for one in constraint.new] != ["you"]
        or not task.is_english
    ):
        return None
    name = constraint.old[0].lower().split()[-1]
    role = next((one for one in ROLES if name in (one, plural(one))), None)
    if role is None:
        return None
    fixed = {one.text for one in task.kept} | quoted_sentences(Document(text, task.format))
    parts: list[str] = []
    at = 0
    for sentence in Document(text, task.format).sentences:
        own = text[sentence.start : sentence.end]
        hidden = mask(own, task.format)
        made = to_reader(hidden.text, frozenset({role})) if own not in fixed else None
        parts += [text[at : sentence.start], (hidden.tried(made) if made else None) or own]
        at = sentence.end
    return "".join([*parts, text[at:]])


class Replaced:
    """A task after its replacements: what is left to do is done to a text that has the new words."""

    def __init__(self, task: Task) -> None:
        self.given = task
        text = task.original
        for constraint in task.replacements:
            text = _addressed(text, constraint, task) or text
            text = constraint.applied(Document(text, task.format))
        self.text = text

    @property
    def task(self) -> Task:
        """What is left to do: in a part there is nothing to replace any more."""
        task = self.given.on(self.text)
        left = [one for one in task.constraints if not (isinstance(one, Replacement) and one.within)]
        return left_to_do(task, left) if len(left) < len(task.constraints) else task

    @property
    def is_all(self) -> bool:
        """Whether nothing else is asked for, or nothing else may change."""
        task = self.given
        others = [one for one in task.constraints if not isinstance(one, Replacement)]
        return any(one.rest == "kept" for one in task.replacements) or not (others or task.style)

    def revision(self) -> Revision:
        """The replacements alone."""
        done = Revision(self.text, self.given.check(self.text), stopped="the words were replaced, as asked")
        return self.told(done)

    def told(self, found: Revision) -> Revision:
        """A revision of the text after the replacements, as one of the writer's own text."""
        passages = [Passage(before, after, self._why(before, after)) for before, after in self._sentences()]
        return told_of_passages(found, passages, self.given.original, BY)

    def _sentences(self) -> list[tuple[str, str]]:
        """The passages that the replacements changed, before and after."""
        task = self.given
        before, after = (Document(text, task.format) for text in (task.original, self.text))
        if len(before.sentences) != len(after.sentences):  # a new word ends or opens a sentence
            return [(task.original, self.text)] if task.original != self.text else []
        pairs = zip(before.sentences, after.sentences, strict=True)
        return [(one.text, other.text) for one, other in pairs if one.text != other.text]

    def _why(self, passage: str, after: str) -> tuple[Reason, ...]:
        document = Document(passage, self.given.format)
        reasons = (
            Reason("replace", passage[span.start : span.end], new)
            for constraint in self.given.replacements
            for span, new in replace(constraint, within=()).edits(document)
            if new in after
        )
        return tuple(dict.fromkeys(reasons))
