"""Readability beside the original's: "two grades lower than now", "raise the reading ease by ten points"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Final, Literal

from redraft.constraints.kinds import ReadingFormula, RelativeReading
from redraft.errors import CallError
from redraft.text import CARDINALS, FormulaName, Span

from .clauses import is_demand, spaced
from .lexicon import WORDINGS

_FORMULAS: Final[tuple[FormulaName, ...]] = ("gunning fog", "smog", "coleman-liau", "ari", "dale-chall")
_EASE: Final = rf"(?:{WORDINGS['reading_ease']})"
_NAMED: Final = "|".join(WORDINGS[name.replace(" ", "_").replace("-", "_")] for name in _FORMULAS)
_NUMBER: Final = rf"(?:\d{{1,2}}(?:\.\d)?|an?|{'|'.join(sorted(CARDINALS, key=len, reverse=True))})"
_ABOUT: Final = r"(?:(?:maybe|perhaps|at least|about|around|roughly|say|some|by|a good|or so) ){0,3}"
_AMOUNT: Final = rf"{_ABOUT}(?P<amount>{_NUMBER})(?:(?:,| or| to| and|,? or| ?[-–])? ?{_NUMBER})?"
_GRADES: Final = r"(?:(?:school|reading|u\.?s\.?|full) )?(?:grade levels?|grades?|levels?|years?)"
_LEVEL: Final = r"(?:reading |grade )*(?:level|age|grade|difficulty)"
_TEXT: Final = rf"(?:it|this|(?:the|this|my|our|its) (?:text|{_LEVEL}))"
_LOWER: Final = r"(?:lower|drop|reduce|cut|bring|get|take|move|decrease)"
_RAISE: Final = r"(?:raise|increase|lift|boost|improve|bring up|get up|up)"
_MUST: Final = r"(?:should|must|needs? to|has to|ought to|can)"
_FALL: Final = r"(?:drop|fall|go down|come down|sink)"
_POINTS: Final = r"(?: (?:points?|grades?|levels?))"
_SCORE: Final = r"(?: (?:score|index|grade|level|value))?"
_BY_FORMULA: Final = (
    r"(?: (?:on|by|in|according to) (?:the )?[\w-]+(?: [\w-]+)?(?: (?:scale|index|formula|score|test))?)?"
)
_THAN: Final = r"(?: to read)?(?: than [^.,;!?]{1,20})?"
_EASIER: Final = (
    rf"\b{_LOWER} {_TEXT} (?:down )?{_AMOUNT} {_GRADES}{_BY_FORMULA}",
    rf"\b{_LOWER} (?:down )?{_TEXT} {_AMOUNT} {_GRADES}{_BY_FORMULA}",
    rf"\b(?:make|get|have) {_TEXT} (?:down )?{_AMOUNT} {_GRADES} (?:lower|easier|simpler){_THAN}",
    rf"{_AMOUNT} {_GRADES} (?:lower|easier|simpler|down){_THAN}",
)
_HARDER: Final = (
    rf"\b{_RAISE} {_TEXT} {_AMOUNT} {_GRADES}",
    rf"\b(?:make|get|have) {_TEXT} {_AMOUNT} {_GRADES} (?:higher|harder){_THAN}",
)
_FORMS: Final[tuple[tuple[Literal["easier", "harder"], str, str], ...]] = (
    *(("easier", "grade", form) for form in _EASIER),
    *(("harder", "grade", form) for form in _HARDER),
    ("easier", "ease", rf"\b{_RAISE} (?:the |its |our )?(?P<name>{_EASE}){_SCORE} {_AMOUNT}{_POINTS}?"),
    (
        "easier",
        "ease",
        rf"(?P<name>{_EASE}){_SCORE} {_MUST} (?:rise|go up|improve|increase) {_AMOUNT}{_POINTS}?",
    ),
    (
        "easier",
        "ease",
        rf"\b{_AMOUNT}(?: more)? points?(?: more| higher)? (?:of |on the |in the )?(?P<name>{_EASE})",
    ),
    ("harder", "ease", rf"\b{_LOWER} (?:the |its |our )?(?P<name>{_EASE}){_SCORE} {_AMOUNT}{_POINTS}?"),
    ("easier", "formula", rf"\b{_LOWER} (?:the |its |our )?(?P<name>{_NAMED}){_SCORE} {_AMOUNT}{_POINTS}?"),
    ("easier", "formula", rf"(?P<name>{_NAMED}){_SCORE} {_MUST} {_FALL} {_AMOUNT}{_POINTS}?"),
    ("harder", "formula", rf"\b{_RAISE} (?:the |its |our )?(?P<name>{_NAMED}){_SCORE} {_AMOUNT}{_POINTS}?"),
)
_MARKS: Final = re.compile(rf"(?i)\b(?:grades?|levels?|years?|points?|{_EASE}|{_NAMED})\b")


@cache
def _ways() -> tuple[tuple[Literal["easier", "harder"], str, re.Pattern[str]], ...]:
    """Compiled where something hints at them."""
    return tuple((way, of, spaced(form)) for way, of, form in _FORMS)


def find_relative_scores(text: str) -> Iterator[tuple[Span, RelativeReading]]:
    """The demands of a text, with their places.

    >>> [one.call for _, one in find_relative_scores("Bring it down by two grade levels.")]
    ['relative_reading_check(2, "easier")']
    """
    if not _MARKS.search(text):
        return
    for way, of, form in _ways():
        for match in form.finditer(text):
            amount = _value(match["amount"].lower())
            if amount and is_demand(text, match.start()):
                formula: ReadingFormula = "reading ease" if of == "ease" else _named(match)
                with suppress(CallError):
                    yield Span(*match.span()), RelativeReading(amount, way, formula)


def _value(said: str) -> float:
    if said[0].isdigit():
        return float(said)
    return 1.0 if said in ("a", "an") else float(CARDINALS[said])


def _named(match: re.Match[str]) -> FormulaName:
    said = match.groupdict().get("name") or ""
    wordings = ((name, WORDINGS[name.replace(" ", "_").replace("-", "_")]) for name in _FORMULAS)
    return next(
        (name for name, wording in wordings if re.fullmatch(wording, said, re.IGNORECASE)), "flesch-kincaid"
    )
