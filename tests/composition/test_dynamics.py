"""The measures of trajectories, against values computed by hand."""

from __future__ import annotations

from statistics import stdev

import pytest

from redraft.composition.actions import Action, Limits
from redraft.composition.dynamics import Average, LifeCycle, dynamics, life_cycles, median_lifetime
from redraft.composition.state import Outline, Review, SectionText, numbered
from redraft.composition.trajectory import Effect, Step

LIMITS = Limits(tau=8, max_steps=12)


def trajectory(told: str) -> list[Step]:
    """Steps from words: `o2` an outline of two, `d1` a draft, `r1=7` a review, `e1` a refinement, `f` the end.

    `!` before a word is a failure, `?` an answer that is no action; words joined by `+` share a turn.
    """
    steps: list[Step] = []
    for turn, words in enumerate(told.split(), 1):
        for word in words.split("+"):
            steps.append(_step(len(steps) + 1, turn, word))
    return steps


def _step(number: int, turn: int, word: str) -> Step:
    if word == "?":
        return Step(number, turn, None, said="Sure!", error="that is no action")
    name, score = word.lstrip("!").partition("=")[::2]
    names = {"o": "outline", "d": "draft", "r": "review", "e": "refine", "f": "finish"}
    section = int(name[1:]) if name[0] in "dre" else None
    action = Action(names[name[0]], section)  # type: ignore[arg-type]
    if word.startswith("!"):
        return Step(number, turn, action, error="it cannot be done")
    effect: Effect | None = None
    if name[0] == "o":
        effect = Outline("T", numbered([("S", ())] * int(name[1:])))
    elif name[0] == "r":
        effect = Review(float(score.rstrip("-")), "", passed=not score.endswith("-"))
    elif name[0] in "de":
        effect = SectionText("Words.")
    return Step(number, turn, action, effect=effect)


STRAIGHT = trajectory("o2 d1 r1=9 d2 r2=8 f")
NO_OUTLINE = trajectory("!d1 ? !f")
ONLY_FAILURES = trajectory("? ? ? ?")
ENDLESS = trajectory("o1 d1 r1=5 e1 r1=5 e1 r1=6 e1 r1=6 e1 r1=6 e1")
LATE = trajectory("o1 d1 r1=5 e1 r1=5 e1 r1=6 e1 r1=6 e1 r1=6 e1 f")
WORSE = trajectory("o2 d1 r1=7 e1 r1=5 d2 r2=8 f")
TWICE = trajectory("o2 d1 r1=4 e1 r1=6 e1 r1=8 d2 r2=5 e2 r2=7 e2 r2=6")
BATCH = trajectory("o3 d1+d2+d3 r1=8+r2=6+r3=9 e2 r2=9 f")
SENT_BACK = trajectory("o1 d1 r1=9- e1 r1=9 f")
UNSEEN = trajectory("o2 d1 r1=6 e1 d2 !r7 f")


def test_a_straight_trajectory() -> None:
    found = dynamics([STRAIGHT], LIMITS)
    assert found.success == 100
    assert found.efficiency == Average(6 / 2)
    assert found.reviews_per_section == Average(100 * 2 / 2)
    assert found.refinements_per_section == Average(0)
    assert (found.gain, found.gain_percent) == (None, None)
    assert (found.failures, found.outline, found.steps) == (Average(0), Average(2), Average(6))
    # Drafts at turns 2 and 4, done with at 3 and 5: medians 3 and 4.
    assert found.lifetime == 1


@pytest.mark.parametrize(("steps", "failures"), [(NO_OUTLINE, 100), (ONLY_FAILURES, 100)])
def test_without_an_outline_only_success_and_failures_count(steps: list[Step], failures: float) -> None:
    found = dynamics([steps], LIMITS)
    assert (found.success, found.failures) == (0, Average(failures))
    assert found.efficiency is found.reviews_per_section is found.refinements_per_section is None
    assert found.outline is found.gain is found.lifetime is None
    assert found.steps == Average(len(steps))


def test_never_finished_within_the_steps() -> None:
    # 12 steps: an outline, a draft, five reviews and five refinements.
    found = dynamics([ENDLESS], LIMITS)
    assert (found.success, found.efficiency) == (0, Average(12 / 1))
    assert (found.reviews_per_section, found.refinements_per_section) == (Average(500), Average(500))
    assert (found.gain, found.gain_percent) == (Average(6 - 5), Average(100 * (6 - 5) / 5))
    assert life_cycles(ENDLESS, LIMITS) == (LifeCycle(1, 2, 12),)
    # A finish at step 13 of 12 comes too late, and with more steps it does not.
    assert dynamics([LATE], LIMITS).success == 0
    assert dynamics([LATE], Limits(max_steps=50)).success == 100


def test_a_refinement_that_lost_points() -> None:
    found = dynamics([WORSE], LIMITS)
    assert found.success == 100
    assert (found.gain, found.gain_percent) == (Average(5 - 7), Average(100 * (5 - 7) / 7))
    # Section 1 never passes, so it lives to the last turn.
    assert life_cycles(WORSE, LIMITS) == (LifeCycle(1, 2, 8), LifeCycle(2, 6, 7))
    assert found.lifetime == 7.5 - 4


def test_two_sections_refined_twice() -> None:
    found = dynamics([TWICE], LIMITS)
    assert found.steps == Average(13)
    assert (found.reviews_per_section, found.refinements_per_section) == (Average(300), Average(200))
    # From 4 to 8, and from 5 to 6.
    assert found.gain == Average((4 + 1) / 2, stdev([4, 1]))
    assert found.gain_percent == Average((100 + 20) / 2, stdev([100, 20]))


def test_steps_of_one_turn() -> None:
    found = dynamics([BATCH], LIMITS)
    assert (found.steps, found.efficiency) == (Average(10), Average(10 / 3))
    assert found.reviews_per_section == Average(100 * 4 / 3)
    assert found.refinements_per_section == Average(100 * 1 / 3)
    assert found.gain == Average(9 - 6)
    assert life_cycles(BATCH, LIMITS) == (LifeCycle(1, 2, 3), LifeCycle(2, 2, 5), LifeCycle(3, 2, 3))
    assert found.lifetime == 3 - 2


def test_a_review_that_sends_back_completes_nothing() -> None:
    assert life_cycles(SENT_BACK, LIMITS) == (LifeCycle(1, 2, 5),)
    assert dynamics([SENT_BACK], LIMITS).gain == Average(0)


def test_a_refinement_that_nobody_reviewed_has_no_gain() -> None:
    found = dynamics([UNSEEN], LIMITS)
    assert (found.success, found.gain) == (100, None)
    assert found.failures == Average(100 * 1 / 7)
    assert found.refinements_per_section == Average(50)


def test_several_trajectories() -> None:
    every = [
        STRAIGHT, NO_OUTLINE, ONLY_FAILURES, ENDLESS, LATE, WORSE, TWICE, BATCH, SENT_BACK, UNSEEN,
    ]  # fmt: skip
    found = dynamics(every, LIMITS)
    assert found.trajectories == 10
    # Finished: the straight one, the worse one, the batch, the one sent back, and the unseen.
    assert found.success == 100 * 5 / 10
    ratios = [6 / 2, 12 / 1, 13 / 1, 8 / 2, 13 / 2, 10 / 3, 6 / 1, 7 / 2]
    assert found.efficiency == Average(pytest.approx(sum(ratios) / 8), pytest.approx(stdev(ratios)))
    rates = [0, 100, 100, 0, 0, 0, 0, 0, 0, 100 / 7]
    assert found.failures is not None
    assert found.failures.mean == pytest.approx(sum(rates) / 10)
    # Sections pooled: endless 1, late 1, worse -2, twice 4 and 1, batch 3, sent back 0.
    gains = [1, 1, -2, 4, 1, 3, 0]
    assert found.gain == Average(pytest.approx(sum(gains) / 7), pytest.approx(stdev(gains)))
    assert found.outline is not None
    assert found.outline.mean == (2 + 1 + 1 + 2 + 2 + 3 + 1 + 2) / 8
    data = found.to_dict()
    assert data["success"] == 50
    assert data["spread"]["gain"] == pytest.approx(stdev(gains))


def test_nothing_at_all() -> None:
    found = dynamics([], LIMITS)
    assert (found.trajectories, found.success, found.steps) == (0, 0, None)
    assert "spread" not in dynamics([STRAIGHT], LIMITS).to_dict()
    assert median_lifetime([]) is None
