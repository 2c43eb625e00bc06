"""What keeps strangers out: whom we listen to, who may ask, how much, and what a page may do.

A server on loopback can still be reached by any page that the user opens: by a name that is made to point
here (its Host tells), or by a form and a script of another site (its Origin tells).
"""

from __future__ import annotations

import hashlib
import hmac
import html
import ipaddress
import json
import logging
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from redraft.errors import InputError
from redraft.text import read_text
from redraft.workspace import problem, problem_of, where_raised

_log = logging.getLogger(__name__)
COOKIE: Final = "redraft"
_OPEN: Final = ("/healthz", "/login")
"""Paths that need no token."""
_LEAST_TOKEN: Final = 16
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self';"
    " connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class Safety:
    """Whom to let in."""

    host: str = "127.0.0.1"
    """The address that we listen at."""
    names: tuple[str, ...] = ()
    """Further names by which we are reached, such as that of a proxy."""
    token: str | None = field(default=None, repr=False)
    most_body: int = 2_000_000
    most_upload: int = 20_000_000

    def __post_init__(self) -> None:
        if self.token is None and not is_loopback(self.host):
            raise InputError(
                f"{self.host} can be reached by others: give a token that they need, with --token-file FILE"
            )

    def is_ours(self, host: str) -> bool:
        """Whether a Host names us; an address of numbers cannot be made to point here by a stranger."""
        name = _name(host)
        if name is None:
            return False
        if is_loopback(name) or name in {_name(one) for one in (self.host, *self.names)}:
            return True
        return not is_loopback(self.host) and _is_address(name)

    def may_pass(self, headers: Headers, cookie: str | None) -> bool:
        """Whether a request has the token, or the cookie that it was exchanged for."""
        if self.token is None:
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        by_header = scheme.lower() == "bearer" and _equal(given.strip(), self.token)
        return by_header or (cookie is not None and _equal(cookie, _session(self.token)))


def is_loopback(host: str) -> bool:
    """Whether an address can be reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def read_token(path: Path) -> str:
    """The token in a file, on one line."""
    token = read_text(path).strip()
    if len(token) < _LEAST_TOKEN or not token.isascii() or not token.isprintable():
        raise InputError(
            f"{path}: a token is one line of at least {_LEAST_TOKEN} plain characters;"
            f" make one with: openssl rand -hex 32 > {path}"
        )
    return token


class Guard:
    """Lets in whom the safety lets in, and puts its headers on every answer."""

    def __init__(self, app: ASGIApp, safety: Safety) -> None:
        self._app = app
        self._safety = safety

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                is_private = scope["path"].startswith(("/v1", "/login"))
                headers.setdefault("Cache-Control", "no-store" if is_private else "no-cache")
            await send(message)

        refused = self._refusal(scope)
        if refused is None and scope["path"] == "/login":
            refused = await self._login(scope, receive)
        if refused is not None:
            await refused(scope, receive, safely)
            return
        most = self._safety.most_upload if scope["path"] == "/v1/files" else self._safety.most_body
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isdecimal() or int(length) > most:
            await _too_large(most)(scope, receive, safely)
            return
        await _limited(self._app, most)(scope, receive, safely)

    def _refusal(self, scope: Scope) -> Response | None:
        """Why a request is not let in, as an answer."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._safety.is_ours(host):
            return _refused(421, "Not our name", "the Host of this request is none of ours (--allow-host)")
        if not _is_from(headers.get("origin"), host):
            return _refused(403, "Another site", "requests from the pages of other sites are refused")
        is_visit = headers.get("sec-fetch-mode") == "navigate" and scope["method"] == "GET"
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and not is_visit:
            return _refused(403, "Another site", "requests from the pages of other sites are refused")
        if scope["path"] in _OPEN or self._safety.may_pass(headers, _cookie(headers)):
            return None
        if scope["path"] == "/":
            return RedirectResponse("/login", 303)
        needed = _refused(401, "A token is needed", "give it as: Authorization: Bearer TOKEN")
        needed.headers["WWW-Authenticate"] = "Bearer"
        return needed

    async def _login(self, scope: Scope, receive: Receive) -> Response:
        """The form that exchanges the token for a cookie."""
        token = self._safety.token
        if token is None:
            return RedirectResponse("/", 303)
        if scope["method"] in ("GET", "HEAD"):
            return _form("")
        if scope["method"] != "POST":
            return _refused(405, "Method not allowed", "the form is sent by POST")
        body = b""
        while len(body) < 10_000:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        given = parse_qs(body.decode("latin-1")).get("token", [""])[0].strip()
        if not _equal(given, token):
            return _form("That is not the token.", 401)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            COOKIE, _session(token), max_age=30 * 86_400, httponly=True, samesite="strict",
            secure=scope["scheme"] == "https",
        )  # fmt: skip
        return answer


def _limited(app: ASGIApp, most: int) -> ASGIApp:
    """The app, which is not given more than so many bytes of a body, and whose errors end here."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        got = 0
        started = False

        async def counted() -> MutableMapping[str, Any]:
            nonlocal got
            message = await receive()
            got += len(message.get("body", b""))
            if got > most:
                raise _TooLarge
            return message

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await app(scope, counted, watched)
        except _TooLarge:
            if not started:
                await _too_large(most)(scope, receive, send)
        except Exception as error:  # an error of ours; further out, its message would be logged, with texts
            _log.error("%s failed: %s", scope["method"], where_raised(error))
            if not started:
                await _answer(problem_of(error))(scope, receive, send)

    return limited


class _TooLarge(BaseException):
    """A body goes on past the limit; not to be caught by what reads it."""


def _too_large(most: int) -> Response:
    return _refused(413, "Too large", f"a request may have {most:,} bytes at the most")


def _is_from(origin: str | None, host: str) -> bool:
    """Whether a request comes from a page of ours, or from no page."""
    try:
        return origin is None or urlsplit(origin).netloc.lower() == host.lower()
    except ValueError:  # no address
        return False


def _refused(status: int, title: str, detail: str) -> Response:
    return _answer(problem(status, title, detail))


def _answer(told: Mapping[str, Any]) -> Response:
    return Response(json.dumps(told), told["status"], media_type="application/problem+json")


def _form(said: str, status: int = 200) -> Response:
    page = (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>redraft</title><h1>redraft</h1>'
        f'<p role="alert">{html.escape(said)}</p><form method="post" action="/login">'
        '<label>Token <input type="password" name="token" autocomplete="current-password" required autofocus>'
        "</label> <button>Open</button></form></html>"
    )
    # With "no-referrer", a browser sends no Origin with a form, and it would be taken for a stranger's.
    return HTMLResponse(page, status, {"Referrer-Policy": "same-origin"})


def _cookie(headers: Headers) -> str | None:
    for part in headers.get("cookie", "").split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return None


def _session(token: str) -> str:
    """What the browser keeps in the place of the token."""
    return hmac.new(token.encode(), b"redraft session", hashlib.sha256).hexdigest()


def _equal(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), wanted.encode())


def _name(host: str) -> str | None:
    """The name in a Host, without its port; None where there is none."""
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
