"""The real embedded model writes a section, and chooses; a scripted one in its place goes the whole way."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from redraft.composition.actions import Action, Limits
from redraft.composition.brief import read_brief
from redraft.composition.composition import Composition
from redraft.composition.loop import acompose
from redraft.composition.protocols import ComposeOptions, Protocol
from redraft.composition.small_reasoner import SmallReasoner
from redraft.composition.small_reviewer import sentences_of
from redraft.composition.small_writer import SmallWriter
from redraft.composition.state import Section, State, count_words
from redraft.models import Completion, Models, Request, Usage
from redraft.models.embedded import Embedded
from redraft.settings import Settings, load_settings
from tests.composition.test_small import CLEAN

BRIEF = read_brief("Write an article on rain in the city with sections: Roofs, Drains. About 50 words.")


def composed(settings: Settings, protocol: Protocol) -> Composition:
    async def run() -> Composition:
        async with Models(settings) as models:
            return await acompose(BRIEF, models=models, options=ComposeOptions(protocol))

    return asyncio.run(run())


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(cache_dir=tmp_path, weights_dir=load_settings().weights(), context=2048)


def test_a_section_and_a_choice(settings: Settings) -> None:
    section = Section(1, "Roofs", ("rain runs off the roofs",), 30)
    state = State("Rain in the City", (section, Section(2, "Drains")))
    allowed = [Action("draft", 1), Action("draft", 2)]

    async def run() -> tuple[str, Action | None]:
        async with Models(settings) as models:
            model, embedder = models.open("embedded"), models.embedder()
            written = await SmallWriter(model, embedder, 0).draft(BRIEF, state, section)
            choice = await SmallReasoner(model, 0).choose(BRIEF, state, (), allowed, Limits())
            return written.content, choice.action

    text, action = asyncio.run(run())
    assert 10 <= count_words(text) <= 36
    sentences = sentences_of(text)
    assert len(set(sentences)) == len(sentences)
    assert not re.search(r"paragraph|no title|full sentences", text)
    assert action in allowed


def test_the_model_chooses_what_is_done_and_what_is_known_is_not_asked_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[str] = []

    async def sample(self: Embedded, request: Request, first: int, count: int) -> tuple[Completion, ...]:
        if not request.schema:
            found = [CLEAN[(request.seed + 2 * index) % len(CLEAN) :][:2] for index in range(count)]
            return tuple(Completion(" ".join(sentences), usage=Usage(calls=1)) for sentences in found)
        offered = json.loads(request.schema)["properties"]["action"]["enum"]
        taken.append(next((action for action in offered if action not in taken), offered[-1]))
        return (Completion(json.dumps({"action": taken[-1]}), usage=Usage(calls=1)),)

    monkeypatch.setattr(Embedded, "sample", sample)
    fixed = composed(settings, "fixed")
    assert fixed.finished
    assert fixed.dynamics.to_dict()["failures"] == 0
    assert [section.title for section in fixed.state.sections] == ["Roofs", "Drains"]
    assert fixed.text.startswith("# Rain in the City\n\n## Roofs\n\n")
    assert taken == []
    found = composed(settings, "autonomous")
    assert found.finished
    assert found.dynamics.to_dict()["failures"] == 0
    assert found.usage.cached
    assert found.state.manuscript.keys() == {1, 2}
    assert {"draft 1", "draft 2"} <= set(taken)
