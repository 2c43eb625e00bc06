"""The scoring model with an adapter added to its weights."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import gguf
import numpy as np
import pytest

from redraft.models import Models, weights
from redraft.models.answering import YesOrNo
from redraft.models.convert import _adapter_products
from redraft.models.lora import Base
from redraft.models.scoring import AnswerScorer
from redraft.settings import Settings
from tests.models.tiny_llama import write_lora, write_model


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A weights folder with a tiny model in the place of the one that is fetched."""
    folder = tmp_path / "weights" / weights.ORIGINAL.name
    folder.mkdir(parents=True)
    tiny = write_model(folder / weights.MODEL_FILE, more=("yes", "no"))
    files = {weights.MODEL_FILE: {"size": tiny.stat().st_size, "sha256": weights.sha256_of(tiny)}}
    manifest = {"version": weights.ORIGINAL.version, "files": files}
    (folder / weights.MANIFEST).write_text(json.dumps(manifest))
    return tmp_path


def test_an_adapter_is_added_in_the_order_of_the_file(tiny: Path, tmp_path: Path) -> None:
    adapter = write_lora(tmp_path / "one.gguf", seed=1)
    names = [tensor.name for tensor in gguf.GGUFReader(tiny).tensors]
    parts = {tensor.name: np.array(tensor.data) for tensor in gguf.GGUFReader(adapter).tensors}
    added = _adapter_products(adapter, Base.of(tiny))
    assert len(added) == 14
    assert added.keys() <= set(names)
    for name, find in added.items():
        product = 2.0 * parts[f"{name}.lora_b"] @ parts[f"{name}.lora_a"]  # alpha 8 over rank 4
        assert np.allclose(find(), product, atol=1e-5)


def test_answers_are_probabilities_and_depend_on_the_adapter(root: Path, tmp_path: Path) -> None:
    settings = Settings(cache_dir=root, weights_dir=root / "weights")
    questions = ["Is it so?", "Is it not so, and is it never so?", "Is it so?"]
    found = [
        asyncio.run(YesOrNo(settings, str(write_lora(tmp_path / f"{seed}.gguf", seed))).yes(questions))
        for seed in (1, 2)
    ]
    for first, second, again in found:
        assert 0 < first < 1
        assert 0 < second < 1
        assert first == again
    assert found[0] != found[1]
    assert asyncio.run(YesOrNo(settings, "nowhere.gguf").yes([])) == ()


def test_answers_are_cached(settings: Settings) -> None:
    async def run() -> None:
        async with Models(settings) as models:
            judge = models.yes_or_no("judge")
            first = await judge.yes(["Is this good English?\nHe goes.", "Is this good English?\nHe go."])
            assert models.cache.info().entries == {"yes": 2}
            again = await judge.yes(["Is this good English?\nHe go."])
            assert again == first[1:]
            assert await judge.yes([]) == ()

    asyncio.run(run())


def test_an_answer_is_as_likely_as_the_adapter_says_after_what_it_answers(root: Path, tmp_path: Path) -> None:
    settings = Settings(cache_dir=root, weights_dir=root / "weights")
    adapters = [str(write_lora(tmp_path / f"{seed}.gguf", seed)) for seed in (1, 2)]
    scorers = [AnswerScorer(settings, adapter) for adapter in adapters]
    first, second = (asyncio.run(one.log_probs(["It is so."] * 2, ["Is it?", "No"])) for one in scorers)
    assert "".join(first[0].tokens) == "It is so."
    assert all(value < 0 for value in first[0].values)
    assert first[0] != first[1]
    assert first[0] != second[0]
    assert scorers[0].identity() not in (scorers[1].identity(), YesOrNo(settings, adapters[0]).identity())
