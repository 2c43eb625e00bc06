"""`redraft judge sheet` and `sheet-scores`, from runs to scores."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app
from tests.bench.c3e.records import write_data
from tests.bench.simplification import three_runs
from tests.judge.scripted import marks
from tests.models.scripted import ScriptedServer, say


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


def written(file: Path, worth: int) -> str:
    """A system's texts for two tasks of writing, one of them the editing of a draft by a critique."""
    rows = [
        {"id": "1", "task": "end2end", "instruction": "Write of rain.", "input": "", "references": ["Rain."],
         "output": f"Rain, worth {worth}."},
        {"id": "2", "task": "edit", "instruction": "Rewrite it.", "input": "The sea is nice.",
         "documents": ["Show it."], "references": ["Grey pages."], "output": f"The sea, worth {worth}."},
    ]  # fmt: skip
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(file)


def scored(sheet: Path, out: Path, **columns: Callable[[dict[str, str]], str]) -> str:
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {name: of(row) for name, of in columns.items()}
    with out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    return str(out)


def worth(row: dict[str, str]) -> str:
    return re.findall(r"\d", row["text"])[0]


def test_texts_of_writing_are_scored_and_judges_held_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    systems = [written(tmp_path / f"s{number}.jsonl", number) for number in (1, 3, 5)]
    made = judge("sheet", *systems, "--form", "writing", "--out", "sheet")
    assert made.exit_code == 0, made.output
    with (tmp_path / "sheet" / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == [
        *("id", "instruction", "context", "reference", "text", "score", "errors", "safety", "comment")
    ]
    asked = [row["instruction"] for row in rows]
    assert asked in (sorted(asked), sorted(asked, reverse=True)), "what answers one instruction is together"
    assert {row["context"] for row in rows} == {"", "The sea is nice.\n\nCritique:\nShow it."}
    page = (tmp_path / "sheet" / "sheet.html").read_text(encoding="utf-8")
    assert page.count('type="checkbox"') == 6 * 7
    assert "s1" not in page

    def errors(row: dict[str, str]) -> str:
        return "fluency; Accuracy" if worth(row) == "1" else ""

    sheet = tmp_path / "sheet" / "sheet.csv"
    ann = scored(sheet, tmp_path / "ann.csv", score=worth, errors=errors)
    ben = scored(sheet, tmp_path / "ben.csv", score=worth, safety=lambda row: "harm" * (worth(row) == "1"))
    told = judge("sheet-scores", "sheet/key.json", ann, ben, "--out", "people.jsonl")
    assert told.exit_code == 0, told.output
    assert re.search(r"^texts with +accuracy +fluency +safety: harm$", told.stdout, re.M), told.stdout
    assert re.search(r"^s1 +100 % +100 % +100 %$", told.stdout, re.M)
    assert re.search(r"^s5 +0 % +0 % +0 %$", told.stdout, re.M)
    with ScriptedServer() as server:
        server.answers = [by_worth]
        met = judge("meta", "--human", "people.jsonl", "--judge", f"{server.url}#fair", "--json")
        assert met.exit_code == 0, met.output
        found = json.loads(met.stdout)
        shown = [request["messages"][1]["content"] for request in server.requests]
    assert [(each["task"], each["pairs"], each["value"]) for each in found["consistency"]] in (
        [("end2end", 3, 1), ("edit", 3, 1)],
        [("edit", 3, 1), ("end2end", 3, 1)],
    )
    assert found["people"]["pairs"][0]["exact"]["value"] == 1
    assert sum("Critique:\nShow it." in each for each in shown) == 3


def by_worth(handler: Any, body: dict[str, Any]) -> None:
    """Marks a text by the figure in it, and a record by whether it speaks of fog."""
    seen = body["messages"][1]["content"]
    found = re.search(r"worth (\d)", seen)
    marked = {"score": int(found[1])} if found else {"soundness": 5 if "Fog" in seen else 2}
    say(marks(reason="so", **marked))(handler, body)


def test_answers_that_do_not_hold_together_are_left_out_and_told(tmp_path: Path) -> None:
    system = written(tmp_path / "one.jsonl", 4)
    out = tmp_path / "sheet"
    assert judge("sheet", system, "--form", "writing", "--out", str(out)).exit_code == 0
    for score, errors, safety, says in (
        ("2", "", "", "the score is 2, and no error is named"),
        ("4", "fluency", "", "an error is named, and the score is 4: below 3, or no error"),
        ("2", "", "harm", "it is unsafe, which is scored 1, not 2"),
        ("1", "dull", "", "'dull' is not known in errors: instruction, consistency, accuracy, fluency"),
    ):
        columns = {"score": score, "errors": errors, "safety": safety}
        first = {
            name: lambda row, cell=cell: cell * ("Rain" in row["text"]) for name, cell in columns.items()
        }
        first["score"] = lambda row, cell=score: cell if "Rain" in row["text"] else "3"
        sheet = scored(out / "sheet.csv", tmp_path / "ann.csv", **first)
        told = judge("sheet-scores", str(out / "key.json"), sheet)
        assert told.exit_code == 1, told.output
        assert says in " ".join(told.stderr.split())
        assert re.search(r"^one +1 +3\.00", told.stdout, re.M)


def test_records_of_a_benchmark_are_looked_at_by_people_and_by_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    write_data(tmp_path / "built")
    made = judge("sheet", "built", "--form", "record", "--out", "sheet")
    assert made.exit_code == 0, made.output
    assert "11 records" in made.stderr

    def fog(row: dict[str, str]) -> bool:
        return row["reference"].startswith("Fog")

    sheet = scored(
        tmp_path / "sheet" / "sheet.csv",
        tmp_path / "ann.csv",
        score=lambda row: "4" if fog(row) else "2",
        errors=lambda row: "" if fog(row) else "leak",
    )
    told = judge("sheet-scores", "sheet/key.json", sheet, "--out", "people.jsonl")
    assert told.exit_code == 0, told.output
    assert re.search(r"^built +11 +2\.18 ", told.stdout, re.M), told.stdout
    with ScriptedServer() as server:
        server.answers = [by_worth]
        met = judge("meta", "--human", "people.jsonl", "--judge", f"{server.url}#fair", "--json")
        assert met.exit_code == 0, met.output
    (found,) = json.loads(met.stdout)["consistency"]
    assert (found["task"], found["pairs"], found["value"]) == ("record", 1, 1), "two records of en-cloze"
    refused = judge("sheet", "built", "--form", "record", "--policy", "lexical", "--out", "other")
    assert refused.exit_code == 2
    assert "--policy is for simplifications" in " ".join(refused.stderr.split())
