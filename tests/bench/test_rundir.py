from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from redraft.bench.rundir import RunDir, Writer
from redraft.errors import FileError, InputError


def record(key: str, error: str | None = None) -> dict[str, object]:
    return {"key": key, "output": None if error else "ok", "error": error}


def test_records_come_back_in_order(tmp_path: Path) -> None:
    run = RunDir(tmp_path / "run")
    with Writer(run) as writer:
        for key in "abc":
            writer.append(record(key))
    assert [found["key"] for found in run.records()] == ["a", "b", "c"]


@pytest.mark.parametrize("cut", range(1, 30))
def test_a_line_cut_off_by_a_crash_is_dropped_and_written_over(tmp_path: Path, cut: int) -> None:
    run = RunDir(tmp_path)
    with Writer(run) as writer:
        writer.append(record("a"))
        writer.append(record("b"))
    whole = run.samples.read_bytes()
    run.samples.write_bytes(whole[:-cut])
    assert run.finished() == {"a"}
    with Writer(run) as writer:
        writer.append(record("b"))
    assert run.samples.read_bytes() == whole


def test_a_failed_item_is_not_finished_until_it_succeeds(tmp_path: Path) -> None:
    run = RunDir(tmp_path)
    with Writer(run) as writer:
        writer.append(record("a", error="boom"))
        writer.append(record("b"))
        assert run.finished() == {"b"}
        writer.append(record("a"))
    assert run.finished() == {"a", "b"}
    assert run.latest()["a"]["error"] is None


def test_two_processes_do_not_write_one_run(tmp_path: Path) -> None:
    with (
        Writer(RunDir(tmp_path)),
        pytest.raises(InputError, match="another process"),
        Writer(RunDir(tmp_path)),
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
    with Writer(run) as writer:
        writer.append(record("a"))
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(FileError, match="No space left"):
            writer.append(record("b"))
    assert [found["key"] for found in run.records()] == ["a"]


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no run\.json"):
        RunDir(tmp_path).facts()
