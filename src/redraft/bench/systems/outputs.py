"""Systems that ask no model of ours: the input as it is, outputs that others made, a Python function."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from redraft.bench.benchmark import Item, Plan, Task
from redraft.bench.systems.kind import Edited, HoldsNothing, SystemKind, no_options, required
from redraft.errors import InputError
from redraft.notation import parse_json


class Copy(HoldsNothing):
    """Gives the input back: the floor that every editor must rise above."""

    async def edit(self, item: Item) -> Edited:
        """The input."""
        return Edited(item.sample.input)


class Predictions(HoldsNothing):
    """Outputs made elsewhere: JSONL with `output` and either the `key` of an item or its `id`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._outputs: dict[str, str] = {}
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the predictions {path} cannot be read: {error}") from None
        for number, line in enumerate(lines, 1):
            if line.strip():
                self._outputs.update(self._row(line, number))

    def _row(self, line: str, number: int) -> dict[str, str]:
        try:
            row = parse_json(line)
            output = row.get("output", row.get("prediction"))
        except (ValueError, AttributeError):
            raise InputError(f"{self._path}, line {number}: not a JSON object") from None
        name = row.get("key", row.get("id"))
        if not isinstance(name, str) or not isinstance(output, str):
            raise InputError(f'{self._path}, line {number}: needs "output" and "key" or "id", both strings')
        dataset, prompt = row.get("dataset"), row.get("prompt")
        if "key" not in row and dataset is not None:
            name = f"{dataset}/{name}" + (f"/{prompt}" if prompt is not None else "")
        return {name: output}

    async def edit(self, item: Item) -> Edited:
        """The output that was made for the item, its sample in its data set, or its sample."""
        sample = item.sample
        for name in (item.key, f"{sample.dataset}/{sample.id}", sample.id):
            if name in self._outputs:
                return Edited(self._outputs[name])
        raise InputError(f"{self._path} has no output for {item.key}")


class Published(HoldsNothing):
    """Outputs of another system that were published with the samples; items without one are left out."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def edit(self, item: Item) -> Edited:
        """The published output."""
        return Edited(item.sample.others[self._name])


class FunctionSystem(HoldsNothing):
    """A Python function of a Task; async or not."""

    def __init__(self, function: Callable[[Task], str | Awaitable[str]]) -> None:
        self._function = function

    async def edit(self, item: Item) -> Edited:
        """What the function gives for the item's task; a blocking one runs in a thread."""
        if inspect.iscoroutinefunction(self._function):
            text = await self._function(item.task)
        else:
            text = await asyncio.to_thread(self._function, item.task)
        if not isinstance(text, str):
            raise InputError(f"the function gave {type(text).__name__}, not a string")
        return Edited(text)


def _parse_predictions(argument: str | None) -> Path:
    path = Path(required("predictions", argument))
    if not path.is_file():
        raise InputError(f"the predictions {path} cannot be read: there is no such file")
    return path


def _fingerprint(path: Path) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(path.read_bytes()).hexdigest()[:16]}


def _not_published(name: str, plan: Plan) -> str:
    names = sorted({other for item in plan.items for other in item.sample.others})
    return f"outputs of {name!r}; it has: {', '.join(names) or 'none'}"


def _parse_function(argument: str | None) -> tuple[str, str]:
    argument = required("python", argument)
    module, _, name = argument.partition(":")
    if not module or not name:
        raise InputError(f"python needs a module and a function, as in python:MODULE:NAME, not {argument!r}")
    return module, name


def _load_function(module: str, name: str) -> FunctionSystem:
    try:
        function: Any = getattr(importlib.import_module(module), name)
    except Exception as error:  # whatever a user's module does as it is imported
        raise InputError(
            f"python:{module}:{name} cannot be loaded: {type(error).__name__}: {error}"
        ) from None
    return FunctionSystem(function)


KINDS = (
    SystemKind("copy", no_options("copy"), lambda options, resources: Copy()),
    SystemKind(
        "published",
        partial(required, "published"),
        lambda name, resources: Published(name),
        covers=lambda name, item: name in item.sample.others,
        lacking=_not_published,
    ),
    SystemKind(
        "predictions",
        _parse_predictions,
        lambda path, resources: Predictions(path),
        parameters=_fingerprint,
    ),
    SystemKind("python", _parse_function, lambda names, resources: _load_function(*names)),
)
