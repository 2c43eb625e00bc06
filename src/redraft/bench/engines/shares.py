"""How the processors of a cluster are shared out among workers."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

from redraft.errors import InputError
from redraft.settings import Settings

_USUAL = 2
"""Processors for a worker, where the user does not say how many workers there are."""
_STEPS = 10_000
"""Ray counts processors in ten-thousandths."""


def share_out(nodes: Sequence[float], workers: int | None) -> tuple[int, float]:
    """How many workers, and how many processors each may have so that all of them find room on the nodes."""
    nodes = [processors for processors in nodes if processors > 0]
    if not nodes:
        raise InputError(
            "the cluster has no processors: start a node with some, as in ray start --num-cpus 4"
        )
    wanted = workers or sum(max(1, int(processors // _USUAL)) for processors in nodes)
    sizes = sorted({processors / parts for processors in nodes for parts in range(1, wanted + 1)})
    too_large = bisect_left(sizes, True, key=lambda size: _room(nodes, size) < wanted)
    return wanted, max(1, math.floor(sizes[too_large - 1] * _STEPS)) / _STEPS


def _room(nodes: Sequence[float], size: float) -> int:
    return sum(int(processors / size + 1e-9) for processors in nodes)


def settings_of_one(settings: Settings, workers: int, processors: float) -> Settings:
    """The settings of one of several workers: its part of the calls at once, and of the processors."""
    share = {
        "concurrency": max(1, settings.concurrency // workers),
        "threads": settings.threads or max(1, int(processors)),
    }
    return settings.model_copy(update=share)
