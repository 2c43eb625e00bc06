from __future__ import annotations

import random
from itertools import count

import pytest

from redraft.composition.actions import Action, Limits, possible, refusal
from redraft.composition.protocols import limits_for, next_batch, next_in_order
from redraft.composition.state import Outline, Review, SectionText, State, numbered
from redraft.composition.trajectory import Effect, Step, apply_step

LIMITS = Limits()


def outlined(sections: int) -> State:
    return State().outlined(outline(sections))


def outline(sections: int) -> Outline:
    return Outline("A piece", numbered([(f"Part {place}", ["a point"]) for place in range(1, sections + 1)]))


def done(state: State, name: str, score: float = 9.0) -> State:
    action = Action.read(name)
    effects: dict[str, Effect | None] = {
        "outline": outline(3),
        "draft": SectionText("Some words."),
        "review": Review(score, "fine"),
        "refine": SectionText("Better words."),
        "finish": None,
    }
    return apply_step(state, Step(1, 1, action, effect=effects[action.name]), LIMITS)


def after_all(state: State, *names: str) -> State:
    for each in names:
        name, _, score = each.partition("=")
        state = done(state, name, float(score or 9))
    return state


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("outline", Action("outline")),
        ("Draft 2", Action("draft", 2)),
        ("review(3)", Action("review", 3)),
        ("refine section 4.", Action("refine", 4)),
        ("draft: #12", Action("draft", 12)),
        ("finish()", Action("finish")),
        ("finish 3", Action("finish")),
    ],
)
def test_an_action_is_read_however_it_is_spelled(said: str, read: Action) -> None:
    assert Action.read(said) == read


@pytest.mark.parametrize("said", ["", "write 2", "draft", "draft two", "review 2 and 3", "draft 99999"])
def test_what_is_no_action_is_none(said: str) -> None:
    with pytest.raises(ValueError, match=r"no action|needs the number"):
        Action.read(said)


def test_only_what_makes_sense_is_possible() -> None:
    assert possible(State(), LIMITS, 0) == (Action("outline"),)
    state = outlined(2)
    assert possible(state, LIMITS, 1) == (Action("draft", 1), Action("draft", 2))
    state = after_all(state, "draft 1")
    assert possible(state, LIMITS, 2) == (Action("draft", 2), Action("review", 1))
    state = after_all(state, "review 1=6")
    assert possible(state, LIMITS, 3) == (Action("draft", 2), Action("refine", 1))
    state = after_all(state, "refine 1", "review 1=8", "draft 2", "review 2")
    assert possible(state, LIMITS, 7) == (Action("finish"),)
    state = after_all(state, "finish")
    assert not possible(state, LIMITS, 8)


@pytest.mark.parametrize(
    ("names", "asked", "why"),
    [
        ([], "draft 1", "outline first"),
        (["outline"], "outline", "already"),
        (["outline"], "review 1", "draft it first"),
        (["outline"], "draft 4", "1 to 3"),
        (["outline", "draft 1"], "draft 1", "a draft already"),
        (["outline", "draft 1"], "refine 1", "review it first"),
        (["outline", "draft 1", "review 1"], "refine 1", "good enough"),
        (["outline", "draft 1", "review 1=3"], "review 1", "reviewed as it stands"),
        (["outline", "draft 1"], "finish", "section 2 is not drafted"),
        (["outline", "draft 1", "draft 2", "draft 3"], "finish", "still to be reviewed"),
        (["outline", "draft 1", "draft 2", "draft 3", "review 1=2"], "finish", "still to be refined"),
    ],
)
def test_a_refusal_says_what_to_do(names: list[str], asked: str, why: str) -> None:
    state = after_all(State(), *names)
    assert why in (refusal(Action.read(asked), state, LIMITS, len(names)) or "")


def test_a_section_is_left_after_three_revisions_or_two_that_gain_nothing() -> None:
    state = after_all(outlined(1), "draft 1", "review 1=3")
    for score in (4, 5, 6):
        state = after_all(state, "refine 1", f"review 1={score}")
    assert possible(state, LIMITS, 9) == (Action("finish"),)
    state = after_all(
        outlined(1), "draft 1", "review 1=5", "refine 1", "review 1=5", "refine 1", "review 1=4"
    )
    assert state.manuscript[1].stalled == 2
    assert possible(state, LIMITS, 9) == (Action("finish"),)


def test_the_best_version_is_the_one_that_counts() -> None:
    state = after_all(outlined(1), "draft 1", "review 1=7", "refine 1", "review 1=4")
    assert state.manuscript[1].content == "Better words."
    assert state.manuscript[1].final == "Some words."
    assert after_all(state, "refine 1").manuscript[1].final == "Better words."  # not reviewed yet


def test_what_is_measured_outranks_the_score() -> None:
    state = after_all(outlined(1), "draft 1")
    state = state.reviewed(1, Review(9.5, "too long", passed=False), LIMITS.tau)
    assert state.section(1).status == "revision_needed"


def test_whatever_is_chosen_a_whole_piece_comes_of_it() -> None:
    """A reasoner that chooses at random among what is possible, with reviews at random."""
    for seed in range(200):
        chance = random.Random(seed)
        limits = Limits(max_steps=chance.choice((14, 20, 50)))
        state = State()
        sections = chance.randint(1, 12)
        for used in count():
            allowed = possible(state, limits, used)
            if state.finished:
                break
            assert allowed, (seed, used)
            assert used < limits.max_steps
            action = chance.choice(allowed)
            if action.name == "outline":
                state = state.outlined(outline(sections))
            else:
                state = done(state, str(action), chance.randint(1, 10))
        assert not state.with_status("pending")


def test_a_fixed_order_ends_a_section_before_the_next() -> None:
    state, names = State(), []
    for used in range(20):
        action = next_in_order(state, LIMITS, used)
        if action is None:
            break
        names.append(str(action))
        state = done(state, str(action), 5 if names.count("review 1") < 2 else 9)
    assert names[:5] == ["outline", "draft 1", "review 1", "refine 1", "review 1"]
    assert names[5:] == ["draft 2", "review 2", "draft 3", "review 3", "finish"]


def test_a_batch_does_the_same_to_all_sections_at_once() -> None:
    state, turns = State(), []
    used = 0
    while actions := next_batch(state, LIMITS, used):
        turns.append([str(action) for action in actions])
        for action in actions:
            state = done(state, str(action), 5 if len(turns) < 4 and action.section == 2 else 9)
        used += len(actions)
    assert turns == [
        ["outline"],
        ["draft 1", "draft 2", "draft 3"],
        ["review 1", "review 2", "review 3"],
        ["refine 2"],
        ["review 2"],
        ["finish"],
    ]


def test_without_reviews_or_refinements_there_are_none() -> None:
    drafted = after_all(outlined(1), "draft 1")
    assert possible(drafted, limits_for("no_review", LIMITS), 2) == (Action("finish"),)
    reviewed = after_all(drafted, "review 1=2")
    assert possible(reviewed, limits_for("no_refine", LIMITS), 3) == (Action("finish"),)


def test_an_action_that_keeps_failing_is_given_up() -> None:
    state = after_all(outlined(1), "draft 1")
    failed = Step(3, 3, Action("review", 1), error="no valid answer")
    refusal_error = Step(3, 3, Action("refine", 1), said="refine 1", error="review it first")
    for step in (failed, refusal_error, failed, refusal_error):
        state = apply_step(state, step, LIMITS)
        assert Action("review", 1) in possible(state, LIMITS, 5)
    state = apply_step(state, failed, LIMITS)
    assert possible(state, LIMITS, 6) == (Action("finish"),)


def test_a_step_comes_back_as_it_was_written() -> None:
    steps = [
        Step(1, 1, Action("outline"), thought="begin", effect=outline(2), by="embedded", seconds=1.5),
        Step(2, 2, Action("draft", 1), effect=SectionText("Words.", "a summary")),
        Step(3, 3, Action("review", 1), effect=Review(6.5, "thin", passed=False), note="a note"),
        Step(4, 4, Action("refine", 1), effect=SectionText("More words.", "", "longer")),
        Step(5, 5, None, said="dance", error="no action"),
        Step(6, 6, Action("finish")),
    ]
    assert [Step.from_dict(step.to_dict()) for step in steps] == steps
    with pytest.raises(ValueError, match="is no action"):
        Step.from_dict({**steps[0].to_dict(), "action": "dance"})
