"""Tests of how two sentences become one that says what they have to do with each other."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.splits.joining import RELATED, are_related
from redraft.revision.rewriting.splits.splits import merges


@pytest.mark.parametrize(
    ("first", "second", "merged"),
    [
        ("The museum opened in 1931.", "It was founded by the painter Ada Brandt.", "The museum opened in 1931 and was founded by the painter Ada Brandt."),
        ("It was founded by the painter Ada Brandt.", "She left it her house.", "It was founded by the painter Ada Brandt, who left it her house."),
        ("The seal was cut by the supplier.", "The supplier has admitted this.", "The seal was cut by the supplier, who has admitted this."),
        ("The garden is open to everyone.", "The house can only be seen with a guide.", "The garden is open to everyone, but the house can only be seen with a guide."),
    ],
)  # fmt: skip
def test_sentences_that_belong_together(first: str, second: str, merged: str) -> None:
    best = merges(first, second)[0]
    assert best.text == merged
    assert best.why[0].detail in RELATED


def test_a_pronoun_that_may_mean_either_is_not_taken_up() -> None:
    found = merges("The firm sold the mill.", "It was very old.")
    assert not any(one.why[0].detail in RELATED for one in found)


def test_what_two_sentences_speak_of() -> None:
    assert are_related("Three sensors failed.", "All failures were in batch 6.") is True
    assert are_related("The section stays free.", "The contract runs for six years.") is False
