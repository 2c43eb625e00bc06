"""Documents: kept, changed, listened to, with their history."""

from __future__ import annotations

import re
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from redraft import workspace
from redraft.text import guess_format
from redraft.web import schemas, streams
from redraft.web.errors import GONE, answer, documented
from redraft.web.routes.asked import After, Here, Id, Limit

router = APIRouter(prefix="/v1/documents", tags=["documents"])

_VERSION = re.compile(r'(?:W/)?"(\d{1,15})"')


def _told(kept: workspace.Kept, status: int = 200) -> JSONResponse:
    return JSONResponse(kept.to_dict(), status, {"ETag": f'"{kept.version}"'})


@router.post("", status_code=201, response_model=None, responses={201: {"model": schemas.Document}})
def add_document(asked: schemas.NewDocument, here: Here) -> Response:
    """Keep a new document."""
    content = workspace.Content(
        asked.title,
        asked.format or guess_format(asked.text),
        asked.text,
        asked.text,
        asked.instruction,
        tuple(asked.calls),
        file=asked.file,
    )
    kept = workspace.add_document(here.store, content)
    told = _told(kept, 201)
    told.headers["Location"] = f"/v1/documents/{kept.id}"
    return told


@router.get("", response_model=None, responses={200: {"model": schemas.Documents}})
def list_documents(here: Here, limit: Limit = 50, after: After = None) -> dict[str, Any]:
    """Documents, those changed last first."""
    found = workspace.list_documents(here.store, limit, after)
    more = found[-1].id if len(found) == limit else None
    return {"documents": [one.to_dict(whole=False) for one in found], "next": more}


@router.get("/{id}", response_model=None, responses={200: {"model": schemas.Document}, **GONE})
def get_document(id: Id, here: Here) -> Response:
    """A document; its ETag is what a change names in If-Match."""
    return _told(workspace.get_document(here.store, id))


@router.put(
    "/{id}",
    response_model=None,
    responses={
        200: {"model": schemas.Document},
        **GONE,
        **documented(
            {412: "Somebody else changed it; `current` is what it is.", 428: "If-Match is missing."}
        ),
    },
)
def change_document(
    id: Id,
    asked: schemas.ChangedDocument,
    here: Here,
    if_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Change a document, as a new version; If-Match has the version that was read."""
    if if_match is None:
        return answer(workspace.problem(428, "If-Match is needed", 'say If-Match: "VERSION"'))
    named = _VERSION.fullmatch(if_match.strip())
    if named is None:
        return answer(workspace.problem(400, "Not usable", 'If-Match has a version, as in If-Match: "3"'))
    changes = asked.model_dump(exclude={"note"}, exclude_none=True)
    return _told(workspace.change_document(here.store, id, int(named[1]), changes, asked.note))


@router.delete("/{id}", status_code=204, response_model=None, responses=GONE)
def delete_document(id: Id, here: Here) -> None:
    """Delete a document with its history."""
    workspace.delete_document(here.store, id)


@router.get("/{id}/history", response_model=None, responses={200: {"model": schemas.History}, **GONE})
def history(
    id: Id, here: Here, limit: Limit = 50, after: Annotated[int | None, Query(ge=1, le=2**53)] = None
) -> dict[str, Any]:
    """The versions of a document, the newest first."""
    found = workspace.list_versions(here.store, id, limit, after)
    more = found[-1]["version"] if len(found) == limit else None
    return {"versions": found, "next": more}


@router.get(
    "/{id}/history/{version}", response_model=None, responses={200: {"model": schemas.Version}, **GONE}
)
def version(id: Id, version: int, here: Here) -> dict[str, Any]:
    """A version of a document as it was."""
    return workspace.get_version(here.store, id, max(min(version, 2**53), 0))


@router.get(
    "/{id}/export",
    response_model=None,
    responses={
        200: {"content": {"text/plain": {}, "text/html": {}}},
        **GONE,
    },
)
def export(id: Id, here: Here, wanted: Annotated[workspace.As, Query(alias="as")]) -> Response:
    """A document as a file: its text, .docx with tracked changes, the difference, or a certificate."""
    kept = workspace.get_document(here.store, id)
    found = workspace.export(here.store, kept, wanted, here.settings)
    shown = "attachment" if found.policy is None else "inline"
    headers = {"Content-Disposition": f"{shown}; filename*=UTF-8''{quote(found.name)}"}
    if found.policy is not None:
        headers["Content-Security-Policy"] = found.policy
    return Response(found.content, media_type=found.media_type, headers=headers)


@router.get(
    "/{id}/events",
    response_model=None,
    responses={200: {"content": {"text/event-stream": {}}}, **GONE},
)
async def events(id: Id, here: Here, last_event_id: Annotated[str, Header()] = "") -> Response:
    """What happens to a document: its versions, and the states of its job."""
    await run_in_threadpool(workspace.document_state, here.store, id)
    seen = int(last_event_id) if last_event_id.isdecimal() and len(last_event_id) < 16 else None
    return streams.stream(streams.document_events(here.store, id, seen, here.closing))
