"""Whether quotations are a story's own dialogue."""

from __future__ import annotations

from time import process_time

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
        ('They sang "Mamma Mia!" all night. "Let us go home," said Ann.', False),
        ('He played "Help!" and "Yesterday". "Again!" cried Ann.', False),
        ('The old inn, the "Fox", was shut. "Shut!" cried Ann.', True),
        ('She turned. "Run!" the old guard shouted. "Now!" Ann yelled "Why?" and ran.', True),
        ('The witness stated: "I never signed it!" and later "Nobody asked me!" said Thomas.', False),
        ('The minutes record: "We lost!" There it ends. "We did," said Ann.', False),
    ],
)
def test_a_story_is_told_from_a_report(text: str, told: bool) -> None:
    assert is_told_in_dialogue(text) is told


@pytest.mark.parametrize("name", ["A" * 40_000, "A-" * 20_000])
def test_no_text_takes_the_square_of_its_length(name: str) -> None:
    started = process_time()
    assert is_told_in_dialogue(f'"Go!" said Ann. "No!" said Bob. {name}')
    assert process_time() - started < 5
