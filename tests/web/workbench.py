"""A browser at the workbench: Playwright with the Chromium that is there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, sync_playwright

from tests.browser import PROGRAM
from tests.web.serving import PATIENCE_S


class Workbench:
    """A browser with the pages that were opened in it; it keeps what they complain about."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self._context, self._url = context, url
        self.faults: list[str] = []
        context.set_default_timeout(PATIENCE_S * 1000)
        context.on("weberror", lambda error: self.faults.append(str(error.error)))
        context.on("console", lambda said: said.type == "error" and self.faults.append(said.text))
        context.on("request", self._see)
        context.on(
            "dialog", lambda dialog: (self.faults.append(f"a dialog: {dialog.message}"), dialog.dismiss())
        )

    def _see(self, request: Any) -> None:
        if not request.url.startswith((self._url, "data:", "blob:")):
            self.faults.append(f"asks elsewhere: {request.url}")

    def open(self, path: str = "/") -> Page:
        page = self._context.new_page()
        page.goto(self._url + path)
        page.locator("main").wait_for()
        return page


@contextmanager
def workbench(url: str, **options: Any) -> Iterator[Workbench]:
    """A browser that knows nothing yet; ended on leaving."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=PROGRAM, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        try:
            yield Workbench(browser.new_context(**options), url)
        finally:
            browser.close()


def until(page: Page, expression: str) -> Any:
    """Wait for an expression to become true; the page's policy lets nothing be evaluated from within."""
    end = time.monotonic() + PATIENCE_S
    while not (found := page.evaluate(expression)):
        assert time.monotonic() < end, f"never true: {expression}"
        time.sleep(0.03)
    return found


def write(page: Page, text: str, instruction: str) -> None:
    """Write a text and what is wanted, and wait until both are kept."""
    page.locator("#draft").fill(text)
    page.locator("#instruction").fill(instruction)
    kept(page)


def kept(page: Page) -> None:
    """Wait until nothing is unsaved."""
    page.keyboard.press("Control+s")
    page.locator(".saving", has_text="kept").wait_for()


def passages(page: Page, state: str) -> Locator:
    """The passages in a state: open, accepted, rejected, edited."""
    return page.locator(f".passage.{state}")


def revised(page: Page) -> None:
    """Start, and wait for the result."""
    page.keyboard.press("Control+Enter")
    page.locator("#result-heading").wait_for()
