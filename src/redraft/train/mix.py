"""How much of each training file an epoch takes, and in which words each row asks for its edit."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from random import Random

from redraft.errors import InputError
from redraft.train.recipe import read_recipe
from redraft.train.rows import Row

REST = "*"


@dataclass(frozen=True, slots=True)
class Count:
    """What an epoch takes of one task in one file."""

    file: str
    task: str
    weight: float
    rows: int
    draws: int


def parse_mix(text_or_path: str) -> dict[str, float]:
    """The weights in `name=2,other_*=0.5,*=1`, or in the [weights] table of a TOML file or recipe."""
    if "=" not in text_or_path:
        return dict(read_recipe(text_or_path).weights)
    weights: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text_or_path.split(","))):
        name, sign, number = (piece.strip() for piece in part.partition("="))
        if not sign or not name:
            raise InputError(f"the mix has {part!r}, where name=weight is needed")
        if name in weights:
            raise InputError(f"the mix names {name} twice")
        try:
            weights[name] = float(number)
        except ValueError:
            raise InputError(f"the mix gives {name} the weight {number!r}, which is no number") from None
        _check(name, weights[name])
    return weights


def weigh(weights: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """The weight of each file: that of its name, of the first pattern that it fits, or of `*`; else 1."""
    patterns = [name for name in weights if name not in names and name != REST]
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise InputError(_unknown(pattern, names))
    for name, weight in weights.items():
        _check(name, weight)
    found = {}
    for name in names:
        keys = (name, *(pattern for pattern in patterns if fnmatchcase(name, pattern)), REST)
        found[name] = next((weights[key] for key in keys if key in weights), 1.0)
    return found


class Mixture:
    """Rows of several files, drawn by weight; the seed and an epoch's number settle all that it draws."""

    def __init__(
        self,
        files: Mapping[str, Sequence[Row]],
        weights: Mapping[str, float],
        instructions: Mapping[str, Sequence[str]],
        seed: int,
        *,
        one_target: bool = False,
    ) -> None:
        self.weights = weigh(weights, tuple(files))
        self.seed = seed
        self._instructions = instructions
        self._pools = {name: _pool(rows, one_target) for name, rows in files.items()}
        for name, rows in files.items():
            for task in dict.fromkeys(row.task for row in rows):
                if not instructions.get(task):
                    raise InputError(
                        f"{name} has rows of the task {task!r}, for which there is no instruction"
                    )

    def epoch(self, number: int) -> list[tuple[Row, str]]:
        """The rows of an epoch in their order, each with the instruction that it is given this time."""
        drawn: list[tuple[Row, str]] = []
        for name, pool in self._pools.items():
            # Each file has its own numbers, so that another file or weight does not change them.
            random = Random(f"{self.seed}/{number}/{name}")
            for row in _draw(pool, self.weights[name], random):
                drawn.append((row, random.choice(self._instructions[row.task])))
        Random(f"{self.seed}/{number}").shuffle(drawn)
        return drawn

    def counts(self) -> list[Count]:
        """What an epoch takes of each file and task; where a file mixes tasks, what it takes on average."""
        found = []
        for name, pool in self._pools.items():
            for task in dict.fromkeys(rows[0].task for rows in pool):
                mine = [rows for rows in pool if rows[0].task == task]
                draws = round(self.weights[name] * len(mine))
                found.append(Count(name, task, self.weights[name], sum(map(len, mine)), draws))
        return found


def _pool(rows: Sequence[Row], one_target: bool) -> list[list[Row]]:
    """What is drawn from: rows, or the rows of one input together."""
    if not one_target:
        return [[row] for row in rows]
    together: dict[tuple[str, str, tuple[str, ...]], list[Row]] = {}
    for row in rows:
        together.setdefault((row.task, row.input, row.documents), []).append(row)
    return list(together.values())


def _draw(pool: Sequence[Sequence[Row]], weight: float, random: Random) -> list[Row]:
    if not pool:
        return []
    copies, rest = divmod(round(weight * len(pool)), len(pool))
    # Copies of an input take its targets in turn, so that few copies of many targets do not repeat one.
    turns = [random.sample(rows, len(rows)) if len(rows) > 1 else rows for rows in pool]
    drawn = [rows[copy % len(rows)] for copy in range(copies) for rows in turns]
    return drawn + [rows[copies % len(rows)] for rows in random.sample(turns, rest)]


def _check(name: str, weight: float) -> None:
    if not math.isfinite(weight) or weight < 0:
        raise InputError(f"the mix gives {name} the weight {weight}, where a number from 0 up is needed")


def _unknown(name: str, names: Sequence[str]) -> str:
    close = get_close_matches(name, names, 1)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(names)}"
    return f"the mix names {name}, which fits no training file; {hint}"
