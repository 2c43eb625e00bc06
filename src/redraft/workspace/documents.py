"""Documents that people work on, with their history: every change is a version that can be read again."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from redraft.errors import InputError, NotFound, Stale
from redraft.text import Format
from redraft.workspace.store import (
    Connection,
    Row,
    Store,
    date,
    from_json,
    new_id,
    now,
    to_json,
    without_none,
)

MOST_STATE: Final = 1024 * 1024
"""Bytes of what a page keeps of its own beside a document."""
MOST_VERSIONS: Final = 1000
"""Versions of a document that are kept; the first one, and the newest."""
_LONGEST_TITLE: Final = 80
_A_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class Content:
    """What a version of a document has."""

    title: str = ""
    format: Format = "text"
    original: str = ""
    text: str = ""
    instruction: str = ""
    calls: tuple[str, ...] = ()
    locked: tuple[int, ...] = ()
    """The sentences that stay as they are, by their numbers in the original."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """The page's own."""
    file: str | None = None
    """The id of the file that it was opened from, which is exported with its formatting."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A document as it is kept: its content, which version that is, and the job that was started last."""

    id: str
    content: Content
    version: int
    created: float
    updated: float
    job: str | None = None

    def to_dict(self, *, whole: bool = True) -> dict[str, Any]:
        """Ready for JSON; in a list, without its texts and the page's state."""
        told = asdict(self.content)
        if not whole:
            told = {"title": told["title"], "format": told["format"]}
        dates = {"created": date(self.created), "updated": date(self.updated)}
        return without_none({"id": self.id, **told, "job": self.job, "version": self.version, **dates})


def add_document(store: Store, content: Content) -> Kept:
    """Keep a new document, as its first version."""
    title = content.title.strip() or _title_of(content.text)
    content = _checked(replace(content, title=title, original=content.original or content.text))
    with store.transaction() as sql:
        id, moment = new_id(), now()
        sql.all(
            "INSERT INTO documents VALUES (?, ?, NULL, 1, ?, ?)",
            id,
            to_json(asdict(content)),
            moment,
            moment,
        )
        _keep_version(sql, id, 1, "opened", content, moment)
        return Kept(id, content, 1, moment, moment)


def get_document(store: Store, id: str) -> Kept:
    """A document; NotFound where there is none."""
    with store.reading() as sql:
        return _found(sql, id)


def list_documents(store: Store, limit: int = 50, after: str | None = None) -> list[Kept]:
    """Documents, those changed last first, from the one after that with the id `after`."""
    with store.reading() as sql:
        return [_kept(row) for row in sql.page("documents", "updated", limit, after)]


def change_document(store: Store, id: str, version: int, changes: Mapping[str, Any], note: str = "") -> Kept:
    """A new version with some of its content changed; Stale where `version` is not the current one.

    What changes nothing makes no version.
    """
    with store.transaction() as sql:
        # Of two who write at once, the second waits here, and then finds another version.
        sql.all("UPDATE documents SET version = version WHERE id = ?", id)
        found = _found(sql, id)
        if found.version != version:
            raise Stale(f"the document is at version {found.version}, not {version}", found.to_dict())
        content = _checked(replace(found.content, **changes))
        if content == found.content:
            return found
        moment = now()
        sql.all(
            "UPDATE documents SET content = ?, version = ?, updated = ? WHERE id = ?",
            to_json(asdict(content)),
            version + 1,
            moment,
            id,
        )
        _keep_version(sql, id, version + 1, note, content, moment)
        return Kept(id, content, version + 1, found.created, moment, found.job)


def delete_document(store: Store, id: str) -> None:
    """Delete a document, its history, and the file that it was opened from."""
    with store.transaction() as sql:
        found = _found(sql, id)
        sql.all("DELETE FROM versions WHERE document = ?", id)
        sql.all("DELETE FROM documents WHERE id = ?", id)
        sql.all("UPDATE jobs SET document = NULL WHERE document = ?", id)
        file = found.content.file
        others = "SELECT id FROM documents WHERE content LIKE ?"
        if file is not None and sql.one(others, f'%"{file}"%') is None:
            sql.all("DELETE FROM files WHERE id = ?", file)


def list_versions(store: Store, id: str, limit: int = 50, after: int | None = None) -> list[dict[str, Any]]:
    """The versions of a document, the newest first, without their texts."""
    with store.reading() as sql:
        _found(sql, id)
        rows = sql.all(
            "SELECT version, note, created FROM versions WHERE document = ? AND version < ?"
            " ORDER BY version DESC LIMIT ?",
            id,
            after if after is not None else 1 << 60,
            limit,
        )
        return [_version(row) for row in rows]


def get_version(store: Store, id: str, version: int) -> dict[str, Any]:
    """A version of a document as it was."""
    with store.reading() as sql:
        row = sql.one("SELECT * FROM versions WHERE document = ? AND version = ?", id, version)
    if row is None:
        raise NotFound(f"there is no version {version} of a document {id!r}")
    return {**from_json(zlib.decompress(bytes(row["content"])).decode()), **_version(row)}


def document_state(store: Store, id: str) -> tuple[int, str | None, str | None]:
    """What another page looks at: the version, the job, and the state of that."""
    with store.reading() as sql:
        row = sql.one(
            "SELECT documents.version, documents.job, jobs.state FROM documents"
            " LEFT JOIN jobs ON jobs.id = documents.job WHERE documents.id = ?",
            id,
        )
    if row is None:
        raise _none(id)
    return int(row["version"]), row["job"], row["state"]


def add_file(store: Store, name: str, content: bytes) -> str:
    """Keep a file, for a document that is opened from it; its id."""
    with store.transaction() as sql:
        id = new_id()
        sql.all("INSERT INTO files VALUES (?, ?, ?, ?)", id, to_json(name), content, now())
        return id


def get_file(store: Store, id: str) -> tuple[str, bytes]:
    """The name and the content of a file."""
    with store.reading() as sql:
        row = sql.one("SELECT * FROM files WHERE id = ?", id)
    if row is None:
        raise NotFound(f"there is no file {id!r}")
    return from_json(row["name"]), bytes(row["content"])


def delete_old_files(store: Store) -> None:
    """Delete the files of no document that were opened more than a day ago."""
    with store.transaction() as sql:
        for row in sql.all("SELECT id FROM files WHERE created < ?", now() - _A_DAY_S):
            used = f'%"file":"{row["id"]}"%'
            if sql.one("SELECT id FROM documents WHERE content LIKE ?", used) is None:
                sql.all("DELETE FROM files WHERE id = ?", row["id"])


def _checked(content: Content) -> Content:
    try:
        size = len(json.dumps(content.state, allow_nan=False, ensure_ascii=False).encode())
    except (ValueError, RecursionError):  # half a surrogate pair, or no number
        raise InputError("the state of a page cannot be written as JSON") from None
    if size > MOST_STATE:
        raise InputError(f"the state of a page may have {MOST_STATE:,} bytes as JSON, not more")
    return replace(content, calls=tuple(content.calls), locked=tuple(content.locked))


def _title_of(text: str) -> str:
    """The first words of a text."""
    first = next((" ".join(line.lstrip("#> ").split()) for line in text.splitlines() if line.strip()), "")
    return first if len(first) <= _LONGEST_TITLE else f"{first[:_LONGEST_TITLE].rstrip()}…"


def _keep_version(sql: Connection, id: str, version: int, note: str, content: Content, moment: float) -> None:
    kept = {name: value for name, value in asdict(content).items() if name != "state"}
    sql.all(
        "INSERT INTO versions VALUES (?, ?, ?, ?, ?)",
        id,
        version,
        to_json(note),
        zlib.compress(to_json(kept).encode()),
        moment,
    )
    sql.all(
        "DELETE FROM versions WHERE document = ? AND version > 1 AND version <= ?",
        id,
        version - MOST_VERSIONS,
    )


def _version(row: Row) -> dict[str, Any]:
    return {
        "version": int(row["version"]),
        "note": from_json(row["note"]),
        "created": date(row["created"]),
    }


def _found(sql: Connection, id: str) -> Kept:
    row = sql.one("SELECT * FROM documents WHERE id = ?", id)
    if row is None:
        raise _none(id)
    return _kept(row)


def _none(id: str) -> NotFound:
    return NotFound(f"there is no document {id!r}")


def _kept(row: Row) -> Kept:
    content = from_json(row["content"])
    content |= {"calls": tuple(content["calls"]), "locked": tuple(content["locked"])}
    return Kept(
        row["id"], Content(**content), int(row["version"]), row["created"], row["updated"], row["job"]
    )
