"""A model behind a service that is not trusted: what it is asked, how often, and what is taken."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from redraft.models import Completion, Embedder, LogProbs, Model, Models, Request, Scorer, adapters
from redraft.revision import running
from redraft.revision.asking.planner import PLANNER, brief_answer
from redraft.revision.records import Node
from redraft.revision.revising import arevise
from redraft.revision.revision import Effort, ReviseOptions, Revision
from redraft.revision.search.evaluation import Switches
from redraft.revision.search.plans import read_user_plan
from redraft.revision.strategies import opening
from redraft.settings import Settings
from redraft.text import Document
from tests.models.scripted import ScriptedServer, say
from tests.revision.asking_parts import Answering, asked
from tests.revision.fakes import FakeEmbedder, FakeScorer, ScriptedJudge

TEXT = (
    "The ferry was built in 1962 by a yard that no longer exists. It make eleven crossings a day, also in winter. "
    "Tourists enjoys the ride, as a matter of fact. The city wants to replace it."
)
WISH = "Fix the grammar, in fewer than 45 words, and do not change sentence 4."
PLAN = 'THOUGHT: Two verbs.\nCALLS:\nword_count_check(45, "less than")\nPLAN:\n2: Write "makes".\n3: Write "enjoy".'
OTHER = 'THOUGHT: Shorter.\nCALLS:\nPLAN:\n1: Shorten.\n2: Write "makes".\n4: Say it better.'
REVISED = "[2] It makes eleven crossings a day, also in winter.\n[3] Tourists enjoy the ride, as a matter of fact.\n[4] The town wants a new one."


class Ear(FakeScorer):
    """Verbs that do not agree surprise, and so do long words."""

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        found = await super().log_probs(texts, contexts)
        wrong = ("make", "enjoys")
        return tuple(
            LogProbs(
                one.tokens, tuple(v - 12 * (t in wrong) for t, v in zip(one.tokens, one.values, strict=True))
            )
            for one in found
        )


class FakeModels(Models):
    """Models whose scorer and embedder take no time."""

    def scorer(self) -> Scorer:
        return Ear()

    def embedder(self) -> Embedder:
        return FakeEmbedder()


def role(body: dict[str, Any]) -> str:
    rules = body["messages"][0]["content"]
    if "You plan the revision" in rules:
        return "planner"
    return "reviser" if "You revise single sentences" in rules else "feedback"


def strong(
    plans: tuple[str, ...] = (PLAN, OTHER), revised: str = REVISED
) -> Callable[[Any, dict[str, Any]], None]:
    def answer(handler: Any, body: dict[str, Any]) -> None:
        texts = {"planner": plans[: body.get("n") or 1], "reviser": (revised,), "feedback": ("none",)}
        say(*texts[role(body)])(handler, body)

    return answer


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        scripted.answers = [strong()]
        yield scripted


def revise(
    server: ScriptedServer,
    folder: Path,
    options: ReviseOptions | None = None,
    effort: Effort = "medium",
    heard: list[Node] | None = None,
    calls: tuple[str, ...] = (),
    **settings: Any,
) -> Revision:
    chosen = {"model": f"{server.url}#tiny", "api_key": "k", "cache_dir": folder, "trust": "low", **settings}

    async def run() -> Revision:
        async with FakeModels(Settings(**chosen)) as models:
            reached = None if heard is None else heard.append
            return await arevise(
                TEXT,
                "" if calls else WISH,
                calls,
                models=models,
                options=options or ReviseOptions(effort=effort),
                reached=reached,
            )

    return asyncio.run(run())


def roles(server: ScriptedServer) -> Counter[str]:
    return Counter(role(body) for body in server.requests)


@pytest.mark.parametrize(("effort", "most"), [("low", 4), ("medium", 20)])
def test_a_strong_model_is_asked_seldom(
    server: ScriptedServer, tmp_path: Path, effort: Effort, most: int
) -> None:
    found = revise(server, tmp_path, effort=effort)
    assert found.status == 0
    assert 2 <= len(server.requests) <= most
    assert found.usage.calls == len(server.requests)


def test_plans_are_sampled_by_one_request(server: ScriptedServer, tmp_path: Path) -> None:
    heard: list[Node] = []
    revise(server, tmp_path, heard=heard)
    asked = [body for body in server.requests if role(body) == "planner"]
    assert asked[0].get("n") == 2
    assert {node.action.thought for node in heard if node.action and node.action.by != "rules"} >= {
        "Two verbs."
    }


def test_its_edits_end_in_the_text_and_protected_sentences_are_not_taken_from_it(
    server: ScriptedServer, tmp_path: Path
) -> None:
    found = revise(server, tmp_path)
    assert "It makes eleven crossings a day, also in winter." in found.text
    assert "Tourists enjoy the ride, as a matter of fact." in found.text
    assert found.text.endswith("The city wants to replace it.")
    assert {change.by for change in found.changes if "make" in change.before} == {f"{server.url}#tiny"}
    for body in server.requests:
        if role(body) == "reviser":
            todo = body["messages"][-1]["content"].partition("To do:")[2]
            assert "4" not in {
                line.strip("[ ").partition("]")[0].partition(":")[0] for line in todo.split("\n")
            }


def test_what_breaks_a_constraint_is_mended_or_not_taken(server: ScriptedServer, tmp_path: Path) -> None:
    server.answers = [
        strong(
            revised="[2] It makes eleven crossings a day, and it has made them "
            + "every day " * 20
            + "since."
        )
    ]
    found = revise(server, tmp_path)
    assert found.status == 0
    assert "every day every day" not in found.text


@pytest.mark.parametrize("nonsense", ["I cannot help with that.", "", "PLAN:\n99: x"])
def test_a_malformed_planner_falls_back_to_the_rules(
    server: ScriptedServer, tmp_path: Path, nonsense: str
) -> None:
    server.answers = [strong(plans=(nonsense, nonsense))]
    heard: list[Node] = []
    found = revise(server, tmp_path, heard=heard)
    assert found.status == 0
    assert "It makes eleven crossings a day, also in winter." in found.text
    assert "rules" in {node.action.by for node in heard[1:] if node.action}


def test_a_reviser_that_says_nothing_of_use_leaves_what_repair_makes(
    server: ScriptedServer, tmp_path: Path
) -> None:
    server.answers = [strong(revised="Sure! Here you go:")]
    found = revise(server, tmp_path)
    assert found.status == 0
    assert found.text.endswith("The city wants to replace it.")


def test_without_plan_and_without_feedback_nobody_is_asked_for_them(
    server: ScriptedServer, tmp_path: Path
) -> None:
    revise(server, tmp_path / "a", ReviseOptions(switches=Switches(plan=False)))
    assert roles(server)["planner"] == 0
    assert roles(server)["reviser"] >= 1
    server.requests.clear()
    revise(server, tmp_path / "b", ReviseOptions(switches=Switches(feedback=False)))
    assert roles(server)["feedback"] == 0
    assert roles(server)["planner"] >= 1


def test_a_persons_plan_is_what_the_reviser_gets(server: ScriptedServer, tmp_path: Path) -> None:
    plan = read_user_plan("2: say 'makes', please", TEXT, "text")
    heard: list[Node] = []
    revise(server, tmp_path, ReviseOptions(effort="low", plan=plan), heard=heard)
    asked = json.dumps([body for body in server.requests if role(body) == "reviser"])
    assert "say 'makes', please" in asked
    assert roles(server)["planner"] == 0
    assert {node.action.by for node in heard[1:] if node.action} <= {"person", "rules"}


def test_calls_without_words_are_told_to_the_planner_and_the_reviser(
    server: ScriptedServer, tmp_path: Path
) -> None:
    revise(server, tmp_path, effort="low", calls=('keyword_keep_removal_check("yard", "remove")',))
    for name in ("planner", "reviser"):
        asked = json.dumps([body for body in server.requests if role(body) == name])
        assert "yard" in asked.replace(TEXT, "")
        assert "Improve the text." in asked


def test_the_same_request_is_not_paid_for_twice(server: ScriptedServer, tmp_path: Path) -> None:
    first = revise(server, tmp_path)
    paid = len(server.requests)
    second = revise(server, tmp_path)
    assert len(server.requests) == paid
    assert (second.text, second.nodes) == (first.text, first.nodes)
    assert (second.usage.calls, first.usage.calls) == (0, paid)


def test_a_budget_of_calls_ends_the_search_with_the_best_so_far(
    server: ScriptedServer, tmp_path: Path
) -> None:
    found = revise(server, tmp_path, max_calls=4)
    assert len(server.requests) <= 4
    assert (found.status, found.stopped) == (0, "the budget is spent")
    assert found.text.endswith("The city wants to replace it.")


def test_the_numbers_of_the_plan_are_the_sentences(server: ScriptedServer, tmp_path: Path) -> None:
    heard: list[Node] = []
    revise(server, tmp_path, effort="low", heard=heard)
    (action,) = {node.action for node in heard if node.action and node.action.thought == "Two verbs."}
    assert [one.text for one in action.plan] == [one.text for one in Document(TEXT).sentences]


def test_a_goal_is_done_where_nothing_is_wrong(server: ScriptedServer, tmp_path: Path) -> None:
    plain = "[1] The ferry was built in 1962 by a yard that has gone."
    server.answers = [strong(plans=("THOUGHT: Simple.\nCALLS:\nPLAN:\n1: Plain words.",) * 2, revised=plain)]
    settings = Settings(model=f"{server.url}#tiny", api_key="k", cache_dir=tmp_path, trust="low")

    async def run(instruction: str) -> Revision:
        async with FakeModels(settings) as models:
            return await arevise(TEXT, instruction, models=models, options=ReviseOptions(effort="low"))

    assert "a yard that has gone" in asyncio.run(run("Simplify this text.")).text


def small(
    folder: Path,
    text: str,
    model: Answering,
    options: ReviseOptions,
    wish: str = "",
    heard: list[Node] | None = None,
    **settings: Any,
) -> Revision:
    """A revision by the embedded editor, played by a model of the test's own."""
    model.spec = "embedded"
    reached = None if heard is None else heard.append

    class Small(FakeModels):
        def for_role(self, role: str) -> Model:
            own = self.settings.spec_for(role) == "embedded"
            return model if own else super().for_role(role)

    async def run() -> Revision:
        async with Small(Settings(cache_dir=folder, reading="rules", **settings)) as models:
            return await arevise(text, wish, models=models, options=options, reached=reached)

    return asyncio.run(run())


def test_a_persons_plan_is_for_the_units_that_its_sentences_stand_in(tmp_path: Path) -> None:
    text = 'He said "no." Then he left the house. It was late in the evening.'
    plan = read_user_plan("2: Make it clearer\n3: Fix the grammar", text, "text")
    model = Answering(lambda request: "It was late at night.")
    assert small(
        tmp_path, text, model, ReviseOptions(effort="low", plan=plan), counting="constrev"
    ).findings.met
    assert [request.messages[-1].content for request in model.requests] == [
        'Make it clearer:\nHe said "no." Then he left the house.',
        "Fix the grammar:\nIt was late in the evening.",
    ]


def test_what_a_persons_plan_names_is_tried_in_the_persons_name(tmp_path: Path) -> None:
    plan = read_user_plan("2: Fix the grammar: “make” → “makes”", TEXT, "text")
    found = small(tmp_path, TEXT, planning(""), ReviseOptions(effort="low", plan=plan))
    assert "It makes eleven" in found.text
    assert {change.by for change in found.changes if "makes" in change.after} == {"person"}


@pytest.mark.parametrize("planned", [True, False])
def test_the_editor_mends_what_it_is_asked_about(tmp_path: Path, planned: bool) -> None:
    def answer(request: Request) -> str:
        return asked(request).partition(":\n")[2].replace("make", "makes").replace("enjoys", "enjoy")

    model = Answering(answer)
    found = small(tmp_path, TEXT, model, ReviseOptions(effort="high", switches=Switches(plan=planned)))
    assert "It makes eleven crossings a day, also in winter." in found.text
    assert "Tourists enjoy the ride" in found.text
    assert {change.by for change in found.changes} <= {"editor", "correction"}


def mended(request: Request) -> str:
    text = asked(request).partition(":\n")[2]
    for wrong, right in (("make", "makes"), ("enjoys", "enjoy"), ("ain't", "am not")):
        text = text.replace(wrong, right)
    return text


def test_grammar_is_about_every_sentence_at_any_effort(tmp_path: Path) -> None:
    model = Answering(mended)
    found = small(tmp_path, TEXT, model, ReviseOptions(effort="low"), "Fix the grammar.")
    assert len({asked(request) for request in model.requests}) == len(Document(TEXT).sentences)
    assert found.text == TEXT.replace("make ", "makes ").replace("enjoys", "enjoy")


def test_the_judge_may_be_sure_of_a_correction_that_the_scores_refuse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: Request) -> str:
        return asked(request).partition(":\n")[2].replace("yard that", "yard which")

    found = []
    for judge in (ScriptedJudge(), ScriptedJudge(is_better=lambda source, text: "yard which" in text)):
        monkeypatch.setattr(running, "open_judge", lambda models, judge=judge: judge)
        monkeypatch.setattr(
            opening, "open_sifter", lambda *given: None
        )  # which would ask how sure the editor is
        options = ReviseOptions(effort="low")
        found.append(small(tmp_path, TEXT, Answering(answer), options, "Fix the grammar.").text)
    assert "yard that no longer exists" in found[0]
    assert "yard which no longer exists" in found[1]


def test_what_is_quoted_stays_as_it_was_said(tmp_path: Path) -> None:
    text = (
        "It make eleven crossings a day, also in winter. “I ain't tired. Tourists enjoys it,” he said to us."
    )
    found = small(tmp_path, text, Answering(mended), ReviseOptions(effort="low"), "Fix the grammar.")
    assert found.text == text.replace("It make eleven", "It makes eleven")


def test_a_sound_sentence_is_edited_where_the_judge_is_sure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judges = (ScriptedJudge(_is_second), ScriptedJudge(_is_second, is_better=lambda source, text: True))
    found = []
    for judge in judges:
        monkeypatch.setattr(running, "open_judge", lambda models, judge=judge: judge)
        plan = read_user_plan("2: Fix the grammar\n3: Fix the grammar", TEXT, "text")
        found.append(small(tmp_path, TEXT, Answering(mended), ReviseOptions(effort="low", plan=plan)).text)
    doubtful, sure = found
    assert "It makes eleven" in doubtful
    assert "Tourists enjoys" in doubtful
    assert "Tourists enjoy the" in sure


def _is_second(sentence: str) -> bool:
    return sentence.startswith("It make ")


ADVICE = {
    1: "Remove “The ferry was”",
    2: "Fix the grammar: “make” → “makes”",
    3: "Fix the grammar: “enjoys” → “enjoy”",
    4: "Use easier words: “city” → “town”",
}
SOME = "Put it on a diet of 60 words, and do not change sentence 4."


def trained(folder: Path) -> Path:
    """A folder of weights with the adapter of a planner in it."""
    (folder / "adapters").mkdir(parents=True, exist_ok=True)
    (folder / "adapters" / f"{PLANNER}.gguf").touch()
    return folder


def planning(answer: str) -> Answering:
    """An editor that has no ideas of its own, and a planner that answers so."""

    def answered(request: Request) -> str | Completion:
        return answer if request.adapter == PLANNER else asked(request).partition(":\n")[2]

    return Answering(answered)


def test_a_trained_planner_plans_with_the_rules_and_what_it_names_is_tried(tmp_path: Path) -> None:
    calls = ["text_eval()", 'word_count_check(60, "less than")', 'word_count_check(7, "less than")']
    model = planning(brief_answer("Shorter.", calls, ADVICE))
    heard: list[Node] = []
    found = small(tmp_path, TEXT, model, ReviseOptions(), SOME, heard, weights_dir=trained(tmp_path))
    assert found.status == 0
    # What it names is tried and weighed; what does no good is not taken, and what must stay stays.
    assert found.text == TEXT.replace("make ", "makes ").replace("enjoys", "enjoy")
    assert "planner" in {change.by for change in found.changes}
    assert "rules and embedded" in {node.action.by for node in heard[1:] if node.action}
    asks = [request for request in model.requests if request.adapter == PLANNER]
    assert all(request.n == 1 and request.temperature == 0 for request in asks)
    assert SOME in asked(asks[0])
    # Only what no rule read is taken for meant, and nothing of it is enforced.
    assert found.perhaps == ('word_count_check(60, "less than")',)
    assert found.calls[-1:] == found.perhaps
    assert 'word_count_check(7, "less than")' not in found.calls
    assert [finding.constraint.name for finding in found.findings] == ["sentence_modification_check"]


def test_a_long_request_is_read_again_where_the_rules_left_a_number_over(tmp_path: Path) -> None:
    kept = [f'keyword_keep_removal_check("{word}", "keep")' for word in ("ferry", "town", "crew")]
    missed = 'word_count_check(60, "less than")'

    def answered(request: Request) -> str | Completion:
        said = asked(request)
        if request.adapter != PLANNER:
            return said.partition(":\n")[2]
        alone = "ferry" not in said.partition("[1]")[0]
        return brief_answer("", ["text_eval()", *([missed] if alone else kept)], {})

    wish = 'Keep "ferry". Keep "town". Keep "crew". '
    weights = trained(tmp_path)
    for last, found_again in (("Some 60 words would be lovely.", True), ("Make it lovely.", False)):
        model = Answering(answered)
        found = small(tmp_path, TEXT, model, ReviseOptions(), wish + last, weights_dir=weights)
        asks = [request for request in model.requests if request.adapter == PLANNER]
        assert (len(asks) > 1, missed in found.perhaps) == (found_again, found_again)


@pytest.mark.parametrize(
    "answer", ["", "THOUGHT: I could not say.", "PLAN:\n99: Remove “ferry”", "x " * 5000]
)
def test_a_trained_planner_without_a_plan_leaves_it_to_the_rules(tmp_path: Path, answer: str) -> None:
    heard: list[Node] = []
    found = small(
        tmp_path, TEXT, planning(answer), ReviseOptions(), SOME, heard, weights_dir=trained(tmp_path)
    )
    plain = small(tmp_path, TEXT, planning(""), ReviseOptions(), SOME)
    assert (found.text, found.calls, found.perhaps) == (plain.text, plain.calls, ())
    assert {node.action.by for node in heard[1:] if node.action} <= {"rules"}


@pytest.mark.parametrize(
    "options", [ReviseOptions(effort="low"), ReviseOptions(switches=Switches(plan=False)), None]
)
def test_a_trained_planner_is_not_asked_in_haste_nor_without_plans_nor_where_there_is_none(
    tmp_path: Path, options: ReviseOptions | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adapters, "SHIPPED", tmp_path)
    model = planning(brief_answer("Shorter.", [], ADVICE))
    small(
        tmp_path,
        TEXT,
        model,
        options or ReviseOptions(),
        SOME,
        weights_dir=trained(tmp_path) if options else tmp_path,
    )
    assert PLANNER not in {request.adapter for request in model.requests}


def test_a_trained_planner_is_not_asked_where_nothing_but_bounds_is_wanted(tmp_path: Path) -> None:
    model = planning(brief_answer("Shorter.", [], ADVICE))
    weights = trained(tmp_path)
    found = small(tmp_path, TEXT, model, ReviseOptions(), "No sentence over 40 words.", weights_dir=weights)
    assert PLANNER not in {request.adapter for request in model.requests}
    assert found.text == TEXT


def test_a_planner_that_is_named_plans_for_the_editor(server: ScriptedServer, tmp_path: Path) -> None:
    server.answers = [strong(plans=("THOUGHT: Verbs.\nCALLS:\nPLAN:\n2: Write “make” → “makes”.",))]
    heard: list[Node] = []
    spec = f"{server.url}#tiny"
    found = small(
        tmp_path, TEXT, planning(""), ReviseOptions(effort="low"), SOME, heard, planner=spec, api_key="k"
    )
    assert "It makes eleven" in found.text
    assert roles(server) == {"planner": 1}
    assert f"rules and {spec}" in {node.action.by for node in heard[1:] if node.action}


def test_where_bounds_alone_are_asked_for_what_obeys_stays(tmp_path: Path) -> None:
    model = Answering(mended)
    found = small(tmp_path, TEXT, model, ReviseOptions(effort="low"), "No sentence over 40 words.")
    assert found.text == TEXT, "its errors are the writer's own"
    assert model.requests == []


def test_nobody_corrects_an_address(tmp_path: Path) -> None:
    text = "It make the data public, at analytics.usa.gov. The city wants it."

    def answer(request: Request) -> str:
        return mended(request).replace("usa", "us")

    found = small(tmp_path, text, Answering(answer), ReviseOptions(effort="low"), "Fix the grammar.")
    assert "analytics.usa.gov" in found.text
