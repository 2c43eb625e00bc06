"""Systems that ask no model of ours: the input, outputs of others, a Python function, another program."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import inspect
import itertools
import os
import shlex
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from redraft.bench.benchmark import Item, Plan, Task
from redraft.bench.systems.kind import SILENCE, Edited, System, SystemKind, no_options, required
from redraft.errors import InputError, ModelError
from redraft.notation import parse_json
from redraft.text import to_json


class Copy(System):
    """Gives the input back: the floor that every editor must rise above."""

    async def edit(self, item: Item) -> Edited:
        """The input."""
        return Edited(item.sample.input)


class Predictions(System):
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
                name, output = self._row(line, number)
                if self._outputs.setdefault(name, output) != output:
                    raise InputError(
                        f"{path}, line {number}: a second output for {name!r}, which differs from the first; "
                        "where sets share ids, give the `dataset` too, or the `key` of the item"
                    )

    def _row(self, line: str, number: int) -> tuple[str, str]:
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
        return name, output

    async def edit(self, item: Item) -> Edited:
        """The output that was made for the item, its sample in its data set, or its sample."""
        sample = item.sample
        for name in (item.key, f"{sample.dataset}/{sample.id}", sample.id):
            if name in self._outputs:
                return Edited(self._outputs[name])
        raise InputError(f"{self._path} has no output for {item.key}")


class Published(System):
    """Outputs of another system that were published with the samples; items without one are left out."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def edit(self, item: Item) -> Edited:
        """The published output."""
        return Edited(item.sample.others[self._name])


class FunctionSystem(System):
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


_LONGEST_LINE = 1 << 26


def _parse_command(argument: str | None) -> str:
    command = required("cmd", argument)
    try:
        shlex.split(command)
    except ValueError as error:
        raise InputError(f"cmd:{command} is no command: {error}") from None
    return command


class SubprocessSystem:
    """A command that reads tasks as JSONL on its standard input and writes outputs as JSONL.

    In:  {"id": 7, "instruction": "…", "input": "…", "documents": []}
    Out: {"id": 7, "output": "…"}, in any order.

    It is handed every task without waiting for answers, and its input ends after the last one, so that it may
    read all of them first. One that says nothing for `silence` seconds while tasks wait is given up.
    """

    def __init__(self, command: str, silence: float = SILENCE) -> None:
        self._words = shlex.split(command)
        if not self._words:
            raise InputError("cmd: needs a command, as in cmd:'python my_editor.py'")
        self._silence = silence
        self._fell_silent: ModelError | None = None
        self._ids = itertools.count(1)
        self._unsent: int | None = None
        self._waiting: dict[int, asyncio.Future[str]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._sending = asyncio.Lock()

    def expect(self, count: int) -> None:
        """The command's input ends after as many tasks."""
        self._unsent = count

    async def edit(self, item: Item) -> Edited:
        """Send the task, and wait for the line that answers it."""
        async with self._sending:
            try:
                answer = await self._send(item.task)
            finally:
                self._count_down()
        return Edited(await answer)

    async def _send(self, task: Task) -> asyncio.Future[str]:
        process = await self._running()
        assert process.stdin is not None  # it was asked for when the process was started
        number = next(self._ids)
        line = f"{to_json({'id': number, **asdict(task)})}\n".encode()
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            process.stdin.write(line)
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            self._waiting.pop(number, None)
            failure = ModelError(f"{self._words[0]} ended before it took the task")
            raise self._fell_silent or failure from None
        return answer

    def _count_down(self) -> None:
        if self._unsent is None:
            return
        self._unsent -= 1
        if not self._unsent and self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    async def _running(self) -> asyncio.subprocess.Process:
        if self._fell_silent is not None:
            raise self._fell_silent
        if self._process is None or self._process.returncode is not None:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *self._words, stdin=PIPE, stdout=PIPE, limit=_LONGEST_LINE,
                    env={**os.environ, "PYTHONUNBUFFERED": "1"},
                )  # fmt: skip
            except OSError as error:
                raise InputError(f"the command {self._words[0]!r} cannot be started: {error}") from None
            self._waiting = {}
            self._reader = asyncio.create_task(self._listen(self._process, self._waiting))
        return self._process

    async def _listen(
        self, process: asyncio.subprocess.Process, waiting: dict[int, asyncio.Future[str]]
    ) -> None:
        failure = ModelError(f"{self._words[0]} ended without an answer")
        try:
            while line := await self._line(process, waiting):
                row = parse_json(line)
                answer = waiting.pop(row["id"], None)
                if answer is not None and not answer.done():
                    answer.set_result(str(row["output"]))
        except ModelError as silent:
            failure = self._fell_silent = silent
            process.kill()
        except (ValueError, KeyError, TypeError):
            failure = ModelError(f'{self._words[0]} wrote a line that is not {{"id": …, "output": …}}')
            process.kill()
        await process.wait()
        for answer in waiting.values():
            if not answer.done():
                answer.set_exception(failure)

    async def _line(self, process: asyncio.subprocess.Process, waiting: dict[int, Any]) -> bytes:
        """The next line of the command, empty at the end."""
        assert process.stdout is not None  # it was asked for when the process was started
        while True:
            try:
                async with asyncio.timeout(self._silence):
                    return await process.stdout.readline()
            except TimeoutError:
                if waiting:
                    raise ModelError(
                        f"{self._words[0]} gave no answer for {self._silence:g} s",
                        hint="it should write a line for each task; a higher timeout lets it take longer",
                    ) from None

    async def aclose(self) -> None:
        """Close the command's input and wait a little for it to end."""
        if self._process is None or self._process.returncode is not None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), 10)
        except TimeoutError:
            self._process.kill()
        if self._reader is not None:
            await self._reader


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
    SystemKind(
        "cmd", _parse_command, lambda command, resources: SubprocessSystem(command, resources.silence)
    ),
)
