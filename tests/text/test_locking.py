"""A folder or a file is one process's alone, where the file system knows how."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from redraft.errors import FileError, InputError
from redraft.text.files import lock_folder
from redraft.text.jsonl import Appender

fcntl = pytest.importorskip("fcntl")


def test_a_folder_is_had_once(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    refused = pytest.raises(InputError, match=r"another process .* another --trace")
    with lock_folder(folder, "--out"), refused, lock_folder(folder, "--trace"):
        pass
    with lock_folder(folder, "--out"):
        pass
    assert list(folder.iterdir()) == []
    (folder / "file").touch()
    with pytest.raises(FileError, match="cannot be made"), lock_folder(folder / "file", "--out"):
        pass


@pytest.mark.parametrize("number", [errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP])
def test_where_there_are_no_locks_nobody_is_kept_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(number, "there are no locks here")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with lock_folder(tmp_path, "--out"), Appender(tmp_path / "samples.jsonl"):
        pass
