"""`redraft quality` as a user types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft.cli import app


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["quality", *words], input=stdin)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.write_text("The shop did not open.\nShe had 12 rooms.\n", encoding="utf-8")
    after.write_text("The shop did open.\nShe have 12 rooms.\n", encoding="utf-8")
    return str(before), str(after)


def test_a_text_alone(files: tuple[str, str]) -> None:
    result = run(files[1])
    names = [line.split()[0] for line in result.stdout.splitlines()]
    assert names == ["perplexity", "grammar", "line"]
    assert "line 2: … She [have] 12 rooms. …" in result.stdout
    assert "'has'" in result.stdout
    assert result.exit_code == 0


def test_a_text_and_its_original(files: tuple[str, str]) -> None:
    before, after = files
    found = json.loads(run(after, "--original", before, "--json").stdout)
    assert found["meaning"]["changes"] == ["negation lost: not"]
    assert found["entities"] == 1.0
    assert found["grammar"] > found["original"]["grammar"] == 0
    assert found["findings"][0]["suggestions"] == ["has"]
    assert "changed     negation lost: not" in run(after, "--original", before).stdout


def test_an_empty_text_has_no_perplexity() -> None:
    assert json.loads(run("-", "--json", stdin="").stdout)["perplexity"] is None


def test_one_standard_input_is_not_two_texts() -> None:
    result = run("-", "--original", "-", stdin="x")
    assert result.exit_code == 2
    assert "only one" in result.stderr


def test_a_terminal_is_shown_control_characters_and_does_not_obey_them(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("She have 12\u202e rooms \x1b]0;pwn\x07 here.\n", encoding="utf-8")
    shown = run(str(path)).stdout
    assert "\\x1b]0;pwn\\x07" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_line_ends_and_a_byte_order_mark_change_no_score(tmp_path: Path) -> None:
    text = "The shop did open.\nShe have 12 rooms\nin the house.\n"
    unix, windows = tmp_path / "unix.txt", tmp_path / "windows.txt"
    unix.write_bytes(text.encode())
    given = "\ufeff" + text.replace("\n", "\r\n")
    windows.write_bytes(given.encode())
    one, other = (json.loads(run(str(path), "--no-cache", "--json").stdout) for path in (unix, windows))
    assert (one["perplexity"], one["grammar"]) == (other["perplexity"], other["grammar"])
    (found,) = other["findings"]
    assert given[found["start"] : found["end"]] == "have"
    assert run(str(unix)).stdout == run(str(windows)).stdout


def test_each_file_has_a_format_of_its_own(tmp_path: Path) -> None:
    before, after = tmp_path / "before.md", tmp_path / "after.txt"
    before.write_text("The shop `she have it` is open.\n", encoding="utf-8")
    after.write_text("The shop is open.\n", encoding="utf-8")
    own = json.loads(run(str(after), "--original", str(before), "--json").stdout)["original"]
    assert own["findings"] == json.loads(run(str(before), "--json").stdout)["findings"]
    plain = run(str(after), "--original", str(before), "--format", "text", "--json")
    expected = json.loads(run(str(before), "--format", "text", "--json").stdout)
    assert json.loads(plain.stdout)["original"]["findings"] == expected["findings"] != own["findings"]


def test_the_language_of_both_is_looked_at(tmp_path: Path) -> None:
    before, after = tmp_path / "before.txt", tmp_path / "after.txt"
    before.write_text("Der Laden ist heute nicht offen, und das ist auch nicht gut für die Stadt.\n")
    after.write_text("The shop is not open today, and that is not good for the town.\n")
    warned = " ".join(run(str(after), "--original", str(before)).stderr.split())
    assert "the original looks otherwise" in warned
    assert "the text looks otherwise" not in warned


@pytest.mark.parametrize("text", ["", "\ufeff\r\n"])
def test_that_a_text_is_empty_is_said(text: str) -> None:
    result = run("-", stdin=text)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "nothing to score" in result.stderr
