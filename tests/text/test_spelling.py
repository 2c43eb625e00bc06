"""British and American spelling: what is changed, what is not, and that there is a way back."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.text import Variant, respellings, spelling_pairs

PAIRS = list(spelling_pairs())
SAFE = [
    (british, american)
    for british, american, section in PAIRS
    if not section.keys() & {"to british", "to american"}
]


def respelt(sentence: str, variant: Variant) -> str:
    for one in reversed(respellings(sentence, variant)):
        sentence = sentence[: one.span.start] + one.right + sentence[one.span.end :]
    return sentence


@pytest.mark.parametrize(
    ("variant", "before", "after"),
    [
        ("american", "The organisers cancelled the programme.", "The organizers canceled the program."),
        ("american", "Travellers practised in the theatre.", "Travelers practiced in the theater."),
        ("american", "It is 10 metres from the grey kerb.", "It is 10 meters from the gray curb."),
        ("american", "She analyses the analyses.", "She analyzes the analyses."),
        ("american", "COLOUR! Colour? colour.", "COLOR! Colour? color."),
        ("british", "You need a license to practice law.", "You need a licence to practise law."),
        ("british", "They are licensed, and practice makes perfect.", "They are licensed, and practice makes perfect."),
        ("british", "The water meter is 20 meters away.", "The water meter is 20 metres away."),
        ("british", "The computer program failed.", "The computer program failed."),
        ("british", "The TV program failed.", "The TV programme failed."),
        ("british", "He will tire of the two flat tires.", "He will tire of the two flat tyres."),
        ("british", "An unrecognized, reorganized, multicolored flag.", "An unrecognised, reorganised, multicoloured flag."),
        ("oxford", "We organise and analyze the colors.", "We organize and analyse the colours."),
    ],
)  # fmt: skip
def test_words_are_respelt(variant: Variant, before: str, after: str) -> None:
    assert respelt(before, variant) == after


@pytest.mark.parametrize(
    "sentence",
    [
        "We met at the Lincoln Center in Pearl Harbor.",
        "Harbor Freight sells tools.",
        "He called it “my favorite color”.",
        "“The color was wrong.",
        "The color was right,” she said.",
        "See https://example.org/color and mail center@example.org.",
        "Set `color: gray` or style.color in src/color/gray.py.",
        "Exercise, advertise, surprise, compromise and televise are so everywhere.",
        "It was controlled, compelled and propelled.",
        "Rescue came after rigor mortis.",
        "Check the story by the curb.",
    ],
)
def test_what_is_not_to_be_changed_stays(sentence: str) -> None:
    assert respellings(sentence, "british") == ()


def test_words_with_one_spelling_are_american_too() -> None:
    text = "Advertise, surprise, exercise, controlled, compelled, four, hour, contour, glamour, genre, acre."
    assert respellings(text.lower(), "american") == ()


@given(st.lists(st.sampled_from(SAFE), min_size=1, max_size=8))
def test_there_is_a_way_back(pairs: list[tuple[str, str]]) -> None:
    british, american = (f"so {' and '.join(words)}." for words in zip(*pairs, strict=True))
    assert respelt(british, "american") == american
    assert respelt(american, "british") == british
    assert respellings(british, "british") == () == respellings(american, "american")


def test_the_list_is_one_to_one_and_large() -> None:
    assert (
        len({british for british, _, _ in PAIRS}) == len(PAIRS) == len({american for _, american, _ in PAIRS})
    )
    assert len(PAIRS) > 3000
    assert not {british for british, _, _ in PAIRS} & {american for _, american, _ in PAIRS}
