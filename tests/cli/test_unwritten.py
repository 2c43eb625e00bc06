"""Finished work that cannot be written where it is wanted is printed all the same."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.console import put
from redraft.cli.write import revise, simplify, texts as batch
from redraft.constraints import Findings
from redraft.errors import FileError
from redraft.models import Usage
from redraft.revision.revision import Revision
from redraft.simplification.simplification import Simplification
from redraft.text import jsonl
from tests.composition.strong import Strong
from tests.models.scripted import ScriptedServer, say

DRAFT = "The harbour froze over in January."
DONE = "In January, the harbour froze."
FULL = OSError(errno.ENOSPC, "No space left on device")

During = Callable[[Path, pytest.MonkeyPatch], None]


def full_disk(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise FULL

    monkeypatch.setattr(os, "fsync", full)


def no_permission(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(**_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(tempfile, "mkstemp", forbidden)


def gone(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree(out.parent)


def nothing(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pass


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def told(result: Result) -> str:
    return " ".join(result.stderr.split())


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("REDRAFT_RETRIES", "0")
    Path("draft.txt").write_text(DRAFT, encoding="utf-8")


def revised(text: str) -> Revision:
    return Revision(text, Findings((), "default"), (), None, None, Usage(), (), "done")


def simplified(text: str) -> Simplification:
    return Simplification(text, "lexical", (), Findings((), "default"))


@pytest.mark.parametrize("json_wanted", [False, True])
@pytest.mark.parametrize(
    ("during", "text", "message"),
    [
        (full_disk, DONE, "no space left"),
        (no_permission, DONE, "you may not write there"),
        (gone, DONE, "there is no folder"),
        (nothing, "In January\ud83d.", "cannot be written as UTF-8"),
    ],
)
@pytest.mark.parametrize(
    ("command", "module", "made"),
    [("revise", revise, revised), ("simplify", simplify, simplified)],
)
def test_a_text_that_cannot_be_written_is_printed(
    command: str,
    module: Any,
    made: Callable[[str], object],
    during: During,
    text: str,
    message: str,
    json_wanted: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out = tmp_path / "folder" / "out.txt"
    out.parent.mkdir()
    out.write_text("what was there", encoding="utf-8")

    def work(*_: object) -> object:
        during(out, monkeypatch)
        return made(text)

    monkeypatch.setattr(module, "run_stoppable", work)
    result = run(command, "draft.txt", "-o", str(out), *(["--json"] if json_wanted else []))
    assert result.exit_code == 2
    assert message in told(result)
    if json_wanted:
        assert json.loads(result.stdout)["text"] == text
    else:
        assert result.stdout == text.replace("\ud83d", "\ufffd") + "\n"
    if during is not gone:
        assert out.read_text(encoding="utf-8") == "what was there"
        assert [path.name for path in out.parent.iterdir()] == ["out.txt"]


@pytest.mark.parametrize("during", [full_disk, no_permission])
def test_the_file_that_was_read_is_never_damaged(
    during: During, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = tmp_path / "draft.txt"
    draft.chmod(0o640)

    def work(*_: object) -> object:
        during(draft, monkeypatch)
        return revised(DONE)

    monkeypatch.setattr(revise, "run_stoppable", work)
    result = run("revise", "draft.txt", "-o", "draft.txt")
    assert (result.exit_code, result.stdout) == (2, f"{DONE}\n")
    assert draft.read_text(encoding="utf-8") == DRAFT
    monkeypatch.undo()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link.txt").symlink_to("draft.txt")
    monkeypatch.setattr(revise, "run_stoppable", lambda *_: revised(DONE))
    assert run("revise", "link.txt", "-o", "link.txt").exit_code == 0
    assert (draft.read_text(encoding="utf-8"), draft.stat().st_mode & 0o777) == (DONE, 0o640)
    assert Path("link.txt").is_symlink()


class _FullFile:
    """A file on a disk that is full."""

    def write(self, _: bytes) -> int:
        raise FULL

    def __enter__(self) -> _FullFile:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class _FullFolder(type(Path())):  # type: ignore[misc]
    """A folder with room for a first line, and for no other."""

    def open(self, mode: str = "r", *rest: Any, **named: Any) -> Any:
        return _FullFile() if mode == "ab" else super().open(mode, *rest, **named)


def test_a_disk_that_is_full_ends_the_trace_and_not_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "prepare", lambda *_, **__: None)
    monkeypatch.setattr("redraft.revision.showing.trace.Path", _FullFolder)
    conflict = ["-c", 'word_count_check(5, "less than")', "-c", 'word_count_check(9, "more than")']
    with ScriptedServer() as server:
        server.answers = [say(DONE)]
        words = ["revise", "draft.txt", "--model", f"{server.url}#tiny", "--trace", "kept"]
        monkeypatch.setattr("redraft.revision.running.Run._scored", _unscored)
        result = run(*words, "--strategy", "direct")
        assert (result.exit_code, result.stdout) == (2, f"{DONE}\n")
        assert "the trace in kept cannot be written: No space left" in told(result)
        assert len(Path("kept/trajectory.jsonl").read_text(encoding="utf-8").splitlines()) == 1
        assert run(*words, *conflict).exit_code == 3  # which says more than that the trace is cut short


async def _unscored(self: Any, revision: Revision, usage: Usage) -> Revision:
    return revision


def test_a_piece_that_cannot_be_kept_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    piece = ["compose", "--topic", "Why cities flood", "--style", "an explainer, about 120 words"]
    with Strong() as server:
        piece += ["--model", f"{server.url}#strong"]
        whole = run(*piece)
        assert whole.exit_code == 0
        synced = os.fsync
        left = 3

        def filling_up(descriptor: int) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise FULL
            synced(descriptor)

        monkeypatch.setattr(jsonl.os, "fsync", filling_up)
        nobody_asked = run(*piece)
        assert (nobody_asked.exit_code, nobody_asked.stdout) == (0, whole.stdout)
        assert "warning:" in told(nobody_asked)
        left = 3
        asked = run(*piece, "--trace", "kept", "-o", "piece.md")
        assert (asked.exit_code, asked.stdout) == (2, whole.stdout)
        assert "kept/steps.jsonl cannot be written: No space left" in told(asked)
        assert "piece.md cannot be written: no space left" in told(asked)


def test_a_batch_keeps_what_is_finished_when_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "prepare", lambda *_, **__: None)
    monkeypatch.setenv("REDRAFT_CONCURRENCY", "1")
    rows = [{"id": name, "text": DRAFT} for name in "abcd"]
    Path("in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    monkeypatch.setattr("redraft.runs.batch.arevise", _arevise)
    words = ("revise", "--batch", "in.jsonl", "--out", "out.jsonl")
    synced, left = os.fsync, 4

    def filling_up(descriptor: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise FULL
        synced(descriptor)

    monkeypatch.setattr(os, "fsync", filling_up)
    result = run(*words)
    assert result.exit_code == 2
    assert "out.jsonl cannot be written: No space left on device; then go on with --resume" in told(result)
    finished = Path("out.jsonl").read_text(encoding="utf-8")
    assert 0 < len(finished.splitlines()) < 4
    left = 99
    assert run(*words, "--resume").exit_code == 0
    records = [json.loads(line) for line in Path("out.jsonl").read_bytes().splitlines()]
    assert [record["id"] for record in records] == [*"abcd"]
    assert {record["text"] for record in records} == {"half a pair \ud83d here"}
    assert Path("out.jsonl").read_text(encoding="utf-8").startswith(finished)  # and it is UTF-8


async def _arevise(*_: object, **__: object) -> Revision:
    return revised("half a pair \ud83d here")


def test_standard_output_that_cannot_be_written_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(FileError, match="standard output cannot be written: no space left"):
            put("x")
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(FileError, match="standard output is closed"):
        put("x")
