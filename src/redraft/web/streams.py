"""Server-sent events, written by hand: what a job says, and what happens to a document, as it comes."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from redraft.errors import NotFound, StoreFailed
from redraft.workspace import Job, Store, document_state, events_after, get_job

POLL_S: Final = 0.1
HEARTBEAT_S: Final = 15.0
"""A comment is sent this often where nothing else is, so that neither side takes the other for gone."""
_AWAY_S: Final = 1.0


def stream(events: AsyncIterator[str], more: Mapping[str, str] | None = None) -> Response:
    """An answer that goes on."""
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no", **(more or {})}
    return StreamingResponse(events, media_type="text/event-stream", headers=headers)


def written(kind: str, data: object, id: int | str | None = None) -> str:
    """An event as it is sent."""
    named = "" if id is None else f"id: {id}\n"
    return f"{named}event: {kind}\ndata: {json.dumps(data)}\n\n"


async def job_events(store: Store, id: str, after: int, closing: threading.Event) -> AsyncIterator[str]:
    """What a job says after that event, until it has ended, or the server closes."""
    said = time.monotonic()
    yield ": a job\n\n"
    while not closing.is_set():
        try:
            events, ended = await run_in_threadpool(events_after, store, id, after)
        except NotFound:
            return
        except StoreFailed:  # it may come back
            events, ended = [], False
            await asyncio.sleep(_AWAY_S)
        for event in events:
            after = event.number
            yield written(event.kind, event.data, event.number)
        if ended:
            return
        said = time.monotonic() if events else said
        for beat in _heartbeat(said):
            said = time.monotonic()
            yield beat
        await asyncio.sleep(POLL_S)


async def document_events(
    store: Store, id: str, seen: int | None, closing: threading.Event
) -> AsyncIterator[str]:
    """The versions of a document and the states of its job, as they change, until it is gone."""
    said = time.monotonic()
    job: tuple[str | None, str | None] = (None, None)
    yield ": a document\n\n"
    while not closing.is_set():
        try:
            version, *of_job = await run_in_threadpool(document_state, store, id)
        except NotFound:
            yield written("deleted", {"id": id})
            return
        except StoreFailed:
            await asyncio.sleep(_AWAY_S)
            continue
        before = said
        if version != seen:
            seen, said = version, time.monotonic()
            yield written("document", {"version": version}, version)
        if tuple(of_job) != job:
            job, said = (of_job[0], of_job[1]), time.monotonic()
            if job[0] is not None:
                yield written("job", {"id": job[0], "state": job[1]}, version)
        if said == before:
            for beat in _heartbeat(said):
                said = time.monotonic()
                yield beat
        await asyncio.sleep(POLL_S)


async def ended(store: Store, job: Job, closing: threading.Event) -> Job:
    """A job when it has ended, or as it is when the server closes."""
    while not (job.has_ended or closing.is_set()):
        await asyncio.sleep(POLL_S)
        try:
            job = await run_in_threadpool(get_job, store, job.id)
        except StoreFailed:
            await asyncio.sleep(_AWAY_S)
    return job


def _heartbeat(said: float) -> Iterator[str]:
    if time.monotonic() - said >= HEARTBEAT_S:
        yield ": still here\n\n"
