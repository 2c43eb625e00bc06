"""The published models in torch, against loops that do one token, one pair, one sentence at a time."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import pytest
import torch
from hypothesis import given, strategies as st
from transformers import (
    AutoTokenizer,
    BartForConditionalGeneration,
    BertForSequenceClassification,
    GPT2LMHeadModel,
)

from redraft.errors import ModelError
from redraft.models import NullCache
from redraft.models.cache import DiskCache
from redraft.quality import Scale, TorchQuality
from redraft.quality.published import Folders, find_folders
from redraft.quality.published_scorers import Weights, windows_of
from redraft.settings import Settings
from tests.quality.fakes import FakeEmbedder
from tests.quality.tiny_published import CONTEXT, write_gpt2, write_published, write_regressor

pytestmark = pytest.mark.usefixtures("one_thread")

SHORT = "Two cats sat."
OTHER = "A dog ran in Paris."
LONG = "The shop did not open. " * 7
SPECIAL = "<|endoftext|> and </s> are text."
TEXTS = [SHORT, OTHER, LONG, SPECIAL, "é", "Rain. Two cats sat there."]
SOURCES = [OTHER, SHORT, SHORT, LONG, SHORT, "Two cats sat."]

PLAIN = {"add_special_tokens": False, "split_special_tokens": True}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="module")
def folders(root: Path) -> Folders:
    return find_folders(Settings(quality_models=root))


@pytest.fixture
def quality(folders: Folders) -> TorchQuality:
    return TorchQuality(folders, FakeEmbedder(), NullCache(), threads=1)


def test_perplexity_is_that_of_one_token_after_another(quality: TorchQuality, folders: Folders) -> None:
    model = GPT2LMHeadModel.from_pretrained(folders.gpt2).eval()
    tokenizer = AutoTokenizer.from_pretrained(folders.gpt2)
    found = asyncio.run(quality.perplexity(TEXTS))
    for text, perplexity in zip(TEXTS, found, strict=True):
        tokens = [0, *tokenizer(text.strip(), split_special_tokens=True)["input_ids"]]
        costs = []
        for place in range(1, len(tokens)):
            # The window that scores this token begins at the first multiple of half a context that reaches it.
            begin = (
                0 if place < CONTEXT else (place - CONTEXT) // (CONTEXT // 2) * (CONTEXT // 2) + CONTEXT // 2
            )
            with torch.no_grad():
                logits = model(torch.tensor([tokens[begin:place]])).logits[0, -1]
            costs.append(-float(logits.log_softmax(0)[tokens[place]]))
        assert perplexity == pytest.approx(math.exp(sum(costs) / len(costs)), rel=1e-4), text
    assert len(tokenizer(LONG)["input_ids"]) > 4 * CONTEXT


@given(st.integers(1, 300), st.integers(2, 40))
def test_windows_score_each_token_once_and_with_half_a_context_before_it(length: int, context: int) -> None:
    tokens = list(range(length))
    scored: list[int] = []
    for window in windows_of(0, tokens, context):
        assert len(window.tokens) <= context
        before = len(window.tokens) - window.count
        assert before >= min(context // 2, max(1, len(scored)))
        scored += window.tokens[before:]
    assert scored == tokens[1:]


def _marked(tokens: list[int]) -> list[int]:
    """Between BART's marks for the beginning and the end, and cut to its context."""
    return [0, *tokens[: CONTEXT - 2], 2]


def test_likelihood_is_bartscore(quality: TorchQuality, folders: Folders) -> None:
    model = BartForConditionalGeneration.from_pretrained(folders.bart).eval()
    tokenizer = AutoTokenizer.from_pretrained(folders.bart)
    found = asyncio.run(quality.likelihood(TEXTS, SOURCES))
    for text, source, likelihood in zip(TEXTS, SOURCES, found, strict=True):
        written, read = (_marked(tokenizer(each.strip(), **PLAIN)["input_ids"]) for each in (text, source))
        with torch.no_grad():
            loss = model(input_ids=torch.tensor([read]), labels=torch.tensor([written])).loss
        assert likelihood == pytest.approx(-float(loss), rel=1e-4), text


def test_some_is_the_weighted_mean_over_sentences(folders: Folders) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folders.grammar)

    def mark(folder: Path, *texts: str) -> float:
        model = BertForSequenceClassification.from_pretrained(folder).eval()
        with torch.no_grad():
            return (
                float(model(**tokenizer(*texts, return_token_type_ids=True, return_tensors="pt")).logits) - 1
            ) / 3

    first, second = "The cat sat here.", "Rain fell all day."
    changed = "The cat sat there."
    quality = TorchQuality(
        folders,
        FakeEmbedder(),
        NullCache(),
        weights=Weights(grammar=0.5, fluency=0.3, meaning=0.2),
        threads=1,
    )
    beside, alone = (
        asyncio.run(quality.some([f"{changed} {second}"], sources))[0]
        for sources in ([f"{first} {second}"], None)
    )
    grammar, fluency = (
        (mark(folder, changed) + mark(folder, second)) / 2 for folder in (folders.grammar, folders.fluency)
    )
    meaning = (mark(folders.meaning, first, changed) + mark(folders.meaning, second, second)) / 2
    assert beside == pytest.approx(0.5 * grammar + 0.3 * fluency + 0.2 * meaning, rel=1e-4)
    assert alone == pytest.approx((0.5 * grammar + 0.3 * fluency) / 0.8, rel=1e-4)
    assert len({round(part, 3) for part in (grammar, fluency, meaning)}) == 3


def test_all_scores_together_keep_their_order(quality: TorchQuality) -> None:
    found = asyncio.run(quality.score(TEXTS, SOURCES))
    again = asyncio.run(quality.score(TEXTS[::-1], SOURCES[::-1]))[::-1]
    for one, other, text, source in zip(found, again, TEXTS, SOURCES, strict=True):
        (single,) = asyncio.run(quality.score([text], [source]))
        for value in (other, single):
            assert value.perplexity == pytest.approx(one.perplexity, rel=1e-5)
            assert value.likelihood == pytest.approx(one.likelihood, rel=1e-5)
            assert value.some == pytest.approx(one.some, rel=1e-5)
        assert one.meaning is not None
    assert asyncio.run(quality.score(TEXTS, SOURCES)) == found


def test_the_rest_is_as_the_embedded_provider_has_it(quality: TorchQuality) -> None:
    (found,) = asyncio.run(quality.score(["She have 15 cats in Rome."], ["She has 12 cats in Rome."]))
    assert found.grammar > 0
    assert found.meaning is not None
    assert found.meaning.changes == ("number 12 is now 15",)
    assert found.entities == 0.5
    assert found.to_dict()["some"] == found.some
    (alone,) = asyncio.run(quality.score([SHORT]))
    assert (alone.likelihood, alone.meaning, alone.entities) == (None, None, None)
    assert alone.some is not None


def test_a_text_without_words_is_the_worst(quality: TorchQuality) -> None:
    empty, original = asyncio.run(quality.score(["\ufeff \n", SHORT], [SHORT, SHORT]))
    assert (empty.perplexity, empty.likelihood, empty.some) == (math.inf, -math.inf, 0.0)
    assert Scale(original).of(empty).mean == 0
    assert Scale(original).of(original).coherence == 1
    assert asyncio.run(quality.score([], [])) == ()


def test_what_was_scored_once_is_not_computed_again(
    folders: Folders, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = DiskCache(tmp_path / "cache.sqlite", max_bytes=10**7, max_seconds=10**6)
    quality = TorchQuality(folders, FakeEmbedder(), cache, threads=1)
    found = asyncio.run(quality.score(TEXTS, SOURCES))

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("redraft.quality.published_scorers.load", refuse)
    assert asyncio.run(quality.score(TEXTS, SOURCES)) == found
    cache.close()


def test_a_failure_of_torch_is_an_error_of_the_model(
    quality: TorchQuality, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise torch.OutOfMemoryError("out of memory")

    monkeypatch.setattr("redraft.quality.published_scorers._after", fail)
    with pytest.raises(ModelError, match="out of memory"):
        asyncio.run(quality.perplexity([SHORT]))


def test_a_model_without_its_head_or_with_another_is_refused(
    root: Path, folders: Folders, tmp_path: Path
) -> None:
    write_gpt2(tmp_path / "other")
    write_regressor(tmp_path / "classes", 0, labels=3)
    bert = BertForSequenceClassification.from_pretrained(folders.grammar)
    AutoTokenizer.from_pretrained(folders.grammar).save_pretrained(tmp_path / "body")
    bert.bert.save_pretrained(tmp_path / "body")
    for name, words in (("body", "no weights for classifier"), ("classes", "3 classes"), ("other", "other")):
        other = Folders(folders.gpt2, folders.bart, tmp_path / name, folders.fluency, folders.meaning)
        with pytest.raises(ModelError, match=words) as caught:
            asyncio.run(TorchQuality(other, FakeEmbedder(), NullCache(), threads=1).some([SHORT]))
        assert name in str(caught.value)
