"""The pool: what a spec says, what each system is asked, and what becomes of one that fails."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest

from redraft.errors import InputError, MissingKey
from redraft.models import Models, Usage
from redraft.settings import load_settings
from redraft.simplification import pool
from redraft.simplification.engine import Simplified
from redraft.simplification.policy_files import load_policy
from redraft.simplification.pool import OFFLINE, PoolResult, PoolSystem, diversity, open_pool, read_systems
from redraft.simplification.verdicts import Candidate
from tests.models.scripted import ScriptedServer, fail, say

SOURCE = "The committee commenced its deliberations shortly after the chairman's arrival."
LEXICAL = load_policy("lexical")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


async def gathered(specs: list[str], seed: int = 0, source: str = SOURCE) -> PoolResult:
    async with Models(load_settings({"cache": False, "retries": 0})) as models:
        return await open_pool(specs, models, LEXICAL, seed).candidates(source)


@pytest.mark.parametrize(
    ("spec", "read"),
    [
        ("engine", PoolSystem("engine", "engine")),
        ("engine:rewrite", PoolSystem("engine:rewrite", "engine", "rewrite")),
        ("editor:lexical@0.7", PoolSystem("editor:lexical@0.7", "editor", "lexical", 0.7)),
        ("both@0.5", PoolSystem("both@0.5", "both", None, 0.5)),
        ("embedded@1", PoolSystem("embedded@1", "embedded", None, 1.0)),
        ("openai:gpt-4o@1", PoolSystem("openai:gpt-4o@1", "openai:gpt-4o", None, 1.0)),
        ("openai:gpt-4o#zero", PoolSystem("openai:gpt-4o#zero", "openai:gpt-4o", None, 0.0, False)),
        (
            "http://me@h:1/v1#org/m@0.5#zero",
            PoolSystem("http://h:1/v1#org/m@0.5#zero", "http://h:1/v1#org/m", None, 0.5, False),
        ),
        ("http://h/v1#zero", PoolSystem("http://h/v1#zero", "http://h/v1#zero")),
        ("openai:model@20250101", PoolSystem("openai:model@20250101", "openai:model@20250101")),
        ("trained@0.9x8", PoolSystem("trained@0.9x8", "trained", None, 0.9, draws=8)),
        ("told@1", PoolSystem("told@1", "told", None, 1.0)),
        ("trained@0.9#2", PoolSystem("trained@0.9#2", "trained", None, 0.9)),
    ],
)
def test_a_spec_says_which_system_and_how(spec: str, read: PoolSystem) -> None:
    assert PoolSystem.of(spec) == read


def test_a_system_is_drawn_several_times_each_under_a_spec_of_its_own() -> None:
    drawn = read_systems(["editor", "editor@0.9x2", "openai:gpt-4o@1x2#zero"])
    assert [one.spec for one in drawn] == [
        "editor", "editor@0.9#1", "editor@0.9#2", "openai:gpt-4o@1#1#zero", "openai:gpt-4o@1#2#zero",
    ]  # fmt: skip
    assert read_systems([one.spec for one in drawn]) == drawn


@pytest.mark.parametrize(
    ("specs", "said"),
    [
        (["engine"], "two systems at least"),
        (["engine", "engine"], "named twice"),
        (["engine@0.5", "both"], "no temperature"),
        (["editor#zero", "engine"], "only a model is shown examples"),
        (["editor@3", "engine"], "at most 2"),
        (["engine:nonsense", "editor"], "engine:lexical"),
        (["", "editor"], "names no system"),
        (["enginee", "editor"], "names no system"),
        (["editor@0x3", "engine"], "at a temperature above 0"),
        (["editor@1x65", "engine"], "1 to 64 times"),
        (["editor@1x2", "editor@1#2"], "named twice"),
    ],
)
def test_a_pool_that_makes_no_sense_is_refused(specs: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_systems(specs)


def test_the_pool_without_a_network_asks_no_service() -> None:
    assert {system.name for system in read_systems(OFFLINE)} == {"engine", "editor", "both"}


def test_both_is_the_engine_over_each_sentence_that_the_editor_wrote(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loud:
        def __init__(self, *_: object) -> None:
            return

        async def simplify(self, sentence: str) -> Simplified:
            return Simplified(sentence, f"<{sentence.upper()}>")

    async def edit(source: str, seed: int) -> tuple[str, Usage]:
        return "They began.  They left.", Usage(calls=1)

    monkeypatch.setattr(pool, "Engine", Loud)
    monkeypatch.setattr(pool, "_asking", lambda *_: edit)
    found = asyncio.run(gathered(["engine", "editor", "both@0.5"], source="They commenced."))
    assert [one.text for one in found.candidates] == [
        "<THEY COMMENCED.>",
        "They began.  They left.",
        "<THEY BEGAN.>  <THEY LEFT.>",
    ]
    assert found.usage.calls == 2


def test_models_are_shown_the_examples_unless_told_otherwise(server: ScriptedServer) -> None:
    server.answers = [say("They began.")]
    found = asyncio.run(gathered([f"{server.url}#tiny@0.7", f"{server.url}#tiny#zero"]))
    assert [one.text for one in found.candidates] == ["They began."] * 2
    assert [one.by for one in found.candidates] == [f"{server.url}#tiny@0.7", f"{server.url}#tiny#zero"]
    shown = {body["temperature"]: [turn["role"] for turn in body["messages"]] for body in server.requests}
    assert shown[0] == ["system", "user"]
    assert shown[0.7] == ["system", *["user", "assistant"] * len(LEXICAL.examples), "user"]
    assert found.usage.calls == 2


def test_seeds_depend_on_system_source_and_seed_alone(server: ScriptedServer) -> None:
    server.answers = [say("They began.")]
    one, two = f"{server.url}#tiny@0.7", f"{server.url}#tiny@0.9"
    for specs in ([one, two], [two, one]):
        asyncio.run(gathered(specs))
    asyncio.run(gathered([one, two], seed=1))
    asyncio.run(gathered([one, two], source="They commenced."))
    drawn = [(body["temperature"], body["seed"]) for body in server.requests]
    assert set(drawn[:2]) == set(drawn[2:4])
    assert len(set(drawn)) == 6


def test_a_system_that_fails_is_named_and_the_others_go_on(server: ScriptedServer) -> None:
    def answer(handler: Any, body: dict[str, Any]) -> None:
        (fail(503) if body["temperature"] > 1 else say("" if body["temperature"] else "Fine."))(handler, body)

    server.answers = [answer]
    good, empty, busy = (f"{server.url}#tiny{how}" for how in ("", "@0.5", "@1.5"))
    found = asyncio.run(gathered([good, empty]))
    assert [one.by for one in found.candidates] == [good]
    assert list(found.failed) == [empty]
    assert found.again is None
    found = asyncio.run(gathered([good, busy]))
    assert [one.by for one in found.candidates] == [good]
    assert found.again is not None
    assert busy in found.again


def test_what_would_fail_for_all_is_raised(server: ScriptedServer) -> None:
    server.answers = [fail(401)]
    with pytest.raises(MissingKey):
        asyncio.run(gathered([f"{server.url}#tiny", f"{server.url}#tiny@1"]))


def test_diversity_tells_copies_repeats_and_what_each_system_does() -> None:
    source = "one two three four"
    found = diversity(
        [
            (source, [Candidate(source.upper(), "a"), Candidate("one two", "b")]),
            (source, [Candidate("one  three", "a"), Candidate("one three", "b")]),
            (source, [Candidate("alone", "a")]),
        ]
    )
    assert (found.sources, found.distinct, found.alike, found.copies) == (2, 0.75, 0.5, 0.2)
    assert found.systems["b"].words == 0.5
    assert found.systems["b"].copies == 0
    assert found.systems["a"].copies == 0.3333
    assert 0 < found.dissimilarity < 1
    assert diversity([]).systems == {}
