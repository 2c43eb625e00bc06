"""Misspelt words: which they are, and what was meant by them."""

from __future__ import annotations

import pytest

from redraft.revision.corrections.left_alone import Keeps
from redraft.revision.corrections.spelling import (
    distance,
    meant_by,
    misspellings,
    sound,
    without_misspellings,
)
from redraft.text import diff_words


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("We payed the depozit and the electrisity.", "We payed the deposit and the electricity."),
        ("Brifly, it is an advantege.", "Briefly, it is an advantage."),
        ("I want to complane about the univercity.", "I want to complain about the university."),
        ("She goes on wensday untill noon.", "She goes on Wednesday until noon."),
        ("Definately, we recieved it.", "Definitely, we received it."),
    ],
)
def test_what_was_meant_is_near_and_common(wrong: str, right: str) -> None:
    assert without_misspellings(wrong) == right


@pytest.mark.parametrize(
    "sentence",
    [
        "The Wellcome Trust paid Ms Valeska for the concerti.",
        "We rehydrated the samples and restarted the backend.",
        "The ligand binds actin, and integrin follows.",
        'He said "I recieved nothing" and left.',
        "Run `kubectl recieve` first.",
        "The colour of the harbour at the theatre.",
    ],
)
def test_names_terms_quotations_and_code_stay(sentence: str) -> None:
    assert without_misspellings(sentence) == sentence


def test_quoted_words_of_a_passage_stay() -> None:
    assert without_misspellings("He wrote recieve twice.", ["recieve"]) == "He wrote recieve twice."


def test_a_term_that_comes_again_is_no_slip() -> None:
    text = "The flonkel is a vecator of the firm."
    assert list(misspellings(text, used={"flonkel": 3, "vecator": 2})) == []


def test_where_several_may_be_meant_it_is_not_clear() -> None:
    (found,) = misspellings("Here is the waitres.")
    assert not found.is_clear
    assert {"waiters", "waitress"} <= set(found.meant)
    assert without_misspellings("Here is the waitres.") == "Here is the waitres."


def test_slips_that_writers_make_are_near() -> None:
    assert distance("writting", "writing") < distance("writting", "writhing")
    assert distance("phisical", "physical") < distance("phisical", "whimsical")
    assert distance("becuase", "because") < distance("becuase", "became")
    assert distance("word", "word") <= distance("wrod", "word")
    assert sound("complane") == sound("complain")


def test_a_word_that_there_is_means_itself() -> None:
    assert meant_by("house") == ()


@pytest.mark.parametrize(
    ("before", "after", "allowed"),
    [
        ("I want to complane about it.", "I want to compliment you on it.", False),
        ("It includes the electrisity.", "It includes the election.", False),
        ("It includes the electrisity.", "It includes the electricity.", True),
    ],
)
def test_a_word_that_there_is_not_becomes_no_other_one(before: str, after: str, allowed: bool) -> None:
    (step,) = (one for one in diff_words(before, after) if one.op != "equal")
    assert Keeps().allows(before, step) is allowed
