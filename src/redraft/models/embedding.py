"""Vectors of sentences and of tokens, from MiniLM in llama.cpp."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from redraft.models import weights
from redraft.models.base import FloatArray, TokenEmbeddings
from redraft.models.llama import ENGINE, Engine, EngineConfig, shared_engine
from redraft.models.tokenization import Pieces, WordPiece
from redraft.settings import Settings

DIMENSIONS = 384
CONTEXT = 512
INSIDE = CONTEXT - 2
"""Tokens of a text that fit beside the two marks around it; a longer one is embedded piece by piece."""
CALL_SIZE = 64
"""Pieces sent in one call."""


class EmbeddedEmbedder:
    """An Embedder on all-MiniLM-L6-v2. Weights are made ready, and loaded, at the first request."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def identity(self) -> str:
        return f"{ENGINE} {weights.fingerprint(self._folder())}"

    async def embed(self, texts: Sequence[str]) -> FloatArray:
        """One vector of length 1 a text; that of a text without tokens is zero."""
        return await asyncio.to_thread(self._embed, list(texts))

    async def embed_tokens(self, texts: Sequence[str]) -> tuple[TokenEmbeddings, ...]:
        """Vectors of length 1 for the tokens of each text."""
        return await asyncio.to_thread(self._embed_tokens, list(texts))

    def _embed(self, texts: list[str]) -> FloatArray:
        pieces = [_pieces(encoding.ids) for encoding in self._encode(texts)]
        answers = iter(self._ask("mean", [piece for group in pieces for piece in group]))
        vectors = np.zeros((len(texts), DIMENSIONS), np.float32)
        for row, group in enumerate(pieces):
            for piece in group:
                vectors[row] += len(piece) * next(answers)[0]
        return _unit(vectors)

    def _embed_tokens(self, texts: list[str]) -> tuple[TokenEmbeddings, ...]:
        encodings = self._encode(texts)
        pieces = [_pieces(encoding.ids) for encoding in encodings]
        answers = iter(self._ask("none", [piece for group in pieces for piece in group]))
        found = []
        for encoding, group in zip(encodings, pieces, strict=True):
            vectors = np.concatenate(
                [np.zeros((0, DIMENSIONS), np.float32), *(next(answers)[1:-1] for _ in group)]
            )
            found.append(TokenEmbeddings(tuple(encoding.spans), _unit(vectors)))
        return tuple(found)

    def _ask(self, pooling: Literal["mean", "none"], pieces: list[list[int]]) -> list[FloatArray]:
        """The rows of vectors of each piece: one (`mean`), or one a token and mark (`none`)."""
        if not pieces:
            return []
        engine = self._engine(pooling)
        tokenizer = _tokenizer(self._folder())
        first, last = tokenizer.id_of("[CLS]"), tokenizer.id_of("[SEP]")
        marked = [[first, *piece, last] for piece in pieces]
        groups = [marked[start : start + CALL_SIZE] for start in range(0, len(marked), CALL_SIZE)]
        return [np.asarray(rows, np.float32) for group in groups for rows in engine.embeddings(group)]

    def _encode(self, texts: list[str]) -> list[Pieces]:
        if not texts:
            return []
        tokenizer = _tokenizer(self._folder())
        return [tokenizer.encode(text) for text in texts]

    def _engine(self, pooling: Literal["mean", "none"]) -> Engine:
        path = self._folder() / weights.MODEL_FILE
        return shared_engine(EngineConfig(path, self._settings.threads, CONTEXT, pooling))

    def _folder(self) -> Path:
        return weights.ensure(weights.EMBEDDING, self._settings.weights())


@functools.lru_cache(maxsize=2)
def _tokenizer(folder: Path) -> WordPiece:
    return WordPiece.from_file(folder / weights.TOKENIZER_FILE)


def _pieces(ids: list[int]) -> list[list[int]]:
    return [ids[start : start + INSIDE] for start in range(0, len(ids), INSIDE)]


def _unit(vectors: FloatArray) -> FloatArray:
    """Rows scaled to length 1; a zero row stays zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: FloatArray = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return unit
