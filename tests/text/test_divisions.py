"""Where long paragraphs are divided, and where they never are."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from tests.constraints.texts import texts

from redraft.text import POINTS_BACK, Document, Format, divided, long_blocks, long_limit

LONG = (
    "The harbour froze over in January 1963, and the ferries stayed in port for six weeks. "
    "Nobody in the town had seen anything like it. "
    "The council met twice a week and, after some debate, decided to ration coal. "
    "It was not a popular decision. "
    "Schools closed early, and the library stayed open as a warm room for those who had none at home. "
    "The first boats went out again on 9 March. "
    "They found the channel full of broken ice, and two of them came back with damaged hulls."
)


def test_a_long_paragraph_is_divided_in_balance_and_not_before_what_points_back() -> None:
    parts = divided(Document(LONG)).split("\n\n")
    sizes = [Document(part).words for part in parts]
    assert len(parts) > 1
    assert max(sizes) <= 75
    assert min(sizes) >= 15
    assert not any(POINTS_BACK.match(part) for part in parts)
    assert " ".join(parts) == LONG


def test_a_break_stands_before_what_points_back_where_no_other_place_will_do() -> None:
    text = "The mill is old. " + "It was built by hand with stones from the hill and with much patience. " * 7
    found = divided(Document(text.strip()))
    assert "\n\nIt was" in found


def test_paragraphs_that_are_not_long_are_divided_beside_shorter_ones() -> None:
    short = "We hope to hear from you."
    middle = (
        "The mill on the hill is very old and rather small. Visitors come on Sundays with their children. "
        "Bread from the oven is sold at noon. A guide tells them how the wheels turn and what they drive."
    )
    text = f"{middle}\n\n{short}"
    document = Document(text)
    assert long_limit(document) < document.words
    assert divided(document).count("\n\n") == 2
    assert divided(document).endswith(short)


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("- " + LONG, "markdown"),
        ("> " + LONG, "markdown"),
        ("1. " + LONG, "text"),
        ("Dear Ann,\n\nWe met. It was good.\n\nYours,\nTom", "text"),
        ("“" + LONG + "”", "text"),
        ("\\begin{itemize}\n\\item " + LONG + "\n\\end{itemize}", "latex"),
    ],
)
def test_lists_quotations_and_short_letters_stay(text: str, format: Format) -> None:
    assert divided(Document(text, format)) == text


def test_line_ends_stay_what_they_are() -> None:
    assert "\n\n" not in divided(Document(f"Hello.\r\n\r\n{LONG}\r\n")).replace("\r\n", "")
    assert divided(Document(f"Hello.\r\n\r\n{LONG}\r\n")).count("\r\n\r\n") > 1


@given(texts, st.sampled_from(["text", "markdown", "latex"]))
def test_no_word_changes_and_nothing_long_is_left(text: str, format: Format) -> None:
    document = Document(text, format)
    after = divided(document)
    assert after.split() == text.split()
    assert not long_blocks(Document(after, format), long_limit(document))
