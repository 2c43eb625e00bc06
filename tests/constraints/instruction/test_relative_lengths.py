"""Lengths beside the original's, and parts that stay, as people write them in haste."""

from __future__ import annotations

import pytest

from redraft.constraints import Keyword, Parts, RelativeLength, parse


@pytest.mark.parametrize(
    ("instruction", "percent"),
    [
        ("Shorten to about half", 50),
        ("shorten it to around half", 50),
        ("Cut to half.", 50),
        ("shorter, maybe by a third", 33),
        ("Shorter please, by about 30 percent", 30),
        ("a bit shorter, maybe 20%", 20),
        ("cut it roughly in half", 50),
        ("about 40% shorter please", 40),
        ("Reduce this to roughly a third", 67),
        ("trim down to 60%", 40),
        ("bring this down to two thirds", 34),
        ("Shorten to roughly 60 percent of the length", 40),
        ("cut this by around a third or so", 33),
    ],
)
def test_shares_in_many_wordings(instruction: str, percent: int) -> None:
    read = parse(instruction)
    assert read.constraints == (RelativeLength(percent, "percent", "shorter"),)
    assert not read.style


@pytest.mark.parametrize(
    "instruction",
    ["shorter, about 80%", "Cut it to half a page", "a bit shorter, like 100 words", "I cut it to half"],
)
def test_what_says_no_share_that_goes(instruction: str) -> None:
    assert not any(isinstance(one, RelativeLength) for one in parse(instruction).constraints)


@pytest.mark.parametrize(
    ("instruction", "parts"),
    [
        ("keep code + headings as they are", ("code", "headings")),
        ("leave the headings & code alone", ("headings", "code")),
        ("keep headings/code unchanged", ("headings", "code")),
        ("proofread, not the code blocks", ("code",)),
        ("Fix the typos, but not in the code", ("code",)),
        ("correct the spelling (not the headings)", ("headings",)),
    ],
)
def test_parts_that_stay(instruction: str, parts: tuple[str, ...]) -> None:
    assert parse(instruction).constraints == (Parts(parts, "unchange"),)


def test_words_outside_code() -> None:
    assert not parse("max 90 words outside the code").style


def test_a_quoted_sentence_at_the_end_of_what_stays() -> None:
    said = 'Must keep: the weight limit, the age warning and the sentence "Not for use as a swing seat."'
    read = parse(said)
    assert read.constraints == (Keyword("Not for use as a swing seat", "keep"),)
    assert read.style == "keep the weight limit, the age warning"
