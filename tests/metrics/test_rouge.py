from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from rouge_score.rouge_scorer import RougeScorer

from redraft.errors import InputError
from redraft.metrics import Sample, load_metric, rows_of
from redraft.metrics.rouge import Subsequences, added_text
from tests.metrics.corpus import KINDS, edit_samples, samples

NAMES = ["rouge1", "rouge2", "rougeL", "rougeLsum"]
lines = st.lists(st.text("abcd ", max_size=10), max_size=4).map("\n".join)


def ours(name: str, sample: Sample) -> list[float]:
    return [float(number) for number in rows_of(load_metric(name), [sample])[0, :3]]


def check(sample: Sample, stem: bool) -> None:
    expected = RougeScorer(NAMES, use_stemmer=stem).score_multi(sample.references, sample.prediction)
    for name in NAMES:
        score = expected[name]
        wanted = [100 * score.fmeasure, 100 * score.precision, 100 * score.recall]
        assert ours(f"{name}:stem" if stem else name, sample) == pytest.approx(wanted), name


@pytest.mark.parametrize("stem", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_equals_rouge_score(kind: str, stem: bool) -> None:
    for sample in samples(kind):
        check(sample, stem)


@given(edit_samples)
def test_equals_rouge_score_on_anything(sample: Sample) -> None:
    check(sample, stem=True)


@given(lines, lines)
def test_equals_rouge_score_on_lines(reference: str, prediction: str) -> None:
    check(Sample("", prediction, (reference,)), stem=False)


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_common_subsequence(one: str, other: str) -> None:
    table = Subsequences(one, other)
    places = table.places()[::-1]
    letters = iter(other)
    assert all(one[place] in letters for place in places)
    assert len(places) == table.length(len(one), len(other))


def test_unknown_option() -> None:
    with pytest.raises(InputError, match='rouge1 knows the option "stem" only, not "stemmed"'):
        load_metric("rouge1:stemmed")


@pytest.mark.parametrize(
    ("source", "prediction", "reference", "f1"),
    [
        ("Old fact.", "Old fact.", "Old fact.", 100),  # nothing new on either side
        ("Old fact.", "Old fact. New fact.", "Old fact. New fact.", 100),
        ("Old fact.", "Old fact.", "Old fact. New fact.", 0),
        ("Old fact.", "Old fact. New thing.", "Old fact. New fact.", 50),
        ("Foo Bar Baz", "Completely replaced", "Completely replaced", 100),
    ],
)
def test_update_rouge(source: str, prediction: str, reference: str, f1: float) -> None:
    assert ours("update_rouge1", Sample(source, prediction, (reference,)))[0] == pytest.approx(f1)


def test_update_rouge_is_averaged_over_references() -> None:
    sample = Sample("Old.", "Old. New fact.", ("Old. New fact.", "Old."))
    assert ours("update_rougeL", sample)[0] == pytest.approx(50)


def test_what_is_added() -> None:
    assert added_text("It rains. It snows.", "It rains. It pours. It snows. Now") == "It pours. Now"
