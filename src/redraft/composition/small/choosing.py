"""The next action as a small model chooses it: a short question, and an answer that is one of a few words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from redraft.composition.actions import Action, Limits
from redraft.composition.asking.reasoner import read_choice
from redraft.composition.base import Choice
from redraft.composition.brief import Brief
from redraft.composition.small.outlining import small_outline
from redraft.composition.state import Outline, State
from redraft.composition.trajectory import Step
from redraft.models import Embedder, Model, Prompts, Request, schema_text

_prompt = Prompts(__package__)
_TEMPERATURE: Final = 0.3


class SmallReasoner:
    """Plans by what was asked for; chooses among the words that it is offered."""

    def __init__(self, model: Model, embedder: Embedder, seed: int) -> None:
        self._model = model
        self._embedder = embedder
        self._seed = seed

    async def outline(self, brief: Brief) -> Outline:
        """The outline that the brief itself asks for."""
        return await small_outline(brief, self._embedder)

    async def choose(
        self,
        brief: Brief,
        state: State,
        steps: Sequence[Step],
        allowed: Sequence[Action] | None,
        limits: Limits,
    ) -> Choice:
        """One of the allowed, by a schema that has no others; or whatever it says in that place."""
        last = steps[-1] if steps else None
        asked = _prompt(
            "choose",
            sections="\n".join(f"{each.id}. {each.title}: {each.status}" for each in state.sections)
            or "no outline yet",
            last="nothing" if last is None else f"{last.action or last.said[:40]}",
            failed=f" It failed: {last.error}" if last is not None and last.error else "",
        )
        spoken: dict[str, object] = {"type": "string"}
        if allowed is not None:
            spoken["enum"] = [str(action) for action in allowed]
        schema = {
            "type": "object",
            "properties": {"action": spoken},
            "required": ["action"],
            "additionalProperties": False,
        }
        request = Request.of(
            asked,
            max_tokens=40,
            temperature=_TEMPERATURE,
            # The same question after another step is asked anew.
            seed=self._seed + len(steps),
            schema=schema_text(schema),
        )
        (completion,) = await self._model.complete(request)
        return read_choice(completion.text)
