"""A file or a folder for one process alone; the system lets go of it however that process ends.

Not by filelock, as weights are: that would leave a lock file beside every run folder and every log.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from redraft.errors import FileError, InputError

try:
    import fcntl
except ImportError:  # not on Windows, where a file cannot be opened twice for writing anyway
    fcntl = None  # type: ignore[assignment]


def lock(file: int | IO[bytes], path: Path, option: str) -> None:
    """Have an open file until it is closed; InputError where another process has it.

    Some file systems have no locks, or none on folders (NFS): there nobody is kept out.
    """
    if fcntl is None:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
            return
        raise InputError(
            f"another process is writing {path}: wait for it, or choose another {option}"
        ) from None


@contextlib.contextmanager
def held(folder: Path, option: str) -> Iterator[None]:
    """Have a folder, which is made where there is none; nothing is left in it to tell."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = None if fcntl is None else os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise FileError(f"the folder {folder} cannot be made: {error.strerror}") from None
    try:
        if descriptor is not None:
            lock(descriptor, folder, option)
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)
