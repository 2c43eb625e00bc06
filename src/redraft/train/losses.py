"""Losses on preferences: of two answers to one request, the better one is to become the likelier.

With w and l the log-probabilities of the preferred and the dispreferred answer, n their lengths in tokens,
and σ the logistic function, the loss of a pair is

    simpo      -log σ(β·(w/n_w - l/n_l) - γ)                       Meng et al. 2024
    cpo-simpo  the same, with other constants
    dpo        -log σ(β·((w - w_ref) - (l - l_ref)))               Rafailov et al. 2023
    arpo       -log σ(β·(w/n_w - τ·l/n_l) - γ)                     Xu et al. 2025, with SimPO's lengths

plus α times the cross-entropy of the preferred answer, by token (-w/n_w). Eq. 2 of the TRIPS paper has its
sum, which would leave next to nothing of the preference where answers are long; CPO-SimPO's code, which that
paper used, has the mean.

ARPO rejects an answer the less, the nearer it is to the preferred one: τ = min(0.9·e^(0.4·z) - 1, 1) with
z = |w/n_w - l/n_l|. For z < 0.26 that is below zero and would *reward* the worse answer, so τ is clamped to
[0, 1] here; and it is a weight, no path for gradients, so it is detached. (The authors' code does neither,
and in SimPO's mode divides z by the lengths twice, which leaves τ near -0.1 whatever the pair.)
`clamped=False` only lifts the lower bound, for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from redraft.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

Name = Literal["simpo", "cpo-simpo", "dpo", "arpo"]

ETA: Final = (0.9, 0.4)
"""ARPO's η₁ and η₂."""


@dataclass(frozen=True, slots=True)
class Loss:
    """How pairs are learnt from; `alpha` is the weight of the cross-entropy on the preferred answer."""

    name: Name
    beta: float
    gamma: float = 0.0
    alpha: float = 1.0
    clamped: bool = True
    """Whether ARPO's weight stays in [0, 1]."""

    def __post_init__(self) -> None:
        if self.name not in get_args(Name):
            raise InputError(f"no loss is called {self.name!r}; there are {', '.join(get_args(Name))}")
        if not self.beta > 0:
            raise InputError(f"beta must be above zero, not {self.beta}")
        if not self.alpha >= 0:
            raise InputError(f"alpha must not be below zero, not {self.alpha}")
        if not all(map(math.isfinite, (self.beta, self.gamma, self.alpha))):
            raise InputError("beta, gamma and alpha must be finite numbers")

    @property
    def needs_reference(self) -> bool:
        """Whether it compares with what the model would have said before training."""
        return self.name == "dpo"

    def of(self, sums: Tensor, lengths: Tensor, reference: Tensor | None = None) -> Tensor:
        """The loss of each pair; the arguments have a row a pair: the preferred, then the dispreferred."""
        from torch.nn.functional import logsigmoid  # noqa: PLC0415 - losses are named without torch

        means = sums / lengths
        if self.name == "dpo":
            if reference is None:
                raise ValueError("dpo needs the log-probabilities of the reference")
            gained = sums - reference
            logits = self.beta * (gained[:, 0] - gained[:, 1])
        elif self.name == "arpo":
            weight = rejection_weight(means, clamped=self.clamped)
            logits = self.beta * (means[:, 0] - weight * means[:, 1]) - self.gamma
        else:
            logits = self.beta * (means[:, 0] - means[:, 1]) - self.gamma
        return -logsigmoid(logits) - self.alpha * means[:, 0]


def rejection_weight(means: Tensor, *, clamped: bool = True) -> Tensor:
    """ARPO's weight of each dispreferred answer, from the mean log-probabilities of a token."""
    first, second = ETA
    distance = (means[:, 0] - means[:, 1]).abs().detach()
    return (first * (second * distance).exp() - 1).clamp(0 if clamped else None, 1)


LOSSES: Final[Mapping[str, Loss]] = {
    "simpo": Loss("simpo", 2.5, 1.375),
    "cpo-simpo": Loss("cpo-simpo", 10.0, 5.4, 0.05),
    "dpo": Loss("dpo", 0.1, alpha=0.0),
    "arpo": Loss("arpo", 0.1, 1.5),
}
"""Each with the constants it was published with: simpo as the TRIPS planner's, arpo as the simplifiers'."""
