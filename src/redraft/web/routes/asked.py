"""What the routes ask of a request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Path, Query, Request

if TYPE_CHECKING:
    from redraft.web.app import Served

Id = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
After = Annotated[str | None, Query(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Limit = Annotated[int, Query(ge=1, le=200)]


def _served(request: Request) -> Served:
    found: Served = request.app.state.served
    return found


def client_of(request: Request) -> str:
    """Whose jobs are counted together: those of an address."""
    return request.client.host if request.client else "local"


if TYPE_CHECKING:
    Here = Annotated[Served, Depends(_served)]
else:
    Here = Annotated[object, Depends(_served)]
