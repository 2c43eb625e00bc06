from __future__ import annotations

import asyncio
import errno
import os
import time
from pathlib import Path

import pytest

from redraft.errors import FileError, InputError
from redraft.runs import runner
from redraft.runs.results import RunDir
from redraft.text.jsonl import Appender


def append(run: RunDir, *records: dict[str, object]) -> None:
    async def work() -> None:
        with Appender(run.results.path) as writer:
            for found in records:
                await writer.append(found)

    asyncio.run(work())


def record(key: str, error: str | None = None) -> dict[str, object]:
    return {"key": key, "output": None if error else "ok", "error": error}


def test_records_come_back_in_order(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "run")
    append(run, *map(record, "abc"))
    assert [found["key"] for found in run.records()] == ["a", "b", "c"]


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_line_cut_off_by_a_crash_is_dropped_and_written_over(tmp_path: Path, cut: int) -> None:
    run = RunDir(tmp_path)
    append(run, record("a"), record("b"))
    whole = run.samples.read_bytes()
    run.samples.write_bytes(whole[:-cut])
    assert run.finished() == {"a"}
    append(run, record("b"))
    assert run.samples.read_bytes() == whole


def test_a_failed_item_is_not_finished_until_it_succeeds(tmp_path: Path) -> None:
    run = RunDir(tmp_path)
    append(run, record("a", error="boom"), record("b"))
    assert run.finished() == {"b"}
    append(run, record("a"))
    assert run.finished() == {"a", "b"}
    assert run.latest()["a"]["error"] is None


def test_two_processes_do_not_write_one_run(tmp_path: Path) -> None:
    with (
        Appender(RunDir(tmp_path).results.path),
        pytest.raises(InputError, match="another process"),
        Appender(RunDir(tmp_path).results.path),
    ):
        pass


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    run = RunDir(tmp_path)
    run.samples.write_text('{"key": "a", "error": null}\nnot json\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2"):
        list(run.records())


def test_a_full_disk_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    run = RunDir(tmp_path)
    append(run, record("a"))
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileError, match="No space left"):
        append(run, record("b"))
    assert [found["key"] for found in run.records()] == ["a"]


def test_records_that_wait_at_once_share_a_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    sync = os.fsync

    def slow(file: int) -> None:
        while run.samples.read_bytes().count(b"\n") < 500:
            time.sleep(0.01)
        sync(file)
        sizes.append(os.fstat(file).st_size)

    run = RunDir(tmp_path)
    monkeypatch.setattr(os, "fsync", slow)

    async def work() -> None:
        with Appender(run.results.path) as writer:

            async def one(key: int) -> None:
                await writer.append(record(str(key)))
                line = run.samples.read_text(encoding="utf-8").index(f'"key": "{key}"')
                assert sizes[-1] > line  # it was there when the last sync that ended began

            await asyncio.gather(*map(one, range(500)))

    asyncio.run(work())
    assert len(list(run.records())) == 500
    assert len(sizes) <= 3


def test_a_disk_that_fails_fails_all_that_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([OSError(errno.EIO, "broken"), None, None])

    def fails_once(_: int) -> None:
        if error := next(answers):
            raise error

    monkeypatch.setattr(os, "fsync", fails_once)
    run = RunDir(tmp_path)

    async def work() -> list[object]:
        with Appender(run.results.path) as writer:
            waiting = (writer.append(record(key)) for key in "abc")
            return list(await asyncio.gather(*waiting, return_exceptions=True))

    assert [type(found) for found in asyncio.run(work())] == [FileError] * 3
    assert not list(run.records())


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no run\.json"):
        RunDir(tmp_path).facts()


def test_the_repository_around_an_installation_is_not_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.setattr(runner, "__file__", str(tmp_path / "env" / "lib" / "redraft" / "bench" / "runner.py"))
    monkeypatch.setattr(runner.subprocess, "run", lambda *_, **__: pytest.fail("git was run"))
    assert runner._git_state() is None
