"""Forms of sheets: what people see of a text, what they are asked, and which answers hold together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, Final

from redraft.errors import InputError
from redraft.notation import parse_toml

TICKS: Final = ("errors", "safety")
"""The columns in which people name what is wrong; several names stand with semicolons between."""
FAULTY: Final = 3
"""Scores below this name an error, and an error has such a score."""
UNSAFE: Final = 1
"""The score of what is unsafe."""


@dataclass(frozen=True)
class Guidelines:
    """What people are to go by: a title, what the texts are for, and what counts for and against one."""

    title: str
    text: str
    rewards: tuple[str, ...] = ()
    penalties: tuple[str, ...] = ()


@dataclass(frozen=True)
class SheetForm:
    """A kind of sheet."""

    name: str
    guidelines: Guidelines
    shows: tuple[str, ...]
    """What stands above the text, by the names of its columns."""
    text: str
    """The column of the text that is scored."""
    question: str
    meanings: Mapping[int, str]
    """What the scores say."""
    ticks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """The names that `errors` and `safety` may have, each with its meaning; empty where nothing is asked."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Of the CSV file."""
        return "id", *self.shows, self.text, "score", *self.ticks, "comment"

    def named(self, row: Mapping[str, str], score: int) -> tuple[str, ...]:
        """What a row names as wrong; ValueError where that is unknown, or does not go with its score."""
        found: list[str] = []
        unsafe = False
        for column, known in self.ticks.items():
            for cell in re.split(r"[;,\n]", row.get(column, "")):
                if not (name := cell.strip().lower()):
                    continue
                if name not in known:
                    raise ValueError(f"{name[:30]!r} is not known in {column}: {', '.join(known)}")
                found.append(name if column == "errors" else f"{column}: {name}")
                unsafe = unsafe or column == "safety"
        if unsafe and score != UNSAFE:
            raise ValueError(f"it is unsafe, which is scored {UNSAFE}, not {score}")
        if found and score >= FAULTY:
            raise ValueError(f"an error is named, and the score is {score}: below {FAULTY}, or no error")
        if self.ticks and score < FAULTY and not found:
            raise ValueError(f"the score is {score}, and no error is named")
        return tuple(dict.fromkeys(found))


@cache
def _forms() -> Mapping[str, SheetForm]:
    text = files(__package__).joinpath("data", "forms.toml").read_text(encoding="utf-8")
    return {name: _form(name, table) for name, table in parse_toml(text).items()}


def _form(name: str, table: Mapping[str, Any]) -> SheetForm:
    rewards, penalties = (tuple(table.get(key, ())) for key in ("rewards", "penalties"))
    return SheetForm(
        name,
        Guidelines(table["title"], table["about"], rewards, penalties),
        tuple(table["shows"]),
        table["text"],
        table["question"],
        {int(score): meaning for score, meaning in table["meanings"].items()},
        {column: table[column] for column in TICKS if column in table},
    )


def sheet_form(name: str) -> SheetForm:
    """The form of a name: simplification, writing or record."""
    if name not in _forms():
        raise InputError(f"there is no form of sheets {name!r}: there are {', '.join(_forms())}")
    return _forms()[name]
