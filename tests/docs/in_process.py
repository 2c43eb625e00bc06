"""Shell commands whose `redraft` is this process, so that no command imports, or loads a model, anew.

A shell finds a small program named `redraft`, which hands its words, its folder and its three streams over a
socket to whoever runs the shell, and ends with the status that comes back.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import shlex
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Self

from redraft.cli import app

_CLIENT = """
import json, os, socket, sys
asked = socket.socket(socket.AF_UNIX)
asked.connect(sys.argv[1])
socket.send_fds(asked, [json.dumps([os.getcwd(), sys.argv[2:]]).encode()], [0, 1, 2])
sys.exit(int(asked.recv(16)))
"""


class Shell:
    """A shell that works in a folder; a context, with a folder of its own for what it needs."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._own = tempfile.TemporaryDirectory()  # a socket must have a short name
        own = Path(self._own.name)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(own / "socket"))
        self._socket.listen()
        (own / "client.py").write_text(_CLIENT, encoding="utf-8")
        words = shlex.join([sys.executable, "-IS", str(own / "client.py"), str(own / "socket")])
        (own / "redraft").write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        (own / "redraft").chmod(0o700)
        self._environment = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}"}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._own.cleanup()

    def run(self, script: str) -> tuple[int, str]:
        """The status of a script, and all that it printed."""
        process = subprocess.Popen(
            ["bash", "-c", script], cwd=self._folder, env=self._environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert process.stdout is not None
        printed = b""
        while True:
            ready, _, _ = select.select([self._socket, process.stdout], [], [])
            if process.stdout in ready:
                piece = os.read(process.stdout.fileno(), 1 << 16)
                printed += piece
                if not piece:
                    break
            if self._socket in ready:
                self._answer()
        process.stdout.close()
        return process.wait(), printed.decode("utf-8")

    def _answer(self) -> None:
        asked, _ = self._socket.accept()
        with asked:
            message, streams, _, _ = socket.recv_fds(asked, 1 << 16, 3)
            folder, words = json.loads(message)
            asked.send(str(_redraft(folder, words, streams)).encode())


def _redraft(folder: str, words: list[str], streams: list[int]) -> int:
    own = sys.stdin, sys.stdout, sys.stderr
    status = 0
    # A reader such as `head` may have gone before the last flush.
    with contextlib.suppress(BrokenPipeError), contextlib.ExitStack() as opened, contextlib.chdir(folder):
        sys.stdin, sys.stdout, sys.stderr = (
            opened.enter_context(open(stream, mode, buffering=1, encoding="utf-8"))
            for stream, mode in zip(streams, "rww", strict=True)
        )
        try:
            app(words, prog_name="redraft")
        except SystemExit as end:
            status = int(end.code or 0)
        finally:
            sys.stdin, sys.stdout, sys.stderr = own
    return status
