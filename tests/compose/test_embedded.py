"""The real embedded model writes a short piece: whole, as long as asked, without repeats or prompt text."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from redraft.compose.brief import read_brief
from redraft.compose.composing import Way, acompose
from redraft.compose.composition import Composition
from redraft.compose.lengths import measured
from redraft.compose.protocols import Protocol
from redraft.compose.small import writing
from redraft.compose.small.prose import sentences_of
from redraft.models import Models
from redraft.settings import Settings, load_settings

TOPIC = "Write an article on rain in the city with sections: Roofs. About 35 words."


def test_a_short_piece(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "TOKENS", 50)
    monkeypatch.setattr(writing, "SAMPLES", 2)
    settings = Settings(cache_dir=tmp_path, weights_dir=load_settings().weights(), context=2048)

    async def composed(protocol: Protocol) -> Composition:
        async with Models(settings) as models:
            return await acompose(read_brief(TOPIC), models=models, way=Way(protocol))

    fixed = asyncio.run(composed("fixed"))
    assert fixed.finished
    assert fixed.dynamics.to_dict()["failures"] == 0
    assert [section.title for section in fixed.state.sections] == ["Roofs"]
    (passage,) = fixed.state.manuscript.values()
    assert 35 / 3 <= measured(passage.final) <= 35 * 1.2
    sentences = sentences_of(passage.final)
    assert len(set(sentences)) == len(sentences)
    assert not re.search(r"paragraph|No title|Full sentences", fixed.text)
    assert fixed.text.startswith("# Rain in the City\n\n## Roofs\n\n")

    # The model chooses what is done; what is known already is not asked again.
    autonomous = asyncio.run(composed("autonomous"))
    assert autonomous.finished
    assert autonomous.dynamics.to_dict()["failures"] == 0
    assert autonomous.usage.cached
    assert [section.status for section in autonomous.state.sections] == ["completed"]
