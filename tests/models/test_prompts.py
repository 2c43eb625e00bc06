from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.models import Prompts


@pytest.fixture
def prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Prompts]:
    """The prompts of a package that is made for the test."""
    name = f"package_for_{request.node.name}"
    folder = tmp_path / name / "prompts"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("", encoding="utf-8")
    (folder / "ask.md").write_text("\n\nRewrite “{text}” in {count} words.\n\n", encoding="utf-8")
    (folder / "json.md").write_text('Answer {{"met": true}} of {text}\n', encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Prompts(name)
    sys.modules.pop(name, None)


def test_blanks_are_filled_and_the_ends_are_bare(prompt: Prompts) -> None:
    assert prompt("ask", text="Naïve é.", count=3) == "Rewrite “Naïve é.” in 3 words."


def test_what_is_filled_in_is_never_looked_at_for_blanks(prompt: Prompts) -> None:
    assert prompt("ask", text="{count} {0} {text.__class__}", count=1) == (
        "Rewrite “{count} {0} {text.__class__}” in 1 words."
    )


def test_braces_of_the_prompt_itself_are_doubled_in_its_file(prompt: Prompts) -> None:
    assert prompt("json", text="it") == 'Answer {"met": true} of it'
    assert prompt.template("json") == 'Answer {{"met": true}} of {text}'


def test_a_blank_that_is_not_filled_is_an_error(prompt: Prompts) -> None:
    with pytest.raises(KeyError, match="count"):
        prompt("ask", text="x")


def test_a_blank_may_be_called_name(prompt: Prompts, tmp_path: Path) -> None:
    (next(tmp_path.glob("package_for_*")) / "prompts" / "who.md").write_text("I am {name}", encoding="utf-8")
    assert prompt("who", name="Ada") == "I am Ada"


def test_a_prompt_that_is_not_there_is_an_error(prompt: Prompts) -> None:
    with pytest.raises(FileNotFoundError):
        prompt("nothing")
