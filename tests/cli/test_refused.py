"""Whoever may not write where others work, or where other work is kept, leaves all of it as it was."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.bench import build as bench_build
from redraft.cli.write import policies as simplify_preferences, texts as batch
from redraft.text.files import lock_folder
from redraft.text.jsonl import Appender
from tests.bench.c3e.playing import TEXTS
from tests.bench.constrev.built import write_sources
from tests.bench.data import write_data
from tests.bench.preferences.test_sources import sentences
from tests.revision.tracing import write_small

TEXT = "The harbour froze over in January, and the ferries stayed in port."
NOBODY = "http://127.0.0.1:9/v1#nobody"
"""A model that is never asked."""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    for module in (batch, bench_build, simplify_preferences):
        monkeypatch.setattr(module, "prepare", lambda *_, **__: None)


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Every byte, and when it was written; of folders, when something was added to them."""
    return {
        str(path.relative_to(folder)): (path.read_bytes() if path.is_file() else b"", path.stat().st_mtime_ns)
        for path in (folder, *folder.rglob("*"))
    }


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def texts(path: str) -> str:
    Path(path).write_text(
        json.dumps({"id": "a", "text": TEXT, "source": TEXT, "output": TEXT}) + "\n", encoding="utf-8"
    )
    return path


def bench_words() -> list[str]:
    return ["bench", "run", "editeval", "--data", str(write_data(Path("data"))), "--system", "copy"]


COMMANDS: dict[str, tuple[Callable[[], list[str]], str, str]] = {
    "bench": (lambda: [*bench_words(), "--out", "out"], "samples.jsonl", "run.json"),
    "batch": (
        lambda: ["revise", "--batch", texts("in.jsonl"), "--model", NOBODY, "--out", "out/made.jsonl"],
        "made.jsonl",
        "made.run.json",
    ),
    "constrev": (
        lambda: [
            *("bench", "build", "constrev", "--sources", str(write_sources(Path("sources.jsonl")))),
            *("--levels", "1", "--per-level", "2", "--reviser", NOBODY, "--out", "out"),
        ],
        "work/revisions.jsonl",
        "run.json",
    ),
    "c3e": (
        lambda: ["bench", "build", "c3e", "--sources", str(TEXTS), "--model", NOBODY, "--out", "out"],
        "work/genres.jsonl",
        "run.json",
    ),
    "preferences": (
        lambda: [
            *("simplify", "build-preferences", "--policy", "lexical", "--sources", listed("sources.txt")),
            *("--system", NOBODY, "--system", f"{NOBODY}@0.5", "--out", "out"),
        ],
        "candidates.jsonl",
        "run.json",
    ),
    "compose": (
        lambda: ["compose", "--topic", "Rain", "--model", NOBODY, "--trace", "out"],
        "steps.jsonl",
        "compose.json",
    ),
    "judge": (
        lambda: ["judge", "score", texts("in.jsonl"), "--judge", NOBODY, "--out", "out/judged.jsonl"],
        "judged.jsonl",
        "notes.txt",
    ),
}
"""Each command that keeps its work in `out`, the file it adds to, and one that it writes beside."""


def listed(path: str) -> str:
    Path(path).write_text("\n".join(sentences(5)), encoding="utf-8")
    return path


@pytest.mark.parametrize(("words", "lines", "beside"), COMMANDS.values(), ids=COMMANDS)
def test_work_that_another_process_has_just_begun_is_left_alone(
    words: Callable[[], list[str]], lines: str, beside: str
) -> None:
    out = Path("out")
    typed = words()
    with Appender(out / lines):
        if beside == "compose.json":
            # A piece is told by what it was begun with, so that it has to be the same to come this far.
            assert run(*words()[:-1], "other").exit_code == 4
            (out / beside).write_bytes((Path("other") / beside).read_bytes())
        else:
            (out / beside).write_text('{"begun": "by another"}', encoding="utf-8")
        before = state(out)
        result = run(*typed)
        assert result.exit_code == 2, result.output
        assert "another process is writing" in " ".join(result.stderr.split())
        assert state(out) == before


@pytest.mark.parametrize(("words", "lines", "beside"), COMMANDS.values(), ids=COMMANDS)
def test_other_work_is_left_alone_to_its_last_broken_line(
    words: Callable[[], list[str]], lines: str, beside: str
) -> None:
    out = Path("out")
    typed = words()
    (out / lines).parent.mkdir(parents=True)
    (out / lines).write_text('{"key": "a", "id": "a", "error": null}\n{"key": "b", "er', encoding="utf-8")
    (out / beside).write_text('{"system": "another", "brief": "another"}', encoding="utf-8")
    before = state(out)
    for more in ([], ["--resume"] if "--out" in typed and typed[0] != "judge" else []):
        result = run(*typed, *more)
        assert result.exit_code == 2, result.output
        assert state(out) == before


def test_a_piece_of_which_only_the_beginning_is_left_is_not_begun_by_another(tmp_path: Path) -> None:
    out = Path("out")
    out.mkdir()
    (out / "compose.json").write_text('{"brief": "another"}', encoding="utf-8")
    before = state(out)
    assert run("compose", "--topic", "Rain", "--model", NOBODY, "--trace", "out").exit_code == 2
    assert state(out) == before


def test_a_trace_that_is_being_written_is_not_written_over(tmp_path: Path) -> None:
    out = write_small(tmp_path / "out")
    Path("draft.txt").write_text(TEXT, encoding="utf-8")
    before = state(out)
    with lock_folder(out, "--trace"):
        result = run("revise", "draft.txt", "--trace", "out", "--model", NOBODY)
    assert result.exit_code == 2
    assert "another process is writing out" in result.stderr
    assert state(out) == before


def test_a_text_that_cannot_be_revised_leaves_an_older_trace(tmp_path: Path) -> None:
    out = write_small(tmp_path / "out")
    Path("draft.txt").write_text("... !", encoding="utf-8")
    before = state(out)
    result = run("revise", "draft.txt", "--trace", "out", "--model", NOBODY)
    assert (result.exit_code, "nothing to revise" in result.stderr) == (2, True)
    assert state(out) == before


@pytest.fixture
def other_process(tmp_path: Path) -> Iterator[Path]:
    """A process that has a folder, until it is told to end."""
    folder = tmp_path / "out"
    code = (
        "import sys; from pathlib import Path; from redraft.text.files import lock_folder\n"
        "with lock_folder(Path(sys.argv[1]), '--out'): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield folder
        process.communicate("")


def test_a_folder_is_one_process_s_alone_until_it_ends(other_process: Path) -> None:
    Path("draft.txt").write_text(TEXT, encoding="utf-8")
    result = run("revise", "draft.txt", "--trace", "out", "--model", NOBODY)
    assert "another process is writing out: wait for it, or choose another --trace" in result.stderr
    assert list(other_process.iterdir()) == []
