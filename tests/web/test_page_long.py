"""The workbench in a browser, the long proofs: `make test-all` runs them."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from redraft.text import read_docx
from tests.browser import needs_browser
from tests.text.docx_files import accepted, make_docx, paragraph, rejected, run
from tests.web.serving import Serving, eventually, serving, settings_in, working
from tests.web.workbench import kept, passages, revised, until, workbench, write

pytestmark = [pytest.mark.long, needs_browser]

TEXT = "The colour of the centre is grey. We meet on 12 May. The organisation moved its theatre."
HOSTILE = """<script>alert(1)</script> is the colour of <b>the centre</b> & more. <img src=x onerror=alert(2)> 😀😀 grey.

javascript:alert(3) ends ${here} {{now}}, says "><svg onload=alert(4)>."""
AXE = Path(sys.prefix) / "axe.min.js"


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Its worker scores by rule: these are about the page."""
    settings = settings_in(tmp_path_factory.mktemp("page"))
    with serving(settings) as started, working(settings):
        yield started


@pytest.fixture(scope="module")
def idle(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Nobody works here until a test does."""
    with serving(settings_in(tmp_path_factory.mktemp("idle"))) as started:
        yield started


def document(api: Serving, page: Page) -> dict[str, Any]:
    found: dict[str, Any] = api.client.get(f"/v1/documents/{page.url.rpartition('/')[2]}").json()
    return found


def test_a_job_is_found_again_and_stopped(idle: Serving) -> None:
    with workbench(idle.url) as bench:
        page = bench.open()
        write(page, TEXT, "American spelling.")
        page.keyboard.press("Control+Enter")
        page.locator(".progress", has_text="Waiting").wait_for()
        page.reload()
        page.locator(".progress", has_text="Waiting").wait_for()
        page.get_by_role("button", name="Stop and keep the best").click()
        page.locator(".problem", has_text="stopped before it began").wait_for()
        assert page.locator("#draft").input_value() == TEXT
        assert not bench.faults


def test_a_job_that_ended_while_nobody_looked_is_laid_on_the_desk(idle: Serving) -> None:
    with workbench(idle.url) as bench:
        page = bench.open()
        write(page, TEXT, "American spelling.")
        page.keyboard.press("Control+Enter")
        page.locator(".progress").wait_for()
        address = page.url
        page.close()
        with working(idle.app.state.served.settings):
            job = idle.client.get("/v1/jobs", params={"limit": 1}).json()["jobs"][0]["id"]
            eventually(lambda: idle.client.get(f"/v1/jobs/{job}").json()["state"] == "done")
        page = bench.open(address.removeprefix(idle.url))
        page.locator("#result-heading").wait_for()
        assert passages(page, "open").count() == 2
        assert not bench.faults


def test_what_is_left_as_it_is_stays_so_over_a_second_run(api: Serving) -> None:
    with workbench(api.url) as bench:
        page = bench.open()
        write(page, TEXT, "American spelling.")
        revised(page)
        page.keyboard.press("j")
        page.keyboard.press("r")
        page.keyboard.press("l")
        # As it stands it cannot stay; in the person's own words it can.
        page.locator(".conflicts", has_text="What you left as it is").wait_for()
        page.keyboard.press("e")
        page.keyboard.press("Control+a")
        page.keyboard.type("The color there is our own.")
        page.keyboard.press("Escape")
        page.locator(".conflicts").wait_for(state="detached")
        kept(page)
        first = document(api, page)["state"]["job"]
        page.keyboard.press("Control+Enter")
        eventually(lambda: pump(page) or document(api, page)["state"]["job"] != first)
        page.locator(".badge.locked").wait_for()
        found = document(api, page)
        assert (
            found["text"]
            == "The color there is our own. We meet on 12 May. The organization moved its theater."
        )
        assert found["original"] == TEXT
        assert not bench.faults


def test_two_windows_see_each_other_and_lose_nothing(api: Serving) -> None:
    with workbench(api.url) as bench:
        one = bench.open()
        write(one, TEXT, "American spelling.")
        two = bench.open(one.url.removeprefix(api.url))
        until(two, "document.querySelector('#draft')?.value.length > 20")
        two.locator("#instruction").fill("British spelling.")
        kept(two)
        until(one, "document.querySelector('#instruction').value === 'British spelling.'")

        # Each changes something else at once: both are kept.
        held: list[Route] = []
        one.route("**/v1/documents/*", lambda route: hold(route, held))
        one.locator("#draft").fill(TEXT + " One.")
        eventually(lambda: pump(one) or held)
        two.locator("#instruction").fill("American spelling.")
        kept(two)
        held.pop().continue_()
        one.unroute("**/v1/documents/*")
        until(one, "document.querySelector('#instruction').value === 'American spelling.'")
        kept(one)
        until(two, "document.querySelector('#draft').value.endsWith(' One.')")

        # Both change the text: the one who is late is asked, and what they typed is still there.
        one.route("**/v1/documents/*", lambda route: hold(route, held))
        one.locator("#draft").fill(TEXT + " Mine.")
        eventually(lambda: pump(one) or held)
        two.locator("#draft").fill(TEXT + " Theirs.")
        kept(two)
        held.pop().continue_()
        one.unroute("**/v1/documents/*")
        one.locator(".theirs").wait_for()
        assert one.locator("#draft").input_value().endswith(" Mine.")
        one.get_by_role("button", name="Keep mine").click()
        until(two, "document.querySelector('#draft').value.endsWith(' Mine.')")
        assert [fault for fault in bench.faults if "412" not in fault] == []


def hold(route: Route, held: list[Route]) -> None:
    if route.request.method == "PUT" and not held:
        held.append(route)
    else:
        route.continue_()


def pump(page: Page) -> None:
    """Have the routes of a page called."""
    page.evaluate("0")


def test_a_docx_comes_back_with_its_changes_tracked(api: Serving, tmp_path: Path) -> None:
    body = paragraph(run("The colour of the "), run("centre", "b"), run(" is grey."))
    (tmp_path / "letter.docx").write_bytes(make_docx(body + paragraph(run("The organisation moved."))))
    with workbench(api.url, accept_downloads=True) as bench:
        page = bench.open()
        page.locator(".draft input[type=file]").set_input_files(tmp_path / "letter.docx")
        until(page, "document.querySelector('#draft').value.includes('organisation')")
        before = page.locator("#draft").input_value()
        page.locator("#instruction").fill("American spelling.")
        page.locator(".chip.unmet", has_text="American").wait_for()
        revised(page)
        page.keyboard.press("j")
        page.keyboard.press("j")
        page.keyboard.press("r")
        page.locator(".tools .menu summary").click()
        with page.expect_download() as started:
            page.get_by_role("button", name="Word document").click()
        started.value.save_as(tmp_path / "out.docx")
        written = (tmp_path / "out.docx").read_bytes()
        assert read_docx(rejected(written)).text == before
        now = read_docx(accepted(written)).text
        assert "color" in now
        assert "organisation" in now
        assert not bench.faults


def test_hostile_mark_up_is_text(api: Serving) -> None:
    with workbench(api.url) as bench:
        page = bench.open()
        write(page, HOSTILE, "American spelling. <img src=x onerror=alert(5)>")
        page.locator("input.title").fill("<script>alert(6)</script>")
        revised(page)
        for view in ("Inline", "Side by side"):
            page.get_by_role("button", name=view, exact=True).click()
            page.keyboard.press("j")
            for tab in ("Why", "Search", "Brief"):
                page.get_by_role("tab", name=tab).click()
            assert "<script>alert(1)</script>" in page.locator("#passages").inner_text()
            assert page.locator("#app script, #app img, #app svg[onload]").count() == 0
        kept(page)
        assert document(api, page)["original"] == HOSTILE
        assert not bench.faults


def test_everything_can_be_done_by_keyboard(api: Serving) -> None:
    with workbench(api.url) as bench:
        page = bench.open()
        until(page, "document.activeElement.id === 'draft'")
        page.keyboard.insert_text(TEXT)
        page.keyboard.press("Alt+i")
        page.keyboard.insert_text("American spelling. At most 3 words.")
        page.locator(".chip", has_text="words").wait_for()

        # A constraint is taken away, and another one chosen from the menu.
        tab_to(page, "Remove: The text should contain fewer than 4 words.")
        page.keyboard.press("Enter")
        page.locator(".chip", has_text="4 words").wait_for(state="detached")
        page.keyboard.press("Alt+i")
        tab_to(page, "Add")
        page.keyboard.press("Enter")
        page.locator("dialog").wait_for()
        page.locator("dialog select").first.focus()
        page.keyboard.type("Sentence count")
        page.locator("dialog input[type=number]").first.wait_for()
        page.keyboard.press("Tab")
        page.keyboard.press("Control+a")
        page.keyboard.type("4")
        page.keyboard.press("Enter")
        page.locator(".chip", has_text="sentences").wait_for()
        assert page.locator("dialog").count() == 0

        revised(page)
        until(page, "document.activeElement.id === 'result-heading'")
        for key in "jajr":
            page.keyboard.press(key)
        assert (passages(page, "accepted").count(), passages(page, "rejected").count()) == (1, 1)
        page.keyboard.press("e")
        until(page, "document.activeElement.matches('.editor textarea')")
        page.keyboard.type(" More")
        page.keyboard.press("Escape")
        passages(page, "edited").wait_for()
        until(page, "document.activeElement.matches('.passage.selected')")
        page.keyboard.press("w")
        page.locator(".why").wait_for()
        page.keyboard.press("Escape")
        assert page.locator(".card").count() == 0
        page.keyboard.press("?")
        page.locator("dialog", has_text="Keys").wait_for()
        page.keyboard.press("Escape")
        assert not bench.faults


def tab_to(page: Page, name: str) -> None:
    """Press Tab until a control of this name has the focus."""
    for _ in range(40):
        page.keyboard.press("Tab")
        named = page.evaluate("document.activeElement.ariaLabel || document.activeElement.innerText || ''")
        if str(named).strip() == name:
            return
    raise AssertionError(f"never came to {name}")


@pytest.mark.skipif(not AXE.exists(), reason="needs axe-core, which `make test-all` fetches by npm")
@pytest.mark.parametrize("colours", ["light", "dark"])
def test_no_serious_problem_of_access(api: Serving, colours: str) -> None:
    rules = AXE.read_text(encoding="utf-8")
    with workbench(api.url, color_scheme=colours) as bench:
        page = bench.open()

        def check(where: str) -> None:
            page.evaluate(rules)
            found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
            bad = [one for one in found if one["impact"] in ("serious", "critical")]
            told = [(one["id"], [node["html"] for node in one["nodes"]]) for one in bad]
            assert not told, f"{where}: {json.dumps(told, indent=1)}"

        check("empty")
        write(
            page,
            TEXT,
            "Keep sentence 2. Every sentence has fewer than 4 words. Add a haiku. Make it friendlier.",
        )
        page.locator(".conflicts").wait_for()
        check("conflict")
        page.get_by_role("button", name="Add", exact=True).click()
        page.locator("dialog select").first.select_option("keyword_frequency_check")
        check("dialog")
        page.keyboard.press("Escape")
        page.locator("#instruction").fill("American spelling.")
        page.locator(".chip.unmet", has_text="American").wait_for()
        revised(page)
        page.keyboard.press("j")
        check("result")
        page.get_by_role("button", name="Side by side").click()
        for tab in ("Why", "Search"):
            page.get_by_role("tab", name=tab).click()
            check(tab)
        page.get_by_role("button", name="History").click()
        check("history")
        page.keyboard.press("Escape")
        for name in ("simplify", "compose", "check", "runs", "models"):
            page.goto(f"{api.url}/#/{name}")
            page.locator("main h1").wait_for()
            check(name)


def test_a_long_document_is_written_and_looked_through(api: Serving) -> None:
    rows = " ".join(
        f"In row {row} the colour of the centre is grey, as the organisation said of it." for row in range(8)
    )
    long = "\n\n".join(f"Part {part}. {rows}" for part in range(160))
    assert len(long.split()) > 20_000
    with workbench(api.url) as bench:
        page = bench.open()
        page.locator("#draft").fill(long)
        page.locator("#instruction").fill("American spelling.")
        page.locator(".chip.unmet", has_text="American").wait_for()
        page.evaluate(
            "window.waits = []; new PerformanceObserver((list) => list.getEntries().forEach((one) =>"
            " waits.push(one.duration))).observe({entryTypes: ['longtask']})"
        )
        page.locator("#draft").focus()
        page.keyboard.press("Control+Home")
        page.keyboard.type("Typing is never held up. ")
        kept(page)
        assert document(api, page)["text"] == f"Typing is never held up. {long}"
        page.keyboard.press("Control+Enter")
        page.locator("#result-heading").wait_for()
        assert int(re.findall(r"\d+", page.locator("#result-heading").inner_text())[0]) >= 1280
        page.keyboard.press("j")
        page.keyboard.press("a")
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        page.locator("text=Part 159.").first.wait_for()
        # On a busy machine single steps are slow; but none may take the time that drawing everything takes.
        assert max(page.evaluate("waits"), default=0) < 5_000
        assert not bench.faults
