"""The commands as a user types them; exit statuses and streams are a contract."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from redraft import __version__
from redraft.cli import app

TEXT = "We shall leverage it. Dr. Lee agreed, i.e. she said yes. It works."


@pytest.fixture
def draft(tmp_path: Path) -> str:
    file = tmp_path / "draft.txt"
    file.write_text(TEXT, encoding="utf-8")
    return str(file)


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=stdin)


def test_parse_prints_one_call_a_line_and_the_rest_on_standard_error() -> None:
    result = run("parse", "Under 300 words, keep sentence 4, never say 'synergy', and be friendly.")
    assert result.stdout.splitlines() == [
        'word_count_check(300, "less than")',
        'sentence_modification_check([4], "unchange")',
        'keyword_keep_removal_check("synergy", "remove")',
    ]
    assert "be friendly" in result.stderr
    assert result.exit_code == 0


def test_parse_json() -> None:
    rows = json.loads(run("parse", "--json", "Use 'data' at most twice.").stdout)
    assert rows == [
        {"call": 'keyword_frequency_check("data", 3, "less than")', "kind": "keyword_frequency_check",
         "keyword": "data", "frequency": 3, "relation": "less than"}
    ]  # fmt: skip


def test_parse_says_first_what_is_not_understood() -> None:
    asked = "Under 300 words, be friendly, and no semmicollans."
    result = run("parse", asked)
    assert result.exit_code == 0
    assert result.stderr.splitlines() == [
        "not understood, so nothing acts on it: “no semmicollans” (nearest: “Do not use semicolons.”)",
        "not a constraint, passed on as style: be friendly",
    ]
    found = json.loads(run("parse", asked, "--json", "--all").stdout)
    assert [row["call"] for row in found["constraints"]] == ['word_count_check(300, "less than")']
    assert found["wishes"] == ["be friendly"]
    assert found["not_understood"] == [{"words": "no semmicollans", "nearest": "Do not use semicolons."}]


def test_strict_is_a_setting_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("parse", "add a joke", "--strict").exit_code == 2
    monkeypatch.setenv("REDRAFT_STRICT", "true")
    refused = run("parse", "Under 300 words, and add a joke.")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "“add a joke”" in refused.stderr
    assert run("parse", "Under 300 words, and be friendly.").exit_code == 0
    monkeypatch.setenv("REDRAFT_REVISER", "openai:gpt-5-mini")  # which reads all of it
    assert run("parse", "Under 300 words, and add a joke.").exit_code == 0


def test_parse_says_when_nothing_was_read() -> None:
    result = run("parse", "")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "no constraint" in result.stderr


def test_sentences_are_numbered(draft: str) -> None:
    lines = run("sentences", draft).stdout.splitlines()
    assert lines == [
        "1  4 words  We shall leverage it.",
        "2  7 words  Dr. Lee agreed, i.e. she said yes.",
        "3  2 words  It works.",
    ]
    assert len(run("sentences", draft, "--counting", "constrev").stdout.splitlines()) == 5


def test_sentences_json_from_standard_input() -> None:
    rows = json.loads(run("sentences", "-", "--json", stdin="One. Two.").stdout)
    assert [(row["number"], row["text"], row["words"]) for row in rows] == [(1, "One.", 1), (2, "Two.", 1)]


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["-i", "under 20 words"], 0, "met word_count_check"),
        (["-i", "never say 'leverage'"], 1, "NOT met keyword_keep_removal_check"),
        (
            ["-c", 'word_count_check(5, "less than")'],
            1,
            "13 words; wanted fewer than 5 words: cut at least 9",
        ),
        (
            ["-c", 'word_count_check(5, "less than")', "-c", 'word_count_check(9, "more than")'],
            3,
            "no text can meet",
        ),
        (["-i", "be friendlier"], 2, "nothing to check: no constraint"),
        (["-i", ""], 2, "nothing to check: the instruction is empty"),
        (
            ["-i", "no semmicollans"],
            2,
            "not understood, so nothing acts on it: “no semmicollans” (nearest: “Do not use",
        ),
        (["-i", "under 20 words, be friendlier"], 0, "not a constraint, so not checked: be friendlier"),
        (["-i", "under 20 words, be friendlier", "--strict"], 0, "met word_count_check"),
        (["-i", "under 20 words, add a joke"], 0, "met word_count_check"),
        (
            ["-i", "under 20 words, add a joke", "--strict"],
            2,
            "not understood, and strict, so nothing was done",
        ),
        ([], 2, "say what to check"),
        (["-c", "word_count_check(5)"], 2, "needs relation"),
        (["-i", "keep sentence 2"], 2, "give it with --original FILE"),
        (["-i", "under 20 words", "--counting", "mine"], 2, "mine"),
        (["-i", "under 20 words", "--original", "/nowhere/at/all"], 2, "no such file"),
        (["--wrong-flag"], 2, "No such option"),
    ],
)
def test_check_exit_status_and_message(draft: str, words: list[str], status: int, says: str) -> None:
    result = run("check", draft, *words)
    assert result.exit_code == status
    assert " ".join(says.split()) in " ".join((result.stdout + result.stderr).split())


def test_check_json_has_the_contract(draft: str) -> None:
    result = run(
        "check",
        draft,
        "--original",
        draft,
        "-i",
        "Keep sentence 2, make every sentence under 5 words.",
        "--json",
    )
    report = json.loads(result.stdout)
    assert result.exit_code == 3
    assert (report["met"], report["counting"]) == (False, "default")
    assert {"call", "met", "measured", "message"} <= report["findings"][0].keys()
    assert report["not_understood"] == report["wishes"] == []
    assert report["infeasible"][0]["reason"].startswith("sentence 2 must stay, and has 7 words")


def test_check_says_what_is_for_english_alone(tmp_path: Path) -> None:
    text = tmp_path / "lettre.txt"
    text.write_text("Je vous écris pour vous dire que la réunion de mars est pour le 19.", encoding="utf-8")
    asked = ("check", str(text), "-i", "British spelling, under 90 words, say 'mars' once")
    found = run(*asked, "--json")
    assert found.exit_code == 0
    assert 'for English alone, and the text looks like fr: spelling_check("british")' in found.stderr
    report = json.loads(found.stdout)
    assert report["english_only"] == ['spelling_check("british")']
    assert [row["met"] for row in report["findings"]] == [True, True, True]
    assert "not looked at" in report["findings"][0]["message"]
    refused = run(*asked, "--strict")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert run("check", str(text), "-i", "under 90 words, say 'mars' once", "--strict").exit_code == 0


def test_check_reads_only_one_text_from_standard_input() -> None:
    assert run("check", "-", "--original", "-", "-i", "keep sentence 1", stdin="x").exit_code == 2
    assert run("check", "-", "-i", "under 2 words", stdin="One").exit_code == 0


def test_quiet_and_version_work_everywhere(draft: str) -> None:
    assert run("parse", "be nice", "--quiet").stderr == ""
    assert run("--quiet", "parse", "be nice").stderr == ""
    for words in (
        ["--version"],
        ["check", "--version"],
        ["models", "list", "--version"],
        ["models", "--version"],
        ["cache", "--version"],
        ["bench", "--version"],
    ):
        assert run(*words).stdout == f"redraft {__version__}\n"


def test_settings_come_from_the_project_file(
    draft: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "redraft.toml").write_text('counting = "constrev"\n', encoding="utf-8")
    assert json.loads(run("check", draft, "-i", "under 99 words", "--json").stdout)["counting"] == "constrev"
    flagged = run("check", draft, "-i", "under 99 words", "--json", "--counting", "default")
    assert json.loads(flagged.stdout)["counting"] == "default"
    assert "redraft.toml" in run("doctor").stdout
    (tmp_path / "redraft.toml").write_text('countign = "constrev"\n', encoding="utf-8")
    broken = run("check", draft, "-i", "under 99 words")
    assert broken.exit_code == 2
    assert "did you mean 'counting'" in broken.stderr


def test_doctor_names_parts_and_adapters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_WEIGHTS_DIR", str(tmp_path))
    monkeypatch.setattr("redraft.cli.doctor._OPTIONAL", ("no-such-part",))
    shown = run("doctor").stdout
    assert f"  harper-py      {version('harper-py')}\n" in shown
    assert "  no-such-part   not installed (optional: redraft[train])\n" in shown
    assert "NOT INSTALLED" not in shown
    assert re.search(r"\nadapters\n  editor +\d+\.\d MB  shipped\n", shown)


def test_doctor_says_how_far_each_model_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_PLANNER", "openai:gpt-4o")
    assert re.search(
        r"\nmodels\n  model +embedded +trust low\n  planner +openai:gpt-4o +trust high\n",
        run("doctor").stdout,
    )
    monkeypatch.setenv("REDRAFT_TRUST", "low")
    assert "trust high" not in run("doctor").stdout


def test_an_unknown_model_is_named_and_the_status_is_4() -> None:
    result = run("models", "test", "embeded")
    assert result.exit_code == 4
    assert "did you mean embedded" in " ".join(result.stderr.split())


def test_the_embedded_model_answers_and_the_answer_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights = run("models", "list").stdout.split("weights in ")[1].splitlines()[0]
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("REDRAFT_WEIGHTS_DIR", weights)
    first = run("models", "test", "embedded", "--prompt", "Say hello.")
    again = run("models", "test", "embedded", "--prompt", "Say hello.")
    assert first.exit_code == 0
    assert first.stdout.strip()
    assert again.stdout == first.stdout
    assert "from the cache" in again.stderr
    assert "1 completion" in run("cache", "info").stdout
    assert run("cache", "clear").stdout == "1 answer removed\n"


def test_models_and_cache_alone_show_what_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("models").stdout == run("models", "list").stdout
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path))  # others may write to the user's meanwhile
    assert run("cache").stdout == run("cache", "info").stdout


def test_models_pull_has_everything_already() -> None:
    assert run("models", "pull").stdout.count(" ok\n") == 5


def test_score_counts_as_it_is_told(draft: str, tmp_path: Path) -> None:
    Path(draft).write_text("Dr. Lee agreed, i.e. she said yes.\n", encoding="utf-8")
    calls = tmp_path / "calls.jsonl"
    calls.write_text(json.dumps(['sentence_count_check(2, "less than")']) + "\n", encoding="utf-8")
    words = (
        "score",
        "adherence",
        "--predictions",
        draft,
        "--sources",
        draft,
        "--calls",
        str(calls),
        "--json",
    )
    for counting, met in (("default", 100), ("constrev", 0)):
        found = json.loads(run(*words, "--counting", counting).stdout)["adherence"]
        assert (found["score"], f"counting:{counting}" in found["signature"]) == (met, True)
    assert "counting:default" in run(*words).stdout


def test_score_says_what_is_wrong_with_its_files(tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("", encoding="utf-8")
    odd = tmp_path / "odd.jsonl"
    odd.write_text('{"else": 1}\n', encoding="utf-8")
    for predictions, references, says in (
        (str(empty), str(empty), "nothing to score"),
        ("-", "-", "only one file can be standard input"),
        (str(odd), str(empty), "none of the keys prediction, text, output"),
    ):
        result = run("score", "em", "--predictions", predictions, "--references", references, stdin="a\n")
        assert result.exit_code == 2
        assert says in " ".join(result.stderr.split())


def test_files_set_aside_are_named_and_cleared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path))
    aside = tmp_path / "answers.sqlite.damaged-20260101-000000"
    aside.write_bytes(b"a private sentence")
    assert str(aside) in run("cache", "info").stdout
    assert run("cache", "clear").stdout == "0 answers removed\n"
    assert not aside.exists()
    assert "damaged" not in run("cache", "info").stdout


def test_the_help_fits_on_one_screen() -> None:
    lines = run("--help").stdout.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    uses = [line.split()[0] for line in lines if line.startswith("  ") and not line.startswith("   ")]
    assert uses == ["Write", "Check", "Measure", "Make", "Serve", "Help"]


@pytest.mark.parametrize("name", ["mcp", "lsp"])
def test_a_server_that_is_not_installed_says_how_to_install_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"redraft.cli.{name}.find_spec", lambda _: None)
    result = run(name)
    assert result.exit_code == 2
    assert f"pip install 'redraft[{name}]'" in result.stderr


def test_an_option_that_is_gone_says_what_to_do_instead() -> None:
    result = run("bench", "overlap", "--top", "3")
    assert result.exit_code == 2
    assert "--top is no longer an option: --json lists every record" in result.stderr
