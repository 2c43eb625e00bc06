"""Simplification by a policy as systems under test: `simplify:lexical`, `vanilla:mine.yaml`.

`simplify` is what `redraft simplify` does; `vanilla` is the model of the run, told the policy's instruction
and nothing more, as the paper's base models are (section 4.3).
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from redraft.bench.base import Edited, Means, System
from redraft.bench.sample import Item
from redraft.editor import room, usable
from redraft.errors import InputError
from redraft.models import Model, Models, Request
from redraft.simplify.asking import messages
from redraft.simplify.policies import load_policy, policy_text
from redraft.simplify.policy import Policy

SIMPLIFIERS: Final = ("simplify", "vanilla")


class Simplifies:
    """What `redraft simplify` does; the item's own instruction is not looked at."""

    def __init__(self, policy: Policy, models: Models) -> None:
        self._policy = policy
        self._models = models

    async def edit(self, item: Item) -> Edited:
        """The simplified text."""
        from redraft.simplify.simplifying import asimplify  # noqa: PLC0415

        found = await asimplify(item.sample.input, self._policy, models=self._models)
        return Edited(found.text, found.usage)

    async def aclose(self) -> None:
        """The models belong to who opened them."""


class Vanilla:
    """A model that is told a policy's instruction, and shown no examples; it is not told the item's own."""

    def __init__(self, policy: Policy, model: Model, seed: int) -> None:
        self._policy = policy
        self._model = model
        self._seed = seed

    async def edit(self, item: Item) -> Edited:
        """The model's simplification; the input where its answer is empty, cut off, or repeats itself.

        Left out, such answers would flatter the model: what it cannot do would not count.
        """
        source = item.sample.input
        request = Request(messages(self._policy, source), max_tokens=room(source), seed=self._seed)
        (completion,) = await self._model.complete(request)
        text = usable(completion, source)
        if text is None:
            return Edited(source, completion.usage, {"unusable": completion.text})
        return Edited(text, completion.usage)

    async def aclose(self) -> None:
        """The model belongs to who opened it."""


def open_simplifier(name: str, argument: str, means: Means) -> System:
    """The system of a spec."""
    policy = load_policy(argument)
    if name == "vanilla":
        return Vanilla(policy, means.model(), means.seed)
    return Simplifies(policy, means.models())


def check_policy(argument: str) -> None:
    """Raise InputError unless a policy can be had by what stands after the colon."""
    if argument == "-":
        raise InputError("a policy for a run comes from a file or by name: every worker reads it")
    load_policy(argument)


def policy_parameters(argument: str) -> dict[str, Any]:
    """What decides a simplifier's outputs, to be recorded with a run: the policy, by its very text."""
    digest = hashlib.sha256(policy_text(argument).encode()).hexdigest()[:16]
    return {"policy": load_policy(argument).name, "policy_sha256": digest}
