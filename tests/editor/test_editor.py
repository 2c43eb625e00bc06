"""None"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from redraft.bench.systems import registry
from redraft.cli import app
from redraft.editor import ADAPTER, Editor, EditorAnswer, editor_messages, gathered, runs_away, tidied, usable
from redraft.models import Completion, Models, Request, Usage
from tests.bench.data import FIXES, NEUTRAL, write_data
from tests.editor.judging import FakeQuality
from tests.models.scripted import FakeModel

TEXT = "She go to school."
FIXED = "She goes to school."


def test_greedy_is_one_call_and_judges_nothing() -> None:
    model, quality = FakeModel([f" {FIXED}\n"]), FakeQuality()
    edit = asyncio.run(Editor(model, quality, seed=3).edit(TEXT, "Fix it", ["A page."]))
    assert edit.text == FIXED
    assert edit.candidates == (EditorAnswer(FIXED, 0, greedy=True),)
    (request,) = model.requests
    assert request.messages == editor_messages("Fix it", TEXT, ["A page."])
    assert (request.adapter, request.temperature, request.n, request.seed) == (ADAPTER, 0.0, 1, 3)
    assert not quality.asked


def test_several_samples_are_the_greedy_one_and_the_rest_drawn_together() -> None:
    model = FakeModel([TEXT, FIXED, FIXED, "She went to school.", ""])
    edit = asyncio.run(Editor(model, samples=5, temperature=0.6, seed=7).edit(TEXT, "Paraphrase"))
    assert [(request.n, request.temperature, request.seed) for request in model.requests] == [
        (1, 0.0, 7),
        (4, 0.6, 7),
    ]
    assert edit.text == FIXED
    assert edit.candidates == (
        EditorAnswer(TEXT, 0, greedy=True),
        EditorAnswer(FIXED, 2),
        EditorAnswer("She went to school.", 1),
    )


def test_candidates_are_distinct_and_counted() -> None:
    found = asyncio.run(
        Editor(FakeModel(["b", "a", "b", "a", "c"])).candidates(TEXT, "Fix", count=5, temperature=1)
    )
    assert found == (EditorAnswer("b", 1, greedy=True), EditorAnswer("a", 2), EditorAnswer("c", 1))
    assert gathered(None, ["a", "a"]) == (EditorAnswer("a", 2),)


@pytest.mark.parametrize("samples", [1, 3])
def test_where_nothing_is_of_use_the_text_is_given_back(samples: int) -> None:
    edit = asyncio.run(Editor(FakeModel(["", "a b c d " * 5, " "]), samples=samples).edit(TEXT, "Simplify"))
    assert (edit.text, edit.candidates) == (TEXT, ())


def test_what_every_answer_took_is_added_up() -> None:
    class Spending(FakeModel):
        async def complete(self, request: Request) -> tuple[Completion, ...]:
            return tuple(
                Completion(text.text, usage=Usage(calls=1, completion_tokens=5))
                for text in await super().complete(request)
            )

    edit = asyncio.run(Editor(Spending(["", "a", "b"]), samples=3).edit(TEXT, "Simplify"))
    assert edit.usage == Usage(calls=3, completion_tokens=15)


def test_no_samples_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        Editor(FakeModel([]), samples=0)


class Knowing:
    """Greedily copies; sampled, it mostly knows the right answer."""

    spec = "fake"

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        source = request.messages[-1].content.split("\n")[1]
        if request.temperature == 0:
            return (Completion(source),)
        right = dict([*FIXES, *NEUTRAL])[source]
        return tuple(
            Completion(text) for text in [right, source, right, right, "", "Yes.", right][: request.n]
        )


def run(folder: Path, system: str, *words: str) -> dict[str, object]:
    out = folder / system.replace(":", "-")
    data = write_data(folder / "data")
    done = CliRunner().invoke(
        app, ["bench", "run", "editeval", "--data", str(data), "--out", str(out), "--system", system, *words]
    )
    assert done.exit_code == 0, done.output
    facts: dict[str, object] = json.loads((out / "run.json").read_text(encoding="utf-8"))
    lines = (out / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    return {**facts, "outputs": {row["input"]: row["output"] for row in map(json.loads, lines)}}


def test_the_best_of_eight_through_the_bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDRAFT_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(Models, "for_role", lambda self, role: Knowing())
    quality = FakeQuality()
    monkeypatch.setattr(registry, "_quality", lambda models: quality)
    words = ("--model", "http://nowhere/v1#fake", "--seed", "5")
    greedy, chosen = run(tmp_path, "editor", *words), run(tmp_path, "editor:8", *words)
    sources = dict([*FIXES, *NEUTRAL])
    assert greedy["outputs"] == {source: source for source in sources}
    assert chosen["outputs"] == sources
    assert len(quality.asked) == len(sources)
    assert (chosen["system"], chosen["seed"], chosen["model"]) == ("editor:8", 5, "http://nowhere/v1#fake")
    assert greedy["parameters"] == {"adapter": "editor"}
    assert set(chosen["parameters"]) == {"adapter", "temperature", "weights"}  # type: ignore[call-overload]


def test_what_the_best_of_eight_would_take_is_said(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    words = ["bench", "run", "editeval", "--data", str(data), "--system", "editor:8", "--dry-run"]
    assert "14 calls of embedded" in CliRunner().invoke(app, words).output


@pytest.mark.parametrize("text", ["", " \n", "...", "\ufeff"])
def test_a_text_without_words_is_given_back_unasked(text: str) -> None:
    model = FakeModel(["The cat sat."])
    editor = Editor(model, samples=3)
    edit = asyncio.run(editor.edit(text, "Fix it"))
    assert (edit.text, edit.usage, edit.candidates) == (text, Usage(), ())
    assert asyncio.run(editor.candidates(text, "Fix it", count=3)) == ()
    assert not model.requests


@pytest.mark.parametrize(
    ("answer", "source", "text"),
    [
        ("  He goes. ", "He go.", "He goes."),
        ('"He goes."', "He go.", "He goes."),
        ('"Go," he said', '"Go," he say', '"Go," he said'),
        ("One.\nTwo.", "One.\nTo.", "One.\nTwo."),
        ("", "He go.", ""),
    ],
)
def test_an_answer_is_tidied(answer: str, source: str, text: str) -> None:
    assert tidied(answer, source) == text


@pytest.mark.parametrize(
    ("text", "source", "away"),
    [
        ("He goes to school every day.", "He go to school every day.", False),
        ("a b c d e a b c d e a b c d e", "a b c d e", True),
        ("A b c d, so a B C d, so", "a", False),
        ("very very very very very very", "very good", True),
        ("very very very very very", "very good", False),  # "very" four times over, but only twice
        ("no no no no no no", "no no no no no no no", False),  # the source does so itself
        ("no no no no no no no", "no no no no no no", True),
    ],
)
def test_a_text_that_repeats_itself_is_found(text: str, source: str, away: bool) -> None:
    assert runs_away(text, source) is away


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        (Completion(" He goes. "), "He goes."),
        (Completion("  "), None),
        (Completion('""'), None),
        (Completion("He goes.", "length"), None),
        (Completion("He goes.", "filter"), None),
        (Completion("he goes to it " * 3), None),
        (Completion("y" * 118), "y" * 118),
        (Completion("y" * 119), None),  # more than three times as long, and a hundred
    ],
)
def test_what_is_no_edit_is_no_candidate(completion: Completion, text: str | None) -> None:
    assert usable(completion, "He go.") == text
