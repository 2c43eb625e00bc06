"""The small language that wordings are written in, and data/wordings.txt as it says them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Final

from redraft.text import list_lines

_PIECE: Final = re.compile(r"\{[^}]*\}|[\[\]()|]|[^{}\[\]()|]+")


def say(name: str, values: Mapping[str, str], choose: Random) -> str:
    """One of the wordings of that name."""
    return spoken(choose.choice(_wordings()[name]), values, choose)


def spoken(line: str, values: Mapping[str, str], choose: Random) -> str:
    """A wording with its choices made, and its names filled in: by values, or by wordings."""
    text, _ = _read(_PIECE.findall(line), 0, values, choose)
    return " ".join(text.split())


@cache
def wordings(name: str, relation: str) -> tuple[str, ...]:
    """What can be said by that name whatever the relation, and, twice as likely, for that relation alone."""
    own = _wordings().get(f"{name} {relation}", ())
    return (*_wordings()[name], *own, *own)


@cache
def _wordings() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in list_lines(__package__, "wordings.txt"):
        if line.startswith("== "):
            name = line.removeprefix("== ")
        else:
            found.setdefault(name, []).append(line)
    return {name: tuple(lines) for name, lines in found.items()}


def _read(pieces: Sequence[str], place: int, values: Mapping[str, str], choose: Random) -> tuple[str, int]:
    """One of the alternatives from a place up to the bracket that closes them, and where that stands."""
    alternatives = [""]
    while place < len(pieces) and pieces[place] not in ")]":
        piece = pieces[place]
        if piece == "|":
            alternatives.append("")
        elif piece in "([":
            inner, place = _read(pieces, place + 1, values, choose)
            alternatives[-1] += inner if piece == "(" or choose.random() < 0.5 else ""
        elif piece[0] == "{":
            name = piece[1:-1]
            alternatives[-1] += values[name] if name in values else say(name, values, choose)
        else:
            alternatives[-1] += piece
        place += 1
    return choose.choice(alternatives), place
