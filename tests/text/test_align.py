"""What became of each sentence."""

import random
import time

import pytest

from redraft.text import Document, Link, align

FIRST = "The cat sat on the mat."
LONG = "Dogs bark loudly at night, and the neighbours complain about it."
DOGS = "Dogs bark loudly at night."
NEIGHBOURS = "The neighbours complain about it."
TEA = "We like tea in the afternoon."
END = "The end is near."


@pytest.mark.parametrize(
    ("original", "revised", "links"),
    [
        ([FIRST, TEA], [FIRST, TEA], [("kept", (1,), (1,)), ("kept", (2,), (2,))]),
        ([FIRST, TEA], [FIRST, "We like green tea in the afternoon."],
         [("kept", (1,), (1,)), ("changed", (2,), (2,))]),
        ([FIRST, LONG, END], [FIRST, DOGS, NEIGHBOURS, END],
         [("kept", (1,), (1,)), ("split", (2,), (2, 3)), ("kept", (3,), (4,))]),
        ([FIRST, DOGS, NEIGHBOURS, END], [FIRST, LONG, END],
         [("kept", (1,), (1,)), ("merged", (2, 3), (2,)), ("kept", (4,), (3,))]),
        ([FIRST, END], [FIRST, TEA, END],
         [("kept", (1,), (1,)), ("inserted", (), (2,)), ("kept", (2,), (3,))]),
        ([FIRST, TEA, END], [FIRST, END],
         [("kept", (1,), (1,)), ("deleted", (2,), ()), ("kept", (3,), (2,))]),
        ([FIRST, TEA, LONG, END], [TEA, LONG, END, FIRST],
         [("kept", (2,), (1,)), ("kept", (3,), (2,)), ("kept", (4,), (3,)), ("moved", (1,), (4,))]),
        ([FIRST, TEA, END], [FIRST, "Nothing in common whatsoever!", END],
         [("kept", (1,), (1,)), ("changed", (2,), (2,)), ("kept", (3,), (3,))]),
        ([], [FIRST], [("inserted", (), (1,))]),
        ([FIRST], [], [("deleted", (1,), ())]),
        ([], [], []),
    ],
)  # fmt: skip
def test_links(
    original: list[str], revised: list[str], links: list[tuple[str, tuple[int, ...], tuple[int, ...]]]
) -> None:
    found = align(Document(" ".join(original)), Document(" ".join(revised)))
    assert [(link.kind, link.original, link.revised) for link in found] == links


def test_white_space_is_no_change() -> None:
    assert align(Document("One  two\nthree."), Document("One two three.")) == (Link("kept", (1,), (1,)),)


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_two_thousand_sentences_take_under_a_second(share: float) -> None:
    dice = random.Random(3)
    before = [
        " ".join(f"w{dice.randrange(3_000)}" for _ in range(15)).capitalize() + "." for _ in range(2_000)
    ]
    after = [line.replace(" ", " new ", 1) if dice.random() < share else line for line in before]
    original, revised = Document(" ".join(before)), Document(" ".join(after))
    assert len(original.sentences) == len(revised.sentences) == 2_000
    seconds = []
    for _ in range(2):
        started = time.process_time()
        found = align(original, revised)
        seconds.append(time.process_time() - started)
    assert min(seconds) < 10  # all pairs of sentences would take minutes
    assert {link.kind for link in found} <= {"kept", "changed"}


def test_plain_strings_align_too() -> None:
    assert align("One. Two.", "One.") == align(Document("One. Two."), Document("One."))
    assert align("a", "b") == (Link("changed", (1,), (1,)),)
