"""How far a piece of work is: a bar on a terminal, and nothing where nobody looks."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from redraft.cli import runs
from redraft.cli.console import Output
from redraft.cli.runs import counted


def shown(monkeypatch: pytest.MonkeyPatch, *, terminal: bool) -> str:
    screen = Console(file=io.StringIO(), force_terminal=terminal, width=100)
    monkeypatch.setattr(runs, "console", lambda: screen)
    with counted("simplifying") as done:
        done(0, 3)
        done(2, 3)
    written = screen.file
    assert isinstance(written, io.StringIO)
    return written.getvalue()


def test_a_terminal_shows_how_many_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(monkeypatch, terminal=True)
    assert "simplifying" in text
    assert "2/3" in text


def test_nothing_is_shown_elsewhere_or_when_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    assert shown(monkeypatch, terminal=False) == ""
    monkeypatch.setattr(Output, "quiet", True)
    assert shown(monkeypatch, terminal=True) == ""
