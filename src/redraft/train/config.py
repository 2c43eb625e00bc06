"""Settings of a training, the tuned numbers, the losses on preferences, and the plan of batches.

All of it is known without loading torch.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from redraft.errors import InputError

if TYPE_CHECKING:
    from torch import Tensor

Layout = Literal["packed", "padded"]
"""Examples one after the other in a row, or padded beside others of about their length."""

# Tuned on the embedded model of 135 million weights, and with the dev sets that docs/training.md names.
WHOLE_MODEL_RATE: Final = 2e-4
"""The highest learning rate where every weight is trained: an adapter's few bear, and need, a higher one."""
EDITOR_LONGEST, EMPHASIS = 320, 3.0
"""Of the editor: the longest example in tokens, and how often a token that is no copy counts."""
RATE, SFT_RATE, PAIRS, SIMPLIFIER_TOKENS = 1e-4, 2e-4, 128, 65_536
"""Of a simplifier: the rates by preference and by imitation, pairs (as in the paper) and tokens a batch."""
SIMPLIFIER_RANK: Final = 32
"""That of the editor, from which it starts."""
PLANNER_LONGEST, PLANNER_TOKENS = 1536, 32_768
"""Of a planner: the longest example, and a batch, in tokens."""
ALIGN_RATE, ALIGN_EPOCHS, ALIGN_PAIRS = 2e-4, 1.0, 32
"""Of an iteration of its self-training: the rate, how often it goes through its pairs, and pairs a batch."""
LEAST_GAIN: Final = 0.001
"""By so much the score of held-out requests has to grow for an iteration to count as an improvement."""
HELD_OUT_SHARE: Final = 0.1
"""Of a planner's texts, held out to measure it on."""
NEAR: Final = 0.7
"""Texts are nearly equal where they share so much of their runs of three words."""

BUCKET = 64
"""Batches whose examples are sorted by length together; more would make neighbours ever the same."""
FEWEST_TOKENS = 32
"""A batch holds no more examples than if each had so many: attention pays for all that it might hold."""


def plan_batches(
    lengths: Sequence[int], budget: int, layout: Layout, seed: int, most: int | None = None
) -> list[list[int]]:
    """The numbers of the examples of each batch, at most `budget` tokens each, in a seeded order.

    Nor are there more than `most` in a batch.
    """
    most = min(max(1, budget // FEWEST_TOKENS), most or budget)
    order = list(range(len(lengths)))
    shuffler = random.Random(seed)
    shuffler.shuffle(order)
    too_long = next((number for number in order if lengths[number] > budget), None)
    if too_long is not None:
        raise InputError(f"an example has {lengths[too_long]} tokens, but a batch holds only {budget}")
    if layout == "packed":
        return _filled(order, lambda total, count, length: total + length <= budget and count < most, lengths)
    window = BUCKET * max(1, budget // max(1, sum(lengths) // max(1, len(lengths))))
    batches = []
    for start in range(0, len(order), window):
        near = sorted(order[start : start + window], key=lambda number: lengths[number])
        batches += _filled(
            near, lambda _, count, length: (count + 1) * length <= budget and count < most, lengths
        )
    shuffler.shuffle(batches)
    return batches


def _filled(
    order: list[int], fits: Callable[[int, int, int], bool], lengths: Sequence[int]
) -> list[list[int]]:
    batches: list[list[int]] = []
    total = 0
    for number in order:
        if not batches or not fits(total, len(batches[-1]), lengths[number]):
            batches.append([])
            total = 0
        batches[-1].append(number)
        total += lengths[number]
    return batches


@dataclass(frozen=True, slots=True)
class Config:
    """How to train. A step learns from `accumulate` batches of `tokens` tokens (for each process)."""

    epochs: float = 3.0
    max_steps: int | None = None
    """Ends there, and the learning rate falls towards it, whatever the epochs."""
    minutes: float | None = None
    """Ends then at the latest, and the learning rate falls towards it: another machine takes other steps."""
    tokens: int = 16_384
    longest: int = 512
    """Tokens of the longest example that is learnt from."""
    accumulate: int = 1
    examples: int | None = None
    """Examples, or pairs, that a batch holds at most, whatever its tokens."""
    layout: Layout = "packed"
    rate: float = 1e-3
    """The highest learning rate, reached after the `warmup` share of training; then half a cosine to zero."""
    warmup: float = 0.03
    weight_decay: float = 0.0
    betas: tuple[float, float] = (0.9, 0.99)
    clip: float = 1.0
    seed: int = 0
    check_every: int = 200
    """Steps between looks at the dev set, each of which is followed by a checkpoint."""
    save_seconds: float = 300.0
    """Seconds after which there is a checkpoint anyway; they change nothing of what is learnt."""
    patience: int | None = None
    """Looks without a lower dev loss until training stops, and the best weights are taken; never by default.

    A small model that edits goes on getting better long after its loss on a dev set of single answers has
    begun to rise: see docs/training.md.
    """
    compile: bool | None = None
    """By default on a GPU only, where it pays."""
    keep: int = 2
    """Checkpoints that are kept, the newest."""

    def __post_init__(self) -> None:
        positive = (
            "epochs", "max_steps", "minutes", "tokens", "accumulate", "examples", "rate", "check_every",
            "save_seconds", "patience", "keep",
        )  # fmt: skip
        for name in positive:
            value = getattr(self, name)
            if value is None:
                continue
            if not math.isfinite(value):
                raise InputError(f"{name} must be a finite number, not {value}")
            if value <= 0:
                raise InputError(f"{name} must be above zero, not {value}")
        if self.longest > self.tokens:
            raise InputError(
                f"a batch of {self.tokens} tokens (--tokens) cannot hold an example of {self.longest} "
                "(--longest): raise the one, or lower the other"
            )
        if not 0 <= self.warmup < 1:
            raise InputError(f"warmup is a share of training from 0 to below 1, not {self.warmup}")


@dataclass(frozen=True, slots=True)
class Alignment:
    """How a planner is aligned: how often, with how many texts and answers."""

    iterations: int = 4
    texts: int = 2000
    samples: int = 4
    """Answers in each state, of which the best and the worst make a pair."""
    steps: int = 5
    """The longest way to a state."""
    temperature: float = 0.8
    margin: float = 0.05
    """By so much the best answer has to be better than the worst."""
    seed: int = 0
    every: bool = False
    """Whether it goes on though an iteration brought nothing, to have the whole curve."""
    control: bool = False
    """Whether another planner learns beside it, from pairs of the same answers drawn at random."""

    def __post_init__(self) -> None:
        if self.samples < 2:
            raise InputError(f"a pair needs at least 2 samples, not {self.samples}")


Name = Literal["simpo", "cpo-simpo", "dpo", "arpo"]

ETA: Final = (0.9, 0.4)
"""ARPO's η₁ and η₂."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A loss on preferences: of two answers to one request, the better one is to become the likelier.

    `alpha` is the weight of the cross-entropy on the preferred answer.

    With w and l the log-probabilities of the preferred and the dispreferred answer, n their lengths in
    tokens, and σ the logistic function, the loss of a pair is

        simpo      -log σ(β·(w/n_w - l/n_l) - γ)                       Meng et al. 2024
        cpo-simpo  the same, with other constants
        dpo        -log σ(β·((w - w_ref) - (l - l_ref)))               Rafailov et al. 2023
        arpo       -log σ(β·(w/n_w - τ·l/n_l) - γ)                     Xu et al. 2025, with SimPO's lengths

    plus α times the cross-entropy of the preferred answer, by token (-w/n_w). Eq. 2 of the TRIPS paper
    has its sum, which would leave next to nothing of the preference where answers are long; CPO-SimPO's
    code, which that paper used, has the mean.

    ARPO rejects an answer the less, the nearer it is to the preferred one: τ = min(0.9·e^(0.4·z) - 1, 1)
    with z = |w/n_w - l/n_l|. For z < 0.26 that is below zero and would *reward* the worse answer, so τ is
    clamped to [0, 1] here; and it is a weight, no path for gradients, so it is detached. `authors` takes τ
    as their code has it: not clamped below, not detached, and with z = |w/n_w² - l/n_l²|, since SimPO's
    means are divided by the lengths once more there. That leaves τ near -0.1 whatever the pair.
    """

    name: Name
    beta: float
    gamma: float = 0.0
    alpha: float = 1.0
    authors: bool = False
    """Whether ARPO's weight is that of its authors' code."""

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

    def record(self) -> dict[str, Any]:
        """As a training's record names it; "clamped" stood there before there was `authors`."""
        found = {"name": self.name, "beta": self.beta, "gamma": self.gamma, "alpha": self.alpha}
        return {**found, "clamped": not self.authors, **({"authors": True} if self.authors else {})}

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
            weight = authors_weight(means / lengths) if self.authors else rejection_weight(means)
            logits = self.beta * (means[:, 0] - weight * means[:, 1]) - self.gamma
        else:
            logits = self.beta * (means[:, 0] - means[:, 1]) - self.gamma
        return -logsigmoid(logits) - self.alpha * means[:, 0]


def rejection_weight(means: Tensor) -> Tensor:
    """ARPO's weight of each dispreferred answer, from the mean log-probabilities of a token."""
    return authors_weight(means.detach()).clamp(min=0)


def authors_weight(means: Tensor) -> Tensor:
    """The same as its authors' code has it: it may fall to -0.1, and gradients go through it."""
    first, second = ETA
    distance = (means[:, 0] - means[:, 1]).abs()
    return (first * (second * distance).exp() - 1).clamp(max=1)


LOSSES: Final[Mapping[str, Loss]] = {
    "simpo": Loss("simpo", 2.5, 1.375),
    "cpo-simpo": Loss("cpo-simpo", 10.0, 5.4, 0.05),
    "dpo": Loss("dpo", 0.1, alpha=0.0),
    "arpo": Loss("arpo", 0.1, 1.5),
}
"""Each with the constants it was published with: simpo as the TRIPS planner's, arpo as the simplifiers'."""
