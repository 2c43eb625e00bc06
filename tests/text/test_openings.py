"""The words that sentences begin with."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.text import Document, opening_word, repeated_openings


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        ("He ran. He fell. She sat.", [2]),
        ("He ran.\n\nHE fell. He’s up. Hers is.", [2, 3]),
        ("“He,” said Ann. He left. “He left. He fell.”", []),
        ("- He ran.\n- He fell.", []),
        ("1. He ran.\n2. He fell.", []),
        ("He. He. He.", [2, 3]),
        ("", []),
    ],
)
def test_repeats_are_found(text: str, repeats: list[int]) -> None:
    assert [one.sentence for one in repeated_openings(Document(text))] == repeats


def test_items_and_headings_are_in_no_row() -> None:
    text = "# The cat\n\nThe dog ran.\n\n- The cow\n- The cat\n"
    assert repeated_openings(Document(text, "markdown")) == ()


@given(st.text(max_size=80))
def test_each_repeat_is_the_word_that_the_sentence_opens_with(text: str) -> None:
    document = Document(text)
    for one in repeated_openings(document):
        word = text[one.span.start : one.span.end]
        assert opening_word(document.sentence(one.sentence).text) == opening_word(word)
