"""Who makes a sentence simpler: the engine with the embedded model, or a model that is told the policy."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

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
from redraft.settings import Settings
from redraft.simplification.engine import Engine, Simplified
from redraft.simplification.policy import Policy

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


async def simplified(model: Model, request: Request, source: str) -> tuple[str, Usage]:
    """The model's simplification of a sentence or a paragraph; BadAnswer where it is none."""
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


@dataclass(frozen=True)
class EngineSimplifier:
    """The engine, with as many answers of the embedded model as the effort allows."""

    engine: Engine
    model: Model
    count: int
    ask: Ask

    async def versions(self, sentence: str) -> list[Simplified]:
        """The engine's versions of a sentence without mark-up, the best first."""
        drawn: tuple[EditorAnswer, ...] = ()
        if self.count and any(character.isalnum() for character in sentence):
            with suppress(ContextOverflow):
                drawn = await answers(self.model, self.ask(sentence), sentence, count=self.count)
        return [one for one in await self.engine.versions(sentence, drawn) if one.text != sentence]


@dataclass(frozen=True)
class ModelSimplifier:
    """A model that is told the policy; an answer beyond the policy's length is none."""

    model: Model
    policy: Policy
    seed: int

    async def versions(self, sentence: str) -> list[Simplified]:
        """The model's answer, if it is of any use."""
        asked = messages(self.policy, sentence)
        request = Request(asked, max_tokens=room(sentence), seed=self.seed)
        try:
            text, _ = await simplified(self.model, request, sentence)
        except BadAnswer as error:
            if error.retryable:  # nobody could read what the service sent
                raise
            return []
        if text == sentence or not self.policy.limits.fits(sentence, text):
            return []
        return [Simplified(sentence, text, rewritten=True, by=self.model.spec)]
