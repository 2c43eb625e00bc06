"""TRIPS as published: its trajectory by hand, what it goes by, what each ablation takes away, its record."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from redraft.constraints import parse
from redraft.models import Completion, Request, Usage
from redraft.quality import Meaning, Quality
from redraft.revision.asking.planner import ModelPlanner
from redraft.revision.records import Action, Node
from redraft.revision.revising import arevise
from redraft.revision.revision import TRIPS, ReviseOptions, Revision
from redraft.revision.search.evaluation import Switches
from redraft.revision.search.search import Search, SearchLimits
from redraft.revision.showing.trace import read_trace
from redraft.revision.strategies.trips import PlannersTools, WholeText, WholeTextSteps, whole_text
from redraft.revision.task import Task
from tests.revision.test_revising import Offline

TEXT = "It were cold and we was late."
INSTRUCTION = "Correct it. Fewer than 8 words."
SHORT = 'word_count_check(8, "less than")'

# Perplexity, BARTScore and SOME of each text; the original's are 50, -1 and 0.8.
SCORES: Mapping[str, tuple[float, float, float]] = {
    TEXT: (50.0, -1.0, 0.8),
    "It was cold and we were late.": (40.0, -1.9, 0.9),
    "Cold as it was, we came late.": (50.0, -2.8, 0.8),
    "We were late; it was cold.": (25.0, -1.9, 0.9),
    "We came late since it was cold outside.": (50.0, -1.0, 0.9),
    "Cold it was; late we were.": (60.0, -2.8, 0.8),
    "It was cold, and we were late.": (10.0, -1.0, 1.0),
    "Late.": (40.0, -10.0, 0.5),
}
A, B, C, D, E, G, H = list(SCORES)[1:]
# From each text, three plans: the text that the reviser makes of it, and the calls of the plan.
PLANS: Mapping[str, Sequence[tuple[str, str]]] = {
    TEXT: [(A, SHORT), (B, SHORT), (C, 'word_count_check(3, "less than")')],
    A: [(D, SHORT), (E, SHORT), (A, f"{SHORT}\ntext_eval()")],
    B: [(G, SHORT), (B, SHORT), (H, f'{SHORT}\nword_count_check(8, "about")')],
}


class Scripted:
    """Planner and reviser: a plan says `towards TEXT`, and the reviser goes there; nothing is found wrong."""

    spec = "scripted"

    def __init__(self) -> None:
        self.asked: dict[str, list[str]] = {"plan": [], "revise": [], "feedback": [], "direct": []}

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        words = "\n".join(message.content for message in request.messages)
        (kind,) = [
            kind
            for kind, sign in (
                ("plan", "You plan the revision"),
                ("revise", "To do:"),
                ("feedback", "report on one thing only"),
                ("direct", "Revise the text below"),
            )
            if sign in words
        ]
        self.asked[kind].append(words)
        return tuple(Completion(text, usage=Usage(1, 10, 5)) for text in self._answers(kind, words))

    def _answers(self, kind: str, words: str) -> list[str]:
        if kind == "plan":
            text = words.rpartition("[1] ")[2].partition("\n")[0]
            return [
                f"THOUGHT: On from here.\nCALLS:\n{calls}\nPLAN:\n1: towards {SCORED[new]}"
                for new, calls in PLANS[text]
            ]
        if kind == "revise":
            number = words.rpartition("towards ")[2].split()[0]
            return [list(SCORES)[int(number)]]
        return ["none"] if kind == "feedback" else [A]


SCORED = {text: place for place, text in enumerate(SCORES)}


class ScriptedScores:
    """A QualityScorer that says what the table says."""

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        return tuple(
            Quality(SCORES[text][0], SCORES[text][1], 0.0, (), Meaning(1.0, ()), 0.5, SCORES[text][2])
            for text in texts
        )


def trips(model: Scripted, limits: SearchLimits = TRIPS.limits, **off: bool) -> Search[WholeText]:
    """A search that has ended."""
    task = Task.of(TEXT, parse(INSTRUCTION))
    switches = Switches(**off)
    planner = ModelPlanner(model, lambda text: Action("", (), ()))
    search = Search(
        WholeTextSteps(task, planner, model, switches=switches),
        PlannersTools(task, ScriptedScores(), model, switches),
        limits,
        lambda node: None,
    )

    async def go() -> None:
        await search.start(whole_text(task))
        await search.run()

    asyncio.run(go())
    return search


def shown(node: Node) -> tuple[str, int, float]:
    return node.text, node.visits, round(node.value, 4)


def test_the_trajectory_of_the_paper_by_hand() -> None:
    """Eqs. 3 to 7 with the authors' weights: 0.5 * 100 * accuracy + 0.5 * (0.33 PPL + 0.33 BART + 0.34 SOME)."""
    found = trips(Scripted())
    rewards = {
        A: 0.5 * 100 * 1 + 0.5 * (0.33 * 20 + 0.33 * 90 + 0.34 * 90),  # 83.45
        B: 0.5 * 100 * 1 + 0.5 * (0.33 * 0 + 0.33 * 80 + 0.34 * 80),  # 76.8
        C: 0.5 * 100 * 0 + 0.5 * (0.33 * 50 + 0.33 * 90 + 0.34 * 90),  # 38.4: its own call asks for 3 words
        D: 0.5 * 100 * 0 + 0.5 * (0.33 * 0 + 0.33 * 100 + 0.34 * 90),  # 31.8: eight words
        E: 0.5 * 100 * 1 + 0.5 * (0.33 * -20 + 0.33 * 80 + 0.34 * 80),  # 73.5: more surprising, less than 0
        G: 0.5 * 100 * 1 + 0.5 * (0.33 * 80 + 0.33 * 100 + 0.34 * 100),  # 96.7
        H: 0.5 * 100 / 2 + 0.5 * (0.33 * 20 + 0.33 * 0 + 0.34 * 50),  # 36.8: one of two calls is none
    }
    root, a, b, c, d, e, again, g, b_again, h = found.nodes
    assert [node.text for node in found.nodes] == [TEXT, A, B, C, D, E, A, G, B, H]
    for node in found.nodes[1:]:
        assert node.reward.total == pytest.approx(rewards[node.text]), node.text
    assert [node.parent for node in found.nodes] == [None, root, root, root, a, a, a, b, b, b]

    # 1. The root, the only leaf, is expanded. N = 3, V = (83.45 + 76.8 + 38.4) / 3. By Eq. 3 A leads:
    #    83.45 + 0.2 sqrt(ln 3) against 76.8 and 38.4 with the same bonus.
    # 2. A is expanded: N(A) = 4, V(A) = (83.45 + 31.8 + 73.5 + 83.45) / 4 = 68.05; N(root) = 6.
    #    B leads now: 76.8 + 0.2 sqrt(ln 6 / 1) = 77.07 against 68.05 + 0.2 sqrt(ln 6 / 4) = 68.18.
    assert 76.8 + 0.2 * math.sqrt(math.log(6)) > 68.05 + 0.2 * math.sqrt(math.log(6) / 4)
    # 3. B is expanded: N(B) = 4, V(B) = (76.8 + 96.7 + 76.8 + 36.8) / 4 = 71.775; N(root) = 9, and
    #    V(root) = (198.65 + 188.75 + 210.3) / 9. G has more than 85: the search is at its end, and G is taken.
    assert shown(root) == (TEXT, 9, round((198.65 + 188.75 + 210.3) / 9, 4))
    assert shown(a) == (A, 4, 68.05)
    assert shown(b) == (B, 4, 71.775)
    for leaf in (c, d, e, again, g, b_again, h):
        assert shown(leaf) == (leaf.text, 1, round(rewards[leaf.text], 4))
    assert found.stopped == "a text is good enough"
    assert found.best is g
    assert [node.text for node in found.rounds] == [B, G]


def test_the_last_choice_follows_the_values_to_a_leaf() -> None:
    found = trips(Scripted(), SearchLimits(iterations=2, as_published=True, enough=85))
    # V(A) is 68.05 by now, for all that A itself had 83.45; V(B) is 76.8, and nothing is below B.
    assert found.best.text == B
    assert found.stopped == "the iterations are spent"


def test_the_tools_are_the_planners_and_the_findings_are_the_parsers() -> None:
    nodes = trips(Scripted()).nodes
    c = next(node for node in nodes if node.text == C)
    assert c.findings.met
    assert c.reward.constraints == 0.0
    assert [one.label for one in c.feedback if one.tool == 'word_count_check(3, "less than")'] == [1]
    h = next(node for node in nodes if node.text == H)
    assert h.reward.constraints == 25.0
    (unread,) = [one for one in h.feedback if one.tool == "a call that cannot be made"]
    assert "about" in unread.words


def test_a_revision_is_what_the_reviser_wrote_by_the_plan_alone() -> None:
    model = Scripted()
    trips(model)
    assert INSTRUCTION not in "".join(model.asked["revise"])
    assert "towards" in model.asked["revise"][0]
    # Three aspects of each of nine revisions; the original was planned without.
    assert len(model.asked["feedback"]) == 27
    assert "Checks" not in model.asked["plan"][0]
    assert f"{SHORT} (met)" in model.asked["plan"][1]
    assert "fluency (noted)" in model.asked["plan"][1]


def test_without_feedback_no_tool_is_heard() -> None:
    model = Scripted()
    found = trips(model, feedback=False)
    assert not model.asked["feedback"]
    assert not any(node.feedback for node in found.nodes)
    assert "On from here." in model.asked["plan"][1]  # what was planned is known,
    assert "Checks" not in "".join(model.asked["plan"])  # and what came of it is not
    assert "met" not in model.asked["plan"][1].partition("What was done so far")[2].partition("[1]")[0]


def test_without_a_plan_nobody_plans() -> None:
    model = Scripted()
    found = trips(model, SearchLimits(iterations=2, as_published=True), plan=False)
    assert not model.asked["plan"]
    assert not model.asked["revise"]
    assert len(model.asked["direct"]) == 6
    assert all(INSTRUCTION in words for words in model.asked["direct"])
    assert found.nodes[1].reward.constraints == 50.0  # no tool was chosen, so none objects


@pytest.mark.parametrize("part", ["quality", "constraints"])
def test_without_a_reward_it_counts_for_nothing(part: str) -> None:
    limits = SearchLimits(iterations=1, as_published=True)
    whole, ablated = trips(Scripted(), limits).nodes[1], trips(Scripted(), limits, **{part: False}).nodes[1]
    for name in ("quality", "constraints"):
        assert getattr(ablated.reward, name) == (0.0 if name == part else getattr(whole.reward, name))


def test_keywords_count_where_the_planner_asks_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLANS, TEXT, [(A, f"{SHORT}\ndetect_keyword()")] * 3)  # type: ignore[arg-type]
    limits = SearchLimits(iterations=1, as_published=True)
    assert trips(Scripted(), limits).nodes[1].reward.constraints == 50 * (1 + 0.5) / 2
    assert trips(Scripted(), limits, preservation=False).nodes[1].reward.constraints == 50


LONG = (
    "The harbour froze over in January 1963, and the ferries stayed in port for six weeks. "
    "Nobody in the town had seen anything like it."
)
SHORTER = "The harbour froze in January 1963, and the ferries stayed in port for six weeks."


class Rewriting:
    """A model that plans for the first sentence, and revises with the same words every time."""

    spec = "fake"

    def __init__(self, answer: str = SHORTER, reason: str = "stop") -> None:
        self._answer = answer
        self._reason = reason
        self.requests: list[str] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        words = "\n".join(message.content for message in request.messages)
        self.requests.append(words)
        if "You plan the revision" in words or "Plan, please" in words:
            answer = f"THOUGHT: Shorter.\nCALLS:\n{SHORT}\nPLAN:\n1: leave out “over”"
        else:
            answer = "none" if "report on one thing" in words else self._answer
        reason: Any = self._reason if "To do:" in words else "stop"
        return (Completion(answer, finish=reason, usage=Usage(1, 10, 5)),) * request.n


def revised(model: Rewriting, folder: Path, instruction: str, **options: Any) -> Revision:
    how = ReviseOptions("trips", iterations=2, **options)

    async def go() -> Revision:
        async with Offline(model, folder, planner="openai:fake") as models:
            return await arevise(LONG, instruction, models=models, options=how, trace=folder / "trace")

    return asyncio.run(go())


def test_the_exit_status_is_of_the_true_constraints(tmp_path: Path) -> None:
    """Its plan asks for fewer than 8 words, which no revision has; the instruction asks for less than 20."""
    found = revised(Rewriting(), tmp_path, "Use fewer than 20 words.")
    assert found.text == SHORTER
    assert found.status == 0
    assert found.calls == (SHORT,)
    assert revised(Rewriting(), tmp_path, "Use fewer than 9 words.").status == 1


@pytest.mark.parametrize("has_feedback", [True, False])
def test_our_search_too_tells_of_no_check_without_feedback(tmp_path: Path, has_feedback: bool) -> None:
    model = Rewriting()
    how = ReviseOptions(effort="high", iterations=2, switches=Switches(feedback=has_feedback))

    async def go() -> None:
        async with Offline(model, tmp_path, planner="openai:fake") as models:
            await arevise(LONG, "Use fewer than 9 words.", models=models, options=how)

    asyncio.run(go())
    plans = [words for words in model.requests if "You plan the revision" in words]
    assert plans
    told = "\n".join(words.partition("What was done so far")[2] for words in plans)
    assert ("word_count_check" in told and "(not met)" in told) is has_feedback
    assert any("report on one thing" in words for words in model.requests) is has_feedback


def test_nothing_is_gated_or_repaired(tmp_path: Path) -> None:
    nonsense = "Harbour the froze never 2063 in, and did."
    assert revised(Rewriting(nonsense), tmp_path, "Improve it.").text == nonsense


def test_an_answer_that_was_cut_off_is_no_revision(tmp_path: Path) -> None:
    assert revised(Rewriting(SHORTER[:30], "length"), tmp_path, "Improve it.").text == LONG


def test_the_record_says_who_scored_and_by_which_prompts(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "planner.md").write_text("Plan, please. {tools}", encoding="utf-8")
    ours = revised(Rewriting(), tmp_path, "Improve it.")
    model = Rewriting()
    found = revised(model, tmp_path, "Improve it.", prompts=own)
    assert any("Plan, please." in words for words in model.requests)
    assert not any("You plan the revision" in words for words in model.requests)
    task = read_trace(tmp_path / "trace").task
    assert found.to_dict()["prompts"] == task.prompts != ours.prompts
    assert found.to_dict()["scored_by"] == task.scored_by == "embedded"
    assert task.strategy == "trips"


def test_a_planner_that_gives_no_plan_leaves_the_text_as_it_is(tmp_path: Path) -> None:
    class Silent(Rewriting):
        async def complete(self, request: Request) -> tuple[Completion, ...]:
            return (Completion("I cannot.", usage=Usage(1, 10, 5)),) * request.n

    found = revised(Silent(), tmp_path, "Improve it.")
    assert (found.text, found.nodes) == (LONG, 1)
    assert found.stopped == "every branch is at its end"
