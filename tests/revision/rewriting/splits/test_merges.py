"""Merges: two sentences as one, the first word for word."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.revision.rewriting.splits.splits import MOST_MERGES, lowered, merges


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("He came.", "He saw.", "He came and saw."),
        ("The bus was late.", "The bus broke down in Hull.", "The bus was late and broke down in Hull."),
        ("We tried it.", "However, it failed.", "We tried it, but it failed."),
        ("We tried it.", "But it failed.", "We tried it, but it failed."),
        ("It rained.", "Therefore, we stayed at home.", "It rained, so we stayed at home."),
        ("It is wet.", "This is because the roof leaks.", "It is wet because the roof leaks."),
        ("They sell fruit.", "For example, they sell figs.", "They sell fruit: for example, they sell figs."),
        ("Sales rose.", "Meanwhile, costs fell.", "Sales rose, while costs fell."),
        (
            "Dr. Lind came in May.",
            "She had taught in Bonn.",
            "Dr. Lind, who had taught in Bonn, came in May.",
        ),
        ("Most ate little.", "Some ate much.", "Most ate little, but some ate much."),
        ("The path is short.", "It is steep.", "The path is short and steep."),
        ("It rained.", "I left.", "It rained, and I left."),
        ("It rained.", "NASA waited.", "It rained, and NASA waited."),
        ("It rained.", "Mary left.", "It rained, and Mary left."),
        ("It rained.", "Carefully, they left.", "It rained, and carefully, they left."),
        ("They have cats, dogs etc.", "We have none.", "They have cats, dogs etc., and we have none."),
        ("Who left?", "Where did they go?", "Who left, and where did they go?"),
    ],
)
def test_the_best_way(first: str, second: str, expected: str) -> None:
    assert merges(first, second)[0].text == expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("He left.", "Did he?"),
        ("Did he?", "He left."),
        ("She said “no.", "He left.”"),
        ("“No,” she said.", "“We stay.”"),
        ("He said (and", "we knew)."),
        ("A heading", "He left."),
        ("He left.", "A heading"),
        ("", "He left."),
    ],
)
def test_what_stays_apart(first: str, second: str) -> None:
    assert merges(first, second) == []


_FIRST = st.sampled_from(
    ["The old man saw [[M1]]", "We met Ann in 1990", "It is “late”", "They have cats (two)"]
)
_SECOND = st.sampled_from(
    [
        "The shop is closed.",
        "However, we left.",
        "I saw it!",
        "Bo has [[M2]].",
        "It did not rain.",
        "So they ran.",
    ]
)


@given(_FIRST, st.sampled_from(".!"), _SECOND)
def test_both_are_kept(first: str, end: str, second: str) -> None:
    found = [candidate.text for candidate in merges(first + end, second)]
    assert 3 <= len(found) <= MOST_MERGES
    assert len(set(found)) == len(found)
    assert all(text.startswith(first) for text in found)
    assert any(text.endswith((second, second[0].lower() + second[1:])) for text in found)
    assert all(text[-1] == second[-1] for text in found)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The man left.", "the man left."),
        ("English is hard.", "English is hard."),
        ("I’m here.", "I’m here."),
        ("Glasgow is far.", "Glasgow is far."),
        ("Running is fun.", "running is fun."),
        ("iPhones sell.", "iPhones sell."),
        ("[[M1]] holds.", "[[M1]] holds."),
    ],
)
def test_small_letters(sentence: str, expected: str) -> None:
    assert lowered(sentence) == expected
