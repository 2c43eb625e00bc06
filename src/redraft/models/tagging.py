"""The edit tagger: for each word of a passage, how likely each edit of it is.

A DistilBERT reads the passage from both sides, where the editor writes it anew from left to right: each sees
errors that the other overlooks, and this one takes some hundredths of a second.
"""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import ctranslate2
import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file

from redraft.models import weights
from redraft.models.base import FloatArray, TagOdds
from redraft.models.engines import give_back_memory, loaded_once, save_memory
from redraft.models.tokenization import WordPiece
from redraft.settings import Settings

ADAPTER: Final = Path(str(files("redraft.models"))) / "adapters" / "tagger.safetensors"
"""What the tagger learnt for this project: its changes of the encoder, and its tags."""
ROOM: Final = 254
"""Pieces of words that are read at once, beside the two marks around them."""


class EmbeddedTagger:
    """The tagger that ships. Weights are made ready, and loaded, at the first request."""

    def __init__(self, settings: Settings, adapter: Path = ADAPTER) -> None:
        self._settings = settings
        self._adapter = adapter

    async def tagged(self, passages: Sequence[Sequence[str]]) -> tuple[TagOdds, ...]:
        """The odds of each passage; words beyond what is read at once have no row."""
        return await asyncio.to_thread(lambda: tuple(map(self._tagged, passages)))

    def _tagged(self, words: Sequence[str]) -> TagOdds:
        root = self._settings.weights()
        folder = weights.ensure(weights.tagging(self._adapter), root)
        return _load(folder, self._adapter).tagged(words)


class _Loaded:
    def __init__(self, folder: Path, adapter: Path) -> None:
        with safe_open(adapter, "np") as file:
            self._tags = tuple(json.loads(file.metadata()["tags"]))
        own = load_file(adapter)
        self._head: FloatArray = own["head.weight"].astype(np.float32)
        self._bias: FloatArray = own["head.bias"].astype(np.float32)
        self._tokenizer = WordPiece.from_file(folder / weights.TOKENIZER_FILE)
        self._pieces = functools.lru_cache(1 << 16)(lambda word: tuple(self._tokenizer.encode(word).ids))
        self._encoder: Any = ctranslate2.Encoder(
            str(folder), compute_type="int8", inter_threads=1, intra_threads=1
        )

    def tagged(self, words: Sequence[str]) -> TagOdds:
        unknown = (self._tokenizer.id_of("[UNK]"),)
        ids, first = [self._tokenizer.id_of("[CLS]")], [0]
        for word in words:
            pieces = self._pieces(word) or unknown
            if len(ids) + len(pieces) > ROOM + 1:
                break
            first.append(len(ids))
            ids += pieces
        ids.append(self._tokenizer.id_of("[SEP]"))
        found = self._encoder.forward_batch([ids])
        vectors: FloatArray = np.array(found.last_hidden_state)[0, first]
        scores = vectors @ self._head.T + self._bias
        scores -= scores.max(axis=-1, keepdims=True)
        odds: FloatArray = (scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))).astype(np.float32)
        return TagOdds(self._tags, odds)


@loaded_once(1)
def _load(folder: Path, adapter: Path) -> _Loaded:
    save_memory()
    model = _Loaded(folder, adapter)
    give_back_memory()
    return model
