"""The planner that asks a model: what it asks, and what it makes of the answers."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import all_kinds
from redraft.models import Completion, Models, Request, adapters
from redraft.revision.asking.answers import TOOLS
from redraft.revision.asking.planner import (
    BRIEF_ROOM,
    PAST_TOKENS,
    PLANNER,
    ModelPlanner,
    brief_answer,
    is_trained_planner,
)
from redraft.revision.asking.requests import (
    CHARACTERS_A_TOKEN,
    history_text,
    join_sections,
    section_text,
    sections,
)
from redraft.revision.records import Action, Feedback, Improvement, Node
from redraft.settings import Settings
from redraft.text import Document, Format
from tests.models.scripted import FakeModel, ScriptedServer, say
from tests.revision.asking_parts import Answering, asked, node

TEXT = "The ferry was built in 1962. It make eleven crossings. Tourists enjoys the ride."
WISH = "Fix the grammar in fewer than 15 words."
PLAN = 'THOUGHT: Two verbs.\nCALLS:\nword_count_check(15, "less than")\nPLAN:\n2: Write "makes".\n3: Write "enjoy".'
OTHER = "PLAN:\n2: Shorten it."


def rules(text: str) -> Action:
    sentences = Document(text).sentences
    return Action("by rule", (), tuple(Improvement(s.number, s.text, "correct", "fix") for s in sentences))


def plan(model: object, text: str = TEXT, history: tuple[Node, ...] = (), **options: object) -> list[Action]:
    own = {name: options.pop(name) for name in ("room", "brief") if name in options}
    planner = ModelPlanner(model, rules, **own)  # type: ignore[arg-type]
    return asyncio.run(planner.plan(WISH, text, history, **options))  # type: ignore[arg-type]


def test_a_good_answer_is_the_plan() -> None:
    model = FakeModel([PLAN])
    (action,) = plan(model, seed=5, temperature=0.2)
    assert action.by == "fake"
    assert action.thought == "Two verbs."
    assert action.calls == ('word_count_check(15, "less than")',)
    assert [(one.sentence, one.advice) for one in action.plan] == [
        (1, ""),
        (2, 'Write "makes".'),
        (3, 'Write "enjoy".'),
    ]
    assert [one.text for one in action.plan] == [s.text for s in Document(TEXT).sentences]
    (request,) = model.requests
    assert (request.n, request.seed, request.temperature) == (1, 5, 0.2)
    assert WISH in asked(request)
    assert "[2] It make eleven crossings." in asked(request)


def test_samples_come_from_one_request_and_count_once_each() -> None:
    model = FakeModel([PLAN, OTHER, PLAN])
    actions = plan(model, count=3)
    assert [request.n for request in model.requests] == [3]
    assert [action.plan[1].advice for action in actions] == ['Write "makes".', "Shorten it."]


def test_fewer_answers_than_were_asked_for_are_fewer_plans() -> None:
    class Sparing(FakeModel):
        async def complete(self, request: Request) -> tuple[Completion, ...]:
            return (Completion(PLAN),)

    assert [action.thought for action in plan(Sparing([]), count=3)] == ["Two verbs."]


def test_a_malformed_answer_is_asked_for_once_more_with_the_reason() -> None:
    model = FakeModel(["PLAN:\n9: Fix it.", PLAN])
    (action,) = plan(model, seed=3)
    assert action.plan[2].advice == 'Write "enjoy".'
    first, second = model.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert second.messages[-2].content == "PLAN: 9: Fix it."
    assert "sentence 9" in asked(second)


@pytest.mark.parametrize("answer", ["", "I am only a model.", "x" * 1_000_000, TEXT, "[1] \n" * 20_000])
def test_after_two_malformed_answers_the_rules_plan(answer: str) -> None:
    model = FakeModel([answer, answer])
    assert plan(model) == [rules(TEXT)]
    assert sum(len(m.content) for m in model.requests[-1].messages) < 20_000


def test_a_half_good_set_of_answers_is_the_good_ones_and_one_fallback() -> None:
    model = FakeModel([PLAN, "no", "no way", "still no", "never"])
    first, second = plan(model, count=3, seed=7)
    assert (first.by, second) == ("fake", rules(TEXT))
    assert [(request.n, request.seed) for request in model.requests] == [(3, 7), (1, 8), (1, 9)]


def test_an_answer_that_is_cut_off_loses_its_last_line() -> None:
    model = Answering(lambda _: Completion("PLAN:\n2: Write it.\n3: Wri", "length"))
    (action,) = plan(model)
    assert [one.advice for one in action.plan] == ["", "Write it.", ""]
    model = Answering(lambda _: Completion("THOUGHT: " + "so " * 99, "length"))
    assert plan(model) == [rules(TEXT)]
    assert "cut off" in asked(model.requests[1])


def test_a_model_that_repeats_what_it_was_asked_has_no_plan() -> None:
    model = Answering(lambda request: "\n".join(message.content for message in request.messages))
    assert plan(model) == [rules(TEXT)]


def test_every_kind_of_constraint_is_offered() -> None:
    model = FakeModel([PLAN])
    plan(model)
    words = model.requests[0].messages[0].content
    assert all(f"\n{name}(" in words for name in (*all_kinds(), *TOOLS[1:]))


def test_a_text_that_does_not_fit_at_all_is_planned_by_the_rules() -> None:
    assert plan(Answering(lambda _: PLAN, limit=10)) == [rules(TEXT)]


def test_no_text_needs_no_model() -> None:
    assert plan(FakeModel([]), text=" \n") == [Action("by rule", (), ())]


LONG = "\n\n".join(f"Sentence number {n} stands here with some words. It ends {n}." for n in range(1, 61))


def every_sentence(request: Request) -> str:
    lines = re.findall(r"^\[(\d+)\]", asked(request), re.M)
    return "THOUGHT: Long.\nCALLS:\ntext_eval()\nPLAN:\n" + "\n".join(f"{n}: advice on {n}" for n in lines)


def test_a_long_text_is_planned_in_sections() -> None:
    model = Answering(every_sentence)
    first, *more = plan(model, LONG, room=700, count=2)
    assert more == []
    assert len(model.requests) == len(sections(Document(LONG), 700)) > 5
    assert [one.advice for one in first.plan] == [f"advice on {n}" for n in range(1, 121)]
    assert first.calls == ("text_eval()",)
    assert "After it stands" in asked(model.requests[0])


def test_a_section_without_a_plan_has_that_of_the_rules() -> None:
    model = Answering(lambda request: "no" if "[1] " in asked(request) else every_sentence(request))
    (action,) = plan(model, LONG, room=700)
    assert action.by == "fake"
    assert action.plan[0] == Improvement(1, Document(LONG).sentence(1).text, "correct", "fix")
    assert action.plan[-1].advice == "advice on 120"
    assert [one.sentence for one in action.plan] == list(range(1, 121))


def test_sections_halve_until_they_fit() -> None:
    model = Answering(every_sentence, limit=4000)
    (action,) = plan(model, LONG, room=100_000)
    assert [one.advice for one in action.plan] == [f"advice on {n}" for n in range(1, 121)]


@given(st.lists(st.integers(1, 90), max_size=30), st.integers(0, 200))
def test_sections_cover_every_sentence_once(lengths: list[int], room: int) -> None:
    text = "".join(f"A{'b' * length}.{' ' if length % 3 else chr(10) * 2}" for length in lengths)
    document = Document(text)
    found = sections(document, room)
    assert [n for numbers in found for n in numbers] == [s.number for s in document.sentences]
    for numbers in found:
        assert len(numbers) == 1 or sum(len(document.sentence(n).text) for n in numbers) <= room


@given(
    st.text(alphabet="Ab. \n#-*>", max_size=60),
    st.sampled_from(["text", "markdown", "latex"]),
    st.integers(0, 30),
)
def test_sections_join_to_the_text_again(text: str, format: Format, room: int) -> None:
    document = Document(text, format)
    parts = sections(document, room)
    assert join_sections(document, [(numbers, None) for numbers in parts]) == text
    assert join_sections(document, [(numbers, section_text(document, numbers)) for numbers in parts]) == text


def path(*thoughts: str) -> tuple[Node, ...]:
    said = (
        Feedback("word_count_check", 1, "has 40 words, wants fewer than 15"),
        Feedback("text_eval", None, "fair"),
    )
    steps = [node(TEXT, feedback=said)]
    for thought in thoughts:
        improvements = (Improvement(2, "It make eleven crossings.", f"advice after {thought}"),)
        steps.append(
            node(TEXT, steps[-1], thought=thought, plan=improvements, calls=("text_eval()",), feedback=said)
        )
    return tuple(steps)


def test_the_way_so_far_is_told_in_order() -> None:
    model = FakeModel([PLAN])
    plan(model, history=path("first thought", "second thought"))
    words = asked(model.requests[0])
    places = [
        words.index(part)
        for part in ("At the start", "first thought", "Step 2.", "advice after second", "[1] The ferry")
    ]
    assert places == sorted(places)
    assert "word_count_check (not met): has 40 words" in words


@given(st.lists(st.text(max_size=300), max_size=30), st.integers(20, 900))
def test_the_way_so_far_fits_its_budget(thoughts: list[str], tokens: int) -> None:
    words = history_text(path(*thoughts), tokens)
    assert len(words) <= tokens * CHARACTERS_A_TOKEN
    assert (f"Step {len(thoughts)}." if thoughts else "At the start.") in words


def test_older_steps_are_shortened_and_then_left_out() -> None:
    words = history_text(path(*(f"{n} {'thinking ' * 40}" for n in range(1, 31))), 800)
    assert "advice after 30 " in words
    assert "advice after 20 " not in words
    assert "Step 25." in words
    assert words.startswith("(Earlier steps are left out.)")


def test_a_service_is_asked_for_all_samples_at_once(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.answers = [say(PLAN, OTHER, "nonsense"), say("nonsense")]
        settings = Settings(cache_dir=tmp_path, api_key="k")

        async def run() -> list[list[Action]]:
            async with Models(settings) as models:
                planner = ModelPlanner(models.open(f"{server.url}#tiny"), rules)
                return [await planner.plan(WISH, TEXT, count=3, seed=1) for _ in range(2)]

        first, second = asyncio.run(run())
    assert [action.by for action in first] == [f"{server.url}#tiny"] * 2 + ["rules"]
    assert first == second
    assert [body.get("n", 1) for body in server.requests] == [3, 1]


BRIEF = brief_answer("Fewer words.", ["text_eval()", "nonsense(1)"], {2: "Fix the grammar: “make” → “makes”"})


def test_a_trained_planner_is_asked_in_few_words_with_its_adapter() -> None:
    model = FakeModel([BRIEF])
    (action,) = plan(model, history=path(*(f"thought {n}" for n in range(9))), brief=True)
    (request,) = model.requests
    assert request.adapter == PLANNER
    assert request.max_tokens < 400
    assert sum(len(m.content) for m in request.messages) < 4 * PAST_TOKENS + len(TEXT) + 250
    assert "thought 8" in asked(request)
    assert action.calls == ("text_eval()",)
    assert [one.advice for one in action.plan] == ["", "Fix the grammar: “make” → “makes”", ""]


def test_a_trained_planner_is_not_asked_again() -> None:
    model = FakeModel(["no plan"])
    assert plan(model, brief=True) == [rules(TEXT)]
    assert len(model.requests) == 1
    long = Answering(every_sentence)
    plan(long, LONG, brief=True)
    assert len(long.requests) == len(sections(Document(LONG), BRIEF_ROOM)) > 1


def test_the_calls_are_those_that_most_sections_read() -> None:
    def answer(request: Request) -> str:
        odd = "[1] " in asked(request)
        return brief_answer("", ["text_eval()", *(['word_count_check(9, "equal")'] * odd)], {})

    model = Answering(answer)
    (action,) = plan(model, LONG, room=1800, brief=True)
    assert len(model.requests) == 3
    assert action.calls == ("text_eval()",)


@pytest.mark.parametrize("brief", [True, False])
def test_the_calls_alone_take_one_answer_that_ends_before_the_plan(brief: bool) -> None:
    call = 'sentence_modification_check([400], "unchange")'  # by another convention there may be so many
    model = FakeModel([f"THOUGHT: x\nCALLS:\ntext_eval()\n{call}\neval(1)\n"])
    planner = ModelPlanner(model, rules, brief=brief)
    assert asyncio.run(planner.calls(WISH, LONG)) == ("text_eval()", call)
    (request,) = model.requests
    assert (request.stop, request.temperature) == (("PLAN:",), 0.0)
    assert (request.adapter == PLANNER) is brief
    assert asyncio.run(planner.calls(WISH, " ")) == ()


def test_a_long_request_is_read_again_sentence_by_sentence_within_bounds() -> None:
    calls = {
        "below 90": 'word_count_check(90, "less than")',
        "five sentences": 'sentence_count_check(5, "equal")',
        "ferry": 'keyword_keep_removal_check("ferry", "keep")',
        "sentence 2": 'sentence_modification_check([2], "unchange")',
    }

    def answer(request: Request) -> str:
        found = [call for words, call in calls.items() if words in asked(request).partition("[1]")[0]]
        return brief_answer("", ["text_eval()", *found[:3]], {})

    wish = "Stay below 90 words in five sentences. Keep ferry. Leave sentence 2 alone."
    model = Answering(answer)
    assert asyncio.run(ModelPlanner(model, rules, brief=True).calls(wish, TEXT)) == (
        "text_eval()",
        *calls.values(),
    )
    assert len(model.requests) == 1 + 3
    short = Answering(answer)
    found = asyncio.run(ModelPlanner(short, rules, brief=True).calls("Keep ferry. Mend it.", TEXT))
    assert (found, len(short.requests)) == (("text_eval()", calls["ferry"]), 1)
    pasted = Answering(answer)
    asyncio.run(ModelPlanner(pasted, rules, brief=True).calls(f"{wish} {'It was late. ' * 200}", TEXT))
    assert len(pasted.requests) == 1 + 12


def test_what_a_sentence_says_alone_outranks_what_was_read_of_all() -> None:
    alone = 'sentence_length_check(28, "less than")'
    mixed = ('sentence_count_check(28, "less than")', 'keyword_keep_removal_check("ferry", "keep")')

    def answer(request: Request) -> str:
        said = asked(request).partition("[1]")[0]
        if "ferry" in said and "28" in said:
            return brief_answer("", ["text_eval()", 'word_count_check(90, "less than")', *mixed], {})
        return brief_answer("", ["text_eval()", *([alone] if "28" in said else [])], {})

    wish = "Each sentence should have fewer than 28 words. Stay below 90 words, and keep ferry."
    assert asyncio.run(ModelPlanner(Answering(answer), rules, brief=True).calls(wish, TEXT)) == (
        "text_eval()",
        alone,
        'word_count_check(90, "less than")',
        mixed[1],
    )


def test_who_has_learnt_to_plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_trained_planner("embedded", tmp_path), "a planner ships"
    monkeypatch.setattr(adapters, "SHIPPED", tmp_path / "none")
    assert not is_trained_planner("embedded", tmp_path)
    assert is_trained_planner(f"torch:{tmp_path}", tmp_path)
    assert not is_trained_planner(f"torch:{tmp_path}/weights.gguf", tmp_path)
    assert not is_trained_planner(f"hf:{tmp_path}", tmp_path), "no training left anything there"
    (tmp_path / "run" / "model").mkdir(parents=True)
    (tmp_path / "run" / "model" / "model.safetensors").touch()
    assert is_trained_planner(f"hf:{tmp_path / 'run'}", tmp_path)
    for name in ("config.json", "tokenizer.json"):
        (tmp_path / "run" / name).touch()
    assert not is_trained_planner(f"hf:{tmp_path / 'run'}", tmp_path), "a model with its own tokenizer"
    (tmp_path / "adapters").mkdir()
    (tmp_path / "adapters" / f"{PLANNER}.gguf").touch()
    assert is_trained_planner("embedded", tmp_path)
    assert not is_trained_planner("embedded:base", tmp_path)
    assert not is_trained_planner("openai:planner", tmp_path)
