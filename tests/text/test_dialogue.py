"""Whether quotations are a story's own dialogue."""

from __future__ import annotations

import pytest

from redraft.text import is_told_in_dialogue


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('"Is it far?" asked the boy. "Depends," he said.', True),
        ("“It’s the pipes,” said Joel. “It is always the pipes.”", True),
        ("“No,” Mara whispered. “Not again!”", True),
        ('"We found nothing," she told reporters. "It was a fault," said Timo Ranta.', False),
        ('"It works," said Dr Lee. "It does," she added.', False),
        ('Ann said "It works!" and left.', False),
        ('The words "soon" and "later" mean little.', False),
        ("Nobody spoke.", False),
    ],
)
def test_a_story_is_told_from_a_report(text: str, told: bool) -> None:
    assert is_told_in_dialogue(text) is told
