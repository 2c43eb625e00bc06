"""How well a planner does by now: its tools and its plans on requests that it never learns from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from redraft.constraints import parse_call
from redraft.errors import CallError, InputError
from redraft.metrics import tool_use
from redraft.notation import parse_json
from redraft.train.planning.phases import Phases
from redraft.train.planning.sampling import Planner, read
from redraft.train.planning.scoring import ActionScorer
from redraft.train.planning.situation import Situation
from redraft.train.planning.trajectory import Trajectory
from redraft.train.rows import parsed, read_lines

_NEEDS = "id, level, instruction, text and calls"


async def measured(
    planner: Planner, requests: Sequence[Trajectory], scorer: ActionScorer, phases: Phases, name: str
) -> dict[str, Any]:
    """S_a and its parts, and the use of tools in per cent, of the greedy answers to requests."""
    asked = [Situation.of(one, 0) for one in requests]
    answers = await planner.answers(asked, phases, f"{name}, held out")
    given = [(one, found[0]) for one, found in zip(asked, answers, strict=True) if found]
    plans = [(one, read(one, answer)) for one, answer in given]
    scores = await scorer.score(plans, phases, f"{name}, held out")
    return _means(
        (
            one.trajectory.level,
            {**score.to_dict(), **tool_use(one.read(answer).calls, one.trajectory.calls)},
        )
        for (one, answer), score in zip(given, scores, strict=True)
    )


async def watched(
    planner: Planner, requests: Sequence[Trajectory], phases: Phases, name: str
) -> dict[str, Any]:
    """The use of tools alone, in per cent, of greedy answers that end where the plan would begin."""
    asked = [Situation.of(one) for one in requests]
    answers = await planner.answers(asked, phases, name, calls=True)
    return _means(
        (one.trajectory.level, tool_use(one.read(found[0]).calls if found else (), one.trajectory.calls))
        for one, found in zip(asked, answers, strict=True)
    )


def read_watched(path: Path) -> tuple[Trajectory, ...]:
    """Requests with their calls, from the JSONL of a benchmark."""
    found = []
    for number, line in enumerate(read_lines(path), 1):
        if line.strip():
            where = f"{path}, line {number}"
            row = parsed(line, where, _NEEDS)
            try:
                calls = tuple(parse_call(call).call for call in row["calls"])
                one = Trajectory(
                    str(row["id"]), int(row["level"]), row["instruction"], calls, row["text"], ()
                )
            except (KeyError, TypeError, ValueError):
                raise InputError(f"{where}: needs {_NEEDS}") from None
            except CallError as error:
                raise InputError(f"{where}: {error}") from None
            if not isinstance(one.instruction, str) or not isinstance(one.text, str):
                raise InputError(f"{where}: instruction and text must be strings")
            found.append(one)
    if not found:
        raise InputError(f"{path} is empty: it holds no request")
    return tuple(found)


def _means(rows: Iterable[tuple[int, Mapping[str, float]]]) -> dict[str, Any]:
    """The means of all, and of each level."""
    found = list(rows)
    levels = sorted({level for level, _ in found})
    return {
        **_mean([values for _, values in found]),
        "levels": {str(level): _mean([values for own, values in found if own == level]) for level in levels},
    }


def _mean(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    names = rows[0] if rows else {}
    return {"count": len(rows), **{name: round(fmean(row[name] for row in rows), 4) for name in names}}


def read_json(path: Path) -> dict[str, Any]:
    """What was written down before; nothing where there is no such file."""
    try:
        found = parse_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}; delete it, and start again") from None
    return found if isinstance(found, dict) else {}
