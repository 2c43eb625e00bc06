"""`redraft` in a process of its own, without the seconds that Python takes to import it.

A real process, for what only one shows: what a signal does, what a kill leaves. It is forked from one that has
imported the commands already and has done nothing else.
"""

from __future__ import annotations

import atexit
import contextlib
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from redraft.cli import main
from tests.by_rule import score_by_rule

_PATIENCE_S = 240
"""For a very busy machine: whoever waits, waits for an event, and so long only where it never comes."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.process", "tests.ready"])


class Started:
    """A `redraft` that runs; with `by_rule`, texts are scored by rule and not by the embedded models."""

    def __init__(self, *words: str, env: Mapping[str, str] | None = None, by_rule: bool = False) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="redraft-test-"))
        for name in ("out", "err"):
            (self._folder / name).touch()
        environment = {**os.environ, **(env or {})}
        self._process = _context.Process(
            target=_run, args=(words, environment, os.getcwd(), self._folder, by_rule)
        )
        self._process.start()

    def wait_for(self, happened: Callable[[], object]) -> None:
        """Wait until something has happened; it must, before the process ends."""
        until = time.monotonic() + _PATIENCE_S
        while not happened():
            assert self._process.is_alive(), f"it ended too early: {self.ended()}"
            assert time.monotonic() < until, "it never happened"
            time.sleep(0.01)

    def said(self) -> str:
        """What it has said so far beside what it printed."""
        return (self._folder / "err").read_text(encoding="utf-8")

    def send(self, signal: int) -> None:
        """Send it a signal, unless it has ended."""
        assert self._process.pid is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal)

    def ended(self) -> tuple[int | None, str, str]:
        """Wait for its end: its status, what it printed, and what it said beside that."""
        self._process.join(_PATIENCE_S)
        printed, told = ((self._folder / name).read_text(encoding="utf-8") for name in ("out", "err"))
        shutil.rmtree(self._folder)
        return self._process.exitcode, printed, told


def _run(words: tuple[str, ...], env: Mapping[str, str], cwd: str, folder: Path, by_rule: bool) -> None:
    for number, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(folder / name, os.O_WRONLY), number)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.argv = ["redraft", *words]
    if by_rule:
        score_by_rule()
    try:
        main()
    finally:
        atexit._run_exitfuncs()  # a forked process leaves without them
