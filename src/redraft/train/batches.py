"""Batches: examples packed one after the other into a row, or padded beside others of about their length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from redraft.train.chat import Example, Pair
from redraft.train.plan import FEWEST_TOKENS, Layout, plan

__all__ = ["FEWEST_TOKENS", "LABELS_TOGETHER", "Batch", "Layout", "pack", "pad", "paired", "plan"]

LABELS_TOGETHER = 1024
"""Where shapes are to stay the same, the number of predictions is rounded up to a multiple."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Tokens in rows, and where in them (rows end to end) which token is to be predicted.

    In a packed batch `bounds` are the ends of its examples, 0 first, and no token sees past them.
    """

    tokens: Tensor
    positions: Tensor
    index: Tensor
    labels: Tensor
    weights: Tensor
    bounds: Tensor | None
    longest: int
    examples: int
    """How many examples it holds."""
    weight: float
    """What its loss is divided by: the weights of all labels together, or the number of pairs."""
    used: int
    """How many tokens are no padding."""
    owners: Tensor
    """The example that each label belongs to."""
    reference: Tensor | None = None
    """The log-probabilities of the examples before training, where they are needed."""

    def to(self, device: torch.device) -> Batch:
        """The same on a device."""

        def move(tensor: Tensor) -> Tensor:
            return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor

        values = {each.name: getattr(self, each.name) for each in fields(self)}
        moved: dict[str, Any] = {
            name: move(value) if isinstance(value, Tensor) else value for name, value in values.items()
        }
        return Batch(**moved)


def pack(examples: Sequence[Example], size: int | None = None, longest: int | None = None) -> Batch:
    """The examples in one row, filled up to `size` tokens where the shape has to stay the same."""
    ends = np.cumsum([0, *map(len, examples)])
    used = int(ends[-1])
    longest = longest or max(map(len, examples))
    tokens = np.concatenate([example.tokens for example in examples])
    bounds = ends.tolist()
    if size is not None:
        # What fills the row is cut as the examples are, so that attention never meets a longer stretch.
        bounds += [*range(used + longest, size, longest), size] if size > used else []
        tokens = np.concatenate([tokens, np.zeros(size - used, np.int64)])
        bounds += [size] * (size // FEWEST_TOKENS + size // longest + 2 - len(bounds))
    edges = np.array(bounds)
    positions = np.arange(len(tokens)) - np.repeat(edges[:-1], np.diff(edges))
    weights = np.concatenate([example.weights for example in examples])
    weights[ends[:-1]] = 0  # nothing comes before the first token of an example
    spare = 0 if size is None else -int(np.count_nonzero(weights)) % LABELS_TOGETHER
    return _batch(tokens[None], positions[None], weights, edges, longest, examples, spare)


def pad(examples: Sequence[Example]) -> Batch:
    """One row an example, filled up on the right, where causal attention never looks."""
    longest = max(map(len, examples))
    tokens = np.zeros((len(examples), longest), np.int64)
    weights = np.zeros((len(examples), longest), np.float32)
    for row, example in enumerate(examples):
        tokens[row, : len(example)] = example.tokens
        weights[row, 1 : len(example)] = example.weights[1:]
    positions = np.broadcast_to(np.arange(longest), tokens.shape)
    return _batch(tokens, positions, weights.reshape(-1), None, longest, examples)


def paired(pairs: Sequence[Pair], size: int | None = None, longest: int | None = None) -> Batch:
    """The pairs in one row: of each the preferred conversation, then the other."""
    batch = pack([one for pair in pairs for one in (pair.preferred, pair.dispreferred)], size, longest)
    found = [pair.reference for pair in pairs if pair.reference is not None]
    reference = torch.tensor(found).flatten() if found else None
    return replace(batch, weight=float(len(pairs)), reference=reference)


def _batch(
    tokens: NDArray[np.int64],
    positions: NDArray[np.int64],
    weights: NDArray[np.float32],
    edges: NDArray[np.int64] | None,
    longest: int,
    examples: Sequence[Example],
    spare: int = 0,
) -> Batch:
    targets = np.flatnonzero(weights)
    width = tokens.shape[1]
    owners = targets // width if edges is None else np.searchsorted(edges, targets, "right") - 1
    return Batch(
        torch.from_numpy(tokens),
        torch.from_numpy(np.ascontiguousarray(positions)),
        torch.from_numpy(np.pad(targets - 1, (0, spare))),
        torch.from_numpy(np.pad(tokens.reshape(-1)[targets], (0, spare))),
        torch.from_numpy(np.pad(weights[targets], (0, spare))),
        None if edges is None else torch.from_numpy(edges.astype(np.int32)),
        longest,
        len(examples),
        float(weights.sum()),
        sum(map(len, examples)),
        torch.from_numpy(np.pad(owners, (0, spare))),
    )
