from __future__ import annotations

from redraft.composition.paragraphs import paragraph_prompt, room_for


def test_a_request_says_what_is_known_and_nothing_else() -> None:
    bare = paragraph_prompt("essay", "street trees", "Shade", "the shade they give.", words=74)
    assert bare.startswith("Write the next paragraph, of about 70 words, of an essay about street trees.")
    assert "says: the shade they give. Plain" in bare
    assert "It comes after" not in bare
    assert "  " not in bare
    full = paragraph_prompt(
        "report",
        "street trees",
        "Shade",
        "cool air",
        words=40,
        angle="Give an example.",
        ending="Trees are old.",
    )
    assert "Give an example. Plain" in full
    assert full.endswith("\nIt comes after: Trees are old.")


def test_a_story_is_told_in_the_past_tense_from_no_angle() -> None:
    asked = paragraph_prompt("story", "a lost dog", "Trouble", "it rains", words=60, angle="Give an example.")
    assert "past tense" in asked
    assert "example" not in asked


def test_there_is_room_for_the_words_and_not_for_twice_as_many() -> None:
    assert 75 < room_for(75) < 150
