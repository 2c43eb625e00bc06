from __future__ import annotations

import pytest

from redraft.editor import kind_of


@pytest.mark.parametrize(
    ("instruction", "kind"),
    [
        ("Fix grammar errors", "correct"),
        ("Update to remove grammar errors", "correct"),
        ("Update with new information", "update"),
        ("Add missing information", "update"),
        ("SIMPLIFY", "simplify"),
        ("Make this text less complex", "simplify"),
        ("Explain it", "improve"),  # "plain" within a word says nothing
        ("Remove POV", "neutralise"),
        ("Make this text less biased", "neutralise"),
        ("Use different wording", "paraphrase"),
        ("Rewrite this text", "paraphrase"),
        ("Make the text more formal", "improve"),
        ("", "improve"),
    ],
)
def test_an_instruction_says_what_kind_of_edit_it_wants(instruction: str, kind: str) -> None:
    assert kind_of(instruction) == kind
