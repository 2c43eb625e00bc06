from __future__ import annotations

import pytest

from redraft.editor import runs_away, tidied, usable
from redraft.models import Completion


@pytest.mark.parametrize(
    ("answer", "source", "text"),
    [
        ("  He goes. ", "He go.", "He goes."),
        ('"He goes."', "He go.", "He goes."),
        ('"Go," he said', '"Go," he say', '"Go," he said'),
        ("One.\nTwo.", "One.\nTo.", "One.\nTwo."),
        ("", "He go.", ""),
    ],
)
def test_an_answer_is_tidied(answer: str, source: str, text: str) -> None:
    assert tidied(answer, source) == text


@pytest.mark.parametrize(
    ("text", "source", "away"),
    [
        ("He goes to school every day.", "He go to school every day.", False),
        ("a b c d e a b c d e a b c d e", "a b c d e", True),
        ("A b c d, so a B C d, so", "a", False),
        ("very very very very very very", "very good", True),
        ("very very very very very", "very good", False),  # "very" four times over, but only twice
        ("no no no no no no", "no no no no no no no", False),  # the source does so itself
        ("no no no no no no no", "no no no no no no", True),
    ],
)
def test_a_text_that_repeats_itself_is_found(text: str, source: str, away: bool) -> None:
    assert runs_away(text, source) is away


@pytest.mark.parametrize(
    ("completion", "text"),
    [
        (Completion(" He goes. "), "He goes."),
        (Completion("  "), None),
        (Completion('""'), None),
        (Completion("He goes.", "length"), None),
        (Completion("He goes.", "filter"), None),
        (Completion("he goes to it " * 3), None),
        (Completion("y" * 118), "y" * 118),
        (Completion("y" * 119), None),  # more than three times as long, and a hundred
    ],
)
def test_what_is_no_edit_is_no_candidate(completion: Completion, text: str | None) -> None:
    assert usable(completion, "He go.") == text
