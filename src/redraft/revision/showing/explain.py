"""Explain a revision: what became of each sentence, and which constraints asked for it.

What became of a sentence comes from the changes that the run recorded; where it recorded none, from comparing
the two texts. What a change is for is tried out, not guessed: a constraint needs it where the result without
it would break the constraint, and is helped by it where it alone brings the original nearer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from redraft.constraints import Constraint, SentenceModification, check, parse_call, read
from redraft.errors import RedraftError
from redraft.quality import GrammarFinding
from redraft.revision.records import Change
from redraft.revision.showing.trace import TracedFinding, Trajectory
from redraft.text import Document, Format, Sentence, align

Fate = Literal["kept", "moved", "rewritten", "split", "joined", "left out", "added"]

_FATES: Final[dict[str, Fate]] = {
    "changed": "rewritten", "split": "split", "merged": "joined", "deleted": "left out", "moved": "moved"
}  # fmt: skip
_MOST_TRIED: Final = 5_000_000
"""Characters, over all changes, past which trying them out would take too long."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One or more sentences of the original, by their numbers, and what became of them; none were added."""

    sentences: tuple[int, ...]
    fate: Fate
    before: str
    after: str
    by: str = ""
    why: str = ""
    needed: tuple[str, ...] = ()
    """The calls that the result would break without this."""
    helps: tuple[str, ...] = ()
    """The calls that this alone would bring the original nearer to."""
    mends: tuple[str, ...] = ()
    """What the grammar checker said of the original here, and says no longer."""


@dataclass(frozen=True, slots=True)
class ExplainedConstraint:
    """A constraint: what it says, and how it stood before and after."""

    call: str
    meaning: str
    met: bool
    before: str
    after: str


@dataclass(frozen=True)
class Explanation:
    """A revision in words and figures."""

    trajectory: Trajectory
    constraints: tuple[ExplainedConstraint, ...]
    passages: tuple[Passage, ...]

    @property
    def is_finished(self) -> bool:
        """Whether the run came to its end."""
        return self.trajectory.result is not None

    @property
    def deepest(self) -> int:
        """The most steps from the original to a text that was tried."""
        return max(self.trajectory.depths.values(), default=0)

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        task, result = self.trajectory.task, self.trajectory.result
        return {
            "asked": task.model_dump(exclude={"text"}),
            "constraints": [asdict(one) for one in self.constraints],
            "infeasible": [] if result is None else [one.model_dump() for one in result.infeasible],
            "sentences": [asdict(one) for one in self.passages],
            "concerns": [] if result is None else [asdict(one) for one in result.concerns],
            "tried": {"texts": len(self.trajectory.nodes), "depth": self.deepest},
            "finished": self.is_finished,
            "stopped": "" if result is None else result.stopped,
            "quality": {} if result is None else result.quality.model_dump(),
            "usage": {} if result is None else asdict(result.usage),
        }


def explain(trajectory: Trajectory) -> Explanation:
    """What became of each sentence of a trajectory, and which constraints asked for it."""
    constraints = tuple(_parsed(trajectory.task.calls))
    passages = tuple(_passages(trajectory, constraints))
    return Explanation(trajectory, tuple(_explained(trajectory, constraints)), passages)


@dataclass(frozen=True, slots=True)
class _Placed:
    """A change and its place in the original."""

    start: int
    end: int
    change: Change
    fate: Fate


def _parsed(calls: Sequence[str]) -> Iterator[Constraint]:
    for call in calls:
        try:
            yield parse_call(call)
        except RedraftError:  # of a kind that is not installed here: it is told as it was recorded
            continue


def _explained(trajectory: Trajectory, constraints: Sequence[Constraint]) -> Iterator[ExplainedConstraint]:
    """Each constraint of the result (without one, of the best text), and how it stood at first."""
    first = {one.call: one.message for one in (trajectory.nodes[0].findings if trajectory.nodes else ())}
    meanings = {constraint.call: str(constraint) for constraint in constraints}
    findings: tuple[TracedFinding, ...] = trajectory.best.findings if trajectory.best else ()
    if trajectory.result is not None:
        findings = trajectory.result.findings
    for one in findings:
        yield ExplainedConstraint(
            one.call, meanings.get(one.call, ""), one.met, first.get(one.call, ""), one.message
        )


class _Counted(Document):
    """A document whose sentences are those of a counting convention, so that numbers mean the same."""

    def __init__(self, text: str, format: Format, counting: str) -> None:
        super().__init__(text, format)
        self._sentences = tuple(
            replace(one, text=text[one.start : one.end]) for one in read(text, counting, format).sentences
        )

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences as that convention counts them."""
        return self._sentences


def _changes(trajectory: Trajectory, original: Document, revised: Document) -> tuple[_Placed, ...]:
    """The changes in the order of the original, none over another; those that add have no length."""
    result, best = trajectory.result, trajectory.best
    recorded = result.changes if result is not None else best.changes if best is not None else ()
    placed: list[_Placed] = []
    at = 0
    for change in recorded:
        span = _find(change.before, original.text, at)
        if span is not None and not any(span[0] < one.end and one.start < span[1] for one in placed):
            at = span[1]
            numbers = _numbers(original, *span)
            count = len(read(change.after, trajectory.task.counting, trajectory.task.format).sentences)
            fate = _fate(len(numbers), count if change.after.strip() else 0)
            placed.append(_Placed(*span, change, fate))
    known = [one.change.after for one in placed]
    at = 0
    for link in align(original, revised):
        after = " ".join(revised.sentence(number).text for number in link.revised)
        if not link.original:
            if not any(_find(after, text, 0) for text in known):
                placed.append(_Placed(at, at, _addition(after, recorded), "added"))
                known.append(placed[-1].change.after)
            continue
        start, end = original.sentence(link.original[0]).start, original.sentence(link.original[-1]).end
        at = end
        if link.kind != "kept" and not any(start < one.end and one.start < end for one in placed):
            change = Change(original.text[start:end], after, "", "")
            placed.append(_Placed(start, end, change, _FATES[link.kind]))
    return tuple(sorted(placed, key=lambda one: (one.start, one.end)))


def _addition(text: str, recorded: Sequence[Change]) -> Change:
    """A sentence that came from nowhere in the original, with what was recorded of it."""
    added = (one for one in recorded if not one.before.strip() and _find(text, one.after, 0))
    return next(added, Change("", text, "", ""))


def _find(passage: str, text: str, at: int) -> tuple[int, int] | None:
    """Where a passage stands, whatever its white space; looked for from a place on, then from the start."""
    words = passage.split()
    if not words:
        return None
    pattern = re.compile(r"\s+".join(map(re.escape, words)))
    found = pattern.search(text, at) or pattern.search(text)
    return None if found is None else found.span()


def _numbers(document: Document, start: int, end: int) -> tuple[int, ...]:
    return tuple(one.number for one in document.sentences if one.start < end and start < one.end)


def _counted(document: Document, numbers: Sequence[int]) -> tuple[int, ...]:
    """The numbers by which people name the sentences in these places; a greeting has none."""
    return tuple(filter(None, (document.sentence(number).counted for number in numbers)))


def _fate(before: int, after: int) -> Fate:
    if not after:
        return "left out"
    if before > after:
        return "joined"
    return "split" if after > before else "rewritten"


def _passages(trajectory: Trajectory, constraints: Sequence[Constraint]) -> Iterator[Passage]:
    task = trajectory.task
    original, revised = (_Counted(text, task.format, task.counting) for text in (task.text, trajectory.text))
    changes = _changes(trajectory, original, revised)
    uses = _uses(trajectory, changes, constraints)
    waiting = list(zip(changes, uses, strict=True))
    covered: set[int] = set()
    for sentence in original.sentences:
        for one, use in [pair for pair in waiting if pair[0].start < sentence.end]:
            waiting.remove((one, use))
            numbers = () if one.fate == "added" else _numbers(original, one.start, one.end)
            covered.update(numbers)
            change, mended = one.change, tuple(_mended(trajectory, one))
            named = _counted(original, numbers)
            yield Passage(named, one.fate, change.before, change.after, change.by, change.why, *use, mended)
        if sentence.number not in covered:
            kept = tuple(
                c.call
                for c in constraints
                if isinstance(c, SentenceModification)
                and (sentence.counted in c.sentences) is (c.relation == "unchange")
            )
            counted = _counted(original, (sentence.number,))
            yield Passage(counted, "kept", sentence.text, sentence.text, needed=kept)
    for one, use in waiting:
        yield Passage((), one.fate, "", one.change.after, one.change.by, one.change.why, *use)


def _uses(
    trajectory: Trajectory, changes: Sequence[_Placed], constraints: Sequence[Constraint]
) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """For each change, the constraints that need it and those that it helps."""
    task = trajectory.task
    if not constraints or len(changes) * len(task.text) > _MOST_TRIED:
        return [((), ())] * len(changes)

    def distances(some: Sequence[_Placed]) -> dict[str, float]:
        text = _applied(task.text, some)
        findings = check(text, constraints, original=task.text, counting=task.counting, format=task.format)
        return {one.constraint.call: 0.0 if one.met else max(one.distance, 1e-9) for one in findings}

    first, last = distances(()), distances(changes)
    found = []
    for change in changes:
        without = distances([one for one in changes if one is not change])
        alone = distances([change])
        needed = tuple(call for call in first if not last[call] and without[call])
        helps = tuple(call for call in first if call not in needed and alone[call] < first[call])
        found.append((needed, helps))
    return found


def _applied(original: str, changes: Sequence[_Placed]) -> str:
    """The original with these changes, and the gap closed where one leaves something out."""
    parts: list[str] = []
    at = 0
    for one in changes:
        parts.append(original[at : one.start])
        at = one.end
        if one.change.after:
            parts.append((" " if one.start == one.end else "") + one.change.after)
        else:
            gap = re.compile(r"[ \t]*").match(original, at)
            at = gap.end() if gap else at
    return "".join([*parts, original[at:]])


def _mended(trajectory: Trajectory, placed: _Placed) -> Iterator[str]:
    """The grammar findings of this place in the original that the result has no longer."""
    quality = trajectory.result.quality if trajectory.result is not None else None
    if quality is None or quality.before is None or quality.after is None:
        return
    span = _find(placed.change.after, trajectory.text, 0)
    left = {one.message for one in quality.after.findings if span and _is_inside(one, *span)}
    for finding in quality.before.findings:
        if _is_inside(finding, placed.start, placed.end) and finding.message not in left:
            yield finding.message


def _is_inside(finding: GrammarFinding, start: int, end: int) -> bool:
    return start <= finding.start and finding.end <= end
