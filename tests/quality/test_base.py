"""Scores on 0 to 1: the formulas of the paper, and the laws that they keep."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from redraft.quality import Meaning, Quality, Scale, Scaled


def quality(
    perplexity: float = 20.0, likelihood: float | None = -1.0, grammar: float = 0.0, some: float | None = None
) -> Quality:
    return Quality(perplexity, likelihood, grammar, (), None, None, some)


PERPLEXITY = st.floats(1, 1e6) | st.just(math.inf)
LIKELIHOOD = st.floats(-60, 0) | st.just(-math.inf)
ANY = st.builds(
    quality, PERPLEXITY, LIKELIHOOD, st.floats(0, 200), st.none() | st.floats(-1, 2, allow_nan=False)
)


def test_the_equations_by_hand() -> None:
    scale = Scale(quality(perplexity=40, likelihood=-0.5))
    found = scale.of(quality(perplexity=30, likelihood=-2.4, grammar=5))
    assert found.fluency == pytest.approx(100 * (40 - 30) / (40 - 0) / 100)
    assert found.coherence == pytest.approx((-2.4 + 10) / (-0.5 + 10))
    assert found.grammar == pytest.approx(0.5)
    assert found.mean == pytest.approx((0.25 + 0.8 + 0.5) / 3)


def test_some_takes_the_place_of_the_findings() -> None:
    scale = Scale(quality())
    assert scale.of(quality(grammar=50, some=0.9)).grammar == 0.9
    assert scale.of(quality(some=1.02)).grammar == 1
    assert scale.of(quality(some=-0.1)).grammar == 0


def test_the_original_itself_is_not_fluent_but_coherent() -> None:
    original = quality(grammar=0)
    assert Scale(original).of(original) == Scaled(0, 1, 1)


def test_a_text_without_words_has_nothing() -> None:
    empty = quality(math.inf, -math.inf)
    assert Scale(quality()).of(empty) == Scale(empty).of(empty) == Scaled(0, 0, 0)


def test_scores_without_sources_are_refused() -> None:
    with pytest.raises(ValueError, match="the original itself"):
        Scale(quality(likelihood=None))
    with pytest.raises(ValueError, match="scores with sources"):
        Scale(quality()).of(quality(likelihood=None))


def test_how_like_the_original_it_is_stands_for_a_likelihood_that_nobody_computed() -> None:
    original, other = (Quality(20.0, None, 0.0, (), Meaning(like, ()), None) for like in (1.0, 0.7))
    assert Scale(original).of(other).coherence == 0.7
    assert Scale(original).of(original).coherence == 1.0


@given(ANY, ANY)
def test_every_score_is_from_0_to_1(source: Quality, text: Quality) -> None:
    found = Scale(source).of(text)
    for value in (found.fluency, found.coherence, found.grammar, found.mean):
        assert 0 <= value <= 1


@given(ANY, ANY, st.floats(0, 1e3))
def test_better_never_scales_lower(source: Quality, text: Quality, less: float) -> None:
    scale = Scale(source)
    assert text.likelihood is not None
    better = quality(
        max(1.0, text.perplexity - less),
        min(0.0, text.likelihood + less),
        max(0.0, text.grammar - less),
        None if text.some is None else text.some + less,
    )
    one, other = scale.of(text), scale.of(better)
    assert other.fluency >= one.fluency
    assert other.coherence >= one.coherence
    assert other.grammar >= one.grammar
