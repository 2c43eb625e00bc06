"""Ranges of numbers, and sentences named by their numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .chunks import Chunk, Line, fold, joined

_MOST = 10_000
"""A range of more sentences than this is no range of sentences."""

_NARROW = 10

# "between 250 and 300", "250 words to 300", "from 250 to 300", "two or three"
_RANGE = re.compile(r"(?P<head>[5d]?)n[wsgct]?(?P<joint>[2&|{])n")

# "the 1st, 3rd to 5th and last sentences"; "the first three sentences"
_ORDINAL = r"(?:o2d?o|on|9n|o|9)"
_BY_ORDINAL = re.compile(rf"{_ORDINAL}(?:s?[,&|]{{1,2}}[de]{{0,2}}{_ORDINAL}){{0,200}}s")
# "sentences 2, 4-6 and 9", "sentence no. 3"; not "sentences 20 words long at most"
_NUMBER = r"[#N]?[nr](?![\[\]jwgct]|s)"
_BY_NUMBER = re.compile(rf"s{_NUMBER}(?:[,&|]{{1,2}}(?:d?s)?{_NUMBER})*")
# "the first sentence and the third", "all sentences except the 2nd"
_ELLIPTIC = re.compile(
    rf"(?<=[,&|bXd]){_ORDINAL}(?:[,&|]{{1,2}}[de]{{0,2}}{_ORDINAL}){{0,200}}1?(?![a-zA-Z](?<![uvyhim])|[9no])"
)
# "my favourite sentences are 3 and 9"
_PREDICATED = re.compile(r"(?<=v)[nr](?:[,&|]{1,2}[nr])*[&|][nr](?=[,:b]|$)")
# "second to last", "2nd and 3rd last", "third from the end"; "the third sentence from the end"
_BACK_ORDINAL = re.compile(r"(?P<list>(?:o[,&|]{1,2}){0,20})o(?P<back>(?:[2dx]d{0,2})?[9Jx])")
_BACK_REFERENCE = re.compile(r"R[,&]?(?P<back>[2dx]d{0,2}[9JxR]1?|x)")
_FROM_END = re.compile(
    r"(?:from|to|before|through|thru|until|till) (?:the )?(?:very )?(?:end|bottom|back|(?:last|final)"
    r"(?: one| sentence)?)|last|onwards?"
)
# "counting from the end, keep the third sentence"
_BACKWARDS = re.compile(
    r" (?:count|number|start|go|work|read)(?:ing|ed)? (?:back|backwards?|(?:back |backwards? )?from the "
    r"(?:very )?(?:end|bottom|back|last)) |^ from the (?:end|bottom|back) , "
)
_COUNTED = re.compile("R(?P<back>)")
_MERGED = re.compile(r"R(?:[,&|]{1,2}[dei]{0,2}R)+")
# "the second sentence of each paragraph" is counted inside something else
_INSIDE = re.compile(r"R(?:[di]{1,9}|d{0,9}[ie]{1,9}d{0,9})(?:[eo9]{0,9}g|P|^)")


@dataclass(frozen=True, slots=True)
class Range:
    """Two ends of a range of numbers; `low` and `high` are the least and greatest that it allows."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Named:
    """Sentences that an instruction names."""

    numbers: tuple[int, ...]
    more: bool = False
    """Whether it also names some that have no number without the text: the last one."""


def fold_ranges(line: Line) -> Line:
    """The line with ranges of numbers as one chunk."""
    return fold(line, _RANGE, _range)


def fold_references(line: Line) -> Line:
    """The line with sentences named by number as one chunk each, lists of them together."""
    line = fold(line, _BACK_ORDINAL, _back_ordinal)
    line = fold(line, _BY_ORDINAL, _by_ordinal)
    line = fold(line, _BY_NUMBER, _by_number)
    if re.search("[Rs6]", line.tags):
        line = fold(line, _ELLIPTIC, _elliptic)
    if "s" in line.tags:
        line = fold(line, _PREDICATED, _predicated)
    line = fold(line, _INSIDE, _inside)
    line = fold(line, _COUNTED if _BACKWARDS.search(line.prose) else _BACK_REFERENCE, _back_reference)
    return fold(line, _MERGED, _merged)


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, float | int) and value == int(value) else None


def _range(line: Line, match: re.Match[str]) -> Chunk | None:
    first = match.end("head")
    head = line.words(first - 1, first)
    low = _whole(line.chunks[first].value)
    high = _whole(line.chunks[match.end() - 1].value)
    joint = line.chunks[match.start("joint")].text
    if low is None or high is None or low > high or (match["head"] == "d" and head != "from"):
        return None
    if joint in ("or", "/"):
        if high - low != 1:
            return None
    elif joint == "and":
        if match["head"] != "5":
            return None
        if high - low >= _NARROW:
            # English leaves open whether the ends belong; without them both readings are satisfied.
            low, high = low + 1, high - 1
    elif joint == "up to":
        if head != "from":
            return None
    elif joint not in ("to", "-", "–", "—", "through", "thru", "until", "till"):
        return None
    elif head == "from" and re.search("[CG][^,b]{0,4}$", line.before(first)):
        return None  # "expand it from 300 to 500 words" goes from one to the other
    return joined(line, match.start(), match.end(), "r", Range(low, high))


def _numbers(line: Line, start: int, end: int) -> Named | None:
    """The numbers among some chunks."""
    numbers: set[int] = set()
    more = False
    at = start
    while at < end:
        chunk = line.chunks[at]
        tags = line.tags[at : min(at + 4, end)]
        step = 1
        if chunk.tag == "9":
            more = True
            step = 2 if tags[1:2] == "n" else 1
        elif chunk.tag == "r" and isinstance(chunk.value, Range):
            if chunk.value.high - chunk.value.low > _MOST:
                return None
            numbers.update(range(chunk.value.low, chunk.value.high + 1))
        elif chunk.tag in "on":
            low = high = _whole(chunk.value)
            if chunk.tag == "o" and tags.startswith("on"):
                high = _whole(line.chunks[at + 1].value)
                if low != 1:
                    return None
                step = 2
            elif ranged := re.match("o2d?o", tags):
                high, step = _whole(line.chunks[at + ranged.end() - 1].value), ranged.end()
            if low is None or high is None or not 1 <= low <= high or high - low > _MOST:
                return None
            numbers.update(range(low, high + 1))
        at += step
    return Named(tuple(sorted(numbers)), more) if numbers or more else None


def _by_ordinal(line: Line, match: re.Match[str]) -> Chunk | None:
    named = _numbers(line, match.start(), match.end())
    return joined(line, match.start(), match.end(), "R", named) if named else None


def _predicated(line: Line, match: re.Match[str]) -> Chunk | None:
    near = re.search("s[^,:b]{0,8}$", line.before(match.start()))
    return _by_ordinal(line, match) if near else None


_by_number = _elliptic = _by_ordinal


def _inside(line: Line, match: re.Match[str]) -> Chunk | None:
    joint, whole = line.chunks[match.start() + 1], line.chunks[match.end() - 1]
    if joint.text not in ("of", "in", "from", "on", "inside"):
        return None
    first = match.group().endswith("og") and line.chunks[match.end() - 2].value == 1
    if whole.tag == "P" or (match.group()[-2] in "eo9" and not first) or whole.text.startswith("paragraphs"):
        return joined(line, match.start(), match.end(), "P", None)
    return None


def _back_ordinal(line: Line, match: re.Match[str]) -> Chunk | None:
    """An ordinal counted from the end is like "last"; it shares that with those listed before it."""
    if not _FROM_END.fullmatch(line.words(match.start("back"), match.end())):
        return None
    if match["list"] and line.chunks[match.start()].value == 1:
        return None  # "the first and second to last": the first is never counted from the end
    return joined(line, match.start(), match.end(), "9", None)


def _back_reference(line: Line, match: re.Match[str]) -> Chunk | None:
    """Sentences counted from the end have no number without the text."""
    if match["back"] and not _FROM_END.fullmatch(line.words(match.start("back"), match.end())):
        return None
    return joined(line, match.start(), match.end(), "R", Named((), more=True))


def _merged(line: Line, match: re.Match[str]) -> Chunk:
    parts = [
        chunk.value for chunk in line.chunks[match.start() : match.end()] if isinstance(chunk.value, Named)
    ]
    numbers = tuple(sorted({number for part in parts for number in part.numbers}))
    return joined(line, match.start(), match.end(), "R", Named(numbers, any(part.more for part in parts)))
