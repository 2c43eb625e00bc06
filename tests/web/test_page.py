"""The workbench in a browser: what a person does, from a text to the file that they take away."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.web.routes.pages import PAGES
from tests.browser import needs_browser
from tests.web.serving import Serving, serving, settings_in, working
from tests.web.workbench import kept, passages, revised, workbench, write

TEXT = "The colour of the centre is grey. We meet on 12 May. The organisation moved its theatre."
MIXED = "The color of the center is gray. We meet on 12 May. The organisation moved its theatre."


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = settings_in(tmp_path_factory.mktemp("page"))
    with serving(settings) as started, working(settings):
        yield started


def test_the_page_asks_for_its_modules_at_once() -> None:
    """Else the browser finds one in the other, and waits for each."""
    page = (PAGES / "index.html").read_text(encoding="utf-8")
    modules = {path.relative_to(PAGES).as_posix() for path in PAGES.rglob("*.js")} - {"theme.js", "app.js"}
    assert set(re.findall(r'rel="modulepreload" href="/([^"]+)"', page)) == modules


@needs_browser
def test_a_person_revises_a_text(api: Serving, tmp_path: Path) -> None:
    with workbench(api.url) as bench:
        page = bench.open()

        # What is asked for is read as it is written, and a conflict is told before anything runs.
        write(page, TEXT, "Keep sentence 2. Every sentence has fewer than 4 words.")
        page.locator(".conflicts", has_text="Sentence 2 must stay").wait_for()
        assert page.locator(".start button[type=submit]").is_disabled()
        page.locator("#instruction").fill("Keep sentence 2. American spelling.")
        page.locator(".chip.met", has_text="2nd sentence").wait_for()
        page.locator(".chip.unmet", has_text="American").wait_for()
        page.locator(".conflicts").wait_for(state="detached")

        revised(page)
        page.locator(".chip.met", has_text="American").wait_for()
        assert passages(page, "open").count() == 2

        # By keys: the first is accepted, the second rejected, and that is taken back.
        page.keyboard.press("j")
        page.keyboard.press("a")
        page.keyboard.press("j")
        page.keyboard.press("r")
        page.locator(".chip.unmet", has_text="American").wait_for()
        assert (passages(page, "accepted").count(), passages(page, "rejected").count()) == (1, 1)
        page.keyboard.press("Control+z")
        page.locator(".chip.met", has_text="American").wait_for()
        assert (passages(page, "accepted").count(), passages(page, "open").count()) == (1, 1)
        page.keyboard.press("Control+Shift+z")
        passages(page, "rejected").wait_for()

        # All of it is there after the page was loaded again.
        kept(page)
        page.reload()
        passages(page, "rejected").wait_for()
        assert passages(page, "accepted").count() == 1
        document = api.client.get(f"/v1/documents/{page.url.rpartition('/')[2]}").json()
        assert document["original"] == TEXT
        assert document["text"] == MIXED

        page.locator(".tools .menu summary").click()
        with page.expect_download() as started:
            page.get_by_role("button", name="Text as it stands").click()
        started.value.save_as(tmp_path / "text")
        assert (tmp_path / "text").read_text(encoding="utf-8").rstrip("\n") == MIXED
        assert not bench.faults
