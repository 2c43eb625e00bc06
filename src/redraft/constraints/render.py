"""Constraints as an instruction in plain English, with many phrasings, from a seed."""

from __future__ import annotations

import random
from collections.abc import Sequence

from redraft.constraints.base import Constraint


def render(constraints: Sequence[Constraint], seed: int = 0, style: str = "") -> str:
    """An instruction that means the constraints."""
    choose = random.Random(seed)
    sentences = [choose.choice(list(constraint.phrasings())) for constraint in constraints]
    lead = style.rstrip(" .:")
    return " ".join(([f"{lead}."] if lead else []) + sentences)
