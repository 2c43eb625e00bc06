"""The word sets of the rules: each one that is asked for is there, and each one that is there is asked for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redraft.revision.rewriting import edits
from redraft.revision.rewriting.edits import WORDS, sound


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("All staff sign in at the front desk.", "All staff sign."),
        ("It is a good idea to clean it.", "It is a good idea."),
        ("The survey of 20 firms found that most of them grew.", "Most of them grew."),
    ],
)
def test_a_version_does_not_break_off(before: str, after: str) -> None:
    assert not sound(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("All staff sign the form at the front desk.", "All staff sign the form."),
        ("It is a good idea, and we like it.", "It is a good idea."),
    ],
)
def test_a_shorter_version_is_sound(before: str, after: str) -> None:
    assert sound(before, after)


def test_rules_and_word_sets_name_the_same_sets() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in Path(edits.__file__).parents[1].rglob("*.py"))
    assert set(re.findall(r"\bWORDS\.(\w+)", code)) == set(vars(WORDS))


def test_a_set_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match="has no set of words called colours"):
        _ = WORDS.colours
