"""Reading grades: "an 8th-grade reading level", "grade 8 or below", "readable by a sixth grader"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from redraft.constraints.kinds import ReadingGrade
from redraft.errors import CallError

from .chunks import Found, Line, joined

_ABOVE = r"""
    at\ least | no\ lower\ than | not\ below | no\ less\ than | minimum(?:\ of)? | min | above | over
  | >= | ≥ | more\ than
  | or\ (?:above|higher|more|over|up)
"""
_BELOW = r"""
    at\ most | no\ (?:higher|more|greater)\ than | not\ (?:above|exceed|exceeding|over|higher\ than) | below
  | under | up\ to | <= | ≤ | < | less\ than | lower\ than | maximum(?:\ of)? | max | within
  | not\ to\ exceed | exceed | no\ (?:harder|tougher|more\ difficult)\ than
  | (?:go|going|goes|get|rise|be)\ (?:above|over|beyond)
  | top | tops | go\ past | run\ over | any\ higher\ than | nothing\ (?:above|over|beyond)
  | or\ (?:below|lower|under|less|easier|simpler)
"""
_FILLER = r"""
    of | is | should | must | be | stay | remain | has | to | not | at | a | the | : | = | needs | kept
  | keep | it | text | reads | grade | stays | sits | sit | score
  | comes | come | out | in | level | can | may | cannot
"""
# In the prose of a line: "below an O grade reading level", "flesch kincaid grade should be at most N".
_GRADE = re.compile(
    rf"""
    \ (?: (?P<before> {_ABOVE} | {_BELOW} )\ )? (?: an?\  | the\  )?
    (?:
        O\ grade (?= \ (?:reading|level|readers?|readability|audience|or|and|,|english|max|at\ most) | \s*$ )
        (?: \ reading | \ readability | \ english )? (?: \ level | \ readers? | \ audience )?
      | O\ graders?
      | (?: (?:flesch\ kincaid|reading|readability|u\.s\.|us|school|fk)\  ){{0,3}}
        (?:grade|level|score) (?: \ level | \ score )?
        (?: \ (?: {_FILLER} ) ){{0,6}}
        (?: \ (?P<between> {_ABOVE} | {_BELOW} ) )?
        (?: \ (?:grade|of|a|an|the|:|level) ){{0,3}}
        \ [NO] (?: \ grade )? (?: \ reading )? (?: \ level )?
    )
    (?: \ ,?(?P<after> {_ABOVE} | {_BELOW} ) )? (?=\ )
    """,
    re.VERBOSE,
)
# "My kid is in 5th grade", "she teaches 7th grade"
_SCHOOL = re.compile(
    r"\b(?:is|are|was|were|am|'s|started|entered|starting|entering|now|son|daughter) (?:\w+ )?(?:in|a|an)$"
    r"|\b(?:teach\w*|taught)$"
)
_UPWARDS = re.compile(_ABOVE, re.VERBOSE)


@dataclass(frozen=True, slots=True)
class _Grade:
    number: float
    relation: Literal["at most", "at least"]


def fold_grades(line: Line) -> Line:
    """The line with reading grades as one chunk each, so that their numbers are not taken for lengths."""
    if "grade" not in line.prose and "reading level" not in line.prose:
        return line
    chunks = list(line.chunks)
    for match in reversed(list(_GRADE.finditer(line.prose))):
        start, end = line.within(match)
        values = [
            c.value for c in line.chunks[start:end] if c.tag in "no" and isinstance(c.value, float | int)
        ]
        if len(values) != 1 or not _demanded(line, start, match):
            continue
        said = next(filter(None, (match["after"], match["between"], match["before"])), "")
        relation: Literal["at most", "at least"] = (
            "at least" if _UPWARDS.fullmatch(said) and not _not(line, start, end) else "at most"
        )
        number = values[0]
        value = _Grade(int(number) if number == int(number) else number, relation)
        chunks[start:end] = [joined(line, start, end, "$", value)]
    return replace(line, chunks=tuple(chunks))


def _not(line: Line, start: int, end: int) -> bool:
    around = line.words(start - 3, end)
    return re.search(r"\b(?:not|never|nothing)\b", around) is not None and "least" not in around


def _demanded(line: Line, start: int, match: re.Match[str]) -> bool:
    before, around = line.words_before(start), line.words(start - 10, start + 15)
    if _SCHOOL.search(before):
        return False
    if re.search(r"\b(?:my|our|their|currently|now)$", before) or "currently" in around:
        return False
    if match["after"] or re.search(
        r"grade (?:reading|level|or)|reading|flesch|kincaid|readab|grade level", match.group()
    ):
        return True
    if re.search(r"readab|reading|flesch|kincaid", around):
        return True
    if re.search(r"\b(?:read|understand|follow)\b", around) and "O grade" in match.group():
        return True
    return re.search(
        r"\b(?:by|for|to|at|of|a|an|below|under|in|level|most|keep|than|readable)$", before
    ) is not None and ("O grade" in match.group() or match["after"] is not None)


def grade_rules(line: Line) -> Iterator[Found]:
    """Every reading grade that a line demands."""
    for at, chunk in enumerate(line.chunks):
        if isinstance(chunk.value, _Grade):
            try:
                yield Found(ReadingGrade(chunk.value.number, chunk.value.relation), at, at + 1)
            except CallError:
                continue  # "grade 2019": no school grade
