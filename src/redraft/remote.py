"""Asking a `redraft serve` to do the work: what the functions of the package do with `settings.server`.

A job is put into the queue of the server and asked after until it has ended, so that neither a slow job nor
a server that is started again in between loses anything.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx2

from redraft.errors import (
    BudgetExceeded,
    ConnectionFailed,
    FileError,
    InfeasibleError,
    InputError,
    MissingKey,
    ModelError,
    NotFound,
    QueueFull,
    RedraftError,
    StoreFailed,
)
from redraft.settings import Settings

_POLL_S: Final = 0.2
_PATIENCE_S: Final = 60.0
"""How long a server that does not answer is asked again."""
_ENDED: Final = ("done", "stopped", "failed")


def ask_server(settings: Settings, path: str, body: Mapping[str, Any]) -> Any:
    """What the server answers at once."""
    with _client(settings) as client:
        return _answer(client.post(path, json=_given(body)))


def run_on_server(
    settings: Settings, path: str, body: Mapping[str, Any]
) -> tuple[dict[str, Any], ModelError | None]:
    """The result of a job that the server does, and the failure of a model that ended it early.

    Where nothing came of it, its problem is raised. Whoever is interrupted has the job stopped too.
    """
    with _client(settings) as client:
        headers = {"Idempotency-Key": secrets.token_urlsafe(16)}  # asked again, it is the same job
        asked: dict[str, Any] = {"json": _given(body), "params": {"wait": "false"}, "headers": headers}
        job = _answer(_patiently(client, "POST", path, **asked))
        try:
            while job["state"] not in _ENDED:
                time.sleep(_POLL_S)
                job = _answer(_patiently(client, "GET", f"/v1/jobs/{job['id']}"))
        except KeyboardInterrupt:
            client.post(f"/v1/jobs/{job['id']}/stop")
            raise
    failure = _error(job["problem"]) if "problem" in job else None
    if "result" not in job:
        raise failure or InputError("the job was stopped at the server before it gave anything")
    return job["result"], failure if isinstance(failure, ModelError) else None


def model_of(settings: Settings) -> str | None:
    """The model that the user has chosen; None leaves the choice to the server."""
    return None if settings.origin("model") == "default" else settings.model


def _client(settings: Settings) -> httpx2.Client:
    headers = {}
    if settings.server_token_file is not None:
        headers["Authorization"] = f"Bearer {_token(settings.server_token_file)}"
    server = settings.server or ""
    login = settings.login(server)
    return _Client(
        base_url=server, headers=headers, timeout=settings.timeout, follow_redirects=False, auth=login
    )  # fmt: skip


class _Client(httpx2.Client):
    """Whatever fails on the way to the server is said as an error of ours."""

    def request(self, method: str, url: Any, **options: Any) -> httpx2.Response:
        """Ask."""
        try:
            return super().request(method, url, **options)
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise ConnectionFailed(
                f"the server {self.base_url} does not answer: {str(error) or type(error).__name__}",
                provider="server",
                retryable=True,
                hint="is it started? redraft serve; the setting is `server` (REDRAFT_SERVER)",
            ) from None


def _token(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise FileError(f"{path} cannot be read: {error}") from None


def _patiently(client: httpx2.Client, method: str, path: str, **options: Any) -> httpx2.Response:
    """An answer, also where the server, its database or its queue is not ready for a while."""
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            answer = client.request(method, path, **options)
            if answer.status_code not in (429, 503) or time.monotonic() > until:
                return answer
        except ConnectionFailed:
            if method == "POST" or time.monotonic() > until:
                raise
        time.sleep(1.0)


def _given(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}


def _answer(answer: httpx2.Response) -> Any:
    if answer.is_success:
        return answer.json()
    try:
        told = answer.json()
    except ValueError:
        told = {}
    if not isinstance(told, dict) or "detail" not in told:
        told = {"status": answer.status_code, "detail": f"the server answered {answer.status_code}"}
    raise _error(told)


def _error(problem: Mapping[str, Any]) -> RedraftError:
    """The error that a problem tells of."""
    status, detail = problem["status"], str(problem["detail"])
    if status == 401:
        hint = "put the token into a file and name it with `server_token_file`"
        return MissingKey(detail, provider="server", hint=hint)
    if status == 429:
        return QueueFull(detail, wait=10)
    kinds: dict[int, type[RedraftError]] = {
        402: BudgetExceeded,
        404: NotFound,
        409: InfeasibleError,
        422: InputError,
        501: InputError,
        502: ModelError,
        503: StoreFailed,
    }
    kind = kinds.get(status, InputError if status < 500 else ModelError)
    return kind(detail)
