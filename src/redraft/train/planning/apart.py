"""Texts that must not meet: what is held out, or watched, and what is learnt from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from redraft.train.guard import normalised_words
from redraft.train.planning.generation import Text

_SIZE: Final = 5
_SHARE: Final = 0.3
"""A text is of another where it has so many of its runs of five words from it: damage leaves most of them."""


class Apart:
    """Knows texts, and stretches of them, by their runs of words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._runs = {run for text in texts for run in _runs(text)}

    def knows(self, text: str) -> bool:
        """Whether a text is one of them, or a part of one, or of several, damaged or not."""
        own = _runs(text)
        return bool(own) and sum(run in self._runs for run in own) >= _SHARE * len(own)


def split(texts: Iterable[Text], share: float) -> tuple[list[Text], list[Text]]:
    """The texts to learn from, and a share of them held out, at least one; each text decides for itself."""
    distinct = {one.text: one for one in texts}
    order = sorted(distinct.values(), key=lambda one: hashlib.sha256(one.text.encode()).digest())
    held_out = order[: max(1, round(share * len(order)))]
    known = Apart(one.text for one in held_out)
    return [one for one in order[len(held_out) :] if not known.knows(one.text)], held_out


def _runs(text: str) -> set[tuple[str, ...]]:
    words = normalised_words(text)
    return set(zip(*(words[start:] for start in range(_SIZE)), strict=False))
