"""Texts that must not meet: what is held out, or watched, and what is learnt from."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Final

from redraft.train.guard import normalised_words
from redraft.train.planning.generation import Text

_SIZE: Final = 5
_SHARE: Final = 0.3
"""A text is of another where it has so many of its runs of five words from it: damage leaves most of them."""


class Apart:
    """Knows texts, stretches of them, and what they are stretches of, by their runs of words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sizes: list[int] = []
        self._holders: dict[tuple[str, ...], list[int]] = {}
        for number, text in enumerate(dict.fromkeys(texts)):
            own = _runs(text)
            self._sizes.append(len(own))
            for run in own:
                self._holders.setdefault(run, []).append(number)

    def knows(self, text: str) -> bool:
        """Whether a text is one of them, or a part of one, or of several, or holds one; damaged or not."""
        own = _runs(text)
        shared = [self._holders[run] for run in own if run in self._holders]
        if not shared:
            return False
        held = Counter(chain.from_iterable(shared))
        return len(shared) >= _SHARE * len(own) or any(
            count >= _SHARE * self._sizes[number] for number, count in held.items()
        )


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
