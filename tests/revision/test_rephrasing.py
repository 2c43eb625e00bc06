"""Other ways to say a sentence: who is asked, what is left out, and what is said of the rest."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from redraft.errors import InputError
from redraft.models import Completion, Model, Request
from redraft.revision import Alternative, alternatives, running
from redraft.settings import Settings
from tests.models.scripted import ScriptedServer, say
from tests.revision.asking_parts import asked
from tests.revision.fakes import ScriptedJudge
from tests.revision.strategies.test_steps import FakeModels

TEXT = "The ferry was built in 1962. We leverage it in order to cross the bay. It runs in winter too."


class Scripted:
    """A model that gives the answers of a test to every request."""

    def __init__(self, answers: Iterable[str], spec: str = "embedded") -> None:
        self.spec = spec
        self._answers = tuple(answers)
        self.requests: list[Request] = []

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        self.requests.append(request)
        given = (*self._answers, *[""] * request.n)[: request.n]
        return tuple(Completion(one) for one in given)


def ask(
    model: Scripted,
    number: int = 2,
    text: str = TEXT,
    *,
    settings: dict[str, Any] | None = None,
    **asked_for: Any,
) -> tuple[Alternative, ...]:
    class Own(FakeModels):
        def for_role(self, role: str) -> Model:
            return model

    async def run() -> tuple[Alternative, ...]:
        async with Own(Settings(**(settings or {}))) as models:
            return await alternatives(text, number, models=models, **asked_for)

    return asyncio.run(run())


@pytest.fixture(autouse=True)
def judge(monkeypatch: pytest.MonkeyPatch) -> ScriptedJudge:
    scripted = ScriptedJudge(lambda one: "bungled" in one, lambda _, text: "otherwise" in text)
    monkeypatch.setattr(running, "open_judge", lambda models: scripted)
    return scripted


def test_the_editor_is_asked_by_its_control_for_what_the_advice_says() -> None:
    model = Scripted(["We use it to cross the bay."])
    found = ask(model, advice="without 'leverage'")
    assert asked(model.requests[0]).startswith('Rewrite without the word "leverage"')
    assert all("leverage" not in one.text and not one.unfollowed for one in found)
    assert "We use it to cross the bay." in [one.text for one in found if one.by == "editor"]
    assert {one.by for one in found} >= {"editor", "keyword"}, "the rules have a way as well"


def test_shorter_ones_are_shorter() -> None:
    found = ask(
        Scripted(["We leverage it in order to safely cross all of the bay.", "We cross the bay by it."]),
        advice="shorter",
    )
    assert found
    assert all(len(one.text.split()) < 11 for one in found)


def test_without_advice_the_instruction_says_what_is_wished_for() -> None:
    model = Scripted(["We gladly use it to cross the bay."])
    ask(model, instruction="Make it friendlier.")
    assert {asked(one).partition(":")[0] for one in model.requests} == {"Make it friendlier"}


def test_without_any_wish_there_are_several_ways_and_never_the_sentence_itself() -> None:
    model = Scripted(["We leverage it in order to cross the bay.", "We use it to cross the bay."])
    found = ask(model)
    assert len(model.requests) > 1
    assert found
    assert all(one.text != "We leverage it in order to cross the bay." for one in found)


def test_what_is_broken_is_left_out_unless_there_is_nothing_else() -> None:
    worse = ["We bungled it to cross.", "We do otherwise with the bay."]
    both = ask(Scripted([*worse, "We use it to cross the bay."]), 2, advice="friendlier")
    assert not any(one.broken for one in both)
    alone = ask(Scripted(worse), 3, advice="friendlier")
    assert alone
    assert all(one.broken for one in alone)
    assert {one.sound < 0.5 for one in alone} == {True, False}, "one reads badly, one says something else"


def test_the_whole_text_is_checked_with_each() -> None:
    model = Scripted(["We use it as our way to get across the bay.", "We cross the bay."])
    found = ask(model, advice="friendlier", constraints=['word_count_check(21, "less than")'])
    assert [one.met for one in found] == sorted((one.met for one in found), reverse=True)
    longer = next(one for one in found if one.text.startswith("We use it as"))
    assert not longer.met
    assert [finding.constraint.name for finding in longer.findings] == ["word_count_check"]


def test_a_sentence_that_must_stay_has_alternatives_that_say_so() -> None:
    found = ask(
        Scripted(["We use it to cross the bay."]), advice="friendlier", instruction="Keep sentence 2."
    )
    assert found
    assert all(not one.met and one.findings for one in found)


def test_bounds_of_every_sentence_are_kept() -> None:
    model = Scripted(["We use it to cross the wide bay.", "We cross by it."])
    found = ask(model, advice="friendlier", instruction="Never say 'wide'.")
    assert found[0].text == "We cross by it."
    assert found[0].met


def test_mark_up_stays() -> None:
    text = "See [the list](https://example.org/a) for all of the crossings."
    model = Scripted(["For all crossings, see [[M1]]the list[[M2]].", "See the list."])
    found = ask(model, 1, text, format="markdown")
    assert "[[M" in asked(model.requests[0])
    assert found
    assert all("](https://example.org/a)" in one.text for one in found)


def test_hardly_different_ones_come_after_the_others() -> None:
    near = [f"On most days we leverage {one} to cross the whole wide bay." for one in ("it", "this")]
    found = ask(Scripted([near[0], near[1], "Crossing takes us no time."]), advice="friendlier", n=2)
    assert len(found) == 2
    assert sum(one.text in near for one in found) == 1


def test_what_the_advice_asks_for_and_is_not_done_is_named() -> None:
    found = ask(Scripted(["We leverage it to cross the bay."]), advice="at most 4 words")
    assert any(finding.constraint.name == "word_count_check" for one in found for finding in one.unfollowed)


def test_a_model_that_is_trusted_is_asked_once_and_refused_for_facts_alone(
    tmp_path: Path, judge: ScriptedJudge
) -> None:
    text = "It carried 300 people in 1962. That was a lot."
    said = (
        "Here they are:\n[1] In 1962, it carried 900 people.\n[2] In 1962, it bungled along with 300 people."
    )
    with ScriptedServer() as server:
        server.answers = [say(said)]
        settings = Settings(cache_dir=tmp_path, model=f"{server.url}#tiny")

        async def run() -> tuple[Alternative, ...]:
            async with FakeModels(settings) as models:
                return await alternatives(text, 1, models=models, advice="begin with the year", n=2)

        found = asyncio.run(run())
        (request,) = server.requests
    words = request["messages"][0]["content"]
    assert "begin with the year" in words
    assert "That was a lot." in words
    assert [one.text for one in found] == ["In 1962, it bungled along with 300 people."]
    assert not found[0].broken


def test_they_are_ready_for_json() -> None:
    (first, *_) = ask(Scripted(["We use it to cross the bay."]), advice="friendlier")
    assert json.loads(json.dumps(first.to_dict()))["text"] == first.text


def test_they_are_as_many_as_asked_for(judge: ScriptedJudge) -> None:
    several = ["We use it to cross.", "It carries us over there.", "Crossing is what we have got it for."]
    assert len(ask(Scripted(several), advice="friendlier", n=1)) == 1


def test_another_language_needs_another_model() -> None:
    text = "Die Fähre wurde im Jahr 1962 gebaut. Sie fährt auch im Winter über die Bucht."
    model = Scripted(["Sie fährt auch im kalten Winter."])
    assert ask(model, 2, text) == ()
    assert not model.requests


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: ask(Scripted([]), 9), "sentence 9 is named, but the text has 3 sentences"),
        (lambda: ask(Scripted([]), 0), "sentence 0"),
        (lambda: ask(Scripted([]), n=0), "from 1 to 10 alternatives"),
    ],
)
def test_what_is_not_there_is_named(wrong: Callable[[], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        wrong()
