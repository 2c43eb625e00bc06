"""Documents: nothing is lost, numbers are what commands count, replacing keeps the white space."""

import pytest

from redraft.errors import InputError
from redraft.text import Document, guess_format


def test_sentence_by_number() -> None:
    document = Document("One. Two. Three.")
    assert document.sentence(2).text == "Two."
    assert document.text[document.sentence(2).start : document.sentence(2).end] == "Two."


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        ("One. Two.", 12, "sentence 12 is named, but the text has 2 sentences"),
        ("One.", 0, "sentence 0 is named, but the text has 1 sentence"),
        ("", 1, "sentence 1 is named, but the text has no sentences"),
    ],
)
def test_a_sentence_that_is_not_there(text: str, number: int, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Document(text).sentence(number)
    with pytest.raises(InputError):
        Document(text).replace({number: "x"})


def test_an_empty_document() -> None:
    document = Document("")
    assert (document.sentences, document.gaps, document.words, document.paragraphs) == ((), ("",), 0, ())


def test_white_space_only() -> None:
    assert Document(" \n\t ").gaps == (" \n\t ",)


def test_a_byte_order_mark_is_in_the_first_gap() -> None:
    document = Document("\ufeffHello there. Bye.")
    assert document.gaps[0] == "\ufeff"
    assert document.sentence(1).text == "Hello there."


@pytest.mark.parametrize(
    ("text", "changes", "wanted"),
    [
        ("One. Two.  Three.", {2: "Zwei."}, "One. Zwei.  Three."),
        ("One. Two.  Three.", {2: ""}, "One. Three."),
        ("One. Two.", {1: ""}, "Two."),
        ("One. Two.\n", {2: ""}, "One.\n"),
        ("One.\n\nTwo.\n\nThree.\n", {2: ""}, "One.\n\nThree.\n"),
        ("One. Two.\n\nThree.", {2: ""}, "One.\n\nThree."),
        ("  One. Two.", {1: ""}, "  Two."),
        ("One. Two.", {1: "", 2: ""}, ""),
        ("One.\r\n\r\nTwo. Three.", {2: ""}, "One.\r\n\r\nThree."),
    ],
)
def test_replacing(text: str, changes: dict[int, str], wanted: str) -> None:
    assert Document(text).replace(changes).text == wanted


def test_dropping_a_list_item_drops_its_mark() -> None:
    assert Document("- one\n- two\n- three\n", "markdown").replace({2: ""}).text == "- one\n- three\n"
    assert Document("- one\n- two\n", "markdown").replace({2: ""}).text == "- one\n"
    assert Document("- one\n- two\n", "markdown").replace({1: ""}).text == "- two\n"


def test_dropping_beside_code_keeps_the_code() -> None:
    text = "Before it.\n\n```\ncode\n```\n\nAfter it. More.\n"
    assert Document(text, "markdown").replace({2: ""}).text == "Before it.\n\n```\ncode\n```\n\nMore.\n"
    assert "```\ncode\n```" in Document(text, "markdown").replace({1: ""}).text


def test_documents_are_values() -> None:
    assert Document("a") == Document("a")
    assert Document("a") != Document("a", "markdown")
    assert len({Document("a"), Document("a")}) == 1


@pytest.mark.parametrize(
    ("text", "name", "wanted"),
    [
        ("Hello.", None, "text"),
        ("Hello.", "a.md", "markdown"),
        ("# Not Markdown", "notes.txt", "text"),
        ("Hello.", "paper.TEX", "latex"),
        ("# Title\n\nSome **bold** text.", None, "markdown"),
        ("\\documentclass{article}", None, "latex"),
        ("As \\cite{a} and \\emph{b} show.", None, "latex"),
        ("It costs $5 * 3 = $15, see [1] (and #2).", None, "text"),
        ("- a\n- b", None, "text"),
        ("---\ntitle: x\n---\nText", None, "markdown"),
    ],
)
def test_guessing_the_format(text: str, name: str | None, wanted: str) -> None:
    assert guess_format(text, name) == wanted
