"""Questions that the embedded model answers with yes or no, after an adapter taught it to."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

import ctranslate2
import numpy as np

from redraft.models import weights
from redraft.models.adapters import find_adapter
from redraft.models.engines import END, START
from redraft.models.gguf_file import read_chat
from redraft.models.larger import larger_file, larger_model, writing_weights
from redraft.models.scoring import WHOLE, load_generator
from redraft.models.writing import ENGINE, WriterConfig, shared_writer
from redraft.settings import Settings


class YesOrNo:
    """The embedded model with an adapter that was taught to answer questions with yes or no.

    Its weights know these two words alone for an answer: what is computed for all the others, at each token
    of a question, would be a fifth of the work, and take 200 kB.
    """

    def __init__(self, settings: Settings, adapter: str) -> None:
        self._settings = settings
        self._adapter = adapter

    def identity(self) -> str:
        return f"ctranslate2 {ctranslate2.__version__} {weights.fingerprint(self._folder())}"

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        """How sure it is of yes, from 0 to 1; of a long question only the beginning is read."""
        return await asyncio.to_thread(self._yes, questions) if questions else ()

    def _yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        generator, tokenizer = load_generator(self._folder(), self._settings.threads)
        after = [END, *tokenizer.encode("\n"), START, *tokenizer.encode("assistant\n")]

        def answer(question: str) -> float:
            tokens = [START, *tokenizer.encode(f"user\n{question}")[:WHOLE], *after]
            yes, no = np.array(generator.forward_batch([tokens]))[0, -1].tolist()
            return 1 / (1 + math.exp(min(no - yes, _MOST_ODDS)))

        with ThreadPoolExecutor(generator.num_generators) as workers:
            return tuple(workers.map(answer, questions))

    def _folder(self) -> Path:
        adapter = find_adapter(self._adapter, self._settings.weights())
        return weights.ensure(weights.answering(adapter), self._settings.weights())


class LargerYesOrNo:
    """A larger model with an adapter that was taught to edit, and to say yes or no of edits."""

    def __init__(self, settings: Settings, spec: str) -> None:
        self._settings = settings
        self._name = spec.partition(":")[2]

    def identity(self) -> str:
        return f"{ENGINE} {larger_model(self._name).sha256[:16]} {weights.current_sha256(self._path)[:16]}"

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        """How sure it is of yes, from 0 to 1."""
        return await asyncio.to_thread(self._yes, questions) if questions else ()

    def _yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        return tuple(shared_writer(self._config).yes(questions))

    @cached_property
    def _config(self) -> WriterConfig:
        root = self._settings.weights()
        folder = weights.ensure(writing_weights(larger_model(self._name), self._path), root)
        return WriterConfig(folder, self._settings.threads, read_chat(larger_file(self._name, root)))

    @property
    def _path(self) -> Path:
        return find_adapter("editor", self._settings.weights(), self._name)


_MOST_ODDS = 700.0
"""More than any answer has, and as much as a float can be raised to."""
