"""What the server has: models, policies, runs."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from redraft import workspace
from redraft.web.errors import GONE
from redraft.web.routes.asked import Here, Limit
from redraft.web.routes.jobs import ANSWERS, Accept, Key, Wait, ask

router = APIRouter(prefix="/v1", tags=["machine"])


@router.get("/models", response_model=None)
def models(here: Here) -> dict[str, Any]:
    """The models that are chosen and fetched, and what was spent."""
    return workspace.list_models(here.store, here.settings)


@router.post("/models/test", responses=ANSWERS, response_model=None)
async def try_model(
    asked: workspace.TestModel, here: Here, request: Request,
    wait: Wait = True, key: Key = None, accept: Accept = "",
) -> Response:  # fmt: skip
    """Ask a model one thing."""
    return await ask("test", asked, here, request, wait, key, accept)


@router.post("/models/pull", responses=ANSWERS, response_model=None)
async def pull_model(
    asked: workspace.Pull, here: Here, request: Request,
    wait: Wait = False, key: Key = None, accept: Accept = "",
) -> Response:  # fmt: skip
    """Fetch a larger model; its events tell how far it is."""
    return await ask("pull", asked, here, request, wait, key, accept)


@router.get("/policies", response_model=None)
def policies() -> list[dict[str, Any]]:
    """The policies of simplification."""
    return workspace.list_policies()


@router.get("/runs", response_model=None)
def runs(here: Here) -> dict[str, Any]:
    """The runs in the folder that the server was started with, the newest first."""
    return {"runs": workspace.list_runs(here.options.runs)}


_STILL: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A figure is looked at: nothing in it runs, and it asks for nothing."""


@router.get("/comparison", response_model=None, responses=GONE)
def comparison(first: str, second: str, here: Here) -> dict[str, Any]:
    """Two runs side by side: differences with intervals and p-values, and the samples that changed most."""
    return workspace.compare_runs(here.options.runs, first, second)


@router.get(
    "/runs/{name:path}/figures/{figure}",
    response_model=None,
    responses={200: {"content": {"image/svg+xml": {}}}, **GONE},
)
def run_figure(name: str, figure: str, here: Here) -> Response:
    """A figure of a run's report."""
    drawn = workspace.run_figure(here.options.runs, name, figure)
    return Response(drawn, media_type="image/svg+xml", headers={"Content-Security-Policy": _STILL})


@router.get("/runs/{name:path}", response_model=None, responses=GONE)
def run(
    name: str, here: Here, limit: Limit = 50, skip: Annotated[int, Query(ge=0, le=10**7)] = 0
) -> dict[str, Any]:
    """A run: what was run, its scores, and some of its samples."""
    return workspace.get_run(here.options.runs, name, limit=limit, skip=skip)
