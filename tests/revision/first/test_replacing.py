"""Replacements are carried out to the letter, before anything else."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from redraft.errors import ConnectionFailed
from redraft.revision.first.replacing import BY
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


def revised(instruction: str, folder: Path, text: str = TEXT, **options: object) -> Revision:
    async def run() -> Revision:
        async with Offline(Failing(ConnectionFailed("away")), folder) as models:
            chosen = ReviseOptions(**options)  # type: ignore[arg-type]
            return await arevise(text, instruction, models=models, options=chosen)

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


BIG = "The big house is old. A big dog sleeps there.\n\nThe big garden is big. We go on Monday.\n"


@pytest.mark.parametrize(
    ("instruction", "before", "after"),
    [
        ("In the second sentence, replace 'big' with 'large'.", "A big dog", "A large dog"),
        ("Change 'big' to 'old' in sentence 2 only.", "A big dog", "An old dog"),
        ("Replace 'big' with 'large' in the last paragraph.", "big garden is big", "large garden is large"),
        ("In paragraph 2, change Monday to Tuesday.", "Monday", "Tuesday"),
        (
            "Use 'large' instead of 'big' in the first sentence. Leave the rest alone.",
            "The big h",
            "The large h",
        ),
    ],
)
def test_words_are_replaced_in_the_named_part_and_nowhere_else(
    instruction: str, before: str, after: str, tmp_path: Path
) -> None:
    found = revised(instruction, tmp_path, text=BIG)
    assert found.text == BIG.replace(before, after)
    assert found.findings.met
    assert not found.failure
    assert {change.by for change in found.changes} == {BY}


def test_other_constraints_are_met_after_a_replacement_in_a_part(tmp_path: Path) -> None:
    asked = "In the second sentence, replace 'big' with 'large'. Swap the two paragraphs."
    found = revised(asked.replace("the two", "the first two"), tmp_path, text=BIG)
    assert found.text.startswith("The big garden is big.")
    assert found.text.rstrip().endswith("The big house is old. A large dog sleeps there.")
    assert found.findings.met
    found = revised(
        "In sentence 2, replace 'big' with 'large'. Under 16 words.", tmp_path, text=BIG, strategy="repair"
    )
    assert found.findings.met
    assert "big dog" not in found.text


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("Replace 'tiny' with 'small' in the first sentence.", "“tiny” is not in sentence 1"),
        ("Replace 'big' with 'small' in sentence 9.", "sentence 9 is named, but the text has no such part"),
    ],
)
def test_what_a_part_does_not_have_is_said(instruction: str, reason: str, tmp_path: Path) -> None:
    found = revised(instruction, tmp_path, text=BIG)
    assert (found.text, found.status) == (BIG, 3)
    assert reason in str(found.infeasible)
