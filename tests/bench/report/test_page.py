from __future__ import annotations

import base64
import csv
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from redraft.bench.report.page import CHUNK, write_report
from redraft.errors import InputError
from tests.bench.report.runs import GOLD, INPUTS, dataset, outputs, record, write_run
from tests.browser import Browser, needs_browser

HOSTILE = (
    '</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028\u2029 ]]> & "quotes" \x00 $title'
)

DRAWN = {"svg", "title", "desc", "style", "rect", "line", "text", "circle", "g", "path", "polyline"}
"""All that our figures are made of."""


class Page(HTMLParser):
    """The elements of a page, and the text of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self._script: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.elements.append((tag, found))
        self._script = (found.get("id") or "code") if tag == "script" else None

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts[self._script] = self.scripts.get(self._script, "") + data

    def handle_endtag(self, tag: str) -> None:
        self._script = None

    def unpacked(self, name: str) -> Any:
        return json.loads(zlib.decompress(base64.b64decode(self.scripts[name])))

    def texts(self) -> list[dict[str, Any]]:
        names = [name for name in self.scripts if name.startswith("chunk-")]
        return [text for name in names for text in self.unpacked(name)]


def sides(text: dict[str, Any]) -> tuple[str, str]:
    """Input and output, out of the diff."""
    before = "".join(part for op, part in text["d"] if op != 2)
    return before, "".join(part for op, part in text["d"] if op != 1)


def report(path: Path, *runs: Any, published: Any = None) -> tuple[Page, str]:
    page = write_report(runs, path / "out", published or {})
    assert page == path / "out" / "report.html"
    text = page.read_text(encoding="utf-8")
    return Page(text), text


def test_a_report_and_what_lies_beside_it(tmp_path: Path) -> None:
    run = write_run(
        tmp_path / "run", "model", outputs({("a", 1): GOLD["a"], ("b", 1): INPUTS["b"], ("c", 1): None})
    )
    page, text = report(tmp_path, run, published={"Copy": {"jfleg": {"sari": 26.7}}})
    assert "Copy †" in text
    out = tmp_path / "out"
    assert "| model | 40.0 [39.0, 41.0] / 50.0 [49.0, 51.0] |" in (out / "report.md").read_text()
    assert {"summary.csv", "datasets.csv", "prompts.csv", "coverage.csv"} == {
        f.name for f in out.glob("tables/*")
    }
    linked = re.findall(r"\(figures/(.+?)\)", (out / "report.md").read_text())
    assert linked
    assert {f.name for f in out.glob("figures/*")} == set(linked)
    index = page.unpacked("index")
    assert index["id"] == ["a", "b", "c"]
    assert index["state"] == [0, 1, 2]
    assert index["scores"] == [[50.0, 50.0, None], [40.0, 40.0, None]]
    texts = page.texts()
    assert sides(texts[0]) == (INPUTS["a"], GOLD["a"])
    assert texts[0]["d"] == [[0, "He "], [1, "go"], [2, "goes"], [0, " home ."]]
    assert texts[2]["e"] == "ConnectionFailed: timed out"
    assert texts[2]["i"] == INPUTS["c"]


def test_nothing_outside_the_file_is_referred_to(tmp_path: Path) -> None:
    page, text = report(tmp_path, write_run(tmp_path / "run", "model", outputs({("a", 1): "x"})))
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in text
    assert "@import" not in text
    assert not [tag for tag, _ in page.elements if tag in ("link", "img", "iframe", "object", "base")]
    assert not [found for _, found in page.elements if "src" in found]
    assert all((found.get("href") or "#").startswith("#") for _, found in page.elements)


def test_only_our_own_script_may_run(tmp_path: Path) -> None:
    page, text = report(tmp_path, write_run(tmp_path / "run", "model", outputs({("a", 1): "x"})))
    digest = base64.b64encode(hashlib.sha256(page.scripts["code"].encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'" in text
    assert "innerHTML" not in page.scripts["code"]


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    records = [
        record("a", 1, HOSTILE + "\ud800", instruction=HOSTILE, references=[HOSTILE], documents=[HOSTILE])
    ]
    records += [record("b", 1, None, error=HOSTILE, id=HOSTILE, key=HOSTILE)]
    hostile = dataset(HOSTILE, [{"sari": 40.0, HOSTILE: 2.0}])
    hostile["prompts"]["1"]["instruction"] = HOSTILE
    run = write_run(tmp_path / "run", HOSTILE, records, {"jfleg": hostile})
    run.write("run.json", {"system": "ok", "model": HOSTILE})
    page, _ = report(tmp_path, run)
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 3, "the index, a chunk and our own code"
    assert "img" not in tags
    assert not [found for _, found in page.elements if any(name.startswith("on") for name in found)]
    texts = page.texts()
    assert sides(texts[0]) == (INPUTS["a"], HOSTILE + "\ud800")
    assert (texts[0]["p"], texts[0]["r"], texts[0]["x"], texts[1]["e"]) == (
        HOSTILE,
        [HOSTILE],
        [HOSTILE],
        HOSTILE,
    )
    assert page.unpacked("index")["id"][1] == HOSTILE


NAME = "=cmd|' /C calc'!A1 `x` ](http://x) <script>alert(1)</script>\n# head \x1b[2J \"onload=\"x"


def test_hostile_names_stay_names_in_every_file(tmp_path: Path) -> None:
    prompts = [{NAME: 40.0, f"@{NAME}": 50.0}, {NAME: 41.0, f"@{NAME}": 51.0}]
    hostile = {f"+{NAME}": dataset(f"-{NAME}", prompts)}
    records = [record(name, prompt, "x", dataset=f"+{NAME}", id=NAME) for name in "abc" for prompt in (1, 2)]
    for number, each in enumerate(records):
        each["key"] = f"{NAME}{number}"
    runs = [write_run(tmp_path / name, NAME, records, hostile) for name in "ab"]
    page, _ = report(tmp_path, *runs)
    assert [found for tag, found in page.elements if tag == "script" and "src" in found] == []
    assert not [found for _, found in page.elements if any(name.startswith("on") for name in found)]
    out = tmp_path / "out"
    tables, figures = sorted((out / "tables").iterdir()), sorted((out / "figures").iterdir())
    assert tables
    for file in tables:
        with file.open(encoding="utf-8", newline="") as lines:
            rows = list(csv.reader(lines))
        assert {len(row) for row in rows} == {len(rows[0])}
        assert not [
            cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@", "\t", "\r", "\n")
        ]
        assert "onload" in "".join(rows[0]) + "".join(cell for row in rows for cell in row)
    assert figures
    for file in figures:
        assert {child.tag.rpartition("}")[2] for child in ET.parse(file).iter()} <= DRAWN
    written = MarkdownIt("gfm-like", {"linkify": False}).parse(
        (out / "report.md").read_text(encoding="utf-8")
    )
    assert sum(token.type == "heading_open" for token in written) == 1 + len(tables)
    assert sum(token.type == "table_open" for token in written) == len(tables)
    assert "\x1b" not in (out / "report.md").read_text(encoding="utf-8")
    inside = [child for token in written for child in token.children or ()]
    assert {child.type for child in inside} <= {"text", "text_special", "image"}
    images = [child.attrs["src"] for child in inside if child.type == "image"]
    assert sorted(map(str, images)) == [f"figures/{file.name}" for file in figures]


def test_coverage_is_said_in_words(tmp_path: Path) -> None:
    scored = dataset("JFL", [{"sari": 40.0}], planned=10, failed=2)
    scored["scored"] = 5
    run = write_run(tmp_path / "run", "model", outputs({("a", 1): "x", ("b", 1): None}), {"jfleg": scored})
    said = "model: 5 of 10 items are scored; 2 failed, 3 were not run. The scores leave these out."
    assert said in report(tmp_path, run)[1]
    assert said in (tmp_path / "out" / "report.md").read_text()


def test_several_runs_are_told_apart(tmp_path: Path) -> None:
    first = write_run(tmp_path / "first", "model", outputs({("a", 1): "x", ("b", 1): "y"}))
    second = write_run(tmp_path / "second", "model", outputs({("a", 1): "z"}))
    page, _ = report(tmp_path, first, second)
    index = page.unpacked("index")
    assert index["runs"] == ["model (first)", "model (second)"]
    assert index["run"] == [0, 0, 1]


def test_a_sample_that_was_tried_again_counts_once(tmp_path: Path) -> None:
    again = [record("a", 1, None), record("b", 1, "x"), record("a", 1, GOLD["a"])]
    page, _ = report(tmp_path, write_run(tmp_path / "run", "model", again))
    assert sorted(page.unpacked("index")["id"]) == ["a", "b"]
    assert 2 not in page.unpacked("index")["state"]


def test_samples_come_in_chunks(tmp_path: Path) -> None:
    many = [record("a", 1, f"Output {n}", key=f"jfleg/{n}/1", id=str(n)) for n in range(CHUNK + 1)]
    page, _ = report(tmp_path, write_run(tmp_path / "run", "model", many))
    assert [len(page.unpacked(f"chunk-{number}")) for number in (0, 1)] == [CHUNK, 1]
    assert sides(page.texts()[CHUNK])[1] == f"Output {CHUNK}"


def test_a_run_without_samples_still_opens(tmp_path: Path) -> None:
    page, text = report(tmp_path, write_run(tmp_path / "run", "model", []))
    assert page.unpacked("index")["run"] == []
    assert "There are no scores to draw." in text


def test_sample_scores_are_optional(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "model", outputs({("a", 1): "x"}))
    (run.path / "sample_scores.jsonl").unlink()
    assert report(tmp_path, run)[0].unpacked("index")["scores"] == [[None], [None]]


def test_a_folder_that_is_no_run_is_named(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "model", [])
    (run.path / "scores.json").unlink()
    with pytest.raises(InputError, match=re.escape("has no scores.json")):
        write_report([run], tmp_path / "out", {})
    with pytest.raises(InputError, match="at least one run"):
        write_report([], tmp_path / "out", {})


@needs_browser
def test_in_a_browser_samples_are_shown_found_and_never_run(browser: Browser, tmp_path: Path) -> None:
    records = [record("a", 1, HOSTILE, instruction=HOSTILE), record("b", 1, None, error=HOSTILE)]
    records += [record("c", 1, "They were amazed .")]
    report(tmp_path, write_run(tmp_path / "run", "model", records))
    page = browser.open(tmp_path / "out" / "report.html")
    page.until("document.querySelectorAll('#list article').length === 3")
    assert page.value("document.querySelector('#status').textContent") == "3 of 3 samples, 1 of them failed"
    assert page.value("document.querySelector('#list').textContent.includes('<img src=x onerror=alert(2)>')")
    page.value(
        "const box = document.querySelector('#search'); box.value = 'amazed'; box.dispatchEvent(new Event('input'))"
    )
    page.until("document.querySelector('#status').textContent.startsWith('1 of 3')")
    assert page.value("document.querySelector('#list ins').textContent.includes('amazed')")
    page.value("document.querySelector('table.sortable th').firstChild.click()")
    assert page.value("document.querySelector('table.sortable th').ariaSort") == "ascending"
    assert page.faults == []
