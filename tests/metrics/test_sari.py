from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.metrics import Sample, load_metric, rows_of, score
from tests.metrics.corpus import KINDS, edit_samples, samples
from tests.metrics.formulas import plain_sari

SARI = load_metric("sari")


def ours(found: list[Sample]) -> list[float]:
    return [float(number) for number in SARI.score(rows_of(SARI, found).sum(axis=0))]


def plain(found: list[Sample]) -> list[float]:
    columns = [[getattr(sample, name) for sample in found] for name in ("source", "prediction", "references")]
    return list(plain_sari(*columns))


def test_the_value_that_editeval_publishes() -> None:
    references = (
        "About 95 species are currently known .",
        "About 95 species are now accepted .",
        "95 species are now accepted .",
    )
    found = score(
        "sari", ["About 95 species are currently accepted ."], ["About 95 you now get in ."], [references]
    )
    assert round(found["sari"].value, 3) == 31.35


def test_by_hand() -> None:
    # Of words and of pairs, what had to be added and deleted was; one word was to be kept, and no pair.
    value, add, keep, delete = ours([Sample("a b", "a c", ("a c",))])
    assert (add, keep, delete) == (50.0, 25.0, 50.0)
    assert value == pytest.approx(125 / 3)


@pytest.mark.parametrize("kind", KINDS)
def test_equals_the_formula(kind: str) -> None:
    assert ours(samples(kind)) == pytest.approx(plain(samples(kind)), abs=1e-9)


@given(st.lists(edit_samples, min_size=1, max_size=5))
def test_equals_the_formula_on_anything(found: list[Sample]) -> None:
    assert ours(found) == pytest.approx(plain(found), abs=1e-9)


def test_long_texts_with_many_words_are_counted_exactly() -> None:
    # So many distinct words that four of them no longer fit into one integer.
    long = " ".join(f"w{number}" for number in range(40_000))
    found = [Sample(long, long.replace("w7 ", "v7 "), (long.replace("w9 ", "v9 "),))]
    found.append(Sample("a b c d e", "a b c x e", ("a b c y e",)))
    assert ours(found) == pytest.approx(plain(found), abs=1e-9)


@given(st.lists(edit_samples, min_size=2, max_size=4))
def test_a_sample_with_more_references_weighs_no_more(found: list[Sample]) -> None:
    first, *rest = found
    tripled = Sample(first.source, first.prediction, first.references * 3)
    assert ours([tripled, *rest]) == pytest.approx(ours(found))
