"""What a system under test is, what a run offers it, and what is known of its kind before it is opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from redraft.bench.benchmark import Item, Plan
from redraft.errors import InputError
from redraft.models import Model, Models, Scorer, Usage
from redraft.quality import QualityScorer
from redraft.runs import NO_USAGE

SILENCE = 1200.0
"""Seconds without an answer until a command is given up: it may load a model, or read every task first."""


@dataclass(frozen=True)
class Edited:
    """An edited text, and what it took."""

    text: str
    usage: Usage = NO_USAGE
    more: Mapping[str, Any] = field(default_factory=dict)
    """What else is worth recording, as plain data: the calls that a planner chose, the text of each round."""


class System(Protocol):
    """Edits the items of a benchmark; may be asked for several at once."""

    async def edit(self, item: Item) -> Edited:
        """The edited text of one item."""

    async def aclose(self) -> None:
        """Release what the system holds: nothing, where its models belong to who opened them."""
        return


@dataclass(frozen=True)
class SystemResources:
    """What a run offers its systems; the models are opened by the system that wants them."""

    model: Callable[[], Model]
    quality: Callable[[], QualityScorer]
    scorer: Callable[[], Scorer]
    models: Callable[[], Models]
    seed: int = 0
    silence: float = SILENCE
    """Seconds without an answer until a command is given up."""


@dataclass(frozen=True)
class CallEstimate:
    """What an item takes, about: calls of the model, and how often these show and write the whole text."""

    calls: int
    shown: int
    written: int


Options = TypeVar("Options")


def _takes_nothing(options: Any) -> tuple[str, ...]:
    return ()


def _one_call(options: Any, item: Item) -> CallEstimate:
    return CallEstimate(1, 1, 1)


def _no_parameters(options: Any) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class SystemKind(Generic[Options]):
    """All that is known of one kind of system: how its spec is read, what it takes, and how it is opened.

    Ours are listed in `registry`; another package adds one in the entry-point group `redraft.systems`.
    """

    name: str
    """What stands before the colon of a spec."""
    parse: Callable[[str | None], Options]
    """Reads what stands after the colon, None where there is no colon; raises InputError where it is wrong.

    What it gives may travel to another process, so it can be pickled.
    """
    open: Callable[[Options, SystemResources], System]
    roles: Callable[[Options], tuple[str, ...]] = _takes_nothing
    """The roles whose models it asks; none where it asks no model."""
    calls: Callable[[Options, Item], CallEstimate] = _one_call
    """What an item takes, for a system that asks a model."""
    parameters: Callable[[Options], dict[str, Any]] = _no_parameters
    """What decides its outputs beside its spec and the seed, to be recorded with a run."""
    covers: Callable[[Options, Item], bool] | None = None
    """Whether it can do an item; without this, it can do any."""
    lacking: Callable[[Options, Plan], str] = lambda options, plan: "items for it"
    """What the data does not have where no item is covered, for a message."""
    also_recorded: tuple[str, ...] = ()
    """Further roles whose models are recorded with a run."""
    may_ask: bool = False
    """Whether it may ask the model of the run though it names no role: then that is recorded too."""
    scores: bool = False
    """Whether it weighs texts with the scoring model, whatever model it asks."""
    edits: bool = True
    """Whether it changes texts, so that the quality of its outputs is worth measuring."""
    planner: Callable[[Options], str | None] = lambda options: None
    """The role whose model plans, if any: what a planner of ours has learnt from is no item for it."""


def no_options(name: str) -> Callable[[str | None], None]:
    """Reads the spec of a system that is a name alone."""

    def parse(argument: str | None) -> None:
        if argument is not None:
            raise InputError(f"{name} takes nothing after a colon")

    return parse


def required(name: str, argument: str | None) -> str:
    """What stands after the colon; InputError where nothing does."""
    if argument is None or not argument.strip():
        raise InputError(f"{name} needs something after a colon, as in {name}:…")
    return argument
