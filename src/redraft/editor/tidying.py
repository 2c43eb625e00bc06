"""What a model answered, made into the text that was asked for; or known to be none."""

from __future__ import annotations

from collections import Counter

from redraft.models import Completion

_RUN = 4
_TURNS = 3
_LONGEST = 3
_SLACK = 100
"""An edit has at most so many times the characters of its source, and so many more."""


def tidied(answer: str, source: str) -> str:
    """The answer without what small models add to it: a label, quotation marks, further lines."""
    text = answer.strip()
    if text.lower().startswith("output:"):
        text = text[len("output:") :].strip()
    if "\n" not in source.strip():
        text = text.split("\n", 1)[0].strip()
    if len(text) > 1 and text[0] == text[-1] == '"' and not source.startswith('"'):
        text = text[1:-1].strip()
    return text


def usable(completion: Completion, source: str) -> str | None:
    """The tidied text of an answer; None where it is empty, cut off, far too long, or repeats itself."""
    text = tidied(completion.text, source)
    whole = completion.finish_reason == "stop"
    fits = len(text) <= _LONGEST * len(source.strip()) + _SLACK
    return text if text and whole and fits and not runs_away(text, source) else None


def runs_away(text: str, source: str) -> bool:
    """Whether some four words in a row stand in the text three times, and more often than in the source."""
    known = _runs(source)
    return any(count >= _TURNS and count > known[run] for run, count in _runs(text).items())


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = text.lower().split()
    return Counter(zip(*(words[start:] for start in range(_RUN)), strict=False))
