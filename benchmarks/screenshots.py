"""Pictures of the workbench, taken of a real server with the embedded model: docs/pictures/workbench-*.png.

    .venv/bin/python benchmarks/screenshots.py [--all] [OUT]

Five for the README; with `--all`, every page in every state, light and dark, wide and narrow, to look at.
"""

from __future__ import annotations

import argparse
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

WIDE, NARROW = (1440, 900), (390, 844)
PATIENCE_MS = 600_000
HOSTILE = "<script>alert(1)</script> cost <b>synergy</b> & more. Then <img src=x onerror=alert(2)> came."
RIGHT_TO_LEFT = "פגישת הצוות תתקיים ביום שלישי, 19 במאי, בשעה 9:30 בחדר 4. אנא אשרו את השתתפותכם עד יום שישי."
CONFLICT = "Keep sentence 2. Every sentence has fewer than 6 words. Add a haiku in Klingon."


@contextmanager
def served() -> Iterator[str]:
    """The address of a server with an empty data folder."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "redraft", "serve", "--no-open", "--port", str(port), "--data", data]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            wait_for(url + "readyz")
            yield url
        finally:
            process.terminate()
            process.wait()


def wait_for(address: str) -> None:
    """Wait until a server answers."""
    for _ in range(600):
        try:
            with urllib.request.urlopen(address):
                return
        except OSError:
            time.sleep(0.2)
    sys.exit(f"{address} does not answer")


class Camera:
    """Takes pictures of the workbench in one size and in one set of colours."""

    def __init__(self, browser: Browser, url: str, out: Path, size: tuple[int, int], colours: str) -> None:
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=colours, reduced_motion="reduce"
        )
        context.set_default_timeout(PATIENCE_MS)
        self.page: Page = context.new_page()
        self._url, self._out = url, out
        self._name = f"{colours}-{'wide' if size == WIDE else 'narrow'}"

    def go(self, route: str = "") -> Page:
        """Go to a page, with nothing on the desk."""
        self.page.goto("about:blank")
        self.page.goto(self._url + route)
        self.page.locator("main h1").wait_for(state="attached")
        return self.page

    def take(self, name: str, named: str | None = None) -> None:
        """Take a picture, when what is told in passing has gone."""
        self.page.evaluate("document.fonts.ready")
        self.page.locator(".notice.shown").wait_for(state="detached")
        self.page.locator(".saving", has_text="…").wait_for(state="detached")
        path = self._out / (f"workbench-{named}.png" if named else f"{name}-{self._name}.png")
        self.page.screenshot(path=path)
        print(path)


def sample(camera: Camera) -> str:
    """The sample text, revised; the address of the document."""
    page = camera.go()
    page.get_by_text("Try it with a sample text").click()
    page.locator(".chip.unmet").first.wait_for()
    camera.take("draft")
    page.get_by_text("Quick").click()
    page.keyboard.press("Control+Enter")
    page.locator(".settled, #result-heading").first.wait_for()
    if page.locator(".progress").count():
        camera.take("running")
    page.locator("#result-heading").wait_for()
    page.locator(".chip.met").first.wait_for()
    return page.url.rpartition("#")[2]


def look_through(camera: Camera, address: str, *, for_readme: bool = False) -> None:
    """The result, looked through."""
    page = camera.go(f"#{address}")
    page.locator("#result-heading").wait_for()
    page.locator(".chip.met").first.wait_for()
    page.keyboard.press("j")
    page.keyboard.press("j")
    camera.take("result", "result" if for_readme else None)
    page.get_by_role("button", name="Side by side").click()
    page.get_by_role("tab", name="Why").click()
    page.locator(".why h3").wait_for()
    camera.take("why", "why" if for_readme else None)
    if for_readme:
        return
    page.get_by_role("tab", name="Search").click()
    page.locator(".tree .node").last.click()
    camera.take("search")


def other_states(camera: Camera) -> None:
    """Nothing yet, a conflict, hostile mark-up, a text from right to left, and the other pages."""
    page = camera.go()
    camera.take("empty")
    page.get_by_text("Try it with a sample text").click()
    page.locator("#instruction").fill(CONFLICT)
    page.locator(".conflicts").wait_for()
    camera.take("conflict")
    for name, text in (("hostile", HOSTILE), ("right-to-left", RIGHT_TO_LEFT)):
        page = camera.go()
        page.locator("#draft").fill(text)
        page.locator("#instruction").fill("Keep all numbers, at most 30 words.")
        page.locator(".chip.met").first.wait_for()
        camera.take(name)
    page = camera.go("#/check")
    page.locator("#check-instruction").fill("American spelling, and never say “leverage”.")
    files = [
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
        for name, text in (
            ("report.md", "# Report\n\nWe leverage the colour of the new centre.\n"),
            ("letter.txt", "Dear Ms Lee,\n\nThe theater is open.\n"),
        )
    ]
    page.locator("input[type=file]").set_input_files(files)
    page.locator(".places").first.wait_for()
    camera.take("check")
    page = camera.go("#/models")
    page.locator("table").first.wait_for()
    camera.take("models")


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="every state, light and dark, wide and narrow")
    parser.add_argument("out", nargs="?", type=Path, default=Path("docs/pictures"))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    program = os.environ.get("REDRAFT_TEST_BROWSER") or shutil.which("chromium")
    with served() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        camera = Camera(browser, url, asked.out, WIDE, "light")
        if not asked.all:
            five(camera, Camera(browser, url, asked.out, NARROW, "dark"))
            return
        address = sample(camera)
        for size in (WIDE, NARROW):
            for colours in ("light", "dark"):
                camera = Camera(browser, url, asked.out, size, colours)
                look_through(camera, address)
                other_states(camera)


def five(wide: Camera, narrow: Camera) -> None:
    """Those for the README."""
    page = wide.go()
    page.get_by_text("Try it with a sample text").click()
    page.locator(".chip.unmet").first.wait_for()
    page.locator(".saving", has_text="kept").wait_for()
    wide.take("", "draft")
    page.locator("#instruction").fill(CONFLICT)
    page.locator(".conflicts").wait_for()
    wide.take("", "conflict")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    page.locator(".conflicts").wait_for(state="detached")
    page.get_by_text("Quick").click()
    page.keyboard.press("Control+Enter")
    page.locator("#result-heading").wait_for()
    address = page.url.rpartition("#")[2]
    look_through(wide, address, for_readme=True)
    page = narrow.go(f"#{address}")
    page.locator("#result-heading").wait_for()
    narrow.take("", "narrow-dark")


if __name__ == "__main__":
    main()
