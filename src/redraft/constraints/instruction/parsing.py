"""From an instruction to its constraints, their places and its style part."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from redraft.constraints.base import Constraint
from redraft.constraints.kinds import SentenceModification
from redraft.constraints.registry import all_kinds
from redraft.text import Span

from .anaphora import resolve
from .chunks import Found, Line, chunked
from .counts import count_rules, fold_bounds
from .grades import fold_grades, grade_rules
from .keywords import fold_keywords, keyword_rules
from .particles import fold_additions, tag_particles
from .preserved import fold_things, preserve_rules
from .references import Named, fold_ranges, fold_references
from .relations import fold_frequencies
from .repeats import repeat_rules
from .sentences import keeps_rest, rewrites, sentence_rules
from .style import remainder
from .tokens import Token, bullets, tokenize
from .unquoted import fold_unquoted
from .waivers import waived

_RULES = (sentence_rules, keyword_rules, count_rules, grade_rules, preserve_rules, repeat_rules)
_PASTED = re.compile(r":[ \t]*\r?\n")
_PASTED_LENGTH = 300
_LONGEST_HEADING = 20


@dataclass(frozen=True)
class Instruction:
    """What an instruction demands: constraints that can be checked, and the rest."""

    text: str
    constraints: tuple[Constraint, ...]
    """In the order in which they are said, each once."""
    places: tuple[Span, ...]
    """Where each was read."""
    style: str
    """What no constraint says ("make it friendlier"), tidied; empty if there is nothing."""


def parse(text: str) -> Instruction:
    """Read an instruction in plain English."""
    own, pasted = _without_pasted(text)
    lines: list[Line] = []
    for tokens, start in _lines(own):
        line = _folded(chunked(tokens, start, lines[-1] if lines else None), own)
        lines.append(resolve(line))
    found = [_rules(line) for line in lines]
    _across(lines, found)
    read: dict[Constraint, Span] = {}
    for line, items in zip(lines, found, strict=True):
        for item in items:
            span = Span(line.chunks[item.start].start, line.chunks[item.end - 1].end)
            read.setdefault(item.constraint, span)
    style = remainder(own, lines, found)
    for span, constraint in _foreign(own, read.values()):
        if constraint not in read:
            read[constraint] = span
            style = style.replace(own[span.start : span.end], " ").strip(" ,.;:")
    ordered = sorted(read.items(), key=lambda item: item[1].start) if _late(read) else list(read.items())
    style = " ".join(filter(None, (style, pasted.strip())))
    return Instruction(text, tuple(c for c, _ in ordered), tuple(s for _, s in ordered), style)


def _late(read: dict[Constraint, Span]) -> bool:
    """Whether a constraint was read after one that is said later."""
    starts = [span.start for span in read.values()]
    return starts != sorted(starts)


def _without_pasted(text: str) -> tuple[str, str]:
    """The instruction, and the text to revise where somebody has pasted it behind "…:" and a new line."""
    match = _PASTED.search(text)
    if match is None:
        return text, ""
    rest = text[match.end() :]
    paragraphs = rest.strip().split("\n")
    if bullets("\n" + rest) or len(rest) < _PASTED_LENGTH or max(map(len, paragraphs)) < _PASTED_LENGTH / 2:
        return text, ""
    return text[: match.end()], rest


def _lines(text: str) -> Iterable[tuple[list[Token], int]]:
    """The tokens of each line, those of a heading with its verb ("Avoid:") included, and where it begins."""
    items = bullets(text)
    heading: list[Token] = []
    end = 0
    for tokens in tokenize(text):
        start = tokens[0].start
        item = start in items or (bool(heading) and ";" in text[end:start])
        end = tokens[-1].end
        yield ([*heading, *tokens] if item else tokens), start
        if not item:
            heading = _heading(tokens)


def _heading(tokens: list[Token]) -> list[Token]:
    """What a line says of the items behind it: "Avoid:", or "make sure that:" with the first of them."""
    for at, token in enumerate(tokens[:_LONGEST_HEADING]):
        if token.text == ":" and (at + 1 == len(tokens) or tokens[at - 1].text in ("that", "sure", "ensure")):
            return tokens[: at + 1]
    return []


def _folded(line: Line, text: str) -> Line:
    line = fold_grades(fold_additions(line))
    line = fold_ranges(line)
    line = fold_unquoted(line, text)
    line = fold_frequencies(line)
    line = tag_particles(fold_keywords(line))
    line = fold_references(line)
    line = fold_things(line)
    return fold_bounds(line)


def _rules(line: Line) -> list[Found]:
    found = [found for rules in _RULES for found in rules(line) if not waived(line, found)]
    return sorted(found, key=lambda item: item.start)


def _across(lines: list[Line], found: list[list[Found]]) -> None:
    """ "Rewrite sentence 3. Leave everything else alone." is one demand in two lines."""
    for index in range(len(lines) - 1):
        if found[index + 1]:
            continue
        if not keeps_rest(lines[index + 1]):
            continue
        places = rewrites(lines[index])
        named = [value for at in places if isinstance(value := lines[index].chunks[at].value, Named)]
        numbers = tuple(number for value in named for number in value.numbers)
        if numbers and not any(value.more for value in named):
            constraint = SentenceModification(numbers, "change")
            found[index].append(Found(constraint, places[0], places[-1] + 1))
            found[index + 1].append(Found(constraint, 0, len(lines[index + 1].chunks)))


def _foreign(text: str, places: Iterable[Span]) -> Iterable[tuple[Span, Constraint]]:
    """What the registered kinds read for themselves in what is left; places stay those of the text."""
    rest = list(text)
    for span in places:
        rest[span.start : span.end] = " " * (span.end - span.start)
    unread = "".join(rest)
    for kind in all_kinds().values():
        yield from kind.read(unread)
