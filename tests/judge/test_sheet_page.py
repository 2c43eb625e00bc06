"""The page of a sheet in a browser, where there is one."""

from __future__ import annotations

from pathlib import Path

from redraft.judge import Context, Item
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
    told = f"document.querySelector('#told').innerText === '2 of {len(sheet.rows)} scored'"
    page.until(told)
    page.load()
    page.until(told)
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


@needs_browser
def test_what_is_wrong_is_ticked_kept_and_downloaded(browser: Browser, tmp_path: Path) -> None:
    context = Context(instruction="Write of rain.", references=("Rain.",))
    outputs = {"one": [Item("1", "Rain falls.", context, "end2end")], "two": [Item("1", "Snow.", context)]}
    write_sheet(draw_sheet(outputs, form="writing"), tmp_path)
    page = browser.open(tmp_path / "sheet.html", downloads=tmp_path)
    page.press("2")
    assert "Name what is wrong" in page.value("document.querySelector('#warning').innerText")
    page.value("document.querySelector('article:not([hidden]) input[value=fluency]').click()")
    assert page.value("document.querySelector('#warning').hidden") is True
    page.load()
    page.press("ArrowRight", "4")
    downloaded = tmp_path / page.download("#download")
    other = browser.open(tmp_path / "sheet.html")
    other.choose("#upload", downloaded)
    other.until("document.querySelectorAll('input[value=fluency]:checked').length === 1")
    assert page.faults == other.faults == []
    found = score_sheets(str(tmp_path / "key.json"), [str(downloaded)])
    assert found.problems == ()
    assert sorted(one.mean or 0 for one in found.systems) == [2, 4]
    assert [dict(one.errors) for one in found.systems if one.mean == 2] == [{"fluency": 1.0}]
