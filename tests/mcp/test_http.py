"""The server over HTTP: who may talk to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from redraft.errors import InputError
from redraft.mcp import http_app
from redraft.settings import load_settings

TOKEN = "a token that nobody guesses"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream"}


def status(headers: dict[str, str], *, host: str = "127.0.0.1", token_file: Path | None = None) -> int:
    app = http_app(load_settings(), host=host, port=8485, token_file=token_file)
    with TestClient(app, base_url="http://127.0.0.1:8485") as client:
        return client.post("/mcp", json=HELLO, headers={**ACCEPT, **headers}).status_code


def test_this_machine_is_served() -> None:
    assert status({}) == 200
    assert status({"origin": "http://localhost:8485"}) == 200


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"host": "127.0.0.1.evil.example:8485"}])
def test_another_name_for_this_machine_is_refused(headers: dict[str, str]) -> None:
    assert status(headers) == 421


def test_a_page_of_another_site_is_refused() -> None:
    assert status({"origin": "https://evil.example"}) == 403


def test_where_others_can_reach_it_a_token_is_needed(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--token-file"):
        http_app(load_settings(), host="0.0.0.0", port=8485)
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n", encoding="utf-8")
    for headers, expected in (
        ({}, 401),
        ({"authorization": "Bearer wrong"}, 401),
        ({"authorization": f"Bearer {TOKEN}"}, 200),
    ):
        assert status(headers, host="0.0.0.0", token_file=file) == expected
    assert status({}, token_file=file) == 401
    assert status({"authorization": f"Bearer {TOKEN}"}, host="192.0.2.1", token_file=file) == 421
    file.write_text("short", encoding="utf-8")
    with pytest.raises(InputError, match="no token"):
        http_app(load_settings(), host="127.0.0.1", port=8485, token_file=file)
