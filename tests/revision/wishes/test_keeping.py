"""Tests of what an instruction asks to keep by its kind."""

from __future__ import annotations

import pytest

from redraft.revision.wishes.keeping import kept_by_kind


@pytest.mark.parametrize(
    ("instruction", "kept", "free"),
    [
        ("Cut it in half, but keep the results.", "The effect was 3 % higher.", "Trees are green."),
        ("Shorter, keep every warning.", "Never use vinegar.", "The tank is blue."),
        ("Half as long without losing the decisions.", "The fee was approved.", "Tea was served."),
        ("Keep all deadlines, under 80 words.", "Reply by Friday.", "The room was warm."),
    ],
)
def test_kinds(instruction: str, kept: str, free: str) -> None:
    is_asked = kept_by_kind(instruction)
    assert is_asked(kept)
    assert not is_asked(free)


@pytest.mark.parametrize("instruction", ["", "Under 80 words.", "Report the results in fewer words."])
def test_nothing_is_asked(instruction: str) -> None:
    assert not kept_by_kind(instruction)("The effect was 3 % higher. Never use vinegar.")
