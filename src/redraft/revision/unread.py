"""What the rules left unread of an instruction, and what a model made of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from typing import Final, get_type_hints

from redraft.constraints import Constraint, figure, infeasible, parse_call, spelled
from redraft.errors import CallError
from redraft.revision.task import Task

_FIGURE: Final = re.compile(r"\d[\d,]*")
_WORD: Final = re.compile(r"[a-z]+")
_QUOTED: Final = re.compile(r"“([^”]+)”|\"([^\"]+)\"|(?<!\w)[‘']([^’']+)[’'](?!\w)")
_CALLED: Final = r"\b(?:words?|terms?|phrases?|expressions?|names?|keywords?)\s+"
"""What says that a word which follows is meant as such, though not quoted."""
_TIMES: Final = {"never": 0, "once": 1, "twice": 2, "thrice": 3}
_LONGEST: Final = 600
"""Characters that are looked at: behind an instruction somebody may have pasted a text."""


def also_meant(task: Task, calls: Iterable[str]) -> tuple[Constraint, ...]:
    """The constraints of a model's calls that say what the rules found no sense in.

    The rules' reading stands. A call counts only where each of its numbers and words is one that the rules
    left over, and where it goes with all that they read.
    """
    left = task.style[:_LONGEST]
    numbers = _numbers(left)
    found: list[Constraint] = []
    for call in calls:
        try:
            constraint = parse_call(call, len(task.before.sentences))
        except CallError:
            continue  # a tool that checks nothing
        known = (*task.constraints, *found)
        if constraint not in known and _says_only(constraint, numbers, left):
            conflict = infeasible(
                (*known, constraint), original=task.original, counting=task.counting, format=task.format
            )
            if conflict is None:
                found.append(constraint)
    return tuple(found)


def _numbers(left: str) -> set[float]:
    """The numbers in the part that is no constraint, in figures or words."""
    rest = _QUOTED.sub(" ", left)
    numbers = {value for match in _FIGURE.findall(rest) if (value := figure(match.strip(","))) is not None}
    spoken = _WORD.findall(rest.casefold())
    numbers |= {_TIMES[word] for word in spoken if word in _TIMES}
    place = 0
    while place < len(spoken):
        number = spelled(spoken[place:])
        if number is not None:
            numbers.add(number[0])
        place += number[1] if number is not None else 1
    return numbers


def _named(keyword: str, left: str) -> bool:
    """Whether a word is quoted there, or called a word."""
    quoted = {next(filter(None, match.groups())).casefold() for match in _QUOTED.finditer(left)}
    called = re.search(rf"{_CALLED}{re.escape(keyword)}(?!\w)", left, re.I)
    return keyword.casefold() in quoted or called is not None


def _says_only(constraint: Constraint, numbers: set[float], left: str) -> bool:
    """Whether a constraint says something, and only with these: a count may be one off, as in "at most 9"."""
    hints = get_type_hints(type(constraint))
    near = {number + off for number in numbers for off in (-1, 0, 1)}
    said: list[bool] = []
    for field in fields(constraint):
        value = getattr(constraint, field.name)
        if isinstance(value, tuple):
            said += [each in numbers for each in value]
        elif isinstance(value, int | float):
            said.append(value in near)
        elif hints[field.name] is str:
            said.append(_named(value, left))
    return bool(said) and all(said)
