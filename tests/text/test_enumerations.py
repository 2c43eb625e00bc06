"""What a sentence enumerates."""

from __future__ import annotations

from time import process_time

import pytest

from redraft.text import enumerated


@pytest.mark.parametrize(
    ("sentence", "items"),
    [
        ("You need a pot, a lid, and a spoon.", ("a pot", "a lid", "a spoon")),
        ("There are three sizes: small, medium and large.", ("small", "medium", "large")),
        ("It has colours: nuts, red; dairy, blue; and wheat, grey.", ("nuts, red", "dairy, blue", "wheat, grey")),
        ("It does this: it rings, warns you and stops.", ("it rings", "it warns you", "it stops")),
        ("You need two things: a pot that holds, a lid and a spoon.", ("a pot that holds", "a lid", "a spoon")),
        ("It opens so: Mon, 9 to 5; Tue, 9 to 12; and Fri, closed.", ("Mon, 9 to 5", "Tue, 9 to 12", "Fri, closed")),
        ("We accept cash, a card or a voucher.", ("cash", "a card, or", "a voucher")),
    ],
)  # fmt: skip
def test_items_are_told_apart(sentence: str, items: tuple[str, ...]) -> None:
    found = enumerated(sentence)
    assert found is not None
    assert found.items == items
    assert found.ahead.endswith(":")


@pytest.mark.parametrize(
    "sentence",
    [
        "It was late: we left, and it rained.",
        "The house is old, draughty and far too big.",
        "You need an account, a card and, for reduced fares, a photo.",
        "The tour includes tea, bread and butter and eggs and ham.",
        "I was sure of one thing: he would come, late as ever, and ask for money.",
        "The answer is simple: on Monday, after lunch, we meet and talk.",
        "He said: “a pot, a lid and a spoon”.",
    ],
)
def test_what_is_not_sure_is_no_list(sentence: str) -> None:
    assert enumerated(sentence) is None


@pytest.mark.parametrize("sentence", ["word " * 12_000 + ".", "needs " * 12_000, "needs " * 12_000 + ",: x."])
def test_no_sentence_takes_the_square_of_its_length(sentence: str) -> None:
    started = process_time()
    assert enumerated(sentence) is None
    assert process_time() - started < 5
