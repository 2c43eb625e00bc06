"""All scores together: batches, order, duplicates; and the real models."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.models import Models
from redraft.models.llama import close_engines
from redraft.quality import EmbeddedQuality, Quality
from redraft.settings import Settings, load_settings
from tests.quality.fakes import FakeEmbedder, FakeScorer

SOURCE = "The company did not report its 12 losses in Paris last year."
FAITHFUL = "Last year, the company did not report its 12 losses in Paris."
CHANGED = "Last year, the company did not report its 15 losses in Berlin."
UNRELATED = "My sister grows tomatoes on the balcony."
BROKEN = "Last year, the company not did reportt it's 12 loss on Paris."


@pytest.fixture
def fakes() -> tuple[FakeScorer, FakeEmbedder]:
    return FakeScorer(), FakeEmbedder()


def score(
    fakes: tuple[FakeScorer, FakeEmbedder], texts: list[str], sources: list[str] | None = None
) -> tuple[Quality, ...]:
    return asyncio.run(EmbeddedQuality(*fakes).score(texts, sources))


def test_one_call_each_for_any_number_of_texts(fakes: tuple[FakeScorer, FakeEmbedder]) -> None:
    scorer, embedder = fakes
    texts = [FAITHFUL, UNRELATED, FAITHFUL, SOURCE]
    found = score(fakes, texts, [SOURCE] * 4)
    assert [len(asked) for asked, _ in scorer.calls] == [3, 3]
    assert [set(asked) for asked in embedder.calls] == [{FAITHFUL, UNRELATED, SOURCE}]
    assert len(embedder.calls[0]) == 3
    assert found[0] == found[2]


def test_order_is_kept_and_company_does_not_matter(fakes: tuple[FakeScorer, FakeEmbedder]) -> None:
    texts = [FAITHFUL, "", UNRELATED, BROKEN, SOURCE]
    together = score(fakes, texts, [SOURCE] * 5)
    assert score(fakes, texts[::-1], [SOURCE] * 5) == together[::-1]
    assert tuple(score(fakes, [text], [SOURCE])[0] for text in texts) == together


def test_without_sources_nothing_is_compared(fakes: tuple[FakeScorer, FakeEmbedder]) -> None:
    (found,) = score(fakes, [BROKEN])
    assert (found.likelihood, found.meaning, found.entities) == (None, None, None)
    assert found.perplexity == pytest.approx(math.e)
    assert found.grammar > 0
    assert found.findings
    assert fakes[1].calls == []


def test_a_text_without_words_is_the_worst(fakes: tuple[FakeScorer, FakeEmbedder]) -> None:
    for found in score(fakes, ["", " \n"], [SOURCE, SOURCE]):
        assert (found.perplexity, found.likelihood, found.entities) == (math.inf, -math.inf, 0.0)
        assert found.meaning is not None
        assert (found.meaning.similarity, found.meaning.changes) == (0.0, ("nothing is left",))
        assert found.to_dict()["perplexity"] is None
    assert fakes[0].calls == []
    (both,) = score(fakes, [""], [""])
    assert both.meaning is not None
    assert (both.meaning.similarity, both.entities) == (1.0, 1.0)
    assert score(fakes, []) == score(fakes, [], []) == ()


def test_texts_and_sources_go_together(fakes: tuple[FakeScorer, FakeEmbedder]) -> None:
    with pytest.raises(ValueError, match="2 texts need as many sources, not 1"):
        score(fakes, ["a", "b"], ["a"])


def test_each_score_can_be_had_alone(fakes: tuple[FakeScorer, FakeEmbedder]) -> None:
    quality = EmbeddedQuality(*fakes)
    (meaning,) = asyncio.run(quality.meaning([CHANGED], [SOURCE]))
    assert meaning.changes == ("number 12 is now 15", "name Paris is now Berlin")
    assert fakes[0].calls == []


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Quality]]:
    texts = [SOURCE, FAITHFUL, CHANGED, UNRELATED, BROKEN, "\ud800", "x\x00\x07y", "漢字", "Yes"]

    async def run(folder: Path) -> dict[str, Quality]:
        settings = Settings(cache_dir=folder, weights_dir=load_settings().weights())
        async with Models(settings) as models:
            quality = EmbeddedQuality(models.scorer(), models.embedder())
            return dict(zip(texts, await quality.score(texts, [SOURCE] * len(texts)), strict=True))

    yield asyncio.run(run(tmp_path_factory.mktemp("cache")))
    close_engines()


def test_better_english_has_the_lower_perplexity(real: dict[str, Quality]) -> None:
    assert real[FAITHFUL].perplexity < real[BROKEN].perplexity
    assert real[FAITHFUL].grammar == 0 < real[BROKEN].grammar


def test_a_faithful_text_is_the_likelier_one(real: dict[str, Quality]) -> None:
    values = [real[text].likelihood or 0 for text in (SOURCE, FAITHFUL, CHANGED, UNRELATED)]
    assert values == sorted(values, reverse=True)
    assert len(set(values)) == 4


def test_a_changed_fact_lowers_meaning_and_entities(real: dict[str, Quality]) -> None:
    faithful, changed = real[FAITHFUL], real[CHANGED]
    assert faithful.meaning is not None
    assert changed.meaning is not None
    assert faithful.meaning.changes == ()
    assert changed.meaning.changes
    assert changed.meaning.similarity < faithful.meaning.similarity <= 1
    assert (faithful.entities, changed.entities) == (1.0, 0.0)
    assert real[SOURCE].meaning is not None
    assert real[SOURCE].meaning.similarity == 1.0


def test_odd_texts_have_finite_scores(real: dict[str, Quality]) -> None:
    for text in ("\ud800", "x\x00\x07y", "漢字", "Yes"):
        found = real[text]
        assert found.meaning is not None
        assert math.isfinite(found.perplexity)
        assert math.isfinite(found.likelihood or math.nan)
        assert 0 <= found.meaning.similarity <= 1
