from __future__ import annotations

import csv
import io
from statistics import fmean

import pytest
from hypothesis import given, strategies as st
from rich.console import Console

from redraft.bench.report.formats import csv_text, markdown, rich_table
from redraft.bench.report.page import html
from redraft.bench.tables import (
    Column,
    Number,
    Table,
    by_prompt,
    coverage,
    extremes,
    read_result,
    result_tables,
    spread,
    summary_table,
    table_by_dataset,
    without_datasets,
)
from tests.bench.report.runs import dataset, scores

ONE = read_result(
    scores("one", {
        "jfleg": dataset("JFL", [{"sari": 40.0, "gleu": 50.0}, {"sari": 44.0, "gleu": 46.0}]),
        "turk": dataset("TRK", [{"sari": 30.0}, {"sari": 34.0}], failed=1),
    })
)  # fmt: skip
TWO = read_result(scores("two", {"jfleg": dataset("JFL", [{"sari": 20.0, "gleu": 10.0}])}))
COPY = {
    "Copy": {"jfleg": {"sari": 26.7, "gleu": 40.5}, "turk": {"sari": 26.3}},
    "SotA": {"jfleg": {"gleu": 62.4}},
}


def values(table: Table, row: int) -> list[list[float | None]]:
    """The numbers of a row, cell by cell."""
    cells = [cell for cell in table.rows[row] if isinstance(cell, tuple)]
    return [[number.value if number else None for number in cell] for cell in cells]


def test_averages_extremes_and_variation_over_prompts() -> None:
    table = summary_table([ONE], {})
    # JFL 42 ± 2, TRK 32 ± 2: the deviation over all prompts is 2, so the CVs are 2/42 and 2/32.
    assert values(table, 0) == [[37.0], [39.0], [35.0], [pytest.approx(100 * fmean([2 / 42, 2 / 32]))]]


def test_coefficient_of_variation_takes_the_deviation_over_all_prompts() -> None:
    found = spread([Number(10.0), Number(14.0), Number(18.0)])
    assert found.cv == pytest.approx(100 * (32 / 3) ** 0.5 / 14)


def test_one_prompt_has_no_variation_and_keeps_its_interval() -> None:
    found = spread([Number(40.0, 38.0, 43.0)])
    assert found.cv is None
    assert (found.mean.low, found.mean.high) == (38.0, 43.0)
    assert spread([Number(0.0), Number(0.0)]).cv is None


def test_the_mean_of_several_prompts_claims_no_interval_it_was_not_given() -> None:
    assert spread([Number(40.0, 38.0, 43.0), Number(42.0, 40.0, 44.0)]).mean.low is None
    given_one = spread([Number(40.0, 38.0, 43.0), Number(42.0, 40.0, 44.0)], (39.5, 42.5)).mean
    assert (given_one.low, given_one.high) == (39.5, 42.5)


def test_data_sets_stand_beside_published_rows() -> None:
    table = table_by_dataset([ONE], COPY)
    assert [column.title for column in table.columns] == ["System", "JFL", "TRK"]
    assert table.columns[1].metrics == ("sari", "gleu")
    assert [row[0] for row in table.rows] == ["one", "Copy †", "SotA †"]
    assert values(table, 0) == [[42.0, 48.0], [32.0]]
    assert values(table, 2) == [[None, 62.4], [None]]


def test_means_are_over_data_sets_that_all_have() -> None:
    table = summary_table([ONE, TWO], COPY)
    assert values(table, 0)[0] == [42.0]
    assert values(table, 1)[0] == [20.0]
    assert values(table, 2)[0] == [26.7]
    assert len(table.rows) == 3, "SotA has no SARI on JFL, so it has no mean"
    assert "1 data sets (JFL)" in table.note


def test_published_extremes() -> None:
    highest = {"Tk": {"jfleg": {"sari": 32.9, "gleu": 41.6}, "turk": {"sari": 34.9}}}
    published = {"Tk": {"jfleg": {"sari": 31.8, "gleu": 39.0}, "turk": {"sari": 32.8}}}
    assert values(summary_table([ONE], published, highest), 1) == [
        [pytest.approx(32.3)], [pytest.approx(33.9)], [None], [None],
    ]  # fmt: skip
    table = extremes([ONE], highest)
    assert [row[0] for row in table.rows] == ["one: max", "Tk †: max", "one: min"]
    assert values(table, 0) == [[44.0, 50.0], [34.0]]
    assert values(table, 2) == [[40.0, 46.0], [30.0]]


def test_every_prompt_has_its_row_with_intervals() -> None:
    table = by_prompt([ONE, TWO])
    assert len(table.rows) == 5
    assert table.rows[1][:5] == ("one", "JFL", 2, "Fix the grammar mistakes", 4)
    assert table.rows[1][5] == (Number(44.0, 43.0, 45.0, "sari|test"),)
    assert table.rows[2][6] == (None,), "TRK was not scored with GLEU"


def test_coverage_names_what_failed_and_what_was_not_run() -> None:
    partial = dataset("JFL", [{"sari": 40.0}], planned=10, failed=2)
    partial["scored"] = 5
    assert coverage([read_result(scores("x", {"jfleg": partial}))]).rows == (
        ("x", "JFL", "fluency", 10, 5, 2, 3),
    )


def test_an_empty_run_and_one_where_all_failed_give_no_numbers() -> None:
    assert result_tables([read_result(scores("none", {}))], {})[0].rows[0][1:] == ((None,),) * 4
    failed = read_result(scores("failed", {"jfleg": dataset("JFL", [{}], failed=4)}))
    tables = {table.name: table for table in result_tables([failed], COPY)}
    assert tables["datasets"].rows[0] == ("failed", ())
    assert tables["coverage"].rows == (("failed", "JFL", "fluency", 4, 0, 4, 0),)
    assert "| failed | – |" in markdown(tables["datasets"])
    assert "–</td>" in html(tables["datasets"])


def test_markdown_has_a_line_a_row_with_intervals() -> None:
    lines = markdown(table_by_dataset([TWO], COPY)).splitlines()
    assert lines[2] == "| System | JFL SARI / GLEU |"
    assert lines[4] == "| two | 20.0 [19.0, 21.0] / 10.0 [9.0, 11.0] |"
    assert lines[5] == "| Copy † | 26.7 / 40.5 |"


def test_csv_reads_back_as_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(table_by_dataset([ONE], COPY)))))
    assert rows[0]["System"] == "one"
    assert float(rows[0]["JFL gleu"]) == 48.0
    assert rows[0]["JFL gleu low"] == ""
    assert rows[2]["JFL sari"] == ""
    prompts = list(csv.DictReader(io.StringIO(csv_text(by_prompt([ONE])))))
    assert [float(prompts[0][f"sari{end}"]) for end in ("", " low", " high")] == [40.0, 39.0, 41.0]


@given(st.text(), st.floats(0, 100))
def test_any_text_keeps_its_place_in_markdown_and_csv(text: str, value: float) -> None:
    table = Table(
        "t", "Title", "Note", (Column("Name"), Column("SARI", ("sari",))), ((text, (Number(value),)),)
    )
    (row,) = [line for line in markdown(table).splitlines() if line.startswith("| ")][2:]
    assert row.replace("\\|", "").replace("\\\\", "").count("|") == 3
    (read,) = csv.DictReader(io.StringIO(csv_text(table), newline=""))
    assert read["Name"].removeprefix("'") == text.removeprefix("'")
    assert float(read["sari"]) == value


def test_a_spreadsheet_does_not_run_a_cell_and_a_terminal_does_not_obey_it() -> None:
    run = [f"{first}cmd()" for first in "=+-@\t\r"]
    table = Table("t", "T", "", (Column("Name"),), tuple((cell,) for cell in (*run, "\x1b[2Jgone", "a=b")))
    cells = [row[0] for row in csv.reader(io.StringIO(csv_text(table), newline=""))]
    assert cells == ["Name", *(f"'{cell}" for cell in run), "\x1b[2Jgone", "a=b"]
    console = Console(file=io.StringIO(), width=80)
    console.print(rich_table(table))
    assert "\x1b" not in console.file.getvalue()  # type: ignore[attr-defined]


def test_html_is_escaped_and_sorts_by_the_first_number() -> None:
    text = html(
        Table("t", "<T>", "&", (Column("N"), Column("S", ("sari",))), (("<img onerror=x>", (Number(1.5),)),))
    )
    assert "<img" not in text
    assert "&lt;T&gt;" in text
    assert 'data-value="1.5"' in text


def test_published_scores_on_other_samples_are_left_out() -> None:
    published = {"Tk": {"jfleg": {"sari": 31.8}, "turk": {"sari": 32.8}}, "T0": {"jfleg": {"sari": 42.0}}}
    kept = without_datasets(published, ["jfleg"])
    assert kept == {"Tk": {"turk": {"sari": 32.8}}}
    assert [row[0] for row in table_by_dataset([ONE], kept).rows] == ["one", "Tk †"]
    assert len(summary_table([ONE], kept).rows) == 1
