"""The page of a sheet in a browser, where playwright and a Chromium are there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from redraft.judge.sheets import draw_sheet, score_sheets, write_sheet
from tests.judge.test_sheets import GUIDELINES, outputs

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSER = os.environ.get("REDRAFT_TEST_BROWSER") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.mark.skipif(not BROWSER, reason="there is no Chromium; REDRAFT_TEST_BROWSER names one")
def test_a_person_scores_by_keys_leaves_comes_back_and_downloads(tmp_path: Path) -> None:
    sheet = draw_sheet(outputs(2))
    write_sheet(sheet, tmp_path, GUIDELINES)
    faults: list[str] = []
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        page = browser.new_context(accept_downloads=True).new_page()
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.goto((tmp_path / "sheet.html").as_uri())
        for key in ("5", "3", "ArrowLeft", "c"):
            page.keyboard.press(key)
        page.keyboard.type("=1+1, 4")
        page.keyboard.press("Escape")
        page.reload()
        assert page.locator("#told").inner_text() == f"2 of {len(sheet.rows)} scored"
        page.keyboard.press("u")
        assert page.locator("article:visible h2").inner_text() == f"Text 3 of {len(sheet.rows)}"
        with page.expect_download() as download:
            page.click("#download")
        download.value.save_as(tmp_path / "ann.csv")
        other = browser.new_context().new_page()
        other.goto((tmp_path / "sheet.html").as_uri())
        other.set_input_files("#upload", tmp_path / "ann.csv")
        other.locator("#told", has_text="2 of").wait_for()
        assert other.locator("textarea").nth(1).input_value() == "=1+1, 4"
        browser.close()
    assert not faults
    assert "'=1+1, 4" in (tmp_path / "ann.csv").read_text(encoding="utf-8")
    found = score_sheets(str(tmp_path / "key.json"), [str(tmp_path / "ann.csv")])
    assert (
        len([each for each in found.problems if each.is_empty]) == len(found.problems) == len(sheet.rows) - 2
    )
