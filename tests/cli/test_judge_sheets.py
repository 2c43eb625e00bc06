"""`redraft judge sheet` and `sheet-scores`, from runs to scores."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from typer.testing import CliRunner, Result

from redraft.cli import app
from tests.bench.simplification import three_runs


def judge(*words: str) -> Result:
    return CliRunner().invoke(app, ["judge", *words])


def fill(sheet: Path, out: Path, scores: dict[str, int]) -> Path:
    """Score the texts by what they are; a text that is not named has no score."""
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        kind = "copy" if row["simplification"] == row["source"] else "other"
        row["score"] = str(scores.get(kind, ""))
    with out.open("w", encoding="utf-8", newline="") as file:  # as Excel of many countries writes it
        writer = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    return out


def test_from_runs_to_scores(tmp_path: Path) -> None:
    runs = [str(each) for each in three_runs(tmp_path)]
    out = tmp_path / "sheet"
    made = judge("sheet", *runs, "--policy", "lexical", "--limit", "3", "--out", str(out))
    assert made.exit_code == 0, made.output
    assert made.stdout == f"{out / 'sheet.html'}\n{out / 'sheet.csv'}\n"
    key = json.loads((out / "key.json").read_text(encoding="utf-8"))
    assert key["systems"][0] == "copy"
    assert len({row["item"] for row in key["rows"].values()}) == 3
    first = fill(out / "sheet.csv", tmp_path / "ann.csv", {"copy": 1, "other": 5})
    second = fill(out / "sheet.csv", tmp_path / "ben.csv", {"copy": 2, "other": 4})
    told = judge("sheet-scores", str(out / "key.json"), str(first), str(second))
    assert told.exit_code == 0, told.output
    assert "copy" in told.stdout
    assert "Krippendorff's α of both" in told.stdout
    found = json.loads(judge("sheet-scores", str(out / "key.json"), str(first), "--json").stdout)
    assert [each["mean"] for each in found["systems"]] == [1, 5, 5]
    assert found["agreement"] is None


def test_missing_and_wrong_scores_are_told(tmp_path: Path) -> None:
    runs = [str(each) for each in three_runs(tmp_path)]
    out = tmp_path / "sheet"
    made = judge("sheet", *runs[:2], "--out", str(out))
    assert "all systems have texts for 4 different sources only" in " ".join(made.stderr.split())
    sheet = fill(out / "sheet.csv", tmp_path / "ann.csv", {"other": 5})
    told = judge("sheet-scores", str(out / "key.json"), str(sheet))
    assert told.exit_code == 0
    assert "no score in 4 rows: " in " ".join(told.stderr.split())
    wrong = fill(out / "sheet.csv", tmp_path / "ben.csv", {"copy": 9, "other": 5})
    told = judge("sheet-scores", str(out / "key.json"), str(wrong))
    assert told.exit_code == 1
    assert "'9' is no score" in told.stderr


def test_what_is_no_sheet_is_refused(tmp_path: Path) -> None:
    runs = [str(each) for each in three_runs(tmp_path)]
    out = str(tmp_path / "sheet")
    for words, says in (
        ((runs[0], runs[0]), "a run is named twice: name each system once"),
        ((runs[0], "--policy", "nonsense"), "there is no policy 'nonsense'"),
        ((runs[0], str(tmp_path / "nowhere")), "nowhere: there is no such file"),
    ):
        told = judge("sheet", *words, "--out", out)
        assert told.exit_code == 2, words
        assert says in " ".join(told.stderr.split())
    assert not Path(out).exists()
    assert judge("sheet", *runs[:2], "--out", out).exit_code == 0
