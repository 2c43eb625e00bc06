"""A real server on loopback in a thread, with a worker in another; a test may play the models."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from redraft.settings import Settings, load_settings
from redraft.web import Options, Safety, Server, make_app
from redraft.workspace import Limits, Store, Worker, open_store
from tests.by_rule import score_by_rule

PATIENCE_S = 240
"""For a very busy machine: whoever waits, waits for an event."""


def eventually(happened: Callable[[], Any]) -> Any:
    """What comes of something, when it has happened."""
    until = time.monotonic() + PATIENCE_S
    while not (found := happened()):
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.02)
    return found


def settings_in(folder: Path, **more: Any) -> Settings:
    return load_settings({"data_dir": folder / "data", "cache": False, "retries": 0, **more})


class Serving:
    """A server that runs."""

    def __init__(self, options: Options) -> None:
        self.app = make_app(options)
        self.store: Store = self.app.state.served.store
        listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        self._server = Server(self.app)
        self._thread = threading.Thread(target=self._server.serve_at, args=(listening,))
        self._thread.start()
        self.client = httpx2.Client(base_url=self.url, timeout=PATIENCE_S)
        eventually(lambda: self._server.started)

    def close(self) -> None:
        self.client.close()
        self._server.end()
        self._thread.join(PATIENCE_S)

    def post(self, path: str, body: object, **headers: str) -> httpx2.Response:
        return self.client.post(path, json=body, headers=headers)

    def events(self, path: str, body: object | None = None, **headers: str) -> list[tuple[str, str, Any]]:
        """All events of a stream until it ends: id, kind, data."""
        sent = {"Accept": "text/event-stream", **headers}
        method = "GET" if body is None else "POST"
        with self.client.stream(method, path, json=body, headers=sent) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream"), answer.read()
            return list(read_events(answer.iter_lines()))


def read_events(lines: Iterator[str]) -> Iterator[tuple[str, str, Any]]:
    fields: dict[str, str] = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if not line and fields:
            yield fields.get("id", ""), fields["event"], json.loads(fields["data"])
            fields = {}
        elif line:
            name, _, value = line.partition(": ")
            fields[name] = value


@contextmanager
def serving(settings: Settings, **options: Any) -> Iterator[Serving]:
    """A server without workers of its own."""
    limits = options.pop("limits", Limits())
    started = Serving(Options(settings, options.pop("safety", Safety()), workers=0, limits=limits, **options))
    try:
        yield started
    finally:
        started.close()


@contextmanager
def working(settings: Settings, *, by_rule: bool = True) -> Iterator[Worker]:
    """A worker in a thread of this process; with `by_rule`, without the embedded models."""
    store = open_store(settings)
    worker = Worker(store, settings)
    thread = threading.Thread(target=lambda: asyncio.run(worker.run()))
    with pytest.MonkeyPatch.context() as patch:
        if by_rule:
            score_by_rule(patch.setattr)
        thread.start()
        try:
            yield worker
        finally:
            worker.end()
            thread.join(PATIENCE_S)
            store.close()
