"""What Prometheus reads: requests and how long they took, jobs, workers, spending, memory."""

from __future__ import annotations

import os
import threading
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 60.0)
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Requests:
    """Counts requests by route, method and status, and how long each took to its first byte."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._statuses: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = defaultdict(lambda: [0] * (len(_BUCKETS) + 1))
        self._seconds: dict[str, float] = defaultdict(float)

    def add(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one."""
        with self._lock:
            self._statuses[route, method, status] += 1
            self._buckets[route][bisect_left(_BUCKETS, seconds)] += 1
            self._seconds[route] += seconds

    def lines(self) -> Iterator[str]:
        """All of it, as Prometheus reads it."""
        with self._lock:
            statuses, seconds = dict(self._statuses), dict(self._seconds)
            buckets = {route: list(counts) for route, counts in self._buckets.items()}
        yield "# TYPE redraft_requests_total counter"
        for (route, method, status), count in sorted(statuses.items()):
            labels = f'route="{route}",method="{method}",status="{status}"'
            yield f"redraft_requests_total{{{labels}}} {count}"
        yield "# TYPE redraft_request_seconds histogram"
        for route, counts in sorted(buckets.items()):
            below = 0
            for bound, count in zip((*_BUCKETS, "+Inf"), counts, strict=True):
                below += count
                yield f'redraft_request_seconds_bucket{{route="{route}",le="{bound}"}} {below}'
            yield f'redraft_request_seconds_sum{{route="{route}"}} {seconds[route]:.6f}'
            yield f'redraft_request_seconds_count{{route="{route}"}} {below}'


class Measured:
    """The app, with every request counted."""

    def __init__(self, app: ASGIApp, requests: Requests) -> None:
        self._app = app
        self._requests = requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()

        async def counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                # The path of the route, and not the one that was asked for: anybody may ask for anything.
                route = getattr(scope.get("route"), "path", "other")
                self._requests.add(route, scope["method"], message["status"], time.perf_counter() - started)
            await send(message)

        await self._app(scope, receive, counted)


def state_lines(jobs: Mapping[str, int], workers: int, spent: Mapping[str, float]) -> Iterator[str]:
    """Jobs by state, workers, and what was spent."""
    yield "# TYPE redraft_jobs gauge"
    for state in ("queued", "running", "done", "stopped", "failed"):
        yield f'redraft_jobs{{state="{state}"}} {jobs.get(state, 0)}'
    yield f"# TYPE redraft_workers gauge\nredraft_workers {workers}"
    for name in ("calls", "tokens", "cost", "seconds"):
        yield f"# TYPE redraft_spent_{name} gauge\nredraft_spent_{name} {spent[name]:g}"
    if (resident := resident_bytes()) is not None:
        yield f"# TYPE redraft_resident_bytes gauge\nredraft_resident_bytes {resident}"


def resident_bytes() -> int | None:
    """The memory of this process; None where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * _PAGE_BYTES
    except (OSError, ValueError, IndexError):
        return None
