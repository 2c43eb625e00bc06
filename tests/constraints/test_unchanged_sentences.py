"""Which sentences still stand: compared with the plainest way to say it."""

from __future__ import annotations

import re
import sys

import pytest
from hypothesis import given, strategies as st

from redraft.constraints.counting import only_changed
from redraft.text import longest_common

texts = st.lists(st.sampled_from("abcd"), max_size=8)


def plain_length(before: list[str], after: list[str]) -> int:
    """The length of a longest common subsequence, by its recurrence."""
    row = [0] * (len(after) + 1)
    for item in before:
        new = [0]
        for at, other in enumerate(after):
            new.append(row[at] + 1 if item == other else max(row[at + 1], new[at]))
        row = new
    return row[-1]


def check_pairs(pairs: dict[int, int], before: list[str], after: list[str]) -> None:
    ordered = sorted(pairs.items())
    assert all(before[one] == after[other] for one, other in ordered)
    places = [other for _, other in ordered]
    assert places == sorted(set(places))


@given(texts, texts)
def test_as_many_sentences_as_can_be_are_paired_in_order(before: list[str], after: list[str]) -> None:
    pairs = longest_common(before, after)
    check_pairs(pairs, before, after)
    assert len(pairs) == plain_length(before, after)


def test_with_very_many_repeats_the_first_that_fits_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = list("xcabdcy"), list("zabcdz")
    align = sys.modules[longest_common.__module__]  # its package has a function of the same name
    monkeypatch.setattr(align, "_MOST_PAIRS", 5)  # c twice, a, b and d
    assert len(longest_common(before, after)) == 3
    monkeypatch.setattr(align, "_MOST_PAIRS", 4)
    assert longest_common(before, after) == {1: 3, 4: 4}


@given(texts.filter(bool), texts, st.data())
def test_only_the_named_changed_where_the_others_stand_around_them(
    before: list[str], after: list[str], data: st.DataObject
) -> None:
    named = data.draw(st.frozensets(st.integers(1, len(before)), min_size=1), label="named")
    touched = only_changed(before, after, named)
    plain = "".join(".*" if number in named else text for number, text in enumerate(before, 1))
    untouched = re.fullmatch(plain, "".join(after)) is not None
    assert (not touched.changed and not touched.inserted) is untouched
    assert set(touched.same) <= named
    assert not named & set(touched.changed)
    assert all(before[number - 1] in after for number in touched.same)
