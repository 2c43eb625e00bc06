"""How likely texts are to a model in torch: many at once, for a GPU, where the embedded scorer has cores."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from redraft.models.base import LogProbs
from redraft.models.pretrained import load_gguf

START = "<|endoftext|>"
LONGEST = 2048
"""Tokens of a text, and of a text with its context, that are looked at."""
BATCH = {"cpu": 1024, "cuda": 1 << 15}
"""Tokens that are read at once, padding among them."""


class TorchScorer:
    """A Scorer on the weights of a GGUF, loaded at the first request.

    Of a text only its first 2,048 tokens are scored, and of its context only the end that fits before them:
    it is for sentences.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        """The log-probabilities of each text, right after its context where there are contexts."""
        given = contexts if contexts is not None else [""] * len(texts)
        return await asyncio.to_thread(self._score, list(zip(texts, given, strict=True)))

    def _score(self, pairs: Sequence[tuple[str, str]]) -> tuple[LogProbs, ...]:
        model, tokenizer = self._loaded
        start = tokenizer.token_to_id(START)
        own = [found.ids[:LONGEST] for found in tokenizer.encode_batch_fast([text for text, _ in pairs])]
        before = tokenizer.encode_batch_fast([context for _, context in pairs])
        rows = [
            [start, *found.ids[max(0, len(found.ids) + len(ids) - LONGEST) :], *ids]
            for found, ids in zip(before, own, strict=True)
        ]
        values: list[tuple[float, ...]] = [()] * len(pairs)
        for batch in _batches([len(row) for row in rows], BATCH[model.device.type]):
            scored = _scored(model, [rows[place] for place in batch], [len(own[place]) for place in batch])
            for place, found in zip(batch, scored, strict=True):
                values[place] = found
        return tuple(
            LogProbs(tuple(tokenizer.id_to_token(token) for token in ids), found)
            for ids, found in zip(own, values, strict=True)
        )

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        found = load_gguf(self._path)
        model: Any = found.model
        return model.to("cuda" if torch.cuda.is_available() else "cpu"), found.tokenizer


def _batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Rows of similar length, the longest first."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    while order:
        count = max(1, most // lengths[order[0]])
        yield order[:count]
        order = order[count:]


@torch.inference_mode()
def _scored(model: Any, rows: Sequence[Sequence[int]], counts: Sequence[int]) -> list[tuple[float, ...]]:
    """The log-probabilities of the last `counts` tokens of each row; what is padded stands after them."""
    padded = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    tokens = torch.from_numpy(padded).to(model.device)
    hidden: Tensor = model.model(tokens).last_hidden_state
    places = torch.tensor(
        [
            (number, place)
            for number, (row, count) in enumerate(zip(rows, counts, strict=True))
            for place in range(len(row) - count, len(row))
        ],
        dtype=torch.long,
        device=model.device,
    ).reshape(-1, 2)
    said = model.lm_head(hidden[places[:, 0], places[:, 1] - 1]).float()
    found = -functional.cross_entropy(said, tokens[places[:, 0], places[:, 1]], reduction="none")
    values = iter(found.tolist())
    return [tuple(islice(values, count)) for count in counts]
