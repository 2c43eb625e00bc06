"""Demands on the text as a whole: reading grade, things to preserve, patterns, no sentence twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.kinds import Pattern, Preserve, ReadingGrade, UniqueSentences
from redraft.constraints.kinds.preserve import What
from redraft.errors import CallError

from .chunks import WINDOW, Chunk, Found, Line, fold, joined
from .governors import governor

_ABOVE = r"at least|no lower than|not below|no less than|minimum(?: of)?|min|above|over|>=|≥|more than|or (?:above|higher|more|over|up)"
_BELOW = (
    r"at most|no (?:higher|more|greater) than|not (?:above|exceed|exceeding|over|higher than)|below|under|up to|<=|≤|<|"
    r"less than|lower than|maximum(?: of)?|max|within|or (?:below|lower|under|less|easier|simpler)|not to exceed|exceed"
)
_GRADE = re.compile(
    rf" (?:(?P<before>{_ABOVE}|{_BELOW}) )?(?:an? |the )?(?:"
    r"O grade(?:rs?)?(?= (?:reading|level|readers?|readability|audience|or|and|,|english|max|at most|student|understanding)|\s*$)"
    r"(?: reading| readability| english)?(?: level| readers?| audience)?"
    r"|O graders?"
    r"|(?:flesch kincaid |reading |readability |u\.s\. |us |school |fk ){0,3}(?:grade|level|score)(?: level| score)?"
    rf"(?: (?:of|is|should|must|be|stay|remain|has|to|not|at|a|the|:|=|needs|kept|keep|it|text|reads|grade)){{0,6}}(?: (?P<between>{_ABOVE}|{_BELOW}))?"
    r"(?: (?:grade|of|a|an|the|:|level)){0,3}(?: N| O)(?: grade)?(?: reading)?(?: level)?"
    rf")(?: ,?(?P<after>{_ABOVE}|{_BELOW}))?(?= )"
)
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
_THINGS = re.compile(r"[de]{0,3}N(?:[,&|]{1,2}[de]{0,3}N)*")
_PATTERN = re.compile(r"(?P<negation>[!0\-DZ][a-zA-Z20]{0,4})?(?P<verb>[MU])[dxwlv:2]{0,4}$")
_TWICE = re.compile(
    r" (?:(?:do not|never|without|avoid|no|not|stop|not to|refrain from)"
    r" (?:repeat|repeating|duplicate|duplicating|repeated|duplicated|identical|two identical|reuse|reusing)"
    r" (?:any|a|the same|the|your|whole|entire|of the|of your|any of the)?\s?(?:single |whole |entire )?sentences?"
    r"|(?:say|use|write|state|repeat) (?:no|any) sentence (?:twice|more than once|a second time|again)"
    r"|no sentences? (?:may|should|must|can|is to|shall|is|are|be|that)*\s?(?:to )?(?:be )?"
    r"(?:appear|appears|occur|occurs|be|repeat|repeats|repeated|said|stated|used|duplicated|come|show up)?"
    r"\s?(?:said |stated |used |repeated )?(?:twice|more than once|a second time|again|repeated|repeat|be repeated|duplicated)"
    r"|(?:the same sentence|any sentence|a sentence) (?:must|should|may) (?:not|never) (?:appear|occur|be used|be repeated|be said|repeat)(?: twice| more than once)?"
    r"|no (?:two sentences (?:may|should|must|can) be (?:identical|the same|alike)|two sentences alike|two identical sentences|duplicate sentences|repeated sentences)"
    r"|(?:each|every|all) sentences? (?:must|should|may|has to|have to|needs to)"
    r" (?:be unique|appear only once|occur only once|appear once|be distinct|be said only once|be used only once)"
    r"|sentences (?:must|should|may) not (?:be repeated|repeat)"
    r"|(?:do not|never) (?:say|use|write|state) (?:the same|any|a) sentence (?:twice|more than once|again)"
    r"|(?:remove|delete|avoid|eliminate) (?:any |all )?(?:duplicate|repeated|duplicated) sentences"
    r")(?= )"
)


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
        said = " ".join(filter(None, (match["before"], match["between"], match["after"])))
        relation: Literal["at most", "at least"] = (
            "at least" if re.search(_ABOVE, said) and not _not(line, start, end) else "at most"
        )
        number = values[0]
        value = _Grade(int(number) if number == int(number) else number, relation)
        chunks[start:end] = [joined(line, start, end, "$", value)]
    return Line(tuple(chunks), line.own)


def _not(line: Line, start: int, end: int) -> bool:
    return re.search(r"\bnot\b", line.words(start, end)) is not None and "least" not in line.words(start, end)


def _demanded(line: Line, start: int, match: re.Match[str]) -> bool:
    before, around = line.words(start - 2, start), line.words(start - 10, start + 15)
    if re.search(r"\b(?:my|our|their|currently|now)$", before) or "currently" in around:
        return False
    if match["after"] or re.search(
        r"grade (?:reading|level|or)|reading|flesch|kincaid|readab|grade level", match.group()
    ):
        return True
    if re.search(r"\b(?:read|understand|follow)\b", around) and "O grade" in match.group():
        return True
    return re.search(
        r"\b(?:by|for|to|at|of|a|an|below|under|in|level|most|keep|than|readable)$", before
    ) is not None and ("O grade" in match.group() or match["after"] is not None)


def fold_things(line: Line) -> Line:
    """The line with "all numbers and names" as one chunk."""
    return fold(line, _THINGS, _things)


def _things(line: Line, match: re.Match[str]) -> Chunk | None:
    found: list[What] = []
    every = "e" in match.group()
    for chunk in line.chunks[match.start() : match.end()]:
        if chunk.tag != "N":
            continue
        if chunk.text in _SINGULAR and not every:
            return None
        found.append(next(what for what, head in _WHAT if head.search(chunk.text)))
    if line.words(match.end(), match.end() + 1) in ("of", "to"):
        return None
    return joined(line, match.start(), match.end(), "E", tuple(dict.fromkeys(found)))


def whole_rules(line: Line) -> Iterator[Found]:
    """Every demand of these kinds in a line."""
    for at, chunk in enumerate(line.chunks):
        if chunk.tag == "$" and isinstance(chunk.value, _Grade):
            try:
                yield Found(ReadingGrade(chunk.value.number, chunk.value.relation), at, at + 1)
            except CallError:
                continue  # "grade 2019": no school grade
        elif chunk.tag == "E" and isinstance(chunk.value, tuple):
            yield from _preserved(line, at, chunk.value)
        elif chunk.tag == "p":
            yield from _pattern(line, at)
    for match in _TWICE.finditer(line.prose):
        yield Found(UniqueSentences(), *line.within(match))


def _preserved(line: Line, at: int, things: tuple[What, ...]) -> Iterator[Found]:
    verb = governor(line, at)
    if verb is None or (verb.verb in "KM") == verb.negated or verb.verb not in "KADVI8":
        return
    if verb.verb in "ADVI" and not verb.negated:
        return
    if verb.verb == "K" and verb.start < at and line.tags[at + 1 : at + 2] in tuple("xj"):
        return  # "keep names short" asks for something else
    for what in things:
        yield Found(Preserve(what), verb.start, verb.end)


def _pattern(line: Line, at: int) -> Iterator[Found]:
    offset = max(0, at - WINDOW)
    match = _PATTERN.search(line.tags[offset:at])
    if match is None:
        return
    relation: Literal["require", "forbid"] = "forbid" if match["negation"] else "require"
    try:
        yield Found(Pattern(str(line.chunks[at].value), relation), offset + match.start(), at + 1)
    except CallError:
        return  # no regular expression
