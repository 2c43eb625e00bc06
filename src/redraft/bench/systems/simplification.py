"""Simplification by a policy as systems under test: `simplify:lexical@low`, `vanilla:mine.yaml`.

`simplify` is what `redraft simplify` does, with the effort after an `@`; `vanilla` is the model of the run,
told the policy's instruction and nothing more, as the paper's base models are (section 4.3); `trained` is the
same with the adapter that was trained for the policy, greedily and without the engine. With `hf:DIR`, which a
training wrote, both are what it left. None looks at the instruction of the item.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from redraft.bench.benchmark import Item
from redraft.bench.systems.kind import (
    CallEstimate,
    Edited,
    System,
    SystemKind,
    SystemResources,
    required,
)
from redraft.editor import ADAPTER, TEMPERATURE, room, usable
from redraft.errors import InputError
from redraft.models import Model, Models, Request, is_trained
from redraft.revision import EFFORTS, SMALL, Effort
from redraft.settings import load_settings
from redraft.simplification import (
    ANSWERS,
    REQUEST,
    Policy,
    adapter_hash,
    adapter_of,
    asimplify,
    load_policy,
    messages,
    trained_adapter,
)
from redraft.text import Document


@dataclass(frozen=True)
class PolicyOptions:
    """What stands in a spec: the policy, read by whoever starts the run, and the effort of `simplify`."""

    policy: Policy
    effort: Effort = "medium"


def _parse(name: str, argument: str | None) -> PolicyOptions:
    argument = required(name, argument)
    policy, _, effort = argument.rpartition("@")
    if name == "simplify" and policy and effort in EFFORTS:
        return PolicyOptions(_load(policy), effort)
    return PolicyOptions(_load(argument))


def _load(policy: str) -> Policy:
    if policy == "-":
        raise InputError("a policy for a run comes from a file or by name: --resume reads it again")
    return load_policy(policy)


def _parameters(name: str, options: PolicyOptions) -> dict[str, Any]:
    """What decides the outputs: all that the policy says, the effort."""
    policy = options.policy
    found: dict[str, Any] = {"policy": policy.name, "policy_hash": policy.hash}
    settings = load_settings()
    adapter = None if name == "vanilla" else adapter_of(policy, settings)
    if adapter is not None:
        found["adapter"] = adapter
        found["adapter_hash"] = adapter_hash(adapter, settings)
    if name == "simplify":
        found |= {"effort": options.effort, "answers": ANSWERS[options.effort], "temperature": TEMPERATURE}
        if adapter is None:
            found |= {"adapter": ADAPTER, "request": REQUEST}
    return found


class Simplifies(System):
    """What `redraft simplify` does."""

    def __init__(self, policy: Policy, models: Models, effort: Effort, seed: int) -> None:
        self._policy = policy
        self._models = models
        self._effort = effort
        self._seed = seed

    async def edit(self, item: Item) -> Edited:
        """The simplified text; where constraints of the policy conflict, as many are met as can be."""
        sample = item.sample
        found = await asimplify(
            sample.input, self._policy, models=self._models, effort=self._effort, format=sample.format,
            best_effort=True, scored=False, seed=self._seed,
        )  # fmt: skip
        if found.failure is not None:
            raise found.failure
        return Edited(found.text, found.usage)


class Vanilla(System):
    """A model that is told a policy's instruction, and shown no examples; as it is, or with an adapter."""

    def __init__(self, policy: Policy, model: Model, seed: int, adapter: str | None = None) -> None:
        self._policy = policy
        self._model = model
        self._seed = seed
        self._adapter = adapter

    async def edit(self, item: Item) -> Edited:
        """The model's simplification; the input where its answer is empty, cut off, or repeats itself.

        Left out, such answers would flatter the model: what it cannot do would not count.
        """
        source = item.sample.input
        request = Request(
            messages(self._policy, source), max_tokens=room(source), seed=self._seed, adapter=self._adapter
        )
        (completion,) = await self._model.complete(request)
        text = usable(completion, source)
        if text is None:
            return Edited(source, completion.usage, {"unusable": completion.text})
        return Edited(text, completion.usage)


def _trained(policy: Policy, model: Model) -> str | None:
    """The adapter that `trained` asks with; what a training left is its own."""
    if is_trained(model.spec):
        return None
    if model.spec not in SMALL:
        raise InputError(
            f"{model.spec} has no adapter for a policy: name embedded, torch, or hf:DIR, which a "
            f"training wrote, with --model, or ask it plainly with vanilla:{policy.name}"
        )
    return trained_adapter(policy, load_settings())


def _estimate_sentences(options: PolicyOptions, item: Item) -> CallEstimate:
    return CallEstimate(len(Document(item.sample.input, item.sample.format).sentences), 1, 1)


def _open_vanilla(options: PolicyOptions, resources: SystemResources) -> System:
    return Vanilla(options.policy, resources.model(), resources.seed)


def _open_trained(options: PolicyOptions, resources: SystemResources) -> System:
    model = resources.model()
    return Vanilla(options.policy, model, resources.seed, _trained(options.policy, model))


KINDS = (
    SystemKind(
        "simplify",
        partial(_parse, "simplify"),
        lambda options, resources: Simplifies(
            options.policy, resources.models(), options.effort, resources.seed
        ),
        roles=lambda options: ("reviser",),
        calls=_estimate_sentences,
        parameters=partial(_parameters, "simplify"),
        scores=True,
    ),
    *(
        SystemKind(
            name,
            partial(_parse, name),
            open_one,
            roles=lambda options: ("model",),
            parameters=partial(_parameters, name),
        )
        for name, open_one in (("vanilla", _open_vanilla), ("trained", _open_trained))
    ),
)
