"""Errors as people and programs are told of them: problem details (RFC 9457)."""

from __future__ import annotations

import traceback
from typing import Any

from redraft.errors import (
    BudgetExceeded,
    InfeasibleError,
    InputError,
    MissingExtra,
    ModelError,
    NotFound,
    QueueFull,
    RateLimited,
    RedraftError,
    Stale,
    StoreFailed,
)

_KINDS: tuple[tuple[type[RedraftError], int, str], ...] = (
    (NotFound, 404, "Not found"),
    (Stale, 412, "Changed by somebody else"),
    (MissingExtra, 501, "Not installed"),
    (InputError, 422, "Not usable"),
    (InfeasibleError, 409, "The constraints conflict"),
    (QueueFull, 429, "Too many jobs"),
    (BudgetExceeded, 402, "The budget is spent"),
    (RateLimited, 503, "The model is busy"),
    (ModelError, 502, "The model failed"),
)


def problem(status: int, title: str, detail: str, **more: Any) -> dict[str, Any]:
    """A problem, ready for JSON."""
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}


def problem_of(error: BaseException) -> dict[str, Any]:
    """What is told of an error; of one that is our own fault, nothing but its kind."""
    if isinstance(error, Stale):
        return problem(412, "Changed by somebody else", str(error), current=error.current)
    if isinstance(error, StoreFailed):  # its own words name the database's host and user
        return problem(503, "The database does not answer", "try again in a moment; the log has more")
    for kind, status, title in _KINDS:
        if isinstance(error, kind):
            return problem(status, title, str(error))
    if isinstance(error, RedraftError):
        return problem(500, "The work failed", str(error))
    return problem(500, "An error of ours", f"unexpected {type(error).__name__}; the log has more")


def where_raised(error: BaseException) -> str:
    """The kind of an error and the lines that led to it, for a log; its message may hold a user's text."""
    return type(error).__name__ + "\n" + "".join(traceback.format_tb(error.__traceback__))
