"""Formulas of readability, against figures worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.text import FORMULAS, Document, reading_grade, reading_score

# 2 sentences, 8 words, 14 syllables, 41 letters, 1 long word (government)
TEXT = "The government paid Kenya. Our river rises higher."
ACADEMIC = "Methodological considerations substantially influence heterogeneous populations."


@pytest.mark.parametrize(
    ("formula", "score"),
    [
        ("flesch-kincaid", 0.39 * 4 + 11.8 * 14 / 8 - 15.59),
        ("reading ease", 206.835 - 1.015 * 4 - 84.6 * 14 / 8),
        ("gunning fog", 0.4 * 4 + 40 * 1 / 8),
        ("smog", 1.043 * (30 * 1 / 2) ** 0.5 + 3.1291),
        ("coleman-liau", 5.88 * 41 / 8 - 29.6 * 2 / 8 - 15.8),
        ("ari", 4.71 * 41 / 8 + 0.5 * 4 - 21.43),
    ],
)
def test_the_figures(formula: str, score: float) -> None:
    assert reading_score(Document(TEXT), formula) == pytest.approx(score)


def test_the_usual_grade_is_flesch_kincaids() -> None:
    assert reading_grade(Document(TEXT)) == reading_score(Document(TEXT), "flesch-kincaid")


@pytest.mark.parametrize("formula", FORMULAS)
def test_what_is_hard_scores_so(formula: str) -> None:
    easy, hard = (reading_score(Document(text), formula) for text in ("The cat sat. The dog ran.", ACADEMIC))
    assert (hard < easy) is FORMULAS[formula].is_ease
    assert reading_score(Document(""), formula) == 0.0


@given(st.sampled_from(sorted(FORMULAS)), st.lists(st.integers(50, 400), min_size=4, max_size=4))
def test_the_slopes_are_those_of_the_score(name: str, drawn: list[int]) -> None:
    formula = FORMULAS[name]
    counts = [float(count) for count in drawn][: len(formula.amounts)]
    counts += [100.0] * (len(formula.amounts) - len(counts))
    for place, slope in enumerate(formula.slopes(counts)):
        step = 1e-4
        moved = [count + step * (at == place) for at, count in enumerate(counts)]
        back = [count - step * (at == place) for at, count in enumerate(counts)]
        if formula.surcharge:
            continue  # the surcharge is a step
        assert slope == pytest.approx((formula.score(moved) - formula.score(back)) / (2 * step), abs=1e-3)
