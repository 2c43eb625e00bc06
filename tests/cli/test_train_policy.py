"""`redraft train policy` from preference data to an adapter that says what it is for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.train.models import start_of
from redraft.models.adapters import SHIPPED
from redraft.models.gguf_file import trained_for
from redraft.simplification.policy_files import load_policy
from tests.models.tiny_llama import write_model
from tests.train.test_policy import pair, write

SMALL = ("--rank", "2", "--tokens", "2048", "--pairs", "2", "--max-steps", "2")
LEXICAL = load_policy("lexical")

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_model(tmp_path_factory.mktemp("base") / "tiny.gguf")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    write(tmp_path / "dev.jsonl", pair("It ended."))
    return write(tmp_path / "train.jsonl", *(pair(f"He commenced {number}.") for number in range(4)))


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["train", *map(str, words)])


def said(result: Result) -> str:
    return " ".join(result.output.split())


def test_a_simplifier_is_trained_and_started_from_and_exported(
    base: Path, data: Path, tmp_path: Path
) -> None:
    words = ("policy", "--policy", "lexical", "--data", data, "--base", base, *SMALL)
    first = run(*words, "--out", tmp_path / "one")
    assert first.exit_code == 0, first.output
    assert "judged by rubric|version:3" in said(first)
    record = json.loads((tmp_path / "one" / "train.json").read_text(encoding="utf-8"))
    assert record["loss"] == {"name": "simpo", "beta": 2.5, "gamma": 1.375, "alpha": 1.0, "clamped": True}
    assert record["config"]["rate"] == 1e-4
    assert (record["config"]["examples"], record["config"]["epochs"]) == (2, 1.0)
    assert record["dev"][0]["file"] == "dev.jsonl"
    assert "start" not in record
    more = ("--out", tmp_path / "two", "--start", tmp_path / "one", "--limit", "2")
    again = run(*words, *more, "--objective", "sft")
    assert again.exit_code == 0, again.output
    other = run(*words, *more, "--rate", "2e-4")
    assert (other.exit_code, "a training with another loss" in said(other)) == (2, True)
    record = json.loads((tmp_path / "two" / "train.json").read_text(encoding="utf-8"))
    assert (record["start"]["file"], record["objective"], record["config"]["rate"]) == ("one", "sft", 2e-4)
    out = tmp_path / "simplify-lexical.gguf"
    exported = run("export", tmp_path / "two", "--base", base, "--out", out, "--rank", "1")
    assert exported.exit_code == 0, exported.output
    assert "of the adapter is lost" in said(exported)
    assert trained_for(out) == LEXICAL.instruction
    assert "of rank 1" in out.with_suffix(".md").read_text(encoding="utf-8")
    higher = run("export", tmp_path / "two", "--base", base, "--out", out, "--rank", "3")
    assert (higher.exit_code, "has rank 2" in said(higher)) == (2, True)


def test_arpo_is_warned_of_and_may_be_its_authors(base: Path, data: Path, tmp_path: Path) -> None:
    words = ("policy", "--policy", "lexical", "--data", data, "--base", base, *SMALL)
    result = run(*words, "--arpo", "authors", "--out", tmp_path / "run")
    assert result.exit_code == 0, result.output
    assert "a pair count for little" in said(result)
    record = json.loads((tmp_path / "run" / "train.json").read_text(encoding="utf-8"))
    assert (record["loss"]["name"], record["loss"]["authors"], record["objective"]) == ("arpo", True, "arpo")


def test_pairs_need_no_policy_and_parallel_rows_do(base: Path, data: Path, tmp_path: Path) -> None:
    words = ("policy", "--data", data, "--base", base, *SMALL, "--out", tmp_path / "run")
    result = run(*words, "--objective", "dpo")
    assert result.exit_code == 0, result.output
    record = json.loads((tmp_path / "run" / "train.json").read_text(encoding="utf-8"))
    assert (record["objective"], "policy" in record) == ("dpo", False)
    refused = run(*words, "--parallel")
    assert (refused.exit_code, "name one with --policy" in said(refused)) == (2, True)


def test_parallel_rows_need_no_pairs(base: Path, tmp_path: Path) -> None:
    row = {"task": "simplification", "input": "He commenced.", "target": "He began."}
    file = write(tmp_path / "p.jsonl", row, {**row, "input": "He resided.", "target": "He lived."})
    words = ("policy", "--policy", "lexical", "--data", file, "--base", base, *SMALL, "--parallel")
    result = run(*words, "--out", tmp_path / "run")
    assert result.exit_code == 0, result.output
    assert json.loads((tmp_path / "run" / "train.json").read_text(encoding="utf-8"))["parallel"]
    refused = run(*words, "--out", tmp_path / "run", "--objective", "dpo")
    assert (refused.exit_code, "hold no pairs for dpo" in said(refused)) == (2, True)
    other = run(*words, "--policy", "rewrite", "--out", tmp_path / "run")
    assert (other.exit_code, "a training with another policy" in said(other)) == (2, True)


def test_the_editor_is_no_folder_that_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "editor").mkdir()
    assert start_of("editor", None, 16) == SHIPPED / "editor.gguf"
    assert start_of("./editor", None, 16) == Path("editor")
    assert start_of("none", None, 16) is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--policy", "rewrite"), "built for the policy 'lexical', not for 'rewrite'"),
        (("--policy", "nonsense"), "no policy 'nonsense'"),
        (("--policy", "lexical", "--objective", "sft", "--beta", "1"), "SFT knows no beta"),
        (
            ("--policy", "lexical", "--objective", "dpo", "--arpo", "authors"),
            "--arpo is for --objective arpo",
        ),
        (("--policy", "lexical", "--unclamped"), "--arpo authors is ARPO as its authors' code has it"),
        (("--policy", "lexical", "--start", "nobody"), "no adapter 'nobody'"),
        (("--policy", "lexical", "--start", "planner", "--rank", "0"), "starts from no adapter"),
        (("--policy", "lexical", "--limit", "9"), "only 4 to learn from"),
    ],
)
def test_what_cannot_be_trained_is_said_first(
    base: Path, data: Path, tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    result = run("policy", "--data", data, "--base", base, *SMALL, *words, "--out", tmp_path / "run")
    assert result.exit_code == 2, result.output
    assert message in said(result)
    assert not (tmp_path / "run").exists()
