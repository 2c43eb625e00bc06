"""What is kept of answers while they are written in a batch: keys and values, and how far each has come.

Its tensors never move, as CUDA graphs read and write them where they are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

LONGEST: Final = 8192
"""Tokens of a prompt and its answer."""
_LONGEST_ANSWER: Final = 2047

Ids = list[int]


class Cache:
    """Keys and values of every layer, in so many rows of so many tokens."""

    def __init__(
        self, tokens: int, depth: int, groups: int, size: int, device: str, kind: torch.dtype
    ) -> None:
        self._groups, self._size = groups, size
        shape = (depth, tokens * groups * size)
        self._flat = [torch.zeros(shape, device=device, dtype=kind) for _ in "kv"]
        self.rows = self.width = 0

    def shape(self, rows: int, width: int) -> None:
        """Begin anew with so many rows of a width."""
        self.rows, self.width = rows, width

    def layer(self, number: int) -> list[Tensor]:
        """Keys and values of a layer: row · group, token, value."""
        shape = self.rows * self._groups, self.width, self._size
        return [flat[number, : math.prod(shape)].view(shape) for flat in self._flat]

    def keep(self, rows: Tensor) -> None:
        """Move these rows, in rising order, to the front."""
        count = len(rows)
        for flat in self._flat:
            for layer in flat:
                shape = self.rows, self._groups * self.width * self._size
                own = layer[: math.prod(shape)].view(shape)
                own[:count] = own[rows]


class State:
    """What is known of each row while it is written; `ends` are the tokens that end one."""

    def __init__(self, rows: int, device: str, ends: tuple[int, int]) -> None:
        def numbers(*shape: int) -> Tensor:
            return torch.zeros(shape, dtype=torch.long, device=device)

        self._ends = ends
        self.length = numbers(rows)
        """Tokens of the prompt of each group."""
        self.token, self.n, self.limit = numbers(rows), numbers(rows), numbers(rows)
        self.out = numbers(rows, _LONGEST_ANSWER + 1)
        self.heat = torch.zeros((), device=device)
        self.likelihood = torch.zeros(rows, device=device)
        """The log-probability of what was written, without a temperature."""
        self.done = torch.ones(rows, dtype=torch.bool, device=device)
        self.ended = torch.zeros(rows, dtype=torch.bool, device=device)
        self.every = torch.arange(rows, device=device)
        self.slots = torch.arange(LONGEST, device=device)

    def begin(self, temperature: float) -> None:
        """Nothing is written yet, and nothing asked for."""
        self.length.fill_(1)
        self.n.zero_()
        self.token.zero_()
        self.heat.fill_(temperature)
        self.done.fill_(True)

    def start(self, groups: Tensor, rows: Tensor, prompts: Sequence[Ids], limits: Sequence[int]) -> None:
        """Prompts for these groups, and rows that have written nothing yet."""
        device, count = self.n.device, len(rows) // len(groups)
        self.length[groups] = torch.tensor([len(prompt) for prompt in prompts], device=device)
        most = torch.tensor(limits, device=device).clamp(max=_LONGEST_ANSWER)
        self.limit[rows] = most.repeat_interleave(count)
        for own in (self.n, self.likelihood, self.done, self.ended):
            own[rows] = 0

    def furthest(self) -> int:
        """The tokens of the longest answer that goes on."""
        return int(torch.where(self.done, 0, self.n).max())

    def take(self, rows: Tensor | slice, logits: Tensor) -> None:
        """Draw the next token of each of these rows; it may end the row."""
        logits = logits.float()
        chosen = _chosen(logits, self.heat)
        n, done, every = self.n[rows], self.done[rows], self.every[rows]
        end = (chosen == self._ends[0]) | (chosen == self._ends[1])
        of_chosen = logits.gather(1, chosen[:, None])[:, 0] - logits.logsumexp(-1)
        self.likelihood[rows] += torch.where(done, 0.0, of_chosen)
        self.out[every, n] = torch.where(done | end, self.out[every, n], chosen)
        self.ended[rows] |= end & ~done
        self.n[rows] = n + (~done & ~end)
        self.done[rows] = done | end | (self.n[rows] >= self.limit[rows])
        self.token[rows] = chosen

    def keep(self, groups: Tensor, rows: Tensor) -> None:
        """Move these groups and rows to the front."""
        self.length[: len(groups)] = self.length[groups]
        count = len(rows)
        for own in (self.token, self.n, self.limit, self.out, self.done, self.ended, self.likelihood):
            own[:count] = own[rows]
        self.done[count:] = True


def _chosen(logits: Tensor, heat: Tensor) -> Tensor:
    """One token a row, drawn at a temperature (Gumbel's way); the likeliest where that is zero."""
    noise = -torch.log(-torch.log(torch.rand_like(logits).clamp_(1e-9, 1 - 1e-7)))
    return (logits + heat * noise).argmax(-1)
