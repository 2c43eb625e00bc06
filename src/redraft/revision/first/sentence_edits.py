"""Sentences that are to go, to become one or to change places: done to the letter before anything else."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Final

from redraft.constraints import (
    Constraint,
    Keeps,
    Parts,
    Reading,
    Replacement,
    SentenceEdit,
    SentenceModification,
    render,
)
from redraft.errors import ModelError
from redraft.models import Models
from redraft.revision.choosing.abridging import spared_sentences
from redraft.revision.choosing.candidates import OptionMaker
from redraft.revision.draft import Draft, Unit
from redraft.revision.editing.controls import ControlRequest
from redraft.revision.editing.editor import ControlProposer
from redraft.revision.judging.verdicts import Verdict, Verdicts
from redraft.revision.records import Candidate, Change, Concern, Reason, explained
from redraft.revision.revision import ReviseOptions, Revision
from redraft.revision.rewriting.splits.joining import OPPOSED
from redraft.revision.rewriting.splits.splits import splits
from redraft.revision.task import Task
from redraft.revision.tuning import LEAST_SPLIT
from redraft.revision.wishes.understanding import SMALL
from redraft.text import BY_FORM, POINTS_BACK, Document, mask

BY: Final = "asked"
"""Who left a sentence out, or put it elsewhere."""
_WORD: Final = re.compile(r"[\w'’-]+")
_JOINING: Final = frozenset(
    [
        *("and", "but", "so", "yet", "or", "nor", "while", "because", "although", "though", "where", "when"),
        *("who", "whose", "whom", "which", "that", "as", "then", "having", "being", "with"),
    ]
)
"""What may be new in a sentence that stands for two."""
_LINKED: Final = re.compile(
    r"(?i)\b(?:but|yet|while|although|though|because|so|which|who|whose|where|when)\b"
)
"""What says more of two sentences than "and" does."""
_CALLED: Final = re.compile(r"\b(?:called|named) [A-Z]\w+\.\Z")
"""What is then said of the one who is called so is no part of the name: "is called Jorge, a pilot"."""
_AND_HAD: Final = re.compile(r"(?i)\band (?:s?he |they )?had (?P<done>\w+)")
"""What was before stands behind what came after it."""
_DONE: Final = "the sentences were edited, as asked"
_UNDONE: Final = "nothing was found that joins or splits the sentences well: they stay as they were"


class Edited:
    """A task after the edits of its named sentences: what is left to do is done to the text that they leave.

    What cannot be done, since the sentence is not there or nothing joins two well, is left undone. Nobody
    asked for those that are `spared` to go, and so they are named.
    """

    def __init__(
        self, task: Task, made: Mapping[SentenceEdit, Sequence[Candidate | None]], spared: Sequence[int] = ()
    ) -> None:
        self.given = task
        self.spared = spared
        self._made = made
        self._own = [task.original[one.start : one.end] for one in task.before.sentences]
        self._texts = list(self._own)
        self._origin = list(range(len(self._own)))
        self._changes: list[Change] = []
        for edit in doable_edits(task):
            self._apply(edit, edit.places(task.before))
        for place in self.spared:
            self._texts[place] = ""
            self._changed(self._own[place], "", "drop", Reason("drop"))
        self.text = self._laid_out()

    def _apply(self, edit: SentenceEdit, places: Sequence[int]) -> None:
        texts, origin = self._texts, self._origin
        first = places[0]
        if edit.edit == "delete":
            for place in places:
                texts[place] = ""
                self._changed(self._own[place], "", BY, Reason("drop"))
        elif edit.edit == "swap":
            second = places[1]
            for one, other in ((first, second), (second, first)):
                self._changed(self._own[one], self._own[other], BY, Reason("swap", detail=self._name(other)))
            texts[first], texts[second] = texts[second], texts[first]
            origin[first], origin[second] = origin[second], origin[first]
        elif edit.edit == "split":
            for place, split in zip(places, self._made.get(edit, ()), strict=False):
                if split is not None:
                    self._changed(self._own[place], split.text, split.by, *split.why)
                    texts[place] = split.text
        elif made := next(iter(self._made.get(edit, ())), None):
            before = " ".join(self._own[place] for place in places)
            self._changed(before, made.text, made.by, *made.why)
            for place in places:
                texts[place] = ""
            texts[first] = made.text

    def _name(self, place: int) -> str:
        return self.given.before.sentences[place].name

    def _changed(self, before: str, after: str, by: str, *why: Reason) -> None:
        self._changes.append(Change(before, after, by, explained(why)))

    def _laid_out(self) -> str:
        original, at = self.given.original, 0
        units: list[Unit] = []
        for sentence, text in zip(self.given.before.sentences, self._texts, strict=True):
            units.append(Unit(text, original[at : sentence.start], text))
            at = sentence.end
        return Draft(tuple(units), original[at:]).text if units else original

    @property
    def is_all(self) -> bool:
        """Whether nothing else is asked for."""
        others = [one for one in self.given.constraints if not isinstance(one, SentenceEdit)]
        return not (others or self.given.style)

    @property
    def task(self) -> Task:
        """What is left to do, said without the edits: they are done."""
        task = self.given.on(self.text)
        constraints = [self._carried(one) for one in task.constraints if not isinstance(one, SentenceEdit)]
        return left_to_do(task, [one for one in constraints if one is not None])

    def _carried(self, constraint: Constraint) -> Constraint | None:
        texts = enumerate(zip(self._texts, self._own, strict=True))
        changed = frozenset(place for place, (text, own) in texts if text != own)
        return carried(constraint, self.given.before, self._numbers, changed)

    def _numbers(self, places: Sequence[int]) -> list[int]:
        """The numbers of sentences of the original in the text as it is now."""
        sentences = self.given.before.sentences
        numbers: dict[int, int] = {}
        number = 1
        for origin, text in zip(self._origin, self._texts, strict=True):
            if text and not sentences[origin].aside:
                numbers[origin] = number
                number += 1 if text == self._own[origin] else len(self.given.read(text).sentences)
        return [numbers[place] for place in places if place in numbers]

    def revision(self) -> Revision:
        """The edits alone."""
        findings = self.given.check(self.text)
        return Revision(self.text, findings, stopped=_DONE if findings.met else _UNDONE)

    def told(self, found: Revision) -> Revision:
        """A revision of the text after the edits, as one of the writer's own text."""
        left_out = [Concern("left out", None, self._own[place]) for place in self.spared]
        concerns = (*left_out, *found.concerns, *self._loose_ends(found.text))
        return replace(told_of_changes(found, self._changes, self.given.original), concerns=concerns)

    def _loose_ends(self, text: str) -> list[Concern]:
        """The sentences that may have spoken of one that is gone from before them."""
        standing = {one.text: one.counted or None for one in Document(text, self.given.format).sentences}
        gone = [place for place, left in enumerate(self._texts) if not left]
        found: list[Concern] = []
        for place in gone:
            following = self._texts[place + 1] if place + 1 < len(self._texts) else ""
            deleted = any(one.before == self._own[place] for one in self._changes)
            opening = POINTS_BACK.match(following)
            if opening and deleted and following in standing:
                why = f"“{opening[0]}” may have meant what is gone: “{self._own[place]}”"
                found.append(Concern("points back", standing[following], following, why))
        return found


def left_to_do(task: Task, constraints: Sequence[Constraint]) -> Task:
    """A task with other constraints, said in their words."""
    style = f"{task.style.strip().rstrip('.')}." if task.style.strip() else ""
    return Task(
        task.original,
        constraints,
        instruction=" ".join(filter(None, (style, render(constraints) if constraints else ""))),
        style=task.style,
        counting=task.counting,
        format=task.format,
        documents=task.documents,
    )


def carried(
    constraint: Constraint,
    original: Reading,
    numbers: Callable[[Sequence[int]], list[int]],
    changed: Container[int],
) -> Constraint | None:
    """A constraint with the numbers that its sentences have now; None where none of them is left.

    `numbers` gives those of places of the original, and `changed` are the places where something else stands.
    """
    if isinstance(constraint, Replacement) and constraint.within:
        spans = constraint.places(original.document)
        inside = [
            one for one in original.sentences if any(span.start <= one.start < span.end for span in spans)
        ]
        parts = tuple(f"sentence {number}" for number in numbers([one.number - 1 for one in inside]))
        return replace(constraint, within=parts) if parts else None
    if not isinstance(constraint, SentenceModification | Parts):
        return constraint
    if isinstance(constraint, SentenceModification) and constraint.relation == "change":
        places = [one.number - 1 for one in constraint.named(original)]
        if not any(place in changed for place in places):
            return SentenceModification(tuple(numbers(places)), "change")
    demands = constraint.demands(original)
    kept = [one.number - 1 for demand in demands if isinstance(demand, Keeps) for one in demand.sentences]
    left = numbers(kept)
    return SentenceModification(tuple(left), "unchange") if left else None


def told_of_changes(found: Revision, made: Sequence[Change], original: str) -> Revision:
    """A revision of a text in which changes were made already, as one of the writer's own text."""
    changes = list(found.changes)
    for change in made:
        later = enumerate(changes[: len(found.changes)])
        places = [place for place, one in later if change.after and change.after in one.before]
        for place in places:
            before = changes[place].before.replace(change.after, change.before)
            changes[place] = replace(changes[place], before=before)
        if not places:
            changes.append(change)
    return replace(found, changes=tuple(sorted(changes, key=lambda one: original.find(one.before))))


def doable_edits(task: Task) -> list[SentenceEdit]:
    """The edits of sentences that the text has."""
    edits = [one for one in task.constraints if isinstance(one, SentenceEdit)]
    return [edit for edit in edits if edit.missing(task.before) is None]


async def combine_sentences(
    task: Task, texts: Sequence[str], editor: ControlProposer | None, verdicts: Verdicts, *, seed: int = 0
) -> Candidate | None:
    """Sentences as one: by the editor where the judge takes it, else by a rule; None where neither can."""
    made = Candidate(texts[0], BY)
    for text in texts[1:]:
        joined = await _join(task, made.text, text, editor, verdicts, seed)
        if joined is None:
            return None
        made = replace(joined, why=(*made.why, *joined.why))
    return made


async def split_sentence(
    task: Task, text: str, editor: ControlProposer | None, verdicts: Verdicts, *, seed: int = 0
) -> Candidate | None:
    """A sentence as two or more: by a rule, else by the editor; None where neither can."""
    hidden = mask(text, task.format)
    tried = [(hidden.tried(one.text), one) for one in splits(hidden.text)] if task.is_english else []
    made = [replace(one, text=whole) for whole, one in tried if whole is not None]
    if not made and editor is not None:
        draft = Draft((Unit(text, "", text),), "")
        most = ("n", max(round(Document(text, task.format).words / 2) + 2, LEAST_SPLIT))
        with contextlib.suppress(ModelError):  # then it stays whole
            options = await editor.answer(draft, [ControlRequest(0, 1, "split", (most,))], seed=seed)
            made = [option.candidate for option in options]
    made = [one for one in made if len(task.read(one.text).sentences) > 1]
    found = await verdicts.of([(text, one.text) for one in made])
    ranked = sorted(zip(made, found, strict=True), key=lambda pair: _fitness(*pair), reverse=True)
    return ranked[0][0] if ranked else None


async def _join(
    task: Task, first: str, second: str, editor: ControlProposer | None, verdicts: Verdicts, seed: int
) -> Candidate | None:
    draft = Draft((Unit(first, "", first), Unit(second, " ", second)), "")
    made: list[Candidate] = []
    if editor is not None:
        with contextlib.suppress(ModelError):  # the rules need no model
            options = await editor.answer(draft, [ControlRequest(0, 2, "merge")], seed=seed)
            made += [one.candidate for one in options if keeps_words(one.candidate.text, first, second)]
    alone = Task(draft.text, counting=task.counting, format=task.format)
    ruled = OptionMaker(alone).merges(first, second) if task.is_english else []
    if opposed := [one for one in ruled if one.why[0].detail == OPPOSED]:
        made = [one for one in made if _LINKED.search(one.text.removeprefix(first.rstrip(".")))]
    made += opposed or ruled
    made = [one for one in made if len(task.read(one.text).sentences) == 1]
    found = await verdicts.of([(draft.text, one.text) for one in made])
    ranked = sorted(zip(made, found, strict=True), key=lambda pair: _fitness(*pair), reverse=True)
    return ranked[0][0] if ranked else None


def keeps_words(joined: str, *sentences: str) -> bool:
    """Whether a sentence has no word that those it stands for have not, but for what joins them.

    >>> keeps_words("We will come and eat.", "We will come.", "We will eat.")
    True
    >>> keeps_words("The chair is ill, so it is late.", "Our chair is ill.", "It is late.")
    False
    """
    own, new = (Counter(_WORD.findall(one.lower())) for one in (" ".join(sentences), joined))
    is_listed = _CALLED.search(sentences[0]) and not re.search(r"(?i)\b(?:and|who|but)\b", joined)
    found = _AND_HAD.search(joined)
    done = found["done"] if found else ""
    is_late = done.endswith("ed") or (done in BY_FORM and BY_FORM[done].participle == done)
    return not ((new - own).keys() - _JOINING or is_listed or is_late)


def _fitness(made: Candidate, verdict: Verdict) -> tuple[bool, bool, float]:
    """What is whole and says the same comes first, then what the editor wrote, then what reads best."""
    whole = not (verdict.broken or verdict.reversed)
    return whole, made.by == "editor", verdict.soundness * verdict.sameness


async def edit_sentences(
    task: Task, options: ReviseOptions, models: Models, verdicts: Callable[[], Verdicts]
) -> Edited | None:
    """The task after named sentences were edited, and spared ones left out; None where there are none."""
    by_rules = options.strategy in ("search", "repair") and options.plan is None
    edits = doable_edits(task) if by_rules else []
    small = by_rules and models.for_role("reviser").spec in SMALL
    spared = spared_sentences(task) if small and not edits else ()
    if not (edits or spared):
        return None
    editor = None
    if options.strategy == "search":
        samples = options.effort_settings.samples
        editor = ControlProposer(task, models.for_role("reviser"), samples=samples)
    made: dict[SentenceEdit, list[Candidate | None]] = {}
    for edit in edits:
        named = [task.before.sentences[place] for place in edit.places(task.before)]
        texts = [task.original[one.start : one.end] for one in named]
        asked = {"seed": options.seed}
        if edit.edit == "combine":
            made[edit] = [await combine_sentences(task, texts, editor, verdicts(), **asked)]
        elif edit.edit == "split":
            made[edit] = [await split_sentence(task, text, editor, verdicts(), **asked) for text in texts]
    return Edited(task, made, spared)
