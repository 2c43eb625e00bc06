"""Which sentences can be spared, and which cannot."""

from __future__ import annotations

import pytest

from redraft.revision.judging.omission import kind_of_sentence, lost_statements, omission_cost, points_back
from redraft.revision.records import Reason

OTHERS = ["The council decided to ration coal in January.", "Nobody had seen such a winter."]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("In January the council decided to ration coal.", "repetition"),
        ("For example, the baker burned his chairs.", "example"),
        ("The tenant shall return every key.", "rule"),
        ("We promise a reply within a week.", "rule"),
        ("Visitors may not feed the animals.", "rule"),
        ("Put the lid back on the pan.", "step"),
        ("Please send us the form by Friday.", "step"),
        ("The meeting was opened at 7 p.m. by the chair.", "ceremony"),
        ("The new pump uses 41 % less power.", "claim"),
        ("The bridge was not repaired.", "claim"),
        ("The mayor told reporters so.", "attribution"),
        ("The streets were quiet and white.", "other"),
    ],
)
def test_what_kind_a_sentence_is(sentence: str, kind: str) -> None:
    assert kind_of_sentence(sentence, OTHERS) == kind


def test_what_can_be_spared_costs_less() -> None:
    sentences = [
        "In January the council decided to ration coal.",
        "For example, the baker burned his chairs.",
        "The streets were quiet and white.",
        "The bridge was not repaired.",
        "The tenant shall return every key.",
    ]
    costs = [omission_cost(sentence, OTHERS) for sentence in sentences]
    assert costs == sorted(costs)
    assert len(set(costs)) == len(costs)


@pytest.mark.parametrize(
    ("sentence", "asks"),
    [
        ("I would like my money back by July.", True),
        ("We'd be grateful for a second visit.", True),
        ("Could you ring me on Friday?", True),
        ("We therefore ask for a new lock.", True),
        ("I would like to thank you all.", False),
        ("I'd like to say how much I liked it.", False),
    ],
)
def test_what_somebody_asks_for_stays(sentence: str, asks: bool) -> None:
    assert (kind_of_sentence(sentence) == "step") is asks


@pytest.mark.parametrize(
    "sentence",
    [
        "Anyone who fails to do so will not be paid.",
        "You were right about the boat.",
        "This offer does not apply to books.",
        "There is a danger of falling rocks.",
    ],
)
def test_sanctions_admissions_exceptions_and_dangers_stay(sentence: str) -> None:
    assert kind_of_sentence(sentence) == "rule"


def test_a_clause_is_missed_more_than_a_phrase_and_a_condition_most() -> None:
    phrase = lost_statements("He came home in May.", [Reason("cut", "in May", detail="the phrase")])
    clause = Reason("cut", "and he stayed", detail="the second part")
    said = lost_statements("He came home and he stayed.", [clause])
    ruled = lost_statements("You may go if he came home and he stayed.", [clause])
    denied = lost_statements("He never came home in May.", [Reason("cut", "in May", detail="the phrase")])
    assert phrase < denied
    assert phrase < said < ruled


def test_a_sentence_that_points_back() -> None:
    assert points_back("The man from the town came yesterday and looked at it.")
    assert not points_back("The man came yesterday.")
