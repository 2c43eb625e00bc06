"""Numbers of a text as values, whether in digits or in words, and which of them a revision changed."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from redraft.quality.base import MeaningChange
from redraft.text import CARDINALS, citations, list_lines, numbers

_SCALES: Final = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
}  # fmt: skip
_AFTER_DIGITS: Final = {**_SCALES, "k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
# Words that say a number without being one: they may stand for it, and are never asked for themselves.
_HINTS: Final = {
    word: tuple(float(Fraction(value)) for value in values)
    for word, *values in map(str.split, list_lines("redraft.quality", "number_hints.txt"))
}
_WORD: Final = rf"(?:{'|'.join((*CARDINALS, *_SCALES))})"
_SPELLED: Final = re.compile(rf"\b{_WORD}(?:(?:[ -]|[ ]and[ ]){_WORD})*\b", re.IGNORECASE)
_SCALED: Final = re.compile(
    r"[ \u00a0-]?(hundred|thousand|million|billion|trillion|dozen|(?:k|mn?|bn?|tn)(?![a-z’']))\b",
    re.IGNORECASE,
)
_SPACED: Final = re.compile(r"(?<![\d.,] )(?<![\d.,])\b[1-9]\d{0,2}(?: \d{3})+\b(?![.,]?\d)")
"""27 000"""
_FRACTION: Final = re.compile(r"([1-9])/([2-9])")
_HEDGED: Final = re.compile(
    r"(?:\b(?:about|around|roughly|approximately|nearly|almost|some|over|more than|close to|up to)"
    r"|~)[ $€£]*\Z",
    re.IGNORECASE,
)
_ROUNDED: Final = 0.1
"""How far off a rounded number may be, as a share of it."""


Written = Literal["in digits", "in words", "inside a word"]


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as it is written, its value, and whether "about" or the like stands before it.

    What is no quantity (10/12) has its spelling for a value. One inside a word (CO2) may stand for a number,
    and is none itself.
    """

    text: str
    value: float | str
    written: Written
    hedged: bool


def numerals(text: str) -> list[Numeral]:
    """The numbers of a text in digits and in words; the numbers of references and a lone "one" are none."""
    letters = list(text)
    for cited in citations(text):
        if cited.text.startswith(("[", "\\")):
            letters[cited.start : cited.end] = " " * (cited.end - cited.start)
    text = _SPACED.sub(lambda match: match[0].replace(" ", ","), "".join(letters))
    return [*_in_digits(text), *_in_words(text)]


def number_changes(source: str, text: str) -> Iterator[MeaningChange]:
    """The numbers that a revision has changed, lost or added."""
    before, after = numerals(source), numerals(text)
    lost = _without(before, after, text)
    added = _without(after, before, source)
    if any(number.hedged for number in added):
        for one in list(lost):
            if near := next((other for other in added if _is_rounded(one, other)), None):
                lost.remove(one)
                added.remove(near)
    for one, other in zip(lost, added, strict=False):
        yield MeaningChange("number", one.text, other.text)
    # A small number in words comes and goes with the wording: "the two men", "the men".
    left, right = lost[len(added) :], added[len(lost) :]
    yield from (MeaningChange("number", before=one.text) for one in left if one.written == "in digits")
    yield from (MeaningChange("number", after=one.text) for one in right if one.written == "in digits")


def _without(these: list[Numeral], those: list[Numeral], other: str) -> list[Numeral]:
    """Those of the first that the other text does not have in any form."""
    values = {number.value for number in those}
    hints = {value for word in re.findall(r"[a-z]+", other.lower()) for value in _HINTS.get(word, ())}
    # 1998 may be written as '98, and 98 as 1998.
    short = {value % 100 for value in values if isinstance(value, float) and 1000 <= value < 2100}
    found: dict[float | str, Numeral] = {}
    for number in these:
        value = number.value
        if number.written == "inside a word" or value in values or value in hints or value in short:
            continue
        if isinstance(value, float) and 1000 <= value < 2100 and value % 100 in values:
            continue
        found.setdefault(value, number)
    return list(found.values())


def _is_rounded(one: Numeral, other: Numeral) -> bool:
    if isinstance(one.value, str) or isinstance(other.value, str) or not other.hedged:
        return False
    rounder = len(f"{other.value:g}".rstrip("0")) < len(f"{one.value:g}".rstrip("0"))
    return rounder and abs(one.value - other.value) <= _ROUNDED * max(one.value, other.value)


def _in_digits(text: str) -> Iterator[Numeral]:
    for found in numbers(text):
        value: float | str = found.value.lstrip("-").replace(":", ".")
        if fraction := _FRACTION.fullmatch(found.value):
            value = str(int(fraction[1]) / int(fraction[2]))
        scale = _SCALED.match(text, found.end)
        with contextlib.suppress(ValueError):
            value = round(float(value) * (_AFTER_DIGITS[scale[1].lower()] if scale else 1), 6)
        end = scale.end() if scale else found.end
        inside = text[max(0, found.start - 1) : found.start].isalpha()
        written: Written = "inside a word" if inside else "in digits"
        yield Numeral(text[found.start : end], value, written, _is_hedged(text, found.start))


def _in_words(text: str) -> Iterator[Numeral]:
    for match in _SPELLED.finditer(text):
        # "5 million" was read with its digits.
        if text[max(0, match.start() - 3) : match.start()].rstrip(" -\u00a0")[-1:].isdigit():
            continue
        value = _value(re.findall(r"[a-z]+", match[0].lower()))
        if value > 1:
            yield Numeral(match[0], value, "in words", _is_hedged(text, match.start()))


def _is_hedged(text: str, start: int) -> bool:
    return _HEDGED.search(text, max(0, start - 20), start) is not None


def _value(words: list[str]) -> float:
    total = part = 0.0
    for word in words:
        if word in _SCALES:
            scale = _SCALES[word]
            part = (part or 1) * scale
            if scale >= _SCALES["thousand"]:
                total, part = total + part, 0
        else:
            part += CARDINALS.get(word, 0)
    return float(total + part)
