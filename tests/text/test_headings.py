"""The headings of a text, and their case."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from redraft.text import Document, Format, HeadingStyle, find_headings, recasings
from redraft.text.heading_case import recase

MARKDOWN = """# Using the *Foo* kit

We live in Kent. The Company pays NASA.

## What is it? A guide ##

Setext heading
==============

- an item
"""
LATEX = r"""\documentclass{article}
\begin{document}
\section{Related work on \emph{nets}}
Text here. \subsection*{Data} More.
\begin{figure}\caption{A caption}\end{figure}
\end{document}"""
LETTER = "My trip\n\nWe went to Paris.\n\nWhat came next\n\nIt rained.\n\nKind regards\n\nAnn Lee"


@pytest.mark.parametrize(
    ("text", "format", "headings"),
    [
        (MARKDOWN, "markdown", ["Using the *Foo* kit", "What is it?", "Setext heading"]),
        (LATEX, "latex", [r"Related work on \emph{nets}", "Data"]),
        (LETTER, "text", ["My trip", "What came next"]),
        ("Dear Ann\n\nWe came.", "text", []),
        ("It rained.\n\nWe came.", "text", []),
    ],
)
def test_headings_are_found(text: str, format: Format, headings: list[str]) -> None:
    assert [heading.sentence.text for heading in find_headings(Document(text, format))] == headings


CASES = [
    ("the history of paris and the web", "The History of Paris and the Web", None),
    ("A Guide To The NASA GPU Program", "A Guide to the NASA GPU Program", "A guide to the NASA GPU program"),
    ("how to log in to your account", "How to Log In to Your Account", "How to log in to your account"),
    ("setting up a server", "Setting Up a Server", "Setting up a server"),
    ("STATE-OF-THE-ART METHODS FOR DNA", "State-of-the-Art Methods for DNA", "State-of-the-art methods for DNA"),
    ("what is it for?", "What Is It For?", "What is it for?"),
    ("using iPhone with node.js and npm", "Using iPhone with node.js and npm", "Using iPhone with node.js and npm"),
    ("README", "README", "README"),
    ("1. introduction to the 21st-century economy", "1. Introduction to the 21st-Century Economy", "1. Introduction to the 21st-century economy"),
    ("why i don't like it", "Why I Don't Like It", "Why I don't like it"),
    ("Interview With President Obama In New York", "Interview With President Obama in New York", "Interview with President Obama in New York"),
    ("Hiking In Cornwall", "Hiking in Cornwall", "Hiking in Cornwall"),
    ("Learning Welsh By The Isle Of Arran", "Learning Welsh by the Isle of Arran", "Learning Welsh by the Isle of Arran"),
    ("A Danish Bank On Our Google Maps", "A Danish Bank on Our Google Maps", "A Danish bank on our Google Maps"),
    ("how to polish boots and look after them", "How to Polish Boots and Look After Them", "How to polish boots and look after them"),
    ("Self-Report And Vitamin A", "Self-Report and Vitamin A", "Self-report and vitamin A"),
]  # fmt: skip


@pytest.mark.parametrize(("heading", "title", "sentence"), CASES)
def test_the_case_of_a_heading(heading: str, title: str, sentence: str | None) -> None:
    assert recase(heading, "title") == title
    if sentence is not None:
        assert recase(heading, "sentence") == sentence


def test_the_running_text_tells_what_is_a_name() -> None:
    text = "# Terms Of The Company In KENT And Tools\n\nThe Company sells tools in Kent to the Company.\n"
    (found,) = recasings(Document(text, "markdown"), "sentence")
    assert found.right == "Terms of the Company in KENT and tools"
    shouted = "# TERMS OF THE COMPANY IN KENT\n\nWe met the Company in Kent.\n"
    (found,) = recasings(Document(shouted, "markdown"), "title")
    assert found.right == "Terms of the Company in Kent"


def test_code_and_addresses_in_a_heading_stay() -> None:
    text = "## using `foo bar` with [care and](http://a.b) love\n\nDone.\n"
    (found,) = recasings(Document(text, "markdown"), "title")
    assert found.right == "Using `foo bar` with [Care and](http://a.b) Love"


@settings(max_examples=200)
@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(["the", "of", "in", "To", "NASA", "it", "iPhone", "Log-In", "a", "ß", "ﬁne", "up:", "and/or", "PARIS", "x"])).map(" ".join),
    st.sampled_from(["title", "sentence"]),
)  # fmt: skip
def test_only_the_case_changes_and_only_once(heading: str, case: HeadingStyle) -> None:
    once = recase(heading, case)
    assert once.casefold() == heading.casefold()
    assert recase(once, case) == once


def test_a_long_title_may_have_small_prepositions() -> None:
    title = "Everything You Have Ever Wanted to Know about Growing Tomatoes in Very Small Gardens"
    (found,) = find_headings(Document(f"{title}\n\nThree plants are enough for a family.", "text"))
    assert found.sentence.text == title


def test_lines_in_small_letters_are_headings_where_each_stands_ahead_of_prose() -> None:
    text = "news from the choir\n\nWe sang in May.\n\nplans for winter\n\nWe need more chairs."
    assert [one.right for one in recasings(Document(text, "text"), "title")] == [
        "News from the Choir",
        "Plans for Winter",
    ]
    assert not recasings(Document("see you soon\n\nWe sang in May.", "text"), "title")
