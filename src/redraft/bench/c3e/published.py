"""What the RAVEL paper prints: its Table 2, of models with the judge GPT-5.2 and over both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TASKS: Final = ("cloze", "expand", "edit", "end2end")
DYNAMICS: Final = ("success", "efficiency", "density", "gain", "judge", "failures", "outline", "trajectory")
"""The columns S, η_traj, ρ_ref, δ_gain, Judge, ERR, |O| and |T|."""


def _row(*values: float) -> Mapping[str, float]:
    return dict(zip((*TASKS, *DYNAMICS), values, strict=True))


TABLE_2: Final[Mapping[str, Mapping[str, float]]] = {
    "GPT-5.2": _row(4.53, 7.89, 7.50, 7.37, 64.3, 2.35, 17.9, 0.00, 6.64, 0.95, 15.5, 30.2),
    "Gemini-3 Pro": _row(4.44, 7.79, 7.18, 7.51, 95.1, 2.32, 2.40, 27.96, 7.05, 0.00, 7.1, 16.2),
    "Claude-4.5 Sonnet": _row(4.44, 7.79, 7.42, 7.52, 68.1, 2.95, 100.5, 19.55, 6.68, 0.00, 10.3, 28.0),
    "Grok-4": _row(4.42, 7.76, 7.12, 7.39, 69.0, 2.50, 38.2, 3.52, 6.31, 0.03, 7.4, 18.4),
    "GLM-4.7": _row(2.62, 7.25, 5.43, 7.17, 73.3, 2.51, 38.5, 0.00, 6.31, 0.37, 7.3, 18.0),
    "Qwen3-Max": _row(4.32, 7.86, 7.71, 7.35, 47.8, 1.92, 23.9, 0.00, 5.74, 0.00, 7.3, 13.1),
    "Kimi-K2-Thinking": _row(3.99, 7.75, 7.05, 7.71, 58.3, 2.81, 55.4, 0.00, 6.48, 1.32, 7.9, 21.6),
    "DeepSeek-v3.2": _row(4.22, 7.33, 7.21, 7.45, 95.7, 2.59, 26.2, 2.18, 6.64, 0.02, 7.0, 17.9),
    "Llama-3.1-405B": _row(3.09, 3.64, 5.94, 3.51, 47.7, 3.94, 30.3, 1.09, 5.05, 0.00, 7.5, 29.6),
    "Hermes-3-Llama-70B": _row(1.88, 5.55, 4.19, 5.28, 91.8, 3.16, 18.7, 11.39, 4.58, 0.00, 7.7, 24.1),
    "Llama-3.1-8B": _row(2.44, 5.89, 5.85, 5.33, 0.0, 8.59, 18.3, 4.60, 1.66, 0.04, 5.8, 51.0),
    "Qwen3-235B-A22B": _row(4.60, 7.49, 7.67, 7.38, 89.4, 2.47, 20.5, 0.00, 6.94, 0.00, 8.3, 20.1),
    "Qwen3-32B": _row(3.74, 6.56, 7.05, 6.07, 58.5, 3.02, 105.8, 5.54, 5.54, 0.00, 7.2, 21.2),
    "Qwen3-8B": _row(3.14, 6.14, 6.99, 5.65, 94.7, 2.43, 13.9, 2.57, 5.51, 0.02, 7.5, 18.0),
}
