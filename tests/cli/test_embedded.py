"""The commands with the embedded models, as a user has them offline: which words they choose depends on the
processor, what holds of those words does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import redraft
from redraft.cli import app
from redraft.models.llama import close_engines

TEXT = (
    "The harbour froze over in January 1963, and the ferries stayed in port for six weeks. "
    "Nobody in the town had seen anything like it. "
    "The council commenced its work, purchased 14 boats and, after some debate, decided to ration coal.\n"
)


@pytest.fixture(scope="module", autouse=True)
def engines() -> Iterator[None]:
    yield
    close_engines()


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    file = tmp_path / "draft.txt"
    file.write_text(TEXT, encoding="utf-8")
    return file


def test_what_is_revised_with_status_0_passes_the_check(draft: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    instruction = "Under 40 words, keep the second sentence, and never say 'ration'."
    words = ["revise", str(draft), "-i", instruction, "--effort", "low", "-o", str(out)]
    done = CliRunner().invoke(app, words)
    assert (done.exit_code, done.stdout) == (0, ""), done.stderr
    checked = CliRunner().invoke(app, ["check", str(out), "--original", str(draft), "-i", instruction])
    assert checked.exit_code == 0, checked.stdout
    assert "Nobody in the town had seen anything like it." in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("policy", ["lexical", "rewrite"])
def test_what_is_simplified_is_easier_and_says_the_same(draft: Path, policy: str) -> None:
    done = CliRunner().invoke(app, ["simplify", str(draft), "--policy", policy, "--effort", "low", "--json"])
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["met"]
    assert found["glossary"], "the text has words that have easier ones"
    assert found["usage"]["calls"] == 0
    assert "January 1963" in found["text"]
    assert redraft.check(found["text"], ['preserve_check("numbers")'], original=TEXT).met
    assert found["quality"]["after"]["perplexity"] > 1
    assert policy == "rewrite" or found["text"].count(".") == 3
