"""Changes to the build of a sentence: what it can do without, and where it can be cut in two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.editor import EditorAnswer
from redraft.quality import listed
from redraft.revision import Parts, cuts, splits
from redraft.simplification.engine.changes import Change
from redraft.simplification.policy import Operation
from redraft.text import Document, spellings

_CHEAP: Final = 1.0
"""What a cut may cost that few answers make: wordy phrases, adverbs that only stress."""
_VOTED: Final = 0.25
_DEAR: Final = 3.0
_LONG: Final = 13
"""Words of a sentence that a reader would rather have as two."""
_PIECES: Final = 3
"""Sentences that may come of one: more read like a list."""
_GONE: Final = 0.7
"""The share of a phrase's words that an answer lacks which has left it out."""
_TELLING: Final = listed(
    """
    former formerly late alleged allegedly possible possibly potential potentially so-called fake near nearly
    almost only sole single first last early most least main vice deputy acting assistant honorary not never
    approximately about around some probably perhaps maybe likely presumably apparently seemingly reportedly
    supposedly necessarily always usually generally typically often sometimes rarely seldom partly partially
    temporarily permanently
    """
)
"""Words that make another thing of what they stand with, or tell how sure it is, and how often."""


def deletions(parts: Parts, answers: Sequence[EditorAnswer], *, phrases: bool) -> Iterator[Change]:
    """Words without names or numbers that the sentence can do without: of little weight, or voted for.

    Whole phrases only where they are asked for: without them the sentence is built otherwise.
    """
    total = sum(answer.votes for answer in answers)
    kept = [(answer.votes, frozenset(word.lower() for word in spellings(answer.text))) for answer in answers]
    for one in cuts(parts):
        said = parts.text[one.start : one.end]
        words = [word.lower() for word in spellings(said)]
        inner = [n for n, word in enumerate(parts.words) if one.start <= word.start < one.end]
        if not words or any(parts.tags[n] in ("NNP", "NNPS", "CD") or parts.held[n] for n in inner):
            continue
        if _TELLING & set(words) or one.cost > _DEAR or (len(words) > 1 and not one.new and not phrases):
            continue
        without = sum(
            votes for votes, there in kept if sum(word not in there for word in words) >= _GONE * len(words)
        )
        votes = without / total if total else 0.0
        if one.cost <= _CHEAP or votes >= _VOTED:
            operation: Operation = "replace" if one.new else "delete"
            yield Change(one.start, one.end, said, one.new, operation, "rules", one.why, votes)


def divided(source: str, sentence: str, answers: Sequence[EditorAnswer]) -> list[str]:
    """Ways to write a sentence as two or more, best first; none for one that is short enough.

    Each is a way to split its source too: new words may be taken for what they are not.
    """
    words = len(sentence.split())
    total = sum(answer.votes for answer in answers)
    several = sum(answer.votes for answer in answers if len(Document(answer.text, "text").sentences) > 1)
    wanted = several / total if total else 0.5
    if words < _LONG * (1.3 - 0.6 * wanted):
        return []
    sound = {one.why for one in splits(source)}
    ways = [one.text for one in splits(sentence) if one.why in sound]
    return [way for way in ways if len(Document(way, "text").sentences) <= _PIECES][:4]
