"""A larger model in this process: trusted as a service is, with our judge for its second thoughts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from redraft.models import Model
from redraft.revision import running
from redraft.revision.asking.requests import MeteredModel
from redraft.revision.revising import arevise
from redraft.revision.revision import ReviseOptions, Revision
from redraft.settings import Settings
from tests.models.scripted import ScriptedServer
from tests.revision.fakes import ScriptedJudge
from tests.revision.strategies.test_steps import FakeModels
from tests.revision.strategies.test_trusted import BETTER, TEXT, Strong

SPEC = "embedded:qwen-0.5b"
RIDE = "Tourists enjoy the ride a great deal, as a matter of fact."
NEW_RIDE = "Visitors love the ride."


class Renamed(MeteredModel):
    """A model by another name."""

    spec = SPEC


class OurModels(FakeModels):
    """Models of which the larger one is a scripted service."""

    url = ""

    def open(self, spec: str, *, role: str = "model") -> Model:
        return Renamed(super().open(f"{self.url}#tiny", role=role))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as scripted:
        yield scripted


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> ScriptedJudge:
    judge = ScriptedJudge(is_broken=lambda sentence: sentence == NEW_RIDE)
    monkeypatch.setattr(running, "open_judge", lambda models: judge)
    return judge


def revise(server: ScriptedServer, folder: Path, wish: str) -> Revision:
    async def run() -> Revision:
        async with OurModels(Settings(model=SPEC, api_key="k", cache_dir=folder)) as models:
            models.url = server.url
            return await arevise(TEXT, wish, models=models, options=ReviseOptions(effort="low"))

    return asyncio.run(run())


def test_its_text_is_taken_and_no_texts_are_compared(server: ScriptedServer, tmp_path: Path) -> None:
    strong = Strong(server)
    found = revise(server, tmp_path, "Make it friendlier.")
    assert (found.text, found.trust) == (BETTER, "high")
    assert strong.asked == {"direct": 1}
    assert server.requests[0]["temperature"] == 0


@pytest.mark.usefixtures("judge")
def test_a_passage_that_the_judge_calls_broken_is_as_the_writer_had_it(
    server: ScriptedServer, tmp_path: Path
) -> None:
    Strong(server)
    found = revise(server, tmp_path, "Make it friendlier.")
    assert found.text == BETTER.replace(NEW_RIDE, RIDE)
    assert "our judge" in found.stopped


@pytest.mark.usefixtures("judge")
def test_a_constraint_outweighs_the_judge(server: ScriptedServer, tmp_path: Path) -> None:
    Strong(server)
    found = revise(server, tmp_path, "Make it friendlier. Do not use the word 'Tourists'.")
    assert (found.text, found.status) == (BETTER, 0)


def test_a_sentence_is_asked_for_by_itself(server: ScriptedServer, tmp_path: Path) -> None:
    short = "Built in 1962 by a yard long gone, the ferry crosses eleven times a day, even in winter."
    strong = Strong(server, sentence=short)
    found = revise(server, tmp_path, "Make it clearer, in fewer than 34 words.")
    assert found.text == BETTER.replace(BETTER.partition(" Visitors")[0], short)
    assert (found.status, found.by_rules) == (0, 0)
    assert strong.asked == {"direct": 1, "sentence": 1}
    asked = server.requests[-1]["messages"][-1]["content"]
    assert "shorten it to at most" in asked
    assert "Visitors" not in asked


def test_sentences_that_are_asked_for_one_by_one_count_as_one_request(
    server: ScriptedServer, tmp_path: Path
) -> None:
    strong = Strong(server, direct=TEXT, sentence="Nothing of use, and far too many words for any of it.")
    revise(server, tmp_path, "Every sentence below 9 words.")
    assert strong.asked["sentence"] == 8, "four sentences, twice"


def test_a_text_with_nothing_to_mend_is_not_sent(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "open_judge", lambda models: ScriptedJudge())
    Strong(server)
    assert revise(server, tmp_path, "Improve the text.").text == TEXT
    assert server.requests == []


def test_of_a_text_that_is_to_be_better_sound_passages_stay(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = ScriptedJudge(is_broken=lambda sentence: sentence == RIDE)
    monkeypatch.setattr(running, "open_judge", lambda models: judge)
    Strong(server)
    assert revise(server, tmp_path, "Improve the text.").text == TEXT.replace(RIDE, NEW_RIDE)
