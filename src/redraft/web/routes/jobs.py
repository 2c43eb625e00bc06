"""Jobs: asked for, waited for, listened to, stopped."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from redraft import workspace
from redraft.web import schemas, streams
from redraft.web.errors import GONE, answer, documented
from redraft.web.routes.asked import After, Here, Id, Limit, client_of

router = APIRouter(prefix="/v1", tags=["jobs"])

Key = Annotated[str | None, Header(alias="Idempotency-Key", max_length=200)]
Accept = Annotated[str, Header()]
Wait = Annotated[bool, Query(description="false answers at once with the job")]
ANSWERS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The result, or the events of the job as they come.",
        "content": {"application/json": {}, "text/event-stream": {}},
    },
    202: {"model": schemas.Job, "description": "The job, with ?wait=false."},
    **documented(
        {
            402: "The budget is spent.",
            404: "There is no such document.",
            409: "The job was stopped before it gave anything.",
            429: "Too many jobs wait; Retry-After says how long to.",
            500: "An error of ours; the log has more.",
            501: "An optional part is not installed.",
            502: "The model failed; `result` is what there was.",
        }
    ),
}


@router.post("/revise", responses=ANSWERS, response_model=None)
async def revise(
    asked: workspace.Revise, here: Here, request: Request,
    wait: Wait = True, key: Key = None, accept: Accept = "",
) -> Response:  # fmt: skip
    """Revise a text so that it obeys."""
    return await ask("revise", asked, here, request, wait, key, accept)


@router.post("/simplify", responses=ANSWERS, response_model=None)
async def simplify(
    asked: workspace.Simplify, here: Here, request: Request,
    wait: Wait = True, key: Key = None, accept: Accept = "",
) -> Response:  # fmt: skip
    """Simplify a text by a policy."""
    return await ask("simplify", asked, here, request, wait, key, accept)


@router.post("/compose", responses=ANSWERS, response_model=None)
async def compose(
    asked: workspace.Compose, here: Here, request: Request,
    wait: Wait = True, key: Key = None, accept: Accept = "",
) -> Response:  # fmt: skip
    """Write a piece."""
    return await ask("compose", asked, here, request, wait, key, accept)


@router.post("/quality", responses=ANSWERS, response_model=None)
async def quality(
    asked: workspace.QualityOf, here: Here, request: Request,
    wait: Wait = True, key: Key = None, accept: Accept = "",
) -> Response:  # fmt: skip
    """Score a text without a reference."""
    return await ask("quality", asked, here, request, wait, key, accept)


@router.post("/alternatives", responses=ANSWERS, response_model=None)
async def alternatives(
    asked: workspace.Alternatives, here: Here, request: Request,
    wait: Wait = True, key: Key = None, accept: Accept = "",
) -> Response:  # fmt: skip
    """Other ways to say a sentence of a text."""
    return await ask("alternatives", asked, here, request, wait, key, accept)


async def ask(
    kind: workspace.Kind,
    asked: workspace.Timed,
    here: Here,
    request: Request,
    wait: bool,
    key: str | None,
    accept: str,
) -> Response:
    """Put a job into the queue, and answer as it was asked for."""
    job = await run_in_threadpool(
        workspace.start_job,
        here.store,
        kind,
        asked,
        here.settings,
        client=client_of(request),
        key=key,
        limits=here.options.limits,
    )
    if "text/event-stream" in accept:
        return streams.stream(streams.job_events(here.store, job.id, 0, here.closing), {"X-Job": job.id})
    if not wait:
        return JSONResponse(job.to_dict(), 202, {"Location": f"/v1/jobs/{job.id}", "X-Job": job.id})
    job = await streams.ended(here.store, job, here.closing)
    headers = {"X-Job": job.id, "X-Job-State": job.state}
    if job.result is None:
        return answer(job.problem or _nothing(job), headers)
    if job.problem is not None:  # what there was when the model failed is not withheld
        return answer({**job.problem, "result": job.result}, headers)
    return JSONResponse(job.result, 200, headers)


def _nothing(job: workspace.Job) -> dict[str, Any]:
    if job.has_ended:
        return workspace.problem(409, "Stopped", "the job was stopped before it gave anything")
    return workspace.problem(503, "The server closes", f"the job goes on: see /v1/jobs/{job.id}")


@router.get("/jobs", response_model=None, responses={200: {"model": schemas.Jobs}})
def list_jobs(here: Here, limit: Limit = 50, after: After = None) -> dict[str, Any]:
    """Jobs, the newest first."""
    found = workspace.list_jobs(here.store, limit, after)
    more = found[-1].id if len(found) == limit else None
    return {"jobs": [job.to_dict(whole=False) for job in found], "next": more}


@router.get("/jobs/{id}", response_model=None, responses={200: {"model": schemas.Job}, **GONE})
def get_job(id: Id, here: Here) -> dict[str, Any]:
    """A job, with its result where it has one."""
    return workspace.get_job(here.store, id).to_dict()


@router.get(
    "/jobs/{id}/events",
    response_model=None,
    responses={
        200: {"content": {"text/event-stream": {}}},
        204: {"description": "There is nothing more to hear."},
        **GONE,
    },
)
async def job_events(
    id: Id,
    here: Here,
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
    last_event_id: Annotated[str, Header()] = "",
) -> Response:
    """What a job says, as it comes, from the first word or after the event that was heard last."""
    if last_event_id.isdecimal() and len(last_event_id) < 16:
        after = int(last_event_id)
    events, ended = await run_in_threadpool(workspace.events_after, here.store, id, after)
    if ended and not events:
        return Response(status_code=204)  # tells a browser not to come again
    return streams.stream(streams.job_events(here.store, id, after, here.closing))


@router.post("/jobs/{id}/stop", response_model=None, responses={200: {"model": schemas.Job}, **GONE})
def stop_job(id: Id, here: Here) -> dict[str, Any]:
    """End a job; a revision keeps the best that it has so far."""
    return workspace.stop_job(here.store, id).to_dict()


@router.delete("/jobs/{id}", status_code=204, response_model=None, responses=GONE)
def delete_job(id: Id, here: Here) -> None:
    """Delete a job with all that it said."""
    workspace.delete_job(here.store, id)
