"""Reading grades, facts to preserve, patterns, and that no sentence is repeated."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from redraft.constraints.instruction.chunks import WINDOW, Chunk, Found, Line, fold, joined
from redraft.constraints.instruction.governors import governor
from redraft.constraints.kinds import Pattern, Preserve, ReadingGrade, UniqueSentences
from redraft.constraints.kinds.content import What
from redraft.errors import CallError

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


_WHAT: tuple[tuple[What, re.Pattern[str]], ...] = (
    ("quotations", re.compile("quot")),
    ("entities", re.compile("name|entit|proper")),
    ("citations", re.compile("cit|referen")),
    ("links", re.compile("link|url|web")),
    ("numbers", re.compile("")),
)
_SINGULAR = frozenset(
    ["number", "quotation", "citation", "link", "figure", "entity", "hyperlink", "url", "named entity"]
)
_NOT_ONE = ("no", "not a single", "not one", "no single")
_THINGS = re.compile(r"[de]{0,3}N(?:[,&|]{1,2}[de]{0,3}N)*")
# Behind them: "… of the firm", "… to the shop"; not "… to stay"
_SOME = re.compile("d|2(?![vm]*[AIDUKVy])")
_PATTERN = re.compile(r"(?P<negation>[!0\-DZ][a-zA-Z20]{0,4})?(?P<verb>[MU])[dxwlv:2]{0,4}$")


def fold_things(line: Line) -> Line:
    """The line with "all numbers and names" as one chunk."""
    return fold(line, _THINGS, _things)


def _things(line: Line, match: re.Match[str]) -> Chunk | None:
    found: list[What] = []
    every = "e" in match.group() or line.words(match.start() - 1, match.start()) in _NOT_ONE
    for chunk in line.chunks[match.start() : match.end()]:
        if chunk.tag != "N":
            continue
        if chunk.text in _SINGULAR and not every:
            return None
        found.append(next(what for what, head in _WHAT if head.search(chunk.text)))
    some = _SOME.match(line.tags, match.end()) and line.words(match.end(), match.end() + 1) in ("of", "to")
    if some or re.search("[o9]x$", line.before(match.start())):
        return None  # "the second paragraph's numbers", "the links to the shop"
    return joined(line, match.start(), match.end(), "E", tuple(dict.fromkeys(found)))


def preserve_rules(line: Line) -> Iterator[Found]:
    """Every demand of these kinds in a line."""
    for at, chunk in enumerate(line.chunks):
        if chunk.tag == "E" and isinstance(chunk.value, tuple):
            yield from _preserved(line, at, chunk.value)
        elif chunk.tag == "p":
            yield from _pattern(line, at)


def _preserved(line: Line, at: int, things: tuple[What, ...]) -> Iterator[Found]:
    verb = governor(line, at)
    if verb is None or verb.verb not in "KADVI8" or verb.negated != (verb.verb in "ADVI"):
        return
    if verb.verb == "K" and verb.start < at and re.match("[xj5]|i[dexj]*x", line.after(at)):
        return  # "keep names short" asks for something else
    for what in things:
        yield Found(Preserve(what), verb.start, verb.end)


def _pattern(line: Line, at: int) -> Iterator[Found]:
    offset = max(0, at - WINDOW)
    match = _PATTERN.search(line.before(at))
    if match is None:
        return
    relation: Literal["require", "forbid"] = "forbid" if match["negation"] else "require"
    try:
        yield Found(Pattern(str(line.chunks[at].value), relation), offset + match.start(), at + 1)
    except CallError:
        return  # no regular expression


_MODAL = (
    r"(?:may|should|must|can|shall|has\ to|have\ to|needs\ to|need\ to|is\ to|are\ to|is|are|will|ought\ to)"
)
_AGAIN = r"(?:twice|more\ than\ once|a\ second\ time|again|two\ times|N\ times)"
_SAY = r"(?:say|use|write|state|repeat|reuse|have|include)"
_TWIN = r"(?:duplicate|duplicated|repeated|repeating|identical|recurring|redundant\ duplicate)"
_SAME = (
    r"(?:identical|the\ same|alike|word\ for\ word\ the\ same|exactly\ the\ same|duplicates|the\ exact\ same)"
)
_ANOTHER = r"(?:(?:one|N)\ another|each\ other|the\ others|the\ rest)"
_OTHER = rf"(?:unique|distinct|different(?:\ from\ {_ANOTHER})?|one\ of\ a\ kind)"
_NOT = r"(?:do\ not|never|without|avoid|no|not|stop|not\ to|refrain\ from|not\ any|free\ of|free\ from)"
_TWO = r"(?:two|N)"
_HINT = re.compile(
    "twice|repeat|repet|duplicat|identical|same|unique|distinct|different|once|alike|again|recur"
    "|reus|time|copy"
)
"""One of these is in every wording; it spares the long pattern."""
_TWICE = re.compile(
    rf"""
    \ (?:
        {_NOT} \ (?:repeat|duplicate|reuse|identical|{_TWO}\ identical)(?:ing|ed|d)?
        (?:\ (?:any|a|the|the\ same|your|of\ the|of\ your|any\ of\ the))?
        (?:\ (?:single|whole|entire|complete|full))?
        \ sentences?
      | (?:avoid|without|no|stop|not) \ (?:repeating|duplicating|reusing)
        (?:\ (?:any|a|the\ same|the|whole))? \ sentences?
      | {_SAY} \ (?:no|any) \ sentence \ {_AGAIN}
      | (?:do\ not|never|not|avoid|without) \ (?:{_SAY}|saying|using|writing|repeating|having)
        \ (?:(?:the\ same|the\ exact\ same) \ sentence (?:\ {_AGAIN})? | (?:any|a) \ sentence \ {_AGAIN})
      | (?:no|not\ (?:a|one)\ single|not\ one|none\ of\ the|not\ a\ single) \ sentences? (?:\ {_MODAL})?
        (?:\ (?:be|get|ever))?
        (?:\ (?:appears?|occurs?|said|stated|used|comes?|come\ up|show\ up|shows\ up|printed|written|there))?
        \ (?: {_AGAIN} | repeated | repeats? | be\ repeated | is\ repeated | duplicated | recurs? )
      | no\ sentence (?:\ {_MODAL})? (?:\ be)? \ (?:a\ )? (?:duplicate|repeat|repetition|copy) \ of
        \ (?:another|any)
      | (?:the\ same|any|a|any\ one) \ sentence \ {_MODAL} \ (?:not|never)
        \ (?:appear|occur|be\ used|be\ repeated|be\ said|repeat|show\ up|come\ up) (?:\ {_AGAIN})?
      | no\ {_TWO}\ (?:sentences|of\ them) (?:\ {_MODAL})? (?:\ be)?
        (?:\ (?:read|say|that\ are|which\ are))? \ {_SAME}
      | no\ {_TWO} \ (?:alike|identical|the\ same)
      | (?:no|not\ any|not\ have\ any|not\ contain\ any|not\ be\ any|not\ include\ any|without
        |without\ any|free\ of)
        (?:\ {_TWO})? \ {_TWIN} \ sentences
      | no \ (?:sentence|sentences) \ {_TWIN}
      | (?:no|without|avoid) (?:\ any)? \ (?:duplicates?|duplication|repeats|repetitions?) \ of
        (?:\ (?:any|a|whole|entire|the|the\ same))* \ sentences?
      | (?:each|every|all|all\ of\ the|all\ the|each\ of\ the|each\ and\ every|every\ single|your|the)
        (?:\ the)? \ sentences? (?:\ {_MODAL})? (?:\ (?:be|only|all|each|also|itself))*
        \ (?: {_OTHER}
            | (?:appears?|occurs?|be\ said|be\ used|said|used|is\ used|show\ up)
              \ (?:only\ |just\ |exactly\ )?once )
      | (?:each|every|all)(?:\ (?:one|N))? (?:\ of)?(?:\ (?:them|which))? (?:\ {_MODAL})? (?:\ be)?
        \ different\ from
        \ (?:(?:one|N)\ another|each\ other|the\ others|the\ rest)
      | sentences (?:\ that)? \ {_MODAL}
        \ (?: not\ (?:be\ repeated|repeat|recur|be\ duplicated|be\ identical) |
        (?:be|all\ be|all|each\ be)\ {_OTHER} )
      | (?:unique|distinct) \ sentences \ (?:only|throughout)
      | only \ (?:unique|distinct) \ sentences
      | (?:remove|delete|avoid|eliminate|get\ rid\ of|drop|cut|cut\ out|take\ out|weed\ out|strike
        |purge|omit|skip|ditch)
        (?:\ (?:any|all|the|every))? \ (?:duplicate|repeated|duplicated|repeat|identical) \ sentences?
    )(?=\ )
    """,
    re.VERBOSE,
)
# Behind a line about sentences: "Each one should appear only once."
_EACH_ONCE = re.compile(
    rf"""
    \ (?:each|every) (?:\ one)? (?:\ of\ them)? \ {_MODAL}
    \ (?:appear|occur|be\ said|be\ used|come\ up) (?:\ only|\ just)? \ once (?=\ )
    """,
    re.VERBOSE,
)


def repeat_rules(line: Line) -> Iterator[Found]:
    """The demand that no sentence is said twice."""
    if _HINT.search(line.prose) is None:
        return
    if line.topic == "s" and (match := _EACH_ONCE.search(line.prose)):
        yield Found(UniqueSentences(), *line.within(match))
    for match in _TWICE.finditer(line.prose):
        yield Found(UniqueSentences(), *line.within(match))
