"""How well a planner chose its tools (§7, Figure 6): its calls against those that the instruction means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from redraft.bench.sample import Measures
from redraft.constraints import parse_call
from redraft.errors import CallError

JUDGING: Final = "text_eval()"
"""Part of every gold set, as in Figure 7 of the paper."""
_LOOKING: Final = "detect_keyword"
"""Lists what to keep, and checks nothing: it counts neither for a planner nor against it."""


def tool_use(planned: Iterable[str] | None, gold: Sequence[str]) -> Measures:
    """F1 of the planned calls and whether they are just the gold ones, in per cent; empty where none were."""
    if planned is None:
        return {}
    chosen = {_spelled(call) for call in planned if not call.startswith(_LOOKING)}
    wanted = {JUDGING, *map(_spelled, gold)}
    right = len(chosen & wanted)
    return {
        "tool_f1": 100 * 2 * right / (len(chosen) + len(wanted)),
        "tool_exact": 100.0 * (chosen == wanted),
    }


def _spelled(call: str) -> str:
    """A call in one spelling; one that cannot be read stays as it is, and is wrong."""
    try:
        return parse_call(call).call
    except CallError:
        return call.strip()
