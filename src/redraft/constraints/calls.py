"""Calls in the paper's syntax, `word_count_check(300, "less than")`: read, typed and validated, never run.

A call may come from a model, so nothing in it is evaluated: a hand-written reader knows names, numbers,
strings and flat lists, and everything else is an error with its position.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import MISSING, Field, dataclass, fields
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from redraft.constraints.base import Constraint, all_kinds
from redraft.constraints.bounds import LARGEST, Relation
from redraft.constraints.kinds import SentenceModification
from redraft.errors import CallError

Value = int | float | str | tuple[int | float | str, ...]

# The paper's appendix E.2 prints this tool under another name than everywhere else.
_OTHER_NAMES = {"sentence_check": SentenceModification.name}

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<number>[-+]?\d[\d_]*(?:\.\d+)?)
    | (?P<word>[A-Za-z_]\w*)
    | (?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|“[^”]*”|‘[^’]*’)
    | (?P<mark>[()\[\],=])
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)


@dataclass(frozen=True)
class Argument:
    """One value of a call and where it stands."""

    value: Value
    position: int
    keyword: str | None = None


@dataclass(frozen=True)
class Call:
    """A call as it was written: a name and its arguments, not yet checked against any kind."""

    text: str
    name: str
    arguments: tuple[Argument, ...]
    position: int

    def error(self, message: str, position: int) -> CallError:
        """An error that shows the place."""
        return _error(self.text, message, position)


def _error(text: str, message: str, position: int) -> CallError:
    """An error that shows its place in a call, or the part around it where the call is long."""
    start = max(0, position - 60)
    shown = re.sub(r"\s", " ", text[start : position + 60])
    return CallError(f"{message}\n  {shown}\n  {' ' * (position - start)}^", call=text, position=position)


def looks_like_call(text: str) -> bool:
    """Whether a text is meant as a call, right or wrong, and not as plain English."""
    return re.match(r"\s*[A-Za-z_]\w*_check\s*\(", text) is not None


def read_call(text: str) -> Call:
    """Read one call; nothing is looked up yet."""
    return _Reader(text).call()


def parse_call(text: str, sentences: int | None = None) -> Constraint:
    """Read one call and build its constraint.

    With `sentences`, the number of sentences of the original, a call that names a sentence beyond it is
    an error too.
    """
    call = read_call(text)
    constraint = _build(call)
    if sentences is not None and isinstance(constraint, SentenceModification):
        beyond = [n for n in constraint.sentences if n > sentences]
        if beyond:
            at = call.arguments[0].position
            raise call.error(f"sentence {beyond[0]} is named, but the text has {sentences} sentences", at)
    return constraint


def _build(call: Call) -> Constraint:
    name = _OTHER_NAMES.get(call.name, call.name)
    known = all_kinds()
    if name not in known:
        raise call.error(f"unknown constraint {call.name!r}{_nearest(name, list(known))}", call.position)
    kind = known[name]
    slots, hints = _slots(kind)
    usage = f"{name}({', '.join(slots)})"
    values: dict[str, Value] = {}
    places: dict[str, int] = {}
    for index, argument in enumerate(call.arguments):
        slot = argument.keyword or (list(slots)[index] if index < len(slots) else "")
        if slot not in slots:
            what = f"no argument {slot!r}" if argument.keyword else f"{len(slots)} arguments at most"
            raise call.error(f"{name} takes {what}: {usage}", argument.position)
        if slot in values:
            raise call.error(f"{slot} is given twice", argument.position)
        values[slot] = _typed(call, argument, slot, hints[slot])
        places[slot] = argument.position
    missing = [slot for slot, field in slots.items() if slot not in values and _required(field)]
    if missing:
        raise call.error(f"{name} needs {missing[0]}: {usage}", len(call.text))
    try:
        return kind(**values)
    except CallError as error:
        at = places.get("relation", 0) if "relation" in str(error) else min(places.values(), default=0)
        raise call.error(str(error), at) from None


@cache
def _slots(kind: type[Constraint]) -> tuple[dict[str, Field[Any]], dict[str, Any]]:
    return {field.name: field for field in fields(kind)}, get_type_hints(kind)


def _required(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _typed(call: Call, argument: Argument, slot: str, hint: Any) -> Value:
    """The value as the field wants it, or an error that says what would be right."""
    value, origin = argument.value, get_origin(hint)
    if hint == Relation and isinstance(value, str):
        return value  # every wording of a relation is normalised by the constraint itself
    if origin is Literal:
        choices = [choice for choice in get_args(hint) if isinstance(choice, str)]
        if isinstance(value, str) and " ".join(value.lower().split()) in choices:
            return " ".join(value.lower().split())
        expected = "one of " + ", ".join(f'"{choice}"' for choice in choices)
    elif origin is tuple:
        items = value if isinstance(value, tuple) else (value,)
        inner = get_args(hint)[0]
        if all(_fits(item, inner) for item in items):
            return items
        expected = f"a list of {_names(inner)}s"
    elif origin in (Union, UnionType):
        if any(_fits(value, choice) for choice in get_args(hint)):
            return value
        expected = " or ".join(_names(choice) for choice in get_args(hint))
    else:
        if _fits(value, hint):
            return float(value) if hint is float and isinstance(value, int) else value
        expected = f"a {_names(hint)}"
    raise call.error(f"{call.name}: {slot} must be {expected}", argument.position)


def _fits(value: Value, hint: Any) -> bool:
    return isinstance(value, (int, float) if hint is float else hint)


def _names(hint: Any) -> str:
    return {int: "whole number", float: "number", str: "string"}.get(hint, str(hint))


def _nearest(name: str, known: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]}?" if close else f"; known are {', '.join(known)}"


class _Reader:
    """Reads one call from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def call(self) -> Call:
        start, name = self.take("word", "a name such as word_count_check")
        self.mark("(")
        arguments: list[Argument] = []
        while not self.peek(")"):
            if arguments:
                self.mark(",")
                if self.peek(")"):
                    break
            arguments.append(self.argument())
        self.mark(")")
        if self.text[self.at :].strip():
            raise self.error("nothing may follow the call", self.skipped())
        return Call(self.text, name, tuple(arguments), start)

    def argument(self) -> Argument:
        token = _TOKEN.match(self.text, self.at)
        if token and token["word"]:
            position, keyword = token.start("word"), token["word"]
            self.at = token.end()
            self.mark("=")
            return Argument(self.value(), position, keyword)
        position = self.skipped()
        return Argument(self.value(), position)

    def value(self) -> Value:
        if not self.peek("["):
            return self.scalar()
        self.mark("[")
        items: list[int | float | str] = []
        while not self.peek("]"):
            if items:
                self.mark(",")
                if self.peek("]"):
                    break
            items.append(self.scalar())
        self.mark("]")
        return tuple(items)

    def scalar(self) -> int | float | str:
        token = _TOKEN.match(self.text, self.at)
        if token and token["number"]:
            self.at = token.end()
            digits = token["number"].replace("_", "")
            if len(digits) > 12 or abs(float(digits)) > LARGEST:
                raise self.error(f"the number is too large; counts go up to {LARGEST}", token.start("number"))
            return float(digits) if "." in digits else int(digits)
        if token and token["string"]:
            self.at = token.end()
            return _ESCAPE.sub(_unescaped, token["string"][1:-1])
        raise self.error("expected a number or a quoted string", self.skipped())

    def take(self, kind: str, expected: str) -> tuple[int, str]:
        token = _TOKEN.match(self.text, self.at)
        if not token or not token[kind]:
            raise self.error(f"expected {expected}", self.skipped())
        self.at = token.end()
        return token.start(kind), token[kind]

    def mark(self, mark: str) -> None:
        if not self.peek(mark):
            raise self.error(f"expected {mark!r}", self.skipped())
        self.at = self.skipped() + 1

    def peek(self, mark: str) -> bool:
        return self.text.startswith(mark, self.skipped())

    def skipped(self) -> int:
        rest = self.at
        while rest < len(self.text) and self.text[rest].isspace():
            rest += 1
        return rest

    def error(self, message: str, position: int) -> CallError:
        return _error(self.text, message, position)


def _unescaped(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _ESCAPES.get(code, code)
