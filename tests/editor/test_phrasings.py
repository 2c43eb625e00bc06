"""What an instruction wishes of the style, as the editor knows it."""

from __future__ import annotations

import pytest

from redraft.editor import control_instruction, wished_controls


@pytest.mark.parametrize(
    ("instruction", "wished"),
    [
        ("Make it polite and apologetic", ("polite",)),
        ("make it more concise pls", ("concise",)),
        ("The rest can be a lot shorter.", ("concise",)),
        ("No passive voice, please.", ("active",)),
        ("Use the active voice", ("active",)),
        ("Make it professional, but friendlier", ("formal", "friendly")),
        ("Put this into plain English", ("plain",)),
        ("Write shorter sentences", ()),
        ("Make it less formal", ()),
        ("An informal tone", ()),
        ("Don't make it formal", ()),
        ("It must not sound too friendly; be polite", ("polite",)),
        ("never use corporate jargon", ("plain",)),
        ("Not the passive voice, please", ("active",)),
        ("Fix the grammar", ()),
        ("", ()),
        ("Don't make the paragraphs shorter", ()),
    ],
)
def test_a_wish_is_read_from_the_words_of_an_instruction(instruction: str, wished: tuple[str, ...]) -> None:
    assert wished_controls(instruction) == wished


def test_every_wish_is_something_that_the_editor_knows() -> None:
    everything = "active voice, concise, formal, friendly, in plain English, polite"
    assert all(control_instruction(control) for control in wished_controls(everything))


def test_what_is_left_or_kept_so_is_no_wish() -> None:
    wished = {
        "fix the spelling, leave it chatty": (),
        "Leave it chatty and shorten it.": ("concise",),
        "Keep it warm and shorten it; fix typos": ("concise",),
        "fix typos but keep it friendly": (),
        "fix typos, keep it casual and warm": (),
        "make it polite, keep it friendly": ("friendly", "polite"),
        "Leave it shorter": ("concise",),
    }
    assert {one: wished_controls(one) for one in wished} == wished
