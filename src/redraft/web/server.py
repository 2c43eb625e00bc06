"""The server: uvicorn, which does not wait for those who listen to events when it is told to end."""

from __future__ import annotations

import socket
from types import FrameType

import uvicorn
from fastapi import FastAPI

_GOODBYE_S = 5
"""How long it waits for requests under way."""


class Server(uvicorn.Server):
    """Serves an app; paths and texts are not logged."""

    def __init__(self, app: FastAPI) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GOODBYE_S,
            )
        )
        self._closing = app.state.served.closing

    def end(self) -> None:
        """Have it end; from any thread."""
        self._closing.set()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End at a signal."""
        self._closing.set()
        super().handle_exit(sig, frame)

    def serve_at(self, listening: socket.socket) -> None:
        """Serve at a socket until the end."""
        # Answers go out in two pieces: else the second waits 40 ms, until the first is said to have come.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.run(sockets=[listening])
