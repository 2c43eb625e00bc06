"""A policy from the parts of its file; what is wrong with a part is noted where it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeVar, cast, get_args

from redraft.constraints import SentenceModification, check, infeasible, parse_call
from redraft.errors import CallError
from redraft.simplification.operations import operations_used
from redraft.simplification.policies.reading import Part
from redraft.simplification.policy import (
    LEXICAL,
    OPERATIONS,
    STRUCTURAL,
    Deciding,
    Example,
    Limits,
    Operation,
    Policy,
    Principle,
)
from redraft.text import LEVELS, Level, count_words

Value = TypeVar("Value")
Default = TypeVar("Default")

_NEEDED: Final = ("name", "title", "instruction", "operations", "decides", "principles")
_OTHERS: Final = ("about", "examples", "limits", "constraints")
_ASPECTS: Final = ("lexical", "structural")
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_MOST: Final = 5
"""The most points that a principle may give or take."""


def built(whole: Part) -> Policy:
    """The policy; it counts only where no problem was noted."""
    table = whole.table(_NEEDED, _OTHERS)
    operations = _of(table, "operations", _operations, ())
    limits = _of(table, "limits", _limits, Limits())
    calls = _of(table, "constraints", _constraints, ())
    aspects: dict[str, Part] = _of(table, "principles", lambda part: part.table((), _ASPECTS), {})
    lexical = _of(aspects, "lexical", lambda part: _principles(part, LEXICAL), ())
    structural = _of(aspects, "structural", lambda part: _principles(part, STRUCTURAL), ())
    decides = cast("Deciding", _of(table, "decides", lambda part: part.choice(get_args(Deciding)), "overall"))
    deciding = {"lexical": lexical, "structural": structural, "overall": lexical + structural}[decides]
    if "principles" in table and not deciding:
        table["principles"].wrong(f"{decides} decides, and has no principles")
    return Policy(
        name=_of(table, "name", _name, ""),
        title=_of(table, "title", lambda part: part.string(100), ""),
        about=_of(table, "about", lambda part: part.string(2000), ""),
        instruction=_of(table, "instruction", lambda part: part.string(4000), ""),
        operations=frozenset(operations),
        decides=decides,
        lexical=lexical,
        structural=structural,
        examples=tuple(
            _example(part, operations, limits, calls) for part in _of(table, "examples", Part.items, [])
        ),
        limits=limits,
        constraints=calls,
    )


def _of(
    table: Mapping[str, Part], name: str, read: Callable[[Part], Value], missing: Default
) -> Value | Default:
    return read(table[name]) if name in table else missing


def _name(part: Part) -> str:
    name = part.string(40)
    if name and not _NAME.fullmatch(name):
        part.wrong(f"{name!r} should be small letters, digits and hyphens, such as plain-letters")
    return name


def _operations(part: Part) -> tuple[Operation, ...]:
    found = tuple(cast("Operation", item.choice(OPERATIONS)) for item in part.items())
    if found and set(found) == {"keep"}:
        part.wrong("allow nothing but to keep: name at least one more")
    return found


def _principles(part: Part, measures: Sequence[str]) -> tuple[Principle, ...]:
    found: list[Principle] = []
    for item in part.items():
        table = item.table(("name", "says", "points"), ("measure",))
        name = _of(table, "name", lambda part: part.string(60), "")
        if name and name in {one.name for one in found}:
            table["name"].wrong(f"{name!r} is there twice")
        found.append(
            Principle(
                name,
                _of(table, "says", lambda part: part.string(1000), ""),
                _of(table, "points", _points, 0.0),
                _of(table, "measure", lambda part: part.choice(measures), None),
            )
        )
    return tuple(found)


def _points(part: Part) -> float:
    points = part.number(-_MOST, _MOST)
    if points == 0:
        part.wrong("should give or take something: 2 or 1, -1 or -2")
    return points


def _limits(part: Part) -> Limits:
    table = part.table((), ("length_ratio", "reading_grade", "word_level"))
    ratio = None
    if "length_ratio" in table:
        bounds = [item.number(0.05, 10) for item in table["length_ratio"].items()]
        if len(bounds) == 2 and not bounds[0] > bounds[1]:
            ratio = (bounds[0], bounds[1])
        else:
            table["length_ratio"].wrong("should be the least and the most, such as [0.5, 1.2]")
    return Limits(
        ratio,
        _of(table, "reading_grade", lambda part: part.number(0, 20), None),
        cast("Level", _of(table, "word_level", lambda part: part.choice(LEVELS), "B1")),
    )


def _constraints(part: Part) -> tuple[str, ...]:
    found: list[str] = []
    for item in part.items():
        text = item.string(500)
        if not text:
            continue
        try:
            constraint = parse_call(text)
        except CallError as error:
            item.wrong(str(error).partition("\n")[0])
            continue
        if isinstance(constraint, SentenceModification):
            item.wrong(f"{constraint.name} names sentences of one text, and a policy is for every text")
        found.append(text)
    if conflict := infeasible(found):
        part.wrong(f"no text can meet these together: {conflict.reason}")
    return tuple(found)


def _example(part: Part, operations: Collection[str], limits: Limits, calls: Sequence[str]) -> Example:
    table = part.table(("source", "simplified"))
    source = _of(table, "source", lambda part: part.string(4000), "")
    simplified = _of(table, "simplified", lambda part: part.string(4000), "")
    if not source or not simplified:
        return Example(source, simplified)
    wrong = table["simplified"].wrong
    for operation, shows in operations_used(source, simplified).items():
        if operation not in operations:
            wrong(f"does what operations do not allow: {operation} ({shows})")
    ratio = count_words(simplified) / max(1, count_words(source))
    if limits.length_ratio and not limits.length_ratio[0] <= ratio <= limits.length_ratio[1]:
        least, most = limits.length_ratio
        wrong(f"has {ratio:.2f} times the words of its source; length_ratio is {least:g} to {most:g}")
    for finding in check(simplified, calls, original=source):
        if not finding.met:
            wrong(f"breaks {finding.constraint.call}: {finding.message}")
    return Example(source, simplified)
