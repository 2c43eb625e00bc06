"""What is to be built."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from redraft.bench.constrev.building.rendering import TEMPLATES
from redraft.constraints import GROUPS, KINDS
from redraft.errors import InputError

HIGHEST: Final = 6
"""Constraints in one instruction; beyond that few texts carry so many that say something new."""
_LEVELS: Final = re.compile(r"(\d)(?:-(\d))?")


@dataclass(frozen=True, slots=True)
class Slot:
    """A record to be made: its name, how many constraints, and of which kinds."""

    id: str
    level: int
    set: Literal["levels", "single"]
    among: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is one of: a level or a group."""
        return self.id.rpartition("-")[0]


@dataclass(frozen=True, slots=True)
class ConsTRevRecipe:
    """How a benchmark is built; with the same texts and models, a recipe always gives the same records."""

    levels: tuple[int, ...] = (0, 1, 2, 3, 4)
    per_level: int = 100
    singles: int = 0
    reviser: str = "embedded"
    renderer: str = TEMPLATES
    judge: str | None = None
    counting: str = "default"
    join: bool = True
    seed: int = 0

    def slots(self) -> Iterator[Slot]:
        """The records to be made, level by level, then the sets of one constraint."""
        for level in self.levels:
            for number in range(1, self.per_level + 1):
                yield Slot(f"L{level}-{number:03}", level, "levels", tuple(KINDS))
        for group in GROUPS:
            kinds = tuple(kind.name for kind in KINDS.values() if kind.group == group)
            for number in range(1, self.singles + 1):
                yield Slot(f"S-{group}-{number:03}", 1, "single", kinds)

    def facts(self) -> dict[str, Any]:
        """The recipe as plain data, for run.json and the card."""
        return {
            "levels": list(self.levels),
            "per_level": self.per_level,
            "singles": self.singles,
            "reviser": self.reviser,
            "renderer": self.renderer,
            "judge": self.judge,
            "counting": self.counting,
            "paragraphs": "joined" if self.join else "kept",
            "seed": self.seed,
        }


def read_levels(text: str) -> tuple[int, ...]:
    """The levels of "0-4", "2" or "1,3-4"."""
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        match = _LEVELS.fullmatch(part)
        if match is None:
            raise InputError(f'--levels takes numbers such as "0-4" or "1,3", not {text!r}')
        found |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    if not found or max(found) > HIGHEST:
        raise InputError(f"--levels go from 0 to {HIGHEST}, and {text!r} was given")
    return tuple(sorted(found))


def most_at_once(slots: Sequence[Slot]) -> int:
    """The most records of any level or group: so many texts are needed, each being used there but once."""
    counts: dict[str, int] = {}
    for slot in slots:
        counts[slot.name] = counts.get(slot.name, 0) + 1
    return max(counts.values(), default=0)
