"""What the paper prints, in per cent: constraint accuracy (Tables 3, 7 and 9), tool use (Figure 6, left)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _levels(*values: float) -> dict[str, float]:
    return dict(zip(("L1", "L2", "L3", "L4"), values, strict=True))


def _groups(sentence: float, length: float, keyword: float) -> dict[str, float]:
    return {"sentence": sentence, "length": length, "keyword": keyword}


ACCURACY: Final[Mapping[str, Mapping[str, float]]] = {
    "Evol-Ins": _levels(57.0, 53.0, 51.33, 42.0),
    "Conifer": _levels(51.0, 59.0, 52.0, 44.25),
    "Llama-3.1-8B Direct": _levels(58.0, 59.5, 50.33, 42.25),
    "Llama-3.1-8B CoT": _levels(60.0, 57.5, 51.0, 46.0),
    "Llama-3.1-8B Plan": _levels(62.0, 61.5, 54.66, 46.25),
    "Llama-3.1-8B Iter": _levels(65.0, 63.5, 57.33, 48.25),
    "TRIPS-3.1": _levels(83.0, 80.0, 80.0, 72.75),
    "GPT-4o Direct": _levels(69.0, 61.5, 54.33, 47.0) | _groups(56.0, 67.0, 69.0),
    "GPT-4o CoT": _levels(68.0, 63.0, 55.66, 48.75) | _groups(58.0, 64.0, 72.0),
    "GPT-4o Plan": _levels(72.0, 66.5, 60.0, 53.75) | _groups(60.0, 71.0, 75.0),
    "GPT-4o Iter": _levels(77.0, 67.5, 62.33, 54.75) | _groups(67.0, 79.0, 80.0),
    "TRIPS-4o": _levels(85.0, 83.0, 82.66, 76.5) | _groups(83.0, 89.0, 83.0),
    "TRIPS-4o without plan": _levels(76.0, 65.5, 60.66, 54.25),
    "TRIPS-4o without feedback": _levels(79.0, 69.0, 62.0, 56.0),
    "TRIPS-4o without quality": _levels(84.0, 82.5, 81.66, 75.25),
    "TRIPS-4o without constraints": _levels(81.0, 73.0, 68.33, 62.75),
}

TOOL_USE: Final[Mapping[str, Mapping[str, float]]] = {
    name: dict(zip(("L0", "L1", "L2", "L3", "L4"), values, strict=True))
    for name, values in {
        "Llama-3.1-8B": (25, 41, 45, 47, 60),
        "Llama-3.1-8B SFT": (40, 54, 57, 56, 63),
        "Llama-3.1-8B after four iterations": (100, 100, 100, 99.6, 90.8),
        "GPT-4o": (81, 86, 90, 91, 79),
    }.items()
}
"""F1 of the planners' calls, without `text_eval()`."""
