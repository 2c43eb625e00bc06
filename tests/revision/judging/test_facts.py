"""What is held against a passage, and what the instruction calls for."""

from __future__ import annotations

import pytest

from redraft.revision.judging.facts import FactCheck
from redraft.revision.task import Task

RULE = "The buyer shall destroy every copy."
WAIT = "We do not pay until we have it."


@pytest.mark.parametrize(
    ("source", "text", "against"),
    [
        (RULE, "The buyer should destroy every copy.", "modal shall became should"),
        (RULE, "You must destroy every copy.", "buyer became you"),
        (WAIT, "We do not pay for as long as we have it.", "condition until is now as long as"),
        ("The data suggest that trees help.", "The data show that trees help.", "suggest became show"),
        ("The bus left at 2:05.", "The bus left at 2:05 p.m.", "time of day added: p.m."),
        ("We ate at ten to one.", "We ate at ten o'clock.", "time changed: ten to one"),
    ],
)
def test_another_statement_is_held_against_a_passage(source: str, text: str, against: str) -> None:
    assert against in FactCheck(Task(source)).objections_to(source, text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("In the evening, at 7:30, we ate.", "At 7:30 p.m. we ate."),
        ("We ate at ten to one.", "We ate at 12:50."),
        ("It was half past twelve and it rained.", "It rained at half past twelve."),
    ],
)
def test_a_time_may_be_written_otherwise(source: str, text: str) -> None:
    assert not [one for one in FactCheck(Task(source)).objections_to(source, text) if one.startswith("time")]


@pytest.mark.parametrize(
    ("wish", "text"),
    [
        ("Make it more polite.", "The buyer should destroy every copy."),
        ("Address the reader.", "You must destroy every copy."),
    ],
)
def test_what_was_asked_for_is_not(wish: str, text: str) -> None:
    assert FactCheck(Task(RULE, instruction=wish)).objections_to(RULE, text) == ()
