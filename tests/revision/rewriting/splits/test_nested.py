"""Tests of splits of one clause within another."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.splits.splits import splits


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("My book, which I began in May and ended in June, is for sale.", "My book is for sale. I began this book in May and ended it in June."),
        ("The painters, working in pairs, finished the long wall.", "The painters finished the long wall. They worked in pairs."),
        ("The mayor said that the bridge is old and that it will be shut.", "The mayor said that the bridge is old. The mayor added that it will be shut."),
        ("Our men found that the blue pump, which was bought in May, has a leak.", "The blue pump was bought in May. Our men found that it has a leak."),
        ("Doctors in Leeds have shown that short naps help nurses at night.", "Short naps help nurses at night. That is what doctors in Leeds have shown."),
        ("You can either wait at the desk or pay by card.", "You can wait at the desk. Alternatively, you can pay by card."),
        ("Close the tap by turning the handle to the left.", "Close the tap. To do so, turn the handle to the left."),
        ("Turn the key slowly while holding the door with one hand.", "Turn the key slowly. While doing so, hold the door with one hand."),
    ],
)  # fmt: skip
def test_a_clause_within_another(sentence: str, expected: str) -> None:
    assert expected in [candidate.text for candidate in splits(sentence)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Lift off the lid, put it where it cannot fall, and unscrew the old valve from below.",
        "The Seller shall collect them and shall, at the choice of the Buyer, either replace them or pay.",
        "The firm announced that it will shut its plant in Ghent, which is old, and that 90 people will go.",
    ],
)
def test_no_piece_is_broken(sentence: str) -> None:
    for candidate in splits(sentence, 10):
        assert "It unscrew" not in candidate.text
        assert "Buyer. The Seller shall either" not in candidate.text
        assert ". It is old, and that" not in candidate.text


@pytest.mark.parametrize(
    "sentence",
    [
        "The survey has shown that most people walk to work, although it is not known why.",
        "The panel, after a week of talks, has shown that the bridge can be saved.",
        "The count of the votes, which was done by 12 helpers, shows that few people came.",
    ],
)
def test_what_may_be_of_something_else_is_not_parted(sentence: str) -> None:
    made = [one.text for one in splits(sentence)]
    assert not any("That is what" in one or one.startswith("The count of the votes was") for one in made)
