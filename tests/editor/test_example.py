"""`examples/edit.py` as a user types it."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from redraft.text import diff_terminal, diff_words

EXAMPLE = Path(__file__).parents[2] / "examples" / "edit.py"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "usage: "),
        (["x.txt"], "usage: "),
        (["/no/such/file", "Fix it"], "error: /no/such/file: there is no such file"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(words: list[str], says: str) -> None:
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *words], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(says)
    assert len(done.stderr.splitlines()) == 1


def test_brackets_of_the_text_are_no_mark_up() -> None:
    out = io.StringIO()
    edits = diff_words("The [old] house [bold]were[/bold] sold.", "The [old] house [bold]was[/bold] sold.")
    Console(file=out, soft_wrap=True, highlight=False).print(diff_terminal(edits))
    assert out.getvalue() == "The [old] house [bold][-were-]{+was+}[/bold] sold.\n"
