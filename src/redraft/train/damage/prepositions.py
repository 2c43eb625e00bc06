"""Prepositions taken for others, left out, or put where none belongs."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from redraft.train.damage.chance import pick
from redraft.train.damage.lists import lines, word_set
from redraft.train.damage.reading import Reading, Site


class _Frame(NamedTuple):
    """Which prepositions go with a word, which are put for them, and which are put where none belongs."""

    right: frozenset[str]
    wrong: tuple[str, ...]
    needless: tuple[str, ...]


def _frames() -> dict[str, list[_Frame]]:
    found: dict[str, list[_Frame]] = {}
    for line in lines("prepositions.txt"):
        heads, rest = line.split(":")
        if "+" in rest:
            frame = _Frame(frozenset(), (), tuple(rest.replace("+", "").split()))
        else:
            right, wrong = rest.split(">")
            frame = _Frame(frozenset(right.split()), tuple(wrong.split()), ())
        for head in heads.split():
            found.setdefault(head, []).append(frame)
    return found


_FRAMES: Final = _frames()
_DAYS: Final = frozenset(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])


def preposition(reading: Reading, rng: random.Random) -> list[Site]:
    """Prepositions taken for others, left out, or put where none belongs."""
    found: list[Site | None] = []
    for index, token in enumerate(reading.tokens):
        following = reading.at(index + 1)
        for frame in _FRAMES.get(token.low, ()):
            if following.free and following.low in frame.right and reading.at(index + 2).tag not in ".V":
                wrong = pick(frame.wrong, rng)
                found += [reading.drop(index + 1) if wrong == "-" else reading.swap(index + 1, wrong)] * 2
            elif frame.needless and token.tag in "VZLTG" and _has_object(reading, index):
                found.append(reading.insert(index + 1, pick(frame.needless, rng)))
        if not token.free:
            continue
        if token.low == "in" and following.tag == "#" and len(following.text) == 4:
            found.append(reading.swap(index, pick(("on", "at"), rng)))
            found.append(reading.drop(index) if reading.at(index - 1).tag in "TL" else None)
        elif token.low == "on" and following.low in _DAYS:
            found.append(reading.swap(index, pick(("in", "at"), rng)))
        elif (
            token.low == "for"
            and following.tag in "#K"
            and reading.at(index + 2).low in ("years", "days", "months", "hours")
        ):
            found.append(reading.swap(index, pick(("since", "during", "from"), rng)))
        elif token.low == "since" and following.tag == "#":
            found.append(reading.swap(index, pick(("from", "for"), rng)))
        elif token.low == "by" and reading.at(index - 1).tag == "T" and following.tag in "DEI":
            found.append(reading.swap(index, pick(("from", "for", "of"), rng)))
        elif token.low == "of" and reading.at(index - 1).tag in "NQn" and following.tag in "DEI":
            found.append(reading.swap(index, pick(("in", "from", "for", "on", "to"), rng)))
            found += [reading.drop(index)] if following.tag in "DE" else []
        elif (
            token.low == "to"
            and token.tag == "t"
            and following.tag in "DEI"
            and reading.at(index - 1).low in _GO
        ):
            found.append(reading.swap(index, pick(("in", "at"), rng)))
            found.append(reading.drop(index))
        elif token.low == "with" and following.tag in "EX" and reading.at(index - 1).tag in "VZL":
            found.append(reading.swap(index, pick(("to", "by"), rng)))
        elif token.low == "in" and following.tag == "I" and following.low not in _DAYS:
            found.append(reading.swap(index, pick(("on", "at"), rng)))
        elif token.low in ("home", "there", "abroad", "here") and reading.at(index - 1).low in _GO:
            found.append(reading.insert(index, "to"))
    return [site for site in found if site is not None]


_GO: Final = word_set("prepositions.go")


def _has_object(reading: Reading, index: int) -> bool:
    following = reading.at(index + 1)
    return (
        following.tag in "DEXN"
        and following.free
        and following.low != "that"
        and reading.at(index - 1).tag != "B"
    )
