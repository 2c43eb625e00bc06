"""Vectors of sentences and tokens from MiniLM."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest

from redraft.models import Models, embedding
from redraft.models.embedding import ROOM, EmbeddedEmbedder
from redraft.settings import Settings


def test_near_means_alike(settings: Settings) -> None:
    texts = ["The cat sat on the mat.", "A cat was sitting on a rug.", "Share prices fell sharply."]
    vectors = asyncio.run(EmbeddedEmbedder(settings).embed(texts))
    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1, 1], abs=1e-5)
    assert vectors[0] @ vectors[1] > 0.5 > vectors[0] @ vectors[2]


def test_known_cosine(settings: Settings) -> None:
    """The value that sentence-transformers gives for its own example."""
    texts = ["The cat sits outside", "The cat plays in the garden"]
    one, other = asyncio.run(EmbeddedEmbedder(settings).embed(texts))
    assert 0.55 < one @ other < 0.75


def test_tokens_know_where_they_stand(settings: Settings) -> None:
    text = "Ünïcode sentences, 漢字 and more."
    found, empty = asyncio.run(EmbeddedEmbedder(settings).embed_tokens([text, ""]))
    words = [text[start:end] for start, end in found.spans]
    assert "".join(words) == text.replace(" ", "")
    assert found.vectors.shape == (len(words), 384)
    assert empty.vectors.shape == (0, 384)


def test_mean_of_tokens_is_near_the_sentence(settings: Settings) -> None:
    embedder = EmbeddedEmbedder(settings)
    text = "The parliament rejected the proposal."
    (sentence,) = asyncio.run(embedder.embed([text]))
    (tokens,) = asyncio.run(embedder.embed_tokens([text]))
    mean = tokens.vectors.mean(axis=0)
    assert sentence @ (mean / np.linalg.norm(mean)) > 0.9


def test_empty_long_and_many(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = EmbeddedEmbedder(settings)
    assert asyncio.run(embedder.embed([])).shape == (0, 384)
    (long,) = asyncio.run(embedder.embed_tokens(["word " * ROOM]))
    assert len(long.spans) == len(long.vectors) == ROOM, "as much as goes in at once"
    monkeypatch.setattr(embedding, "ROOM", 20)
    texts = ["", "word " * 50, *(f"Sentence {i}." for i in range(20))]
    vectors = asyncio.run(embedder.embed(texts))
    assert vectors.shape == (22, 384)
    assert not vectors[0].any()
    assert np.linalg.norm(vectors[1:], axis=1) == pytest.approx([1] * 21, abs=1e-5)
    (long,) = asyncio.run(embedder.embed_tokens(["word " * 50]))
    assert len(long.spans) == len(long.vectors) == 50


def test_company_order_and_threads_change_no_bit(settings: Settings) -> None:
    texts = ["The cat sat on the mat.", "Yes.", "Share prices fell sharply, and nobody knew why. " * 8]
    one = asyncio.run(EmbeddedEmbedder(settings.model_copy(update={"threads": 1})).embed(texts))
    for threads in (2, 3):
        embedder = EmbeddedEmbedder(settings.model_copy(update={"threads": threads}))
        assert np.array_equal(asyncio.run(embedder.embed(texts[::-1]))[::-1], one)
        assert np.array_equal(asyncio.run(embedder.embed(texts[:1]))[0], one[0])


def test_vectors_are_cached(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings) as models:
            embedder = models.embedder()
            first = await embedder.embed(["One.", "Two.", "One."])
            tokens = await embedder.embed_tokens(["One two."])
            assert models.cache.info().entries == {"embedding": 2, "token_embeddings": 1}
            assert np.array_equal(await embedder.embed(["One.", "Two.", "One."]), first)
            (again,) = await embedder.embed_tokens(["One two."])
            assert again.spans == tokens[0].spans
            assert np.array_equal(again.vectors, tokens[0].vectors)
            assert (await embedder.embed([])).shape == (0, 384)

    asyncio.run(run())
