"""Replacements are carried out to the letter, before anything else."""

from __future__ import annotations

import asyncio
from pathlib import Path

from redraft.errors import ConnectionFailed
from redraft.revision.replacing import BY
from redraft.revision.revising import arevise
from redraft.revision.revision import ReviseOptions, Revision
from tests.revision.test_revising import Failing, Offline

TEXT = (
    "The Licensor grants the Licensee a licence. It ends in May. "
    "The Licensee shall, in the event that it is asked, return the Licensor's copy."
)
PAIRS = "Replace 'the Licensor' with 'Brightwater Ltd' and 'the Licensee' with 'the School'"
DONE = (
    "Brightwater Ltd grants the School a licence. It ends in May. "
    "The School shall, in the event that it is asked, return Brightwater Ltd's copy."
)


def revised(instruction: str, folder: Path, **options: object) -> Revision:
    async def run() -> Revision:
        async with Offline(Failing(ConnectionFailed("away")), folder) as models:
            chosen = ReviseOptions(**options)  # type: ignore[arg-type]
            return await arevise(TEXT, instruction, models=models, options=chosen)

    return asyncio.run(run())


def test_nothing_else_changes_and_no_model_is_asked(tmp_path: Path) -> None:
    for rest in (". Leave everything else alone.", " and nothing else.", "."):
        found = revised(PAIRS + rest, tmp_path)
        assert found.text == DONE
        assert found.findings.met
        assert not found.failure
        assert [change.by for change in found.changes] == [BY, BY]
        assert [change.before for change in found.changes] == [TEXT[:43], TEXT[60:]]


def test_other_constraints_are_met_after_it(tmp_path: Path) -> None:
    found = revised(f"{PAIRS}. Stay under 24 words.", tmp_path, strategy="repair")
    assert found.findings.met
    assert "Licens" not in found.text
    assert "Brightwater Ltd" in found.text
    assert all(change.before in TEXT for change in found.changes)
