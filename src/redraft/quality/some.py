"""SOME: what people would say of a sentence's grammar, fluency and meaning (Yoshimura et al., 2020).

Three BERT regressors that learnt marks from 1 to 4. They learnt on single sentences, so a text's score is the
mean over its sentences; what a sentence comes from in the source is found by alignment.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Final

from redraft.errors import ModelError
from redraft.models import Cache, cache_key, folder_fingerprint
from redraft.quality.loading import Folders, in_thread, load
from redraft.text import Document, Format, align, guess_format

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
