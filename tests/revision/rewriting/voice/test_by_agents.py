"""Passives turned round: by whom they say it was done, and where nobody says so."""

from __future__ import annotations

import pytest

from redraft.constraints import parse
from redraft.revision.first.other_forms import Retold
from redraft.revision.rewriting.voice.activation import active_versions
from redraft.revision.rewriting.voice.by_agents import turned_by_agents
from redraft.revision.rewriting.voice.indefinite_actors import advice
from redraft.revision.rewriting.voice.without_passives import without_passives
from redraft.revision.task import Task


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The goods will then be replaced by the seller.", "The seller will then replace the goods."),
        ("It is admired by everyone who comes in.", "Everyone who comes in admires it."),
        ("They are sold by two shops in town.", "Two shops in town sell them."),
        ("It was attacked by tribes several times.", "Tribes attacked it several times."),
        ("Today it is visited by thousands of people.", "Today thousands of people visit it."),
        ("The results were analysed by two of us.", "Two of us analysed the results."),
        ("The letter was read aloud by the mayor.", "The mayor read the letter aloud."),
        ("Both rooms can be booked by members only.", "Only members can book both rooms."),
        ("It was handed in by his wife.", "His wife handed it in."),
        ("It was last seen by a hunter.", "A hunter last saw it."),
        ("Why was the race won by a boy?", "Why did a boy win the race?"),
        (
            "It has been shown by several studies that sleep is affected by light.",
            "Several studies have shown that light affects sleep.",
        ),
        (
            "It had been written by her brother, whom she had not seen for years.",
            "Her brother, whom she had not seen for years, had written it.",
        ),
        (
            "The pupils are taught by teachers who have been trained by the state.",
            "Teachers whom the state has trained teach the pupils.",
        ),
        (
            "The film, which was directed by a student, was praised by critics.",
            "Critics praised the film, which a student directed.",
        ),
        (
            "The meeting was chaired by Ann and attended by twelve members.",
            "Ann chaired the meeting, and twelve members attended it.",
        ),
    ],
)
def test_who_did_it_comes_first(before: str, after: str) -> None:
    assert turned_by_agents(before) == after


@pytest.mark.parametrize(
    "sentence",
    [
        "The vote was won by nine votes.",
        "They were warned by email.",
        "Errors are reduced by checking twice.",
        "It was finished by Friday.",
        "What was said by the minister surprised them.",
        'She said "it was done by us" twice.',
    ],
)
def test_by_what_means_is_not_who_did_it(sentence: str) -> None:
    assert turned_by_agents(sentence) == sentence


@pytest.mark.parametrize(
    "sentence",
    [
        "Only members are admitted by the guard.",
        "Even children are admitted by the guard.",
        "Not all members were seen by the doctor.",
        "Many errors were not found by the team.",
        "The contract was not signed by anyone.",
        "The contract was not signed by all members.",
        "The song was hardly known by anyone.",
        "The bill was only paid by Ann.",
        "The price was raised by half.",
        "He was killed by mistake.",
        "He was helped neither by Ann nor by Bo.",
        "The cake was made by Ann, not by Bo.",
        "The cake was made by Ann and not by Bo.",
    ],
)
def test_what_would_say_something_else_stays(sentence: str) -> None:
    assert turned_by_agents(sentence) == sentence
    assert without_passives(sentence) is None


def test_an_accident_kills_nobody_by_a_nurse() -> None:
    sentence = "He was killed by accident by a nurse."
    assert without_passives(sentence) in (None, "A nurse killed him by accident.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("You know the hospital well.", "They told me to wait for hours."),
        ("I am writing to complain about your hospital.", "You told me to wait for hours."),
    ],
)
def test_who_told_it_is_the_reader_of_a_complaint_alone(before: str, after: str) -> None:
    text = f"{before} I was told to wait for hours."
    assert Retold(Task.of(text, parse("Use the active voice."))).text == f"{before} {after}"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("She suggested that he be paid.", "She suggested paying him."),
        ("She suggested that offers not be obtained.", "She suggested that offers not be obtained."),
        ("She suggested that he be paid by Ann.", "She suggested that he be paid by Ann."),
    ],
)
def test_advice_has_an_object(before: str, after: str) -> None:
    assert advice(before) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I was not offered an apology.", "Nobody offered me an apology."),
        ("The recipe has never been written down.", "Nobody has ever written the recipe down."),
        ("The window was broken last night.", "Someone broke the window last night."),
        ("She suggested that three offers be obtained.", "She suggested obtaining three offers."),
        ("The bridge was repaired in 1890.", None),
        ("No cracks were seen.", None),
        ("No progress was made.", "There was no progress."),
        ("The rider was injured in the fall.", "The rider suffered injuries in the fall."),
        ("The rider was badly injured.", "The rider suffered serious injuries."),
        ("The tea is served cold.", "The tea comes cold."),
        ("He was served cold soup.", None),
    ],
)
def test_nobody_is_invented(before: str, after: str | None) -> None:
    assert without_passives(before) == after


@pytest.mark.parametrize(
    "sentence",
    [
        "The monthly fee is raised by five euros for new members.",
        "The vote was won by ten ballots.",
        "Output was boosted by twenty pallets a day.",
        "Prices were cut by half.",
        "The rent was raised by 40 pounds.",
    ],
)
def test_by_how_much_is_nobody(sentence: str) -> None:
    assert turned_by_agents(sentence) == sentence
    assert active_versions(sentence) == []


def test_rules_for_a_thing_are_for_the_reader() -> None:
    text = "The filter must be washed every month. It must not be put into the dishwasher."
    made = Retold(Task.of(text, parse("Use the active voice."))).text
    assert made == "You must wash the filter every month. You must not put it into the dishwasher."


def test_who_did_it_in_one_clause_is_not_the_subject_of_the_next() -> None:
    (made,) = active_versions("Two sensors were mended by Ann; the third was seen by nobody and was left.")[
        :1
    ]
    assert made.startswith("Ann mended two sensors; the third was")
    assert "they" not in made
