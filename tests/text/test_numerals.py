"""Whole numbers in digits and in words."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from redraft.text import NumberStyle, renumberings, spell_number


def renumbered(sentence: str, style: NumberStyle, below: int = 0) -> str:
    for one in reversed(renumberings(sentence, style, below)):
        sentence = sentence[: one.span.start] + one.right + sentence[one.span.end :]
    return sentence


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We sold 3 of 12 cars on 5 May 2024.", "We sold three of twelve cars on 5 May 2024."),
        ("3 people came, and 4 left.", "Three people came, and four left."),
        ("A 5-year plan for 2 teams.", "A five-year plan for two teams."),
        ("It took 3 to 5 days.", "It took three to five days."),
        ("At least 5 people were at 3 parties at 6.", "At least five people were at three parties at 6."),
        ("I have 2 cats, 1 dog and 21 fish.", "I have two cats, one dog and twenty-one fish."),
        ("It broke for the 3rd time on the 4th of May.", "It broke for the third time on the 4th of May."),
        ("Our 5th tour: 6 days, 3 cities.", "Our fifth tour: six days, three cities."),
        ("Our 1st and 2nd drafts of 3rd Street.", "Our first and second drafts of 3rd Street."),
        ("The shed at plot 9 and by the 4th we left.", "The shed at plot 9 and by the 4th we left."),
        ("Windows 11 runs on 4 cores with 16 GB.", "Windows 11 runs on four cores with 16 GB."),
    ],
)
def test_counts_are_spelled_out(before: str, after: str) -> None:
    assert renumbered(before, "words", 101) == after
    assert renumbered(after, "words", 101) == after


@pytest.mark.parametrize(
    "sentence",
    [
        "See page 7, chapter 3, Figure 2 and steps 2, 3 and 4.",
        "He paid $5, 6 dollars and £7m, 20% off, or 8 per cent.",
        "They won 3-1; the ratio was 4:1, 24/7, in 3D, on the B12.",
        "It is 5 p.m., 5 km or 5 miles away, and 5 degrees.",
        "Add 2 x 4, 3 + 5 = 8 and 1.5.",
        "1. Introduction",
        "In [3] and (Smith, 2020), see version 2.",
        "He said “give me 5”, ran `seq 5` and went to https://a.org/5.",
        "No. 5, #4, Room 8, type 2 diabetes, Apollo 11, 5 May, May 5 and 1999.",
    ],
)
def test_what_is_no_plain_count_stays_in_digits(sentence: str) -> None:
    assert renumbered(sentence, "words") == sentence


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We sold three of twelve cars.", "We sold 3 of 12 cars."),
        ("I have one dog, two cats and twenty-one fish.", "I have 1 dog, 2 cats and 21 fish."),
        ("A five-year plan for two thousand three hundred bees.", "A 5-year plan for 2,300 bees."),
        ("It takes two and a half hours.", "It takes 2.5 hours."),
        ("See rooms two and a quarter-final.", "See rooms 2 and a quarter-final."),
        ("She saw two million ants.", "She saw 2 million ants."),
        ("Three men met four women.", "Three men met 4 women."),
        ("It cost ninety euros and weighs two kilos.", "It cost 90 euros and weighs 2 kilos."),
        ("After six years forty-one are left.", "After 6 years 41 are left."),
    ],
)
def test_counts_are_put_in_digits(before: str, after: str) -> None:
    assert renumbered(before, "digits") == after


@pytest.mark.parametrize(
    "sentence",
    [
        "No one knew which one of them was right; one day they met one another.",
        "The Seven Years' War; two-thirds; a hundred men; one-off costs; the fifth of May.",
        "Meet at five, five o'clock; a board of six by nine inches.",
        "“Give me five,” he said. Chapter three.",
        "In 1950 two brothers left; at five the doors closed.",
    ],
)
def test_what_is_no_plain_count_stays_in_words(sentence: str) -> None:
    assert renumbered(sentence, "digits") == sentence


def test_only_what_is_below_the_limit_changes() -> None:
    assert renumbered("We saw 9, 10 and 11 of them.", "words", 10) == "We saw nine, 10 and 11 of them."
    assert renumbered("We saw nine or ten of them.", "digits", 10) == "We saw 9 or ten of them."


@given(st.integers(2, 999_999))
def test_a_number_comes_back_from_its_words(value: int) -> None:
    sentence = f"They met {spell_number(value)} people."
    assert renumbered(sentence, "digits") == f"They met {value:,} people."


@settings(max_examples=200)
@given(st.text(max_size=40) | st.text("0123456789 ,.-–/:$%()[]aone two-", max_size=40))
def test_no_text_is_refused_and_what_is_right_stays(text: str) -> None:
    for style in ("digits", "words"):
        once = renumbered(text, style)  # type: ignore[arg-type]
        assert (once == text) is (not renumberings(text, style))  # type: ignore[arg-type]
