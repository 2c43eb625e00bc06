"""Which word became which."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from redraft.text import align_words


def linked(before: str, after: str) -> set[tuple[str, str]]:
    left, right = before.split(), after.split()
    return {(left[i], right[j]) for i, j in align_words(left, right)}


@pytest.mark.parametrize(
    ("before", "after", "pair"),
    [
        ("She walks home .", "She walked home .", ("walks", "walked")),
        ("They bought a car .", "They purchased a car .", ("bought", "purchased")),
        ("The colour fades .", "The color fades .", ("colour", "color")),
        ("The sailor scolds the crew .", "The sailor ignores the crew .", ("scolds", "ignores")),
        ("After lunch the choir sang .", "The choir sang after lunch .", ("lunch", "lunch")),
    ],
)
def test_words_that_say_the_same_are_linked(before: str, after: str, pair: tuple[str, str]) -> None:
    assert pair in linked(before, after)


def test_a_word_that_occurs_twice_goes_with_its_neighbours() -> None:
    left = ["the", "old", "cat", "saw", "the", "young", "dog"]
    right = ["the", "young", "dog", "was", "seen", "by", "the", "old", "cat"]
    links = dict(align_words(left, right))
    assert links[0] == 6
    assert links[4] == 0


def test_a_word_that_was_left_out_has_no_link() -> None:
    links = dict(align_words(["a", "very", "long", "road"], ["a", "long", "road"]))
    assert 1 not in links


@given(st.lists(st.text(min_size=1), max_size=12), st.lists(st.text(min_size=1), max_size=12))
def test_links_are_places_of_both(before: list[str], after: list[str]) -> None:
    links = align_words(before, after)
    assert list(links) == sorted(set(links))
    assert all(0 <= i < len(before) and 0 <= j < len(after) for i, j in links)


def test_very_long_sentences_are_aligned_in_time() -> None:
    words = ["the", "cat", "and", "the", "dog", "saw", "it"] * 300
    started = time.process_time()
    assert len(align_words(words, [*words, "again"])) == len(words)
    assert time.process_time() - started < 10
