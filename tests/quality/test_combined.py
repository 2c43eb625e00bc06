"""The scores of a text, put together from its sentences as the code of the TRIPS authors does."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import pytest

from redraft.models import LogProbs
from redraft.quality import CombinedQuality, Quality, Scale
from tests.revision.fakes import FakeEmbedder

# What a token of a sentence costs, alone and given another.
ALONE = {"It rained.": -2.0, "We left early.": -4.0, "It poured.": -3.0}
GIVEN = {
    ("It poured.", "It rained."): -1.0,
    ("We left early.", "We left early."): -0.5,
    ("It rained.", "It rained."): -0.2,
    ("It poured. We left early.", "It rained."): -7.0,
    ("It poured. It rained.", "It rained.\n\nWe left early."): -9.0,
}


class Table:
    """A Scorer that looks it up: as many tokens as words, each of which costs the same."""

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        costs = (
            [ALONE[text] for text in texts]
            if contexts is None
            else [GIVEN[pair] for pair in zip(texts, contexts, strict=True)]
        )
        words = [tuple(text.split()) for text in texts]
        return tuple(LogProbs(own, (cost,) * len(own)) for own, cost in zip(words, costs, strict=True))


def score(text: str, source: str) -> Quality:
    (found,) = asyncio.run(CombinedQuality(Table(), Table(), FakeEmbedder()).score([text], [source]))
    return found


def test_perplexity_is_over_the_tokens_of_all_sentences_each_alone() -> None:
    found = score("It rained.\n\nWe left early.", "It rained.\n\nWe left early.")
    assert found.perplexity == pytest.approx(math.exp((2 * 2.0 + 3 * 4.0) / 5))


def test_likelihood_is_a_mean_over_paragraphs_of_sentences_given_their_own() -> None:
    found = score("It poured.\n\nWe left early.", "It rained.\n\nWe left early.")
    assert found.likelihood == pytest.approx((-1.0 - 0.5) / 2)


def test_a_paragraph_with_other_sentences_is_looked_at_as_a_whole() -> None:
    assert score("It poured. We left early.", "It rained.").likelihood == pytest.approx(-7.0)


def test_so_is_a_text_with_other_paragraphs() -> None:
    found = score("It poured. It rained.", "It rained.\n\nWe left early.")
    assert found.likelihood == pytest.approx(-9.0)


def test_a_text_without_words_is_the_worst_there_is() -> None:
    found = score("", "It rained.")
    assert (found.perplexity, found.likelihood) == (math.inf, -math.inf)


def test_the_papers_formulas_have_no_bounds() -> None:
    source = Quality(20.0, -1.0, 0.0, (), None, None, 0.9)
    worse = Quality(30.0, -11.0, 0.0, (), None, None, 0.5)
    found = Scale(source, is_bounded=False).of(worse)
    assert (found.fluency, found.coherence, found.grammar) == pytest.approx((-0.5, -1 / 9, 0.5))
    drawn_in = Scale(source).of(worse)
    assert (drawn_in.fluency, drawn_in.coherence) == (0.0, 0.0)
