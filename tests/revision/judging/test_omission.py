"""Which sentences can be spared, and which cannot."""

from __future__ import annotations

import pytest

from redraft.revision.judging.omission import kind_of_sentence, omission_cost

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
