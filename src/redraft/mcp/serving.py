"""How a server is reached: over standard input and output, or over HTTP."""

from __future__ import annotations

import hmac
import ipaddress
import signal
from pathlib import Path

import uvicorn
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecuritySettings
from pydantic import AnyHttpUrl
from starlette.applications import Starlette

from redraft.errors import InputError
from redraft.mcp.server import build_server
from redraft.settings import Settings
from redraft.text import read_text

_SHORTEST = 16
"""Characters of a token that is not guessed."""


def serve_stdio(settings: Settings, runs: Path | None = None) -> None:
    """Serve one client; nothing but the protocol goes to standard output."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else Ctrl-C waits for the line that a thread is reading
    build_server(settings, runs).run("stdio")


def serve_http(
    settings: Settings, runs: Path | None = None, *, host: str, port: int, token_file: Path | None = None
) -> None:
    """Serve clients at http://HOST:PORT/mcp."""
    app = http_app(settings, runs, host=host, port=port, token_file=token_file)
    uvicorn.run(app, host=host, port=port, log_level="warning")


def http_app(
    settings: Settings, runs: Path | None = None, *, host: str, port: int, token_file: Path | None = None
) -> Starlette:
    """What answers there; an address that others can reach needs a token."""
    if token_file is None and not is_loopback(host):
        raise InputError(f"others can reach {host}: name a file that holds a token with --token-file")
    verifier = None if token_file is None else TokenFile(token_file)
    issuer = AnyHttpUrl(f"http://{_bracketed(host)}:{port}")  # the library wants one; tokens come from a file
    auth = None if verifier is None else AuthSettings(issuer_url=issuer, resource_server_url=None)
    server = build_server(settings, runs, auth=auth, token_verifier=verifier)
    return server.streamable_http_app(host=host, transport_security=_security(host, port))


class TokenFile:
    """Who has the token that a file holds is let in."""

    def __init__(self, path: Path) -> None:
        self._token = read_text(path).strip()
        if len(self._token) < _SHORTEST:
            raise InputError(f"{path} holds no token of {_SHORTEST} characters or more")

    async def verify_token(self, token: str) -> AccessToken | None:
        """What the token allows, or None."""
        is_right = hmac.compare_digest(token.encode(), self._token.encode())
        return AccessToken(token=token, client_id="redraft", scopes=[]) if is_right else None


def is_loopback(host: str) -> bool:
    """Whether nobody but this machine can reach an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _security(host: str, port: int) -> TransportSecuritySettings | None:
    """Which names of this machine requests may use; None leaves that to the library, which knows loopback.

    An address that stands for all has no name of its own: there the token alone keeps others out.
    """
    if host in ("127.0.0.1", "localhost", "::1"):
        return None
    if host in ("0.0.0.0", "::"):
        return TransportSecuritySettings(enable_dns_rebinding_protection=False)
    name = f"{_bracketed(host)}:{port}"
    return TransportSecuritySettings(allowed_hosts=[name], allowed_origins=[f"http://{name}"])


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
