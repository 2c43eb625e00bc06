"""Quality sentence by sentence: what is known is not scored again, and what was kept is certain."""

from __future__ import annotations

import asyncio
import math

import pytest

from redraft.quality import Quality, SentenceQuality, spread
from tests.quality.fakes import FakeEmbedder, FakeScorer

SOURCE = "The cat sat here. It was late in Oslo.\n\nNobody knew why."


def score(scorer: FakeScorer, *texts: str, sources: bool = True) -> tuple[Quality, ...]:
    quality = SentenceQuality(scorer, FakeEmbedder())
    return asyncio.run(quality.score(texts, [SOURCE] * len(texts) if sources else None))


def test_every_sentence_is_read_by_itself() -> None:
    scorer = FakeScorer()
    (found,) = score(scorer, SOURCE, sources=False)
    assert scorer.calls == [(["The cat sat here.", "It was late in Oslo.", "Nobody knew why."], None)]
    assert found.perplexity == pytest.approx(math.e)
    assert (found.likelihood, found.meaning, found.entities) == (None, None, None)


def test_the_original_is_certain_given_itself() -> None:
    (found,) = score(FakeScorer(), SOURCE)
    assert found.likelihood == 0.0
    assert found.entities == 1.0
    assert found.meaning is not None
    assert found.meaning.similarity == pytest.approx(1.0)


def test_only_what_changed_counts_against_a_revision() -> None:
    scorer = FakeScorer()
    (found,) = score(scorer, SOURCE.replace("It was late in Oslo.", "It was early in Oslo."))
    # Five new words over twelve in all: four that the passage has at half a nat, one that it has not.
    assert found.likelihood == pytest.approx(-(4 * 0.5 + 1.0) / 12)
    (given,) = [call for call in scorer.calls if call[1] is not None]
    assert given[0] == ["It was early in Oslo."]
    assert given[1] is not None
    assert "It was late in Oslo." in given[1][0]


def test_a_sentence_that_is_known_is_not_scored_again() -> None:
    scorer = FakeScorer()
    quality = SentenceQuality(scorer, FakeEmbedder())

    async def run() -> None:
        await quality.score([SOURCE], [SOURCE])
        await quality.score([SOURCE.replace("Nobody knew why.", "Ann knew.")], [SOURCE])
        await quality.score([SOURCE, SOURCE.replace("Nobody knew why.", "Ann knew.")], [SOURCE] * 2)

    asyncio.run(run())
    asked = [text for texts, contexts in scorer.calls if contexts is None for text in texts]
    assert sorted(asked) == sorted({*asked})
    assert len(asked) == 4


def test_what_is_left_out_is_no_change_to_score() -> None:
    (found,) = score(FakeScorer(), "The cat sat here.")
    assert found.likelihood == 0.0
    assert found.entities == 0.0


@pytest.mark.parametrize("text", ["", "  \n"])
def test_a_text_without_words_is_as_surprising_as_can_be(text: str) -> None:
    (found,) = score(FakeScorer(), text)
    assert (found.perplexity, found.likelihood) == (math.inf, -math.inf)


def test_each_text_needs_its_source() -> None:
    with pytest.raises(ValueError, match="as many sources"):
        asyncio.run(SentenceQuality(FakeScorer(), FakeEmbedder()).score([SOURCE], []))


def test_of_many_sentences_that_stay_a_few_are_read_and_the_difference_is_exact() -> None:
    names = [f"Person{number}" for number in range(40)]
    source = " ".join(f"{name} came to the house by the river." for name in names)
    text = source.replace("Person7 came to the house by the river.", "Person7 came, and then left the house.")

    def asked(most: int | None) -> tuple[float, int, Quality]:
        scorer = FakeScorer()
        quality = SentenceQuality(scorer, FakeEmbedder(), likelihood=False, most=most)

        async def run() -> tuple[Quality, Quality]:
            (before,) = await quality.score([source], [source])
            (after,) = await quality.score([text], [source])
            return before, after

        before, after = asyncio.run(run())
        return after.perplexity / before.perplexity, sum(len(texts) for texts, _ in scorer.calls), after

    (whole, every, exact), (share, few, estimated) = asked(None), asked(5)
    assert (every, few) == (41, 7)
    assert share == pytest.approx(whole, rel=1e-3)
    assert exact.meaning is not None
    assert estimated.meaning is not None
    assert estimated.meaning.similarity == pytest.approx(exact.meaning.similarity, abs=0.02)


def test_a_few_are_taken_from_the_whole_length() -> None:
    assert spread([1, 2, 3], 5) == spread([1, 2, 3], None) == [1, 2, 3]
    found = spread(range(100), 4)
    assert len(found) == 4
    assert found[0] < 25 <= found[1] < 50 <= found[2] < 75 <= found[3]
