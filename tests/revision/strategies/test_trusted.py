"""A model that is trusted: its text is taken unless a fact, a constraint or its own second thoughts forbid it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redraft.revision.records import Node
from redraft.revision.revising import arevise
from redraft.revision.revision import Effort, ReviseOptions, Revision
from redraft.settings import Settings
from tests.models.scripted import ScriptedServer, reply, say
from tests.revision.strategies.test_steps import FakeModels

TEXT = (
    "The ferry was built in 1962 by a yard that no longer exists. It makes eleven crossings a day, also in winter. "
    "Tourists enjoy the ride a great deal, as a matter of fact. The city does not want to replace it before 2030."
)
BETTER = (
    "Built in 1962 by a shipyard that is long gone, the ferry still crosses eleven times a day, even in winter. "
    "Visitors love the ride. The city does not plan to replace it before 2030."
)
PLAN = "THOUGHT: Clearer.\nCALLS:\nPLAN:\n1: Begin with the year."


def role(body: dict[str, Any]) -> str:
    words = body["messages"][0]["content"]
    openings = {
        "You plan the revision": "planner",
        "You revise single": "reviser",
        "Revise the text below": "direct",
        "Revise this sentence": "sentence",
        "Below are the sentences": "rewrite",
        "Below is a revision": "amend",
        "Two versions": "compare",
    }
    return next((name for opening, name in openings.items() if words.startswith(opening)), "feedback")


class Strong:
    """Answers each kind of request in its own words; `prefers` says which text it would hand in."""

    def __init__(self, server: ScriptedServer, **said: str) -> None:
        self.server = server
        self.said = {
            "direct": BETTER,
            "rewrite": BETTER,
            "amend": BETTER,
            "planner": PLAN,
            "reviser": "none",
            **said,
        }
        self.prefers = "revision"
        server.answers = [self.answer]

    def answer(self, handler: Any, body: dict[str, Any]) -> None:
        kind = role(body)
        if kind == "compare":
            words = body["messages"][0]["content"]
            is_original_first = TEXT in words.partition("Version B:")[0]
            say("A" if is_original_first == (self.prefers == "original") else "B")(handler, body)
        else:
            say(*[self.said.get(kind, "none")] * (body.get("n") or 1))(handler, body)

    @property
    def asked(self) -> Counter[str]:
        return Counter(role(body) for body in self.server.requests)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


def revise(
    server: ScriptedServer,
    folder: Path,
    wish: str = "Improve the text.",
    *,
    text: str = TEXT,
    effort: Effort = "low",
    documents: tuple[str, ...] = (),
    nodes: list[Node] | None = None,
    **options: Any,
) -> Revision:
    settings = Settings(model=f"{server.url}#tiny", api_key="k", cache_dir=folder)

    async def run() -> Revision:
        async with FakeModels(settings) as models:
            return await arevise(
                text,
                wish,
                models=models,
                options=ReviseOptions(effort=effort, **options),
                documents=documents,
                reached=None if nodes is None else nodes.append,
            )

    return asyncio.run(run())


@pytest.mark.parametrize("effort", ["low", "medium", "high"])
@pytest.mark.parametrize(
    "wish", ["Improve the text.", "Make it clearer. Fewer than 45 words.", "Simplify this text."]
)
def test_its_text_is_taken_as_it_wrote_it(
    server: ScriptedServer, tmp_path: Path, wish: str, effort: Effort
) -> None:
    strong = Strong(server)
    found = revise(server, tmp_path, wish, effort=effort)
    assert found.text == BETTER
    assert (found.status, found.trust, found.by_rules, found.objections) == (0, "high", 0, ())
    assert {change.by for change in found.changes} == {f"{server.url}#tiny"}
    assert strong.asked["compare"] == 2
    assert len(server.requests) <= {"low": 5, "medium": 12, "high": 92}[effort]


@pytest.mark.parametrize(
    ("old", "new"),
    [("1962", "1926"), ("does not plan", "plans"), ("eleven times", "twelve times"), ("The city", "Hamburg")],
)
def test_a_sentence_that_changes_a_fact_stays_as_the_writer_had_it(
    server: ScriptedServer, tmp_path: Path, old: str, new: str
) -> None:
    Strong(server, direct=BETTER.replace(old, new))
    found = revise(server, tmp_path)
    assert new not in found.text
    assert "Visitors love the ride." in found.text
    assert found.objections == ()


def test_what_is_left_to_fill_in_is_not_taken(server: ScriptedServer, tmp_path: Path) -> None:
    Strong(server, direct=f"{BETTER}\n\nBest regards,\n[Your Name]")
    found = revise(server, tmp_path, "Make it polite.")
    assert "[" not in found.text
    assert BETTER in found.text


def test_it_is_asked_again_for_a_sentence_that_a_fact_speaks_against(
    server: ScriptedServer, tmp_path: Path
) -> None:
    again = "The city will not replace it until 2030."
    strong = Strong(server, direct=BETTER.replace("2030", "2035"), reviser=f"[3] {again}\n[4] {again}")
    found = revise(server, tmp_path)
    assert found.text == BETTER.rpartition("The city")[0] + again
    assert strong.asked["reviser"] == 1


def test_a_bound_is_kept_by_asking_again_before_any_rule_cuts(server: ScriptedServer, tmp_path: Path) -> None:
    short = "Built in 1962 by a yard long gone, the ferry crosses eleven times a day, even in winter."
    strong = Strong(server, reviser=f"[1] {short}")
    found = revise(server, tmp_path, "Make it clearer, in fewer than 34 words.")
    assert found.text == BETTER.replace(BETTER.partition(" Visitors")[0], short)
    assert (found.status, found.by_rules) == (0, 0)
    todo = next(body for body in server.requests if role(body) == "reviser")["messages"][-1]["content"]
    assert "[1] shorten it to at most" in todo.partition("To do:")[2]
    assert strong.asked["reviser"] == 1


def test_rules_come_last_and_are_counted(server: ScriptedServer, tmp_path: Path) -> None:
    Strong(server)
    found = revise(server, tmp_path, "Make it clearer, in fewer than 26 words.")
    assert found.status == 0
    assert found.by_rules >= 1


def test_a_sentence_that_must_stay_is_never_the_models(server: ScriptedServer, tmp_path: Path) -> None:
    Strong(server)
    found = revise(server, tmp_path, "Improve the text, but do not change sentence 3.")
    assert "Tourists enjoy the ride a great deal, as a matter of fact." in found.text
    assert "Built in 1962" in found.text
    assert found.status == 0


def test_its_second_thoughts_count(server: ScriptedServer, tmp_path: Path) -> None:
    strong = Strong(server)
    strong.prefers = "original"
    found = revise(server, tmp_path)
    assert found.text == TEXT
    assert "prefers the original" in found.stopped


def test_where_it_prefers_the_original_only_what_the_constraints_call_for_is_changed(
    server: ScriptedServer, tmp_path: Path
) -> None:
    strong = Strong(server)
    strong.prefers = "original"
    found = revise(server, tmp_path, "Improve the text. Do not use the word 'Tourists'.")
    assert found.status == 0
    assert found.text == TEXT.replace(
        "Tourists enjoy the ride a great deal, as a matter of fact.", "Visitors love the ride."
    )


def test_its_second_thoughts_never_cost_a_constraint(server: ScriptedServer, tmp_path: Path) -> None:
    strong = Strong(server)
    strong.prefers = "original"
    met = TEXT.replace("Tourists", "Visitors to Harwich")
    strong.said["direct"] = met
    found = revise(server, tmp_path, "Say 'Harwich' exactly once and keep sentences 1, 2 and 4.")
    assert found.status == 0


NEWS = (
    "The city council decided in May 2026 that the ferry will be replaced in 2028. It costs 40 million euros."
)


def test_what_the_documents_say_is_taken_and_shown_with_its_passage(
    server: ScriptedServer, tmp_path: Path
) -> None:
    updated = TEXT.replace(
        "The city does not want to replace it before 2030.", "The city will replace it in 2028."
    )
    Strong(server, direct=updated)
    found = revise(server, tmp_path, "Update the text with the references.", documents=(NEWS,))
    assert found.text == updated
    assert [(one.fact, one.document) for one in found.support] == [("2028", 1)]
    assert found.support[0].passage == NEWS.partition(". ")[0] + "."
    json.dumps(found.to_dict())


def test_what_no_document_says_is_not_taken(server: ScriptedServer, tmp_path: Path) -> None:
    updated = TEXT.replace(
        "The city does not want to replace it before 2030.", "The city will replace it in 2029."
    )
    Strong(server, direct=updated)
    found = revise(server, tmp_path, "Update the text with the references.", documents=(NEWS,))
    assert "2029" not in found.text


def direct_of(server: ScriptedServer, folder: Path, wish: str) -> Revision:
    return revise(server, folder, wish, strategy="direct")


@pytest.mark.parametrize(
    "wish",
    [
        "Improve the text.",
        "Fewer than 36 words.",
        "Exactly 2 sentences.",
        "Every sentence below 9 words.",
        "Use the word 'harbour' twice.",
    ],
)
@pytest.mark.parametrize("answer", [BETTER, TEXT, "Ferries.", "The harbour ferry left the harbour."])
def test_never_worse_than_direct_and_the_direct_answer_is_among_the_nodes(
    server: ScriptedServer, tmp_path: Path, wish: str, answer: str
) -> None:
    Strong(server, direct=answer, amend=answer, rewrite=answer)
    nodes: list[Node] = []
    direct = direct_of(server, tmp_path / "a", wish)
    found = revise(server, tmp_path / "b", wish, nodes=nodes)
    assert sum(one.met for one in found.findings) >= sum(one.met for one in direct.findings)
    assert direct.text in {node.text for node in nodes}


@pytest.mark.parametrize(
    "refusal", ["I'm sorry, but I can't help with that.", "As an AI, I cannot edit this."]
)
def test_a_refusal_is_no_revision(server: ScriptedServer, tmp_path: Path, refusal: str) -> None:
    Strong(server, direct=refusal)
    assert revise(server, tmp_path).text == TEXT
    assert direct_of(server, tmp_path / "b", "Improve the text.").text == TEXT


def test_the_request_said_once_more_is_no_revision(server: ScriptedServer, tmp_path: Path) -> None:
    """It meets what is asked for, and nothing of the text is left."""
    wish = "Reading level grade 7."
    Strong(server, direct=wish, amend=wish, rewrite=wish)
    found = revise(server, tmp_path, wish)
    assert "1962" in found.text
    assert "Reading level" not in found.text


@pytest.mark.parametrize("reason", ["length", "content_filter"])
def test_an_answer_that_is_not_whole_is_no_revision(
    server: ScriptedServer, tmp_path: Path, reason: str
) -> None:
    def answer(handler: Any, body: dict[str, Any]) -> None:
        message = {"role": "assistant", "content": BETTER[:60]}
        choice = {"index": 0, "finish_reason": reason, "message": message}
        reply(
            handler,
            200,
            {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]},
        )

    server.answers = [answer]
    assert revise(server, tmp_path).text == TEXT


def test_a_service_that_fails_leaves_what_rules_can_do(server: ScriptedServer, tmp_path: Path) -> None:
    strong = Strong(server)

    def failing(handler: Any, body: dict[str, Any]) -> None:
        if role(body) == "direct":
            strong.answer(handler, body)
        else:
            reply(handler, 401, {"error": {"message": "no", "type": "error"}})

    server.answers = [failing]
    found = revise(server, tmp_path, "Fewer than 36 words.")
    assert found.findings.met
    assert found.status == 4


def test_the_requests_for_halves_of_a_text_count(server: ScriptedServer, tmp_path: Path) -> None:
    strong = Strong(server)

    def cut_off(handler: Any, body: dict[str, Any]) -> None:
        if role(body) != "direct":
            strong.answer(handler, body)
            return
        text = body["messages"][0]["content"].partition("<text>\n")[2].partition("\n</text>")[0]
        say(text, finish="length" if text.count(".") > 1 else "stop")(handler, body)

    server.answers = [cut_off]
    revise(server, tmp_path, "Make it clearer. Fewer than 20 words.")
    assert strong.asked["direct"] == 7, "the whole, two halves and four sentences"
    assert strong.asked["reviser"] + strong.asked["amend"] == 0, "three requests were allowed, and are spent"
