"""`redraft bench describe c3e` and `redraft bench overlap`."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from redraft.bench.c3e.overlap import contamination, quoted, shared
from redraft.bench.c3e.reading import read_records
from redraft.bench.c3e.statistics import Lengths, lengths_table, published_rows, statistics
from redraft.cli.app import app
from tests.bench.c3e.records import CHINESE, ENGLISH, row, write_data, write_rows


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_data(tmp_path / "data")


def test_lengths_are_counted_as_the_paper_counts_them(data: Path) -> None:
    found = statistics(read_records(data))
    rows = {(one.task, one.language): one for one in found.rows}
    assert rows["cloze", "en"].instruction == Lengths(8, 8, 8)
    assert rows["cloze", "en"].input == Lengths(7.5, 8, 7)
    assert rows["cloze", "en"].reference == Lengths(5, 5, 5)
    assert rows["edit", "zh"].input == Lengths(13, 13, 13)
    assert rows["end2end", "en"].input == Lengths(0, 0, 0)
    assert rows["end2end", "zh"].reference.most == len(CHINESE[-1]["reference"])
    assert sum(one.total for one in found.rows) == len(ENGLISH) + len(CHINESE)
    assert not any(found.published(one) for one in found.rows)
    assert found.genres("en")["story"] == {"cloze": 1, "end2end": 1}


def test_published_lines_stand_beside_as_many_records(tmp_path: Path) -> None:
    kinds = {"cloze": ENGLISH[0], "expand": ENGLISH[2], "edit": ENGLISH[3], "end2end": ENGLISH[5]}
    rows = [
        {**kinds[line.task], "infer_id": f"{line.task}-{number}"}
        for line in published_rows()
        if line.language == "en"
        for number in range(line.total)
    ]
    table = lengths_table(statistics(read_records(write_rows(tmp_path / "english.jsonl", rows))))
    assert ("Cloze †", "en", "19.00/19/19", "951.89/5179", "408.55/2412", 150) in table.rows
    assert "† published" in table.note


def test_longer_inputs_with_longer_references_show(tmp_path: Path) -> None:
    rows = [
        row(f"end2end_en_{n}", "end2end", "essay", "Write it. " * n, {"genre": "x"}, "One two. " * n * n)
        for n in range(1, 6)
    ]
    found = statistics(read_records(write_rows(tmp_path / "english.jsonl", rows)))
    assert found.correlations("en") == {"end2end": pytest.approx(1.0)}


def test_describe_prints_the_table_and_draws_the_figures(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    result = CliRunner().invoke(app, ["bench", "describe", "c3e", "--data", str(data), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "8.00/8/8" in result.stdout
    assert "8.00/8/8" in (out / "lengths.md").read_text(encoding="utf-8")
    told = json.loads((out / "statistics.json").read_text(encoding="utf-8"))
    printed = CliRunner().invoke(app, ["bench", "describe", "c3e", "--data", str(data), "--json"])
    assert json.loads(printed.stdout) == told
    drawn = {path.name: ElementTree.parse(path).getroot() for path in out.glob("*.svg")}
    assert set(drawn) == {"genres-en.svg", "genres-zh.svg", "lengths-en.svg", "lengths-zh.svg"}
    points = [each for each in drawn["lengths-en.svg"].iter() if each.tag.endswith("circle")]
    assert len(points) == len(ENGLISH)
    assert CliRunner().invoke(app, ["bench", "describe", "constrev", "--data", str(data)]).exit_code == 2


def test_quotations_are_found_whatever_case_and_marks() -> None:
    source = "It wasn’t the tide, but the wind, that kept the boats in harbour."
    assert quoted("Say that it wasn't the tide but the wind that…", source, 8) == (
        "it wasn't the tide but the wind that"
    )
    assert quoted("The wind kept the boats in harbour.", source, 6) is None
    assert quoted("不要写祖母送我到桥头就不肯再走了这一句", "祖母送我到桥头，就不肯再走了。", 12) is not None
    assert shared("the boats in harbour slept", source, 2) == 0.75
    assert shared("boats", source, 2) == 0.0


def test_overlap_counts_runs_over_line_ends_and_names_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.txt").write_text("zero one two\nthree FOUR, five\n\nsix nine", encoding="utf-8")
    (folder / "sub" / "b.jsonl").write_text(
        json.dumps({"id": "x", "deep": [{"text": "four five six seven eight"}]}) + "\nnot JSON\n",
        encoding="utf-8",
    )
    records = [
        ("all", {"id": "one two three four", "reference": "one two three four five six seven eight"}),
        ("none", {"reference": "eight seven six five four three"}),
        ("short", {"reference": "one two"}),
        ("all", {"reference": "一二三四五六"}),
    ]
    found = contamination(records, folder, 3)
    best, *others = found.records
    assert (best.id, best.share, best.file, best.in_file) == ("all", 1.0, "a.txt", pytest.approx(4 / 6))
    assert [one.share for one in others] == [0.0, 0.0, None]
    assert found.to_dict()["touched"] == 1
    assert found.to_dict()["too_short"] == 1


def test_the_command_leaves_out_the_benchmark_itself(data: Path) -> None:
    command = ["bench", "overlap", "--data", str(data), "--against", str(data), "--n", "4"]
    assert "holds no texts" in CliRunner().invoke(app, command).output
    (data / "leak.txt").write_text(f"Before. {ENGLISH[0]['reference']} After.", encoding="utf-8")
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0
    assert "cloze_en_0" in result.stdout
    assert "leak.txt" in result.stdout
    told = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert (told["n"], told["files"], told["touched"]) == (4, 1, 1)
    nothing = CliRunner().invoke(app, [*command[:-1], "13"])
    assert nothing.stdout.startswith("0 of 11 records share a run of 13 words with 1 files")
