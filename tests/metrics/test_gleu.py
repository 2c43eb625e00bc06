from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from redraft.errors import InputError
from redraft.metrics import Sample, load_metric, rows_of, sample_scores, score
from redraft.metrics.gleu import ITERATIONS, Draws
from redraft.metrics.tokens import treebank_words
from tests.metrics.corpus import KINDS, edit_samples, samples
from tests.metrics.formulas import plain_gleu

GLEU = load_metric("gleu")


def ours(found: list[Sample]) -> float:
    return float(GLEU.score(rows_of(GLEU, found).sum(axis=0))[0])


def plain(found: list[Sample]) -> float:
    return plain_gleu(
        [treebank_words(sample.source) for sample in found],
        [treebank_words(sample.prediction) for sample in found],
        [[treebank_words(text) for text in sample.references] for sample in found],
    )


def test_the_value_that_editeval_publishes() -> None:
    source = "About 95 species are currently accepted ."
    references = (
        "About 95 species are currently known .",
        "About 95 species are now accepted .",
        "95 species are now accepted .",
    )
    predictions = ["About 95 species are currently known .", "About 95 you now get in ."]
    found = score("gleu", [source] * 2, predictions, [references] * 2, normalisation="editeval")["gleu"]
    assert round(found.value, 4) == 16.8629
    assert found.signature.endswith("|refs:3|norm:editeval")


@pytest.mark.parametrize("kind", KINDS)
def test_equals_the_formula(kind: str) -> None:
    assert ours(samples(kind)) == pytest.approx(plain(samples(kind)), abs=1e-9)


@settings(max_examples=25)
@given(st.lists(edit_samples, min_size=1, max_size=4))
def test_equals_the_formula_on_anything(found: list[Sample]) -> None:
    assert ours(found) == pytest.approx(plain(found), abs=1e-9)


def test_equals_the_formula_beyond_a_block() -> None:
    found = samples("references mixed", times=40)
    assert ours(found) == pytest.approx(plain(found), abs=1e-9)


@pytest.mark.parametrize("many", [1, 2, 3, 4, 7, 8])
def test_draws_are_those_of_randint(many: int) -> None:
    draws = Draws(many)
    picks = np.concatenate([draws.take(0, 3), draws.take(3, 200), draws.take(203, 1)], axis=1)
    for iteration in (0, 1, ITERATIONS - 1):
        random.seed(iteration * 101)
        assert picks[iteration].tolist() == [random.randint(0, many - 1) for _ in range(204)]
    assert Draws(many).take(150, 54).tolist() == picks[:, 150:].tolist()


def test_references_may_differ_in_number() -> None:
    one = [Sample(s.source, s.prediction, s.references[:1]) for s in samples("cut short")]
    repeated = [Sample(s.source, s.prediction, s.references * (1 + at % 3)) for at, s in enumerate(one)]
    assert ours(repeated) == pytest.approx(ours(one))


def test_text_that_is_tokenised() -> None:
    spaced = score("gleu:space", ["a b c . d"], ["a b c . e"], [["a b c . e"]])
    assert spaced["gleu:space"].value == pytest.approx(100)
    with pytest.raises(InputError, match="treebank and space"):
        load_metric("gleu:moses")


def test_the_mean_does_not_depend_on_the_order() -> None:
    mean = load_metric("gleu_mean")
    found = samples("references mixed")
    forwards, backwards = (mean.score(rows_of(mean, order).sum(axis=0))[0] for order in (found, found[::-1]))
    assert forwards == pytest.approx(backwards)
    assert forwards == pytest.approx(ours(found), abs=2)


def test_a_sentence_is_smoothed() -> None:
    scores = sample_scores(GLEU, [Sample("a b", "a b", ("a b",)), Sample("a b c", "x y z", ("a b c",))])
    assert scores[0] == pytest.approx(100)
    assert 0 < scores[1] < 100
