from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st

from redraft.errors import InputError
from redraft.train.batches import LABELS_TOGETHER, pack, pad
from redraft.train.chat import Example
from redraft.train.config import FEWEST_TOKENS, Layout, plan
from tests.train.tiny import tiny_examples

LAYOUTS: tuple[Layout, ...] = ("packed", "padded")


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=200),
    st.integers(50, 400),
    st.sampled_from(LAYOUTS),
    st.integers(0, 5),
)
def test_every_example_is_in_one_batch_that_holds_it(
    lengths: list[int], budget: int, layout: Layout, seed: int
) -> None:
    batches = plan(lengths, budget, layout, seed)
    assert layout == "padded" or max(map(len, batches)) <= budget // FEWEST_TOKENS
    assert sorted(number for batch in batches for number in batch) == list(range(len(lengths)))
    for batch in batches:
        taken = [lengths[number] for number in batch]
        assert (sum(taken) if layout == "packed" else max(taken) * len(taken)) <= budget
    assert batches == plan(lengths, budget, layout, seed)


def test_padding_is_small_where_lengths_differ() -> None:
    lengths = np.random.default_rng(0).integers(5, 300, 5000).tolist()
    wasted = 0
    for batch in plan(lengths, 8192, "padded", 0):
        taken = [lengths[number] for number in batch]
        wasted += max(taken) * len(taken) - sum(taken)
    assert wasted / sum(lengths) < 0.05


def test_another_seed_is_another_order() -> None:
    assert plan([5] * 50, 20, "packed", 0) != plan([5] * 50, 20, "packed", 1)


def test_an_example_longer_than_a_batch_is_an_error() -> None:
    with pytest.raises(InputError, match="an example has 30 tokens, but a batch holds only 20"):
        plan([5, 30], 20, "packed", 0)


def test_a_packed_row_predicts_the_learnt_tokens_from_those_before_them() -> None:
    examples = [
        Example(np.array([1, 5, 6, 2]), np.array([0, 0, 1, 3], np.float32)),
        Example(np.array([1, 7, 2]), np.array([1, 1, 0], np.float32)),
    ]
    batch = pack(examples)
    assert batch.tokens.tolist() == [[1, 5, 6, 2, 1, 7, 2]]
    assert batch.positions.tolist() == [[0, 1, 2, 3, 0, 1, 2]]
    assert batch.bounds is not None
    assert batch.bounds.tolist() == [0, 4, 7]
    # 6 and 2 of the first example; of the second 7 alone, since nothing comes before its first token.
    assert batch.index.tolist() == [1, 2, 4]
    assert batch.labels.tolist() == [6, 2, 7]
    assert (batch.weight, batch.used, batch.examples, batch.longest) == (5, 7, 2, 4)
    assert batch.weights.tolist() == [1, 3, 1]


def test_padded_rows_predict_the_same() -> None:
    batch = pad(
        [
            Example(np.array([1, 5, 6, 2]), np.array([0, 0, 1, 3], np.float32)),
            Example(np.array([1, 7, 2]), np.array([1, 1, 0], np.float32)),
        ]
    )
    assert batch.tokens.tolist() == [[1, 5, 6, 2], [1, 7, 2, 0]]
    assert batch.index.tolist() == [1, 2, 4]
    assert batch.labels.tolist() == [6, 2, 7]
    assert batch.bounds is None


def test_a_filled_row_has_one_shape_whatever_is_in_it() -> None:
    first, second = pack(tiny_examples(3), 256, 32), pack(tiny_examples(9), 256, 32)
    for one, other in (
        (first.tokens, second.tokens),
        (first.index, second.index),
        (first.bounds, second.bounds),
    ):
        assert one is not None
        assert other is not None
        assert one.shape == other.shape
    assert first.bounds is not None
    assert int(first.bounds.diff().max()) <= 32
    assert int(first.bounds[-1]) == 256
    assert len(first.labels) == LABELS_TOGETHER
    assert first.weights.sum() == first.weight
