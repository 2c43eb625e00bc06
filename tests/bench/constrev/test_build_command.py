"""`redraft bench build constrev` as a user runs it, with a service that revises and renders."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.bench.constrev.building.recipe import read_levels
from redraft.bench.constrev.building.records import unusable
from redraft.bench.constrev.reading import read_samples
from redraft.cli import app
from redraft.constraints import parse
from redraft.errors import InputError
from tests.bench.constrev.built import playing, revising, text, write_sources
from tests.models.scripted import ScriptedServer, fail, say

FEW = ("--levels", "0-2", "--per-level", "2")
MADE = ("constrev.jsonl", "rejected.jsonl", "card.json", "card.md")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ScriptedServer]:
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    with ScriptedServer() as scripted:
        scripted.answers = [revising]
        yield scripted


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    return write_sources(tmp_path / "sources.jsonl")


def build(server: ScriptedServer, sources: Path, out: Path, *words: str) -> Result:
    spec = f"{server.url}#tiny"
    fixed = ["bench", "build", "constrev", "--sources", str(sources), "--out", str(out), "--reviser", spec]
    return CliRunner().invoke(app, [*fixed, "--levels", "0-3", "--per-level", "5", "--seed", "3", *words])


def records(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "constrev.jsonl").read_text(encoding="utf-8").splitlines()]


def test_a_build_leaves_records_that_can_be_run_and_proofs_that_hold(
    server: ScriptedServer, sources: Path, tmp_path: Path
) -> None:
    out = tmp_path / "built"
    result = build(server, sources, out, "--singles", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout == f"{out / 'constrev.jsonl'}\n"
    found = records(out)
    assert [one["id"] for one in found] == sorted(one["id"] for one in found)
    assert Counter(one["id"].rpartition("-")[0] for one in found) == {
        "L0": 5, "L1": 5, "L2": 5, "L3": 5, "S-sentence": 3, "S-length": 3, "S-keyword": 3,
    }  # fmt: skip
    for one in found:
        assert len(one["kinds"]) == one["level"]
        assert {constraint.call for constraint in parse(one["instruction"]).constraints} == set(one["calls"])
        assert one["witness"] != one["text"]
        assert one["source"]["licence"] == "CC0"
    (tmp_path / "text").mkdir()
    for number, one in enumerate(one for one in found if one["calls"]):
        original, witness = tmp_path / "text" / f"{number}.txt", tmp_path / "text" / f"{number}.new.txt"
        original.write_text(one["text"], encoding="utf-8")
        witness.write_text(one["witness"], encoding="utf-8")
        for counting in ("default", "constrev"):
            words = [
                "check",
                str(witness),
                "--original",
                str(original),
                "--counting",
                counting,
                "--format",
                "text",
            ]
            checked = CliRunner().invoke(
                app, [*words, *(word for call in one["calls"] for word in ("-c", call))]
            )
            assert checked.exit_code == 0, (one["id"], counting, checked.output)
    for level in range(4):
        used = [one["source"]["id"] for one in found if one["id"].startswith(f"L{level}")]
        assert len(used) == len(set(used))
    assert {one.dataset for one in read_samples(out)} == {
        "L0",
        "L1",
        "L2",
        "L3",
        "sentence",
        "length",
        "keyword",
    }
    card = json.loads((out / "card.json").read_text(encoding="utf-8"))
    assert card["records"] == 29
    assert sum(kind["count"] for kind in card["kinds"].values()) == 5 + 10 + 15 + 9
    assert card["kinds"]["keep_1"]["met_by_source"] in (
        {"default": 1.0, "constrev": 1.0},
        {"default": None, "constrev": None},
    )
    assert "| L3 | 5 |" in (out / "card.md").read_text(encoding="utf-8")


def test_the_same_seed_gives_the_same_files_byte_for_byte(
    server: ScriptedServer, sources: Path, tmp_path: Path
) -> None:
    for name, seed in (("one", "3"), ("two", "3"), ("three", "4")):
        assert build(server, sources, tmp_path / name, *FEW, "--seed", seed).exit_code == 0
    for name in MADE:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert (tmp_path / "one" / MADE[0]).read_bytes() != (tmp_path / "three" / MADE[0]).read_bytes()


def test_a_build_that_was_stopped_goes_on_and_asks_nothing_twice(
    server: ScriptedServer, sources: Path, tmp_path: Path
) -> None:
    out = tmp_path / "built"
    server.answers = [revising] * 4 + [fail(500)] * 5 + [revising]
    first = build(server, sources, out, "--no-cache")
    assert "5 texts could not be revised; --resume tries them again" in first.output
    done = len(server.requests)
    assert done == 12
    again = build(server, sources, out, "--no-cache")
    assert again.exit_code == 2
    assert "--resume" in again.output
    last = build(server, sources, out, "--no-cache", "--resume")
    assert last.exit_code == 0, last.output
    assert len(server.requests) - done == 5
    assert build(server, sources, tmp_path / "whole").exit_code == 0
    assert (out / MADE[0]).read_bytes() == (tmp_path / "whole" / MADE[0]).read_bytes()


def test_several_files_follow_one_option(server: ScriptedServer, sources: Path, tmp_path: Path) -> None:
    lines = sources.read_text(encoding="utf-8").splitlines(keepends=True)
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for file, half in zip(files, (lines[:6], lines[6:]), strict=True):
        file.write_text("".join(half), encoding="utf-8")
    words = [
        "bench",
        "build",
        "constrev",
        "--reviser",
        f"{server.url}#tiny",
        "--per-level",
        "2",
        "--levels",
        "1",
    ]
    out = tmp_path / "built"
    result = CliRunner().invoke(
        app, [*words, "--out", str(out), "--sources", *map(str, files), "--exclude", str(files[1])]
    )
    assert result.exit_code == 0, result.output
    card = json.loads((out / "card.json").read_text(encoding="utf-8"))
    assert card["sources"]["left_out"] == {"excluded": 6}
    assert "Texts in two.jsonl were excluded." in (out / "card.md").read_text(encoding="utf-8")


def test_another_seed_is_another_build(server: ScriptedServer, sources: Path, tmp_path: Path) -> None:
    assert build(server, sources, tmp_path / "built", *FEW).exit_code == 0
    other = build(server, sources, tmp_path / "built", *FEW, "--resume", "--seed", "4")
    assert other.exit_code == 2
    assert "seed" in other.output


def test_a_model_renders_and_what_it_gets_wrong_is_kept(
    server: ScriptedServer, sources: Path, tmp_path: Path
) -> None:
    turns: Counter[str] = Counter()

    def render(draft: str) -> str:
        turns[draft] += 1
        if turns[draft] == 1:
            return f"Certainly! Here is the request: {draft}"
        return draft.replace("Please", "Kindly")

    server.answers = [playing(render)]
    out = tmp_path / "built"
    spec = f"{server.url}#tiny"
    result = build(server, sources, out, "--renderer", spec)
    assert result.exit_code == 0, result.output
    found = records(out)
    assert {one["renderer"] for one in found} == {spec}
    lines = (out / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    rejected = [json.loads(line) for line in lines if json.loads(line)["by"] == spec]
    assert {one["reason"] for one in rejected} == {"chatter"}
    assert len(rejected) == len(found)
    card = json.loads((out / "card.json").read_text(encoding="utf-8"))
    assert card["rejections"][spec]["rejected"] == len(rejected)


def test_a_reviser_that_changes_nothing_gives_no_records(
    server: ScriptedServer, sources: Path, tmp_path: Path
) -> None:
    server.answers = [say("")]
    result = build(server, sources, tmp_path / "built")
    assert result.exit_code == 2
    assert "no text is left for L0-001" in result.output
    assert not (tmp_path / "built" / "constrev.jsonl").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--per-level", "40"), "12 texts can be used, and a level of 40"),
        (("--levels", "0-9"), "--levels go from 0 to 6"),
        (("--levels", "few"), "--levels takes numbers"),
        (("--judge", "openai:x"), "--judge looks at a model's wording"),
        (("--texts", "2"), "2 texts can be used"),
    ],
)
def test_what_cannot_be_built_is_said(
    server: ScriptedServer, sources: Path, tmp_path: Path, words: tuple[str, ...], problem: str
) -> None:
    result = build(server, sources, tmp_path / "built", *words)
    assert result.exit_code == 2
    assert problem in " ".join(result.output.split())
    assert not server.requests


def test_not_every_benchmark_can_be_built(tmp_path: Path, sources: Path) -> None:
    words = ["bench", "build", "editeval", "--sources", str(sources), "--out", str(tmp_path / "x")]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "editeval" in result.output


def test_levels_are_read() -> None:
    assert read_levels("0-4") == (0, 1, 2, 3, 4)
    assert read_levels("3, 1-2") == (1, 2, 3)
    with pytest.raises(InputError):
        read_levels("")


def test_a_broken_revision_is_no_witness() -> None:
    source = text("a")
    assert unusable(source, source) == "unchanged"
    assert unusable(source, " ") == "empty"
    assert unusable(source, source[:200]) == "much too short"
    assert unusable(source, source + " and so on and on and so on" * 20) == "repeats itself"
    assert unusable(source, source.replace("the", "a")) is None
