"""Verdicts of pairs and juries: bias of place is exposed, fair judges pass, majorities count."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from redraft.judge import (
    AspectComparison,
    Judgement,
    Pair,
    PairwiseJudge,
    PointwiseJudge,
    compare_aspects,
    judge_all,
    load_rubric,
    majority,
    pair_verdicts,
    score_aspects,
)
from redraft.judge.judgement import Preferred
from redraft.judge.judges import Orders
from tests.judge.scripted import RuleJudge, all_aspects, always_a, fewer_errors, item, pair, revision

PAIRWISE = load_rubric("pairwise")
PAIRS = [pair(str(n), "clean" if n % 3 else "an error", "an error" if n % 3 else "clean") for n in range(30)]


def compared(
    models: Sequence[RuleJudge], pairs: Sequence[Pair] = PAIRS, orders: Orders = "both", repeats: int = 1
) -> tuple[Judgement, ...]:
    judges = [PairwiseJudge(model, PAIRWISE, orders) for model in models]
    inquiries = [
        inquiry for each in pairs for turn in range(repeats) for judge in judges
        for inquiry in judge.inquiries(each, turn)
    ]  # fmt: skip
    return asyncio.run(judge_all(inquiries))


def fluency(found: Sequence[AspectComparison]) -> AspectComparison:
    return found[0]


def test_a_judge_that_always_says_a_is_exposed() -> None:
    found = compare_aspects(compared([RuleJudge(always_a)]), PAIRWISE)
    assert [each.aspect for each in found] == ["fluency", "grammaticality", "coherence"]
    for each in found:
        assert (each.wins.count, each.ties.count, each.losses.count) == (0, 30, 0)
        assert each.p == 1
        assert each.trust.consistent is not None
        assert (each.trust.consistent.count, each.trust.consistent.value) == (0, 0)
        assert (each.trust.said_a.count, each.trust.said_a.total, each.trust.said_a.value) == (60, 60, 1)
        assert each.trust.bias_p < 1e-12


def test_a_fair_judge_passes() -> None:
    each = fluency(compare_aspects(compared([RuleJudge(fewer_errors)]), PAIRWISE))
    assert (each.wins.count, each.ties.count, each.losses.count) == (20, 0, 10)
    assert each.wins.interval is not None
    assert each.wins.interval[0] < 2 / 3 < each.wins.interval[1]
    assert each.trust.consistent is not None
    assert each.trust.consistent.value == 1
    assert each.trust.said_a.value == 0.5
    assert each.trust.bias_p == 1


def test_in_one_order_a_bias_of_place_still_shows_but_the_verdicts_stand() -> None:
    found = compared([RuleJudge(always_a)], orders="random")
    assert len(found) == 30
    each = fluency(compare_aspects(found, PAIRWISE, both=False))
    assert each.wins.count + each.losses.count == 30
    assert each.trust.consistent is None
    assert each.trust.said_a.value == 1
    fair = fluency(
        compare_aspects(compared([RuleJudge(fewer_errors)], orders="random"), PAIRWISE, both=False)
    )
    assert (fair.wins.count, fair.losses.count) == (20, 10)


def test_an_inconsistent_verdict_is_a_tie_and_recorded_as_such() -> None:
    (verdict, *_) = pair_verdicts(compared([RuleJudge(always_a)], PAIRS[:1]))
    assert (verdict.preferred, verdict.consistent, verdict.answers) == ("tie", False, {"ab": "A", "ba": "A"})
    (verdict, *_) = pair_verdicts(compared([RuleJudge(lambda texts: all_aspects("tie"))], PAIRS[:1]))
    assert (verdict.preferred, verdict.consistent) == ("tie", True)


def test_a_pair_with_a_failed_order_gives_no_verdict() -> None:
    broken = RuleJudge(lambda texts: "?" if texts["candidate_a"] == "clean" else fewer_errors(texts))
    found = compared([broken], PAIRS[:4])
    assert sum(judgement.error is not None for judgement in found) == 4
    assert pair_verdicts(found) == ()
    assert fluency(compare_aspects(found, PAIRWISE)).wins.total == 0


def test_the_same_text_twice_is_a_tie_that_says_nothing_of_the_judge() -> None:
    each = fluency(compare_aspects(compared([RuleJudge(fewer_errors)]), PAIRWISE, same=6))
    assert (each.wins.total, each.ties.count, each.trust.said_a.total) == (36, 6, 60)
    assert fluency(compare_aspects((), PAIRWISE, same=6)).ties.count == 6


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        (["first"], "first"),
        (["first", "first", "second"], "first"),
        (["second", "tie", "second"], "second"),
        (["first", "second"], "tie"),
        (["first", "second", "tie"], "tie"),
        (["first", "first", "second", "tie"], "tie"),
    ],
)
def test_a_jury_decides_by_more_than_half(votes: list[Preferred], verdict: Preferred) -> None:
    assert majority(votes) == verdict


def test_a_jury_outvotes_a_biased_member_and_reports_the_disagreement() -> None:
    jury = [RuleJudge(fewer_errors, "a"), RuleJudge(fewer_errors, "b"), RuleJudge(always_a, "c")]
    each = fluency(compare_aspects(compared(jury), PAIRWISE))
    assert (each.wins.count, each.ties.count, each.losses.count) == (20, 0, 10)
    assert each.unanimous is not None
    assert (each.unanimous.count, each.unanimous.total) == (0, 30)
    assert [trust.consistent and trust.consistent.value for trust in each.judges.values()] == [1, 1, 0]
    assert fluency(compare_aspects(compared(jury[:1]), PAIRWISE)).unanimous is None


def test_repeats_of_a_judge_count_as_one_voice() -> None:
    found = compared([RuleJudge(fewer_errors)], repeats=3)
    assert len(found) == 30 * 2 * 3
    assert fluency(compare_aspects(found, PAIRWISE)).wins.total == 30


def scored(models: Sequence[RuleJudge], repeats: int = 1) -> tuple[Judgement, ...]:
    judges = [PointwiseJudge(model, load_rubric("revision")) for model in models]
    items = [item("long", "A long text."), item("short", "Text.")]
    return asyncio.run(
        judge_all(judge.inquiry(each, turn) for each in items for turn in range(repeats) for judge in judges)
    )


def test_a_jury_scores_by_the_mean_and_shows_each_member() -> None:
    kind = RuleJudge(lambda texts: revision(fluency=5), "kind")
    by_length = RuleJudge(lambda texts: revision(fluency=min(5, len(texts["text"]) // 4)), "by length")
    fluent, coherent, _ = score_aspects(scored([kind, by_length]), load_rubric("revision"))
    assert (fluent.items, fluent.mean) == (2, (5 + 3 + 5 + 1) / 4)
    assert fluent.judges == {"kind": 5, "by length": 2}
    assert fluent.spread == 3
    assert fluent.counts == {"1": 1, "2": 0, "3": 1, "4": 0, "5": 2}
    assert fluent.alpha is not None
    assert fluent.alpha < 0
    assert (coherent.mean, coherent.spread, coherent.alpha) == (4, 0, None)
    alone, *_ = score_aspects(scored([kind]), load_rubric("revision"))
    assert (alone.mean, alone.interval, alone.spread, alone.steady) == (5, (5, 5), None, None)


def test_repeats_show_how_steady_a_judge_is() -> None:
    turns = iter([5, 5, 4, 2])
    found = scored([RuleJudge(lambda texts: revision(fluency=next(turns)))], repeats=2)
    fluent, coherent, _ = score_aspects(found, load_rubric("revision"))
    assert sorted(judgement.seed for judgement in found) == [0, 0, 1, 1]
    assert (fluent.mean, fluent.steady, coherent.steady) == (4, 0.5, 1)


def test_failed_judgements_are_left_out_of_the_mean() -> None:
    picky = RuleJudge(lambda texts: revision() if texts["text"] == "Text." else "no")
    fluent, *_ = score_aspects(scored([picky]), load_rubric("revision"))
    assert (fluent.items, fluent.mean, fluent.interval) == (1, 4, None)
    nothing, *_ = score_aspects((), load_rubric("revision"))
    assert (nothing.items, nothing.mean) == (0, None)
