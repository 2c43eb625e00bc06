"""Engines that a process shares: one for each configuration, loaded at first use."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Callable, Hashable
from typing import Generic, Protocol, TypeVar


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
