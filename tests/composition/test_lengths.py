"""How long sections are to be, and whether they are."""

from __future__ import annotations

import pytest

from redraft.composition.brief import Length
from redraft.composition.state import Outline, Section, budget, measured, numbered, share, within
from redraft.constraints import check

OUTLINE = Outline(
    "Floods", numbered([("Introduction", ()), ("Rain", ()), ("Drains", ()), ("References", ())])
)


@pytest.mark.parametrize("target", [3, 97, 900, 1001, 12_345])
def test_the_shares_add_up_to_the_length(target: int) -> None:
    sections = share(OUTLINE, Length(target, target)).sections
    assert sum(section.words or 0 for section in sections) == target


def test_what_frames_a_piece_gets_less_and_sources_least() -> None:
    words = [section.words for section in share(OUTLINE, Length(800, 1000)).sections]
    # Weights 0.6, 1, 1, 0.4 of 900.
    assert words == [180, 300, 300, 120]
    chinese = share(Outline("", numbered([("引言", ()), ("成因", ()), ("结语", ())])), Length(1100, 1100))
    assert [section.words for section in chinese.sections] == [300, 500, 300]


def test_without_a_length_nothing_is_shared() -> None:
    assert share(OUTLINE, None) == OUTLINE
    assert share(Outline("", ()), Length(10, 10)) == Outline("", ())
    assert budget(OUTLINE.sections[0]) == ()
    assert within("word " * 999, OUTLINE.sections[0], "en") == ""


@pytest.mark.parametrize(
    ("count", "problem"),
    [
        (84, "it has 84 words, and is to have about 100"),
        (85, ""),
        (115, ""),
        (116, "it has 116 words, and is to have about 100"),
        (1, "it has 1 word, and is to have about 100"),
    ],
)
def test_the_constraints_and_the_message_agree(count: int, problem: str) -> None:
    section = Section(1, "Rain", words=100)
    text = " ".join(["rain"] * count)
    assert within(text, section, "en") == problem
    assert check(text, budget(section)).met is (problem == "")


def test_chinese_is_counted_in_characters() -> None:
    assert measured("雨水，落在2024年的 Shanghai。") == 8
    section = Section(1, "雨", words=10)
    assert within("雨" * 10, section, "zh") == ""
    assert within("雨" * 20, section, "zh") == "it has 20 characters, and is to have about 10"
    assert not check("雨" * 20, budget(section)).met


def test_markup_is_not_counted() -> None:
    assert measured("## Heavy rain\n\n**It** fell [here](https://example.org/a/b).") == 5
