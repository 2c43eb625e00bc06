"""A person's plan: lines that name a sentence and say what to do about it."""

from __future__ import annotations

import pytest

from redraft.errors import InputError
from redraft.revision.search.plans import read_user_plan

TEXT = "One is here. Two is there. Three is nowhere."


@pytest.mark.parametrize(
    "line", ["2: say it shorter", "2. say it shorter", "2) say it shorter", "[2] - say it shorter", "Sentence 2: say it shorter", "  2 : say it shorter  "]
)  # fmt: skip
def test_a_line_names_a_sentence_and_says_what_to_do(line: str) -> None:
    action = read_user_plan(f"# my plan\n\n{line}\n", TEXT, "text")
    assert action.by == "person"
    assert [(one.sentence, one.text, one.advice, one.edit) for one in action.plan] == [
        (1, "One is here.", "", ""),
        (2, "Two is there.", "say it shorter", "say it shorter"),
        (3, "Three is nowhere.", "", ""),
    ]


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ("1: ok\nshorter please", "line 2"),
        ("1:", "line 1"),
        ("", "the plan is empty"),
        ("# nothing\n", "the plan is empty"),
        ("4: say it", "4"),
        ("0: say it", "0"),
        ("9999999: say it", "line 1"),
    ],
)
def test_a_line_that_cannot_be_used_is_named(plan: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_user_plan(plan, TEXT, "text")


def test_of_two_lines_for_a_sentence_the_last_counts() -> None:
    action = read_user_plan("1: first\n1: second", TEXT, "text")
    assert action.plan[0].advice == "second"
