"""Policies as YAML files: those that come with redraft, and those that users write."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import Final, TypeVar, cast

from redraft.constraints import SentenceModification, check, infeasible, parse_call
from redraft.errors import CallError, InputError
from redraft.simplification.judge_examples import judged_example
from redraft.simplification.policy import (
    ASPECTS,
    LEXICAL,
    OPERATIONS,
    STRUCTURAL,
    Aspect,
    Example,
    JudgedExample,
    Limits,
    Operation,
    Policy,
    Principle,
    operations_used,
)
from redraft.simplification.yaml_values import Problem, YamlValue, read_yaml
from redraft.text import LEVELS, Level, count_words, read_text

Value = TypeVar("Value")
Default = TypeVar("Default")

_NEEDED: Final = ("name", "title", "instruction", "operations", "decides", "principles")
_OTHERS: Final = ("about", "examples", "limits", "constraints", "judged")
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_MOST: Final = 5
"""The most points that a principle may give or take."""


def build_policy(whole: YamlValue) -> Policy:
    """The policy; it counts only where no problem was noted."""
    table = whole.table(_NEEDED, _OTHERS)
    operations = _of(table, "operations", _operations, ())
    limits = _of(table, "limits", _limits, Limits())
    calls = _of(table, "constraints", _constraints, ())
    aspects: dict[str, YamlValue] = _of(table, "principles", lambda part: part.table((), ASPECTS[:2]), {})
    lexical = _of(aspects, "lexical", lambda part: _principles(part, LEXICAL), ())
    structural = _of(aspects, "structural", lambda part: _principles(part, STRUCTURAL), ())
    decides = cast("Aspect", _of(table, "decides", lambda part: part.choice(ASPECTS), "overall"))
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
            _example(part, operations, limits, calls) for part in _of(table, "examples", YamlValue.items, [])
        ),
        limits=limits,
        constraints=calls,
        judged=_of(table, "judged", lambda part: tuple(map(judged_example, part.items())), None),
    )


def _of(
    table: Mapping[str, YamlValue], name: str, read: Callable[[YamlValue], Value], missing: Default
) -> Value | Default:
    return read(table[name]) if name in table else missing


def _name(part: YamlValue) -> str:
    name = part.string(40)
    if name and not _NAME.fullmatch(name):
        part.wrong(f"{name!r} should be small letters, digits and hyphens, such as plain-letters")
    return name


def _operations(part: YamlValue) -> tuple[Operation, ...]:
    found = tuple(cast("Operation", item.choice(OPERATIONS)) for item in part.items())
    if found and set(found) == {"keep"}:
        part.wrong("allow nothing but to keep: name at least one more")
    return found


def _principles(part: YamlValue, measures: Sequence[str]) -> tuple[Principle, ...]:
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


def _points(part: YamlValue) -> float:
    points = part.number(-_MOST, _MOST)
    if points == 0:
        part.wrong("should give or take something: 2 or 1, -1 or -2")
    return points


def _limits(part: YamlValue) -> Limits:
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


def _constraints(part: YamlValue) -> tuple[str, ...]:
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


def _example(part: YamlValue, operations: Collection[str], limits: Limits, calls: Sequence[str]) -> Example:
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


def policy_names() -> tuple[str, ...]:
    """The policies that come with redraft."""
    found = (file.name for file in (files(__package__) / "policies").iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in found if name.endswith(".yaml")))


def policy_text(name: str | PathLike[str]) -> str:
    """The YAML of a policy: one of ours by its name, or a user's by the path of its file."""
    if str(name) in policy_names():
        return files(__package__).joinpath("policies", f"{name}.yaml").read_text(encoding="utf-8")
    if str(name).endswith((".yaml", ".yml")) or str(name) == "-" or Path(name).exists():
        return read_text(name)
    raise InputError(
        f"there is no policy {str(name)!r}: there are {', '.join(policy_names())}, or name a .yaml file"
    )


@cache
def our_judged_examples() -> tuple[JudgedExample, ...]:
    """What a judge is shown where a policy has no examples of its own for judges."""
    return load_policy("rewrite").judged or ()


def load_policy(name: str | PathLike[str]) -> Policy:
    """A policy of ours by its name, or one of a user's by the path of its YAML file."""
    policy, problems = read_policy(policy_text(name))
    if policy is None:
        raise InputError(f"{name} cannot be used:\n" + "\n".join(f"  {one}" for one in problems))
    return policy


def read_policy(text: str) -> tuple[Policy | None, list[Problem]]:
    """The policy that a YAML text describes, or all that is wrong with it."""
    whole = read_yaml(text)
    policy = None if whole.problems else build_policy(whole)
    return (None if whole.problems else policy), sorted(set(whole.problems))


def policy_warnings(policy: Policy) -> list[str]:
    """What is allowed and yet seldom meant."""
    found = [
        f"principles.{aspect}: {one.name!r} names no measure: the rubric judge leaves it out"
        for aspect, principles in policy.principles
        for one in principles
        if one.measure is None
    ]
    for aspect, principles in policy.principles:
        if policy.decides == "overall" and not principles:
            found.append(f"principles.{aspect}: there are none, though both aspects decide")
    if not policy.examples:
        found.append("examples: there are none: candidate pools will be asked without")
    if not any(call.startswith("preserve_check") for call in policy.constraints):
        found.append('constraints: not even numbers must stay: preserve_check("numbers") would keep them')
    for place, example in enumerate(policy.examples, 1):
        if example.source == example.simplified:
            found.append(f"examples[{place}]: nothing is simplified")
    return found
