"""The database: SQLite in the user's data folder, or PostgreSQL where many share the work.

The SQL is the same for both, but for the marks of its parameters, the name of the type for bytes, and how a
transaction begins. Transactions are short: nobody waits for a model inside one.
"""

from __future__ import annotations

import contextlib
import json
import secrets
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from redraft.errors import FileError, MissingExtra, SettingsError, StoreFailed
from redraft.settings import Settings
from redraft.text import private_file, private_folder

Row = dict[str, Any]

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, client TEXT NOT NULL, document TEXT,
    request TEXT NOT NULL, result TEXT, problem TEXT, progress TEXT NOT NULL, events BIGINT NOT NULL,
    tries BIGINT NOT NULL, stop BIGINT NOT NULL, worker TEXT, lease DOUBLE PRECISION,
    idempotency TEXT, created DOUBLE PRECISION NOT NULL, started DOUBLE PRECISION, ended DOUBLE PRECISION);
CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (state, created);
CREATE UNIQUE INDEX IF NOT EXISTS jobs_by_key ON jobs (idempotency);
CREATE TABLE IF NOT EXISTS events (
    job TEXT NOT NULL, number BIGINT NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL,
    PRIMARY KEY (job, number));
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY, content TEXT NOT NULL, job TEXT, version BIGINT NOT NULL,
    created DOUBLE PRECISION NOT NULL, updated DOUBLE PRECISION NOT NULL);
CREATE INDEX IF NOT EXISTS documents_by_date ON documents (updated);
CREATE TABLE IF NOT EXISTS versions (
    document TEXT NOT NULL, version BIGINT NOT NULL, note TEXT NOT NULL, content BLOB NOT NULL,
    created DOUBLE PRECISION NOT NULL, PRIMARY KEY (document, version));
CREATE TABLE IF NOT EXISTS files (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, content BLOB NOT NULL, created DOUBLE PRECISION NOT NULL)
"""
_KEPT_OPEN: Final = 8
"""Connections that wait for the next who needs one."""
_BUSY_S: Final = 30.0
"""How long a transaction waits for others that write to SQLite."""


class Connection:
    """One connection, within one transaction."""

    def __init__(self, raw: Any, postgres: bool) -> None:
        self.raw = raw
        self._postgres = postgres

    def all(self, sql: str, *values: Any) -> list[Row]:
        """The rows of a statement."""
        cursor = self.raw.execute(sql.replace("?", "%s") if self._postgres else sql, values)
        if cursor.description is None:
            return []
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def one(self, sql: str, *values: Any) -> Row | None:
        """The first row, if there is one."""
        rows = self.all(sql, *values)
        return rows[0] if rows else None

    def page(self, table: str, moment: str, limit: int, after: str | None) -> list[Row]:
        """Rows of a table, the latest `moment` first, from the one after that with the id `after`."""
        within = f"WHERE ({moment}, id) < (SELECT {moment}, id FROM {table} WHERE id = ?)" if after else ""
        sql = f"SELECT * FROM {table} {within} ORDER BY {moment} DESC, id DESC LIMIT ?"
        return self.all(sql, *([after] if after else []), limit)

    def count(self, sql: str, *values: Any) -> int:
        """The number that a statement selects."""
        row = self.one(sql, *values)
        return 0 if row is None else int(next(iter(row.values())))


class Store:
    """The database of documents and jobs; its methods may be called from any thread."""

    def __init__(self, place: Path | str) -> None:
        """`place` is a file for SQLite, or an address postgresql://…"""
        self._postgres = isinstance(place, str)
        self._place = place
        self._free: list[Any] = []
        self._lock = threading.Lock()
        if isinstance(place, Path):
            try:
                private_folder(place.parent, (place.name,))
                private_file(place)
            except OSError as error:
                raise FileError(f"{place} cannot be used: {error.strerror or error}") from None
        with self.transaction() as sql:
            if self._postgres:  # two servers that start at once would both make the tables
                sql.all("SELECT pg_advisory_xact_lock(727374)")
            schema = _SCHEMA.replace("BLOB", "BYTEA") if self._postgres else _SCHEMA
            for statement in schema.split(";"):
                sql.all(statement)

    def transaction(self) -> contextlib.AbstractContextManager[Connection]:
        """A transaction: all that is done in it, or nothing; StoreFailed where the database is away."""
        return self._within("BEGIN" if self._postgres else "BEGIN IMMEDIATE")

    def reading(self) -> contextlib.AbstractContextManager[Connection]:
        """The same for reading alone, which waits for nobody."""
        return self._within("BEGIN")

    @contextlib.contextmanager
    def _within(self, begin: str) -> Iterator[Connection]:
        raw = None
        try:
            with self._lock:
                raw = self._free.pop() if self._free else None
            raw = raw or self._connect()
            raw.execute(begin)
            yield Connection(raw, self._postgres)
            raw.execute("COMMIT")
        except _failures() as error:
            if raw is not None:
                raw.close()
            self.close()  # the others may be broken likewise
            raise StoreFailed(f"the database does not answer: {_first_line(error)}") from error
        except BaseException:
            if raw is not None:
                with contextlib.suppress(Exception):
                    raw.execute("ROLLBACK")
                self._put_back(raw)
            raise
        self._put_back(raw)

    def close(self) -> None:
        """Close all connections."""
        with self._lock:
            free, self._free = self._free, []
        for raw in free:
            raw.close()

    def _connect(self) -> Any:
        if not self._postgres:
            raw = sqlite3.connect(self._place, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            raw.execute("PRAGMA journal_mode = WAL")
            raw.execute("PRAGMA synchronous = NORMAL")
            return raw
        return _psycopg().connect(self._place, autocommit=True, connect_timeout=5)

    def _put_back(self, raw: Any) -> None:
        with self._lock:
            if len(self._free) < _KEPT_OPEN:
                self._free.append(raw)
                return
        raw.close()


def open_store(settings: Settings) -> Store:
    """The database that the settings name."""
    if settings.database_url is None:
        return Store(settings.data_dir / "workspace.sqlite3")
    url = settings.database_url.get_secret_value()
    if not url.startswith(("postgresql://", "postgres://")):
        raise SettingsError("database_url begins with postgresql://; without it, SQLite is used")
    return Store(url)


def _psycopg() -> Any:
    try:
        import psycopg  # noqa: PLC0415  few need it
    except ImportError:
        raise MissingExtra("a PostgreSQL database", "postgres") from None
    return psycopg


def _failures() -> tuple[type[Exception], ...]:
    """What the libraries raise where the database is at fault, and not the statement."""
    psycopg = sys.modules.get("psycopg")
    theirs = (psycopg.OperationalError, psycopg.InterfaceError) if psycopg else ()
    return (sqlite3.OperationalError, *theirs)


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def new_id() -> str:
    """A random id that can stand in an address."""
    return secrets.token_urlsafe(12)


def to_json(value: object) -> str:
    """As it is kept: in ASCII, so that any character can be."""
    return json.dumps(value, separators=(",", ":"))


def from_json(text: str | None) -> Any:
    """What was kept; None where nothing was."""
    return None if text is None else json.loads(text)


def now() -> float:
    """The seconds since 1970."""
    return time.time()


def date(seconds: float | None) -> str | None:
    """A moment as people and programs read it: ISO 8601, UTC."""
    if seconds is None:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    """Only what there is."""
    return {name: value for name, value in values.items() if value is not None}
