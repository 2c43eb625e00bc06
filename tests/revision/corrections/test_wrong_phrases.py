"""Phrases that are errors wherever they stand."""

from __future__ import annotations

import pytest

from redraft.revision.corrections.slips import slips, without_slips
from redraft.revision.corrections.wrong_phrases import wrong_phrases
from redraft.text import list_lines


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("We enjoyed to go there.", "We enjoyed going there."),
        ("Enjoyed to go home? We did.", "Enjoyed going home? We did."),
        ("Many of the sheeps were ill.", "Many of the sheep were ill."),
    ],
)
def test_a_phrase_is_put_right_in_the_case_that_it_was_written_in(wrong: str, right: str) -> None:
    assert without_slips(wrong) == right


def test_marks_and_quotations_keep_a_phrase_from_being_one() -> None:
    assert not list(wrong_phrases("What they enjoyed, to go by what they said, was the food."))
    assert not slips("“We enjoyed to go there,” he said.")
    assert not list(wrong_phrases("They were glad of sheeps-wool."))


def test_each_line_changes_something_once() -> None:
    lines = list_lines("redraft.revision.corrections", "wrong-phrases.txt")
    pairs = [line.split(" -> ") for line in lines]
    assert all(len(pair) == 2 and pair[0] and pair[0] != pair[1].lower() for pair in pairs)
    assert len({wrong for wrong, _ in pairs}) == len(pairs)
