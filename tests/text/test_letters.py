"""The greeting and the signature of a letter are found, and what only looks like one is not."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.text import Document

LETTER = "Dear Prof. Lee,\n\nI write to you. You read it.\n\nBest regards,\nAnna\n"


def counted(text: str) -> list[tuple[int, str]]:
    return [(one.counted, one.text) for one in Document(text).sentences]


def test_they_are_not_counted() -> None:
    names = [one.name for one in Document(LETTER).sentences]
    assert names == ["the greeting", "sentence 1", "sentence 2", "the signature", "the signature"]
    assert Document(LETTER).named(2).text == "You read it."
    assert [one.number for one in Document(LETTER).sentences] == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("greeting", ["Hi team,", "Dear all", "To whom it may concern:", "Hello Dr. Li!"])
@pytest.mark.parametrize(
    "signed", ["Cheers,\nTom Hill\nTel.: 030 12", "Best, Anna", "Yours sincerely\n\nJ. R. Li"]
)
def test_wordings(greeting: str, signed: str) -> None:
    text = f"{greeting}\n\nIt is broken. I am on it.\n\n{signed}\n\nP.S. Bring a cake."
    assert [number for number in counted(text) if number[0]] == [
        (1, "It is broken."),
        (2, "I am on it."),
        (3, "P.S. Bring a cake."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Hello World\n\nThis is it. And this.",
        "Hello! We are here. Thanks, everybody.",
        "# Dear Reader\n\nOne. Two.",
        "Hi there, I am Bob. And you?",
        "He said:\n\nThanks,\nThe end is near. We go.",
        "Dear Prof. Lee,",
        "Best regards,\nAnna",
    ],
)
def test_what_only_looks_like_one_keeps_its_number(text: str) -> None:
    for format in ("text", "markdown"):
        sentences = Document(text, format).sentences
        assert [one.counted for one in sentences] == [one.number for one in sentences]


@given(st.text("Dear BestHi ,.:!\nregsPS", max_size=80))
def test_numbers_are_given_once_and_in_order(text: str) -> None:
    numbers = [one.counted for one in Document(text).sentences if not one.aside]
    assert numbers == list(range(1, len(numbers) + 1))
