"""Sentences without their passives."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.voice.actors import Telling
from redraft.revision.rewriting.voice.without_passives import without_passives


@pytest.mark.parametrize(
    ("sentence", "made"),
    [
        ("Dear all, the form was approved by the board.", "Dear all, the board approved the form."),
        ("Hi Tim, the report was written by Ann.", "Hi Tim, Ann wrote the report."),
        ("Dear Ann, the form was approved by me.", "Dear Ann, I approved the form."),
        ("Hi, hello, the form was approved by us.", "Hi, hello, we approved the form."),
        ("The forms can be found on the page.", "The forms are on the page."),
        ("The key can be found under the mat.", "The key is under the mat."),
        ("Dear all, it must be used from May.", None),
    ],
)
def test_who_is_greeted_and_where_something_is_does_nothing(sentence: str, made: str | None) -> None:
    assert without_passives(sentence) == made


def test_a_name_behind_a_greeting_keeps_its_capital() -> None:
    said = "Dear all, the boxes are checked in May."
    telling = Telling.of(["Maria checks the boxes on Friday.", said])
    assert without_passives(said, telling) == "Dear all, Maria checks the boxes in May."


def test_any_number_of_greetings_will_do() -> None:
    greetings = "Hi, " * 2000
    assert without_passives(f"{greetings}the form was signed by Tom.") == f"{greetings}Tom signed the form."
