"""Trajectories to learn from, made in two ways.

Offline, a clean text is damaged, and the plan that undoes the damage is the answer to learn. Or a larger
model is the teacher: its own steps are kept as long as each improves the text.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from redraft.constraints import (
    Constraint,
    Findings,
    Pair,
    SentenceModification,
    check,
    draw,
    parse,
    parse_call,
)
from redraft.errors import FATAL, InputError, RedraftError
from redraft.metrics import EVALUATION_CALL, tool_use
from redraft.models import Completion, Message, Model, Request
from redraft.quality import grammar_findings
from redraft.revision import Action, ModelPlanner, ModelReviser
from redraft.text import Document, join_paragraphs, read_text
from redraft.train.planning.instructions import meets_all, vary_constraints, write_instruction
from redraft.train.planning.inversion import BEFORE, Unit, damage_sentences, write_thought
from redraft.train.planning.trajectory import (
    PlannerStep,
    PlannerTrajectory,
    tool_feedback,
    trajectory_conversations,
)
from redraft.train.rows import read_objects

MOST_STEPS: Final = 5

_STEPS: Final = (45, 33, 13, 6, 3)
"""How often a trajectory has one step, two, and so on."""
_IDLE: Final = 0.15
"""How often it ends in a step that finds nothing left to do."""
_WORDS: Final = (120, 350, 1000)
"""A text has the last two as bounds; a stretch of one, the first two."""
_WHOLE: Final = 0.35
_IN_PARAGRAPHS: Final = 0.3
_SHARE: Final = (0.12, 0.5)
"""Of the sentences, that are damaged."""
_ASIDES, _MISREAD, _WORDINGS = 0.5, 0.5, 6
"""Of harder requests: how often there are remarks that ask for nothing, how often a wording is looked for
that the rules misread, and how many wordings are tried for it."""
_LONGER: Final = (20, 25, 25, 18, 12)
"""How often a trajectory of a harder request has one step, two, and so on."""
_HOPELESS: Final = 20
"""Tries for each trajectory wanted, after which the texts are thought unfit."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A clean text, and its name."""

    id: str
    text: str
    terms_stated: bool = True
    """Whether its record does not say that nobody knows under what terms it may be used."""


@dataclass(frozen=True, slots=True)
class _Request:
    """A trajectory without steps, its text in units, and the places of those that are to be undone."""

    trajectory: PlannerTrajectory
    constraints: tuple[Constraint, ...]
    units: tuple[Unit, ...]
    todo: tuple[int, ...]
    lengths: Sequence[int]
    """How often it has one step, two, and so on."""


def read_texts(paths: Sequence[Path]) -> Iterator[SourceText]:
    """The texts of JSONL files with a field `text`, perhaps `id` and `licence`; any other file is a text."""
    for path in paths:
        if path.suffix != ".jsonl":
            yield SourceText(path.stem, read_text(path))
            continue
        for where, row in read_objects(path, "a field `text`"):
            if not isinstance(row.get("text"), str):
                raise InputError(f"{where}: needs a field `text` that is a string")
            stated = "not stated" not in str(row.get("licence", ""))
            name = row.get("id", f"{path.stem}-{where.rpartition(' ')[2]}")
            yield SourceText(str(name), row["text"], stated)


def generate_trajectories(
    texts: Sequence[SourceText | str],
    levels: Sequence[int],
    count: int,
    seed: int,
    discarded: Counter[str] | None = None,
    harder: float = 0.0,
) -> Iterator[PlannerTrajectory]:
    """So many trajectories, the levels by turns; the same for the same seed.

    `discarded` counts what was made and could not be used, by reason. `harder` is the share of requests with
    remarks that ask for nothing, or in words that the rules misread, and of longer ways.
    """
    reasons = Counter() if discarded is None else discarded
    for request, choose in _requests(texts, levels, count, seed, reasons, harder):
        yield replace(request.trajectory, steps=tuple(_steps(request, choose)))


def fresh_requests(
    texts: Sequence[SourceText | str], levels: Sequence[int], count: int, seed: int, harder: float = 0.0
) -> Iterator[PlannerTrajectory]:
    """Requests alone, without steps."""
    for request, _ in _requests(texts, levels, count, seed, Counter(), harder):
        yield request.trajectory


def _requests(
    texts: Sequence[SourceText | str],
    levels: Sequence[int],
    count: int,
    seed: int,
    discarded: Counter[str],
    harder: float,
) -> Iterator[tuple[_Request, Random]]:
    if not texts or not levels:
        raise InputError("trajectories need at least one text and one level")
    uses: Counter[str] = Counter()
    made = 0
    for attempt in range(_HOPELESS * (count + 1)):
        if made == count:
            return
        choose = Random(f"{seed} trajectory {attempt}")
        text = choose.choice(texts)
        named = text if isinstance(text, SourceText) else SourceText("", text)
        hard = harder > 0 and choose.random() < harder
        found = _request(named, levels[made % len(levels)], uses, choose, harder=hard)
        if isinstance(found, str):
            discarded[found] += 1
            continue
        made += 1
        name = f"{named.id or 'text'}-{seed}-{attempt}"
        yield replace(found, trajectory=replace(found.trajectory, id=name)), choose
    if made < count:
        raise InputError(
            f"only {made} of {count} trajectories could be made from {len(texts)} texts: they take English "
            f"texts of {_WORDS[0]} words or more in whole sentences"
        )


def _request(
    text: SourceText, level: int, uses: Counter[str], choose: Random, *, harder: bool
) -> _Request | str:
    """A request for the revision of a text that was damaged; or why there is none."""
    clean = _stretch(text.text, choose)
    if clean is None:
        return "too short"
    units = tuple(damage_sentences(clean, choose.uniform(*_SHARE), choose))
    places = _places(units, ())
    if places is None or not any(unit.spoilt for unit in units):
        return "not damaged"
    source = _joined(units, ())
    drawn = draw(Pair(source, clean), level, uses, choose) if level else None
    if level and drawn is None:
        return "no constraints"
    constraints = drawn.constraints if drawn is not None else ()
    todo = tuple(_to_undo(units, places, constraints))
    final = _joined(units, todo)
    constraints = vary_constraints(constraints, source, final, choose)
    calls = tuple(one.call for one in constraints)
    if not todo or not meets_all(final, constraints, source) or _places(units, todo) is None:
        return "constraints broken"
    if [parse_call(call) for call in calls] != list(constraints):
        return "calls not read back"
    if drawn is not None:
        uses.update(drawn.kinds)
    asked, constraints = _worded(constraints, choose, harder=harder)
    calls = tuple(one.call for one in constraints)
    made = PlannerTrajectory("", level, asked, calls, source, (), text.id)
    return _Request(made, constraints, units, todo, _LONGER if harder else _STEPS)


def _worded(
    constraints: tuple[Constraint, ...], choose: Random, *, harder: bool
) -> tuple[str, tuple[Constraint, ...]]:
    """An instruction, and the constraints in its order; where it is to be harder, one that is misread."""
    if not harder:
        return write_instruction(constraints, choose)
    wanted = choose.random() < _MISREAD
    for _ in range(_WORDINGS):
        asked, said = write_instruction(constraints, choose, _ASIDES)
        if not wanted or set(parse(asked).constraints) != set(said):
            break
    return asked, said


def _stretch(text: str, choose: Random) -> str | None:
    """A text of the lengths that are revised, or a stretch of it; mostly as one paragraph."""
    text = text.strip() if choose.random() < _IN_PARAGRAPHS else join_paragraphs(text)
    document = Document(text)
    shortest, middle, longest = _WORDS
    if document.words < shortest:
        return None
    most = longest if choose.random() < _WHOLE else choose.randint(shortest, middle)
    if document.words <= most:
        return text
    counts = document.word_counts
    first = choose.randrange(len(counts))
    while first and sum(counts[first:]) < most:
        first -= 1
    last, words = first, counts[first]
    while last + 1 < len(counts) and words + counts[last + 1] <= most:
        last += 1
        words += counts[last]
    return text[document.sentences[first].start : document.sentences[last].end]


def _to_undo(
    units: Sequence[Unit], places: Sequence[range], constraints: Sequence[Constraint]
) -> Iterator[int]:
    """The places of what is to be undone: nothing in sentences that are to stay as they are."""
    named = next((one for one in constraints if isinstance(one, SentenceModification)), None)
    for place, unit in enumerate(units):
        if not unit.spoilt:
            continue
        touched = named is not None and any(number in named.sentences for number in places[place])
        if named is None or touched is (named.relation == "change"):
            yield place


def _joined(units: Sequence[Unit], undone: Collection[int]) -> str:
    return "".join(
        (unit.clean if place in undone else unit.damaged) + unit.gap for place, unit in enumerate(units)
    )


def _places(units: Sequence[Unit], undone: Collection[int]) -> list[range] | None:
    """The numbers of the sentences of each unit; None where those of one are not what its advice is for."""
    sentences = Document(_joined(units, undone)).sentences
    found: list[range] = []
    position = number = 0
    for place, unit in enumerate(units):
        position += len(unit.clean if place in undone else unit.damaged) + len(unit.gap)
        first = number
        while number < len(sentences) and sentences[number].end <= position:
            number += 1
        wanted = len(unit.advice) if place not in undone and unit.spoilt else None
        if number == first or wanted not in (None, number - first):
            return None
        found.append(range(first + 1, number + 1))
    return found if number == len(sentences) else None


def _steps(request: _Request, choose: Random) -> Iterator[PlannerStep]:
    """Steps that undo the damage, most of it in the first; and at times one that finds nothing left."""
    units, constraints = request.units, request.constraints
    calls = (EVALUATION_CALL, *request.trajectory.calls)
    order = choose.sample(request.todo, len(request.todo))
    undone: tuple[int, ...] = ()
    findings: Findings | None = None
    for drawn in _parts(order, request.lengths, choose):
        part = [place for place in drawn if place not in undone]
        if drawn and not part:
            continue
        if _places(units, (*undone, *part)) is None:
            part = [place for place in order if place not in undone]  # half undone, its sentences would move
        advice = dict(_advice(units, undone, part))
        undone += tuple(part)
        text = _joined(units, undone)
        thought = write_thought(constraints, None if findings is None else tuple(findings), busy=bool(part))
        findings = check(text, constraints, original=request.trajectory.text)
        yield PlannerStep(thought, calls, advice, text, tool_feedback(_errors_left(units, undone), findings))


def _parts(order: list[int], lengths: Sequence[int], choose: Random) -> Iterator[list[int]]:
    steps = min(choose.choices(range(1, MOST_STEPS + 1), lengths)[0], len(order))
    left = order
    for step in range(steps, 0, -1):
        most = len(left) - step + 1
        size = most if step == 1 else max(1, min(most, round(len(left) * choose.uniform(0.5, 0.8))))
        yield left[:size]
        left = left[size:]
    if steps < MOST_STEPS and choose.random() < _IDLE:
        yield []


def _advice(
    units: Sequence[Unit], undone: Collection[int], part: Collection[int]
) -> Iterator[tuple[int, str]]:
    places = _places(units, undone)
    if places is None:
        raise ValueError("the sentences moved")
    for place in part:
        for number, words in zip(places[place], units[place].advice, strict=True):
            if words:
                yield number, words.replace(BEFORE, str(number - 1))


def _errors_left(units: Sequence[Unit], undone: Collection[int]) -> float:
    """The errors per 100 words that are left once some of the damage is undone."""
    left = sum(unit.errors for place, unit in enumerate(units) if place not in undone)
    return 100 * left / max(len(_joined(units, undone).split()), 1)


_AT_ONCE: Final = 8
_RIGHT: Final = 100.0


@dataclass(frozen=True, slots=True)
class _WithExample:
    """A model that is shown an example before it is asked."""

    model: Model
    example: tuple[Message, ...]

    @property
    def spec(self) -> str:
        return self.model.spec

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        system, *asked = request.messages
        return await self.model.complete(replace(request, messages=(system, *self.example, *asked)))


async def teacher_trajectories(
    requests: Iterable[PlannerTrajectory], example: PlannerTrajectory, model: Model, discarded: Counter[str]
) -> AsyncIterator[PlannerTrajectory]:
    """The requests with the steps that a model took, as long as each made the text better.

    Those in which it used its tools wrongly, or whose last text breaks a constraint, are discarded.
    """
    planner = ModelPlanner(_WithExample(model, _turns(example)), lambda _: Action("", (), ()))
    left = iter(requests)
    while some := list(islice(left, _AT_ONCE)):
        found = await asyncio.gather(*(_attempt(one, planner, ModelReviser(model)) for one in some))
        for one in found:
            if isinstance(one, str):
                discarded[one] += 1
            else:
                yield one


def _turns(example: PlannerTrajectory) -> tuple[Message, ...]:
    """The first step of a trajectory as a request and its answer."""
    first = next(trajectory_conversations(example))
    return first.messages[1:]


async def _attempt(
    request: PlannerTrajectory, planner: ModelPlanner, reviser: ModelReviser
) -> PlannerTrajectory | str:
    try:
        return await _take_steps(request, planner, reviser)
    except RedraftError as error:
        if isinstance(error, FATAL):
            raise
        return "failed"


async def _take_steps(
    request: PlannerTrajectory, planner: ModelPlanner, reviser: ModelReviser
) -> PlannerTrajectory | str:
    """The request with its steps, or why it is discarded."""
    steps: list[PlannerStep] = []
    text = request.text
    best = _rank(text, _checked(request, text))
    while len(steps) < MOST_STEPS:
        (action, *_) = await planner.plan(request.instruction, text, steps, seed=len(steps))
        if tool_use(action.calls, request.calls)["tool_exact"] < _RIGHT:
            return "tools used wrongly"
        advice = {one.sentence: one.advice for one in action.plan if one.advice}
        if not advice:
            break
        changed = await reviser.revise(text, action, instruction=request.instruction, seed=len(steps))
        text = Document(text).replace(changed).text
        findings = _checked(request, text)
        rank = _rank(text, findings)
        if rank <= best:
            break
        best = rank
        errors = 100 * len(grammar_findings(text)) / max(len(text.split()), 1)
        steps.append(PlannerStep(action.thought, action.calls, advice, text, tool_feedback(errors, findings)))
    if not steps:
        return "nothing improved"
    made = replace(request, steps=tuple(steps))
    return made if _checked(request, steps[-1].text).met else "constraints broken"


def _checked(request: PlannerTrajectory, text: str) -> Findings:
    return check(text, request.calls, original=request.text)


def _rank(text: str, findings: Findings) -> tuple[int, int]:
    """What a step must raise: the constraints that are met, or else the absence of errors."""
    return sum(finding.met for finding in findings), -len(grammar_findings(text))
