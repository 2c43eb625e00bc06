"""The embedded MiniLM: sentences and tokens as vectors."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np

from redraft.models import weights
from redraft.models.base import FloatArray, TokenEmbeddings
from redraft.models.engines import core_count, give_back_memory, loaded_once, save_memory
from redraft.models.tokenization import Pieces, WordPiece
from redraft.settings import Settings

SIZE = 384
ROOM = 510
"""Tokens of a text that fit beside the two marks around it; a longer one is embedded piece by piece."""


class EmbeddedEmbedder:
    """An Embedder on all-MiniLM-L6-v2. Weights are made ready, and loaded, at the first request."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def identity(self) -> str:
        return f"ctranslate2 {ctranslate2.__version__} {weights.fingerprint(self._folder())}"

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        """One vector of length 1 a text; that of a text without tokens is zero."""
        return await asyncio.to_thread(self._embed, list(texts))

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        """Vectors of length 1 for the tokens of each text."""
        return await asyncio.to_thread(self._embed_tokens, list(texts))

    def _embed(self, texts: list[str]) -> FloatArray:
        _, found = self._read(texts)
        vectors = np.zeros((len(texts), SIZE), np.float32)
        for row, pieces in enumerate(found):
            for tokens in pieces:
                vectors[row] += (len(tokens) - 2) * tokens.mean(axis=0)
        return _unit(vectors)

    def _embed_tokens(self, texts: list[str]) -> tuple[TokenEmbeddings, ...]:
        encodings, found = self._read(texts)
        none = np.zeros((0, SIZE), np.float32)
        return tuple(
            TokenEmbeddings(
                tuple(encoding.spans), _unit(np.concatenate([none, *(tokens[1:-1] for tokens in pieces)]))
            )
            for encoding, pieces in zip(encodings, found, strict=True)
        )

    def _read(self, texts: list[str]) -> tuple[list[Pieces], list[list[FloatArray]]]:
        """The tokens of each text, and of each of its pieces a vector a token, the two marks included."""
        if not texts:
            return [], []
        folder = self._folder()
        tokenizer = _tokenizer(folder)
        first, last = tokenizer.id_of("[CLS]"), tokenizer.id_of("[SEP]")
        encodings = [tokenizer.encode(text) for text in texts]
        pieces = [[[first, *piece, last] for piece in _pieces(encoding.ids)] for encoding in encodings]
        encoder, threads = _load(folder, self._settings.threads)

        def read(tokens: list[int]) -> FloatArray:
            # By itself, on one thread: beside others, or on several, its vectors would depend on them.
            found = encoder.forward_batch([tokens], token_type_ids=[[0] * len(tokens)])
            vectors: FloatArray = np.array(found.last_hidden_state)[0]
            return vectors

        with ThreadPoolExecutor(threads) as workers:
            answers = workers.map(read, [piece for own in pieces for piece in own])
            return encodings, [[next(answers) for _ in own] for own in pieces]

    def _folder(self) -> Path:
        return weights.ensure(weights.EMBEDDING, self._settings.weights())


@functools.lru_cache(maxsize=2)
def _tokenizer(folder: Path) -> WordPiece:
    return WordPiece.from_file(folder / weights.TOKENIZER_FILE)


@loaded_once(2)
def _load(folder: Path, wanted: int) -> tuple[Any, int]:
    """An encoder, and how many texts it reads at once."""
    save_memory()
    threads = wanted or core_count()
    encoder = ctranslate2.Encoder(str(folder), compute_type="float32", inter_threads=threads, intra_threads=1)
    give_back_memory()
    return encoder, threads


def _pieces(ids: list[int]) -> list[list[int]]:
    return [ids[start : start + ROOM] for start in range(0, len(ids), ROOM)]


def _unit(vectors: FloatArray) -> FloatArray:
    """Rows scaled to length 1; a zero row stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: FloatArray = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit
