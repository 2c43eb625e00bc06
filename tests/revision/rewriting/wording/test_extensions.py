"""Longer versions of a sentence."""

import re

import pytest
from hypothesis import given, strategies as st

from redraft.revision.rewriting.wording.extensions import extensions
from redraft.text import count_words


def longer(sentence: str) -> list[str]:
    return [candidate.text for candidate in extensions(sentence)]


@pytest.mark.parametrize(
    ("sentence", "version"),
    [
        ("It's a long way to the coast.", "It is a long way to the coast."),
        ("They won't open the gate.", "They will not open the gate."),
        ("Let's meet at the station.", "Let us meet at the station."),
        ("She said they had left the house.", "She said that they had left the house."),
        ("The book I read was long.", "The book that I read was long."),
        ("He opened the window to cool the room.", "He opened the window in order to cool the room."),
        ("To save time, we took the train.", "In order to save time, we took the train."),
        ("We stayed because it rained.", "We stayed due to the fact that it rained."),
        ("Many people like tea.", "A large number of people like tea."),
        ("The bridge fell in 1984.", "The bridge fell in the year 1984."),
        ("Almost 20% of the votes were lost.", "Almost 20 percent of the votes were lost."),
        ("They can see the sea from here.", "They are able to see the sea from here."),
        ("She sells books and maps.", "She sells both books and maps."),
        ("The paint used in the shop is red.", "The paint that is used in the shop is red."),
        ("The plan failed.", "In fact, the plan failed."),
        ("Paris is large.", "In truth, Paris is large."),
    ],
)
def test_what_can_be_said_at_length(sentence: str, version: str) -> None:
    assert version in longer(sentence)


@pytest.mark.parametrize(
    ("sentence", "version"),
    [
        ("They allowed us to leave.", "They allowed us in order to leave."),
        ("She has a plan to leave.", "She has a plan in order to leave."),
        ("They help each other.", "They help each and every other."),
        ("For this reason he left the town.", "For this reason that he left the town."),
        ("However, the plan failed.", "In addition, however, the plan failed."),
        ("The dog's bone is old.", "The dog is bone is old."),
        ("Why did the plan fail?", "In fact, why did the plan fail?"),
    ],
)
def test_what_cannot(sentence: str, version: str) -> None:
    assert version not in longer(sentence)


def test_quotations_and_placeholders() -> None:
    assert longer('"It\'s late," he said.') == []
    for text in longer("He said \"it's late\" because [[M1]] didn't ring."):
        assert '"it\'s late"' in text
        assert text.count("[[M1]]") == 1


@given(
    st.lists(
        st.sampled_from(
            [
                "It",
                "'s",
                "can",
                "they",
                "to",
                "go",
                "because",
                "many",
                "dogs",
                "said",
                "[[M1]]",
                '"',
                ",",
                "2014",
                "in",
                "not",
            ]
        ),
        min_size=1,
        max_size=15,
    )
)
def test_any_words(words: list[str]) -> None:
    sentence = " ".join(words).replace(" 's", "'s") + "."
    for candidate in extensions(sentence):
        assert 1 <= count_words(candidate.text) - count_words(sentence) <= 6
        assert candidate.text.endswith(".")
        assert re.findall(r"\[\[M\d\]\]", candidate.text) == re.findall(r"\[\[M\d\]\]", sentence)
        assert candidate.by == "extension"
    assert len(extensions(sentence)) <= 8
