"""How difficult a word is: how often it is met, and the CEFR level at which learners know it."""

from __future__ import annotations

from typing import Literal, get_args

Level = Literal["A1", "A2", "B1", "B2", "C1", "C2"]
LEVELS: tuple[Level, ...] = get_args(Level)
