"""A service that answers as a test tells it to, and a model that does."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from redraft.models import Completion, Request
from redraft.models.base import Finish

Answer = Callable[["Handler", dict[str, Any]], None]


class ScriptedServer:
    """Plays its answers one after another, the last for ever; `requests` are the bodies it got."""

    def __init__(self) -> None:
        self.answers: list[Answer] = [say("ok")]
        self.listed: object = {"object": "list", "data": [{"id": "tiny", "object": "model"}]}
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self._at_work: set[Handler] = set()
        self._lock = threading.Lock()
        self.stopping = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.scripted = self  # type: ignore[attr-defined]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def play(self, handler: Handler, body: dict[str, Any]) -> None:
        with self._lock:
            self.requests.append(body)
            self.keys.append(handler.headers.get("Authorization", ""))
            self.headers.append({name.lower(): value for name, value in handler.headers.items()})
            answer = self.answers[min(len(self.requests), len(self.answers)) - 1]
            self._at_work.add(handler)
            self.most_at_once = max(self.most_at_once, len(self._at_work))
        try:
            answer(handler, body)
        finally:
            self.leave(handler)

    def leave(self, handler: Handler) -> None:
        """A request is at work until its answer is on its way: whoever has that may ask the next at once."""
        with self._lock:
            self._at_work.discard(handler)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.scripted.play(self, body)  # type: ignore[attr-defined]

    def do_GET(self) -> None:
        reply(self, 200, self.server.scripted.listed)  # type: ignore[attr-defined]

    def log_message(self, *_: object) -> None:
        return


def reply(handler: Handler, status: int, body: object, headers: dict[str, str] | None = None) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    if isinstance(found := getattr(handler.server, "scripted", None), ScriptedServer):
        found.leave(handler)
    handler.send_response(status)
    for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def say(*texts: str, wait: float = 0.0, finish: str = "stop", **fields: object) -> Answer:
    def answer(handler: Handler, body: dict[str, Any]) -> None:
        handler.server.scripted.stopping.wait(wait)  # type: ignore[attr-defined]
        choices = [
            {
                "index": i,
                "finish_reason": finish,
                "message": {"role": "assistant", "content": text, **fields},
            }
            for i, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 10, "completion_tokens": 5 * len(texts), "total_tokens": 15}
        reply(
            handler,
            200,
            {
                "id": "x",
                "object": "chat.completion",
                "created": 0,
                "model": "tiny",
                "choices": choices,
                "usage": usage,
            },
        )

    return answer


def fail(status: int, message: str = "no", *, headers: dict[str, str] | None = None, **fields: str) -> Answer:
    return lambda handler, _: reply(
        handler, status, {"error": {"message": message, "type": "error", **fields}}, headers
    )


def raw(body: bytes, content_type: str = "application/json", status: int = 200) -> Answer:
    return lambda handler, _: reply(handler, status, body, {"Content-Type": content_type})


def hang(handler: Handler, _: dict[str, Any]) -> None:
    handler.server.scripted.stopping.wait()  # type: ignore[attr-defined]


def die_half_way(handler: Handler, _: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "x", "choices": [')


class FakeModel:
    """A Model that says what it was given, and remembers what it was asked; its first answer ended by `finish`."""

    spec = "fake"

    def __init__(self, answers: Sequence[str], finish: Finish = "stop") -> None:
        self._answers = list(answers)
        self._finishes = [finish]
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.requests.append(request)
        finish = self._finishes.pop() if self._finishes else "stop"
        return tuple(Completion(self._answers.pop(0), finish) for _ in range(request.n))
