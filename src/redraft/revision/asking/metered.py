"""A model that adds up what it is used for."""

from __future__ import annotations

from redraft.models import Completion, Model, Request, Usage


class Metered:
    """A Model in front of another; `usage` is the sum of all that went through it."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.usage = Usage()

    @property
    def spec(self) -> str:
        """The name of the model behind."""
        return self._model.spec

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        """What the model behind answers."""
        completions = await self._model.complete(request)
        self.usage = sum((completion.usage for completion in completions), self.usage)
        return completions
