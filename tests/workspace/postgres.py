"""A PostgreSQL of the tests' own, at a socket in a temporary folder; it can be stopped and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

_PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if os.name == "posix" else []
_FOLDER = _PROGRAMS[-1] if _PROGRAMS else None if shutil.which("initdb") is None else Path()
needs_postgres = pytest.mark.skipif(_FOLDER is None, reason="needs PostgreSQL: apt-get install postgresql")


def _ordinary_user() -> str | None:
    """Who runs it: it refuses to be run by root."""
    if os.geteuid() != 0:
        return None
    names = {one.pw_name for one in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class Postgres:
    """The server."""

    def __init__(self) -> None:
        self._user = _ordinary_user()
        self._folder = Path(tempfile.mkdtemp(prefix="redraft-pg-"))
        if self._user:
            shutil.chown(self._folder, self._user)
        self._run("initdb", "-D", str(self._folder / "data"), "-U", "redraft", "-A", "trust", "--no-sync")
        self.url = f"postgresql://redraft@/postgres?host={self._folder}"
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = f"-c listen_addresses='' -c fsync=off -k {self._folder}"
        log = str(self._folder / "log")
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-l", log, "-o", options, "-w", "start")

    def stop(self) -> None:
        """Stop it as if it were killed."""
        self._run("pg_ctl", "-D", str(self._folder / "data"), "-m", "immediate", "-w", "stop")

    def close(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    def _run(self, program: str, *words: str) -> None:
        assert _FOLDER is not None
        done = subprocess.run(
            [str(_FOLDER / program), *words],
            user=self._user,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if program == "initdb" else subprocess.DEVNULL,
            stderr=subprocess.STDOUT,
            check=False,
        )
        assert done.returncode == 0, (done.stdout or (self._folder / "log").read_bytes()).decode()
