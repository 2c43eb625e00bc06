"""None"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints.bounds import Interval
from redraft.revision.choosing import selection as choosing
from redraft.revision.choosing.selection import Row, choose
from redraft.revision.choosing.worth import ScoredOptions
from redraft.revision.draft import Draft, Option
from redraft.revision.judging.scoring import PassageScore
from redraft.revision.judging.verdicts import Verdict
from redraft.revision.records import Candidate
from redraft.revision.task import Task


def option(start: int, stop: int, value: float, text: str = "x") -> Option:
    return Option(start, stop, Candidate(text, "test"), value)


@st.composite
def instances(draw: st.DrawFn) -> tuple[int, list[Option], list[float], Interval]:
    count = draw(st.integers(1, 4))
    singles = [
        option(place, place + 1, draw(st.integers(-9, 9)))
        for place in range(count)
        for _ in range(draw(st.integers(1, 3)))
    ]
    pairs = [option(place, place + 2, draw(st.integers(-9, 9))) for place in range(count - 1)]
    options = singles + draw(st.lists(st.sampled_from(pairs), max_size=2) if pairs else st.just([]))
    amounts = [float(draw(st.integers(0, 6))) for _ in options]
    low = draw(st.integers(0, 12))
    return count, options, amounts, Interval(low, low + draw(st.integers(0, 6)))


def covers(count: int, chosen: list[Option]) -> bool:
    places = [place for one in chosen for place in range(one.start, one.stop)]
    return sorted(places) == list(range(count))


@settings(deadline=None, max_examples=150)
@given(instances())
def test_the_choice_is_the_best_there_is(instance: tuple[int, list[Option], list[float], Interval]) -> None:
    count, options, amounts, allowed = instance

    def score(indices: list[int]) -> float:
        total = sum(amounts[index] for index in indices)
        return sum(options[index].value for index in indices) - 1000 * allowed.distance(total)

    found = choose(count, options, [0.0] * len(options), [Row(np.array(amounts), allowed)])
    assert covers(count, [options[index] for index in found])
    subsets = product((False, True), repeat=len(options))
    indices = ([index for index, taken in enumerate(subset) if taken] for subset in subsets)
    best = max(score(some) for some in indices if covers(count, [options[index] for index in some]))
    assert score(found) >= best - 1e-3 * max(abs(best), 1)


def test_a_fault_outweighs_any_value() -> None:
    options = [option(0, 1, 90.0), option(0, 1, -90.0)]
    assert choose(1, options, [1.0, 0.0], []) == [1]


def test_a_long_text_is_no_matter() -> None:
    options = [option(place, place + 1, value) for place in range(2000) for value in (0.0, -place % 7 - 1.0)]
    amounts = np.array([10.0, 0.0] * 2000)
    found = choose(2000, options, [0.0] * len(options), [Row(amounts, Interval(high=12_000))])
    assert amounts[found].sum() <= 12_000
    assert len(found) == 2000


def test_what_is_too_hard_ends_with_the_same_choice_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "_MOST_NODES", 20)
    numbers = np.random.default_rng(1)
    options = [option(place, place + 1, float(numbers.normal())) for place in range(20) for _ in range(6)]
    rows = [Row(numbers.integers(1, 100, len(options)).astype(float), Interval(1000, 1000)) for _ in range(3)]
    first, second = (choose(20, options, [0.0] * len(options), rows) for _ in range(2))
    assert covers(20, [options[index] for index in first])
    assert first == second


class Stated:
    def __init__(self, changes: tuple[str, ...]) -> None:
        self._changes = changes

    def errors(self, text: str) -> float:
        return 0.0

    def stated(self, source: str, text: str) -> tuple[float, tuple[str, ...]]:
        return 0.0, self._changes


def test_what_a_split_states_otherwise_counts_before_a_model_is_asked() -> None:
    text = "The bridge is closed, and the ferry runs."
    halves = Candidate("The bridge is closed. The ferry runs.", "split")
    scored = ScoredOptions(Draft.of(Task.of(text, None)), [Option(0, 1, halves)])

    assert not scored.lower([0], Stated(()))
    assert scored.lower([0], Stated(("number", "negation")))
    assert not scored.lower([0], Stated(("number", "negation")))
    assert scored.unscored([0]) == [0]


@pytest.mark.parametrize(
    ("text", "candidate", "refused"),
    [
        ("It was late; we left!", "It was late. We left.", False),
        ("She's taken by car.", "She has taken by car.", True),
    ],
)
def test_other_marks_are_never_refused_but_other_words_may_be(
    text: str, candidate: str, refused: bool
) -> None:
    scored = ScoredOptions(Draft.of(Task.of(text, None)), [Option(0, 1, Candidate(candidate, "marks"))])
    scored.refuse(gutted=False)
    scored.scored(0, PassageScore(0.0, 0.0, 0.0, ()), Verdict(turned=("somebody else",)))
    assert (scored.worth(0) is None) is refused
