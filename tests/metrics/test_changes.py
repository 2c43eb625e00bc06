from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.metrics import score
from redraft.metrics.changes import WordChanges, difficult_share, word_changes

texts = st.lists(st.sampled_from(["red", "blue", "green", "the"]), max_size=8).map(" ".join)


@pytest.mark.parametrize(
    ("source", "edited", "expected"),
    [
        ("He fell down.", "He fell down.", WordChanges(3, kept=3)),
        ("He fell down.", "he FELL down", WordChanges(3, kept=3)),
        ("He commenced the talks.", "He began the talks.", WordChanges(4, kept=3, replaced=1)),
        ("He sadly left, in the end.", "He left.", WordChanges(6, kept=2, deleted=4)),
        ("He left.", "He left the house.", WordChanges(2, kept=2, added=2)),
        ("In 1990 he left.", "He left in 1990.", WordChanges(4, kept=4)),  # moved, not deleted and added
        ("He spoke in a loud manner.", "He spoke loudly.", WordChanges(6, kept=2, replaced=1, deleted=3)),
        (
            "He saw her.",
            "Her saw her.",
            WordChanges(3, kept=2, replaced=1),
        ),  # the second "her" is the one that stays
        ("", "New.", WordChanges(0, added=1)),
        ("Gone.", "", WordChanges(1, deleted=1)),
    ],
)
def test_what_became_of_the_words(source: str, edited: str, expected: WordChanges) -> None:
    assert word_changes(source, edited) == expected


@given(texts, texts)
def test_every_word_is_counted_once_on_both_sides(source: str, edited: str) -> None:
    found = word_changes(source, edited)
    assert found.kept + found.replaced + found.deleted == found.words == len(source.split())
    assert found.kept + found.replaced + found.added == len(edited.split())


def test_the_shares_are_means_over_texts() -> None:
    sources = ["He commenced the talks, and left.", "It fell."]
    edited = ["He began the talks. He left.", "It fell."]
    found = {
        name: score(name, sources, edited)[name].value
        for name in ("split", "copied", "replaced", "deleted", "added")
    }
    assert found == {
        "split": 50,
        "copied": 50,
        "replaced": pytest.approx(100 * 2 / 6 / 2),
        "deleted": 0,
        "added": 0,
    }


def test_an_abbreviation_splits_nothing() -> None:
    assert score("split", ["Dr. Lee left."], ["Dr. Lee, e.g. Ann Lee, left."])["split"].value == 0


def test_difficult_words_and_how_far_they_went_down() -> None:
    found = score("difficult_words", ["The inhabitants utilise it."], ["The people use it."])[
        "difficult_words"
    ]
    assert found.value == 0
    assert found.components["change"] == pytest.approx(-50)
    assert difficult_share("") == 0
    assert difficult_share("Mr. Wolfenstein of Schleswig-Holstein has 3,000.") == 0  # names and numbers
