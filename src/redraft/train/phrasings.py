"""Our own wordings of each task, as varied as users write: those to train on, and a few to measure with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from redraft.editor import read_phrasings
from redraft.errors import InputError


def phrasings(task: str) -> tuple[str, ...]:
    """The wordings of a task to train on."""
    return _wordings(task, "training")


def held_out(task: str) -> tuple[str, ...]:
    """The wordings of a task that training never sees: how much a score falls with them is its robustness."""
    return _wordings(task, "held_out")


def tasks() -> tuple[str, ...]:
    """The tasks that have wordings."""
    return tuple(read_phrasings())


def joined(*others: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The instructions of each task: ours, then those of other lists that are not among them."""
    names = dict.fromkeys([*tasks(), *(task for other in others for task in other)])
    known = read_phrasings()
    return {
        task: tuple(
            dict.fromkeys(
                [
                    *(known[task]["training"] if task in known else ()),
                    *(line for other in others for line in other.get(task, ())),
                ]
            )
        )
        for task in names
    }


def _wordings(task: str, part: str) -> tuple[str, ...]:
    known = read_phrasings()
    if task not in known:
        raise InputError(f"there is no task {task!r}; the tasks are {', '.join(known)}")
    return known[task][part]
