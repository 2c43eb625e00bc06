from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from redraft.errors import InputError
from redraft.train.config import LOSSES, Loss, rejection_weight

# Two pairs: log-probabilities -2 of 4 tokens against -9 of 6, and -6 of 3 against -4 of 8.
SUMS = [[-2.0, -9.0], [-6.0, -4.0]]
LENGTHS = [[4.0, 6.0], [3.0, 8.0]]
# So the means are -0.5 against -1.5, and -2 against -0.5.


def worked(loss: Loss, reference: list[list[float]] | None = None) -> tuple[list[float], list[list[float]]]:
    """The loss of each pair, and the gradient of their sum by the log-probabilities."""
    sums = torch.tensor(SUMS, dtype=torch.float64, requires_grad=True)
    lengths = torch.tensor(LENGTHS, dtype=torch.float64)
    known = None if reference is None else torch.tensor(reference, dtype=torch.float64)
    found = loss.of(sums, lengths, known)
    found.sum().backward()  # type: ignore[no-untyped-call]
    assert sums.grad is not None
    return found.tolist(), sums.grad.tolist()


def sigma(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def close(found: list[list[float]], wanted: list[list[float]]) -> None:
    for row, other in zip(found, wanted, strict=True):
        assert row == pytest.approx(other, rel=1e-12, abs=1e-15)


def test_simpo_with_cross_entropy_on_the_preferred_answer() -> None:
    losses, gradient = worked(LOSSES["simpo"])
    # 2.5 · (-0.5 + 1.5) - 1.375 = 1.125, and 2.5 · (-2 + 0.5) - 1.375 = -5.125.
    assert losses == pytest.approx([-math.log(sigma(1.125)) + 0.5, -math.log(sigma(-5.125)) + 2])
    assert losses == pytest.approx([0.7811501362, 7.1309286084])
    # d/dw = -(1 - σ)·β/n_w - α/n_w and d/dl = (1 - σ)·β/n_l, with 1 - σ(1.125) = 0.2450850131.
    first, second = 1 - sigma(1.125), 1 - sigma(-5.125)
    assert first == pytest.approx(0.2450850131)
    close(
        gradient, [[-first * 2.5 / 4 - 1 / 4, first * 2.5 / 6], [-second * 2.5 / 3 - 1 / 3, second * 2.5 / 8]]
    )


def test_cpo_simpo_is_simpo_with_constants_of_its_own() -> None:
    losses, _ = worked(LOSSES["cpo-simpo"])
    # 10 · 1 - 5.4 = 4.6, and 10 · (-1.5) - 5.4 = -20.4; a twentieth of 0.5 and of 2.
    assert losses == pytest.approx([-math.log(sigma(4.6)) + 0.025, -math.log(sigma(-20.4)) + 0.1])
    assert losses == pytest.approx([0.0350016521, 20.5000000014])


def test_dpo_compares_whole_answers_with_the_reference() -> None:
    losses, gradient = worked(LOSSES["dpo"], [[-3.0, -7.0], [-5.0, -4.5]])
    # 0.1 · ((-2 + 3) - (-9 + 7)) = 0.3, and 0.1 · ((-6 + 5) - (-4 + 4.5)) = -0.15.
    assert losses == pytest.approx([-math.log(sigma(0.3)), -math.log(sigma(-0.15))])
    first, second = 0.1 * (1 - sigma(0.3)), 0.1 * (1 - sigma(-0.15))
    close(gradient, [[-first, first], [-second, second]])
    with pytest.raises(ValueError, match="reference"):
        worked(LOSSES["dpo"])


def test_arpo_rejects_by_the_distance_of_the_means() -> None:
    losses, gradient = worked(LOSSES["arpo"])
    # Distances 1 and 1.5: 0.9·e^0.4 - 1 = 0.3426422279, 0.9·e^0.6 - 1 = 0.6399069203.
    near, far = 0.9 * math.exp(0.4) - 1, 0.9 * math.exp(0.6) - 1
    assert (near, far) == pytest.approx((0.3426422279, 0.6399069203))
    logits = [0.1 * (-0.5 + near * 1.5) - 1.5, 0.1 * (-2 + far * 0.5) - 1.5]
    assert losses == pytest.approx([-math.log(sigma(logits[0])) + 0.5, -math.log(sigma(logits[1])) + 2])
    # The weight is detached: the gradient by l has it, but nothing of its own slope.
    first, second = (0.1 * (1 - sigma(one)) for one in logits)
    close(
        gradient,
        [[-first / 4 - 1 / 4, near * first / 6], [-second / 3 - 1 / 3, far * second / 8]],
    )


def test_the_weight_of_arpo_stays_between_nothing_and_one() -> None:
    # Distances 0, 0.2, ln(10/9)/0.4 = 0.2634 where it begins, 1, ln(20/9)/0.4 = 1.9963 where it is whole, 5.
    begins, whole = math.log(10 / 9) / 0.4, math.log(20 / 9) / 0.4
    distances = torch.tensor([0.0, 0.2, begins, 1.0, whole, 5.0], dtype=torch.float64)
    means = torch.stack([-distances, torch.zeros_like(distances)], dim=1)
    wanted = [0, 0, 0, 0.9 * math.exp(0.4) - 1, 1, 1]
    assert rejection_weight(means).tolist() == pytest.approx(wanted, abs=1e-12)
    free = rejection_weight(means, clamped=False).tolist()
    assert free == pytest.approx([-0.1, 0.9 * math.exp(0.08) - 1, *wanted[2:]], abs=1e-12)


def test_unclamped_a_near_answer_is_raised_instead_of_rejected() -> None:
    means = torch.tensor([[-1.0, -1.1]], dtype=torch.float64, requires_grad=True)
    ones = torch.ones_like(means)
    slopes = []
    for clamped in (True, False):
        found = replace(LOSSES["arpo"], clamped=clamped).of(means, ones).sum()
        slopes.append(torch.autograd.grad(found, means)[0][0, 1].item())
    assert slopes[0] == 0
    assert slopes[1] < 0  # to make the worse answer likelier lowers the loss


def test_the_weight_of_the_cross_entropy_may_be_nothing() -> None:
    losses, _ = worked(replace(LOSSES["simpo"], alpha=0))
    assert losses[0] == pytest.approx(-math.log(sigma(1.125)))


@pytest.mark.parametrize("wrong", [{"beta": 0.0}, {"beta": math.nan}, {"alpha": -1.0}, {"name": "ppo"}])
def test_constants_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        replace(LOSSES["simpo"], **wrong)  # type: ignore[arg-type]
