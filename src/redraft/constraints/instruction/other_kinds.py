"""Reading grades, facts to preserve, patterns, and that no sentence is repeated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Literal

from redraft.constraints.kinds import Pattern, Preserve, ReadingGrade, UniqueSentences
from redraft.constraints.kinds.content import What
from redraft.errors import CallError
from redraft.text import late_pattern

from .bounds import demanded
from .governors import Governor, governor
from .lexicon import WORDINGS, Tag
from .patterns import WINDOW, Chunk, Found, Line, fold, joined, pattern, tags

_ABOVE, _BELOW, _FILLER = (
    WORDINGS[name].replace(" ", r"\ ") for name in ("grade_above", "grade_below", "grade_filler")
)
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
# "a grade N to grade N reading level", "O to O grade", "reading grade between N and N"
_GRADES = re.compile(
    rf"""
    \ (?: (?:flesch\ kincaid|reading|readability|school)\  ){{0,3}}
    (?: (?:grade|level)(?:\ level)? (?: \ (?: {_FILLER} ) ){{0,6}}\  )?
    (?: (?P<ahead> between | from )\  )? (?: (?:an?|the)\  )? (?: grades?\  )? [NO] (?: \ grade )?
    \ (?P<joint> to | through | and | - | – | — )
    \ (?: (?:an?|the)\  )? (?: grades?\  )? [NO] (?: \ grade(?:s|rs?)? )?
    (?: \ reading )? (?: \ level )? (?=\ )
    """,
    re.VERBOSE,
)
# "My kid is in 5th grade", "she teaches 7th grade"
_SCHOOL = re.compile(
    r"\b(?:is|are|was|were|am|'s|started|entered|starting|entering|now|son|daughter) (?:\w+ )?(?:in|a|an)$"
    r"|\b(?:teach\w*|taught)$"
)
_UPWARDS = re.compile(_ABOVE, re.VERBOSE)


_Bound = tuple[float, Literal["at most", "at least"]]


@dataclass(frozen=True, slots=True)
class _Grade:
    bounds: tuple[_Bound, ...]


def fold_grades(line: Line) -> Line:
    """The line with reading grades as one chunk each, so that their numbers are not taken for lengths."""
    if not re.search("grade|reading level|kincaid", line.prose):
        return line
    return _fold(_fold(line, _GRADES, 2, _range), _GRADE, 1, _one_grade)


def _fold(
    line: Line,
    grades: re.Pattern[str],
    count: int,
    build: Callable[[Line, re.Match[str], list[float]], tuple[_Bound, ...]],
) -> Line:
    """The line with what matches, has so many numbers and is a demand as one chunk each."""
    chunks = list(line.chunks)
    for match in reversed(list(grades.finditer(line.prose))):
        start, end = line.within(match)
        numbers = [
            int(chunk.value) if chunk.value == int(chunk.value) else chunk.value
            for chunk in line.chunks[start:end]
            if chunk.tag in (Tag.NUMBER, Tag.ORDINAL) and isinstance(chunk.value, float | int)
        ]
        if (
            len(numbers) == count
            and _demanded(line, start, match)
            and (bounds := build(line, match, numbers))
        ):
            chunks[start:end] = [joined(line, start, end, Tag.GRADE, _Grade(bounds))]
    return replace(line, chunks=tuple(chunks))


def _range(line: Line, match: re.Match[str], numbers: list[float]) -> tuple[_Bound, ...]:
    """Both ends of a range; where it falls ("from grade 12 to grade 8"), the grade to come to."""
    if "grade" not in match.group() or (match["joint"] == "and") is not (match["ahead"] == "between"):
        return ()
    low, high = numbers
    return ((high, "at most"), (low, "at least")) if low < high else ((high, "at most"),)


def _one_grade(line: Line, match: re.Match[str], numbers: list[float]) -> tuple[_Bound, ...]:
    worded = next(filter(None, (match["after"], match["between"], match["before"])), "")
    at_least = _UPWARDS.fullmatch(worded) and not _not(line, *line.within(match))
    return ((numbers[0], "at least" if at_least else "at most"),)


def _not(line: Line, start: int, end: int) -> bool:
    around = line.words(start - 3, end)
    return re.search(r"\b(?:not|never|nothing)\b", around) is not None and "least" not in around


def _demanded(line: Line, start: int, match: re.Match[str]) -> bool:
    before, around = line.words_before(start), line.words(start - 10, start + 15)
    if _SCHOOL.search(before):
        return False
    if re.search(r"\b(?:my|our|their|currently|now)$", before) or "currently" in around:
        return False
    after = match.groupdict().get("after")
    if after or re.search(
        r"grade (?:reading|level|or|[NO] level)|reading|flesch|kincaid|readab|grade level", match.group()
    ):
        return True
    if re.search(r"readab|reading|flesch|kincaid", around):
        return True
    if "O grade" not in match.group():
        return False
    asked = r"\b(?:by|for|to|at|of|a|an|below|under|in|level|most|keep|than|readable)$"
    return bool(re.search(r"\b(?:read|understand|follow)\b", around) or re.search(asked, before))


def grade_rules(line: Line) -> Iterator[Found]:
    """Every reading grade that a line demands."""
    for at, chunk in enumerate(line.chunks):
        for number, relation in chunk.value.bounds if isinstance(chunk.value, _Grade) else ():
            with suppress(CallError):  # "grade 2019": no school grade
                yield Found(ReadingGrade(number, relation), at, at + 1)


_WHAT: tuple[tuple[What, re.Pattern[str]], ...] = (
    ("quotations", re.compile("quot")),
    ("entities", re.compile("name|entit|proper")),
    ("citations", re.compile("cit|referen")),
    ("links", re.compile("link|url|web")),
    ("numbers", re.compile("")),
)
_SINGULAR = frozenset(
    [
        *("number", "statistic", "quotation", "quote", "direct quote", "direct quotation", "citation"),
        *("link", "figure", "entity", "hyperlink", "url", "named entity"),
    ]
)
_NOT_ONE = ("no", "not a single", "not one", "no single")
_THINGS = pattern("[DET EACH]{0,3} DETAIL (JOINT{1,2} [DET EACH]{0,3} DETAIL)*")
# "every number must be there", "… has to be in the new version"; not "… must be in bold"
_THERE = re.compile(r"\b(?:there|present|in|in it|in the text|included|show up)$")
_THERE_ENDS = pattern("IN? [DET TEXT EACH]* (BREAK | $)")
_MUST = re.compile(rf"\b(?:{WORDINGS['has_to']})\b")
_KEEPING, _CHANGING = tags("KEEP OFF_LIMITS"), tags("CHANGE AVOID OTHER_VERB IMPROVE")
# Behind them: "… of the firm", "… to the shop"; not "… to stay"
_SOME = pattern("DET | TO (?![AUX ENSURE]* [CHANGE IMPROVE AVOID USE KEEP OTHER_VERB REMAIN])")
_PATTERN = pattern("""
    (negation: [NOT NO WITHOUT AVOID NOTHING] ([^MARKER] | TO | NO){0,4})? (verb: [MATCH USE])
    [DET OTHER WORD LABEL AUX COLON TO]{0,4} $
    """)


def fold_details(line: Line) -> Line:
    """The line with "all numbers and names" as one chunk."""
    return fold(line, _THINGS, _things)


def _things(line: Line, match: re.Match[str]) -> Chunk | None:
    found: list[What] = []
    every = Tag.EACH in match.group() or line.words(match.start() - 1, match.start()) in _NOT_ONE
    for chunk in line.chunks[match.start() : match.end()]:
        if chunk.tag != Tag.DETAIL:
            continue
        if chunk.text in _SINGULAR and not every:
            return None
        found.append(next(what for what, head in _WHAT if head.search(chunk.text)))
    some = _SOME.match(line.tags, match.end()) and line.words(match.end(), match.end() + 1) in ("of", "to")
    if some or pattern("[ORDINAL LAST] OTHER $").search(line.before(match.start())):
        return None  # "the second paragraph's numbers", "the links to the shop"
    return joined(line, match.start(), match.end(), Tag.DETAILS, tuple(dict.fromkeys(found)))


def preserve_rules(line: Line) -> Iterator[Found]:
    """Every demand of these kinds in a line."""
    for at, chunk in enumerate(line.chunks):
        if chunk.tag == Tag.DETAILS and isinstance(chunk.value, tuple):
            yield from _preserved(line, at, chunk.value)
        elif chunk.tag == Tag.PATTERN:
            yield from _pattern(line, at)


def _preserved(line: Line, at: int, things: tuple[What, ...]) -> Iterator[Found]:
    verb = governor(line, at)
    if verb is None:
        return
    if verb.verb not in (_CHANGING if verb.negated else _KEEPING) and not _is_there(line, at, verb):
        return
    otherwise = pattern("[OTHER ADJ BETWEEN] | IN [DET EACH OTHER ADJ]* OTHER").match(line.after(at))
    if verb.verb == Tag.KEEP and verb.start < at and otherwise:
        return  # "keep names short" asks for something else
    for what in things:
        yield Found(Preserve(what), verb.start, verb.end)


def _is_there(line: Line, at: int, verb: Governor) -> bool:
    """Whether the verb behind the details at a place says that they are to be there."""
    said = verb.verb == Tag.USE and not verb.negated and verb.end > at + 1
    words = line.words(at + 1, verb.end)
    if not said or not _THERE.search(words) or not _THERE_ENDS.match(line.tags, verb.end):
        return False
    return _MUST.search(words) is not None or demanded(line.words_before(at))


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


_HINT = re.compile(
    "twice|repeat|repet|duplicat|identical|same|unique|distinct|different|once|alike|again|recur"
    "|reus|time|copy"
)
"""One of these is in every wording; it spares the long pattern."""
# Not "no repeated sentence openings"
_TWICE = late_pattern(
    rf" (?:{WORDINGS['twice']})(?= )"
    r"(?! (?:opening|beginning|start|starter|opener|structure|pattern|length|ending|type|form)s?\b)"
)
# Behind a line about sentences: "Each one should appear only once."
_EACH_ONCE = late_pattern(
    rf" (?:each|every)(?: one)?(?: of them)? (?:{WORDINGS['modal']})"
    r" (?:appear|occur|be said|be used|come up)(?: only| just)? once(?= )"
)


def repeat_rules(line: Line) -> Iterator[Found]:
    """The demand that no sentence is said twice."""
    if _HINT.search(line.prose) is None:
        return
    if line.topic == Tag.SENTENCE and (match := _EACH_ONCE.search(line.prose)):
        yield Found(UniqueSentences(), *line.within(match))
    for match in _TWICE.finditer(line.prose):
        yield Found(UniqueSentences(), *line.within(match))
