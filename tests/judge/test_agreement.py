"""Agreement statistics against scipy's and scikit-learn's, with ties, constants and anything else."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings, strategies as st
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from redraft.errors import InputError
from redraft.judge import (
    agreement,
    cohen_kappa,
    exact_agreement,
    kendall,
    krippendorff_alpha,
    pearson,
    spearman,
)
from redraft.judge.agreement import Weights
from redraft.metrics import mean_interval, sign_test, wilson_interval

A = [5, 4, 4, 3, 5, 1, 2, 2, 3, 5, 4, 1]
B = [5, 4, 3, 3, 4, 1, 2, 3, 3, 5, 5, 2]
STEPS = ("none", "minor", "moderate", "substantial")
REPLACED = {"none": None, "linear": "linear", "quadratic": "quadratic"}

Theirs = Callable[[Sequence[float], Sequence[float]], float]


def theirs_of(function: Callable[..., object]) -> Theirs:
    def value(a: Sequence[float], b: Sequence[float]) -> float:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(function(a, b)[0])  # type: ignore[index]

    return value


CORRELATIONS = [
    (pearson, theirs_of(stats.pearsonr)),
    (spearman, theirs_of(stats.spearmanr)),
    (kendall, theirs_of(stats.kendalltau)),
]
ratings = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=40)
numbers = st.lists(st.tuples(st.floats(-1e3, 1e3), st.floats(-1e3, 1e3)), min_size=3, max_size=30)


def same(ours: float, theirs: float, tolerance: float = 1e-9) -> bool:
    return (math.isnan(ours) and math.isnan(theirs)) or math.isclose(ours, theirs, abs_tol=tolerance)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
@given(pairs=ratings)
@settings(max_examples=60)
def test_kappa_is_that_of_scikit_learn(weights: Weights, pairs: list[tuple[int, int]]) -> None:
    a, b = (list(side) for side in zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = cohen_kappa_score(a, b, labels=range(1, 6), weights=REPLACED[weights])
    assert same(cohen_kappa(a, b, weights=weights), float(theirs))


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_kappa_of_named_steps_goes_by_their_places(weights: Weights) -> None:
    a, b = ([STEPS[rating % 4] for rating in side] for side in (A, B))
    theirs = cohen_kappa_score(a, b, labels=STEPS, weights=REPLACED[weights])
    assert same(cohen_kappa(a, b, weights=weights, scale=STEPS), float(theirs))


@pytest.mark.parametrize(("ours", "theirs"), CORRELATIONS)
@given(pairs=ratings)
@settings(max_examples=60)
def test_correlations_are_scipys_with_ties(
    ours: Callable[..., float], theirs: Theirs, pairs: list[tuple[int, int]]
) -> None:
    a, b = (list(side) for side in zip(*pairs, strict=True))
    assert same(ours(a, b), theirs(a, b))


@pytest.mark.parametrize(("ours", "theirs"), CORRELATIONS[1:])
@given(pairs=numbers)
@settings(max_examples=40)
def test_rank_correlations_are_scipys_for_measurements(
    ours: Callable[..., float], theirs: Theirs, pairs: list[tuple[float, float]]
) -> None:
    a, b = (list(side) for side in zip(*pairs, strict=True))
    assert same(ours(a, b), theirs(a, b))


def test_pearson_is_scipys_for_measurements() -> None:
    a, b = [0.1, 2.5, -3.75, 1e3, 12.0], [9.0, 2.5, 1e-3, 80.0, -4.0]
    assert same(pearson(a, b), stats.pearsonr(a, b)[0])


@pytest.mark.parametrize("constant", [[3] * 5, [0.1] * 5])
def test_a_rater_without_opinions_has_no_order(constant: list[float]) -> None:
    varied = [1, 2, 3, 4, 5]
    for ours in (pearson, spearman, kendall):
        assert math.isnan(ours(constant, varied))
        assert math.isnan(ours(constant, constant))
    assert math.isnan(cohen_kappa(constant, constant)), "no agreement can be beyond that of chance"
    assert cohen_kappa([3] * 5, [4] * 5) == 0
    found = agreement(constant, constant)
    assert found.statistics["exact"].value == 1
    assert found.to_dict()["kendall"] == {"value": None, "interval": None}


def test_all_statistics_come_with_intervals_around_them() -> None:
    found = agreement(A, B).statistics
    assert list(found) == [
        "exact",
        "kappa",
        "kappa_linear",
        "kappa_quadratic",
        "pearson",
        "spearman",
        "kendall",
    ]
    assert found["exact"].value == exact_agreement(A, B) == pytest.approx(7 / 12)
    assert found["kendall"].value == pytest.approx(stats.kendalltau(A, B)[0])
    for statistic in found.values():
        assert statistic.interval is not None
        low, high = statistic.interval
        assert -1 <= low < statistic.value < high <= 1
    assert agreement(A, B) == agreement(A, B), "the same every time"
    many = agreement(A * 20, B * 20).statistics["kappa"]
    assert many.interval is not None
    assert found["kappa"].interval is not None
    assert many.interval[1] - many.interval[0] < found["kappa"].interval[1] - found["kappa"].interval[0]


def test_the_bootstrap_of_kendall_is_that_of_resampled_items() -> None:
    result = stats.bootstrap(
        (A * 4, B * 4), lambda a, b: stats.kendalltau(a, b)[0], paired=True, n_resamples=1000,
        vectorized=False, method="percentile", rng=1,
    )  # fmt: skip
    interval = agreement(A * 4, B * 4).statistics["kendall"].interval
    assert interval is not None
    assert interval == pytest.approx(tuple(result.confidence_interval), abs=0.03)


def test_names_without_an_order_have_exact_agreement_and_kappa_alone() -> None:
    found = agreement(["cat", "dog", "cat", "cow"], ["cat", "dog", "dog", "cow"])
    assert list(found.statistics) == ["exact", "kappa"]
    with pytest.raises(InputError, match="give their scale"):
        kendall(["a", "b"], ["b", "a"])
    with pytest.raises(InputError, match="'huge' is not on the scale"):
        kendall(["minor", "huge"], ["none", "none"], scale=STEPS)


@pytest.mark.parametrize(("a", "b"), [([1, 2], [1]), ([], []), ([1.0, math.nan], [1.0, 2.0])])
def test_what_cannot_be_compared_is_refused(a: list[float], b: list[float]) -> None:
    with pytest.raises(InputError):
        agreement(a, b)


def test_alpha_is_that_of_the_published_example() -> None:
    # Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C to E.
    raters = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    found = [krippendorff_alpha(raters, level=level) for level in ("nominal", "ordinal", "interval")]
    assert found == pytest.approx([0.743, 0.815, 0.849], abs=0.0005)
    assert krippendorff_alpha([A, A]) == 1
    assert math.isnan(krippendorff_alpha([[3, 3], [3, 3]]))
    assert math.isnan(krippendorff_alpha([[3, None], [None, 4]]))
    steps = ["none", "minor", "minor", "substantial"]
    assert krippendorff_alpha([steps, steps], scale=STEPS) == 1
    with pytest.raises(InputError, match="give their scale"):
        krippendorff_alpha([steps, steps])


def test_a_scale_has_each_step_once() -> None:
    for measure in (agreement, lambda a, b, scale: krippendorff_alpha([a, b], scale=scale)):
        with pytest.raises(InputError, match="the scale names 'none' twice"):
            measure(["none", "minor"], ["none", "none"], scale=["none", "minor", "none"])


@given(st.integers(0, 60), st.integers(0, 60))
def test_shares_and_the_sign_test_are_scipys(wins: int, losses: int) -> None:
    if wins + losses == 0:
        assert wilson_interval(0, 0) is None
        assert sign_test(0, 0) == 1
        return
    theirs = stats.binomtest(wins, wins + losses)
    assert sign_test(wins, losses) == pytest.approx(theirs.pvalue)
    assert wilson_interval(wins, wins + losses) == pytest.approx(
        tuple(theirs.proportion_ci(method="wilson")), abs=1e-9
    )


def test_the_interval_of_a_mean_is_the_bootstraps() -> None:
    result = stats.bootstrap((A * 5,), lambda a: sum(a) / len(a), vectorized=False, n_resamples=2000,
                             method="percentile", rng=1)  # fmt: skip
    assert mean_interval(A * 5) == pytest.approx(tuple(result.confidence_interval), abs=0.06)
    assert mean_interval([4.0]) is None
