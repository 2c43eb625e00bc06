from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.metrics import score
from redraft.metrics.changes import levenshtein

letters = st.lists(st.sampled_from("abc"), max_size=9)


def table(one: list[str], other: list[str]) -> int:
    """The distance as it is taught."""
    row = list(range(len(other) + 1))
    for i, token in enumerate(one, start=1):
        before, row = row, [i]
        for j, another in enumerate(other, start=1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (token != another)))
    return row[-1]


@given(letters, letters)
def test_distance_is_the_table_s(one: list[str], other: list[str]) -> None:
    assert levenshtein(one, other) == table(one, other)


def test_edit_distance() -> None:
    found = score("edit_distance", ["a b c d", "a"], ["a x d", ""])["edit_distance"]
    assert found.value == pytest.approx(1.5)
    assert found.components == {"share": pytest.approx(75)}


def test_compression() -> None:
    found = score("compression", ["four words stand here", ""], ["two words", ""])["compression"]
    assert found.value == pytest.approx(9 / 21 / 2)
    assert found.components == {"words": pytest.approx(0.25)}


def test_reading_grade() -> None:
    hard = "Notwithstanding considerable institutional opposition, parliamentary representatives capitulated."
    found = score("reading_grade", [hard], ["They gave in."])["reading_grade"]
    assert found.value < 3
    assert found.components["change"] < -15
