"""Whole numbers in digits and in words: which are written the other way, and how they should be.

Dates, years, times, decimals, shares, money, measures, versions, codes, the numbers of lists and references
are written in digits whatever the style, and are let alone; so are names, quotations, links and code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from redraft.text.borrowed import borrowed_spans
from redraft.text.entities import citations
from redraft.text.tagging import Tagged, tagged
from redraft.text.word_lists import CARDINALS, ORDINALS, word_sets, wordings
from redraft.text.words import Span

NumberStyle = Literal["digits", "words"]

_LISTS: Final = word_sets(__package__, "conventions.txt")
_WORDINGS: Final = wordings(__package__)
_MONTH: Final = _WORDINGS["month"]
_MOST: Final = 999_999
"""What is larger stays in digits."""
_UNITS: Final = {value: word for word, value in CARDINALS.items()}
_SCALES: Final = {"hundred": 100, "thousand": 1000}

_SMALL: Final = "|".join(sorted(CARDINALS, key=len, reverse=True))
_DIGITS: Final = re.compile(
    r"(?<![\w.,:/#@&$€£¥₹%°×^~*+=<>|§№'’(\[{\\-])(?<!\d[  ])"
    r"(?P<number>0|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d*)(?![\w/:%°×^*+=<>|&@'’)\]}–−\\]|[.,]\d)(?P<joint>-(?=[a-z]))?"
)
_WORDS: Final = re.compile(
    rf"(?<![\w'’-])(?P<number>(?i:(?:{_SMALL})(?:(?:-| and | )(?:{_SMALL}|hundred|thousand))*))"
    r"(?![\w'’]|-(?![a-z]))(?P<joint>-(?=[a-z]))?"
)
_BEFORE_DATE: Final = re.compile(rf"\b(?:{_MONTH})\.? $")
_AFTER_DATE: Final = re.compile(rf" (?:of )?(?:{_MONTH})\b")
_MEASURED: Final = re.compile(rf"[  -]?(?:{_WORDINGS['measure']})(?![\w])|[  ]?[$€£¥₹%‰]")
_CALCULATED: Final = re.compile(r" (?:[-+=<>×x*/÷≤≥≈]|by) (?=\d|\w)")
_AFTER_SIGN: Final = re.compile(r"(?:[-+=<>×*/÷≤≥≈]|\d x) $")
_PAIRED: Final = re.compile(r"\b(?:by|or) $")
_CLOCK: Final = re.compile(r" ?(?:[ap]\.?m\b|o['’]clock|hrs?\b|noon)|-?ish\b", re.IGNORECASE)
_AT: Final = re.compile(r"\b[Aa]t (?:about |around |exactly |roughly )?$")
_LABEL: Final = re.compile(r"(?P<label>[^\W\d_][\w.’'-]*?)\.? $")
_LABELLED: Final = re.compile(r"(?P<label>[^\W\d_]+)s (?=\d|$)(?:\d+(?:,|,? (?:and|or|to)|–|-) ?)*$")
_LIST_GOES_ON: Final = re.compile(
    r"[\w-]+(?:,|,? (?:and|or|to|through)|–|-(?=\d)) ?(?:\d|(?:" + _SMALL + r")\b)"
)
_LISTED: Final = re.compile(r"[.):](?:\s|$)")
_RANGED: Final = re.compile(r"\d ?[–—-] ?$")
_RANGE: Final = re.compile(r" ?[–—-] ?\d")
_NUMBER_BEFORE: Final = re.compile(r"\d,? \Z")
_NUMBER_BEHIND: Final = re.compile(r" \d")
_YEAR: Final = range(1100, 2101)
_NO_NOUN: Final = frozenset(
    (".", ",", ":", "IN", "CC", "TO", "-RRB-", "''", "RB", "WDT", "WP", "MD", "VBD", "DT", "PRP", "PRP$")
)
_ONE_BEFORE: Final = re.compile(
    r"(?i)\b(?:the|this|that|no|each|every|any|which|some|a|an|another|other|last|first|next|my|your|his|her"
    r"|our|their|its|such|only|big|little|new|old|good|by|as|or|all|is|was) $"
)
_ONE_BEHIND: Final = re.compile(rf"(?i) (?:{_WORDINGS['one_behind']})\b")
_FRACTION: Final = re.compile(
    r"(?i)[ -](?:half|halves|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?)\b"
)
_AND_PART: Final = re.compile(r"(?i) and (?:a half|(?:a|one|three) quarters?)\b(?!-)")
_PARTS: Final = {"a half": "5", "a quarter": "25", "one quarter": "25", "three quarters": "75"}
_ORDINAL: Final = re.compile(
    r"\b(?P<value>[1-9]|1\d|20)(?:st|nd|rd|th)\b"
    r"(?= (?:(?:and|or|to) \d+(?:st|nd|rd|th) )?(?P<next>[a-z][\w-]+))"
)
_NTH: Final = {value: word for word, value in ORDINALS.items() if "-" not in word}
_SCALED: Final = re.compile(r" (?P<scale>million|billion|trillion)\b")
_COMPOUND: Final = re.compile(rf"-(?:{_WORDINGS['counted_compound']})(?![a-z])")


class Renumbering(NamedTuple):
    """A number that is written otherwise, where it stands, and how it should be."""

    span: Span
    right: str


@lru_cache(maxsize=4096)
def renumberings(sentence: str, style: NumberStyle, below: int = 0) -> tuple[Renumbering, ...]:
    """The whole numbers below a limit (0: all that can be) that a style writes otherwise.

    >>> [one.right for one in renumberings("We sold 3 of 12 cars on 5 May.", "words", 10)]
    ['three']
    """
    made = _in_digits(sentence, below) if style == "words" else _in_words(sentence, below)
    others = [*borrowed_spans(sentence), *(Span(one.start, one.end) for one in citations(sentence))]
    found = sorted(made, key=lambda one: one.span.start)
    return tuple(one for one in found if not any(o.start <= one.span.start < o.end for o in others))


def spell_number(value: int) -> str:
    """A whole number in words.

    >>> spell_number(1205)
    'one thousand two hundred and five'
    """
    if value <= 20:
        return _UNITS[value]
    if value < 100:
        tens, rest = value - value % 10, value % 10
        return _UNITS[tens] + (f"-{_UNITS[rest]}" if rest else "")
    if value < 1000:
        tail = f" and {spell_number(value % 100)}" if value % 100 else ""
        return f"{_UNITS[value // 100]} hundred{tail}"
    rest = value % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{spell_number(value // 1000)} thousand" + (f"{joint}{spell_number(rest)}" if rest else "")


def _in_digits(sentence: str, below: int) -> Iterator[Renumbering]:
    for match in _DIGITS.finditer(sentence):
        value = int(match["number"].replace(",", ""))
        if value > _MOST or (below and value >= below) or (value in _YEAR and "," not in match["number"]):
            continue
        if _stays(sentence, match) or _SCALED.match(sentence, match.end("number")):
            continue
        right = spell_number(value)
        if _opens(sentence, match.start()):
            right = right[0].upper() + right[1:]
        yield Renumbering(Span(match.start("number"), match.end("number")), right)
    for match in _ORDINAL.finditer(sentence):
        value = int(match["value"])
        nth = _NTH.get(value) if value < (below or _MOST) else None
        behind = next((word.tag for word in _tags(sentence) if word.start == match.start("next")), "")
        if nth and behind.startswith(("NN", "JJ")) and not _BEFORE_DATE.search(sentence[: match.start()]):
            right = nth.capitalize() if _opens(sentence, match.start()) else nth
            yield Renumbering(Span(match.start(), match.end("value") + 2), right)


def _in_words(sentence: str, below: int) -> Iterator[Renumbering]:
    for match in _WORDS.finditer(sentence):
        value = _value(match["number"])
        if not value or (below and value >= below) or _stays(sentence, match, in_words=True):
            continue
        before = sentence[: match.start()]
        if _opens(sentence, match.start()) or not match["number"].islower():
            continue  # a sentence does not begin with a digit, and what has a capital is a name
        if _FRACTION.match(sentence, match.end("number")):
            continue
        if value == 1 and not _is_counted_one(sentence, match):
            continue
        if re.search(r"(?i)\b(?:hundred|thousand|million|billion|dozen)(?: and)? $", before):
            continue
        if part := _AND_PART.match(sentence, match.end("number")):  # "two and a half"
            right = f"{value:,}.{_PARTS[part[0][len(' and ') :].lower()]}"
            yield Renumbering(Span(match.start("number"), part.end()), right)
            continue
        yield Renumbering(Span(match.start("number"), match.end("number")), f"{value:,}")


def _stays(sentence: str, match: re.Match[str], *, in_words: bool = False) -> bool:
    """Whether a number is no plain count; in digits that of a measure stays: "5 km"."""
    before, end = sentence[: match.start()], match.end("number")
    behind = sentence[end:]
    if match["joint"]:
        return _COMPOUND.match(behind) is None
    if _BEFORE_DATE.search(before) or _AFTER_DATE.match(behind) or _CLOCK.match(behind):
        return True
    if _MEASURED.match(behind) and (not in_words or _PAIRED.search(before)):
        return True
    if _CALCULATED.match(behind) or _AFTER_SIGN.search(before):
        return True
    if _NUMBER_BEFORE.search(before) or _NUMBER_BEHIND.match(behind):
        return True  # two numbers in a row are told apart by how they are written
    if _RANGED.search(before) or _RANGE.match(behind) or _is_labelled(sentence, before):
        return True
    if not before.strip(" \t(") and _LISTED.match(behind):
        return True  # the number of an item, of a heading
    return bool(_AT.search(before)) and not _has_noun(sentence, end)


def _opens(sentence: str, start: int) -> bool:
    return not sentence[:start].strip(" \t\n\"'“‘(*_")


def _is_labelled(sentence: str, before: str) -> bool:
    """Whether the word before it is what it numbers: "page 7", "Windows 11"."""
    listed = _LABELLED.search(before)
    if listed and listed["label"].lower() in _LISTS["numbered"]:
        # "Seats 4 and 5", and not "the hall seats 80"
        return listed.end("label") + 2 < len(before) or _LIST_GOES_ON.match(sentence, len(before)) is not None
    found = _LABEL.search(before)
    if found is None:
        return False
    label = found["label"]
    if label.lower().rstrip(".") in _LISTS["numbered"]:
        return True
    if not label[0].isupper() or found.end("label") + 1 != len(before):
        return False
    if not _opens(sentence, found.start()):
        return label != "I"
    return label.isupper() and len(label) > 1


def _has_noun(sentence: str, end: int) -> bool:
    """Whether what is counted follows."""
    behind = next((word for word in _tags(sentence) if word.start >= end), None)
    return behind is not None and behind.tag not in _NO_NOUN


def _is_counted_one(sentence: str, match: re.Match[str]) -> bool:
    """Whether "one" counts: another number stands in the sentence, and a noun behind it."""
    before, behind = sentence[: match.start()], sentence[match.end("number") :]
    if match["joint"]:
        return True
    if _ONE_BEFORE.search(before) or _ONE_BEHIND.match(behind):
        return False
    tags = _tags(sentence)
    here = next((at for at, word in enumerate(tags) if word.start == match.start()), None)
    follows = here is not None and here + 1 < len(tags) and tags[here + 1].tag in ("NN", "JJ")
    others = [one for one in tags if one.tag == "CD" and one.start != match.start()]
    return follows and bool(others)


@lru_cache(maxsize=256)
def _tags(sentence: str) -> tuple[Tagged, ...]:
    return tuple(tagged(sentence))


def _value(words: str) -> int | None:
    """What a number in words is; None for two numbers in a row."""
    total = group = 0
    last = ""
    for word in re.split(r"[ -]+", words.lower()):
        if word == "and":
            if last != "scale":
                return None
            last = "and"
        elif word in _SCALES:
            if not group or (word == "hundred" and group >= 100):
                return None
            if word == "thousand":
                total, group = total + group * 1000, 0
            else:
                group *= 100
            last = "scale"
        else:
            value = CARDINALS[word]
            if not (last in ("", "scale", "and") or (last == "tens" and 0 < value < 10)):
                return None
            group += value
            last = "tens" if value >= 20 else "unit"
    return None if last == "and" else total + group
