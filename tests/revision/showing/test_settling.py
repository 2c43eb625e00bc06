"""Who listens hears what becomes of each sentence, as soon as that is known, and in the end for good."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import Any

import pytest

from redraft.models import Model
from redraft.revision import ReviseOptions, Revision, Settled, running
from redraft.revision.draft import Candidate, Draft, Option
from redraft.revision.first import corrected
from redraft.revision.records import Change
from redraft.revision.revising import arevise
from redraft.revision.showing.settling import Settling, find_passages
from redraft.revision.task import Task
from redraft.settings import Settings
from tests.revision.asking_parts import Answering, asked
from tests.revision.fakes import ScriptedJudge
from tests.revision.strategies.test_steps import FakeModels

TEXT = "The ferry was built in 1962. It make eleven crossings a day. Tourists enjoys the ride. It is red."


def revise(folder: Path, model: Answering, wish: str, heard: list[Settled] | None, **how: Any) -> Revision:
    model.spec = "embedded"

    class Small(FakeModels):
        def for_role(self, role: str) -> Model:
            return model

    async def run() -> Revision:
        async with Small(Settings(cache_dir=folder)) as models:
            return await arevise(
                TEXT,
                wish,
                models=models,
                options=ReviseOptions(**{"effort": "low", **how}),
                settled=None if heard is None else heard.append,
            )

    return asyncio.run(run())


def fix(request: Any) -> str:
    text = asked(request).partition(":\n")[2]
    return text.replace("It make", "It makes").replace("Tourists enjoys", "Tourists enjoy")


@pytest.fixture(autouse=True)
def judge(monkeypatch: pytest.MonkeyPatch) -> ScriptedJudge:
    wrong = ScriptedJudge(
        lambda one: "make eleven" in one or "enjoys" in one, is_better=lambda source, text: source != text
    )
    monkeypatch.setattr(running, "open_judge", lambda models: wrong)
    return wrong


@pytest.mark.parametrize(
    "wish", ["Improve it.", "Fix the grammar.", "Keep sentence 4. Make it clearer.", "In under 17 words."]
)
def test_in_the_end_every_sentence_is_told_for_good_and_the_result_is_the_same(
    tmp_path: Path, wish: str
) -> None:
    heard: list[Settled] = []
    found = revise(tmp_path / "a", Answering(fix), wish, heard)
    final = [one for one in heard if one.final]
    assert sorted(one.number for one in final) == [1, 2, 3, 4]
    told = {one.before: one.after for one in final if one.before != one.after}
    assert told == {change.before: change.after for change in found.changes}
    assert revise(tmp_path / "b", Answering(fix), wish, None).text == found.text


def test_what_keeps_a_bound_by_itself_is_told_before_a_model_is_asked(tmp_path: Path) -> None:
    heard: list[Settled] = []
    told: list[int] = []

    def answered(request: Any) -> str:
        told.append(len(heard))
        return fix(request)

    revise(tmp_path, Answering(answered), "No sentence over 5 words.", heard)
    short = ["Tourists enjoys the ride.", "It is red."]
    assert [one.before for one in heard[:2]] == short
    assert all(one.before == one.after and not one.final for one in heard[:2])
    assert min(told, default=2) >= 2


def test_what_must_stay_is_told_first_and_once(tmp_path: Path) -> None:
    heard: list[Settled] = []
    revise(tmp_path, Answering(fix), "Fix the grammar, and do not change sentence 2.", heard)
    assert heard[0] == Settled(2, "It make eleven crossings a day.", "It make eleven crossings a day.", True)
    assert sum(one.number == 2 for one in heard) == 1


def test_what_reads_well_is_told_when_it_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrected, "MANY_ERRORS", math.inf)  # else they are corrected, and nothing is judged
    heard: list[Settled] = []
    revise(tmp_path, Answering(fix), "Improve it.", heard)
    assert {1, 4} <= {one.number for one in heard if not one.final and one.after == one.before}


def test_what_the_editor_answers_is_told_before_the_end(tmp_path: Path) -> None:
    heard: list[Settled] = []
    revise(tmp_path, Answering(fix), "Fix the grammar.", heard)
    early = [one.after for one in heard if not one.final]
    assert "It makes eleven crossings a day." in early
    assert "Tourists enjoy the ride." in early


@pytest.mark.parametrize(("wish", "most"), [("Improve it.", None), ("Improve it. At most 4 sentences.", 4)])
def test_errors_come_first_and_no_bound_is_lost_for_them(tmp_path: Path, wish: str, most: int | None) -> None:
    found = revise(tmp_path, Answering(fix), wish, None)
    assert "It makes eleven" in found.text
    assert "Tourists enjoy " in found.text
    assert [one.met for one in found.findings.findings] == ([True] if most else [])


@pytest.mark.parametrize("wish", ["Make it formal.", "Make it more polite, no sentence over 20 words."])
def test_a_wish_of_tone_is_carried_out_on_a_corrected_text(tmp_path: Path, wish: str) -> None:
    found = revise(tmp_path, Answering(fix), wish, None)
    assert "It makes eleven" in found.text
    assert "Tourists enjoy " in found.text
    assert all(change.before in TEXT for change in found.changes)  # and not in the corrected one


def test_what_must_stay_is_not_corrected_first(tmp_path: Path) -> None:
    found = revise(tmp_path, Answering(fix), "Make it formal, and do not change sentence 2.", None)
    assert "It make eleven crossings a day." in found.text
    assert found.findings.met


@pytest.mark.parametrize("wish", ["Delete sentence 1.", "No sentence over 20 words."])
def test_who_asks_for_something_else_has_the_errors_left(tmp_path: Path, wish: str) -> None:
    assert "It make eleven" in revise(tmp_path, Answering(fix), wish, None).text


def test_nothing_is_told_twice() -> None:
    heard: list[Settled] = []
    task = Task("One is here. Two is there.")
    settling, draft = Settling(task, heard.append), Draft.of(task)
    settling.tell(draft, 0, "One stays here.")
    settling.tell(draft, 0, "One stays here.")
    settling.tell_changes(draft)  # it is as the writer had it, after all
    settling.finish([Change("Two is there.", "", "drop", "left out")])
    assert [(one.number, one.after, one.final) for one in heard] == [
        (1, "One stays here.", False),
        (1, "One is here.", False),
        (1, "One is here.", True),
        (2, "", True),
    ]


def test_two_sentences_that_became_one_are_told_by_the_first() -> None:
    heard: list[Settled] = []
    task = Task("Dear Ann,\n\nOne is here. Two is there. Three is gone.")
    settling = Settling(task, heard.append)
    draft = Draft.of(task)
    one = Option(1, 3, Candidate("One is here and two is there.", "merge"))
    own = [Option(place, place + 1, Candidate(draft.units[place].text, "writer")) for place in (0, 3)]
    merged = draft.chosen([own[0], one, own[1]])
    settling.tell_changes(merged)
    settling.finish(merged.changes)
    assert [one.number for one in heard if not one.final] == [1]
    assert [one.number for one in heard if one.final] == [0, 1, 3]


def test_passages_are_found_in_their_order() -> None:
    assert find_passages("a b a b c", ["a b", "a b", "b a", "", "x", "c"]) == [0, 4, 2, None, None, 8]
