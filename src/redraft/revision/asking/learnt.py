"""Papers of TETRA that the planner that ships has learnt from: they are out of its scores, and of the next.

`data/tetra-learnt.txt` names them, with a hash of how each begins; `benchmarks/learnt.py` made it.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Final

_LETTERS: Final = 60
"""So many letters and figures tell one text from another."""


def opening_hash(text: str) -> str:
    """A hash of the first letters and figures of a text, whatever stands between them."""
    letters = [one for one in text[: 10 * _LETTERS].casefold() if one.isalnum()][:_LETTERS]
    return hashlib.sha256("".join(letters).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def planner_has_learnt(text: str) -> bool:
    """Whether a text begins as a paper of TETRA does that the planner has learnt from."""
    return opening_hash(text) in _openings()


@cache
def _openings() -> frozenset[str]:
    lines = files(__package__).joinpath("data", "tetra-learnt.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(line.split()[0] for line in lines if not line.startswith("#"))
