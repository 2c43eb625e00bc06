"""Word-level diffs."""

import random
import time

import pytest

from redraft.text import diff_terminal, diff_words


@pytest.mark.parametrize(
    ("one", "other", "steps"),
    [
        ("", "", []),
        ("Same text.", "Same text.", [("equal", "Same text.", "Same text.")]),
        ("", "New.", [("insert", "", "New.")]),
        ("Old.", "", [("delete", "Old.", "")]),
        (
            "The old man left.",
            "A young boy left.",
            [("replace", "The old man", "A young boy"), ("equal", " left.", " left.")],
        ),
        (
            "I don't know.",
            "I do know.",
            [("equal", "I ", "I "), ("replace", "don't", "do"), ("equal", " know.", " know.")],
        ),
        (" x ", " y ", [("equal", " ", " "), ("replace", "x", "y"), ("equal", " ", " ")]),
        (" ", " ", [("equal", " ", " ")]),
        ("a\nb", "a b", [("equal", "a", "a"), ("replace", "\n", " "), ("equal", "b", "b")]),
        ("x y", "x z y", [("equal", "x ", "x "), ("insert", "", "z "), ("equal", "y", "y")]),
    ],
)
def test_steps(one: str, other: str, steps: list[tuple[str, str, str]]) -> None:
    assert [(edit.op, edit.before, edit.after) for edit in diff_words(one, other)] == steps


def test_long_texts_are_compared_in_parts() -> None:
    words = [f"w{number % 90}" for number in range(9_000)]
    one, other = " ".join(words), " ".join(reversed(words))
    edits = diff_words(one, other)
    assert "".join(edit.after for edit in edits) == other


def test_common_words_do_not_slow_a_long_text_down() -> None:
    draw = random.Random(1)
    one, other = (" ".join(draw.choices("abcdefghij", k=10_000)) for _ in range(2))
    started = time.process_time()
    edits = diff_words(one, other)
    assert time.process_time() - started < 20
    assert "".join(edit.after for edit in edits) == other


def test_a_diff_reads_without_colours_too() -> None:
    assert diff_terminal(diff_words("a b c", "a x c")).plain == "a [-b-]{+x+} c"
