"""Orders inside a text or a document are data: no text ends the place that a prompt gives it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import unicodedata
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from redraft.composition import Brief, Limits, PaperPrompts
from redraft.composition.actions import Action as WritingAction
from redraft.composition.model_roles import ModelOutliner, ModelRefiner, ModelReviewer, ModelWriter
from redraft.composition.paper import PARAMETERS, Policy, use_tool
from redraft.composition.state import Outline, Review, SectionText, State, numbered
from redraft.errors import BadAnswer
from redraft.judge import Context, Item, Pair, PairwiseJudge, PointwiseJudge, load_rubric
from redraft.judge.questions import TAGS, escape_tags
from redraft.models import Request
from redraft.revision.asking.baselines import run_baseline
from redraft.revision.asking.comparing import prefers_original
from redraft.revision.asking.feedback import model_feedback
from redraft.revision.asking.planner import ModelPlanner
from redraft.revision.asking.reviser import ModelReviser
from redraft.revision.records import Action, Improvement
from redraft.text import Document
from tests.models.scripted import FakeModel

INJECTIONS: list[str] = json.loads((Path(__file__).parent / "injections.json").read_text(encoding="utf-8"))
FERRY = "The ferry is old.\n\n{}\n\nIt crosses the bay."
_TAG = re.compile(rf"<(/?)({'|'.join(TAGS)})>", re.IGNORECASE)

each_injection = pytest.mark.parametrize("injection", INJECTIONS, ids=range(len(INJECTIONS)))


def asked(work: Callable[[FakeModel], Awaitable[object]]) -> list[Request]:
    """What a model is asked by some work, to which it gives no answer of use."""
    model = FakeModel(["none"] * 20)
    with contextlib.suppress(BadAnswer):
        asyncio.run(work(model))  # type: ignore[arg-type]
    return model.requests


def assert_held_by_tags(request: Request, injection: str) -> None:
    """Each tag opens once and closes once, one after another, and the injection stands inside one of them."""
    message = next(each.content for each in request.messages if each.role == "user")
    tags = [(bool(close), name) for close, name in _TAG.findall(message.partition("Everything between")[0])]
    opened, closed = tags[::2], tags[1::2]
    assert [(True, name) for _, name in opened] == closed
    assert len({name for _, name in opened}) == len(opened)
    inside = re.findall(r"^<(\w+)>\n(.*?)\n</\1>$", message, re.MULTILINE | re.DOTALL)
    assert any(escape_tags(injection) in text for _, text in inside)
    for _, text in inside:
        loosely = "".join(c for c in unicodedata.normalize("NFKC", text) if c.isprintable() and c != " ")
        assert not _TAG.search(loosely)
        assert "<|" not in loosely


@each_injection
def test_judges(injection: str) -> None:
    rubric = load_rubric("revision")
    context = Context(source=FERRY, instruction="Improve it.")
    scored = Item("x", FERRY.format(injection), context)
    pair = Pair("x", FERRY.format(injection), "The ferry is old.", Context(source=injection))

    def score(model: FakeModel) -> Awaitable[object]:
        return PointwiseJudge(model, rubric).judge(scored)

    def compare(model: FakeModel) -> Awaitable[object]:
        return PairwiseJudge(model, rubric).judge(pair)

    for work in (score, compare):
        requests = asked(work)
        assert requests
        for request in requests:
            assert_held_by_tags(request, injection)


@each_injection
def test_composition(injection: str) -> None:
    brief = Brief(f"Ferries. {injection}", "a report")
    outline = Outline("Ferries", numbered([("Age", [injection]), ("Routes", ["the bay"])]))
    state = State().outlined(outline).drafted(1, SectionText(injection, injection))
    state = state.reviewed(1, Review(5.0, injection, passed=False), 8.0)
    section = state.sections[0]
    roles: list[Callable[[FakeModel], Awaitable[object]]] = [
        lambda model: ModelOutliner(model).outline(brief),
        lambda model: ModelWriter(model).draft(brief, state, state.sections[1]),
        lambda model: ModelReviewer(model).review(brief, state, section),
        lambda model: ModelRefiner(model).refine(brief, state, section),
    ]
    for work in roles:
        assert_held_by_tags(asked(work)[0], injection)


@each_injection
def test_composition_as_published(injection: str) -> None:
    """What a policy passes on to a tool is as little trusted as what stands in the state."""
    prompts = PaperPrompts.read()
    outline = Outline("Ferries", numbered([(injection, [injection])]))
    state = State().outlined(outline).drafted(1, SectionText(injection, injection))
    policy = asked(lambda model: Policy(model, prompts, 0).choose(Brief(injection), state, Limits()))
    requests = [policy]
    for name in ("outline", "draft", "review", "refine"):
        action, given = WritingAction(name, 1), dict.fromkeys(PARAMETERS[name], injection)
        requests.append(asked(partial(use_tool, action, given, prompts=prompts, language="en", seed=0)))
    for (request,) in requests:
        assert_held_by_tags(request, json.dumps(injection, ensure_ascii=False)[1:-1])


def plan(text: str) -> Action:
    advice = (Improvement(one.number, one.text, "mend it") for one in Document(text).sentences)
    return Action("", (), tuple(advice), "test")


@each_injection
def test_numbered_sentences(injection: str) -> None:
    """A sentence has one line, which begins with its number: nothing in it begins a line of its own."""
    text = FERRY.format(injection)
    asked_for = "Improve the text."
    work: list[Callable[[FakeModel], Awaitable[object]]] = [
        lambda model: ModelReviser(model).revise(
            text, plan(text), instruction=asked_for, documents=[injection, "The ferry was built in 1962."]
        ),
        lambda model: ModelPlanner(model, plan).plan(asked_for, text),
        lambda model: model_feedback(model, text, ["fluency"]),
    ]
    count = len(Document(text).sentences)
    for one in work:
        lines = asked(one)[0].messages[-1].content.splitlines()  # an example may stand before it
        shown, *todo = "\n".join(lines).split("\nTo do:\n")
        starts = re.findall(r"^\[(\d+)\]", shown, re.MULTILINE)
        assert starts == [str(number) for number in range(1, count + 1)]
        assert len(todo) <= 1
        assert sum(line.startswith("Request:") for line in lines) <= 1
        assert [line[:9] for line in lines if line.startswith("Source")] in ([], ["Source 1:", "Source 2:"])
        assert not any(re.match(r"(THOUGHT|CALLS|PLAN|SYSTEM):|<\|im_", line) for line in lines)


def assert_between(request: Request, names: list[str], injection: str) -> None:
    """These tags open and close in this order, once each, and the injection stands between two of them."""
    message = request.messages[0].content
    found = _TAG.findall(message)
    assert found == [(close, name) for name in names for close in ("", "/")], injection
    assert escape_tags(injection) in message.partition(f"<{names[0]}>")[2], injection


@pytest.mark.parametrize("strategy", ["direct", "cot", "iter"])
def test_whole_texts(strategy: str) -> None:
    """No text ends before it does, whatever stands in it."""
    for injection in INJECTIONS:
        text = FERRY.format(injection)
        first, *more = asked(
            lambda model, text=text: run_baseline(strategy, text, "Improve the text.", model)
        )
        assert_between(first, ["text"], injection)
        for request in more:
            assert_between(request, ["source", "text"] if strategy == "iter" else ["text"], injection)


def test_comparisons() -> None:
    """Neither version can end before it does, and speak for the other."""
    for injection in INJECTIONS:
        text = FERRY.format(injection)
        for request in asked(lambda model, text=text: prefers_original(model, text, "The ferry is old.")):
            assert_between(request, ["candidate_a", "candidate_b"], injection)
