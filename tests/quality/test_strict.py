"""The judge that needs no training: the commonest ways in which a cut or a split breaks a sentence."""

from __future__ import annotations

import asyncio

import pytest

from redraft.quality import StrictJudge
from tests.revision.fakes import FakeScorer, ScriptedJudge
from tests.rule_judge import RuleJudge

JUDGE = RuleJudge(FakeScorer())


@pytest.mark.parametrize(
    ("whole", "broken"),
    [
        ("They destroy all copies.", "It destroy all copies."),
        ("It shall pay within two days.", "It shall, within two days."),
        ("He must not, without leave, go.", "He must not, without the written leave of the head."),
        ("In it the streets are hot.", "This is in which the streets are hot."),
        ("It rose by two degrees.", "This is by two degrees."),
        ("They are bound by this.", "Who are bound by this."),
        ("It was sent to the staff.", "Except to those of the staff."),
        ("We met him and his wife.", "We met him and."),
        ("We will pay, provided that you ask.", "We will pay for it, provided."),
        ("He waited, although the bus was late.", "He waited for an hour, although the late bus."),
        ("He left, because the bus was late.", "He left, because a late bus."),
        ("It is not to be moved.", "He kept the key in the tin for years, not."),
        ("You may refuse only if it rains.", "The manager may refuse only."),
        ("We will withhold the charge.", "This is also to withhold the charge."),
        ("It ran until May, and 40 replied to it.", "It ran until May and to which 40 people replied."),
    ],
)
def test_a_broken_sentence_is_told_from_a_whole_one(whole: str, broken: str) -> None:
    good, bad = asyncio.run(JUDGE.soundness([whole, broken]))
    assert bad < 0.5 < good


@pytest.mark.parametrize(
    "whole",
    [
        "She asked when, and to whom, it was sent.",
        "We met Ann, who came late and who left early.",
        "He came, though tired.",
        "He left, because of the rain.",
        "He was kind, although a strict teacher.",
        "It was a good plan, though a costly one.",
        "And who would have thought of it?",
        "But who cares for that, he said.",
        "Tea and coffee are, as ever, provided.",
        "You may enter on Sundays only.",
        "These are also to be returned by May.",
        "He may come or, more likely, not.",
        "Use the lift, not the stairs.",
    ],
)
def test_what_goes_on_with_something_is_whole(whole: str) -> None:
    (found,) = asyncio.run(JUDGE.soundness([whole]))
    assert found > 0.5


@pytest.mark.parametrize("command", ["Separate whites and colours.", "1. Wash towels at 60 degrees."])
def test_a_command_has_its_verb_first(command: str) -> None:
    (found,) = asyncio.run(JUDGE.soundness([command]))
    assert found > 0.5


def test_a_question_may_open_with_a_question_word() -> None:
    (found,) = asyncio.run(JUDGE.soundness(["Who are bound by this?"]))
    assert found > 0.5


def test_a_reversed_statement_is_not_the_same() -> None:
    pairs = [("We do not sell it.", "We sell it."), ("We sell it here.", "Here we sell it.")]
    turned, same = asyncio.run(JUDGE.sameness(pairs))
    assert turned == 0
    assert same == 1


def test_mending_a_sentence_is_an_improvement() -> None:
    mended, damaged = asyncio.run(
        JUDGE.improvement([("It destroy it.", "It destroys it."), ("It destroys it.", "It destroy it.")])
    )
    assert damaged < 0.5 < mended
    assert asyncio.run(JUDGE.soundness([])) == ()


def test_the_stricter_of_the_two_is_followed() -> None:
    judge = StrictJudge(ScriptedJudge(lambda sentence: "moon" in sentence))
    good, odd, hanging = asyncio.run(
        judge.soundness(["It rose at night.", "It rose moon.", "This is by two degrees."])
    )
    assert good > 0.9
    assert odd < 0.1
    assert hanging < 0.5
    pairs = [("It rose.", "It fell.")]
    assert asyncio.run(judge.sameness(pairs)) == (0.99,)
    assert asyncio.run(judge.improvement(pairs)) == (0.5,)
