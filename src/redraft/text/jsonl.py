"""JSON objects in a text, one a line: read and written."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from redraft.errors import InputError
from redraft.notation import parse_json


def objects(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with the number of its line; empty lines are passed over, `name` is told in errors."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except ValueError as error:
            raise InputError(f"{name}, line {number}: not JSON: {error}") from None
        if not isinstance(value, dict):
            raise InputError(f"{name}, line {number}: each line must be an object, as {{…}}")
        yield number, value


def dumped(value: Any, indent: int | None = None) -> str:
    """As JSON that can be written: half a surrogate pair, which a model may give, is its escape."""
    found = json.dumps(value, ensure_ascii=False, indent=indent)
    return found.encode("utf-8", "backslashreplace").decode()


def json_lines(values: Iterable[Any]) -> str:
    """Such values, one a line."""
    return "".join(dumped(value) + "\n" for value in values)


def strings(value: Any, without: Collection[str] = ()) -> Iterator[str]:
    """Every string within a JSON value, whatever its fields are called, but for those that are left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item, without)
    elif isinstance(value, dict):
        for name, item in value.items():
            if name not in without:
                yield from strings(item, without)
