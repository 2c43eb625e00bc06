"""Numbers written another way: two and 2, 3/4 and three quarters, 50% and 50 percent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_UNITS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_VALUES: Final = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
}
_WORD: Final = "|".join((*_VALUES, *_SCALES))
_SPELLED: Final = rf"(?:(?:{_WORD})(?:(?:-| and | )(?:{_WORD}))*)"
_ORDINALS: Final = dict(
    zip(
        ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
        ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "10th"),
        strict=True,
    )
)
_WORDS_OF: Final = {
    **_ORDINALS,
    **{short: long for long, short in _ORDINALS.items()},
    "once": "one time", "twice": "two times", "a dozen": "twelve", "dozen": "twelve", "twelve": "a dozen",
    "a couple of": "two", "half a dozen": "six", "1/2": "half", "half": "1/2", "a pair of": "two",
}  # fmt: skip
_PARTS: Final = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 8: "eighth", 10: "tenth"}
_UNIT: Final = r"(?: (?:cup|teaspoon|tablespoon|inch|mile|hour|pound|ounce)\b)?"
NUMBER: Final = re.compile(
    rf"(?i)(?<![\w.,$€£/-])(?:\d+/\d+{_UNIT}|\d+%|\d+(?:st|nd|rd|th)\b|\d{{1,3}}(?:,\d{{3}})+(?!\.?\d)"
    rf"|\d+(?![\w.,/-]*\d)(?![\w%])|{_SPELLED}(?: percent\b)?(?![\w-])"
    rf"|{'|'.join(sorted(map(re.escape, _WORDS_OF), key=len, reverse=True))})(?![\w])"
)
"""A number that can be written another way."""


def respelled(number: str) -> list[str]:
    """Other ways to write a number, the most usual first; none where the text is no such number."""
    low = number.lower()
    found = [one for one in _ways(low) if one and one.lower() != low]
    return [one[:1].upper() + one[1:] if number[:1].isupper() else one for one in dict.fromkeys(found)]


def _ways(low: str) -> Iterator[str]:
    if low in _WORDS_OF:
        yield _WORDS_OF[low]
    if match := re.fullmatch(r"(\d+)/(\d+)(?: (\w+))?", low):
        yield _fraction(int(match[1]), int(match[2]), match[3] or "")
    elif match := re.fullmatch(r"(\d+)%", low):
        yield f"{match[1]} percent"
        yield f"{_spelled(int(match[1]))} percent"
    elif match := re.fullmatch(rf"({_SPELLED}) percent", low):
        yield f"{_value(match[1])} percent"
        yield f"{_value(match[1])}%"
    elif re.fullmatch(_SPELLED, low) and low not in _SCALES:
        value = _value(low)
        yield f"{value:,}" if value >= 10_000 else str(value)
    elif low.replace(",", "").isdigit() and not low.startswith("0"):
        value = int(low.replace(",", ""))
        if value < 1000 or value % 1000 == 0:
            yield _spelled(value)
        if "," in low:
            yield str(value)


def _fraction(top: int, bottom: int, unit: str) -> str:
    if bottom not in _PARTS or not 0 < top < bottom:
        return ""
    article = "an" if unit[:1] in "aeiou" or unit == "hour" else "a"
    if (top, bottom) == (1, 2):
        return f"half {article} {unit}" if unit else "half"
    share = f"{_UNITS[top]} {_PARTS[bottom]}{'s' if top > 1 else ''}"
    return f"{share} of {article} {unit}" if unit else share


def _value(spelled: str) -> int:
    total = part = 0
    for word in re.findall(r"[a-z]+", spelled):
        if word in _VALUES:
            part += _VALUES[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _SCALES:
            total, part = total + max(part, 1) * _SCALES[word], 0
    return total + part


def _spelled(value: int) -> str:
    if value < 20:
        return _UNITS[value]
    if value < 100:
        return _TENS[value // 10 - 2] + (f"-{_UNITS[value % 10]}" if value % 10 else "")
    if value < 1000:
        rest = f" and {_spelled(value % 100)}" if value % 100 else ""
        return f"{_UNITS[value // 100]} hundred{rest}"
    for name in ("billion", "million", "thousand"):
        if value >= _SCALES[name] and value % _SCALES[name] == 0 and value // _SCALES[name] < 1000:
            return f"{_spelled(value // _SCALES[name])} {name}"
    return ""
