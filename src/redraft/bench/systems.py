"""Systems under test: what turns an item of a benchmark into an edited text.

A system is named by a spec: `copy`, `model`, `editor`, `editor:N`, `revise`, `revise:N`, a strategy of
revision (`search`, `direct`, …; see `strategies`), `planner:WAY` (see `planners`), `simplify:POLICY`,
`vanilla:POLICY`, `trained:POLICY` (see `simplifiers`), `compose:PROTOCOL` (see `writers`), `published:NAME`,
`predictions:FILE`, `cmd:COMMAND`, `python:MODULE:FUNCTION`, or a name that another package registers in the
entry-point group `redraft.systems`.
"""

from __future__ import annotations

import asyncio
import difflib
import hashlib
import importlib
import inspect
import shlex
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from functools import partial
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from redraft.bench.base import Edited, Factory, Means, System
from redraft.bench.benchmark import Item, Plan, Task
from redraft.bench.piped import Piped
from redraft.bench.planners import PLANNER, open_planner, way_of
from redraft.bench.simplifiers import SIMPLIFIERS, PolicyWay, open_simplifier
from redraft.bench.strategies import Way, open_strategy
from redraft.bench.writers import CALLS, COMPOSE, WHOLE, ComposeWay, open_composer, write
from redraft.editor import ADAPTER, TEMPERATURE, WEIGHTS, Editor, tidied
from redraft.errors import InputError
from redraft.models import Model, Prompts, Request
from redraft.notation import parse_json
from redraft.revision import CAUTION, CORRECTING, MARGINS, SAMPLES, STRATEGIES, Polisher
from redraft.text import Document

GROUP = "redraft.systems"
_prompt = Prompts(__package__)


class Copy:
    """Gives the input back: the floor that every editor must rise above."""

    async def edit(self, item: Item) -> Edited:
        """The input."""
        return Edited(item.sample.input)

    async def aclose(self) -> None:
        """Nothing is held."""


class Prompted:
    """A model that is told the task in the paper's template, with no examples, or as the sample says."""

    def __init__(self, model: Model, seed: int = 0) -> None:
        self._model = model
        self._seed = seed

    @staticmethod
    def prompt(item: Item) -> str:
        """What the model is asked."""
        if item.sample.asking is not None:
            return item.sample.asking.prompt
        task = item.task
        references = "".join(f"Reference: [{i}] {text}\n" for i, text in enumerate(task.documents))
        return _prompt("edit", instruction=task.instruction, input=task.input, references=references)

    async def edit(self, item: Item) -> Edited:
        """The model's answer, tidied."""
        if item.sample.asking is not None:
            return await write(self._model, item.sample.asking, self._seed)
        # An edit is about as long as its input; twice that, and some, is room for any. Four characters are
        # about a token.
        room = 64 + len(item.sample.input) // 2
        request = Request.of(self.prompt(item), max_tokens=room, seed=self._seed)
        (completion,) = await self._model.complete(request)
        return Edited(tidied(completion.text, item.sample.input), completion.usage)

    async def aclose(self) -> None:
        """The model belongs to who opened it."""


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
    samples = samples_of(f"editor:{argument}" if argument else "editor")
    quality = means.quality() if samples > 1 else None
    return Edits(Editor(means.model(), quality, samples=samples, seed=means.seed))


class Revises:
    """A revision of the text, with no constraints to keep."""

    def __init__(self, polisher: Polisher) -> None:
        self._polisher = polisher

    async def edit(self, item: Item) -> Edited:
        """The revised text."""
        task = item.task
        edit = await self._polisher.polish(task.input, task.instruction, task.documents)
        return Edited(edit.text, edit.usage)

    async def aclose(self) -> None:
        """The models belong to who opened them."""


def _revise(argument: str, means: Means) -> System:
    samples = samples_of(f"revise:{argument}" if argument else "revise")
    quality = means.quality() if samples > 1 else None
    return Revises(Polisher(means.model(), means.scorer(), quality, samples=samples, seed=means.seed))


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

    async def aclose(self) -> None:
        """Nothing is held."""


class Published:
    """Outputs of another system that were published with the samples; items without one are left out."""

    def __init__(self, name: str) -> None:
        self._name = name

    async def edit(self, item: Item) -> Edited:
        """The published output."""
        return Edited(item.sample.others[self._name])

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


def _python(argument: str) -> System:
    module, _, name = argument.partition(":")
    try:
        function: Any = getattr(importlib.import_module(module), name)
    except Exception as error:  # whatever a user's module does as it is imported
        raise InputError(f"python:{argument} cannot be loaded: {type(error).__name__}: {error}") from None
    return Called(function)


_BUILT_IN: dict[str, Factory] = {
    "copy": lambda argument, means: Copy(),
    "model": lambda argument, means: Prompted(means.model(), means.seed),
    "editor": _editor,
    "revise": _revise,
    **{name: partial(open_strategy, name) for name in STRATEGIES},
    PLANNER: open_planner,
    **{name: partial(open_simplifier, name) for name in SIMPLIFIERS},
    COMPOSE: open_composer,
    "published": lambda argument, means: Published(argument),
    "predictions": lambda argument, means: Predictions(Path(argument)),
    "cmd": lambda argument, means: Piped(argument, means.silence),
    "python": lambda argument, means: _python(argument),
}
NEED_ARGUMENT = (*SIMPLIFIERS, "published", "predictions", "cmd", "python")
ASK_MODEL = ("model", "editor", "revise", PLANNER, *STRATEGIES, *SIMPLIFIERS, COMPOSE)
"""The systems of ours that ask the model of the run."""
NO_ARGUMENT = {"copy": "", "model": "; choose the model with --model"}
"""The systems of ours that are a name alone, and what may have been meant."""
MOST_SAMPLES = 64
USUAL_SAMPLES = {"editor": 1, "revise": SAMPLES}
"""The systems that may take several answers for each item, and how many where no number is given."""


def uses_model(spec: str) -> bool:
    """Whether a system takes the model of the run: of ours some do, one of another package may."""
    return asks_model(spec) or spec.partition(":")[0] not in _BUILT_IN


def asks_model(spec: str) -> bool:
    """Whether a system is one of ours that asks the model of the run."""
    return spec.partition(":")[0] in ASK_MODEL and spec != f"{PLANNER}:rules"


def samples_of(spec: str) -> int:
    """How many answers of the model a system takes for each item: N for `editor:N` or `revise:N`."""
    name, colon, argument = spec.partition(":")
    if name not in USUAL_SAMPLES or not colon:
        return USUAL_SAMPLES.get(name, 1)
    few = argument.isdecimal() and len(argument) <= len(str(MOST_SAMPLES))
    if not few or not 1 <= int(argument) <= MOST_SAMPLES:
        shown = argument[:20]
        raise InputError(
            f"{name} takes the best of a number from 1 to {MOST_SAMPLES}, as in {name}:8, not {shown!r}"
        )
    return int(argument)


def answers_of(spec: str, item: Item) -> tuple[int, int, int]:
    """How many calls of the model an item takes, and how often these show and write the whole text."""
    name = spec.partition(":")[0]
    if name in ("sentence", "simplify"):
        return len(Document(item.sample.input, item.sample.format).sentences), 1, 1
    if name in STRATEGIES:
        calls = Way.of(spec).calls
        return calls, calls, calls
    if name == COMPOSE:
        return CALLS, CALLS, 2
    # The samples of an item are one call beside the greedy one, and share its prompt.
    samples = samples_of(spec)
    return min(samples, 2), min(samples, 2), samples


def parameters(spec: str) -> dict[str, Any]:
    """What decides a system's outputs beside its spec and the seed, to be recorded with a run."""
    name = spec.partition(":")[0]
    if name in STRATEGIES:
        return Way.of(spec).parameters
    if name in SIMPLIFIERS:
        return PolicyWay.of(spec).parameters
    if name == COMPOSE:
        return ComposeWay.of(spec).parameters
    if name == "predictions":
        return {"sha256": hashlib.sha256(Path(spec.partition(":")[2]).read_bytes()).hexdigest()[:16]}
    if name not in USUAL_SAMPLES:
        return {}
    found: dict[str, Any] = {"adapter": ADAPTER}
    if name == "revise":
        found |= {"margins": dict(MARGINS), "caution": CAUTION}
    if samples_of(spec) > 1:
        chosen = {**WEIGHTS, "correct": CORRECTING} if name == "revise" else WEIGHTS
        found |= {
            "temperature": TEMPERATURE,
            "weights": {kind: asdict(weights) for kind, weights in chosen.items()},
        }
    return found


def covered(spec: str, plan: Plan) -> Plan:
    """The part of a plan that a system can do: an output was published, a person planned, a piece is due."""
    name, _, argument = spec.partition(":")
    if name == "published":
        items = [item for item in plan.items if argument in item.sample.others]
        names = sorted({other for item in plan.items for other in item.sample.others})
        missing = f"outputs of {argument!r}; it has: {', '.join(names) or 'none'}"
    elif name in STRATEGIES and Way.of(spec).by_person:
        items = [item for item in plan.items if item.sample.plan.strip()]
        missing = f'plans of a person for {spec}; write them under "plan"'
    elif name == COMPOSE:
        items = [item for item in plan.items if item.sample.task in WHOLE]
        missing = f"whole pieces to write: {COMPOSE} does the tasks {' and '.join(WHOLE)} of c3e"
    else:
        return plan
    if not items:
        raise InputError(f"the data has no {missing}")
    return Plan(tuple(items), plan.datasets)


def open_system(spec: str, means: Means) -> System:
    """The system that a spec names."""
    if means.policy is None:  # else whoever read it has checked the spec; its file may be elsewhere
        check_system(spec)
    name, _, argument = spec.partition(":")
    if name in _BUILT_IN:
        return _BUILT_IN[name](argument, means)
    factory: Factory = entry_points(group=GROUP)[name].load()
    return factory(argument, means)


def check_system(spec: str) -> None:
    """Raise InputError unless a spec names a system, with what that takes after the colon; opens nothing."""
    name, colon, argument = spec.partition(":")
    known = sorted({*_BUILT_IN, *entry_points(group=GROUP).names})
    if name in NEED_ARGUMENT and not argument.strip():
        raise InputError(f"{name} needs something after a colon, as in {name}:…")
    if name in NO_ARGUMENT and colon:
        raise InputError(f"{name} takes nothing after a colon{NO_ARGUMENT[name]}")
    if name == "predictions" and not Path(argument).is_file():
        raise InputError(f"the predictions {argument} cannot be read: there is no such file")
    if name == "cmd":
        try:
            shlex.split(argument)
        except ValueError as error:
            raise InputError(f"{spec} is no command: {error}") from None
    if name == "python" and not all(argument.partition(":")[::2]):
        raise InputError(f"python needs a module and a function, as in python:MODULE:NAME, not {argument!r}")
    samples_of(spec)
    if name in STRATEGIES:
        Way.of(spec)
    if name == PLANNER:
        way_of(spec)
    if name in SIMPLIFIERS:
        PolicyWay.of(spec).load()
    if name == COMPOSE:
        ComposeWay.of(spec)
    if name in known:
        return
    close = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {close[0]}?" if close else f"known are {', '.join(known)}"
    raise InputError(f"unknown system {name!r}; {hint}")
