"""Which words of a source became which words of its simplification.

In the manner of OTAlign (Arase, Bao and Yokoi, 2023): words are moved to words by unbalanced optimal
transport over contextual embeddings, so that words that were deleted or added need no counterpart. Our
embeddings are not trained for it; words of the same base form, and words in about the same place, are
therefore taken to be a little nearer than their vectors say.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from redraft.errors import InputError
from redraft.models import Embedder, TokenEmbeddings
from redraft.simplification import tuning
from redraft.text import Tagged, bases, tagged

Matrix = NDArray[np.float64]

_ITERATIONS = 10_000
_CLOSE = 1e-8
MOST_WORDS: Final = 1_000
"""Of a text that can be aligned: time and memory grow with the square."""


def unbalanced(cost: Matrix, *, tau: float, regularisation: float) -> Matrix:
    """How much of the mass of each row goes to each column; every row and column has mass 1.

    The plan P that makes ⟨P, cost⟩ + regularisation · KL(P | 1) + tau · (KL(P1 | 1) + KL(Pᵀ1 | 1)) least
    (Chizat et al., 2018). Each step brings the logarithms of both scalings closer by the factor
    tau / (tau + regularisation), whatever the costs are.
    """
    kernel = -cost / regularisation
    strength = tau / (tau + regularisation)
    columns = np.zeros(cost.shape[1])
    for _ in range(_ITERATIONS):
        rows = -strength * _log_sum(kernel + columns, axis=1)
        before, columns = columns, -strength * _log_sum(kernel + rows[:, None], axis=0)
        if np.abs(columns - before).max(initial=0) < _CLOSE:
            break
    plan: Matrix = np.exp(rows[:, None] + kernel + columns)
    return plan


def scaled(values: Matrix) -> Matrix:
    """The values from 0 to 1; 1 where all are the same."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.ones_like(values)


def _log_sum(values: Matrix, axis: int) -> Matrix:
    largest = values.max(axis=axis, keepdims=True)
    total: Matrix = np.log(np.exp(values - largest).sum(axis=axis)) + largest.squeeze(axis)
    return total


class Link(NamedTuple):
    """A source word and a word that it became, by their places from 0; the weight is from 0 to 1."""

    source: int
    target: int
    weight: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The words of two texts, without marks, and the links between them in order."""

    source: tuple[Tagged, ...]
    target: tuple[Tagged, ...]
    links: tuple[Link, ...]
    near: tuple[float, ...] = ()
    """How near each word of the simplification is to the nearest of the source, as a cosine."""

    @property
    def source_words(self) -> tuple[str, ...]:
        """The words of the source as they are written."""
        return tuple(word.text for word in self.source)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the simplification as they are written."""
        return tuple(word.text for word in self.target)

    def targets(self, source: int) -> tuple[int, ...]:
        """What a source word became."""
        return tuple(link.target for link in self.links if link.source == source)

    @property
    def deleted(self) -> tuple[int, ...]:
        """Source words that became nothing."""
        linked = {link.source for link in self.links}
        return tuple(place for place in range(len(self.source)) if place not in linked)

    @property
    def added(self) -> tuple[int, ...]:
        """Words of the simplification that come from nothing."""
        linked = {link.target for link in self.links}
        return tuple(place for place in range(len(self.target)) if place not in linked)

    def shown(self) -> str:
        """In three lines for a prompt: the words of each text with their places, and the pairs."""
        return "\n".join((*map(" ".join, self._placed_words()), self.pairs()))

    def pairs(self) -> str:
        """The links by their words and places, as in 1_utilised-1_used."""
        left, right = self._placed_words()
        return " ".join(f"{left[link.source]}-{right[link.target]}" for link in self.links)

    def _placed_words(self) -> tuple[list[str], list[str]]:
        left, right = (
            [f"{place}_{word}" for place, word in enumerate(words)]
            for words in (self.source_words, self.words)
        )
        return left, right


@dataclass(frozen=True)
class Aligner:
    """Aligns sources with simplifications.

    `async with Models(settings) as models: await Aligner(models.embedder()).align([("He utilised it.",
    "He used it.")])` gives one Alignment, whose `shown()` is:

        0_He 1_utilised 2_it
        0_He 1_used 2_it
        0_He-0_He 1_utilised-1_used 2_it-2_it
    """

    embedder: Embedder
    tau: float = tuning.TAU
    """How dear it is to leave words out."""
    threshold: float = tuning.THRESHOLD
    """The least weight of a link."""
    regularisation: float = tuning.REGULARISATION
    """A small one makes for few links."""
    same: float = tuning.SAME_BASE
    distortion: float = tuning.DISTORTION

    def __post_init__(self) -> None:
        """Raise for what no plan can be made with."""
        bounded = 0 <= self.threshold <= 1 and 0 <= self.distortion <= 1
        if not (self.tau > 0 and self.regularisation > 0 and bounded):
            raise ValueError("tau and regularisation are above 0, threshold and distortion from 0 to 1")

    async def align(self, pairs: Sequence[tuple[str, str]]) -> tuple[Alignment, ...]:
        """An alignment for each source with its simplification."""
        texts = tuple(dict.fromkeys(text for pair in pairs for text in pair))
        words = {text: words_to_align(text) for text in texts}
        vectors = dict(zip(texts, await self.embedder.embed_tokens(texts), strict=True))

        def all_aligned() -> tuple[Alignment, ...]:
            placed = {text: _placed(words[text], vectors[text]) for text in texts}
            return tuple(
                self._aligned(words[one], words[two], placed[one], placed[two]) for one, two in pairs
            )

        return await asyncio.to_thread(all_aligned)

    def _aligned(
        self, source: tuple[Tagged, ...], target: tuple[Tagged, ...], left: Matrix, right: Matrix
    ) -> Alignment:
        if not (source and target):
            return Alignment(source, target, (), (0.0,) * len(target))
        near = left @ right.T
        return Alignment(source, target, self._links(source, target, near), tuple(near.max(axis=0).tolist()))

    def _links(self, source: Sequence[Tagged], target: Sequence[Tagged], near: Matrix) -> tuple[Link, ...]:
        if [word.text for word in source] == [word.text for word in target]:
            return tuple(Link(place, place, 1.0) for place in range(len(source)))
        forms = [_base(word) for word in target]
        same = np.array([[one == _base(word) for one in forms] for word in source])
        alike = (near + 1) / 2 + self.same * same
        apart = np.linspace(0, 1, len(source))[:, None] - np.linspace(0, 1, len(target))
        cost = 1 - scaled(alike * (1 - self.distortion * apart**2))
        plan = scaled(unbalanced(cost, tau=self.tau, regularisation=self.regularisation))
        places = np.argwhere(plan >= self.threshold)
        return tuple(Link(int(i), int(j), round(float(plan[i, j]), 4)) for i, j in places)


def _base(word: Tagged) -> str:
    low = word.text.lower().replace("’", "'")
    return next(bases(low, word.tag), low)


def words_to_align(text: str) -> tuple[Tagged, ...]:
    """The words of a text, without marks, by whose places links name them."""
    found = tuple(word for word in tagged(text) if any(letter.isalnum() for letter in word.text))
    if len(found) > MOST_WORDS:
        raise InputError(
            f"a text of {len(found)} words cannot be aligned: at most {MOST_WORDS}; align its sentences"
        )
    return found


def _placed(words: Sequence[Tagged], tokens: TokenEmbeddings) -> Matrix:
    """A vector of length 1 for each word: the mean of its tokens; zero where it has none."""
    found = np.zeros((len(words), tokens.vectors.shape[1]))
    first = 0
    for row, word in enumerate(words):
        while first < len(tokens.spans) and tokens.spans[first][1] <= word.start:
            first += 1
        last = first
        while last < len(tokens.spans) and tokens.spans[last][0] < word.end:
            last += 1
        found[row] = tokens.vectors[first:last].sum(axis=0)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    unit: Matrix = found / np.where(lengths > 0, lengths, 1)
    return unit
