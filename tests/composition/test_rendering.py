"""Pieces as their readers get them."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest

from redraft.composition.form import Genre
from redraft.composition.rendering import Markup, converted, render

TWO = [("Rain", "It rained.\n\nA lot."), ("Drains", "They filled.")]


@pytest.mark.parametrize("genre", ["essay", "academic", "report", "article", "guide"])
def test_these_genres_have_headings(genre: Genre) -> None:
    wanted = "# Floods\n\n## Rain\n\nIt rained.\n\nA lot.\n\n## Drains\n\nThey filled.\n"
    assert render("Floods", TWO, genre, "markdown", "en") == wanted


@pytest.mark.parametrize(
    ("genre", "between"), [("speech", ""), ("letter", ""), ("poetry", ""), ("story", "* * *\n\n")]
)
def test_these_have_none(genre: Genre, between: str) -> None:
    wanted = f"# Floods\n\nIt rained.\n\nA lot.\n\n{between}They filled.\n"
    assert render("Floods", TWO, genre, "markdown", "en") == wanted


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("# Floods\n\n## Rain\n\nIt rained.", "It rained."),
        ("**Rain:**\nIt rained.", "It rained."),
        ("Rain\n\nIt rained.", "It rained."),
        ("Rain fell.", "Rain fell."),
        ("# Causes\nIt rained.", "### Causes\n\nIt rained."),
        ("One.\nTwo.", "One.\n\nTwo."),
        ("A line that is\nwrapped.", "A line that is\nwrapped."),
        ("First:\n- a\n- b\nThen.", "First:\n\n- a\n- b\n\nThen."),
        ("One.\n---\nTwo.", "One.\n\nTwo."),
        ("```markdown\nIt rained.\n```", "It rained."),
        ("    Indented.", "Indented."),
        ("", ""),
    ],
)
def test_what_was_written_is_cleaned(content: str, wanted: str) -> None:
    text = render("Floods", [("Rain", content)], "essay", "markdown", "en")
    assert text == f"# Floods\n\n## Rain\n\n{wanted}".rstrip() + "\n"


def test_lines_of_verse_and_of_letters_keep_their_ends() -> None:
    verse = [("", "The rain\ncame down\n\nand stayed.")]
    assert (
        render("Rain", verse, "poetry", "markdown", "en")
        == "# Rain\n\nThe rain  \ncame down\n\nand stayed.\n"
    )
    assert render("Rain", verse, "poetry", "text", "en") == "Rain\n\nThe rain\ncame down\n\nand stayed.\n"
    assert "The rain<br>\ncame down</p>" in render("Rain", verse, "poetry", "html", "en")
    assert "The rain\\\\{}\ncame down\n\nand" in render("Rain", verse, "poetry", "latex", "en")
    assert "Yours,  \nAda" in render("", [("", "Yours,\nAda")], "letter", "markdown", "en")


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


HOSTILE = (
    "<script>alert(1)</script> <img src=x onerror=alert(1)> \\<b>bold ![p](http://x.example/p.gif) "
    '[a](javascript:alert(1)) [b](https://x.example/"onclick=) </style></title> & "q"'
)


def test_html_is_a_page_and_holds_no_mark_up_of_the_writers() -> None:
    page = render(HOSTILE, [(HOSTILE, HOSTILE)], "essay", "html", "zh")
    tags = Tags(page).found
    assert page.startswith("<!doctype html>")
    assert ("html", {"lang": "zh-Hans"}) in tags
    assert {tag for tag, _ in tags} == {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "h2",
        "p",
        "a",
    }
    for _, attributes in tags:
        assert not {"onclick", "onerror", "src"} & set(attributes)
        assert not (attributes.get("href") or "").startswith("javascript")


def test_markdown_holds_no_html_of_the_writers() -> None:
    text = render(HOSTILE, [(HOSTILE, HOSTILE)], "essay", "markdown", "en")
    assert "<" not in text
    assert "![" not in text
    assert "](javascript" not in text
    assert render("", [("", "1 < 2\n\n[1]: a note")], "essay", "markdown", "en") == "1 < 2\n\n[1\\]: a note\n"


@pytest.mark.parametrize(
    "line", ["> [a]: {}", "- [a]: {}", "[a\nb]: {}", "[a\\]: {}", "[a\\\\]: {}", "  [a]:{}"]
)
def test_no_link_is_defined_for_what_stands_elsewhere(line: str) -> None:
    text = render("", [("", line.format("javascript:x"))], "essay", "markdown", "en")
    assert re.search(r"(?<!\\)(?:\\\\)*\]:", text) is None
    assert "\\" not in render("", [("", line.format("javascript:x"))], "essay", "html", "en")


@pytest.mark.parametrize("part", ["# ", "\\", "**", "[a](", "_a", "> "])
def test_no_text_takes_for_ever(part: str) -> None:
    began = time.process_time()
    render("", [("", f"{part * 9999}x")], "essay", "html", "en")
    assert time.process_time() - began < 10


def test_latex_is_escaped() -> None:
    text = render(
        "R&D",
        [("50%", 'It cost $5_000 {or} #1 ~ ^ \\input{x}. "Yes," **she** said.')],
        "essay",
        "latex",
        "en",
    )
    assert "\\title{R\\&D}" in text
    assert "\\section*{50\\%}" in text
    assert (
        "It cost \\$5\\_000 \\{or\\} \\#1 \\textasciitilde{} \\textasciicircum{} \\textbackslash{}input\\{x\\}."
        " ``Yes,'' \\textbf{she} said."
    ) in text
    assert text.rstrip().endswith("\\end{document}")
    assert "ctexart" not in text
    assert "\\documentclass{ctexart}" in render("雨", [], "essay", "latex", "zh")


@pytest.mark.parametrize(
    ("markup", "wanted"),
    [
        ("text", "1. One b\n2. Two (https://x.example)\n\n- c\n\nSaid."),
        ("html", '<ol>\n<li>One <strong>b</strong></li>\n<li><a href="https://x.example">Two</a></li>\n</ol>\n<ul>\n<li>c</li>\n</ul>\n<blockquote>Said.</blockquote>'),
        ("latex", "\\begin{enumerate}\n\\item{} One \\textbf{b}\n\\item{} \\href{https://x.example}{Two}\n\\end{enumerate}"),
    ],
)  # fmt: skip
def test_lists_quotations_and_marks(markup: Markup, wanted: str) -> None:
    assert wanted in converted(
        "1. One **b**\n\n2. [Two](https://x.example)\n\n- c\n\n> Said.\n", markup, "en"
    )


def test_a_mark_that_is_none_stays() -> None:
    assert (
        converted("snake_case_name, 2 * 3 * 4 and *so* on\n", "text", "en")
        == "snake_case_name, 2 * 3 * 4 and so on\n"
    )
