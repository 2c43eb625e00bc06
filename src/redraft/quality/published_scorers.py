"""How likely a text is to GPT-2, and to BART after its source (BARTScore: Yuan et al., 2021)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.models import LogProbs, folder_fingerprint
from redraft.quality.loading import Loaded, in_thread, load

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True, slots=True)
class Window:
    """Tokens of one text, of which the last `count` are scored."""

    text: int
    tokens: list[int]
    count: int


@dataclass(frozen=True, slots=True)
class Gpt2Scorer:
    """A Scorer on GPT-2; contexts are left aside.

    A text begins after the token that separates texts, so that its first word counts too. One that is longer
    than the model's context is seen through windows, each half over the one before: a token has at least half
    a context before it.
    """

    folder: Path
    threads: int = 0

    def identity(self) -> str:
        """The weights, for the cache."""
        return f"gpt2 {folder_fingerprint(self.folder)}"

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        """The log-probabilities of each text's tokens."""
        return await in_thread(lambda cancelled: self._score(texts, cancelled))

    def _score(self, texts: Sequence[str], cancelled: threading.Event) -> tuple[LogProbs, ...]:
        loaded = load("GPT2LMHeadModel", self.folder, self.threads)
        encoded = loaded.tokenizer.encode_batch(list(texts), add_special_tokens=False)
        start, context = loaded.model.config.bos_token_id, loaded.model.config.n_positions
        windows = [
            window
            for place, text in enumerate(encoded)
            for window in windows_of(place, [start, *text.ids], context)
        ]
        values: list[list[float]] = [[] for _ in windows]
        with loaded.asking:
            for batch in loaded.batches([len(window.tokens) for window in windows]):
                if cancelled.is_set():
                    break
                for place, row in zip(batch, _after(loaded, [windows[i].tokens for i in batch]), strict=True):
                    values[place] = row[-windows[place].count :]
        found: list[list[float]] = [[] for _ in texts]
        for window, row in zip(windows, values, strict=True):
            found[window.text] += row
        return tuple(
            LogProbs(tuple(text.tokens), tuple(row)) for text, row in zip(encoded, found, strict=True)
        )


@dataclass(frozen=True, slots=True)
class BartScorer:
    """A Scorer on BART, where the context is what is read and the text what is written.

    The mean is BARTScore: the marks for the beginning and the end of a text are tokens too, and of what is
    longer than BART's context the rest is not seen.
    """

    folder: Path
    threads: int = 0

    def identity(self) -> str:
        """The weights, for the cache."""
        return f"bart {folder_fingerprint(self.folder)}"

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        """The log-probabilities of each text's tokens, where its context was read."""
        given = contexts if contexts is not None else [""] * len(texts)
        return await in_thread(lambda cancelled: self._score(texts, given, cancelled))

    def _score(
        self, texts: Sequence[str], contexts: Sequence[str], cancelled: threading.Event
    ) -> tuple[LogProbs, ...]:
        loaded = load("BartForConditionalGeneration", self.folder, self.threads)
        found = [LogProbs((), ())] * len(texts)
        with loaded.asking:
            loaded.tokenizer.enable_truncation(loaded.model.config.max_position_embeddings)
            written = loaded.tokenizer.encode_batch(list(texts))
            read = loaded.tokenizer.encode_batch(list(contexts))
            lengths = [max(len(one), len(other)) for one, other in zip(written, read, strict=True)]
            for batch in loaded.batches(lengths):
                if cancelled.is_set():
                    break
                rows = _given(loaded, [read[i].ids for i in batch], [written[i].ids for i in batch])
                for place, row in zip(batch, rows, strict=True):
                    found[place] = LogProbs(tuple(written[place].tokens), tuple(row))
        return tuple(found)


def windows_of(text: int, tokens: list[int], context: int) -> Iterator[Window]:
    """Windows over a text that together score each token but the first once."""
    scored = 1
    for start in range(0, len(tokens), context // 2):
        end = min(start + context, len(tokens))
        if end > scored:
            yield Window(text, tokens[start:end], end - scored)
            scored = end


def _after(loaded: Loaded, rows: Sequence[list[int]]) -> list[list[float]]:
    """The log-probability of each token but the first, after those before it."""
    import torch  # noqa: PLC0415

    tokens, mask = _padded(rows, 0, loaded.device)
    with torch.inference_mode():
        logits = loaded.model(input_ids=tokens, attention_mask=mask, use_cache=False).logits
        return _picked(logits[:, :-1], tokens[:, 1:], [len(row) - 1 for row in rows])


def _given(loaded: Loaded, read: Sequence[list[int]], written: Sequence[list[int]]) -> list[list[float]]:
    """The log-probability of each token that is written, after what was read."""
    import torch  # noqa: PLC0415

    config = loaded.model.config
    inputs, mask = _padded(read, config.pad_token_id, loaded.device)
    tokens, _ = _padded(written, config.pad_token_id, loaded.device)
    start = torch.full_like(tokens[:, :1], config.decoder_start_token_id)
    with torch.inference_mode():
        logits = loaded.model(
            input_ids=inputs,
            attention_mask=mask,
            decoder_input_ids=torch.cat([start, tokens[:, :-1]], dim=1),
            use_cache=False,
        ).logits
        return _picked(logits, tokens, [len(row) for row in written])


def _padded(
    rows: Sequence[list[int]], filler: int, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    import torch  # noqa: PLC0415

    longest = max(len(row) for row in rows)
    tokens = torch.tensor([[*row, *[filler] * (longest - len(row))] for row in rows], device=device)
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows], device=device)
    return tokens, mask


def _picked(logits: torch.Tensor, tokens: torch.Tensor, counts: Sequence[int]) -> list[list[float]]:
    """Of each distribution the log-probability of the token that came, without the padding."""
    chosen = logits.gather(2, tokens.unsqueeze(2)).squeeze(2) - logits.logsumexp(dim=2)
    return [row[:count] for row, count in zip(chosen.tolist(), counts, strict=True)]
