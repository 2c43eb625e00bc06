"""`redraft explain`, and what `redraft revise` shows beside its result."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from redraft.cli import app
from redraft.cli.console import Output
from redraft.cli.write import revision_view as revise_view
from redraft.cli.write.revision_view import View, show_asked, show_changes, show_findings, show_scores
from redraft.constraints import parse
from redraft.models import Ledger, Usage
from redraft.revision.records import Change, Settled
from redraft.revision.showing.trace import Trace
from tests.revision.tracing import (
    CALLS,
    ORIGINAL,
    ORIGINAL_QUALITY,
    REVISED,
    REVISED_QUALITY,
    finish,
    node,
    small_search,
    start,
    write_small,
)


def run(*words: str, width: int = 60) -> Result:
    return CliRunner(env={"COLUMNS": str(width)}).invoke(app, ["explain", *words])


def test_a_revision_is_told_in_words_and_wrapped(tmp_path: Path) -> None:
    result = run(str(write_small(tmp_path)))
    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= 60
    told = " ".join(result.stdout.split())
    for words in (
        "asked Cut this & never say 'leverages'.",
        'met word_count_check(25, "less than") 21 words',
        "tried 3 texts, at most 1 step deep",
        "stopped no further change made it better",
        "took 4 calls, 1,234 tokens, 2.5 s",
        "perplexity 44.5 → 30.2",
        "sentence 1 rewritten by repair: 'leverages' must not be said We [-leverages-]{+use+} the data",
        "sentence 2 split by embedded",
        "sentence 3 left out by repair",
        "sentence 4 kept Dr. Lee agreed. asked for: Do not change the 4th sentence.",
    ):
        assert words in told
    assert "\x1b" not in result.stdout


def test_what_a_terminal_would_obey_is_shown_as_escapes(tmp_path: Path) -> None:
    evil = "Now \x1b[2J\u202e gone [bold]."
    with Trace(tmp_path) as trace:
        start(trace, text="Now here.", calls=(), instruction=evil)
        root = node(0, None, "Now here.", calls=())
        trace.node(root)
        other = node(1, root, evil, calls=())
        trace.node(other)
        finish(trace, [root, other], best=1, changes=[Change("Now here.", evil, evil, evil)])
    result = run(str(tmp_path), width=200)
    assert result.exit_code == 0
    assert not re.search("[\x1b\u202e]", result.stdout)
    assert "\\x1b[2J\\u202e gone [bold]" in result.stdout


def test_json(tmp_path: Path) -> None:
    data = json.loads(run(str(write_small(tmp_path)), "--json").stdout)
    assert [one["met"] for one in data["constraints"]] == [True, True, True]
    assert data["sentences"][2]["needed"] == [CALLS[0]]


def test_an_unfinished_trace_and_no_trace(tmp_path: Path) -> None:
    with Trace(tmp_path / "begun") as trace:
        start(trace)
        trace.node(small_search()[0])
    unfinished = run(str(tmp_path / "begun"))
    assert unfinished.exit_code == 0
    assert "before it had a result" in unfinished.stdout
    none = run(str(tmp_path / "nowhere"))
    assert (none.exit_code, none.stdout) == (2, "")
    assert "holds no trace" in none.stderr


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """What a terminal of 100 columns was sent."""
    file = io.StringIO()

    def console() -> Console:
        return Console(file=file, force_terminal=True, width=100, highlight=False, soft_wrap=True)

    monkeypatch.setattr(revise_view, "console", console)
    return file


def test_the_live_view_tells_how_it_stands(shown: io.StringIO) -> None:
    ledger = Ledger()
    ledger.add("earlier", "writer", Usage(5, 100, 100))
    with View(ledger) as view:
        assert str(view.line()).startswith("reading the text")
        for one in small_search():
            view.reached(one)
        ledger.add("m", "writer", Usage(2, 1000, 500))
        line = str(view.line())
    assert line.startswith("best 1.502  constraints 3/3  texts 3  depth 1  calls 2  tokens 1,500  ")
    assert line in shown.getvalue()


def test_there_is_no_live_view_without_a_terminal_or_with_quiet(
    shown: io.StringIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Output, "quiet", True)
    with View(Ledger()) as view:
        view.reached(small_search()[0])
    show_changes("a", "b")
    assert shown.getvalue() == ""
    monkeypatch.undo()
    with View(Ledger()) as view:
        view.reached(small_search()[0])
    assert capsys.readouterr() == ("", "")


def test_findings_scores_and_changes_read_without_colours(capsys: pytest.CaptureFixture[str]) -> None:
    show_findings(small_search()[0].findings)
    show_scores(REVISED, ORIGINAL_QUALITY, REVISED_QUALITY)
    show_changes(ORIGINAL, REVISED)
    show_changes(ORIGINAL, ORIGINAL)
    out, err = capsys.readouterr()
    assert out == ""
    assert 'NOT met  keyword_keep_removal_check("leverages", "remove")  "leverages" occurs 1 time' in err
    assert re.search(r"perplexity +44\.5 → +30\.2", err)
    assert re.search(r"grammar +8\.0 → +0\.0  Harper finds no errors; it misses many", err)
    assert re.search(r"meaning +0\.90", err)
    assert "We [-leverages-]{+use+} the data" in err
    assert err.endswith("nothing was changed\n")
    assert "\x1b" not in err


def test_the_grammar_of_another_language_has_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    show_scores("Der Zug ist nicht pünktlich, und die Leute warten.", ORIGINAL_QUALITY, REVISED_QUALITY)
    assert "perplexity" in (err := capsys.readouterr().err)
    assert "grammar" not in err


def test_long_unchanged_text_is_cut_down_around_changes(capsys: pytest.CaptureFixture[str]) -> None:
    one, two, three = ("".join(f"{name}{number} " for number in range(300)) for name in "abc")
    show_changes(f"{one}old {two}\x1bolder {three}", f"{one}new {two}newer {three}")
    err = capsys.readouterr().err
    assert len(err) < 300
    assert err.count("…") == 3
    assert err.startswith("… a29")
    assert err.endswith(" …\n")
    show_changes(f"old {one}\n\n{two}older", f"new {one}\n\n{two}newer")
    assert " …\n… b29" in capsys.readouterr().err
    assert "[-old-]{+new+}" in err
    assert "\x1b" not in err


def test_a_table_on_a_terminal_loses_nothing(shown: io.StringIO) -> None:
    keyword = "interdisciplinarity " * 5
    findings = node(
        0, None, "x", original="x", calls=[f'keyword_keep_removal_check("{keyword.strip()}", "remove")']
    ).findings
    show_findings(findings)
    assert shown.getvalue().count("interdisciplinarity") >= 5
    assert "…" not in shown.getvalue()


def test_the_live_view_counts_the_sentences_and_shows_the_latest_changes(shown: io.StringIO) -> None:
    with View(Ledger(), 4) as view:
        view.settled(Settled(1, "It is red.", "It is red."))
        view.settled(Settled(2, "It run fast.", "It runs fast."))
        view.settled(Settled(1, "It is red.", "It is red.", final=True))
        line = str(view.line())
    assert "sentences 2/4" in line
    assert "runs" in shown.getvalue()
    assert "It is red" not in shown.getvalue()


def test_what_is_asked_for_is_shown_on_a_terminal_alone(
    shown: io.StringIO, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    show_asked(parse("At most 40 words.").constraints)
    assert 'word_count_check(41, "less than")' in capsys.readouterr().err
    monkeypatch.undo()
    show_asked(parse("At most 40 words.").constraints)
    assert capsys.readouterr() == ("", "")
