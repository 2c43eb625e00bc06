"""Simplification by a policy as systems under test: `simplify:lexical@low`, `vanilla:mine.yaml`.

`simplify` is what `redraft simplify` does, with the effort after an `@`; `vanilla` is the model of the run,
told the policy's instruction and nothing more, as the paper's base models are (section 4.3). Neither looks at
the instruction of the item.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Self

from redraft.bench.base import Edited, Means, System
from redraft.bench.sample import Item
from redraft.editor import ADAPTER, TEMPERATURE, room, usable
from redraft.errors import InputError
from redraft.models import Model, Models, Request
from redraft.revise.revision import EFFORTS, Effort
from redraft.simplify.asking import messages
from redraft.simplify.policies import load_policy
from redraft.simplify.policy import Policy
from redraft.simplify.simplifying import ANSWERS, REQUEST, asimplify

SIMPLIFIERS: Final = ("simplify", "vanilla")


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
        if self.system == "simplify":
            answers = ANSWERS[self.effort]
            found |= {"effort": self.effort, "answers": answers, "adapter": ADAPTER, "request": REQUEST}
            found["temperature"] = TEMPERATURE
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
    """A model that is told a policy's instruction, and shown no examples."""

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
    if name == "vanilla":
        return Vanilla(policy, means.model(), means.seed)
    return Simplifies(policy, means.models(), way.effort, means.seed)
