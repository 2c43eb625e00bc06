"""Who is let in, how much, and what an answer lets a page do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft import workspace
from redraft.errors import InputError
from redraft.web import Safety, read_token
from tests.web.serving import Serving, serving, settings_in

TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    safety = Safety(token=TOKEN, names=("drafts.example",), most_body=2_000)
    with serving(settings_in(tmp_path_factory.mktemp("safe")), safety=safety) as started:
        yield started


def status(guarded: Serving, path: str = "/v1/kinds", method: str = "GET", **headers: str) -> int:
    sent = {"Authorization": f"Bearer {TOKEN}", **headers}
    return guarded.client.request(method, path, headers=sent).status_code


def test_a_token_is_needed(guarded: Serving) -> None:
    assert guarded.client.get("/v1/kinds").status_code == 401
    assert status(guarded, Authorization="Bearer wrong") == 401
    assert status(guarded, Authorization=f"Basic {TOKEN}") == 401
    assert status(guarded) == 200
    assert guarded.client.get("/healthz").status_code == 200
    assert guarded.client.get("/").headers["location"] == "/login"


def test_the_token_is_exchanged_for_a_cookie(guarded: Serving) -> None:
    assert guarded.client.post("/login", data={"token": "wrong"}).status_code == 401
    answer = guarded.client.post("/login", data={"token": TOKEN}, headers={"Origin": guarded.url})
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    assert TOKEN not in cookie
    own = {"Cookie": cookie.partition(";")[0]}
    assert guarded.client.get("/v1/kinds", headers=own).status_code == 200
    assert guarded.client.get("/v1/kinds", headers={"Cookie": "redraft=x"}).status_code == 401
    guarded.client.cookies.clear()


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8484", "127.0.0.1.evil.example", "", "[::1", "8.8.8.8"]
)
def test_a_name_that_is_not_ours_is_refused(guarded: Serving, host: str) -> None:
    assert status(guarded, Host=host) == 421


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1:9", "[::1]:8484", "drafts.example", "Drafts.Example:443"]
)
def test_our_names_are_known(guarded: Serving, host: str) -> None:
    assert status(guarded, Host=host) == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost"])
def test_pages_of_other_sites_are_refused(guarded: Serving, origin: str) -> None:
    assert status(guarded, Origin=origin) == 403
    assert status(guarded, "/v1/jobs/x/events", Origin=origin) == 403
    assert status(guarded, "/v1/parse", "POST", Origin=origin) == 403


def test_a_request_across_sites_is_refused_unless_it_is_a_visit(guarded: Serving) -> None:
    across = {"Sec-Fetch-Site": "cross-site"}
    assert status(guarded, **across, **{"Sec-Fetch-Mode": "no-cors"}) == 403
    assert status(guarded, "/", **across, **{"Sec-Fetch-Mode": "navigate"}) == 200
    assert status(guarded, "/v1/parse", "POST", **across, **{"Sec-Fetch-Mode": "navigate"}) == 403
    assert status(guarded, Origin=guarded.url) == 200


def test_a_body_is_limited_told_or_not(guarded: Serving) -> None:
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    long = b'{"instruction": "' + b"x" * 3_000 + b'"}'
    assert guarded.client.post("/v1/parse", content=long, headers=headers).status_code == 413
    parts = (long[start : start + 100] for start in range(0, len(long), 100))
    answer = guarded.client.post("/v1/parse", content=parts, headers=headers)
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


def test_every_answer_says_what_a_page_may_do(guarded: Serving) -> None:
    for path in ("/", "/v1/kinds", "/nothing", "/login"):
        headers = guarded.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_an_address_that_others_reach_needs_a_token() -> None:
    with pytest.raises(InputError, match="--token-file"):
        Safety("0.0.0.0")
    assert Safety("0.0.0.0", token=TOKEN).is_ours("192.168.1.7:8484")
    assert not Safety("0.0.0.0", token=TOKEN).is_ours("evil.example")
    assert TOKEN not in repr(Safety(token=TOKEN))


def test_a_token_is_long_enough(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(f"{TOKEN}\n")
    assert read_token(file) == TOKEN
    file.write_text("short\n")
    with pytest.raises(InputError, match="at least 16"):
        read_token(file)


def test_an_error_of_ours_tells_nothing_but_its_kind(
    guarded: Serving, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    private = "a private sentence"

    def fail(*_: object) -> None:
        raise KeyError(private)

    monkeypatch.setattr(workspace, "check_text", fail)
    answer = guarded.post("/v1/check", {"text": "A."}, Authorization=f"Bearer {TOKEN}")
    assert (answer.status_code, answer.json()["status"]) == (500, 500)
    assert "content-security-policy" in answer.headers
    assert "KeyError" in caplog.text
    assert private not in caplog.text + answer.text
