"""How well a planner chose its tools (TRIPS, §7, Figure 6): its calls against those that are meant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from redraft.constraints import parse_call
from redraft.errors import CallError

JUDGING: Final = "text_eval()"
"""Part of every gold set, as in Figure 7 of the paper."""
_LOOKING: Final = "detect_keyword"
"""Lists what to keep, and checks nothing: it counts neither for a planner nor against it."""


def tool_use(planned: Iterable[str] | None, gold: Iterable[str]) -> dict[str, float]:
    """F1 of the planned calls and whether they are just the gold ones, in per cent; empty where none were.

    `check_f1` is F1 without `text_eval()` on either side, as the paper's Figure 6 has it: where nothing is to
    be checked, and nothing is, that is right.
    """
    if planned is None:
        return {}
    chosen = {_spelled(call) for call in planned if not call.startswith(_LOOKING)}
    wanted = {JUDGING, *map(_spelled, gold)}
    return {
        "tool_f1": _f1(chosen, wanted),
        "tool_exact": 100.0 * (chosen == wanted),
        "check_f1": _f1(chosen - {JUDGING}, wanted - {JUDGING}),
    }


def _f1(chosen: set[str], wanted: set[str]) -> float:
    if not chosen and not wanted:
        return 100.0
    return 100 * 2 * len(chosen & wanted) / (len(chosen) + len(wanted))


def _spelled(call: str) -> str:
    """A call in one spelling; one that cannot be read stays as it is, and is wrong."""
    try:
        return parse_call(call).call
    except CallError:
        return call.strip()
