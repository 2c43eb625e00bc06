"""Writing many texts at once: read the prompts, then a token a step for every row that is not done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from redraft.models.torch_llama import GROWTH, Cache, Llama

PROMPT_TOKENS = {"cpu": 2048, "cuda": 1 << 16}
"""Tokens of prompts, padding among them, that are read in one go."""

MASK_CELLS = {"cpu": 1 << 24, "cuda": 1 << 28}
"""Pairs of tokens that are looked at in one go: a long prompt takes the square of its length."""

STEPS = {"cpu": 1, "cuda": 8}
"""Steps between two looks at what was written: on a GPU each look waits for it."""


@dataclass(slots=True, eq=False)
class Row:
    """One text to write; `written` grows until `finished`. A temperature of 0 is greedy.

    `ends` says of what was written whether a stop string is in it, and `gone` whether anybody still waits.
    """

    prompt: list[int]
    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    ends: Callable[[list[int]], bool] | None = None
    gone: Callable[[], bool] | None = None
    written: list[int] = field(default_factory=list)
    finished: bool = False
    stopped: bool = False

    def add(self, tokens: Sequence[int], stops: frozenset[int]) -> None:
        """Take new tokens up to the end of the text, if it is among them."""
        for token in tokens:
            self.written.append(token)
            self.stopped = token in stops
            self.finished = self.stopped or len(self.written) >= self.max_tokens
            if self.finished:
                break
        if self.ends is not None and not self.stopped and self.ends(self.written):
            self.finished = self.stopped = True
        if self.gone is not None and self.gone():
            self.finished = True


@torch.inference_mode()
def write(llama: Llama, rows: Sequence[Row], stops: frozenset[int]) -> None:
    """Write every row to its end; the answer to one does not depend on the others, but for rounding."""
    device = llama.embedding.device
    live = list(rows)
    width = max(len(row.prompt) for row in live)
    pads = torch.tensor([width - len(row.prompt) for row in live], device=device)
    cache = Cache(llama, len(live), width + min(GROWTH, max(row.max_tokens for row in live)))
    chooser = Chooser(live, device)
    tokens = chooser.choose(_read_prompts(llama, live, pads, cache), 0)
    pending = [tokens]
    step = 1
    while True:
        if step % STEPS[device.type] == 0 or step >= max(row.max_tokens for row in live):
            found = torch.stack(pending, 1).tolist()
            pending = []
            for row, new in zip(live, found, strict=True):
                if not row.finished:
                    row.add(new, stops)
            kept = [index for index, row in enumerate(live) if not row.finished]
            if not kept:
                return
            if len(kept) <= len(live) // 2:
                live = [live[index] for index in kept]
                chosen = torch.tensor(kept, device=device)
                cache.keep(chosen)
                chooser = chooser.kept(chosen)
                tokens, pads = tokens[chosen], pads[chosen]
        logits = llama.read(tokens[:, None], pads, cache, slice(None))
        cache.length += 1
        tokens = chooser.choose(logits, step)
        pending.append(tokens)
        step += 1


def _read_prompts(llama: Llama, rows: Sequence[Row], pads: Tensor, cache: Cache) -> Tensor:
    """The logits after each prompt; the prompts are read some rows at a time."""
    device = llama.embedding.device
    width = max(len(row.prompt) for row in rows)
    padded = np.zeros((len(rows), width), np.int64)
    for index, row in enumerate(rows):
        padded[index, width - len(row.prompt) :] = row.prompt
    tokens = torch.from_numpy(padded).to(device)
    share = llama.heads.queries // llama.heads.groups
    at_once = min(PROMPT_TOKENS[device.type] // width, MASK_CELLS[device.type] // (share * width * width))
    at_once = max(1, at_once)
    found = [
        llama.read(
            tokens[start : start + at_once],
            pads[start : start + at_once],
            cache,
            slice(start, start + at_once),
        )
        for start in range(0, len(rows), at_once)
    ]
    cache.length = width
    return torch.cat(found)


class Chooser:
    """Chooses the next token of each row: the likeliest, or one drawn with the row's own random numbers."""

    def __init__(self, rows: Sequence[Row], device: torch.device) -> None:
        self._temperature = torch.tensor([row.temperature for row in rows], device=device)
        self._top_p = torch.tensor([row.top_p for row in rows], device=device)
        self._draws = any(row.temperature > 0 for row in rows)
        self._cuts = self._draws and any(row.top_p < 1 for row in rows)
        self._random: Tensor | None = None
        if self._draws:
            most = max(row.max_tokens for row in rows)
            numbers = np.zeros((len(rows), most), np.float32)
            for index, row in enumerate(rows):
                if row.temperature > 0:
                    own = np.random.default_rng(row.seed)
                    numbers[index, : row.max_tokens] = own.random(row.max_tokens, np.float32)
            self._random = torch.from_numpy(numbers).to(device)

    def kept(self, rows: Tensor) -> Chooser:
        """The chooser of these rows alone."""
        fewer = Chooser((), rows.device)
        fewer._draws, fewer._cuts = self._draws, self._cuts
        fewer._temperature, fewer._top_p = self._temperature[rows], self._top_p[rows]
        fewer._random = self._random[rows] if self._random is not None else None
        return fewer

    def choose(self, logits: Tensor, step: int) -> Tensor:
        """One token a row."""
        likeliest = logits.argmax(-1)
        if self._random is None or step >= self._random.shape[1]:
            return likeliest
        if self._cuts:
            logits = self._cut(logits)
        likely = torch.softmax(logits / self._temperature.clamp(min=1e-4)[:, None], -1)
        drawn = _inverse(likely, self._random[:, step, None])
        return torch.where(self._temperature > 0, drawn, likeliest)

    def _cut(self, logits: Tensor) -> Tensor:
        """Less what is outside top_p of the model's own probabilities, as llama.cpp has it: unheated."""
        ordered = logits.sort(-1, descending=True).values
        likely = torch.softmax(ordered, -1)
        inside = likely.cumsum(-1) - likely < self._top_p[:, None]
        least = ordered.masked_fill(~inside, torch.inf).amin(-1, keepdim=True)
        out = (logits < least) & (self._top_p < 1)[:, None]
        return logits.masked_fill(out, -torch.inf)


def _inverse(probabilities: Tensor, random: Tensor) -> Tensor:
    """The token at which the cumulated probability passes a random number between 0 and 1."""
    summed = probabilities.cumsum(-1)
    # The sum is 1 but for rounding: scaled by it, a number close to 1 finds a token that is possible.
    return torch.searchsorted(summed, random * summed[:, -1:], right=True).clamp(max=summed.shape[1] - 1)[
        :, 0
    ]
