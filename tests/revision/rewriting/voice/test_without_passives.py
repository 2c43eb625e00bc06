"""Sentences without their passives."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.voice.without_passives import without_passives


@pytest.mark.parametrize(
    ("sentence", "made"),
    [
        ("Dear all, the form was approved by the board.", "Dear all, the board approved the form."),
        ("Hi Tim, the report was written by Ann.", "Hi Tim, Ann wrote the report."),
        ("The forms can be found on the page.", "The forms are on the page."),
        ("The key can be found under the mat.", "The key is under the mat."),
        ("Dear all, it must be used from May.", None),
    ],
)
def test_who_is_greeted_and_where_something_is_does_nothing(sentence: str, made: str | None) -> None:
    assert without_passives(sentence) == made
