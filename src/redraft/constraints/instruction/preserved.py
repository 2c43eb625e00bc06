"""Things that must be preserved (numbers, names, links), and patterns that are required or forbidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from redraft.constraints.kinds import Pattern, Preserve
from redraft.constraints.kinds.preserve import What
from redraft.errors import CallError

from .chunks import WINDOW, Chunk, Found, Line, fold, joined
from .governors import governor

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
