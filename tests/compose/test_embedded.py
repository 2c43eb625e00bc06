"""The real embedded model writes a short piece: whole, as long as asked, without repeats or prompt text."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

from redraft.compose.brief import read_brief
from redraft.compose.composing import Way, acompose
from redraft.compose.composition import Composition
from redraft.compose.lengths import measured
from redraft.compose.protocols import Protocol
from redraft.compose.small.prose import sentences_of
from redraft.models import Models
from redraft.settings import Settings, load_settings

TOPIC = "Write an article on rain in the city with sections: Roofs, Drains. About 120 words."


def test_a_short_piece(tmp_path: Path) -> None:
    settings = Settings(cache_dir=tmp_path, weights_dir=load_settings().weights(), context=2048)

    async def composed(protocol: Protocol, *, guarded: bool = True) -> Composition:
        async with Models(settings) as models:
            return await acompose(read_brief(TOPIC), models=models, way=Way(protocol, guarded=guarded))

    fixed = asyncio.run(composed("fixed"))
    assert fixed.finished
    assert fixed.dynamics.to_dict()["failures"] == 0
    assert [section.title for section in fixed.state.sections] == ["Roofs", "Drains"]
    texts = [passage.final for passage in fixed.state.manuscript.values()]
    assert all(96 / 2 <= measured(text) <= 144 / 2 for text in texts)
    sentences = [sentence for text in texts for sentence in sentences_of(text)]
    assert len(set(sentences)) == len(sentences)
    assert not re.search(r"paragraph|No title|Full sentences", fixed.text)
    assert fixed.text.startswith("# Rain in the City\n\n## Roofs\n\n")

    # The model chooses what is done; what is known already is not asked again.
    autonomous = asyncio.run(composed("autonomous"))
    assert autonomous.finished
    assert autonomous.dynamics.to_dict()["failures"] == 0
    assert autonomous.usage.cached
    assert [section.status for section in autonomous.state.sections] == ["completed"] * 2
