"""Training commands from files to an adapter that is in use, on a tiny model of random numbers."""

from __future__ import annotations

import io
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.train.view import training_view
from redraft.models.weights import MODEL_FILE
from tests.models.tiny_llama import write_model

LEAK = "The committee met on Tuesday to discuss the new budget for schools."
SMALL = ("--rank", "2", "--tokens", "1024", "--longest", "256", "--max-steps", "2")


pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In a folder of its own, as the weights of the embedded model are."""
    return write_model(tmp_path_factory.mktemp("weights") / MODEL_FILE)


@pytest.fixture
def fixes(tmp_path: Path) -> Path:
    rows = [("fluency", f"He go {number}.", f"He goes {number}.") for number in range(12)]
    return write_rows(tmp_path / "fixes.jsonl", *rows)


def write_rows(path: Path, *rows: tuple[str, str, str]) -> Path:
    lines = [json.dumps({"task": task, "input": before, "target": after}) for task, before, after in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, [str(word) for word in words])


def said(result: Result) -> str:
    return " ".join((result.stdout + result.stderr).split())


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_an_editor_is_trained_left_alone_exported_and_added(
    base: Path, fixes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    tests = tmp_path / "tests.txt"
    tests.write_text(f"{LEAK}\n", encoding="utf-8")
    leaking = write_rows(
        tmp_path / "leaking.jsonl",
        ("paraphrasing", LEAK, "They met."),
        ("paraphrasing", "One.", "Two."),
        ("paraphrasing", "A copy.", "A copy."),
    )
    dev = write_rows(
        tmp_path / "dev.jsonl", ("fluency", "He go 3", "He goes 3"), ("fluency", "I is.", "I am.")
    )
    train = (
        "train",
        "editor",
        "--data",
        fixes,
        leaking,
        "--dev",
        dev,
        "--base",
        base,
        "--out",
        out,
        *SMALL,
    )
    first = run(*train, "--tests", tests)
    assert first.exit_code == 0, first.stderr
    assert first.stdout == f"{out / 'adapter'}\n"
    assert "kept out as rows of the test sets, or nearly: 1 1 of leaking" in said(first)
    assert "kept out as rows of the dev set: 1 1 of fixes" in said(first)
    assert "kept out since they change nothing: 1 1 of leaking" in said(first)
    assert "leaking paraphrasing 1 row x 1 = 1" in said(first)
    assert "done after 2 steps" in said(first)
    assert "dev loss" in said(first)
    assert (out / "adapter" / "adapter_model.safetensors").exists()
    assert json.loads((out / "train.json").read_text())["refused"] == {"fixes": 0, "leaking": 1}
    steps = [json.loads(line)["step"] for line in (out / "metrics.jsonl").read_text().splitlines()]
    assert steps == [1, 2, 2]

    before = contents(out)
    again = run(*train, "--tests", tests)
    assert (again.exit_code, again.stdout) == (0, first.stdout)
    assert "already finished after 2 steps" in said(again)
    assert "tokens/s" not in said(again)
    for words, says in (
        (
            (*train, "--tests", tests, "--mix", "fixes=2"),
            "another data (fixes.jsonl: weight is 1.0 there, 2.0",
        ),
        ((*train, "--tests", tests, "--emphasis", "1"), "another emphasis (is 3.0 there, 1.0 here)"),
        ((*train, "--tests", tests, "--seed", "1"), "another setting (seed is 0 there, 1 here)"),
        (train, "another choice of rows (leaking is 1 there, 0 here)"),
    ):
        result = run(*words)
        assert result.exit_code == 2
        assert says in said(result)
    write_rows(fixes, ("fluency", "She go.", "She goes."))
    changed = run(*train, "--tests", tests)
    assert changed.exit_code == 2
    assert "holds a training with another data (fixes.jsonl: sha256 is" in said(changed)
    assert "choose another --out, or delete the folder" in said(changed)
    assert contents(out) == before

    exported = run("train", "export", out, "--out", tmp_path / "own.gguf", "--base", base)
    assert exported.exit_code == 0, exported.stderr
    assert "leaking.jsonl" in (tmp_path / "own.md").read_text(encoding="utf-8")
    for place in ("redraft.cli.models.ensure", "redraft.models.weights.ensure"):
        monkeypatch.setattr(place, lambda *_: base.parent)
    monkeypatch.setenv("REDRAFT_WEIGHTS_DIR", str(tmp_path / "kept"))
    for source, name in ((tmp_path / "own.gguf", "own"), (out, "run")):
        added = run("models", "add", source)
        assert added.exit_code == 0, added.stderr
        assert added.stdout.startswith(f"{name} ")
        assert (tmp_path / "kept" / "adapters" / f"{name}.gguf").is_file()


def test_a_whole_model_is_trained_with_rank_0(base: Path, fixes: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    result = run("train", "editor", "--data", fixes, "--base", base, "--out", out, *SMALL[2:], "--rank", "0")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == f"{out / 'model'}\n"
    assert "no test sets are named (--tests)" in said(result)
    config = json.loads((out / "model" / "config.json").read_text())
    assert config["num_hidden_layers"] == 2
    assert json.loads((out / "train.json").read_text())["config"]["rate"] == 2e-4
    refused = run("train", "export", out, "--out", tmp_path / "whole.gguf", "--base", base)
    assert refused.exit_code == 2
    assert "only adapters can be exported" in said(refused)


def test_a_dry_run_says_what_an_epoch_takes_and_trains_nothing(
    base: Path, fixes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tokenizer is all that it needs.
    monkeypatch.setattr("redraft.cli.train.options.find_spec", lambda name: name == "tokenizers" or None)
    long = write_rows(tmp_path / "long.jsonl", ("simplification", "word " * 90, "A word, often."))
    dev = write_rows(tmp_path / "dev.jsonl", ("fluency", "I is.", "I am."))
    words = ("train", "editor", "--data", fixes, long, "--base", base, "--out", tmp_path / "run", *SMALL[:-2])
    result = run(*words, "--dry-run", "--mix", "fixes=2", "--dev", dev, "--epochs", "2", "--accumulate", "2")
    assert result.exit_code == 0, result.stderr
    assert not (tmp_path / "run").exists()
    assert "fixes fluency 12 rows x 2 = 24" in said(result)
    lines = result.stdout.splitlines()
    assert lines[0] == "examples  24 in an epoch; 1 is too long (--longest 256)"
    assert lines[1] == "dev       1 example; 0 are too long"
    tokens, learnt = (int(word.replace(",", "")) for word in (lines[2].split()[1], lines[2].split()[5]))
    # He goes N. or NN., and its end.
    assert learnt == 2 * (10 * 11 + 2 * 12)
    assert learnt < tokens
    steps = int(lines[3].split()[1])
    assert steps >= tokens / 2048
    assert lines[3] == f"steps     {steps} in an epoch, about {2 * steps} in 2 epochs"
    assert lines[5] == "one example: place, id, weight in the loss, token"
    assert lines[6].split() == ["0", "1", "<|im_start|>"]
    assert lines[-1].split()[-2:] == ["1", "<|im_end|>"]
    # What is no copy of the input counts three times.
    assert "3" in {line.split()[2] for line in lines[6:]}
    assert "2 in all" in run(*words, "--dry-run", "--max-steps", "2").stdout
    short = run(*words, "--dry-run", "--longest", "16")
    assert short.exit_code == 2
    assert "every example is too long" in said(short)


def test_chat_is_trained_on_conversations(base: Path, tmp_path: Path) -> None:
    def line(question: str, answer: str) -> str:
        said = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
        return json.dumps({"messages": said}) + "\n"

    file, tests, out = tmp_path / "talk.jsonl", tmp_path / "tests.txt", tmp_path / "run"
    file.write_text(line("One?", "Yes.") + line("Fix this", LEAK) + line("Two?", "No."), encoding="utf-8")
    tests.write_text(LEAK, encoding="utf-8")
    dev = tmp_path / "dev.jsonl"
    dev.write_text(line("two", "no"), encoding="utf-8")
    words = ("train", "chat", "--data", file, "--tests", tests, "--base", base, "--out", out, *SMALL)
    words = (*words, "--dev", dev)
    first = run(*words)
    assert first.exit_code == 0, first.stderr
    assert first.stdout == f"{out / 'adapter'}\n"
    assert "kept out as rows of the test sets, or nearly: 1 1 of talk" in said(first)
    assert "kept out as rows of the dev set: 1 1 of talk" in said(first)
    before = contents(out)
    assert run(*words).exit_code == 0
    assert contents(out) == before
    file.write_text(line("Three?", "Perhaps."), encoding="utf-8")
    changed = run(*words)
    assert changed.exit_code == 2
    assert "another data (talk.jsonl: sha256 is" in said(changed)
    for text, says in (("", "is empty: it holds no conversation"), ("{}", "line 1: needs")):
        file.write_text(text, encoding="utf-8")
        bad = run(*words)
        assert bad.exit_code == 2
        assert says in said(bad)


def _other_folder(folder: Path) -> list[Path]:
    (folder / "other").mkdir()
    return [folder / "fixes.jsonl", write_rows(folder / "other" / "fixes.jsonl", ("fluency", "a", "b"))]


def _text(text: str) -> Callable[[Path], list[Path]]:
    def write(folder: Path) -> list[Path]:
        (folder / "odd.jsonl").write_text(text, encoding="utf-8")
        return [folder / "odd.jsonl"]

    return write


@pytest.mark.parametrize(
    ("files", "options", "says"),
    [
        (_text('{"task": "poetry", "input": "a", "target": "b"}'), (), "odd has rows of the task 'poetry'"),
        (_text(""), (), "odd.jsonl is empty: it holds no row"),
        (
            _text('{"task": "fluency", "input": "a", "target": "b"}\n{"task"'),
            (),
            "odd.jsonl, line 2: needs task",
        ),
        (_other_folder, (), "two training files are called fixes"),
        (lambda folder: [folder / "nowhere.jsonl"], (), "does not exist"),
        (lambda folder: [folder], (), "is a directory"),
        (None, ("--mix", "other=2"), "the mix names other, which fits no training file"),
        (None, ("--patience", "2"), "--patience waits for dev losses"),
        (None, ("--emphasis", "0"), "the emphasis must be above zero"),
        (None, ("--rate", "-1"), "rate must be above zero, not -1.0"),
        (None, ("--rate", "inf"), "rate must be a finite number, not inf"),
        (
            None,
            ("--tokens", "64"),
            "a batch of 64 tokens (--tokens) cannot hold an example of 256 (--longest)",
        ),
        (None, ("--dry-run", "--base", __file__), "is no GGUF file"),
    ],
)
def test_what_cannot_be_trained_on_is_said(
    base: Path, fixes: Path, tmp_path: Path, files: Callable[[Path], list[Path]] | None, options: tuple[str, ...], says: str
) -> None:  # fmt: skip
    data = files(tmp_path) if files else [fixes]
    result = run(
        "train", "editor", "--base", base, "--out", tmp_path / "run", *SMALL, "--data", *data, *options
    )
    assert result.exit_code == (4 if "GGUF" in says else 2)
    assert "".join(says.split()) in "".join(said(result).replace("│", "").split())
    assert not (tmp_path / "run").exists()


def test_an_out_that_is_a_file_is_an_error(base: Path, fixes: Path, tmp_path: Path) -> None:
    (tmp_path / "run").write_text("mine", encoding="utf-8")
    result = run("train", "editor", "--data", fixes, "--base", base, "--out", tmp_path / "run", *SMALL)
    assert result.exit_code == 2
    assert (tmp_path / "run").read_text(encoding="utf-8") == "mine"


def test_on_a_terminal_a_bar_shows_the_losses_and_the_speed_of_this_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = io.StringIO()
    terminal = Console(file=written, force_terminal=True, width=120, color_system=None)
    monkeypatch.setattr("redraft.cli.train.view.console", lambda: terminal)
    with training_view() as (listener, interrupted):
        # A training that goes on: the tokens before its first step here are not of this run.
        listener({"step": 91, "share": 0.5, "loss": 2.5, "tokens": 9_000_000, "seconds": 0.0})
        listener({"step": 92, "share": 0.51, "loss": 2.25, "tokens": 9_003_000, "seconds": 2.0})
        assert "dev" not in written.getvalue()
        interrupted()
        assert "finishing this step; Ctrl-C again stops at once" in written.getvalue()
        listener({"step": 92, "dev_loss": 1.75, "best": 1.75, "seconds": 2.5})
    last = [line for line in written.getvalue().splitlines() if "step" in line][-1]
    for part in ("step 92", " 51 %", "loss 2.2500  dev 1.7500  1,500 tokens/s"):
        assert part in last


@pytest.mark.parametrize("command", ["editor", "chat"])
def test_without_torch_it_says_what_to_install(
    command: str, fixes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redraft.cli.train.options.find_spec", lambda name: None if name == "torch" else name)
    result = run("train", command, "--data", fixes, "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert "pip install 'redraft[train]'" in said(result)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_keeps_the_step_and_the_same_command_goes_on(
    base: Path, fixes: Path, tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    words = ["train", "editor", "--data", str(fixes), "--base", str(base), "--out", str(out), "--rank", "2"]
    words += ["--tokens", "256", "--longest", "256", "--max-steps", "3000"]

    @contextmanager
    def view() -> Iterator[tuple[Callable[[dict[str, float]], None], Callable[[], None]]]:
        with training_view() as (listener, interrupted):

            def listens(event: dict[str, float]) -> None:
                listener(event)
                if event["step"] == 3:
                    os.kill(os.getpid(), number)

            yield listens, interrupted

    with monkeypatch.context() as patch:
        patch.setattr("redraft.cli.train.options.training_view", view)
        stopped = run(*words)
    assert (stopped.exit_code, stopped.stdout) == (130, ""), stopped.stderr
    assert "finishing this step; Ctrl-C again stops at once" in said(stopped)
    assert "the same command goes on from the last checkpoint" in said(stopped)
    metrics = out / "metrics.jsonl"
    (checkpoint,) = (out / "checkpoints").iterdir()
    step = int(checkpoint.stem)
    assert 0 < step < 3000
    # What is left is cut short, as if the training had been planned so: here only that it goes on counts.
    record = json.loads((out / "train.json").read_text())
    record["config"]["max_steps"] = step + 2
    (out / "train.json").write_text(json.dumps(record), encoding="utf-8")
    resumed = run(*words[:-1], str(step + 2))
    assert resumed.exit_code == 0, resumed.stderr
    assert f"done after {step + 2} steps" in said(resumed)
    steps = [json.loads(line)["step"] for line in metrics.read_text().splitlines()]
    assert steps == list(range(1, step + 3))
