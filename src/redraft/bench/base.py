"""What a system under test is, and what a run offers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from redraft.bench.benchmark import Item
from redraft.models import Model, Models, Scorer, Usage
from redraft.quality import QualityScorer
from redraft.runs import NOTHING
from redraft.simplification import Policy

SILENCE = 1200.0
"""Seconds without an answer until a command is given up: it may load a model, or read every task first."""


@dataclass(frozen=True)
class Edited:
    """An edited text, and what it took."""

    text: str
    usage: Usage = NOTHING
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else is worth recording, as plain data: the calls that a planner chose, the text of each round."""


class System(Protocol):
    """Edits the items of a benchmark; may be asked for several at once."""

    async def edit(self, item: Item) -> Edited:
        """The edited text of one item."""

    async def aclose(self) -> None:
        """Release what the system holds."""


@dataclass(frozen=True)
class Means:
    """What a run offers its systems; the models are opened by the system that wants them."""

    model: Callable[[], Model]
    quality: Callable[[], QualityScorer]
    scorer: Callable[[], Scorer]
    models: Callable[[], Models]
    seed: int = 0
    silence: float = SILENCE
    """Seconds without an answer until a command is given up."""
    policy: Policy | None = None
    """That of a system that goes by one: whoever started the run has read it, a worker need not find it."""


Factory = Callable[[str, Means], System]
"""Makes a system from what stands after the colon of its spec, and what the run offers."""
