"""Simplification by a policy as systems under test: `simplify:lexical@low`, `vanilla:mine.yaml`.

`simplify` is what `redraft simplify` does, with the effort after an `@`; `vanilla` is the model of the run,
told the policy's instruction and nothing more, as the paper's base models are (section 4.3); `trained` is the
same with the adapter that was trained for the policy, greedily and without the engine. With `torch:DIR` both
are what that training left. None looks at the instruction of the item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

from redraft.bench.base import Edited, Means, System
from redraft.bench.benchmark import Item
from redraft.editor import ADAPTER, TEMPERATURE, room, usable
from redraft.errors import InputError
from redraft.models import Model, Models, Request
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

SIMPLIFIERS: Final = ("simplify", "vanilla", "trained")


@dataclass(frozen=True)
class PolicyWay:
    """What stands in a spec: the system, the policy by its name or path, and the effort of `simplify`."""

    system: str
    policy: str
    effort: Effort = "medium"

    @classmethod
    def of(cls, spec: str) -> Self:
        """Read a spec."""
        system, _, argument = spec.partition(":")
        policy, _, effort = argument.rpartition("@")
        if system == "simplify" and policy and effort in EFFORTS:
            return cls(system, policy, effort)
        return cls(system, argument)

    def load(self) -> Policy:
        """Read the policy; InputError unless there is one."""
        if self.policy == "-":
            raise InputError("a policy for a run comes from a file or by name: --resume reads it again")
        return load_policy(self.policy)

    @property
    def parameters(self) -> dict[str, Any]:
        """What decides the outputs, to be recorded with a run: all that the policy says, the effort."""
        policy = self.load()
        found: dict[str, Any] = {"policy": policy.name, "policy_hash": policy.hash}
        settings = load_settings()
        adapter = None if self.system == "vanilla" else adapter_of(policy, settings)
        if adapter is not None:
            found["adapter"] = adapter
            found["adapter_hash"] = adapter_hash(adapter, settings)
        if self.system == "simplify":
            found |= {"effort": self.effort, "answers": ANSWERS[self.effort], "temperature": TEMPERATURE}
            if adapter is None:
                found |= {"adapter": ADAPTER, "request": REQUEST}
        return found


class Simplifies:
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

    async def aclose(self) -> None:
        """The models belong to who opened them."""


class Vanilla:
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

    async def aclose(self) -> None:
        """The model belongs to who opened it."""


def named_policy(spec: str) -> Policy | None:
    """The policy that the spec of a system names; None where it is for none."""
    return PolicyWay.of(spec).load() if spec.partition(":")[0] in SIMPLIFIERS else None


def open_simplifier(name: str, argument: str, means: Means) -> System:
    """The system of a spec."""
    way = PolicyWay.of(f"{name}:{argument}")
    policy = means.policy or way.load()
    if name == "simplify":
        return Simplifies(policy, means.models(), way.effort, means.seed)
    model = means.model()
    return Vanilla(policy, model, means.seed, _trained(policy, model) if name == "trained" else None)


def _trained(policy: Policy, model: Model) -> str | None:
    """The adapter that `trained` asks with; what a training left is its own."""
    if model.spec.startswith("torch:") and not model.spec.endswith(".gguf"):
        return None
    if model.spec not in SMALL:
        raise InputError(
            f"{model.spec} has no adapter for a policy: name embedded, torch, or torch:DIR with --model, or "
            f"ask it plainly with vanilla:{policy.name}"
        )
    return trained_adapter(policy, load_settings())
