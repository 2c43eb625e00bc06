"""Numbers as people write them: `1,200`, `three hundred and fifty`, `two dozen`, `twenty-first`."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.constraints.bounds import LARGEST

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
_SMALL_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth
"""
_ROUND_ORDINALS = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
_UNITS = {word: value for value, word in enumerate(_SMALL.split())}
_TENS = {word: 10 * value for value, word in enumerate(_ROUND.split(), start=2)}
_SCALES = {"dozen": 12, "dozens": 12, "hundred": 100, "thousand": 1000, "million": 10**6}
_ORDINAL_UNITS = {word: value for value, word in enumerate(_SMALL_ORDINALS.split(), start=1)}
_ORDINAL_UNITS |= {"opening": 1, "initial": 1}
_ORDINAL_TENS = {word: 10 * value for value, word in enumerate(_ROUND_ORDINALS.split(), start=2)}
_LONGEST = 12
"""A number has at most so many words; it bounds the work on hostile input."""

NUMBER_WORDS = frozenset([*_UNITS, *_TENS, *_SCALES, *_ORDINAL_UNITS, *_ORDINAL_TENS, "hundredth"])


def figure(text: str) -> float | None:
    """The value of digits: `1,200`, `3.5`; nothing where it is too large to be meant."""
    digits = text.replace(",", "")
    if len(digits) > 10:
        return None
    value = float(digits)
    return value if value <= LARGEST else None


def spelled(words: Sequence[str]) -> tuple[float, int, bool] | None:
    """The number that a sequence begins with: its value, how many words it took, whether it is an ordinal.

    Articles belong to it ("a hundred", "half a dozen"), and so does "and" between hundreds and the rest.
    """
    head = list(words[:_LONGEST])
    for prefix, value in (("half a dozen", 6), ("a couple of", 2), ("a couple", 2)):
        parts = prefix.split()
        if head[: len(parts)] == parts:
            dozens = int(head[len(parts) : len(parts) + 1] == ["dozen"])
            return value * 12**dozens, len(parts) + dozens, False
    article = int(len(head) > 1 and head[0] in ("a", "an", "one") and head[1] in _SCALES)
    total, group, used, ordinal = 0, article, article, False
    last = ""
    for index in range(article, len(head)):
        word = head[index]
        if word in _UNITS and (last in ("", "scale", "and") or (last == "tens" and 0 < _UNITS[word] < 10)):
            group += _UNITS[word]
            last = "unit"
        elif word in _TENS and last in ("", "scale", "and"):
            group += _TENS[word]
            last = "tens"
        elif word in _SCALES and group:
            if word in ("thousand", "million"):
                total, group = total + group * _SCALES[word], 0
            else:
                group *= _SCALES[word]
            last = "scale"
        elif word == "and" and last == "scale" and _continues(head[index + 1 : index + 4]):
            last = "and"
            continue
        elif (word in _ORDINAL_UNITS and last in ("", "scale", "and")) or (
            word in _ORDINAL_UNITS and last == "tens" and _ORDINAL_UNITS[word] < 10
        ):
            group, used, ordinal = group + _ORDINAL_UNITS[word], index + 1, True
            break
        elif word in _ORDINAL_TENS and last in ("", "scale", "and"):
            group, used, ordinal = group + _ORDINAL_TENS[word], index + 1, True
            break
        elif word == "hundredth":
            group, used, ordinal = max(group, 1) * 100, index + 1, True
            break
        else:
            break
        used = index + 1
    if used <= article and not ordinal:
        return None
    value = total + group
    return (value, used, ordinal) if value <= LARGEST else None


def _continues(rest: Sequence[str]) -> bool:
    """Whether an "and" inside a number goes on with it, and does not join a second one ("100 and 200")."""
    return (
        bool(rest) and rest[0] in NUMBER_WORDS and not any(word in ("hundred", "dozen") for word in rest[1:])
    )
