"""Scores of readability by a formula that is named: "a Gunning fog index of at most 10"."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from typing import Final, Literal

from redraft.constraints.base import Constraint
from redraft.constraints.kinds import ReadingEase, ReadingGrade
from redraft.errors import CallError
from redraft.text import FormulaName

from .lexicon import WORDINGS, Tag
from .patterns import Line, Read, joined

_Relation = Literal["at most", "at least"]
_NAMES: Final[dict[str, str]] = {
    name: WORDINGS[name.replace(" ", "_").replace("-", "_")]
    for name in ("reading ease", "gunning fog", "smog", "coleman-liau", "ari", "dale-chall")
}
_UP, _DOWN, _FILLER = (WORDINGS[name] for name in ("score_above", "score_below", "grade_filler"))
_NAME: Final = "|".join(_NAMES.values())
_RELATION: Final = rf"(?:{_UP}|{_DOWN})"
_NUMBER: Final = r"N(?P<plus> \+)?(?: (?:to|and|-|–|—) N)?"
# "a reading ease of at least N", "at least N on the Flesch scale", "N to N"
_NAMED: Final = re.compile(
    rf" (?:(?P<ahead>{_RELATION}) )?(?:(?:an?|the) )?(?P<name>{_NAME})"
    rf"(?P<filler>(?: (?:{_FILLER}|down|brought|raised|down to)){{0,6}}?)"
    rf"(?: (?P<between>{_RELATION}))?(?: (?:an?|the|of|between|from)){{0,2}} {_NUMBER}"
    rf"(?: (?P<behind>{_RELATION}))?(?= )"
)
_SCORED: Final = re.compile(
    rf"(?: (?:(?:make )?(?:it|this|the text) )?scor(?:e|es|ing))?(?: (?P<between>{_RELATION}))?"
    rf"(?: (?:an?|the|of|between|from)){{0,2}} {_NUMBER}(?: (?P<behind>{_RELATION}))?"
    rf" (?:(?:on|by|in|for|with|at|according to) )?(?:(?:the|an?) )?(?P<name>{_NAME})(?= )"
)
# "we test with the Gunning fog index, and it has to be N or lower"; "… index. It must not exceed N."
_TESTED: Final = re.compile(
    rf" (?P<name>{_NAME}|flesch kincaid(?: grade| level| score| index| test| formula)*)"
    r"(?= )(?!(?: \S+){1,3} N )"
)
_IT: Final = re.compile(
    rf" (?:{WORDINGS['the_score']}) (?P<filler>(?:{WORDINGS['score_must']})"
    rf"(?: (?:{_FILLER}|down|brought|raised|come|land|get|fall|score|under|us)){{0,5}}?)"
    rf"(?: (?P<between>{_RELATION}))?(?: (?:an?|the|of|a score of)){{0,2}}"
    rf" N(?P<plus> \+)?(?: (?P<behind>{_RELATION}))?"
    r"(?= (?:$|[,:()–—-]|(?:and|but|so|please|for|because|since|or|on|in|at most|throughout)\b))"
)
_REACH: Final = 160
"""So many characters behind the name of a formula its score may be spoken of."""
_TOLD: Final = re.compile(r"\b(?:currently|now|already|at the moment|was|were|had|got|gives|gave|shows?)\b")
_OWN: Final = re.compile(r"\b(?:my|our|its|their|current|present|(?:it|text|draft) has)(?: an?| the)? ?\Z")
_SAID: Final = re.compile(r"\b(?:is|has|comes|sits|stays|reads)\b")
_ASKED: Final = re.compile(r"\b(?:should|must|needs?|to|sure|ensure|that|so|keep|may|can|cannot|has to)\b")
_NOT: Final = re.compile(r"\b(?:not|never|cannot)\b")
_MARKS: Final = re.compile(r"\b(?:fog|smog|liau|ari|automated readability|chall|flesch|reading ease)\b")


def fold_scores(line: Line) -> Line:
    """The line with each score as one chunk, so that its number is not taken for a grade or a length."""
    for wording in (_NAMED, _SCORED) if _MARKS.search(line.prose) else ():
        chunks = list(line.chunks)
        for match in reversed(list(wording.finditer(line.prose))):
            start, end = line.within(match)
            if constraints := _constraints(line, match, start, end):
                chunks[start:end] = [joined(line, start, end, Tag.GRADE, Read(constraints))]
        line = replace(line, chunks=tuple(chunks))
    return _fold_said_of_it(line)


def _fold_said_of_it(line: Line) -> Line:
    """The line with the score that is said of "it", where a formula was named before."""
    match = _IT.search(line.prose)
    if match is None:
        return line
    named = _last_formula(line.prose[max(0, match.start() - _REACH) : match.start()] + " ")
    if named is None and line.ahead is not None:
        named = _last_formula(line.ahead.prose[-_REACH:])
    start, end = line.within(match)
    made = _constraints(line, match, start, end, named) if named else ()
    if not made:
        return line
    chunk = joined(line, start, end, Tag.GRADE, Read(made))
    return replace(line, chunks=(*line.chunks[:start], chunk, *line.chunks[end:]))


def _last_formula(prose: str) -> str | None:
    """The formula that some words name last, and give no score of."""
    found = list(_TESTED.finditer(prose))
    return found[-1]["name"] if found else None


def _constraints(
    line: Line, match: re.Match[str], start: int, end: int, named: str | None = None
) -> tuple[Constraint, ...]:
    numbers = [
        float(chunk.value)
        for chunk in line.chunks[start:end]
        if chunk.tag == Tag.NUMBER and isinstance(chunk.value, float | int)
    ]
    before, said = line.words_before(start), match.group()
    groups = match.groupdict()
    filler = groups.get("filler") or ""
    relation = next(filter(None, (groups.get(one) for one in ("behind", "between", "ahead"))), "")
    if (
        not numbers
        or _OWN.search(before)
        or _TOLD.search(f"{' '.join(before.split()[-3:])} {said} {line.words_after(end - 1)}")
    ):
        return ()
    if _SAID.search(filler) and not (relation or _ASKED.search(f"{before} {filler}")):
        return ()
    said_name = named or match["name"]
    name = next((name for name, words in _NAMES.items() if re.fullmatch(words, said_name)), "flesch-kincaid")
    if len(numbers) == 2:
        low, high = sorted(numbers)
        return (*_made(name, low, "at least"), *_made(name, high, "at most"))
    denied = _NOT.search(f"{' '.join(before.split()[-2:])} {filler}") and not _NOT.search(relation)
    return _made(name, numbers[0], _way(name, relation, match["plus"], bool(denied)))


def _way(name: str, relation: str, plus: str | None, denied: bool) -> _Relation:
    """At least for ease, at most for grades, unless something else is said."""
    if not relation:
        return "at least" if plus or name == "reading ease" else "at most"
    if relation == "up to" and name == "reading ease":
        return "at least"  # "bring it up to 60"
    is_up = re.fullmatch(_UP, relation) is not None
    return "at least" if is_up is not denied else "at most"


def _made(name: str, number: float, relation: _Relation) -> tuple[Constraint, ...]:
    formulas: dict[str, FormulaName] = {
        "gunning fog": "gunning fog", "smog": "smog", "coleman-liau": "coleman-liau", "ari": "ari",
        "dale-chall": "dale-chall", "flesch-kincaid": "flesch-kincaid",
    }  # fmt: skip
    with suppress(CallError):  # "the fog of 1812": no score
        if name == "reading ease":
            return (ReadingEase(number, relation),)
        return (ReadingGrade(number, relation, formulas[name]),)
    return ()
