"""Fixes: what is put in the place of what offends."""

from __future__ import annotations

import doctest

import pytest

from redraft.constraints import parse_call
from redraft.revision import find_fixes, inspect_text
from redraft.revision.showing import fixes
from redraft.text import Document, Format

USE = 'replacement_check(["utilise", "image"], ["use", "picture"], "free")'


@pytest.mark.parametrize(
    ("call", "text", "fixed"),
    [
        ('spelling_check("british")', "The color of the “color”.", [("color", "colour")]),
        ('serial_comma_check("use")', "We sell pens, books and maps.", [("books and", "books, and")]),
        (USE, "Utilise an image of it.", [("Utilise", "Use"), ("an image", "a picture")]),
        ('replacement_check(["data"], ["the data"], "free")', "We read the data.", []),
        ('contractions_check("none")', "It can't be. Isn't it so?", [("can't", "cannot"), ("Isn't it", "Is it not")]),
        ('contractions_check("none")', "He'd put it away.", []),  # he had, or he would
        ('contractions_check("none")', "“I can't,” she said.", []),
        ('contractions_check("use")', "We do not know.", [("do not", "don't")]),
        ('word_count_check(2, "at most")', "Far too many words.", []),
        ('spelling_check("british")', "La couleur du color est pour nous, et le reste est pour vous.", []),
    ],
)  # fmt: skip
def test_each_place_has_its_right_form(call: str, text: str, fixed: list[tuple[str, str]]) -> None:
    found = find_fixes(parse_call(call), Document(text))
    assert [(text[one.span.start : one.span.end], one.text) for one in found] == fixed


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("We **can't** use `can't` or [don't](https://x.example/don't).", "markdown"),
        (r"We \emph{can't} use \verb|can't|, and don't.", "latex"),
    ],
)
def test_mark_up_and_code_stay(text: str, format: Format) -> None:
    constraint = parse_call('contractions_check("none")')
    found = find_fixes(constraint, Document(text, format))
    assert [(text[one.span.start : one.span.end], one.text) for one in found] == [
        ("can't", "cannot"),
        ("don't", "do not"),
    ]


def test_a_problem_says_how_it_is_right() -> None:
    found = inspect_text("The color. We go on and on.", [parse_call(call) for call in (
        'spelling_check("british")', 'keyword_keep_removal_check("on", "remove")')])  # fmt: skip
    assert [found.message(one) for one in found.problems] == [
        "“color” should be “colour”",
        '"on" occurs 2 times: “on”',
        '"on" occurs 2 times: “on”',
    ]
    assert [found.fix(one) is not None for one in found.problems] == [True, False, False]


def test_the_example_is_true() -> None:
    assert doctest.testmod(fixes).failed == 0
