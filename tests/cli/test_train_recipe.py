"""`redraft train recipe` from raw data to an adapter with its card, with a tiny model."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from tests.models.tiny_llama import write_model

pytestmark = pytest.mark.usefixtures("one_thread")

TALK = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
RECIPE = """
about = "A toy."
ships = {ships}
[data.talk]
file = "talk.jsonl"
sha256 = "{talk}"
licence = "CC0"
[data.base]
file = "tiny.gguf"
sha256 = "{base}"
licence = "CC0"
[[stages]]
name = "chat"
run = "train chat"
options = {{data = "{{talk}}", base = "{{base}}", rank = 2, tokens = 512, epochs = 1, out = "{{out}}"}}
small = {{max-steps = 1}}
[[stages]]
name = "export"
run = "train export"
arguments = ["{{chat}}"]
options = {{base = "{{base}}", out = "{out}/toy.gguf"}}
"""


def write(folder: Path, *, ships: bool = True, out: str = "{out}") -> Path:
    talk = "".join(json.dumps({"messages": TALK}) + "\n" for _ in range(3))
    (folder / "talk.jsonl").write_text(talk, encoding="utf-8")
    base = write_model(folder / "tiny.gguf")
    hashes = {path.stem: sha256(path.read_bytes()).hexdigest() for path in (folder / "talk.jsonl", base)}
    text = RECIPE.format(talk=hashes["talk"], base=hashes["tiny"], ships=str(ships).lower(), out=out)
    (folder / "toy.toml").write_text(text, encoding="utf-8")
    return folder


def run(folder: Path, *words: str) -> Result:
    where = ("--data", str(folder), "--out", str(folder / "out"), "--device", "cpu")
    return CliRunner().invoke(app, ["train", "recipe", str(folder / "toy.toml"), *where, *words])


def test_an_adapter_is_made_from_raw_data_and_its_card_names_the_recipe(tmp_path: Path) -> None:
    write(tmp_path)
    planned = run(tmp_path, "--dry-run")
    assert [line.split()[2] for line in planned.stdout.splitlines()] == ["chat", "export"]
    made = run(tmp_path)
    assert made.exit_code == 0, made.output
    adapter = tmp_path / "out" / "export" / "toy.gguf"
    assert made.stdout == f"{adapter}\n"
    card = adapter.with_suffix(".md").read_text(encoding="utf-8")
    assert "## Recipe" in card
    assert "`toy` (SHA-256" in card
    assert "| talk.jsonl | learnt | CC0 |" in card
    assert "chat (train chat), export (train export)" in card
    again = run(tmp_path)
    assert again.exit_code == 0
    assert "export: finished before" in again.stderr
    assert run(tmp_path, "--dry-run").stdout == ""


def test_what_must_not_ship_is_not_exported_into_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    monkeypatch.setattr(import_module("redraft.train.export"), "SHIPPED", package)
    result = run(write(tmp_path, ships=False, out=str(package)))
    assert result.exit_code == 2
    assert "says that it must not" in " ".join(result.stderr.split())
    assert not list(package.iterdir())
    assert run(write(tmp_path, ships=True, out=str(package))).exit_code == 0
    refused = run(write(tmp_path, ships=True, out=str(package)), "--small", "1")
    assert refused.exit_code == 2


def test_recipes_and_their_stages_are_listed(tmp_path: Path) -> None:
    listed = CliRunner().invoke(app, ["train", "recipe", "--list"])
    assert {line.split()[0] for line in listed.stdout.splitlines()} >= {"editor", "judge", "planner"}
    one = CliRunner().invoke(app, ["train", "recipe", "simplify-rewrite", "--list"])
    assert "redraft simplify build-preferences" in one.stdout
    assert "measured on" in one.stdout
    nothing = CliRunner().invoke(app, ["train", "recipe"])
    assert nothing.exit_code == 2
    assert "name a recipe" in nothing.stderr


def test_data_that_are_not_there_are_named(tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / "talk.jsonl").unlink()
    result = run(tmp_path)
    assert result.exit_code == 2
    assert "talk.jsonl is missing (CC0" in " ".join(result.stderr.split())


def test_sentences_without_known_terms_and_of_test_sets_are_left_out(tmp_path: Path) -> None:
    lines = ["The cat sat on the mat.", "Nobody knows where this is from.", "The dog ate all of my homework."]
    (tmp_path / "all.txt").write_text("\n".join(lines), encoding="utf-8")
    row = {"input": "the cat sat on the mat", "target": lines[2]}
    (tmp_path / "open.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "test.txt").write_text(lines[2], encoding="utf-8")
    words = ["train", "sources", str(tmp_path / "all.txt"), "--found-in", str(tmp_path / "open.jsonl")]
    result = CliRunner().invoke(
        app, [*words, "--tests", str(tmp_path / "test.txt"), "--out", str(tmp_path / "kept.txt")]
    )
    assert result.exit_code == 0, result.output
    assert (tmp_path / "kept.txt").read_text(encoding="utf-8") == f"{lines[0]}\n"
