"""The editor that comes with redraft edits: plain cases, which no rounding of numbers should decide."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from redraft import Editor, Models
from redraft.models.adapters import SHIPPED
from redraft.models.weights import CHAT, ensure
from redraft.settings import Settings, load_settings

GRAMMAR = "Fix grammatical errors in this sentence"
SIMPLE = "Simplify this sentence"
NEUTRAL = "Remove points of view from this sentence"

HARD = "The physician endeavoured to ascertain the aetiology of the malady."
BIASED = "The brilliant and beloved senator wisely voted against the disastrous bill."
FACT = "The capital of France is Paris."
CLEAN = (
    "The museum opens at nine on weekdays.",
    "My brother works in a bank.",
    "She has lived in Paris for ten years.",
    "The train leaves at six in the morning.",
)


def edit(folder: Path, tasks: Sequence[tuple[str, str]]) -> list[str]:
    async def run() -> list[str]:
        # A folder of adapters of the test's own, so that none that was added outranks the shipped one.
        weights = folder / "weights"
        weights.mkdir()
        for made in ensure(CHAT, load_settings().weights()).parent.glob("smollm2*[!k]"):
            (weights / made.name).symlink_to(made)  # what was converted before need not be again
        settings = Settings(weights_dir=weights, cache_dir=folder / "cache", cache=False, context=1024)
        async with Models(settings) as models:
            editor = Editor(models.open("embedded"))
            edits = await asyncio.gather(*(editor.edit(text, how) for how, text in tasks))
        return [edited.text for edited in edits]

    return asyncio.run(run())


def test_the_shipped_editor_edits(tmp_path: Path) -> None:
    assert (SHIPPED / "editor.gguf").is_file()
    one, two, three, hard, biased, neutral, *clean = edit(
        tmp_path,
        [
            (GRAMMAR, "She go to school every days."),
            (GRAMMAR, "He have two cat and they is hungry."),
            (GRAMMAR, "I has recieved you're letter yesterday."),
            (SIMPLE, HARD),
            (NEUTRAL, BIASED),
            (NEUTRAL, FACT),
            *((GRAMMAR, text) for text in CLEAN),
        ],
    )
    # What it misses, or "corrects" though it is right, may differ from one processor to the next.
    mended = ["goes" in one, "every day." in one, "has" in two, "two cats" in two, "received" in three]
    assert sum(mended) >= 4, (one, two, three)
    assert hard not in ("", HARD)
    assert len(hard) < 1.2 * len(HARD)
    assert biased != BIASED
    assert len(biased) < len(BIASED)
    assert sum(map(str.__eq__, [neutral, *clean], [FACT, *CLEAN])) >= 3
