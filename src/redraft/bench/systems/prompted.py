"""Systems that are one model: prompted plainly, as our editor, or as `redraft revise` without constraints."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Final

from redraft.bench.benchmark import Item, WritingPrompt
from redraft.bench.systems.kind import (
    CallEstimate,
    Edited,
    System,
    SystemKind,
    SystemResources,
)
from redraft.editor import ADAPTER, TEMPERATURE, WEIGHTS, Editor, tidied
from redraft.errors import ContextOverflow, InputError
from redraft.models import Completion, Model, Prompts, Request
from redraft.revision import CAUTION, CORRECTING, MARGINS, SAMPLES, Polisher

MOST_SAMPLES: Final = 64
_LEAST: Final = 256
_FENCED: Final = re.compile(r"(`{3,}|~{3,})[\w-]*\n(.*?)\n?\1", re.DOTALL)
_PREFACE: Final = re.compile(
    r"(?:(?:sure|certainly|of course|okay|ok|absolutely|(?:here|below) (?:is|are)|here[’']s)\b[^\n]{0,200}"
    r"|(?:好的|当然|没问题|以下是|下面是|以下为)[^\n]{0,100})[:：][ \t*_]*\n+",
    re.IGNORECASE,
)
_prompt = Prompts(__package__)


FORMS: Final = {"task": "edit", "definition": "definition", "instruction": "instruction"}
"""How a model is told of an edit, and the file that says it so: in EditEval's template, as it was changed for
Tk-Instruct, and as CoEdIT and our editor were trained, "Fix grammar: She go." """


class Prompted(System):
    """A model that is told the task in the paper's template, with no examples, or as the sample says."""

    def __init__(self, model: Model, seed: int = 0, form: str = "task") -> None:
        self._model = model
        self._seed = seed
        self._form = form

    @staticmethod
    def prompt(item: Item, form: str = "task") -> str:
        """What the model is asked."""
        if item.sample.asking is not None:
            return item.sample.asking.prompt
        task = item.task
        references = "".join(f"Reference: [{i}] {text}\n" for i, text in enumerate(task.documents))
        return _prompt(FORMS[form], instruction=task.instruction, input=task.input, references=references)

    async def edit(self, item: Item) -> Edited:
        """The model's answer, tidied."""
        if item.sample.asking is not None:
            return await write(self._model, item.sample.asking, self._seed)
        # An edit is about as long as its input; twice that, and some, is room for any. Four characters are
        # about a token.
        room = 64 + len(item.sample.input) // 2
        request = Request.of(self.prompt(item, self._form), max_tokens=room, seed=self._seed)
        (completion,) = await self._model.complete(request)
        return Edited(tidied(completion.text, item.sample.input), completion.usage)


async def write(model: Model, asking: WritingPrompt, seed: int) -> Edited:
    """What a model answers, without what it says about it; `cut` where it was not done."""
    request = Request.of(
        asking.prompt, max_tokens=asking.max_tokens, temperature=asking.temperature, seed=seed
    )
    completion = await _fitting(model, request)
    cut = {"cut": True} if completion.problem else {}
    return Edited(bare(completion.text), completion.usage, cut)


async def _fitting(model: Model, request: Request) -> Completion:
    """The answer in as much room as the context of the model leaves."""
    while True:
        try:
            (completion,) = await model.complete(request)
        except ContextOverflow:
            if request.max_tokens <= _LEAST:
                raise
            request = replace(request, max_tokens=max(request.max_tokens // 2, _LEAST))
        else:
            return completion


def bare(answer: str) -> str:
    """An answer without a conversational preface, and without the fence around all of it."""
    text = answer.strip()
    if found := _PREFACE.match(text):
        text = text[found.end() :].strip()
    fenced = _FENCED.fullmatch(text)
    return fenced[2].strip() if fenced and fenced[1] not in fenced[2] else text


class Edits(System):
    """The editor of this package: its greedy answer, or the best of several."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor

    async def edit(self, item: Item) -> Edited:
        """The editor's choice."""
        task = item.task
        edit = await self._editor.edit(task.input, task.instruction, task.documents)
        return Edited(edit.text, edit.usage)


class Revises(System):
    """A revision of the text, with no constraints to keep."""

    def __init__(self, polisher: Polisher) -> None:
        self._polisher = polisher

    async def edit(self, item: Item) -> Edited:
        """The revised text."""
        task = item.task
        edit = await self._polisher.polish(task.input, task.instruction, task.documents)
        return Edited(edit.text, edit.usage)


def _parse_form(argument: str | None) -> str:
    """How the model is told: FORM for `model:FORM`."""
    form = "task" if argument is None else argument
    if form not in FORMS:
        forms = ", ".join(f"model:{name}" for name in FORMS)
        raise InputError(f"there is no model:{form[:20]}; there are {forms}; choose the model with --model")
    return form


def _parse_samples(name: str, usual: int, argument: str | None) -> int:
    """How many answers of the model are taken for each item: N for `editor:N` or `revise:N`."""
    if argument is None:
        return usual
    few = argument.isdecimal() and len(argument) <= len(str(MOST_SAMPLES))
    if not few or not 1 <= int(argument) <= MOST_SAMPLES:
        raise InputError(
            f"{name} takes the best of a number from 1 to {MOST_SAMPLES}, as in {name}:8, not"
            f" {argument[:20]!r}"
        )
    return int(argument)


def _open_editor(samples: int, resources: SystemResources) -> Edits:
    quality = resources.quality() if samples > 1 else None
    return Edits(Editor(resources.model(), quality, samples=samples, seed=resources.seed))


def _open_reviser(samples: int, resources: SystemResources) -> Revises:
    quality = resources.quality() if samples > 1 else None
    model, scorer = resources.model(), resources.scorer()
    return Revises(Polisher(model, scorer, quality, samples=samples, seed=resources.seed))


def _estimate(samples: int, item: Item) -> CallEstimate:
    # The samples of an item are one call beside the greedy one, and share its prompt.
    return CallEstimate(min(samples, 2), min(samples, 2), samples)


def _editor_parameters(samples: int) -> dict[str, Any]:
    return {"adapter": ADAPTER, **(_chosen_by(WEIGHTS) if samples > 1 else {})}


def _reviser_parameters(samples: int) -> dict[str, Any]:
    found = {"adapter": ADAPTER, "margins": dict(MARGINS), "caution": CAUTION}
    return {**found, **(_chosen_by({**WEIGHTS, "correct": CORRECTING}) if samples > 1 else {})}


def _chosen_by(weights: Any) -> dict[str, Any]:
    return {
        "temperature": TEMPERATURE,
        "weights": {kind: asdict(each) for kind, each in weights.items()},
    }


def _asks_model(options: object) -> tuple[str, ...]:
    return ("model",)


KINDS: tuple[SystemKind[Any], ...] = (
    SystemKind(
        "model",
        _parse_form,
        lambda form, resources: Prompted(resources.model(), resources.seed, form),
        roles=_asks_model,
    ),
    SystemKind(
        "editor",
        partial(_parse_samples, "editor", 1),
        _open_editor,
        roles=_asks_model,
        calls=_estimate,
        parameters=_editor_parameters,
    ),
    SystemKind(
        "revise",
        partial(_parse_samples, "revise", SAMPLES),
        _open_reviser,
        roles=_asks_model,
        calls=_estimate,
        parameters=_reviser_parameters,
    ),
)
