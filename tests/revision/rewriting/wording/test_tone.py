"""Rules of form that go with a wish for another tone."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.forms.address import addressed_roles, to_reader
from redraft.revision.rewriting.forms.gender import generic_they
from redraft.revision.rewriting.wording.courtesy import courteous
from redraft.revision.rewriting.wording.nominal import verbal
from redraft.revision.rewriting.wording.tone import Tone


@pytest.mark.parametrize(
    ("said", "polite"),
    [
        ("You must sign both forms.", "Please sign both forms."),
        ("If you are late, ring the office.", "If you are late, please ring the office."),
        ("No bicycles in the hall.", "No bicycles in the hall, please."),
        ("You never answered my letter.", "I have not yet had a reply to my letter."),
        ("You failed to include the receipt.", "It seems that the receipt was not included."),
        (
            "You should have locked the gate first.",
            "It would have been better to lock the gate first.",
        ),
        ("The summary is far too long.", "The summary could be shorter."),
        ("If you do not pay, we will sue.", "If you do not pay, we will unfortunately have to sue."),
    ],
)
def test_blunt_sentences_are_said_politely(said: str, polite: str) -> None:
    assert next(courteous(said)) == polite


@pytest.mark.parametrize(
    "said",
    [
        "You can find it here.",
        "Notice to all staff.",
        "Sales fell in May.",
        "Please wait.",
        "You are invited to the party.",
    ],
)
def test_what_is_not_blunt_stays(said: str) -> None:
    assert not list(courteous(said))


def test_requests_do_not_all_sound_alike() -> None:
    asked = {next(courteous("Send me the plan by noon.", speaker="I", turn=turn)) for turn in range(3)}
    assert len(asked) == 3


@pytest.mark.parametrize(
    ("said", "addressed"),
    [
        ("The applicant is responsible for their fees.", "You are responsible for your fees."),
        ("Applicants who pay late lose their places.", "If you pay late, you lose your places."),
        ("The applicant's form is kept.", "Your form is kept."),
        ("Forms sent by the applicant are kept.", "Forms you have sent are kept."),
        ("If an applicant is ill, he must write.", "If you are ill, you must write."),
    ],
)
def test_the_reader_is_spoken_to(said: str, addressed: str) -> None:
    assert to_reader(said, frozenset({"applicant"})) == addressed


def test_a_role_inside_a_name_is_nobody() -> None:
    assert to_reader("The customer service desk is closed.", frozenset({"customer"})) is None
    assert addressed_roles(["The roof leaks."]) == frozenset()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("We made a decision to leave.", "We decided to leave."),
        ("They carried out a careful inspection of the roof.", "They carefully inspected the roof."),
        ("Consideration was given to the budget.", "The budget was considered."),
        ("It is our conclusion that it works.", "We conclude that it works."),
        ("She spoke about the removal of the trees.", "She spoke about removing the trees."),
    ],
)
def test_nouns_that_hide_a_verb(said: str, told: str) -> None:
    assert verbal(said) == told


@pytest.mark.parametrize(
    "said", ["The delivery of the parcel is late.", "We need a decision.", "He has a copy of it."]
)
def test_nouns_that_name_a_thing_stay(said: str) -> None:
    assert verbal(said) is None


def test_anybody_has_no_sex() -> None:
    assert (
        generic_they("A nurse washes her hands before she eats.")
        == "A nurse washes their hands before they eat."
    )
    assert generic_they("A nurse met Anna and her dog.") is None


def test_a_letter_to_a_role_speaks_to_it() -> None:
    tone = Tone.of(("friendly",), ["Dear Member,", "Members who renew early will get a gift."])
    assert (
        tone.of_sentence("Members who renew early will get a gift.")
        == "If you renew early, you will get a gift."
    )


def test_two_kinds_of_people_are_not_both_the_reader() -> None:
    rules = ["Employees must not bring visitors.", "Visitors must be accompanied."]
    assert not Tone.of(("friendly",), rules).roles
    assert Tone.of(("friendly",), ["Visitors must not smoke.", "Visitors must pay."]).roles == {"visitor"}
