"""The stand-in for a strong model: it answers with what it was given, and refuses all else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from benchmarks.replay import Preference, Replay, ReplayServer, key, read_items

from redraft import Models, ReviseOptions, arevise, load_settings
from redraft.errors import UnknownModel
from redraft.judge import Context, Pair, PairwiseJudge, load_rubric
from redraft.models import Model, Prompts, Request
from redraft.revision import STRATEGIES
from redraft.revision.asking.baselines import run_baseline
from redraft.revision.asking.comparing import prefers_original
from redraft.revision.asking.planner import ModelPlanner
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.records import Action, Improvement
from redraft.text import Document

T = TypeVar("T")

FERRY = (
    "The ferry, which it was built in 1962, is popular by tourists. It crosses the bay six times a day. "
    "In winter there is less crossings. Tickets are sold at the pier."
)
BEES = "Bees makes honey. They lives in hives. A hive have one queen."
ITEMS = [
    {
        "id": "ferry-1",
        "instruction": "Improve the text.",
        "text": FERRY,
        "calls": [],
        "published": {
            "strong": "Built in 1962, the ferry is popular with tourists. It crosses the bay six times a day. "
            "In winter there are fewer crossings. Tickets are sold at the pier."
        },
    },
    {
        "id": "ferry-2",
        "instruction": "Improve the text. Fewer than 4 sentences.",
        "text": FERRY,
        "calls": ['sentence_count_check(4, "less than")'],
        "published": {
            "strong": "Built in 1962, the ferry is popular with tourists. It crosses the bay six times a day, "
            "less often in winter. Tickets are sold at the pier."
        },
    },
    {
        "id": "bees",
        "instruction": "Correct the mistakes.",
        "text": BEES,
        "published": {
            "strong": "Bees make honey. They live in hives. A hive has one queen.",
            "weak": BEES,
        },
    },
    {
        "id": "mill",
        "instruction": "Say it plainly.",
        "text": "The mill, it may be said, is old. Its wheel does turn no longer.",
        "published": {"strong": "The mill is old. Its wheel no longer turns. Nobody minds."},
    },
    {
        "id": "snow",
        "instruction": "Improve the text.",
        "text": "Snow fell all night. The roads was closed. School were cancelled.",
        "published": {"strong": "It snowed all night. The roads were closed, and school was cancelled."},
    },
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in ITEMS), encoding="utf-8")
    return path


@pytest.fixture
def server(data: Path) -> Iterator[ReplayServer]:
    with ReplayServer(data) as server:
        yield server


def ask(server: ReplayServer, work: Callable[[Model], Awaitable[T]], name: str = "strong") -> T:
    async def run() -> T:
        async with Models(load_settings({"cache": False, "retries": 0})) as models:
            return await work(models.open(f"{server.url}#{name}"))

    return asyncio.run(run())


def revision(number: int) -> str:
    return str(ITEMS[number]["published"]["strong"])  # type: ignore[index]


def plan(text: str, *numbers: int) -> Action:
    sentences = Document(text).sentences
    advice = (Improvement(s.number, s.text, "mend it" if s.number in numbers else "") for s in sentences)
    return Action("", (), tuple(advice), "test")


@pytest.mark.parametrize("strategy", ["direct", "cot", "plan", "iter"])
@pytest.mark.parametrize("number", range(len(ITEMS)))
def test_every_text_gets_the_revision_that_its_instruction_asks_for(
    server: ReplayServer, strategy: str, number: int
) -> None:
    item = ITEMS[number]
    found = ask(
        server, lambda model: run_baseline(strategy, str(item["text"]), str(item["instruction"]), model)
    )
    assert key(found.text) == key(revision(number))


def test_sentences_are_those_that_were_asked_for(server: ReplayServer) -> None:
    def revise(model: Model) -> Awaitable[dict[int, str]]:
        return ModelReviser(model).revise(
            FERRY, plan(FERRY, 1, 2, 3), instruction="Improve the text.", protected={1}
        )

    assert ask(server, revise) == {3: "In winter there are fewer crossings."}


def test_a_sentence_is_left_out_only_where_it_may_be(server: ReplayServer) -> None:
    def revise(model: Model, omittable: set[int]) -> Awaitable[dict[int, str]]:
        asked = str(ITEMS[1]["instruction"])
        return ModelReviser(model).revise(FERRY, plan(FERRY, 3), instruction=asked, omittable=omittable)

    assert ask(server, lambda model: revise(model, {3})) == {3: ""}
    assert ask(server, lambda model: revise(model, set())) == {}


def test_a_section_gets_its_share_and_what_is_new_stands_behind_what_was_there(server: ReplayServer) -> None:
    text, asked = str(ITEMS[3]["text"]), str(ITEMS[3]["instruction"])
    found = ask(server, lambda model: run_baseline("direct", text, asked, model, room=10))
    assert found.usage.calls == 2
    assert found.text == revision(3)


def test_a_text_that_is_partly_revised_is_known_too(server: ReplayServer) -> None:
    text = BEES.replace("makes", "make")

    def revise(model: Model) -> Awaitable[dict[int, str]]:
        return ModelReviser(model).revise(text, plan(text), instruction="Correct the mistakes.")

    assert ask(server, revise) == {2: "They live in hives.", 3: "A hive has one queen."}


def test_a_plan_names_the_checks_and_the_sentences_that_change(server: ReplayServer) -> None:
    def planned(model: Model) -> Awaitable[list[Action]]:
        return ModelPlanner(model, plan).plan(str(ITEMS[1]["instruction"]), FERRY, count=2)

    (action,) = ask(server, planned)
    assert action.calls == ('sentence_count_check(4, "less than")',)
    assert [one.sentence for one in action.plan if one.advice] == [1, 2, 3]


@pytest.mark.parametrize(
    ("compare", "preferred"),
    [("better", {"ab": {"B"}, "ba": {"A"}}), ("original", {"ab": {"A"}, "ba": {"B"}})],
)
def test_comparisons_are_answered_as_told(
    data: Path, compare: Preference, preferred: dict[str, set[str]]
) -> None:
    async def judged(model: Model) -> dict[str, set[str]]:
        pair = Pair("bees", BEES, revision(2), Context(source=BEES))
        found = await PairwiseJudge(model, load_rubric("revision")).judge(pair)
        return {one.order: set(map(str, one.marks.values())) for one in found}

    with ReplayServer(data, compare=compare) as server:
        assert ask(server, judged) == preferred


@pytest.mark.parametrize(("compare", "expected"), [("better", False), ("original", True)])
def test_a_reviser_that_is_asked_to_compare_prefers_what_it_was_told(
    data: Path, compare: Preference, expected: bool
) -> None:
    def asked(model: Model) -> Awaitable[bool]:
        return prefers_original(model, BEES, revision(2), instruction="Correct the mistakes.")

    with ReplayServer(data, compare=compare) as server:
        assert ask(server, asked) is expected


def test_a_random_comparison_is_the_same_with_the_same_seed(data: Path) -> None:
    texts = [str(number) for number in range(200)]

    def letters(seed: int) -> list[str]:
        replay = Replay(read_items(data, "strong"), "random", seed)
        return [replay.preferred(text, BEES) for text in texts]

    assert letters(1) == letters(1) != letters(2)
    assert 60 < letters(1).count("A") < 140


def test_of_two_revisions_that_with_more_of_the_published_one_is_preferred(data: Path) -> None:
    replay = Replay(read_items(data, "strong"))
    half = "Bees make honey. They lives in hives. A hive have one queen."
    assert [replay.preferred(revision(2), half), replay.preferred(half, revision(2))] == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "instruction"),
    [(BEES, "Improve the text."), ("Wasps make no honey.", "Correct the mistakes.")],
)
def test_another_text_or_instruction_is_an_error(server: ReplayServer, text: str, instruction: str) -> None:
    with pytest.raises(UnknownModel, match="replay: no item has the instruction"):
        ask(server, lambda model: run_baseline("direct", text, instruction, model))


def test_another_way_of_asking_is_an_error(server: ReplayServer) -> None:
    with pytest.raises(UnknownModel, match="no form of request begins so: 'Hello'"):
        ask(server, lambda model: model.complete(Request.of("Hello")))


def test_another_model_is_an_error_that_names_those_there_are(server: ReplayServer) -> None:
    with pytest.raises(UnknownModel, match="it has: strong, weak"):
        ask(server, lambda model: model.complete(Request.of("Hello")), "other")


def test_an_answer_is_cut_off_where_it_is_too_long(server: ReplayServer) -> None:
    direct = Prompts("redraft.revision.asking")(
        "direct", instruction="Correct the mistakes.", documents="", part="", text=BEES
    )
    request = Request.of(direct, max_tokens=4)
    (found,) = ask(server, lambda model: model.complete(request))
    assert (found.text, found.finish) == (revision(2)[:16], "length")


@pytest.mark.usefixtures("by_rule")
@pytest.mark.parametrize("strategy", [one for one in STRATEGIES if one != "repair"])
def test_all_that_a_revision_asks_is_known(server: ReplayServer, strategy: str) -> None:
    async def revise() -> None:
        settings = load_settings({"cache": False, "retries": 0, "model": f"{server.url}#strong"})
        async with Models(settings) as models:
            options = ReviseOptions(strategy, "high", scored=False)
            found = await arevise(FERRY, str(ITEMS[1]["instruction"]), models=models, options=options)
        assert found.failure is None
        assert sum(server.models["strong"].counts.values()) > 0

    asyncio.run(revise())
