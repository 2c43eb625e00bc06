"""Tests of telegrams: what is kept though what it hung on is gone."""

from __future__ import annotations

import pytest

from redraft.revision.judging.broken_phrases import is_stranded


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The driver asked her to sign for 32 boxes.", "The driver asked for 32 boxes."),
        ("We would ask you to replace the boxes.", "We would replace the boxes."),
        ("We were in Phoenix and in Tucson during July.", "We were in Phoenix and Tucson, July."),
        ("Sleep was not shortened, although it was worse in old nurses.", "Sleep was not shortened, worse in old nurses."),
        ("We have had four conductors, two of whom married sopranos.", "We have had four conductors, two married sopranos."),
        ("My husband and your father agreed.", "My husband and father agreed."),
        ("Background: Shift work is common.", "Shift work is common."),
        ("We had to cancel the season because we had no money.", "We had no money for the season."),
    ],
)  # fmt: skip
def test_what_hangs_on_nothing(source: str, text: str) -> None:
    assert is_stranded(source, text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The bridge, which was built in 1903, is shut.", "The bridge, built in 1903, is shut."),
        ("The paint that is used here is old.", "The paint used here is old."),
        ("All of the wards were full.", "All the wards were full."),
        ("To unlock it, you will need to reset your password.", "To unlock it, reset your password."),
        ("We carried out an inspection of all 46 lifts.", "We inspected all 46 lifts."),
        ("He stood at the door.", "He stood at the door."),
    ],
)
def test_what_an_editor_may_do(source: str, text: str) -> None:
    assert not is_stranded(source, text)
