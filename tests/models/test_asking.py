"""Asking a model: prompts from files, and answers that are validated."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel, ValidationError

from redraft.errors import BadAnswer, FileError, InputError
from redraft.models import Completion, Message, Prompts, ask, read_answer
from redraft.models.asking import json_values
from redraft.models.base import Finish
from tests.models.scripted import FakeModel


class Verdict(BaseModel):
    winner: Literal["a", "b"]
    reason: str


GOOD = '{"winner": "a", "reason": "shorter"}'
QUESTION = [Message("user", "Which is better?")]


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"Sure! Here is my verdict:\n\n{GOOD}\n\nI hope {{this}} helps.",
        f'First I thought {{"winner": "c"}}, [1, 2], but {GOOD}',
        f"{{broken {GOOD}",
    ],
)
def test_json_is_found_where_models_put_it(text: str) -> None:
    assert read_answer(text, Verdict) == Verdict(winner="a", reason="shorter")


@pytest.mark.parametrize("text", ["", "no", "{", "[" * 5000, '{"winner": "a"', "__import__('os')"])
def test_no_json_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON"):
        read_answer(text, Verdict)


def test_brackets_that_are_never_closed_are_given_up_in_time() -> None:
    """Read anew from each of them, these would take minutes."""
    endless = ("[" * 100_000, "{" * 100_000, '{"a":' * 20_000, "[" * 900 + "1," * 50_000, '["' * 50_000)
    assert [list(json_values(text)) for text in endless] == [[]] * len(endless)
    assert list(json_values("{x} " * 900 + "[7]")) == [[7]], "a text with many others has its JSON found"


def test_the_first_wrong_answer_is_the_one_explained() -> None:
    with pytest.raises(ValidationError, match="winner"):
        read_answer('{"winner": "c", "reason": ""} {}', Verdict)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):
        read_answer(text, Verdict)


def test_repair_tells_the_model_what_was_wrong() -> None:
    model = FakeModel(["I like a.", '{"winner": "neither", "reason": "x"}', GOOD])
    assert asyncio.run(ask(model, QUESTION, Verdict)).winner == "a"
    second, third = model.requests[1:]
    assert "no JSON" in second.messages[-1].content
    assert "winner" in third.messages[-1].content
    assert len(third.messages) == 3, "only the last failure is repeated"
    assert third.schema is not None
    assert third.schema.index("winner") < third.schema.index("reason"), "properties keep their order"


def test_repair_is_bounded() -> None:
    model = FakeModel(["no"] * 9)
    with pytest.raises(BadAnswer, match="no valid Verdict in 3 tries"):
        asyncio.run(ask(model, QUESTION, Verdict, repairs=2, seed=5))
    assert [request.seed for request in model.requests] == [5, 6, 7], "no question is asked twice"


def test_what_was_cut_off_is_asked_for_again_however_much_of_it_is_valid() -> None:
    model = FakeModel([f"{{broken {GOOD}", GOOD], finish="length")
    assert asyncio.run(ask(model, QUESTION, Verdict)).winner == "a"
    assert "make it shorter" in model.requests[1].messages[-1].content


def test_an_answer_that_came_to_no_end_is_not_shown_again_whole() -> None:
    model = FakeModel(['{"winner": ' + "[true, " * 500, GOOD], finish="length")
    assert asyncio.run(ask(model, QUESTION, Verdict)).winner == "a"
    shown = model.requests[1].messages[1].content
    assert shown.startswith('{"winner": [true')
    assert len(shown) < 300


@pytest.mark.parametrize("finish", ["filtered", "refused"])
def test_what_was_refused_is_not_asked_for_again(finish: Finish) -> None:
    model = FakeModel([GOOD] * 3, finish=finish)
    with pytest.raises(BadAnswer, match=Completion("", finish).problem):
        asyncio.run(ask(model, QUESTION, Verdict))
    assert len(model.requests) == 1


@pytest.fixture
def prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Prompts]:
    """The prompts of a package that is made for the test."""
    name = re.sub(r"\W", "_", f"package_for_{request.node.name}")
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


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder for prompts of a user's own."""
    folder = tmp_path / "own"
    folder.mkdir()
    return folder


def test_a_users_prompt_stands_in_the_place_of_ours_while_it_lasts(prompt: Prompts, own: Path) -> None:
    ours = prompt.hash
    (own / "ask.md").write_text("{count} words for {text}, {{please}}\n", encoding="utf-8")
    (own / ".hidden").write_text("{", encoding="utf-8")
    with prompt.replaced_from(own):
        assert prompt("ask", text="it", count=3) == "3 words for it, {please}"
        assert prompt("json", text="it") == 'Answer {"met": true} of it'
        assert prompt.hash != ours
        with prompt.replaced_from(None):
            assert prompt("ask", text="it", count=3) == "3 words for it, {please}"
    assert prompt("ask", text="it", count=3) == "Rewrite “it” in 3 words."
    assert prompt.hash == ours


def test_work_beside_it_has_its_own_prompts(prompt: Prompts, own: Path) -> None:
    (own / "ask.md").write_text("{count}{text}", encoding="utf-8")
    entered, done = asyncio.Event(), asyncio.Event()

    async def replaced() -> str:
        with prompt.replaced_from(own):
            entered.set()
            await done.wait()
            return await asyncio.to_thread(prompt, "ask", text="a", count=1)

    async def plain() -> str:
        await entered.wait()
        done.set()
        return prompt("ask", text="a", count=1)

    async def both() -> list[str]:
        return await asyncio.gather(replaced(), plain())

    assert asyncio.run(both()) == ["1a", "Rewrite “a” in 1 words."]


@pytest.mark.parametrize(
    ("name", "words", "problem"),
    [
        ("other.md", "", "is no prompt; known are ask, json"),
        ("ask.txt", "{text} {count}", "is no prompt"),
        ("ask.md", "{text} {count} {sentence}", "nothing fills in {sentence}"),
        ("ask.md", "{text} {count} {text.__class__}", "nothing fills in {text.__class__}"),
        ("ask.md", "{text}", "{count} is missing"),
        ("ask.md", "{text} {count} {", "doubled"),
        ("ask.md", "{text!r} {count}", "write {text} alone"),
    ],
)
def test_a_users_prompt_that_cannot_be_filled_in_is_an_error(
    prompt: Prompts, own: Path, name: str, words: str, problem: str
) -> None:
    (own / name).write_text(words, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(problem)) as error, prompt.replaced_from(own):
        pass
    assert str(own / name) in str(error.value)


def test_prompts_come_from_a_folder(prompt: Prompts, own: Path) -> None:
    with pytest.raises(FileError, match="no folder"), prompt.replaced_from(own / "missing"):
        pass
