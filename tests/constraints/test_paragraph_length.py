"""How long every paragraph may be, as people say it, and what is found."""

from __future__ import annotations

import pytest

from redraft.constraints import ParagraphLength, check, parse

THREE = ParagraphLength(4, "sentences", "less than")
TEXT = "One is here. Two is here. Three is here. Four is here.\n\nFive is here."


@pytest.mark.parametrize(
    "instruction",
    [
        "At most 3 sentences per paragraph.",
        "No more than three sentences a paragraph.",
        "No paragraph may have more than 3 sentences.",
        "No paragraph longer than three sentences.",
        "Keep every paragraph to 3 sentences or fewer.",
        "Each paragraph should have at most 3 sentences.",
        "Paragraphs of no more than 3 sentences.",
        "Limit each paragraph to three sentences.",
        "Break it into paragraphs of at most three sentences.",
        "Paragraphs should not exceed 3 sentences.",
        "Max 3 sentences per paragraph.",
        "Keep paragraphs under 4 sentences.",
        "A paragraph must not have more than 3 sentences.",
        "No more than 3 sentences in a paragraph.",
        "Break this up, at most 3 sentences per paragraph.",
    ],
)
def test_it_has_many_wordings(instruction: str) -> None:
    read = parse(instruction)
    assert read.constraints == (THREE,)
    assert not read.style


@pytest.mark.parametrize(
    ("instruction", "call"),
    [
        ("Limit each paragraph to 50 words.", 'paragraph_length_check(51, "words", "less than")'),
        ("Keep paragraphs under 60 words.", 'paragraph_length_check(60, "words", "less than")'),
        ("No paragraph with fewer than 2 sentences.", 'paragraph_length_check(1, "sentences", "more than")'),
        ("Each paragraph must have exactly 3 sentences.", 'paragraph_length_check(3, "sentences", "equal")'),
    ],
)
def test_other_bounds(instruction: str, call: str) -> None:
    assert [one.call for one in parse(instruction).constraints] == [call]


@pytest.mark.parametrize(
    "instruction",
    [
        "The first paragraph should have at most 3 sentences.",
        "About three sentences per paragraph.",
        "Write 3 paragraphs of 100 words.",
        "In the last paragraph, use at most 3 sentences.",
        "At most 3 paragraphs and 100 words.",
        "Write a paragraph of at most 3 sentences.",
    ],
)
def test_what_is_said_of_something_else(instruction: str) -> None:
    assert not any(isinstance(one, ParagraphLength) for one in parse(instruction).constraints)


def test_every_phrasing_reads_back() -> None:
    for one in (
        THREE,
        ParagraphLength(60, "words", "less than"),
        ParagraphLength(1, "sentences", "more than"),
    ):
        for phrasing in one.phrasings():
            assert parse(phrasing).constraints == (one,)


def test_the_long_paragraphs_are_found() -> None:
    (finding,) = check(TEXT, [THREE])
    assert not finding.met
    assert finding.distance == 1
    assert finding.measured == [4, 1]
    assert [TEXT[span.start : span.end] for span in finding.spans] == [TEXT.split("\n\n", maxsplit=1)[0]]
    assert check(TEXT, [ParagraphLength(13, "words", "less than")]).met


def test_a_greeting_and_a_signature_are_no_paragraphs_of_sentences() -> None:
    letter = "Dear Ann,\n\nWe met.\n\nIt rained.\n\nYours sincerely,\nTom Reed\n"
    assert check(letter, ['paragraph_length_check(1, "sentences", "equal")']).met
