from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.workspace import Store
from tests.workspace.postgres import Postgres, needs_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL; a test that asks for it is marked `needs_postgres`."""
    started = Postgres()
    yield started
    started.close()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=needs_postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        opened = Store(tmp_path / "kept" / "workspace.sqlite3")
    else:
        opened = Store(request.getfixturevalue("postgres").url)
        with opened.transaction() as sql:
            sql.all("TRUNCATE jobs, events, documents, versions, files")
    yield opened
    opened.close()
