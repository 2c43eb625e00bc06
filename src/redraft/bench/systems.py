"""Systems under test: what turns an item of a benchmark into an edited text.

A system is named by a spec: `copy`, `model`, `editor`, `editor:N`, `predictions:FILE`, `cmd:COMMAND`,
`python:MODULE:FUNCTION`, or a name that another package registers in the entry-point group `redraft.systems`.
"""

from __future__ import annotations

import asyncio
import difflib
import importlib
import inspect
import itertools
import json
import os
import shlex
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from redraft.bench.sample import Item, Task
from redraft.editor import ADAPTER, TEMPERATURE, WEIGHTS, Editor, tidied
from redraft.errors import InputError, ModelError
from redraft.models import Model, Request, Usage
from redraft.quality import QualityScorer

GROUP = "redraft.systems"
NOTHING = Usage()

_LONGEST_LINE = 1 << 26
SILENCE = 1200.0
"""Seconds without an answer until a command is given up: it may load a model, or read every task first."""


@dataclass(frozen=True)
class Edited:
    """An edited text, and what it took."""

    text: str
    usage: Usage = NOTHING


class System(Protocol):
    """Edits the items of a benchmark; may be asked for several at once."""

    async def edit(self, item: Item) -> Edited:
        """The edited text of one item."""

    async def aclose(self) -> None:
        """Release what the system holds."""


@runtime_checkable
class TakesAll(Protocol):
    """A system that may want every task before it answers the first: it is asked for all of them at once."""

    def expect(self, count: int) -> None:
        """As many items will be asked for."""


@dataclass(frozen=True)
class Means:
    """What a run offers its systems; the model and the scorer are opened by the system that wants them."""

    model: Callable[[], Model]
    quality: Callable[[], QualityScorer]
    seed: int = 0
    silence: float = SILENCE
    """Seconds without an answer until a command is given up."""


Factory = Callable[[str, Means], System]
"""Makes a system from what stands after the colon of its spec, and what the run offers."""


class Copy:
    """Gives the input back: the floor that every editor must rise above."""

    async def edit(self, item: Item) -> Edited:
        """The input."""
        return Edited(item.sample.input)

    async def aclose(self) -> None:
        """Nothing is held."""


class Prompted:
    """A model that is told the task in the paper's template, with no examples."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = model
        self._seed = seed

    @staticmethod
    def prompt(task: Task) -> str:
        """What the model is asked."""
        references = "".join(f"Reference: [{i}] {text}\n" for i, text in enumerate(task.documents))
        return _template().format(instruction=task.instruction, input=task.input, references=references)

    async def edit(self, item: Item) -> Edited:
        """The model's answer, tidied."""
        # An edit is about as long as its input; twice that, and some, is room for any. Four characters are
        # about a token.
        room = 64 + len(item.sample.input) // 2
        request = Request.of(self.prompt(item.task), max_tokens=room, seed=self._seed)
        (completion,) = await self._model.complete(request)
        return Edited(tidied(completion.text, item.sample.input), completion.usage)

    async def aclose(self) -> None:
        """The model belongs to who opened it."""


@lru_cache(maxsize=1)
def _template() -> str:
    return files(__package__).joinpath("prompts/edit.md").read_text(encoding="utf-8").rstrip("\n")


class Edits:
    """The editor of this package: its greedy answer, or the best of several."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor

    async def edit(self, item: Item) -> Edited:
        """The editor's choice."""
        task = item.task
        edit = await self._editor.edit(task.input, task.instruction, task.documents)
        return Edited(edit.text, edit.usage)

    async def aclose(self) -> None:
        """The model belongs to who opened it."""


def _editor(argument: str, means: Means) -> System:
    samples = samples_of(f"editor:{argument}")
    quality = means.quality() if samples > 1 else None
    return Edits(Editor(means.model(), quality, samples=samples, seed=means.seed))


class Predictions:
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
            row = json.loads(line)
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

    async def aclose(self) -> None:
        """Nothing is held."""


class Called:
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

    async def aclose(self) -> None:
        """Nothing is held."""


class Piped:
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
        line = (json.dumps({"id": number, **asdict(task)}, ensure_ascii=False) + "\n").encode()
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
                row = json.loads(line)
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


def _python(argument: str) -> System:
    module, _, name = argument.partition(":")
    try:
        function: Any = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"python:{argument} cannot be loaded: {error}") from None
    return Called(function)


_BUILT_IN: dict[str, Factory] = {
    "copy": lambda argument, means: Copy(),
    "model": lambda argument, means: Prompted(means.model(), means.seed),
    "editor": _editor,
    "predictions": lambda argument, means: Predictions(Path(argument)),
    "cmd": lambda argument, means: Piped(argument, means.silence),
    "python": lambda argument, means: _python(argument),
}
NEED_ARGUMENT = ("predictions", "cmd", "python")
ASK_MODEL = ("model", "editor")
"""The systems of ours that ask the model of the run."""


def uses_model(spec: str) -> bool:
    """Whether a system takes the model of the run: of ours some do, one of another package may."""
    name = spec.partition(":")[0]
    return name in ASK_MODEL or name not in _BUILT_IN


def samples_of(spec: str) -> int:
    """How many answers of the model a system takes for each item: N for `editor:N`, otherwise one."""
    name, _, argument = spec.partition(":")
    if name != "editor" or not argument:
        return 1
    if not argument.isdecimal() or int(argument) < 1:
        raise InputError(f"editor takes the best of a number from 1, as in editor:8, not {argument!r}")
    return int(argument)


def parameters(spec: str) -> dict[str, Any]:
    """What decides a system's outputs beside its spec and the seed, to be recorded with a run."""
    if spec.partition(":")[0] != "editor":
        return {}
    if samples_of(spec) == 1:
        return {"adapter": ADAPTER}
    weights = {kind: asdict(weights) for kind, weights in WEIGHTS.items()}
    return {"adapter": ADAPTER, "temperature": TEMPERATURE, "weights": weights}


def open_system(spec: str, means: Means) -> System:
    """The system that a spec names."""
    name, _, argument = spec.partition(":")
    registered = {entry.name: entry for entry in entry_points(group=GROUP)}
    if name in _BUILT_IN:
        if name in NEED_ARGUMENT and not argument:
            raise InputError(f"{name} needs something after a colon, as in {name}:…")
        return _BUILT_IN[name](argument, means)
    if name in registered:
        factory: Factory = registered[name].load()
        return factory(argument, means)
    known = sorted({*_BUILT_IN, *registered})
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
    raise InputError(f"unknown system {name!r}; {hint}")
