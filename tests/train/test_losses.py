from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from redraft.errors import InputError
from redraft.train.config import LOSSES, Loss, authors_weight, rejection_weight

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
    free = authors_weight(means).tolist()
    assert free == pytest.approx([-0.1, 0.9 * math.exp(0.08) - 1, *wanted[2:]], abs=1e-12)


def test_arpo_as_its_authors_have_it_divides_by_the_length_twice_and_learns_through_the_weight() -> None:
    losses, gradient = worked(replace(LOSSES["arpo"], authors=True))
    # The means -0.5, -1.5 and -2, -0.5 once more by 4, 6 and 3, 8: distances 0.125 and 0.6041666667.
    distances = [abs(-0.5 / 4 + 1.5 / 6), abs(-2 / 3 + 0.5 / 8)]
    assert distances == pytest.approx([0.125, 0.6041666667])
    weights = [0.9 * math.exp(0.4 * distance) - 1 for distance in distances]
    assert weights == pytest.approx([-0.0538560133, 0.1460326990])
    logits = [0.1 * (-0.5 + weights[0] * 1.5) - 1.5, 0.1 * (-2 + weights[1] * 0.5) - 1.5]
    assert losses == pytest.approx([-math.log(sigma(logits[0])) + 0.5, -math.log(sigma(logits[1])) + 2])
    # dτ/dz = 0.36·e^(0.4·z); dz/dw = ±1/n_w² and dz/dl = ∓1/n_l², + where w/n_w² is the greater.
    slopes = [0.36 * math.exp(0.4 * distance) for distance in distances]
    first, second = (0.1 * (1 - sigma(one)) for one in logits)
    close(
        gradient,
        [
            [
                -first * (1 / 4 + slopes[0] / 16 * 1.5) - 1 / 4,
                first * (weights[0] / 6 + slopes[0] / 36 * 1.5),
            ],
            [
                -second * (1 / 3 - slopes[1] / 9 * 0.5) - 1 / 3,
                second * (weights[1] / 8 - slopes[1] / 64 * 0.5),
            ],
        ],
    )


def test_with_the_weight_of_its_authors_a_near_answer_is_raised_instead_of_rejected() -> None:
    means = torch.tensor([[-1.0, -1.0001]], dtype=torch.float64, requires_grad=True)
    lengths = torch.full_like(means, 20.0)
    slopes = []
    for authors in (False, True):
        found = replace(LOSSES["arpo"], authors=authors).of(means * lengths, lengths).sum()
        slopes.append(torch.autograd.grad(found, means)[0][0, 1].item())
    assert slopes[0] == 0
    assert slopes[1] < 0  # to make the worse answer likelier lowers the loss


def test_a_record_says_whose_weight_it_was() -> None:
    assert LOSSES["arpo"].record() == {
        "name": "arpo", "beta": 0.1, "gamma": 1.5, "alpha": 1.0, "clamped": True,
    }  # fmt: skip
    theirs = replace(LOSSES["arpo"], authors=True).record()
    assert (theirs["clamped"], theirs["authors"]) == (False, True)


def test_the_weight_of_the_cross_entropy_may_be_nothing() -> None:
    losses, _ = worked(replace(LOSSES["simpo"], alpha=0))
    assert losses[0] == pytest.approx(-math.log(sigma(1.125)))


@pytest.mark.parametrize("wrong", [{"beta": 0.0}, {"beta": math.nan}, {"alpha": -1.0}, {"name": "ppo"}])
def test_constants_that_mean_nothing_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError):
        replace(LOSSES["simpo"], **wrong)  # type: ignore[arg-type]
