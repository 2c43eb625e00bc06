"""What several judges said of the same candidates, side by side."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

from redraft.bench.preferences.pairs import Choice, read_judged
from redraft.errors import InputError
from redraft.runs import Results
from redraft.simplification import ASPECTS, Judged, compare_judges, compare_rounds, distribution


def compare_verdicts(folder: Path) -> dict[str, Any]:
    """All judges of a folder: whom each prefers, how its rounds agree, and every two against each other."""
    choices = {
        choice.key: choice
        for record in Results(folder / "candidates.jsonl").latest().values()
        if (choice := Choice.of(record)).is_real
    }
    files = sorted(folder.glob("verdicts-*.jsonl"))
    if not choices or not files:
        raise InputError(f"{folder} has no verdicts: make some with redraft simplify build-preferences")
    judges = {}
    for file in files:
        said = _read(file, choices)
        judges[next((one.judge for one in said.values()), file.stem)] = said
    return {
        "judges": {name: _one(said, choices) for name, said in judges.items()},
        "pairs": [_two(*pair) for pair in combinations(judges.items(), 2)],
    }


def _read(file: Path, choices: dict[str, Choice]) -> dict[str, Judged]:
    """What was said of candidates that still are the ones of their source."""
    latest = Results(file).latest().items()
    return {key: read_judged(record) for key, record in latest if key in choices and not record["error"]}


def _one(said: dict[str, Judged], choices: dict[str, Choice]) -> dict[str, Any]:
    judged = list(said.values())
    candidates = [choices[key].candidates for key in said]
    return {
        "judged": len(judged),
        "preferences": {aspect: distribution(judged, candidates, aspect).to_dict() for aspect in ASPECTS},
        "rounds": [one.to_dict() for one in compare_rounds(judged)] if any(x.rounds for x in judged) else [],
    }


def _two(first: tuple[str, dict[str, Judged]], second: tuple[str, dict[str, Judged]]) -> dict[str, Any]:
    (one, said), (other, answered) = first, second
    both = [key for key in said if key in answered]
    compared = compare_judges([said[key] for key in both], [answered[key] for key in both])
    return {
        "judges": [one, other],
        "both": len(both),
        "aspects": [difference.to_dict() for difference in compared],
    }
