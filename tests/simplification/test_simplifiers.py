"""A policy's own adapter: when it is asked, in which words, and when the editor is asked instead."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from redraft.editor import ADAPTER, editor_messages
from redraft.errors import InputError
from redraft.models import Models, adapters
from redraft.models.gguf_file import INSTRUCTION, JUDGES
from redraft.models.lora import Heads, Lora, entries_beside, write_lora
from redraft.settings import Settings, load_settings
from redraft.simplification.engine import Engine
from redraft.simplification.policy_files import load_policy
from redraft.simplification.pool import Own, open_pool, trained_adapters
from redraft.simplification.simplifiers import REQUEST, EngineSimplifier, adapter_of, messages, request_maker
from tests.models.scripted import FakeModel
from tests.models.tiny_llama import GROUPS, HEADS, random_pairs
from tests.simplification.fakes import Alike, Likely

LEXICAL, REWRITE = load_policy("lexical"), load_policy("rewrite")
SENTENCE = "He commenced the work in 1921."


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """With none of the adapters that ship."""
    monkeypatch.setattr(adapters, "SHIPPED", tmp_path / "none")
    return load_settings({"cache": False}).model_copy(update={"weights_dir": tmp_path})


def add(settings: Settings, name: str, instruction: str) -> None:
    path = settings.weights() / "adapters" / f"{name}.gguf"
    path.parent.mkdir(exist_ok=True)
    entries = {INSTRUCTION: instruction} if instruction else {}
    write_lora(path, Lora(1.0, random_pairs(0)), Heads(HEADS, GROUPS), name, entries=entries)


def test_an_adapter_is_for_the_words_that_it_was_trained_for(settings: Settings) -> None:
    assert adapter_of(LEXICAL, settings) is None
    add(settings, "simplify-lexical", LEXICAL.instruction)
    assert adapter_of(LEXICAL, settings) == "simplify-lexical"
    assert adapter_of(REWRITE, settings) is None
    assert adapter_of(replace(LEXICAL, title="Otherwise the same"), settings) == "simplify-lexical"
    assert adapter_of(replace(LEXICAL, instruction="Say it my way."), settings) is None
    mine = replace(LEXICAL, name="mine", instruction="Say it my way.")
    add(settings, "simplify-mine", "")
    assert adapter_of(mine, settings) == "simplify-mine"


def test_the_record_beside_a_trained_adapter_says_what_it_is_for(tmp_path: Path) -> None:
    adapter, record = tmp_path / "adapter", tmp_path / "train.json"
    assert entries_beside(adapter) == {}
    record.write_text(json.dumps({"policy": {"instruction": LEXICAL.instruction}}), encoding="utf-8")
    assert entries_beside(adapter) == {INSTRUCTION: LEXICAL.instruction}
    record.write_text(json.dumps({"judges": ["same", "kept"]}), encoding="utf-8")
    assert entries_beside(adapter) == {JUDGES: "same,kept"}
    for other in ("{", "[]", '{"policy": "lexical"}', '{"seed": 1}', '{"judges": 3}', '{"judges": []}'):
        record.write_text(other, encoding="utf-8")
        assert entries_beside(adapter) == {}


def test_the_engine_draws_from_it_in_the_words_of_the_policy(settings: Settings) -> None:
    def asked() -> FakeModel:
        model = FakeModel(["He began the work in 1921."] * 4)
        engine = Engine(Likely({}), Alike(), LEXICAL)
        found = asyncio.run(
            EngineSimplifier(engine, model, 4, request_maker(LEXICAL, settings, 7)).versions(SENTENCE)
        )
        assert found[0].text == "He began the work in 1921."
        return model

    for request in asked().requests:
        assert request.messages == editor_messages(REQUEST, SENTENCE)
        assert request.adapter == ADAPTER
    add(settings, "simplify-lexical", LEXICAL.instruction)
    greedy, sampled = asked().requests
    assert greedy.messages == sampled.messages == messages(LEXICAL, SENTENCE)
    assert {greedy.adapter, sampled.adapter} == {"simplify-lexical"}
    assert (greedy.temperature, greedy.n, sampled.n, sampled.seed) == (0, 1, 3, 7)
    assert sampled.temperature > 0


def test_a_sentence_without_words_is_not_asked_about(settings: Settings) -> None:
    model = FakeModel([])
    engine = Engine(Likely({}), Alike(), LEXICAL)
    assert (
        asyncio.run(EngineSimplifier(engine, model, 4, request_maker(LEXICAL, settings, 0)).versions("—"))
        == []
    )
    assert not model.requests


def test_a_pool_may_hold_what_was_trained(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    model = FakeModel(["He began."] * 2)

    async def pooled() -> list[str]:
        async with Models(settings) as models:
            monkeypatch.setattr(models, "open", lambda spec, role: model if spec == "embedded" else None)
            pool = open_pool(["trained", "trained@0.7"], models, LEXICAL)
            return [one.text for one in (await pool.candidates(SENTENCE)).candidates]

    with pytest.raises(InputError, match="no adapter was trained for the policy 'lexical'"):
        asyncio.run(pooled())
    add(settings, "simplify-lexical", LEXICAL.instruction)
    assert asyncio.run(pooled()) == ["He began."] * 2
    assert {request.messages for request in model.requests} == {messages(LEXICAL, SENTENCE)}
    assert {request.adapter for request in model.requests} == {"simplify-lexical"}
    assert sorted(request.temperature for request in model.requests) == [0, 0.7]


def test_a_build_knows_the_adapters_that_its_systems_ask(settings: Settings) -> None:
    specs = ["engine", "trained", "trained@0.9"]
    assert trained_adapters(["engine", "editor"], LEXICAL, settings) == {}
    with pytest.raises(InputError, match="redraft models add DIR --name simplify-lexical"):
        trained_adapters(specs, LEXICAL, settings)
    add(settings, "simplify-lexical", LEXICAL.instruction)
    first = trained_adapters(specs, LEXICAL, settings)
    add(settings, "simplify-lexical", "")
    assert first.keys() == {"simplify-lexical"}
    assert trained_adapters(specs, LEXICAL, settings) != first


def test_another_file_may_be_what_was_trained(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "round-1.gguf"
    file.write_bytes(b"first")
    own = Own(adapter=str(file))
    first = trained_adapters(["trained", "trained@0.9x8"], LEXICAL, settings, own)
    assert first.keys() == {"round-1.gguf"}
    file.write_bytes(b"second")
    assert trained_adapters(["trained"], LEXICAL, settings, own) != first
