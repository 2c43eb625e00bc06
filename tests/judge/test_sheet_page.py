"""The page of a sheet in a browser, where there is one."""

from __future__ import annotations

from pathlib import Path

from redraft.judge.sheets import draw_sheet, score_sheets, write_sheet
from tests.browser import Browser, needs_browser
from tests.judge.test_sheets import GUIDELINES, outputs


@needs_browser
def test_a_person_scores_by_keys_leaves_comes_back_and_downloads(browser: Browser, tmp_path: Path) -> None:
    sheet = draw_sheet(outputs(2))
    write_sheet(sheet, tmp_path, GUIDELINES)
    page = browser.open(tmp_path / "sheet.html", downloads=tmp_path)
    page.press("5", "3", "ArrowLeft", "c")
    page.write("=1+1, 4")
    page.press("Escape")
    page.load()
    assert page.value("document.querySelector('#told').innerText") == f"2 of {len(sheet.rows)} scored"
    page.press("u")
    shown = "document.querySelector('article:not([hidden]) h2').innerText"
    assert page.value(shown) == f"Text 3 of {len(sheet.rows)}"
    downloaded = tmp_path / page.download("#download")
    other = browser.open(tmp_path / "sheet.html")
    other.choose("#upload", downloaded)
    other.until("document.querySelector('#told').innerText.includes('2 of')")
    assert other.value("document.querySelectorAll('textarea')[1].value") == "=1+1, 4"
    assert page.faults == other.faults == []
    assert "'=1+1, 4" in downloaded.read_text(encoding="utf-8")
    found = score_sheets(str(tmp_path / "key.json"), [str(downloaded)])
    assert (
        len([each for each in found.problems if each.is_empty]) == len(found.problems) == len(sheet.rows) - 2
    )
