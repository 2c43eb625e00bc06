"""What a simplification did to the build of its source, counted by the measures of a policy's principles."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redraft.simplification import tuning
from redraft.simplification.judging.alignment import Alignment
from redraft.simplification.judging.counting import Count
from redraft.simplification.judging.trees import Tree


@dataclass(frozen=True, slots=True)
class Structure:
    """How a text is built: its sentences, and how hard they are to take in."""

    sentences: int
    words: int
    load: float

    @classmethod
    def of(cls, sentences: Sequence[str], trees: Sequence[Tree | None]) -> Structure:
        """The build of sentences with their trees; one without a tree counts by its words alone."""
        loads = [_load(len(text.split()), tree) for text, tree in zip(sentences, trees, strict=True)]
        words = sum(len(text.split()) for text in sentences)
        # The longer a sentence is, the more of the text it is.
        weighed = sum(load * len(text.split()) for load, text in zip(loads, sentences, strict=True))
        return cls(len(sentences), words, weighed / words if words else 0.0)


def _load(words: int, tree: Tree | None) -> float:
    length = tuning.LOAD_WORD * words
    if tree is None:
        return tuning.LOAD_WITHOUT_TREE * length
    return (
        length
        + tuning.LOAD_CLAUSE * tree.subordinate
        + tuning.LOAD_PREPOSITION * tree.nested_prepositions
        + tuning.LOAD_DEPTH * tree.depth
        + tuning.LOAD_BEFORE_VERB * tree.words_before_verb
    )


def structural_counts(
    source: Structure, candidate: Structure, alignment: Alignment, *, surprise: float
) -> Iterator[Count]:
    """Everything that was made simpler or harder, split, moved or left; `surprise` is by how much the
    logarithm of the perplexity grew."""
    drop = source.load - candidate.load
    # A short text is the more surprising for being short.
    shorter = max(0.0, tuning.SHORTER_SURPRISE * math.log(source.words / max(candidate.words, 1)))
    worse = min(tuning.READS_WORST, surprise - tuning.READS_WORSE - shorter)
    # A structure is not simpler for being broken.
    sound = math.exp(-max(0.0, worse))
    hard = source.load >= tuning.LOAD_HARD
    change = f"how hard it is to take in: {source.load:.1f} → {candidate.load:.1f}"
    if drop >= tuning.LOAD_CHANGED:
        yield Count(
            "hard_simplified" if hard else "easy_simplified",
            sound * min(tuning.LOAD_MOST, drop / tuning.LOAD_FULL),
            change,
        )
    elif drop <= -tuning.LOAD_CHANGED:
        yield Count("harder_structure", -drop / tuning.LOAD_FULL, change)
    if hard and drop < tuning.LOAD_CHANGED:
        hardness = min(1.0, (candidate.load - tuning.LOAD_HARD + 0.5) / tuning.LOAD_FULL)
        yield Count("hard_kept", hardness, f"a hard structure is kept; {change}")
    if candidate.sentences > source.sentences and source.words >= tuning.WORTH_SPLITTING:
        split = candidate.sentences - source.sentences
        yield Count(
            "split",
            sound * (min(split, 2) if drop > 0 else 0.5),
            f"{source.sentences} → {candidate.sentences} sentences",
        )
    crossed = _crossed(alignment)
    if crossed >= tuning.REORDERED and drop >= tuning.LOAD_CHANGED:
        yield Count(
            "reordered", sound, f"{crossed:.0%} of the word pairs changed their order, and it is simpler"
        )
    elif crossed >= tuning.REORDERED and abs(drop) < tuning.LOAD_CHANGED:
        yield Count("idle_edit", crossed, f"{crossed:.0%} of the word pairs changed their order for nothing")
    if worse > 0:
        yield Count("harder_structure", worse / tuning.READS_WORSE, "it reads worse than the source")


def _crossed(alignment: Alignment) -> float:
    """The share of pairs of linked words, those of grammar aside, that stand the other way round."""
    first: dict[int, int] = {}
    for link in alignment.links:
        if alignment.source[link.source].tag[0] in "NVJR":
            first.setdefault(link.source, link.target)
    targets = [first[place] for place in sorted(first)]
    pairs = [(a, b) for n, a in enumerate(targets) for b in targets[n + 1 :] if a != b]
    return sum(a > b for a, b in pairs) / len(pairs) if pairs else 0.0
