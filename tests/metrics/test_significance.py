from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from redraft.errors import InputError
from redraft.metrics import (
    Metric,
    Sample,
    approximate_randomisation,
    estimate,
    load_metric,
    metrics,
    paired_bootstrap,
    rows_of,
)
from redraft.metrics.base import Mean, Rows, ratio, sample_blocks
from redraft.metrics.significance import _Multinomial, blocks_of
from tests.metrics.corpus import edit_samples, samples

LEARNED = {"similarity", "bertscore", "lens", "lens_salsa"}
OURS = sorted(set(metrics()) - LEARNED - {"adherence", "all_met"})
TESTS = [paired_bootstrap, approximate_randomisation]
GOOD, BAD = samples("first reference", times=10), samples("reordered", times=10)


@pytest.mark.parametrize("name", OURS)
@pytest.mark.parametrize("test", TESTS)
def test_identical_systems_do_not_differ(name: str, test: object) -> None:
    found = test(load_metric(name), GOOD, GOOD)  # type: ignore[operator]
    assert found.p == 1
    assert found.difference == 0


@pytest.mark.parametrize("name", ["sari", "gleu", "bleu", "ibleu", "em", "rougeL", "edit_distance"])
@pytest.mark.parametrize("test", TESTS)
def test_clear_differences_are_seen(name: str, test: object) -> None:
    found = test(load_metric(name), GOOD, BAD)  # type: ignore[operator]
    assert found.p < 0.01
    if test is paired_bootstrap:
        low, high = found.interval
        assert low <= found.difference <= high
        assert low > 0 or high < 0


@pytest.mark.parametrize("test", TESTS)
def test_noise_is_not_significant(test: object) -> None:
    generator = np.random.default_rng(7)
    one, other = ([Sample("", text) for text in generator.choice(["a", "b"], 300)] for _ in range(2))
    share = Mean("share", lambda sample: (float(sample.prediction == "a"),), needs=frozenset())
    assert test(share, one, other).p > 0.05  # type: ignore[operator]


@pytest.mark.parametrize("name", OURS)
def test_interval_holds_the_score_and_is_the_same_every_time(name: str) -> None:
    metric = load_metric(name)
    found = estimate(metric, BAD)
    low, high = found.interval
    assert low - 1e-9 <= found.value[0] <= high + 1e-9
    assert found.interval == estimate(metric, BAD).interval
    assert estimate(metric, BAD, seed=1).resampled.shape == (1000, 1 + len(metric.components))


def test_interval_of_a_mean_is_the_textbook_s() -> None:
    share = Mean("share", lambda sample: (float(sample.prediction == "a"),), needs=frozenset())
    found = estimate(share, [Sample("", "a" if at % 4 else "b") for at in range(1000)], resamples=4000)
    half = 1.96 * (0.75 * 0.25 / 1000) ** 0.5
    assert found.interval == pytest.approx((0.75 - half, 0.75 + half), abs=0.003)


@given(st.integers(1, 40), st.integers(1, 13), st.integers(0, 99))
def test_every_resample_draws_as_many_samples_as_there_are(samples: int, block: int, seed: int) -> None:
    draw = _Multinomial(samples, 50, seed)
    sizes = [min(block, samples - start) for start in range(0, samples, block)]
    assert sum(draw.weights(size).sum(axis=1) for size in sizes).tolist() == [samples] * 50


class InOnes:
    """Another package's metric, that gives its statistics one by one."""

    name, signature, components, needs = "ones", "ones", (), frozenset[str]()

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        for sample in samples:
            yield np.array([[len(sample.prediction), 1.0]])

    def score(self, sums: Rows) -> Rows:
        return sums[..., :1] / sums[..., 1:]


def test_nothing_over_nothing_is_nothing() -> None:
    assert ratio(np.array([1.0, 0.0]), np.array([2.0])).tolist() == [0.5, 0]
    assert ratio(np.array([1.0]), np.array([2.0, 0.0])).tolist() == [0.5, 0]


def test_samples_with_very_many_references_come_in_smaller_blocks() -> None:
    few, many = Sample("", "", ("a",)), Sample("", "", ("a",) * 2046)
    assert [len(block) for block in sample_blocks([few] * 600)] == [256, 256, 88]
    assert [len(block) for block in sample_blocks([many] * 5)] == [
        2,
        2,
        1,
    ]  # two texts more in each: 4,096 in all
    assert [len(block) for block in sample_blocks([many, few, many])] == [3]


def test_blocks_of_any_size_are_regrouped() -> None:
    metric: Metric = InOnes()  # type: ignore[assignment]
    found = samples("copy", times=70)
    sample_blocks = list(blocks_of(metric, found))
    assert [len(block) for block in sample_blocks] == [256, 256, 48]
    assert np.concatenate(sample_blocks).tolist() == rows_of(metric, found).tolist()


class TooMany(InOnes):
    """A metric with a mistake."""

    def statistics(self, samples: Iterable[Sample]) -> Iterator[Rows]:
        yield from super().statistics([*samples, Sample("", "one too many")])


def test_a_row_for_each_sample() -> None:
    with pytest.raises(InputError, match="ones gave more or fewer rows of statistics than the 8 samples"):
        estimate(TooMany(), samples("copy"))  # type: ignore[arg-type]


def half_right(right: range) -> list[Sample]:
    return [Sample("", "a" if at in right else "b") for at in range(20)]


def test_a_comparison_says_how_it_was_made_and_by_how_much_they_differ() -> None:
    share = Mean("share", lambda sample: (float(sample.prediction == "a"),), needs=frozenset())
    one, other = half_right(range(12)), half_right(range(8))
    found = paired_bootstrap(share, one, other, resamples=400, seed=3)
    assert (found.metric, found.test) == ("share", "paired-bootstrap|n:400|seed:3")
    assert found.difference == pytest.approx(0.2)
    # Of twenty pairs four differ, each by one: the standard deviation of the mean difference is about 0.09.
    assert found.interval == pytest.approx((0.05, 0.4), abs=0.051)
    assert 0.01 < found.p < 0.06
    found = approximate_randomisation(share, one, other, trials=400, seed=3)
    assert (found.metric, found.test) == ("share", "approximate-randomisation|n:400|seed:3")
    assert found.difference == pytest.approx(0.2)
    # All four the same way round, or all the other: two cases of sixteen.
    assert found.p == pytest.approx(2 / 16, abs=0.04)
    assert found.interval == pytest.approx((-0.2, 0.2))


def test_p_is_never_nothing() -> None:
    share = Mean("share", lambda sample: (float(sample.prediction == "a"),), needs=frozenset())
    found = approximate_randomisation(share, half_right(range(20)), half_right(range(0)), trials=99)
    assert found.p == 1 / 100


def test_systems_must_have_the_same_samples() -> None:
    with pytest.raises(InputError, match="the systems have 80 and 8 samples: compare the same ones"):
        paired_bootstrap(load_metric("em"), GOOD, samples("copy"))
    with pytest.raises(InputError, match="no samples"):
        approximate_randomisation(load_metric("em"), [], [])


ORDERED = {"gleu"}
"""The published GLEU draws references by position."""


@settings(max_examples=20)
@given(st.lists(edit_samples, min_size=2, max_size=6), st.randoms(use_true_random=False))
def test_order_and_grouping_of_samples_do_not_matter(found: list[Sample], shuffler: object) -> None:
    for name in sorted(set(OURS) - ORDERED):
        metric = load_metric(name)
        rows = rows_of(metric, found)
        shuffled = list(found)
        shuffler.shuffle(shuffled)  # type: ignore[attr-defined]
        whole = metric.score(rows.sum(axis=0))
        assert metric.score(rows_of(metric, shuffled).sum(axis=0)) == pytest.approx(whole)
        halves = np.concatenate([rows_of(metric, found[:1]), rows_of(metric, found[1:])])
        assert halves == pytest.approx(rows)
