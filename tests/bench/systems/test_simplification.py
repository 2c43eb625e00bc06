"""Policies as systems under test."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from redraft.bench.benchmark import Item, Sample
from redraft.bench.systems.kind import SystemResources
from redraft.bench.systems.registry import open_editing, read_system
from redraft.bench.systems.simplification import PolicyOptions
from redraft.errors import InputError
from redraft.models import Request
from redraft.runs.jobs import Answer
from redraft.settings import load_settings
from redraft.simplification import simplifiers
from redraft.simplification.policy_files import load_policy, policy_text
from tests.bench.simplification import SOURCES, bench, run, write_turk
from tests.models.scripted import FakeModel, ScriptedServer, say
from tests.models.tiny_llama import write_peft


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_turk(tmp_path / "data")


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        scripted.answers = [say("It is easy now.")]
        yield scripted


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_CACHE", "false")
    monkeypatch.setenv("REDRAFT_RETRIES", "0")


def facts(out: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((out / "run.json").read_text(encoding="utf-8"))
    return found


def test_a_vanilla_model_is_told_the_policy_and_no_more(
    data: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    out = run(data, tmp_path / "run", "vanilla:lexical", "--model", f"{server.url}#tiny")
    asked = [request["messages"] for request in server.requests]
    assert sorted(messages[-1]["content"] for messages in asked) == sorted(SOURCES)
    assert {messages[0]["content"] for messages in asked} == {load_policy("lexical").instruction}
    assert {len(messages) for messages in asked} == {2}
    found = facts(out)
    assert found["model"] == f"{server.url}#tiny"
    assert set(found["parameters"]) == {"policy", "policy_hash"}  # type: ignore[call-overload]


def test_an_answer_that_is_none_counts_as_a_copy(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    server.answers = [say(" ")]
    out = run(data, tmp_path / "run", "vanilla:lexical", "--model", f"{server.url}#tiny")
    records = [json.loads(line) for line in (out / "samples.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all(record["output"] == record["input"] and record["unusable"].strip() == "" for record in records)
    assert all(record["usage"]["calls"] == 1 for record in records)


def test_a_policy_of_a_user_s_is_known_by_what_it_says(
    data: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    policy = tmp_path / "mine.yaml"
    policy.write_text(policy_text("lexical"), encoding="utf-8")
    system, model = f"vanilla:{policy}", f"{server.url}#tiny"
    out = run(data, tmp_path / "run", system, "--model", model)
    before = facts(out)["parameters"]
    run(data, out, system, "--model", model, "--resume")
    policy.write_text(policy_text("lexical") + "\n# laid out anew\n", encoding="utf-8")
    run(data, out, system, "--model", model, "--resume")
    policy.write_text(
        policy_text("lexical").replace("Make the words", "Please make the words", 1), encoding="utf-8"
    )
    words = ("run", "editeval", "--data", str(data), "--system", system, "--model", model)
    again = bench(*words, "--out", str(out), "--resume")
    assert again.exit_code == 2, again.output
    other = run(data, tmp_path / "other", system, "--model", model)
    assert facts(other)["parameters"] != before


def test_a_worker_elsewhere_needs_no_file_of_the_policy(server: ScriptedServer) -> None:
    settings = load_settings({"model": f"{server.url}#tiny"})
    mine = replace(load_policy("lexical"), instruction="Say it my way.")
    opening = partial(open_editing, "vanilla", PolicyOptions(mine), 0)

    async def done() -> Answer:
        worker = await pickle.loads(pickle.dumps(opening))(settings)
        try:
            found: Answer = await worker.do(
                Item(Sample("1", "turk", "simplification", SOURCES[0], ()), 1, "")
            )
        finally:
            await worker.aclose()
        return found

    assert asyncio.run(done()).fields["output"] == "It is easy now."
    assert server.requests[0]["messages"][0]["content"] == "Say it my way."


@pytest.mark.usefixtures("by_rule")
def test_a_large_model_is_asked_sentence_by_sentence(
    data: Path, tmp_path: Path, server: ScriptedServer
) -> None:
    server.answers = [say("The people began to talk.")]
    out = run(data, tmp_path / "run", "simplify:rewrite", "--model", f"{server.url}#tiny")
    assert len(server.requests) == len(SOURCES)
    records = [json.loads(line) for line in (out / "samples.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sum(record["usage"]["calls"] for record in records) == len(SOURCES)
    assert facts(out)["parameters"]["effort"] == "medium"  # type: ignore[index]


def test_the_engine_simplifies_offline_and_changes_words_alone(data: Path, tmp_path: Path) -> None:
    out = run(data, tmp_path / "run", "simplify:lexical@low")
    scores = json.loads((out / "scores.json").read_text(encoding="utf-8"))["datasets"]["turk"]["over_prompts"]
    assert scores["copied"]["mean"] < 100
    assert scores["replaced"]["mean"] > 0
    assert scores["split"]["mean"] == 0
    assert facts(out)["parameters"]["answers"] == 0  # type: ignore[index]


@pytest.mark.parametrize("name", ["simplify", "vanilla", "trained"])
@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("", "needs something after a colon"),
        (":nonsense", "no policy 'nonsense'"),
        (":-", "from a file or by name"),
    ],
)
def test_a_policy_that_is_none_is_refused_before_anything_is_written(
    data: Path, tmp_path: Path, name: str, argument: str, message: str
) -> None:
    words = ("--data", str(data), "--system", name + argument, "--out", str(tmp_path / "run"))
    result = bench("run", "editeval", *words)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert not (tmp_path / "run").exists()


def test_a_dry_run_counts_one_call_for_each_item(data: Path, tmp_path: Path, server: ScriptedServer) -> None:
    result = bench(
        "run", "editeval", "--data", str(data), "--system", "vanilla:rewrite", "--model", f"{server.url}#tiny",
        "--out", str(tmp_path / "run"), "--dry-run",
    )  # fmt: skip
    assert "about 4 calls" in result.stdout
    assert not server.requests


def asked_by(name: str, spec: str) -> Request:
    """What a system asks a model."""
    model = FakeModel(["It is easy now."])
    model.spec = spec
    never = partial(pytest.fail, "not to be opened")
    resources = SystemResources(lambda: model, never, never, never)
    system = read_system(f"{name}:lexical").open(resources)
    asyncio.run(system.edit(Item(Sample("1", "turk", "simplification", SOURCES[0], ()), 1, "")))
    (request,) = model.requests
    return request


def test_what_was_trained_is_asked_as_vanilla_is_but_with_its_adapter(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(simplifiers, "adapter_of", lambda *_: "simplify-lexical")
    for spec in ("embedded", "torch"):
        assert asked_by("vanilla", spec).adapter is None
        assert asked_by("trained", spec) == replace(asked_by("vanilla", spec), adapter="simplify-lexical")
    # What a training left is asked for by the model's own name.
    write_peft(tmp_path / "mine" / "adapter", 0)
    for spec in ("torch:runs/mine", f"hf:{tmp_path / 'mine'}"):
        assert asked_by("trained", spec) == asked_by("vanilla", spec)


def test_what_was_never_trained_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for spec in ("embedded:base", "openai:gpt-4o", "torch:other.gguf"):
        with pytest.raises(InputError, match="has no adapter for a policy"):
            asked_by("trained", spec)
    monkeypatch.setattr(simplifiers, "adapter_of", lambda *_: None)
    with pytest.raises(InputError, match="redraft models add DIR --name simplify-lexical"):
        asked_by("trained", "embedded")
