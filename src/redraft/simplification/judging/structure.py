"""What a simplification did to the build of its source, counted by the measures of a policy's principles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from redraft.simplification.judging.alignment import Alignment
from redraft.simplification.judging.counting import Count
from redraft.simplification.judging.trees import Tree

HARD: Final = 3.5
"""A sentence that is as hard to take in as one of 16 words with a clause inside another."""
_CHANGED: Final = 0.25
_FULL: Final = 2.0
"""By how much a text must get lighter or heavier to be another, and to count in full."""
_MOST: Final = 1.25
_LONG: Final = 14
"""Words from which a sentence is worth splitting."""
_CROSSED: Final = 0.15
_WORSE: Final = 0.7
"""By how much the logarithm of the perplexity may grow before a text reads worse."""
_WORST: Final = 5.0
_SHORTER: Final = 0.5


@dataclass(frozen=True, slots=True)
class Build:
    """How a text is built: its sentences, and how hard they are to take in."""

    sentences: int
    words: int
    load: float

    @classmethod
    def of(cls, sentences: Sequence[str], trees: Sequence[Tree | None]) -> Build:
        """The build of sentences with their trees; one without a tree counts by its words alone."""
        loads = [_load(len(text.split()), tree) for text, tree in zip(sentences, trees, strict=True)]
        words = sum(len(text.split()) for text in sentences)
        # The longer a sentence is, the more of the text it is.
        weighed = sum(load * len(text.split()) for load, text in zip(loads, sentences, strict=True))
        return cls(len(sentences), words, weighed / words if words else 0.0)


def _load(words: int, tree: Tree | None) -> float:
    length = 0.12 * words
    if tree is None:
        return 1.8 * length
    return (
        length
        + 1.0 * tree.subordinate
        + 0.5 * tree.nested_prepositions
        + 0.1 * tree.depth
        + 0.1 * tree.words_before_verb
    )


def structural_counts(
    source: Build, candidate: Build, alignment: Alignment, *, surprise: float
) -> Iterator[Count]:
    """Everything that was made simpler or harder, split, moved or left; `surprise` is by how much the
    logarithm of the perplexity grew."""
    drop = source.load - candidate.load
    # A short text is the more surprising for being short.
    shorter = max(0.0, _SHORTER * math.log(source.words / max(candidate.words, 1)))
    worse = min(_WORST, surprise - _WORSE - shorter)
    # A structure is not simpler for being broken.
    sound = math.exp(-max(0.0, worse))
    hard = source.load >= HARD
    told = f"how hard it is to take in: {source.load:.1f} → {candidate.load:.1f}"
    if drop >= _CHANGED:
        yield Count("hard_simplified" if hard else "easy_simplified", sound * min(_MOST, drop / _FULL), told)
    elif drop <= -_CHANGED:
        yield Count("harder_structure", -drop / _FULL, told)
    if hard and drop < _CHANGED:
        hardness = min(1.0, (candidate.load - HARD + 0.5) / _FULL)
        yield Count("hard_kept", hardness, f"a hard structure is kept; {told}")
    if candidate.sentences > source.sentences and source.words >= _LONG:
        split = candidate.sentences - source.sentences
        yield Count(
            "split",
            sound * (min(split, 2) if drop > 0 else 0.5),
            f"{source.sentences} → {candidate.sentences} sentences",
        )
    crossed = _crossed(alignment)
    if crossed >= _CROSSED and drop >= _CHANGED:
        yield Count(
            "reordered", sound, f"{crossed:.0%} of the word pairs changed their order, and it is simpler"
        )
    elif crossed >= _CROSSED and abs(drop) < _CHANGED:
        yield Count("idle_edit", crossed, f"{crossed:.0%} of the word pairs changed their order for nothing")
    if worse > 0:
        yield Count("harder_structure", worse / _WORSE, "it reads worse than the source")


def _crossed(alignment: Alignment) -> float:
    """The share of pairs of linked words, those of grammar aside, that stand the other way round."""
    first: dict[int, int] = {}
    for link in alignment.links:
        if alignment.source[link.source].tag[0] in "NVJR":
            first.setdefault(link.source, link.target)
    targets = [first[place] for place in sorted(first)]
    pairs = [(a, b) for n, a in enumerate(targets) for b in targets[n + 1 :] if a != b]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0
