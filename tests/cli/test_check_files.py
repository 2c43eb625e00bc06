"""`redraft check` of many texts: what it reads, how it prints, and what a baseline lets pass."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft4Validator
from typer.testing import CliRunner, Result

from redraft.cli import app

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "tests/data/sarif-2.1.0-rtm.4.json"
HOUSE = """
[house]
spelling = "british"
constraints = ["At most 12 words.", "No contractions."]
[house.terms]
use = ["utilise"]
"""
PLAN = "# Plan\n\nThe color is right.\nWe utilise it, but it isn't a color.\n"
NOTE = "The colour is right.\n"


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["check", *words], input=stdin)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with a house style: a folder of texts, one of which has problems."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "redraft.toml").write_text(HOUSE, encoding="utf-8")
    write("texts/plan.md", PLAN)
    write("texts/note.txt", NOTE)
    return tmp_path


def write(name: str, text: str) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
    return path


def sarif(*words: str) -> dict[str, Any]:
    """The run of a log that holds to the schema."""
    log = json.loads(run(*words, "--output", "sarif").stdout)
    Draft4Validator(json.loads(SCHEMA.read_text(encoding="utf-8"))).validate(log)
    (found,) = log["runs"]
    return found


def test_each_place_is_a_line_that_editors_can_jump_to() -> None:
    result = run("texts")
    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "texts/plan.md: 13 words; wanted fewer than 13 words: cut at least 1  word_count_check",
        "texts/plan.md:3:5: “color” should be “colour”  spelling_check",
        "texts/plan.md:4:4: “utilise” should be “use”  replacement_check",
        "texts/plan.md:4:23: “isn't” should be “is not”  contractions_check",
        "texts/plan.md:4:31: “color” should be “colour”  spelling_check",
    ]
    assert result.stderr == "2 files checked: 5 problems in 1 file\n"


def test_what_is_met_says_so() -> None:
    result = run("texts/note.txt", "texts/note.txt", "./texts/note.txt")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "1 file checked: all is as asked for\n"


def test_one_text_is_shown_as_ever() -> None:
    assert run("texts/note.txt").stdout.startswith("met      spelling_check")
    assert "files" not in json.loads(run("texts/plan.md", "--json").stdout)


def test_with_an_output_one_text_is_shown_like_many() -> None:
    (only,) = json.loads(run("texts/note.txt", "--output", "json").stdout)["files"]
    assert (only["file"], only["met"]) == ("texts/note.txt", True)
    assert run("-", "--output", "text", stdin="A color.").stdout.startswith("-:1:3: “color”")


def test_json_has_the_findings_of_each_file() -> None:
    result = run("texts", "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 1
    assert [one["file"] for one in report["files"]] == ["texts/note.txt", "texts/plan.md"]
    assert [one["met"] for one in report["files"]] == [True, False]
    spelling = report["files"][1]["findings"][0]
    assert {"call", "met", "measured", "message", "spans", "house"} <= spelling.keys()
    assert [(one["line"], one["column"]) for one in spelling["places"]] == [(3, 5), (4, 31)]
    assert report["summary"] == {"files": 2, "unreadable": 0, "new": 5, "known": 0, "gone": 0}


def test_what_cannot_be_read_is_told_and_the_rest_is_checked() -> None:
    write("texts/broken.txt", "")
    Path("texts/broken.txt").write_bytes(b"caf\xe9")
    result = run("nowhere.md", "texts")
    assert result.exit_code == 2
    assert "nowhere.md: there is no such file" in result.stderr
    assert "broken.txt is not in UTF-8" in " ".join(result.stderr.split())
    assert "2 files checked: 5 problems in 1 file; 2 files could not be read" in result.stderr
    assert "texts/plan.md:3:5" in result.stdout
    found = sarif("nowhere.md", "texts")["invocations"][0]
    assert (found["executionSuccessful"], len(found["toolExecutionNotifications"])) == (False, 2)
    assert "::error file=nowhere.md::" in run("nowhere.md", "texts", "--output", "github").stdout


def test_what_tools_put_into_a_folder_is_passed_over(folder: Path) -> None:
    for name in (".venv/lib/a.md", "node_modules/b.md", "env/pyvenv.cfg", "env/c.md", ".d.md", "code.py"):
        write(f"texts/{name}", "The color.")
    Path("texts/link.md").symlink_to(folder / "texts/plan.md")
    result = run("texts")
    assert "2 files checked: 5 problems in 1 file" in result.stderr


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_what_git_ignores_is_passed_over() -> None:
    subprocess.run(["git", "init", "--quiet", "."], check=True)
    write(".gitignore", "made/\n*.draft.md\n")
    write("texts/made/a.md", "The color.")
    write("texts/b.draft.md", "The color.")
    assert "2 files checked" in run("texts").stderr
    assert "1 file checked" in run("texts/made", "texts/made/a.md").stderr


def test_sarif_has_rules_places_fixes_and_fingerprints() -> None:
    found = sarif("texts")
    rules = [rule["id"] for rule in found["tool"]["driver"]["rules"]]
    assert rules == ["contractions_check", "replacement_check", "spelling_check", "word_count_check"]
    assert [rules[one["ruleIndex"]] for one in found["results"]] == [
        one["ruleId"] for one in found["results"]
    ]
    whole, first, *_ = found["results"]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "texts/plan.md"}
    assert place["region"] == {
        "startLine": 3, "startColumn": 5, "endLine": 3, "endColumn": 10, "snippet": {"text": "color"},
    }  # fmt: skip
    (put,) = first["fixes"][0]["artifactChanges"][0]["replacements"]
    assert put["insertedContent"] == {"text": "colour"}
    marks = [one["partialFingerprints"]["redraft/v1"] for one in found["results"]]
    assert len(set(marks)) == len(marks)
    assert whole["ruleId"] == "word_count_check"
    assert "region" not in whole["locations"][0]["physicalLocation"]
    assert "baselineState" not in first


def test_columns_are_characters_and_names_are_escaped() -> None:
    write("texts/ein Plan ü.md", "\ufeff😀 color\r\n𝒳𝒴 color.\r\n")
    found = sarif("texts/ein Plan ü.md")
    places = [one["locations"][0]["physicalLocation"] for one in found["results"]]
    assert [(one["region"]["startLine"], one["region"]["startColumn"]) for one in places] == [(1, 3), (2, 4)]
    assert places[0]["artifactLocation"]["uri"] == "texts/ein%20Plan%20%C3%BC.md"
    Path(os.fsdecode(b"texts/\xff.md")).write_text("The color.", encoding="utf-8")
    results = sarif("texts")["results"]
    assert results[-1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "texts/%FF.md"


def test_github_shows_annotations_and_a_text_adds_none() -> None:
    write("a,b:c%.md", "I'd say it. ::error::no\n::set-output name=x::y isn't\nhere. 100% color\n")
    write("words.txt", "word " * 20)
    result = run(
        "a,b:c%.md", "words.txt", "--output", "github", "-c", 'pattern_check("(?s)::set.*?%", "forbid")'
    )
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    assert all(line.startswith("::error file=") and line.count("::error file=") == 1 for line in lines)
    assert (
        "::error file=a%2Cb%3Ac%25.md,line=3,endLine=3,col=12,endColumn=17,title=spelling_check::"
        in lines[-2]
    )
    across = next(line for line in lines if "pattern_check" in line)
    assert "line=2,endLine=3,title" in across
    assert "::set-output name=x::y isn't here. 100%25" in across
    assert any(line.startswith("::error file=words.txt,title=word_count_check::20 words") for line in lines)


def test_a_baseline_lets_pass_what_was_known() -> None:
    assert run("texts", "--baseline", "known.json").exit_code == 2
    written = run("texts", "--baseline", "known.json", "--write-baseline")
    assert (written.exit_code, written.stdout) == (0, "")
    assert "5 known from the baseline" in written.stderr
    moved = PLAN.replace("The color is right.", "A new line.\n\nThe color is right.\nA new color.")
    write("texts/plan.md", moved.replace("We utilise it, but", "But"))
    result = run("texts", "--baseline", "known.json")
    assert result.exit_code == 1
    assert result.stdout == "texts/plan.md:7:16: “color” should be “colour”  spelling_check\n"
    assert "4 known from the baseline; 1 of the baseline no more there" in result.stderr
    states = [one["baselineState"] for one in sarif("texts", "--baseline", "known.json")["results"]]
    assert sorted(states) == ["new", *["unchanged"] * 4]
    shown = json.loads(run("texts", "--baseline", "known.json", "--json").stdout)
    assert shown["summary"]["known"] == 4


def test_a_baseline_keeps_what_it_knows_of_files_that_were_not_checked() -> None:
    write("texts/other.md", "The color.")
    run("texts", "--baseline", "made/known.json", "--write-baseline")
    assert not Path("made").exists()  # a folder that is not there is not made
    run("texts", "--baseline", "known.json", "--write-baseline")
    write("texts/plan.md", NOTE)
    run("texts/plan.md", "--baseline", "known.json", "--write-baseline")
    assert list(json.loads(Path("known.json").read_text(encoding="utf-8"))["files"]) == ["texts/other.md"]
    assert run("texts", "--baseline", "known.json").exit_code == 0
    Path("texts/other.md").unlink()
    run("texts/plan.md", "--baseline", "known.json", "--write-baseline")
    assert json.loads(Path("known.json").read_text(encoding="utf-8"))["files"] == {}


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"version": 2, "files": {}}', '{"version": 1, "files": {"a": 1}}']
)
def test_what_is_no_baseline_is_refused(content: str) -> None:
    write("known.json", content)
    result = run("texts", "--baseline", "known.json")
    assert (result.exit_code, "is no baseline" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["texts", "--original", "texts/note.txt"], "--original goes with one text"),
        (["texts", "--write-baseline"], "needs --baseline FILE"),
        (["empty", "empty"], "there is no text to check in empty"),
        (["texts", "--json", "--output", "sarif"], "exclude each other"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], says: str) -> None:
    Path("empty").mkdir()
    result = run(*words)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())


def test_constraints_that_conflict_have_their_own_status() -> None:
    result = run("texts", "-i", "More than 40 words.")
    assert result.exit_code == 3
    assert "no text can meet these together" in result.stderr


def test_a_text_in_another_language_is_named() -> None:
    write("texts/lettre.md", "Je vous écris pour vous dire que la réunion est pour le 19 mars.")
    result = run("texts")
    assert "texts/lettre.md: for English alone, and the text looks like fr" in " ".join(result.stderr.split())


def test_the_hook_is_a_command() -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    program, *words = hook["entry"].split()
    assert (program, hook["id"], hook["language"]) == ("redraft", "redraft-check", "python")
    result = CliRunner().invoke(app, [*words, "texts/plan.md"])
    assert result.exit_code == 1
    assert "texts/plan.md:3:5: “color”" in result.stdout
