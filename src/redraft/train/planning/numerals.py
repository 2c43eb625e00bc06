"""Numbers as people write them in instructions: in digits or spelt, and the places of sentences."""

from __future__ import annotations

from random import Random
from typing import Final

_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def cardinal(number: int, choose: Random) -> str:
    """A number, the smaller the more often spelt."""
    share = 0.45 if number <= 12 else 0.2 if number <= 100 else 0.1
    if choose.random() < share:
        return named(number, british=choose.random() < 0.5)
    return f"{number:,}" if number >= 1000 and choose.random() < 0.7 else str(number)


def named(number: int, *, british: bool = True) -> str:
    """A number below a million in words."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        rest = f"-{_SMALL[number % 10]}" if number % 10 else ""
        return _TENS[number // 10 - 2] + rest
    unit, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    head = f"{named(number // unit, british=british)} {name}"
    if not number % unit:
        return head
    joint = " and " if british and number % unit < 100 else " "
    return head + joint + named(number % unit, british=british)


def ordinal(number: int, spelt: bool) -> str:
    """The place of a sentence."""
    if not spelt:
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    words = named(number)
    last = words.replace("-", " ").rpartition(" ")[2]
    plain = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return words.removesuffix(last) + _ORDINALS.get(last, plain)
