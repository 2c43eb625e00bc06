"""The baselines: what the model says is what they give, tidied and laid out as the text was."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from redraft.editor import ADAPTER, editor_messages
from redraft.errors import ContextOverflow, InputError
from redraft.models import Completion, Models, Request, Usage
from redraft.revision.asking.baselines import BASELINES, Baseline, run_baseline
from redraft.settings import Settings, load_settings
from tests.models.scripted import FakeModel, ScriptedServer, say
from tests.revision.asking_parts import Answering, asked

TEXT = "The ferry was built in 1962.\n\nIt make eleven crossings. Tourists enjoys the ride.\n"
FLAT = "The ferry was built in 1962. It makes eleven crossings. Tourists enjoy the ride."
GOOD = "The ferry was built in 1962.\n\nIt makes eleven crossings. Tourists enjoy the ride.\n"
WISH = "Fix the grammar."


def run(name: str, model: object, text: str = TEXT, **options: object) -> Baseline:
    return asyncio.run(run_baseline(name, text, WISH, model, **options))  # type: ignore[arg-type]


def test_direct_asks_once() -> None:
    model = Answering(lambda _: f"Here is the revised text:\n\n{FLAT}")
    found = run("direct", model, seed=3, documents=["A page."])
    assert found == Baseline(GOOD, Usage(1, 10, 5), (GOOD,))
    (request,) = model.requests
    assert (request.seed, request.temperature) == (3, 0.7)
    assert WISH in asked(request)
    assert TEXT.strip() in asked(request)
    assert "A page." in asked(request)


def test_a_raw_answer_is_not_repaired() -> None:
    assert run("direct", FakeModel(["It was built."])).text == "It was built.\n"


@pytest.mark.parametrize(
    "answer", [Completion("The ferry was bu", "length"), Completion("The ferry", "filtered")]
)
def test_an_answer_that_is_not_whole_leaves_the_text(answer: Completion) -> None:
    assert run("direct", Answering(lambda _: answer)).text == TEXT


@pytest.mark.parametrize("name", BASELINES)
def test_an_empty_answer_leaves_the_text(name: str) -> None:
    assert run(name, Answering(lambda _: " \n")).text == TEXT


@pytest.mark.parametrize("name", BASELINES)
@pytest.mark.parametrize("text", ["", " \n", "***\n"])
def test_a_text_without_words_comes_back(name: str, text: str) -> None:
    assert run(name, Answering(lambda _: ""), text).text == text


@pytest.mark.parametrize("name", BASELINES)
def test_a_huge_answer_is_survived(name: str) -> None:
    assert run(name, Answering(lambda _: "word. " * 150_000)).text.endswith("\n")


def test_thoughts_are_not_the_text() -> None:
    found = run("cot", FakeModel([f"First, REVISED TEXT: is a line.\n\n**Revised text:**\n{FLAT}"]))
    assert found.text == GOOD


def test_thoughts_without_a_text_are_asked_for_one() -> None:
    model = FakeModel(["I would fix two verbs.", FLAT])
    assert run("cot", model).text == GOOD
    assert [message.role for message in model.requests[1].messages] == ["user", "assistant", "user"]


def test_a_plan_comes_first_and_is_followed() -> None:
    model = FakeModel(["2: Write makes.\n3: Write enjoy.\n8: Nothing.", FLAT])
    assert run("plan", model).text == GOOD
    first, second = map(asked, model.requests)
    assert "harbour ferry" in first
    assert "[2] It make eleven crossings." in first
    assert "Sentence: It make eleven crossings.\nTo do: Write makes." in second
    assert "Sentence: The ferry was built in 1962.\nTo do: nothing" in second


def test_without_a_plan_the_text_is_still_revised() -> None:
    model = FakeModel(["I have no plan.", FLAT])
    assert run("plan", model).text == GOOD
    assert "To do: nothing" not in asked(model.requests[1])


def test_rounds_build_on_one_another() -> None:
    texts = [f"The ferry was built in {year}." for year in (1963, 1964, 1965, 1966, 1967)]
    model = FakeModel(texts)
    found = run("iter", model, "The ferry was built in 1962.", seed=10)
    assert (found.text, found.rounds) == (texts[-1], tuple(texts))
    assert [request.seed for request in model.requests] == [10, 11, 12, 13, 14]
    assert "<source>\nThe ferry was built in 1962.\n</source>" in asked(model.requests[4])
    assert "<text>\nThe ferry was built in 1966.\n</text>" in asked(model.requests[4])
    assert len(run("iter", Answering(lambda _: FLAT), rounds=2).rounds) == 2


def test_each_sentence_by_itself() -> None:
    model = FakeModel(["The ferry dates from 1962.", '"It makes eleven crossings."', "so it goes on " * 9])
    found = run("sentence", model)
    assert (
        found.text == "The ferry dates from 1962.\n\nIt makes eleven crossings. Tourists enjoys the ride.\n"
    )
    assert [asked(request).split("Sentence: ")[1] for request in model.requests] == [
        "The ferry was built in 1962.",
        "It make eleven crossings.",
        "Tourists enjoys the ride.",
    ]


@pytest.mark.parametrize("spec", ["embedded", "torch:/a/folder"])
def test_our_own_models_edit_sentences_as_the_editor(spec: str) -> None:
    model = Answering(lambda request: "It makes eleven crossings." if "make" in asked(request) else "")
    model.spec = spec
    assert run("sentence", model, seed=2).text == TEXT.replace("make", "makes")
    request = model.requests[1]
    assert request.messages == editor_messages(WISH, "It make eleven crossings.")
    assert (request.adapter, request.temperature, request.seed) == (ADAPTER, 0.0, 2)


LONG = "\n\n".join(f"Number {n} stand here. It stand there too." for n in range(1, 81))


def correct(request: Request) -> str:
    text = asked(request).partition("<text>\n")[2].partition("\n</text>")[0]
    return " ".join(text.replace("stand", "stands").split())


def test_a_long_text_goes_in_sections_and_keeps_its_paragraphs() -> None:
    model = Answering(correct)
    found = run("direct", model, LONG, room=800)
    assert found.text == LONG.replace("stand", "stands")
    assert found.usage.calls == len(model.requests) > 3


def test_a_section_that_does_not_fit_is_halved() -> None:
    assert run("direct", Answering(correct, limit=1500), LONG).text == LONG.replace("stand", "stands")
    with pytest.raises(ContextOverflow):
        run("direct", Answering(correct, limit=100), LONG)


def test_markdown_keeps_its_shape() -> None:
    text = "# The ferry\n\n- It make crossings.\n- Tourists enjoys it.\n"
    answer = "# The ferry\n- It makes crossings.\n- Tourists enjoy it."
    found = run("direct", FakeModel([answer]), text, format="markdown")
    assert found.text == "# The ferry\n\n- It makes crossings.\n- Tourists enjoy it.\n"


def test_what_cannot_be_run_is_refused() -> None:
    with pytest.raises(InputError, match="direct, cot, plan, iter, sentence"):
        run("magic", FakeModel([]))
    with pytest.raises(InputError, match="at least one round"):
        run("iter", FakeModel([]), rounds=0)


def test_what_is_cached_is_the_same_and_free(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.answers = [say(FLAT), say("Never asked for.")]

        async def twice() -> list[Baseline]:
            async with Models(Settings(cache_dir=tmp_path, api_key="k")) as models:
                model = models.open(f"{server.url}#tiny")
                return [await run_baseline("direct", TEXT, WISH, model) for _ in range(2)]

        first, second = asyncio.run(twice())
    assert first.text == second.text == GOOD
    assert (first.usage.calls, first.usage.tokens) == (1, 15)
    assert second.usage == Usage(cached=1)


def test_the_embedded_model_revises_sentence_by_sentence() -> None:
    text = "She go to school every days.\n\nHe have two cat and they is hungry."

    async def edit() -> Baseline:
        settings = load_settings({"cache": False, "context": 1024})
        async with Models(settings) as models:
            return await run_baseline("sentence", text, "Fix grammatical errors", models.open("embedded"))

    found = asyncio.run(edit())
    first, second = found.text.split("\n\n")
    assert "goes" in first or "day." in first
    assert "cats" in second or "has" in second
    assert found.usage.calls == 2
