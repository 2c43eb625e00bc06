"""What an instruction asks for, in one word: what makes a good edit differs between them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, get_args

Kind = Literal["correct", "simplify", "paraphrase", "neutralise", "update", "improve"]

KINDS: tuple[Kind, ...] = get_args(Kind)

# The first that matches; whatever else an instruction says is some improvement.
_SIGNS: Mapping[Kind, str] = {
    "correct": r"gramma|spelling|typo|error|mistake|proofread|punctuation",
    "update": r"updat|(?:new|missing|recent) information",
    "simplify": r"simpl|less complex|easier|plain",
    "neutralise": r"neutral|points? of view|pov\b|bias|opinion",
    "paraphrase": r"paraphras|rephras|reword|re-?write|(?:different|other) (?:words|wording)",
}


def kind_of(instruction: str) -> Kind:
    """The kind of edit that an instruction asks for, by its words."""
    found = (kind for kind, words in _SIGNS.items() if re.search(rf"\b(?:{words})", instruction, re.I))
    return next(found, "improve")
