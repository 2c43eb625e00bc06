"""Every error as application/problem+json: ours, a wrong request, a path that is not there."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from redraft.errors import QueueFull, RedraftError, StoreFailed
from redraft.web import schemas
from redraft.workspace import problem, problem_of

_log = logging.getLogger(__name__)


class Problem(JSONResponse):
    """A problem as an answer."""

    media_type = "application/problem+json"


def answer(told: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Problem:
    """A problem as an answer, with its status."""
    return Problem(dict(told), told["status"], dict(headers or {}))


def documented(statuses: Mapping[int, str]) -> dict[int | str, dict[str, Any]]:
    """Problems that a route may answer with, for the description of the API."""
    body = {"application/problem+json": {"schema": schemas.Problem.model_json_schema()}}
    return {status: {"description": text, "content": body} for status, text in statuses.items()}


GONE: Final = documented({404: "There is none."})


def handle_errors(app: FastAPI) -> None:
    """Have the app answer with problems."""

    @app.exception_handler(RedraftError)
    async def ours(_: Request, error: RedraftError) -> Problem:
        headers = {}
        if isinstance(error, QueueFull):
            headers["Retry-After"] = str(error.wait)
        if isinstance(error, StoreFailed):
            _log.warning("%s", error)
            headers["Retry-After"] = "5"
        return answer(problem_of(error), headers)

    @app.exception_handler(RequestValidationError)
    async def wrong(_: Request, error: RequestValidationError) -> Problem:
        # What was sent is not told again: it may be long, and it may be private.
        wrongs = [
            {"where": ".".join(map(str, one["loc"])), "what": one["msg"]} for one in error.errors()[:20]
        ]
        detail = "; ".join(f"{one['where']}: {one['what']}" for one in wrongs)
        return answer(problem(422, "Not as it should be", detail, errors=wrongs))

    @app.exception_handler(HTTPException)
    async def plain(_: Request, error: HTTPException) -> Problem:
        return answer(problem(error.status_code, str(error.detail), str(error.detail)), error.headers)
