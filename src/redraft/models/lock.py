"""A lock between processes, held while weights are fetched or converted."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from redraft.errors import ModelError
from redraft.text import make_private, private_file

try:
    import fcntl
except ImportError:  # Windows has no fcntl; a file that only one process can create does instead
    fcntl = None  # type: ignore[assignment]

POLL_SECONDS = 0.2
STALE_SECONDS = 1800.0


@contextlib.contextmanager
def locked(path: Path, *, timeout: float, on_wait: Callable[[], None]) -> Iterator[None]:
    """Hold the lock at `path`; calls `on_wait` once if another process holds it."""
    make_private(path.parent)
    acquire = _acquire_file if fcntl is None else _acquire_flock
    deadline = time.monotonic() + timeout
    waited = False
    while (release := acquire(path)) is None:
        if not waited:
            on_wait()
            waited = True
        if time.monotonic() > deadline:
            raise ModelError(
                f"another process has held {path} for {timeout:.0f} seconds",
                hint="end that process, or delete the file if there is none, and try again",
            )
        time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        release()


def _acquire_flock(path: Path) -> Callable[[], None] | None:
    """The kernel drops this lock when its holder dies, however it dies."""
    private_file(path)
    descriptor = os.open(path, os.O_RDWR)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return lambda: os.close(descriptor)


def _acquire_file(path: Path) -> Callable[[], None] | None:
    """A file of a killed holder stays behind; after half an hour it counts as abandoned."""
    marker = path.with_suffix(".held")
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        with contextlib.suppress(FileNotFoundError):
            if time.time() - marker.stat().st_mtime > STALE_SECONDS:
                marker.unlink()
        return None
    return lambda: marker.unlink(missing_ok=True)
