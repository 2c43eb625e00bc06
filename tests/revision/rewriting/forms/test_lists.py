"""Texts as lists."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.forms.lists import as_list, with_lists
from redraft.text import Document


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            "Hi Tim,\n\nthe lamp is broken. The door sticks.",
            ["Hi Tim,", "- The lamp is broken.", "- The door sticks."],
        ),
        (
            "Hi Tim,\n\niPhones are cheap. The door sticks.",
            ["Hi Tim,", "- iPhones are cheap.", "- The door sticks."],
        ),
    ],
)
def test_the_first_item_behind_a_greeting_begins_with_a_capital(text: str, lines: list[str]) -> None:
    listed, _ = as_list(Document(text), "bulleted", one_action=False)
    assert [line for line in listed.splitlines() if line] == lines


def test_what_is_enumerated_is_a_list_and_the_rest_stays_prose() -> None:
    text = "Hi Tim,\n\nWe leave at six. You need: a pot, a lid and a spoon. It is far.\n\nBring tea, rice and salt."
    listed, made = with_lists(Document(text), "numbered")
    head, tail = text.split("You need", maxsplit=1)[0], "It is far.\n\nBring tea, rice and salt."
    assert listed == f"{head}You need:\n\n1. a pot\n2. a lid\n3. a spoon\n\n{tail}"
    assert [one.source for one in made] == ["You need: a pot, a lid and a spoon."]


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("You need `a`, `b` and `d`.", ["- `a`", "- `b`", "- `d`"]),
        ("You need `a`, `b, c` and `d`.", []),
        ("You need $a, b$, `c` and `d`.", []),
    ],
)
def test_no_item_holds_half_of_what_belongs_together(text: str, items: list[str]) -> None:
    listed, made = with_lists(Document(text, "markdown"), "bulleted")
    assert [line for line in listed.splitlines() if line.startswith("-")] == items
    assert made or listed == text
