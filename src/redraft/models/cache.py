"""Answers kept on disk, in one SQLite file that processes share.

It holds users' texts: only its owner may read it. Losing it costs time, never a run: whatever is wrong with
the file or the folder ends in a warning.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from redraft.settings import Settings
from redraft.text import private_file, private_folder

FILE_NAME = "answers.sqlite"
BUSY_SECONDS = 10.0
DAY = 86400.0
EVICT_TO = 0.8
"""Share of the size limit that is left after an eviction, so that the next one is not due at once."""

KEPT = (FILE_NAME, "weights", "compose", "reliability.")
"""How all begins that is kept in the cache folder."""

_SIDES = ("-wal", "-shm")
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BATCH = 500
_EVICT_EVERY = 1000
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
    key TEXT PRIMARY KEY, kind TEXT NOT NULL, value BLOB NOT NULL, created REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entries_by_age ON entries (created);
"""

T = TypeVar("T")


class CacheWarning(UserWarning):
    """The cache is damaged or cannot be used; work goes on without it."""


@dataclass(frozen=True, slots=True)
class CacheInfo:
    """What the cache holds; `entries` counts by kind (completion, log_probs, embedding, …).

    `set_aside` are damaged files of earlier: they may still hold texts.
    """

    path: Path | None
    entries: Mapping[str, int]
    bytes: int
    oldest: float | None
    set_aside: tuple[Path, ...] = ()


class Cache(Protocol):
    """Values by key; a value that was put may be gone later, and never changes."""

    def get(self, keys: Sequence[str]) -> dict[str, bytes]: ...

    def put(self, kind: str, values: Mapping[str, bytes]) -> None: ...

    def forget(self, keys: Sequence[str]) -> None: ...

    def info(self) -> CacheInfo: ...

    def clear(self) -> int: ...

    def close(self) -> None: ...


def cache_key(kind: str, identity: str, content: Any) -> str:
    """The key of an answer: everything that decides it, hashed."""
    whole = json.dumps([kind, identity, content], sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(whole.encode("ascii")).hexdigest()


def open_cache(settings: Settings) -> Cache:
    """The cache that the settings ask for; without a usable folder, none, and a warning."""
    if not settings.cache:
        return NullCache()
    return DiskCache(
        settings.cache_dir / FILE_NAME,
        max_bytes=int(settings.cache_max_mb * 1e6),
        max_seconds=settings.cache_max_days * DAY,
    )


class NullCache:
    """Keeps nothing (`--no-cache`)."""

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        return {}

    def put(self, kind: str, values: Mapping[str, bytes]) -> None:
        return

    def forget(self, keys: Sequence[str]) -> None:
        return

    def info(self) -> CacheInfo:
        return CacheInfo(None, {}, 0, None)

    def clear(self) -> int:
        return 0

    def close(self) -> None:
        return


class DiskCache:
    """A Cache in a SQLite file. Each `put` is a transaction: whole after a crash, or never there."""

    def __init__(self, path: Path, *, max_bytes: int, max_seconds: float) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._max_seconds = max_seconds
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._puts = 0
        self._complained = False
        self._attempt(self._evict, None)

    def get(self, keys: Sequence[str]) -> dict[str, bytes]:
        oldest = time.time() - self._max_seconds

        def read(connection: sqlite3.Connection) -> dict[str, bytes]:
            found: dict[str, bytes] = {}
            for start in range(0, len(keys), _BATCH):
                batch = keys[start : start + _BATCH]
                marks = ",".join("?" * len(batch))
                found.update(
                    connection.execute(
                        "SELECT key, CAST(value AS BLOB) FROM entries"
                        f" WHERE created > ? AND key IN ({marks})",
                        (oldest, *batch),
                    )
                )
            return found

        return self._attempt(read, {})

    def put(self, kind: str, values: Mapping[str, bytes]) -> None:
        now = time.time()

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany(
                    "INSERT OR IGNORE INTO entries VALUES (?, ?, ?, ?)",
                    [(key, kind, value, now) for key, value in values.items()],
                )

        self._attempt(write, None)
        self._puts += 1
        if self._puts % _EVICT_EVERY == 0:
            self._attempt(self._evict, None)

    def forget(self, keys: Sequence[str]) -> None:
        def delete(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany("DELETE FROM entries WHERE key = ?", [(key,) for key in keys])

        self._attempt(delete, None)

    def info(self) -> CacheInfo:
        def read(connection: sqlite3.Connection) -> CacheInfo:
            counts = dict(connection.execute("SELECT kind, count(*) FROM entries GROUP BY kind"))
            (oldest,) = connection.execute("SELECT min(created) FROM entries").fetchone()
            return CacheInfo(self.path, counts, _used_bytes(connection), oldest, self._aside())

        return self._attempt(read, CacheInfo(self.path, {}, 0, None))

    def clear(self) -> int:
        def delete(connection: sqlite3.Connection) -> int:
            with connection:
                count = connection.execute("DELETE FROM entries").rowcount
            # The pages still hold the texts until they are given back.
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            for file in self._aside():
                file.unlink(missing_ok=True)
            return int(count)

        return self._attempt(delete, 0)

    def _aside(self) -> tuple[Path, ...]:
        return tuple(sorted(self.path.parent.glob(f"{self.path.name}.damaged-*")))

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _evict(self, connection: sqlite3.Connection) -> None:
        """Drop what is too old, then the oldest until the rest fits."""
        with connection:
            connection.execute("DELETE FROM entries WHERE created <= ?", (time.time() - self._max_seconds,))
        while _used_bytes(connection) > self._max_bytes:
            (count,) = connection.execute("SELECT count(*) FROM entries").fetchone()
            share = 1 - EVICT_TO * self._max_bytes / _used_bytes(connection)
            if not count:
                return
            with connection:
                connection.execute(
                    "DELETE FROM entries WHERE key IN (SELECT key FROM entries ORDER BY created LIMIT ?)",
                    (max(1, int(count * share)),),
                )

    def _attempt(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Do some work on the file; if it is damaged set it aside and begin anew, if it fails go without."""
        with self._lock:
            for retry in (True, False):
                try:
                    if self._connection is None:
                        self._connection = self._connect()
                    return work(self._connection)
                except (sqlite3.Error, OSError) as error:
                    damaged = isinstance(error, sqlite3.DatabaseError) and (
                        getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
                    )
                    if damaged and retry:
                        self._set_aside()
                        continue
                    if not self._complained:
                        self._complained = True
                        self._warn(
                            f"the answer cache {self.path} cannot be used ({error}); going on without it"
                        )
                    return otherwise
        return otherwise

    def _connect(self) -> sqlite3.Connection:
        private_folder(self.path.parent, KEPT)
        # SQLite gives its side files the mode of the main file; those that are there may be older than that.
        private_file(self.path)
        for side in (self.path.with_name(self.path.name + suffix) for suffix in _SIDES):
            if os.path.lexists(side):
                private_file(side)
        connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.executescript(_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _set_aside(self) -> None:
        """Rename the damaged file, unless another process has already put a sound one in its place."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        try:
            probe = sqlite3.connect(self.path, timeout=BUSY_SECONDS)
            try:
                if probe.execute("PRAGMA quick_check").fetchone() == ("ok",):
                    return
            finally:
                probe.close()
        except sqlite3.Error:
            pass
        aside = self.path.with_name(f"{self.path.name}.damaged-{time.strftime('%Y%m%d-%H%M%S')}")
        with contextlib.suppress(OSError):
            os.replace(self.path, aside)
            for suffix in _SIDES:
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
        self._warn(f"the answer cache was damaged; it is kept as {aside} and a new one begun")

    def _warn(self, message: str) -> None:
        warnings.warn(message, CacheWarning, stacklevel=4)


def _used_bytes(connection: sqlite3.Connection) -> int:
    """Bytes of the file that hold something: pages freed by a deletion are reused, not given back."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (free,) = connection.execute("PRAGMA freelist_count").fetchone()
    (size,) = connection.execute("PRAGMA page_size").fetchone()
    return int((pages - free) * size)
