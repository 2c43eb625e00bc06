"""The pages, the description of the API, and whether the server is well."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles

from redraft import workspace
from redraft.web.metrics import state_lines
from redraft.web.routes.asked import Here

PAGES: Final = Path(__file__).parents[1] / "pages"

router = APIRouter(include_in_schema=False)


@router.get("/")
def index() -> Response:
    """The workbench."""
    page = PAGES / "index.html"
    if not page.is_file():
        return PlainTextResponse("redraft is served here; the workbench is not installed. See /docs.\n")
    return FileResponse(page, media_type="text/html", headers={"Cache-Control": "no-cache"})


def mount(app: FastAPI) -> None:
    """Serve what the pages are made of, beside the routes."""
    if PAGES.is_dir():
        app.mount("/", StaticFiles(directory=PAGES), name="pages")


@router.get("/healthz")
def healthy() -> dict[str, str]:
    """Whether the process answers."""
    return {"status": "ok"}


@router.get("/readyz")
def ready(here: Here, request: Request) -> Response:
    """Whether work can be done: the database answers, and a worker is there."""
    workspace.count_jobs(here.store)
    workers = len(request.app.state.crew.pids)
    is_ready = workers > 0 or here.options.workers == 0
    return JSONResponse(
        {"status": "ok" if is_ready else "no worker", "workers": workers}, 200 if is_ready else 503
    )


@router.get("/metrics")
def metrics(here: Here, request: Request) -> PlainTextResponse:
    """What Prometheus reads."""
    workers = len(request.app.state.crew.pids)
    jobs, spent = workspace.count_jobs(here.store), workspace.spent(here.store)
    lines = [*here.requests.lines(), *state_lines(jobs, workers, spent)]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


@router.get("/docs")
def docs(request: Request) -> HTMLResponse:
    """What can be asked for, read from the description of the API; nothing comes from elsewhere."""
    described = request.app.openapi()
    rows = "".join(
        f"<tr><td><code>{method.upper()}</code><td><code>{html.escape(path)}</code>"
        f"<td>{html.escape(str(one.get('description') or one.get('summary', '')))}"
        for path, methods in described["paths"].items()
        for method, one in methods.items()
    )
    return HTMLResponse(_page("The API of redraft", described, rows))


def _page(title: str, described: dict[str, Any], rows: str) -> str:
    about = html.escape(described["info"]["description"])
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><h1>{title}</h1>'
        f'<p>{about}</p><p>All of it, for programs: <a href="/openapi.json">openapi.json</a></p>'
        f"<table><thead><tr><th>method<th>path<th>what it does</thead><tbody>{rows}</tbody></table></html>"
    )
