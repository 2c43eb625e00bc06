"""Numbers with a relation, as people say them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.constraints.bounds import (
    Interval,
    Relation,
    bounded,
    bounded_phrasings,
    interval,
    plural,
    under_phrasings,
)


@pytest.mark.parametrize(
    ("count", "relation", "unit", "said"),
    [
        (300, "less than", "word", "fewer than 300 words|less than 300 words|under 300 words"),
        (251, "less than", "word",
         "fewer than 251 words|less than 251 words|under 251 words|at most 250 words|no more than 250 words"),
        (12, "less than", "word", "fewer than 12 words|less than 12 words|at most 11 words|no more than 11 words"),
        (850, "more than", "word", "more than 850 words|over 850 words"),
        (13, "more than", "character",
         "more than 13 characters|over 13 characters|at least 14 characters|no fewer than 14 characters"),
        (55, "less than", "sentence", "fewer than 55 sentences"),
        (56, "less than", "sentence", "fewer than 56 sentences|at most 55 sentences|no more than 55 sentences"),
        (61, "less than", "sentence", "fewer than 61 sentences|at most 60 sentences|no more than 60 sentences"),
        (54, "more than", "sentence", "more than 54 sentences|at least 55 sentences|no fewer than 55 sentences"),
        (3, "less than", "sentence",
         "fewer than 3 sentences|fewer than three sentences|at most 2 sentences|at most two sentences|"
         "no more than 2 sentences|no more than two sentences"),
        (1, "less than", "time", "fewer than 1 time|less than 1 time"),
        (2, "less than", "time", "fewer than 2 times|less than 2 times|at most once|no more than once"),
        (1, "more than", "time", "more than once|at least twice|no fewer than twice"),
        (2, "equal", "time", "exactly twice|precisely twice"),
        (10, "equal", "word", "exactly 10 words|exactly ten words|precisely 10 words|precisely ten words"),
        (11, "equal", "word", "exactly 11 words|precisely 11 words"),
        (1, "equal", "paragraph", "exactly 1 paragraph|precisely 1 paragraph"),
    ],
)  # fmt: skip
def test_a_bound_is_said_as_people_say_it(count: int, relation: Relation, unit: str, said: str) -> None:
    assert bounded(count, relation, unit) == said.split("|")


def test_some_templates_take_only_what_is_below() -> None:
    stay = ["Stay {bound}."]
    assert under_phrasings(300, "less than", stay, "word") == [
        "Stay under 300 words.",
        "Stay below 300 words.",
    ]
    assert under_phrasings(300, "more than", stay, "word") == []
    assert bounded_phrasings(300, "more than", ["It has {bound}."], "word") == [
        "It has more than 300 words.",
        "It has over 300 words.",
    ]


def test_a_unit_may_carry_its_tail() -> None:
    assert plural(1, "word in a sentence") == "1 word in a sentence"
    assert plural(2, "word in a sentence") == "2 words in a sentence"


@given(st.integers(-5, 5), st.sampled_from(["less than", "more than", "equal"]), st.integers(-9, 9))
def test_an_interval_holds_what_the_relation_allows(count: int, relation: Relation, value: int) -> None:
    allowed = interval(count, relation)
    holds = {"less than": value < count, "more than": value > count, "equal": value == count}[relation]
    assert (allowed.distance(value) == 0) is holds
    nearest = [other for other in range(-30, 30) if allowed.distance(other) == 0]
    assert allowed.distance(value) == min(abs(value - other) for other in nearest)


def test_an_interval_of_one_number_is_not_empty() -> None:
    assert not Interval(3, 3).empty
    assert Interval(4, 3).empty
