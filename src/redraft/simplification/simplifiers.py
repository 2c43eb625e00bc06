"""Who makes a sentence simpler: the engine with the embedded model, or a model that is told the policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from redraft.editor import ADAPTER, EditorAnswer, answers, editor_messages, room, usable
from redraft.errors import BadAnswer, ContextOverflow, InputError
from redraft.models import (
    Message,
    Model,
    Request,
    Usage,
    find_adapter,
    known_adapters,
    sha256_of,
    trained_for,
)
from redraft.revision import Reason
from redraft.settings import Settings
from redraft.simplification.changes import Change
from redraft.simplification.engine import Engine, Simplified
from redraft.simplification.policy import Policy
from redraft.simplification.simplification import Replaced
from redraft.text import level, tagged

REQUEST: Final = "Simplify this sentence"
"""What the embedded editor is asked, in words that it was trained on."""
PREFIX: Final = "simplify-"
"""Of the names of adapters that were trained for a policy; after it comes the policy's."""
Ask = Callable[[str], Request]
"""How the embedded model is asked to simplify a sentence."""


def messages(policy: Policy, source: str, *, examples: bool = False) -> tuple[Message, ...]:
    """How a source is put to a model; in training and in use without examples, for a pool with them."""
    shown = policy.examples if examples else ()
    turns = [
        turn for one in shown for turn in (Message("user", one.source), Message("assistant", one.simplified))
    ]
    return Message("system", policy.instruction), *turns, Message("user", source)


async def simplified(
    model: Model,
    policy: Policy,
    source: str,
    *,
    examples: bool = False,
    temperature: float = 0.0,
    seed: int = 0,
    adapter: str | None = None,
) -> tuple[str, Usage]:
    """The model's simplification of a sentence or a paragraph; BadAnswer where it is none."""
    request = Request(
        messages(policy, source, examples=examples),
        max_tokens=room(source),
        temperature=temperature,
        seed=seed,
        adapter=adapter,
    )
    (completion,) = await model.complete(request)
    text = usable(completion, source)
    if text is None:
        raise BadAnswer(
            f"{model.spec} gave no simplification: its answer is empty, cut off, or repeats itself",
            provider=model.spec,
            hint="a larger model may do better; see --model",
        )
    return text, completion.usage


def adapter_of(policy: Policy, settings: Settings) -> str | None:
    """The adapter `simplify-NAME` that was trained for a policy; None where there is none.

    One that was trained for other words than the policy's, which may have the name of ours, is none. One that
    does not say what it was trained for is taken at its name.
    """
    name = PREFIX + policy.name
    path = known_adapters(settings.weights()).get(name)
    if path is None or trained_for(path) not in ("", policy.instruction):
        return None
    return name


def trained_adapter(policy: Policy, settings: Settings) -> str:
    """The same; InputError where there is none."""
    adapter = adapter_of(policy, settings)
    if adapter is None:
        raise InputError(
            f"no adapter was trained for the policy {policy.name!r}: train one with `redraft train policy`, "
            f"and add it with `redraft models add DIR --name {PREFIX}{policy.name}`"
        )
    return adapter


def adapter_hash(adapter: str, settings: Settings) -> str:
    """Which of the adapters of a name is used: another may be added under it."""
    return sha256_of(find_adapter(adapter, settings.weights()))[:16]


def request_maker(policy: Policy, settings: Settings, seed: int) -> Ask:
    """Asks the policy's own adapter in the policy's words, or without one the editor in its own."""
    adapter = adapter_of(policy, settings)

    def ask(sentence: str) -> Request:
        asked = messages(policy, sentence) if adapter else editor_messages(REQUEST, sentence)
        return Request(asked, max_tokens=room(sentence), seed=seed, adapter=adapter or ADAPTER)

    return ask


@dataclass(frozen=True, slots=True)
class Version:
    """What may stand for a passage: who made it, and the changes where they are known."""

    text: str
    by: str
    why: tuple[Reason, ...] = ()
    replaced: Mapping[Reason, Replaced] = field(default_factory=dict)


class Simplifier(Protocol):
    """Makes versions of a sentence without mark-up."""

    async def versions(self, sentence: str) -> list[Version]:
        """Simpler versions, the best first; none where there is nothing to make simpler."""


class EngineSimplifier:
    """The engine, with as many answers of the embedded model as the effort allows."""

    def __init__(self, engine: Engine, model: Model, count: int, ask: Ask) -> None:
        self._engine = engine
        self._model = model
        self._count = count
        self._ask = ask

    async def versions(self, sentence: str) -> list[Version]:
        """The engine's versions."""
        drawn: tuple[EditorAnswer, ...] = ()
        if self._count and any(character.isalnum() for character in sentence):
            with suppress(ContextOverflow):
                drawn = await answers(self._model, self._ask(sentence), sentence, count=self._count)
        found = await self._engine.versions(sentence, drawn)
        return [_version(one) for one in found if one.text != sentence]


class ModelSimplifier:
    """A model that is told the policy; an answer beyond the policy's length is none."""

    def __init__(self, model: Model, policy: Policy, seed: int) -> None:
        self._model = model
        self._policy = policy
        self._seed = seed

    async def versions(self, sentence: str) -> list[Version]:
        """The model's answer, if it is of any use."""
        try:
            text, _ = await simplified(self._model, self._policy, sentence, seed=self._seed)
        except BadAnswer as error:
            if error.retryable:  # nobody could read what the service sent
                raise
            return []
        fits = self._policy.limits.fits(sentence, text)
        return [Version(text, self._model.spec, (Reason("rewrite"),))] if fits and text != sentence else []


def _version(found: Simplified) -> Version:
    why = (
        *[Reason("rewrite")] * found.rewritten,
        *(change.why for change in found.changes),
        *[Reason("divide")] * found.split,
    )
    # What the editor wrote and the engine replaced was never said.
    said = {
        one.why: _replaced(found.source, one)
        for one in found.changes
        if one.operation == "replace" and (not found.rewritten or one.said.lower() in found.source.lower())
    }
    return Version(found.text, "engine", why, said)


def _replaced(source: str, change: Change) -> Replaced:
    same = [word for word in tagged(source) if word.text == change.said]
    word = min(same, key=lambda word: abs(word.start - change.start), default=None)
    return Replaced(change.said, change.new, str(change.why), word and level(word.text, word.tag))
