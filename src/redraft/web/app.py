"""The app: its routes, its errors, who is let in, and the workers that it starts and ends."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import FastAPI

from redraft import __version__
from redraft.settings import Settings
from redraft.web.errors import documented, handle_errors
from redraft.web.metrics import Measured, Requests
from redraft.web.routes import documents, jobs, machine, pages, texts
from redraft.web.safety import Guard, Safety
from redraft.workspace import Crew, Limits, Store, open_store


@dataclass(frozen=True)
class Options:
    """How to serve."""

    settings: Settings
    safety: Safety = field(default_factory=Safety)
    workers: int = 1
    runs: Path | None = None
    """The folder whose runs are shown; none are without it."""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Served:
    """What the routes have: `request.app.state.served`."""

    options: Options
    store: Store
    closing: threading.Event = field(default_factory=threading.Event)
    """Set where the server is about to close: nobody is to be listened to any longer."""
    requests: Requests = field(default_factory=Requests)

    @property
    def settings(self) -> Settings:
        """The settings of the server."""
        return self.options.settings


_DESCRIPTION = """Revise text under constraints that can be checked.

Anything that needs a model is a job. A request for one waits and answers with its result; with
`Accept: text/event-stream` it answers with what the job says as it comes; with `?wait=false` at once with the
job, whose events and result can be asked for later."""


_PROBLEMS = {
    400: "The request cannot be read.",
    401: "The server wants a token.",
    403: "It comes from the page of another site.",
    413: "It is too large.",
    421: "It is meant for another host.",
    422: "It is not as it should be; the detail says what.",
    503: "The database or the model does not answer now.",
}


def make_app(options: Options) -> FastAPI:
    """The app; its workers live as long as it does."""
    settings = options.settings.model_copy(update={"server": None})  # we are it
    store = open_store(settings)

    @asynccontextmanager
    async def living(_: FastAPI) -> AsyncIterator[None]:
        crew = Crew(store, settings, options.workers)
        await asyncio.to_thread(crew.start)
        app.state.crew = crew
        yield
        await asyncio.to_thread(crew.close)
        store.close()

    app = FastAPI(
        title="redraft",
        version=__version__,
        description=_DESCRIPTION,
        lifespan=living,
        docs_url=None,
        redoc_url=None,
        responses=documented(_PROBLEMS),
    )
    app.state.served = Served(options, store)
    handle_errors(app)
    for part in (texts, jobs, documents, machine, pages):
        app.include_router(part.router)
    pages.mount(app)
    app.add_middleware(Guard, safety=options.safety)
    app.add_middleware(Measured, requests=app.state.served.requests)
    return app
