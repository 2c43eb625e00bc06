"""Reductions: phrases that say nothing or say it twice, and what a careful editor writes for them.

Nothing that a sentence claims goes with them: they are what is cut first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from redraft.revision.records import Reason
from redraft.revision.rewriting.edits import Replacement, cased_like
from redraft.text import Syntax, count_words, list_lines

_COST: Final = 0.2
AND_THAT: Final = re.compile(r",? (?:and|but) (?P<that>that )(?=\w)")
_BARE_JOINT: Final = re.compile(r"(?<!,)( (?:and|but) )\Z")
_NAME: Final = re.compile(r"\{\w+\}")
_POSSESSIVE: Final = re.compile(
    r"\b(?P<first>the (?:[a-z]+ ){1,3})of (?P<owner>the [A-Z][a-z]+|(?:Mr|Ms|Mrs|Dr) [A-Z]\w+)"
    r"(?=[.,;]|\Z| (?:and|or|to|in|on|by|within|before|after|unless)\b)"
)


_HOURS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_HOUR: Final = re.compile(
    r"(?i)\b(?:at|until|till|before|after|(?:from|to|by|about|around)(?= \w+ o['’]clock)) "
    rf"(?P<said>(?P<hour>{'|'.join(_HOURS)}|1[01]|[1-9])(?: o['’]clock)? "
    r"(?:(?P<am>in the morning)|in the (?:afternoon|evening)|at night))"
    r"(?=[.,;:]|\Z| (?:and|or|to|until|till|on|with|but|every|each|from|for|when|because|by)\b)"
)
_EVENING: Final = 8
_MIDNIGHT: Final = 12
_STRAY_THAT: Final = re.compile(
    r"(?P<joint>,? (?:and|but)) that "
    r"(?=(?:you|we|they|it|he|she|I|the|an?|this|these|no|all|there|your|our)\b)"
)


def has_stray_that(text: str) -> bool:
    """Whether a clause begins with "and that" and no "that" came before it."""
    found = _STRAY_THAT.search(text)
    return found is not None and " that " not in text[: found.start()]


def without_stray_that(text: str) -> str:
    """The text with such a "that" gone: "It works, and that you can see it" is no sentence."""
    return _STRAY_THAT.sub(r"\g<joint> ", text, count=1) if has_stray_that(text) else text


class _Reduction(NamedTuple):
    pattern: re.Pattern[str]
    new: str


def _table() -> list[_Reduction]:
    names: dict[str, str] = {}
    found: list[_Reduction] = []
    for line in list_lines(__package__, "reductions.txt"):
        if " => " not in line and " = " in line:
            name, words = line.split(" = ")
            names[name] = words
            continue
        said, new = line.rsplit("=>", 1)
        said = _NAME.sub(lambda match: names[match[0]], said.strip())
        start = r"\A" if said.startswith("^") else "" if said.startswith(",") else r"(?<![\w-])"
        said = said.removeprefix("^")
        # A pattern may end with a space: then nothing else has to follow.
        pattern = re.compile(rf"(?i){start}(?:{said})(?:(?<=\W)|(?![\w-]))")
        found.append(_Reduction(pattern, new.strip().removeprefix("-")))
    return found


_REDUCTIONS: Final = _table()


def reductions(parts: Syntax) -> Iterator[Replacement]:
    """What can be said in fewer words with nothing lost."""
    text = parts.text
    made = (_reduced(text, match, one.new) for one in _REDUCTIONS for match in one.pattern.finditer(text))
    for one in chain(made, _possessives(text), _hours(text)):
        if count_words(one.new) < count_words(text[one.start : one.end]):
            yield one


def _reduced(text: str, match: re.Match[str], template: str) -> Replacement:
    group = "cut" if "cut" in match.re.groupindex else 0
    start, end = match.span(group)
    said, new = match[group], match.expand(template) if template else ""
    new = cased_like(said, new)
    if new and said.endswith(" "):
        new += " "
    if new and said.startswith(",") and new[0].isalnum():
        new = f" {new}"
    bare = said.endswith("that") and " that " not in text[:start].lower()
    if bare and (again := AND_THAT.search(text, end)):
        # "It should be noted that A, and that B": neither "that" has anything before it any more.
        between = _BARE_JOINT.sub(r",\1", text[end : again.start("that")])
        new = f"{new} {between.lstrip()}".lstrip()
        end = again.end()
    return Replacement(
        start, end, new, Reason("replace" if new else "omit", said.strip(" ,"), new.strip()), _COST
    )


def _hours(text: str) -> Iterator[Replacement]:
    """ "at nine o'clock in the morning" as "at 9 am"."""
    for match in _HOUR.finditer(text):
        hour = match["hour"].lower()
        number = hour if hour.isdecimal() else _HOURS.index(hour) + 1
        if match["said"].endswith("night") and not _EVENING <= int(number) < _MIDNIGHT:
            continue  # two at night is early in the morning
        new = f"{number} {'am' if match['am'] else 'pm'}"
        yield Replacement(*match.span("said"), new, Reason("replace", match["said"], new), _COST)


def _possessives(text: str) -> Iterator[Replacement]:
    """ "the prior consent of the Discloser" as "the Discloser's prior consent"."""
    for match in _POSSESSIVE.finditer(text):
        owner = match["owner"]
        ending = "'" if owner.endswith("s") else "'s"
        new = f"{owner}{ending} {match['first'].removeprefix('the ').strip()}"
        yield Replacement(*match.span(), new, Reason("replace", match[0], new), _COST)
