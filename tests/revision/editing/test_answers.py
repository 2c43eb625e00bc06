"""Which answers of an editor are taken for what was asked."""

from __future__ import annotations

import pytest

from redraft.revision.editing.answers import changes_numbers


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("Two countries withdrew in protest.", "The two countries have withdrawn in protest.", True),
        ("The two countries withdrew.", "The two countries have withdrawn.", False),
        ("They sold 40 of 60 boats.", "They sold the 40 boats.", True),
        ("Batch 6 failed.", "Batches of 6 failed.", True),
        ("Batch 6 failed in May.", "In May, batch 6 failed.", False),
    ],
)
def test_some_are_not_all_there_are(before: str, after: str, changes: bool) -> None:
    assert changes_numbers(before, after) is changes
