"""How two judges differ, and which systems they prefer."""

from __future__ import annotations

import json

import pytest

from redraft.errors import InputError
from redraft.simplification.policy import ASPECTS
from redraft.simplification.verdicts import (
    Candidate,
    Judged,
    Verdict,
    compare_judges,
    compare_rounds,
    distribution,
    evenness,
    merged,
    rank_by_points,
)


def said(best: int, worst: int) -> Judged:
    return Judged("x", {aspect: Verdict(aspect, best, worst) for aspect in ASPECTS})


def test_differing_and_opposite_verdicts_are_counted() -> None:
    first = [said(0, 3), said(0, 3), said(0, 3), said(0, 3), Judged("x", error="no"), said(0, 0)]
    second = [said(0, 3), said(1, 3), said(3, 0), said(1, 0), said(0, 3), said(0, 0)]
    found = compare_judges(first, second)[0]
    assert (found.differing.count, found.opposite.count, found.opposite.total) == (3, 2, 4)
    assert found.kappa_best == pytest.approx(0.0)
    json.dumps(found.to_dict())


def test_judges_of_different_items_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="2 and 1 items"):
        compare_judges([said(0, 1)] * 2, [said(0, 1)])


def test_rounds_are_compared_two_by_two() -> None:
    item = Judged("x", rounds=tuple(said(*pair).verdicts for pair in ((0, 1), (0, 1), (1, 0))))
    found = compare_rounds([item])[2]
    assert (found.differing.count, found.opposite.count, found.opposite.total) == (2, 2, 3)


def test_systems_that_wrote_the_same_share_the_credit() -> None:
    items = [[Candidate("a", "one"), Candidate("a ", "two"), Candidate("b", "three")]] * 2
    found = distribution([said(0, 2), said(2, 0)], items, "overall")
    assert [(share.by, share.preferred, share.dispreferred) for share in found.systems] == [
        ("one", 0.25, 0.25),
        ("two", 0.25, 0.25),
        ("three", 0.5, 0.5),
    ]
    assert json.loads(json.dumps(found.to_dict()))["largest"] == 0.5


def test_verdicts_about_one_text_say_nothing_of_systems() -> None:
    items = [[Candidate("a", "one"), Candidate("a", "two")]]
    assert distribution([said(0, 0)], items, "overall").items == 0


def test_evenness_is_one_for_equal_shares_and_none_for_one_winner() -> None:
    assert evenness([0.25] * 4) == pytest.approx(1.0)
    assert evenness([1.0, 0.0]) == 0.0


def rounds(*pairs: tuple[int, int]) -> tuple[int, int, float]:
    verdicts, agreement = merged([said(*pair).verdicts for pair in pairs])
    return verdicts["lexical"].best, verdicts["lexical"].worst, agreement["lexical"]


def test_the_majority_of_rounds_decides() -> None:
    assert rounds((0, 1), (0, 1), (2, 1)) == (0, 1, 2 / 3)


def test_where_rounds_are_even_the_mean_rank_decides() -> None:
    # Both 0 and 2 were the best once, but 0 was also the worst.
    assert rounds((0, 1), (2, 0)) == (2, 1, 0.0)
    assert rounds((0, 1), (1, 0)) == (0, 1, 0.5)


def test_points_decide_then_those_beside_them_then_the_place() -> None:
    assert rank_by_points("lexical", [1, 3, 2], range(3)).best == 1
    tied = rank_by_points("lexical", [1, 1, 1], range(3), otherwise=[0, 5, -5])
    assert (tied.best, tied.worst) == (1, 2)
    even = rank_by_points("lexical", [1, 1], range(2))
    assert (even.best, even.worst) == (0, 1)
