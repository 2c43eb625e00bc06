"""Sentences that say the same, that say another thing, and that are broken, made by rule."""

from __future__ import annotations

import random

import pytest

from redraft.train.breaking import breakages
from redraft.train.misstating import misstatements
from redraft.train.restating import restatements


def restated(sentence: str) -> dict[str, str]:
    return dict(restatements(sentence, random.Random(0)))


def changed(sentence: str) -> dict[str, set[str]]:
    """What the rules make of a sentence, over many draws."""
    found: dict[str, set[str]] = {}
    for seed in range(40):
        for rule, text in misstatements(sentence, random.Random(seed), 13):
            found.setdefault(rule, set()).add(text)
    return found


@pytest.mark.parametrize(
    ("sentence", "rule", "expected"),
    [
        (
            "When the rain stopped, the children went out.",
            "clause_to_the_end",
            "The children went out when the rain stopped.",
        ),
        (
            "The matching period begins after the council accepts the plan.",
            "clause_to_the_front",
            "After the council accepts the plan, the matching period begins.",
        ),
        ("In 1990, the company moved to Leeds.", "phrase_to_the_end", "The company moved to Leeds in 1990."),
        ("However, the team lost the game.", "link_after_the_subject", "The team, however, lost the game."),
        (
            "The match was stopped because the pitch was wet.",
            "reason_apart",
            "The match was stopped. This is because the pitch was wet.",
        ),
        ("Because the road was wet, the car slid.", "another_join", "The road was wet, so the car slid."),
        (
            "The minister said that the tax was too high.",
            "report_to_the_end",
            "The tax was too high, the minister said.",
        ),
        (
            "The tax was too high, the minister said.",
            "report_to_the_front",
            "The minister said that the tax was too high.",
        ),
        ("We bought apples and pears.", "coordination_turned", "We bought pears and apples."),
        (
            "She lives in the capital of France.",
            "name_as_owner",
            "She lives in France's capital.",
        ),
    ],
)
def test_parts_move(sentence: str, rule: str, expected: str) -> None:
    assert restated(sentence)[rule] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "Profits rose from apples and pears, respectively.",
        "He asked if it was raining.",
        "Did the rain stop when you left?",
        "Stop.",
    ],
)
def test_what_hangs_on_its_order_stays(sentence: str) -> None:
    assert not restated(sentence)


@pytest.mark.parametrize(
    ("sentence", "rule", "expected"),
    [
        ("The model explained 41 % of the variance.", "lighter_verb", "The model was 41 % of the variance."),
        ("The Licensor keeps the copies.", "other_party", "The Licensee keeps the copies."),
        ("The employer must pay the fee.", "turned", "The employer may pay the fee."),
        ("Do not write to us without the receipt.", "turned", "Do not write to us with the receipt."),
        ("The drug does not help children.", "lost_negation", "The drug does help children."),
        ("Rooms are cleaned daily except on Sundays.", "lost_exception", "Rooms are cleaned daily."),
        ("The report found that the bridge was unsafe.", "lost_claim", "The report found this."),
        ("Wolves chase the deer in winter.", "swapped_roles", "The deer chase wolves in winter."),
        ("He waited for three hours.", "other_number", "He waited for eleven hours."),
    ],
)
def test_one_thing_is_said_otherwise(sentence: str, rule: str, expected: str) -> None:
    assert expected in changed(sentence)[rule]


def test_names_that_are_joined_do_not_change_places() -> None:
    assert "swapped_names" not in changed("Mary Brown and John Jones came home early.")


def test_what_is_made_is_never_the_sentence_itself() -> None:
    sentence = "In May, the committee in Paris said that it would not pay unless all of its members agreed."
    rng = random.Random(1)
    for make in (restatements, misstatements, breakages):
        made = [text for _ in range(20) for _, text in make(sentence, rng)]
        assert made
        assert sentence not in made


def test_sentences_are_broken_as_careless_splits_break_them() -> None:
    sentence = "It is a known effect in which the temperatures rise, and the party shall destroy all copies."
    made: dict[str, set[str]] = {}
    for seed in range(60):
        for rule, text in breakages(sentence, random.Random(seed), 12):
            made.setdefault(rule, set()).add(text)
    assert any("This is in which the temperatures rise" in text for text in made["relative_alone"])
    assert any(" It destroy all copies." in text for text in made["verb_without_its_modal"])
    assert len(made) > 6


def test_a_cut_leaves_what_needs_more() -> None:
    sentence = "Our cluster has several plugins managed by another team of the company."
    made = dict(pair for seed in range(30) for pair in breakages(sentence, random.Random(seed), 14))
    assert made["complement_gone"] == "Our cluster has several plugins managed."
    assert made["wrong_mark"].endswith("company?")
