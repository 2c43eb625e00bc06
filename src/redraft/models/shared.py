"""What models in this process have in common: shared engines, loaded at first use, and a bounded context."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar

from redraft.errors import ContextOverflow


def check_context(prompt: int, max_tokens: int, context: int, spec: str) -> None:
    """Raise where a request does not fit the context of a model in this process."""
    if prompt + max_tokens > context:
        raise ContextOverflow(
            f"the request has {prompt} tokens and asks for up to {max_tokens} more, "
            f"but {spec} has a context of {context}",
            provider=spec.partition(":")[0],
            hint="shorten the text, ask for fewer tokens, or raise the setting context",
        )


class Closes(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Stop what is running and free what is held."""


C = TypeVar("C", bound=Hashable)
E = TypeVar("E", bound=Closes)


class Shared(Generic[C, E]):
    """The engines by configuration.

    They are closed before the interpreter goes: one that still computes then ends the process with a fault.
    """

    def __init__(self, load: Callable[[C], E]) -> None:
        self._load = load
        self._engines: dict[C, E] = {}
        self._opening = threading.Lock()
        atexit.register(self.close)

    def get(self, config: C) -> E:
        """The engine for a configuration."""
        with self._opening:
            if config not in self._engines:
                self._engines[config] = self._load(config)
            return self._engines[config]

    def close(self) -> None:
        """Free every engine."""
        with self._opening:
            for engine in self._engines.values():
                engine.close()
            self._engines.clear()
