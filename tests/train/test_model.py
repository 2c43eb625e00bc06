from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from redraft.train.batches import pack_batch, pad_batch
from redraft.train.chat import Example
from redraft.train.model import CrossEntropy, token_losses
from tests.train.tiny import tiny_examples, tiny_model


def test_loss_and_gradients_are_those_worked_out_by_hand() -> None:
    # Logits ln 2, 0, 0 give the probabilities 2/4, 1/4, 1/4; ln 3, ln 2, 0 give 3/6, 2/6, 1/6.
    hidden = torch.tensor([[9.0, 9.0], [1.0, 0.0], [0.0, 1.0]], requires_grad=True)
    weight = torch.tensor([[math.log(2), math.log(3)], [0.0, math.log(2)], [0.0, 0.0]], requires_grad=True)
    index, labels, weights = torch.tensor([1, 2, 0]), torch.tensor([0, 2, 0]), torch.tensor([1.0, 3.0, 0.0])
    loss = token_losses(hidden, weight, index, labels, weights).sum()
    assert loss.item() == pytest.approx(-math.log(2 / 4) - 3 * math.log(1 / 6), rel=1e-6)
    loss.backward()
    # The gradient of the logits is the probability, less one for the label, times the weight.
    first, second = np.array([2 / 4 - 1, 1 / 4, 1 / 4]), 3 * np.array([3 / 6, 2 / 6, 1 / 6 - 1])
    assert weight.grad is not None
    assert hidden.grad is not None
    np.testing.assert_allclose(weight.grad, np.stack([first, second], axis=1), rtol=1e-5)
    columns = weight.detach().numpy()
    np.testing.assert_allclose(hidden.grad[1], first @ columns, rtol=1e-5)
    np.testing.assert_allclose(hidden.grad[2], second @ columns, rtol=1e-5)
    np.testing.assert_allclose(hidden.grad[0], 0)


def test_the_loss_is_that_of_transformers_on_the_learnt_tokens() -> None:
    model = tiny_model()
    (example,) = tiny_examples(1)
    tokens = torch.from_numpy(example.tokens)[None]
    labels = torch.where(torch.from_numpy(example.weights)[None] > 0, tokens, -100)
    theirs = model(tokens, labels=labels).loss.item() * int(example.weights[1:].sum())
    assert CrossEntropy(model)(pack_batch([example])).item() == pytest.approx(theirs, rel=1e-5)


@pytest.mark.parametrize("layout", [pack_batch, pad_batch, lambda examples: pack_batch(examples, 256, 32)])
def test_packed_and_padded_examples_are_as_if_alone(layout: object) -> None:
    examples = tiny_examples(6)
    model = tiny_model()
    objective = CrossEntropy(model)

    def gradients(batches: list[object]) -> tuple[float, list[torch.Tensor]]:
        model.zero_grad()
        total = sum(objective(batch) for batch in batches)
        assert isinstance(total, torch.Tensor)
        total.backward()
        return total.item(), [weight.grad.clone() for weight in model.parameters()]

    together, of_all = gradients([layout(examples)])  # type: ignore[operator]
    alone, of_each = gradients([pack_batch([example]) for example in examples])
    assert together == pytest.approx(alone, rel=1e-5)
    for one, other in zip(of_all, of_each, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_no_example_sees_another_in_its_row() -> None:
    first, second, third = tiny_examples(3)
    objective = CrossEntropy(tiny_model())
    other = Example((first.tokens + 7) % 30 + 3, np.zeros_like(first.weights))
    silent = Example(first.tokens, np.zeros_like(first.weights))
    assert objective(pack_batch([silent, second, third])).item() == pytest.approx(
        objective(pack_batch([other, second, third])).item(), rel=1e-6
    )


def test_a_token_that_is_not_learnt_is_not_in_the_loss() -> None:
    (example,) = tiny_examples(1)
    nothing = Example(example.tokens, np.zeros_like(example.weights))
    assert CrossEntropy(tiny_model())(pack_batch([nothing])).item() == 0
