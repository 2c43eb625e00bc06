"""Texts as lists."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.forms.lists import as_list
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
