"""Passives, persons and tenses in a text."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.text import FORMS, find_marks, find_passives, find_person, find_tense


def found(text: str, mark: str) -> list[str]:
    return [text[one.start : one.end] for one in find_marks(text, mark)]


@pytest.mark.parametrize(
    ("text", "passives"),
    [
        ("The samples were carefully analysed, and the results are being checked.", 2),
        ("The fee is invoiced by the Organiser and shall be paid within 30 days.", 2),
        ("Users can be notified and must not be charged.", 2),
        ("It was tested and approved.", 1),
        ("He got fired. The cat got run over by a car.", 2),
        ("Was the bridge built by the Romans? When was it sold?", 2),
        ("It's built of stone.", 1),
        ("This is used to cut wood. The work needs to be done.", 2),
        ("I was surprised by the noise.", 1),
        ("I was surprised. He is interested in art. The town is located on a hill.", 0),
        ("She was born in 1950. They got married. We got lost. All is done.", 0),
        ("He was very tired. I'm used to it. He is supposed to go.", 0),
        ("She's taken the car. He's got a dog. There are increased costs.", 0),
        ("The bridge built by the Romans fell. She had her hair cut.", 0),
        ("“It was sold,” he said.", 0),
    ],
)
def test_passives_are_counted_and_states_are_not(text: str, passives: int) -> None:
    assert len(find_marks(text, "passive")) == passives


def test_the_verbs_of_a_passive_are_found_whole() -> None:
    assert found("It has been sold. It will not be\nsold.", "passive") == [
        "has been sold",
        "will not be\nsold",
    ]


def test_persons_are_pronouns_and_no_numbers_or_countries() -> None:
    text = "Type I errors, World War I, I/O, the US, a coal mine. He and I met us; a friend of mine left."
    assert found(text, "first person") == ["I", "us", "mine"]
    assert found(text, "first person singular") == ["I", "mine"]
    assert found("You and your dog. “You!” he said.", "second person") == ["You", "your"]
    assert found("Let's go.", "first person") == ["'s"]


@pytest.mark.parametrize(
    ("text", "present", "past"),
    [
        ("She opens the door and looks out.", ["opens", "looks"], []),
        ("Omar presents the accounts; Viktor sends his apologies.", ["presents", "sends"], []),
        ("They walked home, and she cooked dinner.", [], ["walked", "cooked"]),
        ("He had gone before she came.", [], ["had"]),
        ("He has gone. He can go. Go home! Who is it?", [], []),
        ("She was born in 1950. It happened last week.", [], []),
        ("Table 1 shows the results. It usually rains.", [], []),
        ("The house that he builds is old.", ["is"], []),
        ("The Main Hall", [], []),
    ],
)
def test_only_what_is_sure_has_a_tense(text: str, present: list[str], past: list[str]) -> None:
    assert found(text, "present tense") == present
    assert found(text, "past tense") == past


@given(st.text(alphabet="I wewas sold.“”\n'’,!?1abyu-", max_size=60), st.sampled_from(FORMS))
def test_any_text_can_be_looked_at(text: str, mark: str) -> None:
    for one in find_marks(text, mark):
        assert 0 <= one.start < one.end <= len(text)


def test_the_finders_themselves_see_quotations() -> None:
    assert len(find_passives("“It was sold.”")) == 1
    assert len(find_person("“I left.”", "first")) == 1
    assert len(find_tense("“He left.”", "past")) <= 1
