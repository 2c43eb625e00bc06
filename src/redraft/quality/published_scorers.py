"""How likely a text is to GPT-2, and to BART after its source (BARTScore: Yuan et al., 2021), and SOME.

SOME is what people would say of a sentence's grammar, fluency and meaning (Yoshimura et al., 2020): three
BERT regressors that learnt marks from 1 to 4. They learnt on single sentences, so a text's score is the mean
over its sentences; what a sentence comes from in the source is found by alignment.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Final

from redraft.errors import ModelError
from redraft.models import Cache, LogProbs, cache_key, folder_fingerprint
from redraft.quality.loading import Folders, Loaded, in_thread, load
from redraft.text import Document, Format, align, guess_format

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


Pair = tuple[str, str | None]
"""A text and its source; None where it is looked at alone."""

LEAST, MOST = 1.0, 4.0
LONGEST: Final = 128
"""Tokens of a sentence, or of a sentence and its source, that are seen: as in training."""


@dataclass(frozen=True, slots=True)
class Weights:
    """What each part counts; those of the paper, tuned there on judgements of people."""

    grammar: float = 0.55
    fluency: float = 0.43
    meaning: float = 0.02


@dataclass(frozen=True, slots=True)
class Some:
    """The three regressors; marks of a sentence are kept in the cache."""

    folders: Folders
    cache: Cache
    weights: Weights = Weights()
    threads: int = 0

    async def score(self, pairs: Sequence[Pair], format: Format | None) -> tuple[float, ...]:
        """Of each text, with its source where there is one, the weighted mean of its parts.

        Without a source there is no mark for the meaning, and the two others make up the score.
        """
        passages = await asyncio.to_thread(
            lambda: {pair: _passages(*pair, format) for pair in dict.fromkeys(pairs)}
        )
        alone = [(text, None) for found in passages.values() for text, _ in found]
        beside = [pair for found in passages.values() for pair in found if pair[1] is not None]
        grammar = await self._marks(self.folders.grammar, alone)
        fluency = await self._marks(self.folders.fluency, alone)
        meaning = await self._marks(self.folders.meaning, beside)
        scores = {}
        for pair, found in passages.items():
            parts = [
                (self.weights.grammar, fmean(grammar[text, None] for text, _ in found)),
                (self.weights.fluency, fmean(fluency[text, None] for text, _ in found)),
            ]
            if pair[1] is not None:
                parts.append((self.weights.meaning, fmean(meaning[passage] for passage in found)))
            scores[pair] = sum(weight * mark for weight, mark in parts) / sum(weight for weight, _ in parts)
        return tuple(scores[pair] for pair in pairs)

    async def _marks(self, folder: Path, asked: Sequence[Pair]) -> dict[Pair, float]:
        """The marks on 0 to 1 of distinct sentences, each alone or beside its source."""
        identity = f"some {folder_fingerprint(folder)}"
        keys = {pair: cache_key("some", identity, pair) for pair in dict.fromkeys(asked)}
        known = {key: float(json.loads(value)) for key, value in self.cache.get(list(keys.values())).items()}
        missing = [pair for pair, key in keys.items() if key not in known]
        if missing:
            found = await in_thread(lambda cancelled: _read(folder, missing, self.threads, cancelled))
            fresh = {keys[pair]: mark for pair, mark in zip(missing, found, strict=True)}
            self.cache.put("some", {key: json.dumps(mark).encode() for key, mark in fresh.items()})
            known |= fresh
        return {pair: (known[key] - LEAST) / (MOST - LEAST) for pair, key in keys.items()}


def _passages(text: str, source: str | None, format: Format | None) -> list[Pair]:
    """The sentences of a text, each with those of the source that it comes from."""
    revised = Document(text, format or guess_format(text))
    if source is None:
        return [(sentence.text, None) for sentence in revised.sentences] or [(text, None)]
    original = Document(source, format or guess_format(source))
    origins = {
        number: " ".join(original.sentence(origin).text for origin in link.original)
        for link in align(original, revised)
        for number in link.revised
    }
    found: list[Pair] = [
        (sentence.text, origins[number]) for number, sentence in enumerate(revised.sentences, 1)
    ]
    return found or [(text, source)]


def _read(folder: Path, pairs: Sequence[Pair], threads: int, cancelled: threading.Event) -> list[float]:
    """The marks that a regressor gives; the source of a pair stands first."""
    import torch  # noqa: PLC0415 - an optional part, and slow to import

    loaded = load("BertForSequenceClassification", folder, threads)
    if loaded.model.config.num_labels != 1:
        raise ModelError(
            f"{folder} is no regressor: it tells {loaded.model.config.num_labels} classes apart",
            provider="torch",
        )
    marks = [0.0] * len(pairs)
    with loaded.asking, torch.inference_mode():
        loaded.tokenizer.enable_truncation(LONGEST)
        encoded = loaded.tokenizer.encode_batch(
            [text if source is None else (source, text) for text, source in pairs]
        )
        for batch in loaded.batches([len(each) for each in encoded]):
            if cancelled.is_set():
                break
            longest = max(len(encoded[i]) for i in batch)
            for i in batch:
                encoded[i].pad(longest)
            columns = {
                "input_ids": [encoded[i].ids for i in batch],
                "attention_mask": [encoded[i].attention_mask for i in batch],
                "token_type_ids": [encoded[i].type_ids for i in batch],
            }
            inputs = {name: torch.tensor(rows, device=loaded.device) for name, rows in columns.items()}
            for i, mark in zip(batch, loaded.model(**inputs).logits.squeeze(1).tolist(), strict=True):
                marks[i] = mark
    return marks
