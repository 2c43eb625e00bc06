"""Whether errors come first, and what of a correction is taken on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from redraft.constraints import parse
from redraft.revision import ReviseOptions, Revision
from redraft.revision.first import corrected
from redraft.revision.first.corrected import correction_of, is_corrected_first
from redraft.revision.records import Change
from redraft.revision.task import Task

TEXT = "She go there. They was late."


def task_of(wish: str, text: str = TEXT) -> Task:
    return Task.of(text, parse(wish))


@pytest.mark.parametrize(
    ("wish", "first"),
    [
        ("Make it formal.", True),
        ("Friendlier please, at most 8 words.", True),
        ("Make it formal, but leave the grammar as it is.", False),
        ("Make it formal. Don't fix the errors.", False),
        ("Make it formal, nothing else.", False),
        ("Make it formal without correcting the spelling.", False),
        ("At most 8 words.", False),
        ("Fix the grammar.", False),  # it is what is done anyway
    ],
)
def test_when_errors_come_first(wish: str, first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    async def many(*_: object) -> bool:
        return True

    monkeypatch.setattr(corrected, "has_many_errors", many)
    models: Any = None
    assert asyncio.run(is_corrected_first(task_of(wish), ReviseOptions(), models)) is first


def test_a_correction_keeps_to_what_the_text_obeys_already() -> None:
    calls = [
        one.call
        for one in correction_of(task_of("Make it formal, keep sentence 2, at most 4 words.")).constraints
    ]
    assert calls == ['sentence_modification_check([2], "unchange")']


def test_a_correction_that_numbers_the_sentences_anew_is_not_taken_beside_constraints() -> None:
    task = task_of("Make it formal, and keep sentence 1.")
    joined = Revision("She goes there, and they were late.", task.check(TEXT))
    assert corrected.corrected(task, joined) is None


def test_changes_are_told_of_the_text_as_it_was_given() -> None:
    task = task_of("Make it formal.")
    mended = Revision(
        "She goes there. They were late.",
        task.check(TEXT),
        changes=(Change("She go there.", "She goes there.", "editor", "grammar"),),
    )
    left = corrected.corrected(task, mended)
    assert left is not None
    assert left.task.original == mended.text
    later = Revision(
        "She travels there. They were late.",
        task.check(TEXT),
        changes=(Change("She goes there.", "She travels there.", "editor", "formal"),),
    )
    assert [one.before for one in left.told(later).changes] == ["She go there."]
