"""Tests of what a cut costs by what it says."""

from __future__ import annotations

from redraft.revision.judging.losses import Elsewhere, cut_loss, said_stems

TRIAL = "In a randomised trial that was conducted at four hospitals, we treated patients with knee pain."


def test_filler_costs_less_than_content() -> None:
    filler = TRIAL.replace(" that was conducted", "")
    assert cut_loss(TRIAL, filler) < cut_loss(TRIAL, TRIAL.replace("randomised ", "")) / 4
    assert cut_loss(TRIAL, TRIAL) == 0


def test_a_verb_is_no_noun() -> None:
    source = "Attach the pump and pump until it is full."
    assert cut_loss(source, "Attach the pump until it is full.") > cut_loss(source, source) + 1


def test_what_is_said_elsewhere_is_missed_less() -> None:
    cut = TRIAL.replace(" with knee pain", "")
    assert cut_loss(TRIAL, cut, said_stems(["Knee pain is common."])) < cut_loss(TRIAL, cut)


def test_what_a_passage_says_itself_is_not_said_elsewhere() -> None:
    everywhere = said_stems([TRIAL, "Knee pain is common."])
    rest = Elsewhere(everywhere, said_stems([TRIAL]))
    assert "knee" in rest
    assert "trial" not in rest


def test_a_new_word_may_say_the_same() -> None:
    assert cut_loss("They bought the house again.", "They repurchased it.") < cut_loss(
        "They bought the house again.", "They did."
    )
