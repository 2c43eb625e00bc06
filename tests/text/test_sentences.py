"""Sentences, on cases that trip segmenters up."""

import time
from pathlib import Path

import pytest

from redraft.text import Document

LINES = (Path(__file__).parent / "data" / "sentences.txt").read_text(encoding="utf-8").splitlines()
ESCAPES = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\xa0": "\xa0"}
SIZE = 300_000


def cases() -> list[str]:
    found = []
    for line in LINES:
        if line.startswith("# "):
            continue
        for escape, character in ESCAPES.items():
            line = line.replace(escape, character)  # noqa: PLW2901
        found.append(line)
    return found


@pytest.mark.parametrize("case", cases())
def test_sentences_of(case: str) -> None:
    wanted = [part.strip() for part in case.split("¦")]
    assert [sentence.text for sentence in Document(case.replace("¦", "")).sentences] == wanted


def test_there_are_enough_cases() -> None:
    assert len(cases()) >= 120


@pytest.mark.parametrize(
    "unit",
    [
        ".",
        ". ",
        "?",
        '"',
        "(",
        "(. ",
        "[",
        "1",
        "1.",
        "a",
        " ",
        "\n",
        "A\n",
        "a.A ",
        "。",
        "a. ",
        "…",
        "'. ",
        "a?) b ",
        "- a\n",
    ],
)
def test_time_is_linear_whatever_the_text(unit: str) -> None:
    started = time.process_time()
    document = Document(unit * (SIZE // len(unit)))
    assert len(document.gaps) == len(document.sentences) + 1
    assert document.words >= 0
    assert time.process_time() - started < 30


def test_paragraphs_are_numbered() -> None:
    document = Document("One. Two.\n\nThree.\n\n\nFour.")
    assert [sentence.paragraph for sentence in document.sentences] == [1, 1, 2, 3]
    assert [document.text[span.start : span.end] for span in document.paragraphs] == [
        "One. Two.",
        "Three.",
        "Four.",
    ]


def test_a_list_item_is_a_sentence_of_its_paragraph() -> None:
    document = Document("Bring:\n- milk\n- bread. Fresh.")
    assert [sentence.text for sentence in document.sentences] == ["Bring:", "- milk", "- bread.", "Fresh."]
