"""Lists from which items were left out are counted on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redraft.revision.draft import Draft
from redraft.revision.task import Task
from redraft.text import Document


def without(text: str, *numbers: int) -> str:
    """A Markdown text without the sentences of these numbers, as a revision leaves them out."""
    draft = Draft.of(Task(text, format="markdown"))
    found = Document(text, "markdown").sentences
    gone = {found[number - 1].text for number in numbers}
    units = [replace(unit, text="") if unit.text in gone else unit for unit in draft.units]
    return replace(draft, units=tuple(units)).text


@pytest.mark.parametrize(
    ("text", "numbers", "left"),
    [
        ("1. Go.\n2. Sit.\n3. Eat.\n", [1], "1. Sit.\n2. Eat.\n"),
        ("1. Go.\n2. Sit.\n3. Eat.\n", [2], "1. Go.\n2. Eat.\n"),
        ("1. Go.\n2. Sit.\n3. Eat.\n", [3], "1. Go.\n2. Sit.\n"),
        ("1. Go. Run.\n2. Sit.\n3. Eat.\n", [1], "1. Run.\n2. Sit.\n3. Eat.\n"),
        ("4) Go.\n5) Sit.\n6) Eat.\n", [1], "4) Sit.\n5) Eat.\n"),
        ("1. Go.\n1. Sit.\n1. Eat.\n", [1], "1. Sit.\n1. Eat.\n"),
        ("1. Go.\n3. Sit.\n7. Eat.\n", [1], "3. Sit.\n7. Eat.\n"),
        ("1. Go.\n2. Sit.\n3. Eat as in step 2.\n", [1], "2. Sit.\n3. Eat as in step 2.\n"),
        ("1. Go.\n2. Sit.\n\nWe rest.\n\n1. Eat.\n2. Run.\n", [1, 4], "1. Sit.\n\nWe rest.\n\n1. Run.\n"),
        (
            "1. Go.\n   - Now.\n   - Then.\n2. Sit.\n3. Eat.\n",
            [4],
            "1. Go.\n   - Now.\n   - Then.\n2. Eat.\n",
        ),
        ("1. Go.\n   1. Now.\n   2. Then.\n2. Sit.\n", [2], "1. Go.\n   1. Then.\n2. Sit.\n"),
        ("In 2020. We sat.\n\n2. Go.\n3. Eat.\n", [3], "In 2020. We sat.\n\n2. Eat.\n"),
    ],
)
def test_items_are_counted_on(text: str, numbers: list[int], left: str) -> None:
    assert without(text, *numbers) == left
