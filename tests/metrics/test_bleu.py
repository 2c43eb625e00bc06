from __future__ import annotations

import math

import pytest
import sacrebleu
from hypothesis import given, strategies as st

from redraft.errors import InputError
from redraft.metrics import Sample, load_metric, rows_of
from redraft.metrics.tokens import treebank_words
from tests.metrics.corpus import KINDS, edit_samples, samples
from tests.metrics.formulas import plain_bleu


def ours(name: str, found: list[Sample]) -> list[float]:
    metric = load_metric(name)
    return [float(number) for number in metric.score(rows_of(metric, found).sum(axis=0))]


def sacre(found: list[Sample], references: list[tuple[str, ...]]) -> float:
    streams = list(zip(*references, strict=True))
    return float(sacrebleu.corpus_bleu([sample.prediction for sample in found], streams).score)


@pytest.mark.parametrize("kind", KINDS)
def test_bleu_is_sacrebleus(kind: str) -> None:
    found = samples(kind)
    assert ours("bleu", found)[0] == pytest.approx(sacre(found, [s.references for s in found]), abs=1e-9)


def test_phrases_are_told_apart_in_a_large_vocabulary() -> None:
    words = [f"w{number}" for number in range(140_000)]  # four of them take more than 64 bits
    text = " ".join(f"{words[n]} a b c" for n in range(70_000))
    other = " ".join(f"{words[n]} a b c" for n in range(70_000, 140_000))
    found = [Sample("", text, (other,))]
    assert ours("bleu", found)[0] == pytest.approx(sacre(found, [found[0].references]), abs=1e-9)


def test_bleu_of_a_short_text_is_counted_in_silence(caplog: pytest.LogCaptureFixture) -> None:
    found = [Sample("", "a cat", ("a cat",)), Sample("", "a dog sat here", ("a dog sat here",))]
    assert ours("bleu", found) == pytest.approx([100, 1])
    assert not caplog.records


@given(st.lists(edit_samples, min_size=1, max_size=5))
def test_bleu_is_sacrebleus_on_anything(found: list[Sample]) -> None:
    assert ours("bleu", found)[0] == pytest.approx(sacre(found, [s.references for s in found]), abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_bleu_nmt_is_editevals(kind: str) -> None:
    found = samples(kind)
    predictions = [treebank_words(sample.prediction) for sample in found]
    wanted = plain_bleu(predictions, [[treebank_words(text) for text in s.references] for s in found])
    assert ours("bleu:nmt", found)[0] == pytest.approx(wanted, abs=1e-9)


def test_bleu_nmt_by_hand() -> None:
    # Matches 5 of 6, 3 of 5, 2 of 4, 1 of 3; six words are no fewer than the shorter reference's six.
    references = ("the cat sat on a mat", "there the black cat sat on its own mat")
    score, brevity = ours("bleu:nmt", [Sample("", "the cat sat on the mat", references)])
    assert (score, brevity) == pytest.approx((100 * (5 / 6 * 3 / 5 * 2 / 4 * 1 / 3) ** 0.25, 1))
    # Three words of six: e^(1 - 6/3). No four of them, and so nothing: there is no smoothing.
    assert ours("bleu:nmt", [Sample("", "the cat sat", references)]) == pytest.approx([0, math.exp(-1)])
    # The counts of a corpus are summed before anything is divided.
    both = [Sample("", "the cat sat", references), Sample("", "the cat sat on the mat", references)]
    precisions = (8 / 9) * (5 / 7) * (3 / 5) * (1 / 3)
    assert ours("bleu:nmt", both)[0] == pytest.approx(100 * math.exp(1 - 12 / 9) * precisions**0.25)


def test_another_variant_of_bleu_is_refused() -> None:
    with pytest.raises(InputError, match="there are bleu and bleu:nmt"):
        load_metric("bleu:moses")


@pytest.mark.parametrize("kind", KINDS)
def test_ibleu_is_editevals(kind: str) -> None:
    found = samples(kind)
    predictions = [treebank_words(sample.prediction) for sample in found]
    bleu = plain_bleu(predictions, [[treebank_words(text) for text in s.references] for s in found])
    copied = plain_bleu(predictions, [[treebank_words(s.source)] for s in found])
    assert ours("ibleu", found) == pytest.approx([0.9 * bleu - 0.1 * copied, bleu, copied], abs=1e-9)


def test_ibleu_with_sacrebleu() -> None:
    found = samples("cut short")
    bleu, copied = sacre(found, [s.references for s in found]), sacre(found, [(s.source,) for s in found])
    assert ours("ibleu_sacrebleu", found) == pytest.approx([0.9 * bleu - 0.1 * copied, bleu, copied])


def test_the_value_that_editeval_publishes() -> None:
    same = "hello there general kenobi"
    assert ours("ibleu", [Sample(same, same, (same,))])[0] == pytest.approx(80)
