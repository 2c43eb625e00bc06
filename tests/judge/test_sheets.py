"""Sheets for people: blind, safe in spreadsheets, and scored."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from redraft.errors import InputError
from redraft.judge import Context, Item
from redraft.judge.sheets import (
    Guidelines,
    Sheet,
    csv_of,
    draw_sheet,
    escape_formula,
    read_cells,
    score_sheets,
    unescape_formula,
    write_sheet,
)

GUIDELINES = Guidelines("Score", "Words <only>.", ("easier words",), ("lost meaning",))
NASTY = '=HYPERLINK("http://x","y")</script><script>alert(1)</script><b>&amp; 5 < 6'


def outputs(count: int = 6) -> dict[str, list[Item]]:
    """Three systems: one that copies, one that marks its texts, one that writes as the second now and then."""
    found: dict[str, list[Item]] = {"copy": [], "alpha": [], "beta": []}
    for n in range(count):
        source = f"Source {n}." if n else NASTY
        context = Context(source=source)
        found["copy"].append(Item(f"turk/{n}/1", source, context))
        found["alpha"].append(Item(f"turk/{n}/1", f"Alfa {n}.", context))
        found["beta"].append(Item(f"turk/{n}/1", f"Alfa {n}." if n % 3 == 0 else f"Bravo {n}.", context))
    return found


def filled(sheet: Sheet, file: Path, scores: dict[str, str], **more: str) -> Path:
    """The sheet with a score for each of the systems, or `more` by id; the last system of a row counts."""
    rows = [
        (row.id, row.source, row.text, more.get(row.id, scores[row.systems[-1]]), "=a comment")
        for row in sheet.rows
    ]
    file.write_text(csv_of([("id", "source", "simplification", "score", "comment"), *rows]), encoding="utf-8")
    return file


def key_of(sheet: Sheet, folder: Path) -> str:
    write_sheet(sheet, folder, GUIDELINES)
    return str(folder / "key.json")


def test_the_same_sources_are_drawn_for_all_and_shuffled() -> None:
    sheet = draw_sheet(outputs(40), limit=20, seed=1)
    items = Counter(row.item for row in sheet.rows)
    assert len(items) == 20
    for item in items:
        systems = [system for row in sheet.rows if row.item == item for system in row.systems]
        assert sorted(systems) == ["alpha", "beta", "copy"]
    assert len({row.id for row in sheet.rows}) == len(sheet.rows)
    first = [row.systems[0] for row in sheet.rows]
    assert first != sorted(first)
    assert [row.item for row in sheet.rows] != sorted(row.item for row in sheet.rows)
    assert draw_sheet(outputs(40), limit=20, seed=1) == sheet
    assert draw_sheet(outputs(40), limit=20, seed=2).name != sheet.name


def test_what_two_systems_wrote_alike_is_scored_once() -> None:
    sheet = draw_sheet(outputs(6))
    shared = [row for row in sheet.rows if row.systems == ("alpha", "beta")]
    assert {row.text for row in shared} == {"Alfa 0.", "Alfa 3."}
    assert len(sheet.rows) == 3 * 6 - 2


def test_a_source_that_occurs_twice_is_drawn_once() -> None:
    found = outputs(4)
    for items in found.values():
        items.append(Item("asset/1/1", items[1].text, items[1].context))
    assert len({row.item for row in draw_sheet(found).rows}) == 4


def test_nothing_tells_whose_a_text_is(tmp_path: Path) -> None:
    write_sheet(draw_sheet(outputs()), tmp_path, GUIDELINES)
    for name in ("sheet.csv", "sheet.html"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert not [word for word in ("alpha", "beta", "copy", "turk/") if word in text.lower()]
    with pytest.raises(InputError, match="has a sheet already"):
        write_sheet(draw_sheet(outputs()), tmp_path, GUIDELINES)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda found: found["beta"].clear(), "no text for the same source"),
        (
            lambda found: found.update(beta=[Item("turk/1/1", "x", Context(source="other"))]),
            "the same source",
        ),
        (lambda found: found.update({name: [Item("a", "x")] for name in found}), "a has no source"),
    ],
)
def test_runs_that_do_not_fit_are_refused(change, message: str) -> None:  # type: ignore[no-untyped-def]
    found = outputs()
    change(found)
    with pytest.raises(InputError, match=message):
        draw_sheet(found)


class Page(HTMLParser):
    """The tags and the texts of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_shows_texts_and_runs_none(tmp_path: Path) -> None:
    sheet = draw_sheet(outputs())
    write_sheet(sheet, tmp_path, GUIDELINES)
    html = (tmp_path / "sheet.html").read_text(encoding="utf-8")
    page = Page(html)
    assert page.tags["script"] == 1
    assert page.tags["article"] == len(sheet.rows)
    assert page.tags["input"] == 5 * len(sheet.rows) + 1
    assert page.texts.count(NASTY) == 3  # twice as a source, once as a copy of it
    assert "Words <only>." in page.texts
    assert "http://" not in html.replace("http://x", "")
    assert "default-src 'none'" in html


@given(st.text())
def test_a_cell_comes_back_as_it_was_and_never_begins_as_a_formula(text: str) -> None:
    assert unescape_formula(escape_formula(text)) == text
    assert not escape_formula(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-8", "utf-16"])
def test_sheets_from_spreadsheets_are_read(tmp_path: Path, delimiter: str, encoding: str) -> None:
    out = io.StringIO()
    rows = [["ID ", "source", "Score"], ["'-1", "a;b,c\nd é", "4"], ["", "", ""], ["2", "'=x", ""]]
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    file = tmp_path / "s.csv"
    file.write_bytes(out.getvalue().encode(encoding))
    assert read_cells(str(file), ("id", "score")) == [
        (2, {"id": "-1", "source": "a;b,c\nd é", "score": "4"}),
        (4, {"id": "2", "source": "=x", "score": ""}),
    ]


def test_scores_of_two_people(tmp_path: Path) -> None:
    sheet = draw_sheet(outputs(12))
    key = key_of(sheet, tmp_path / "out")
    one = filled(sheet, tmp_path / "ann.csv", {"copy": "1", "alpha": "5", "beta": "3"})
    other = filled(sheet, tmp_path / "ben.csv", {"copy": "2", "alpha": "5,0", "beta": "4.0"})
    found = score_sheets(key, [str(one), str(other)])
    assert found.people == ("ann", "ben")
    by_name = {each.system: each for each in found.systems}
    # A third of alpha's texts are beta's too, and have beta's score.
    assert by_name["alpha"].mean == pytest.approx((8 * 5 + 4 * 3.5) / 12)
    assert by_name["beta"].mean == pytest.approx(3.5)
    assert by_name["copy"].mean == pytest.approx(1.5)
    assert (by_name["alpha"].high, by_name["beta"].moderate, by_name["copy"].low) == (
        pytest.approx(8 / 12),
        1,
        1,
    )
    assert by_name["alpha"].interval is not None
    pairs = {(each.first, each.second): each for each in found.differences}
    assert pairs["copy", "alpha"].difference == pytest.approx(-3)
    assert pairs["copy", "alpha"].sources == 12
    assert pairs["copy", "alpha"].p < 0.05
    assert found.problems == ()
    assert found.agreement is not None
    statistics = found.agreement.pairs[0][1].statistics
    assert 0 < statistics["kappa_quadratic"].value < 1
    assert found.agreement.alpha > 0.5
    json.dumps(found.to_dict(), allow_nan=False)


def test_what_cannot_be_used_is_said_by_its_row(tmp_path: Path) -> None:
    sheet = draw_sheet(outputs(4))
    key = key_of(sheet, tmp_path / "out")
    ids = [row.id for row in sheet.rows]
    wrong = {ids[0]: "", ids[1]: "6", ids[2]: "good", ids[3]: "3.5"}
    file = filled(sheet, tmp_path / "ann.csv", {"copy": "1", "alpha": "5", "beta": "3"}, **wrong)
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    file.write_text("".join([*lines[:-1], lines[5], '"zz-9","","","3",""\r\n']), encoding="utf-8")
    found = score_sheets(key, [str(file)])
    told = [(each.row, each.id, each.is_empty) for each in found.problems]
    last = len(lines)
    assert told == [
        (2, ids[0], True), (3, ids[1], False), (4, ids[2], False), (5, ids[3], False),
        (last, ids[4], False), (last + 1, "zz-9", False), (0, ids[-1], True),
    ]  # fmt: skip
    assert "'6' is no score" in found.problems[1].problem
    assert "row 6 too" in found.problems[4].problem
    assert found.agreement is None
    assert sum(each.texts for each in found.systems) < 12


def test_a_system_without_scores_has_none(tmp_path: Path) -> None:
    sheet = draw_sheet(outputs(3))
    key = key_of(sheet, tmp_path / "out")
    file = filled(sheet, tmp_path / "ann.csv", {"copy": "", "alpha": "5", "beta": "3"})
    found = score_sheets(key, [str(file)])
    assert found.systems[0].mean is None
    assert [(each.first, each.second) for each in found.differences] == [("alpha", "beta")]


@pytest.mark.parametrize(
    ("key", "sheet", "message"),
    [
        (None, '"id","score"\n"other-1","3"\n', "not a sheet of this key"),
        (None, "id\n1\n", "should name the columns id, score"),
        (None, "", "should name the columns id, score"),
        ("[]", '"id","score"\n', "no key of a sheet"),
        ('{"rows": {}, "systems": []}', '"id","score"\n', "is damaged"),
    ],
)
def test_files_that_are_something_else(tmp_path: Path, key: str | None, sheet: str, message: str) -> None:
    made = key_of(draw_sheet(outputs()), tmp_path / "out")
    if key is not None:
        Path(made).write_text(key, encoding="utf-8")
    (tmp_path / "s.csv").write_text(sheet, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        score_sheets(made, [str(tmp_path / "s.csv")])
