"""The nearest thing that is understood to words that are not."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import all_kinds, looks_like_call, nearest, parse, read_call
from redraft.text import list_lines


@pytest.mark.parametrize(
    ("words", "near"),
    [
        ("no semmicollans please", "Do not use semicolons."),
        ("no slagn", "Do not use any slang."),
        ("don't touch the dialect", "Do not touch sentence 3."),
        ("start every bullet with a verb", 'Start with "Dear Ms Lee".'),
        ("Translate to French", None),
        ("", None),
    ],
)
def test_words_are_compared_with_what_the_kinds_say(words: str, near: str | None) -> None:
    assert nearest(words) == near


def test_what_forbids_is_not_near_to_what_asks() -> None:
    assert nearest("don't make it vivid", ["Make it vivid"]) != "Make it vivid"
    assert nearest("make it vivid please", ["Make it vivid"]) == "Make it vivid"


@given(st.text(max_size=200))
def test_the_nearest_is_understood(words: str) -> None:
    found = nearest(words)
    assert found is None or parse(found).constraints


def test_every_kind_has_an_example() -> None:
    calls = list(list_lines("redraft.constraints", "examples.txt"))
    assert all(map(looks_like_call, calls))
    assert {read_call(call).name for call in calls} >= set(all_kinds())
