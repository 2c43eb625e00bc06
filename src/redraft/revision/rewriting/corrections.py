"""Corrections of a sentence: what Harper suggests and what writers mix up, judged by a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Final

from redraft.models import LogProbs, Scorer
from redraft.quality import WEIGHTS, grammar_findings
from redraft.revision.base import Candidate
from redraft.revision.rewriting.confusions import Sort, Swap, swaps

BY: Final = "correction"
MARGINS: Final[Mapping[Sort, float]] = {
    "spelling": 0.0,
    "rule": 0.0,
    "joined": 1.5,
    "agreement": 4.0,
    "verb": 5.0,
    "number": 6.0,
    "article": 6.0,
    "word": 6.0,
    "preposition": 9.0,
}
"""How much likelier (a logarithm) an edit must make the whole sentence; found by `benchmarks/polish.py`."""
USUAL_CAUTION: Final = 1.5
"""What margins are multiplied by: with 1.5, confusions change one clean sentence in sixty; with 1, one in
twenty-five; 0.6 is for who is known to make errors."""
MOST: Final = 25
"""Edits of a sentence that are scored, beside Harper's."""
_SUGGESTIONS: Final = 5
_SPELLING: Final = frozenset({"Spelling", "Typo"})


def corrections(sentence: str) -> list[Candidate]:
    """What Harper suggests: the first suggestions all together, then each one alone."""
    found = suggested(sentence)
    firsts = sorted(_apart(found), key=lambda swap: swap.start)
    together = [Candidate(_made(sentence, firsts), BY, "; ".join(_why(sentence, firsts)))]
    alone = [Candidate(swap.apply(sentence), BY, *_why(sentence, [swap])) for swap in found]
    return _distinct([*together, *alone], sentence) if found else []


def confusable(sentence: str) -> list[Candidate]:
    """The sentence with one word, article or preposition changed for one that writers mix it up with."""
    found = (Candidate(swap.apply(sentence), BY, *_why(sentence, [swap])) for swap in swaps(sentence))
    return _distinct(found, sentence)


async def corrected(sentence: str, scorer: Scorer, *, caution: float = USUAL_CAUTION) -> list[Candidate]:
    """The sentence with the edits that make it clearly likelier, the most corrected one first.

    Harper's suggestions come first, then the confusions of what they leave, each where it gains more than its
    margin times `caution`. A sentence in which nothing gains as much has no correction.
    """
    spelt, first = await _improved(sentence, scorer, _suggested_there, caution)
    whole, second = await _improved(spelt, scorer, _confused_there, caution)
    reasons = [*_why(sentence, first), *_why(spelt, second)]
    found = [Candidate(whole, BY, "; ".join(reasons)), Candidate(spelt, BY, "; ".join(_why(sentence, first)))]
    return _distinct(found, sentence)


def suggested(sentence: str) -> list[Swap]:
    """Harper's suggestions for what it takes for errors, those of matters of taste left out."""
    return [
        Swap(found.start, found.end, other, "spelling" if found.kind in _SPELLING else "rule")
        for found in grammar_findings(sentence)
        if found.kind in WEIGHTS
        for other in found.suggestions[:_SUGGESTIONS]
    ]


async def _improved(
    text: str, scorer: Scorer, edits: Callable[[str, LogProbs], list[Swap]], caution: float
) -> tuple[str, list[Swap]]:
    """The text with the edits that gain enough, and these."""
    if not text.strip():
        return text, []
    (before,) = await scorer.log_probs([text])
    tried = edits(text, before)
    if not tried:
        return text, []
    after = await scorer.log_probs([swap.apply(text) for swap in tried])
    gains = {
        swap: scores.total - before.total - caution * MARGINS[swap.sort]
        for swap, scores in zip(tried, after, strict=True)
    }
    picked: list[Swap] = []
    total = before.total
    for swap in _apart(
        sorted((swap for swap in gains if gains[swap] > 0), key=gains.__getitem__, reverse=True)
    ):
        # "scientist have": either word may be changed, and not both.
        both = sorted([*picked, swap], key=lambda edit: edit.start)
        (scores,) = await scorer.log_probs([_made(text, both)])
        if scores.total > total + caution * MARGINS[swap.sort]:
            picked, total = both, scores.total
    return _made(text, picked), picked


def _suggested_there(text: str, _: LogProbs) -> list[Swap]:
    return suggested(text)


def _confused_there(text: str, before: LogProbs) -> list[Swap]:
    """The confusions at words that surprise: an edit can hardly gain more than its place costs now."""
    ends = list(accumulate(len(token) for token in before.tokens))
    places = [(end - len(token), end) for token, end in zip(before.tokens, ends, strict=True)]

    def hope(swap: Swap) -> float:
        costs = (
            -value
            for (start, end), value in zip(places, before.values, strict=True)
            if end > swap.start and start < swap.end
        )
        return sum(costs) - MARGINS[swap.sort]

    return sorted(swaps(text), key=hope, reverse=True)[:MOST]


def _apart(found: Iterable[Swap]) -> list[Swap]:
    """Those that do not touch one that comes before them."""
    taken: list[Swap] = []
    for swap in found:
        if all(swap.end < other.start or swap.start > other.end for other in taken):
            taken.append(swap)
    return taken


def _made(text: str, edits: Sequence[Swap]) -> str:
    """The text with edits that are apart, in the order of their places."""
    for swap in reversed(edits):
        text = swap.apply(text)
    return text


def _why(text: str, edits: Iterable[Swap]) -> list[str]:
    return [f"“{text[swap.start : swap.end]}” to “{swap.after}”" for swap in edits]


def _distinct(candidates: Iterable[Candidate], source: str) -> list[Candidate]:
    found: dict[str, Candidate] = {}
    for candidate in candidates:
        if candidate.text != source:
            found.setdefault(candidate.text, candidate)
    return list(found.values())
