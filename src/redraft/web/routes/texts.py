"""What is answered at once: instructions, checks, sentences, comparisons, scores."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, UploadFile
from starlette.concurrency import run_in_threadpool

from redraft import workspace
from redraft.web import schemas
from redraft.web.routes.asked import Here

router = APIRouter(prefix="/v1", tags=["texts"])


@router.post("/parse", response_model=None, responses={200: {"model": schemas.Understood}})
def parse(asked: workspace.Parse, here: Here) -> dict[str, Any]:
    """What is in an instruction: constraints, wishes, and what is not understood."""
    return workspace.parse_instruction(asked, here.settings)


@router.get("/kinds", response_model=None, responses={200: {"model": list[schemas.ConstraintKind]}})
def kinds() -> list[dict[str, Any]]:
    """Every kind of constraint, with an example and its arguments."""
    return list(workspace.list_kinds())


@router.post("/check", response_model=None, responses={200: {"model": schemas.Checked}})
def check(asked: workspace.Check, here: Here) -> dict[str, Any]:
    """Whether a text obeys."""
    return workspace.check_text(asked, here.settings)


@router.post("/conflicts", response_model=None, responses={200: {"model": schemas.Infeasible}})
def conflicts(asked: workspace.Conflicts, here: Here) -> dict[str, Any]:
    """Constraints that no revision of a text can meet together, before anything runs."""
    return workspace.find_conflicts(asked, here.settings)


@router.post("/sentences", response_model=None, responses={200: {"model": list[schemas.Sentence]}})
def sentences(asked: workspace.Sentences, here: Here) -> list[dict[str, Any]]:
    """The sentences of a text, numbered as every command counts them."""
    return workspace.list_sentences(asked, here.settings)


@router.post("/compare", response_model=None, responses={200: {"model": schemas.Compared}})
def compare(asked: workspace.Compare) -> dict[str, Any]:
    """Two texts, passage by passage; any choice of one side or the other is a text."""
    passages = workspace.compare(asked.before, asked.after, asked.format)
    return {"passages": [one.to_dict() for one in passages]}


@router.post("/files", response_model=None, responses={200: {"model": schemas.Opened}})
async def open_file(file: UploadFile, here: Here) -> dict[str, Any]:
    """What a file holds: plain text, Markdown, LaTeX, or .docx."""
    data = await file.read()
    return await run_in_threadpool(workspace.open_file, here.store, file.filename or "", data)


@router.post("/score", response_model=None)
def score(asked: workspace.Score) -> dict[str, Any]:
    """Metrics of edited texts, each with its signature."""
    return workspace.score_texts(asked)
