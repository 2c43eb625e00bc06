"""How likely a text is to the embedded model, alone or after a context, through CTranslate2."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ctranslate2

from redraft.errors import ModelError
from redraft.models import weights
from redraft.models.base import LogProbs
from redraft.models.engines import thread_count
from redraft.models.tokenization import BytePairEncoding
from redraft.settings import Settings

START = "<|endoftext|>"
WHOLE = 2048
"""Tokens, context included, that are seen at once; each takes 200 kB while its distribution is computed."""
WINDOW = 1024
OVERLAP = 256
"""A longer text is seen through windows; each begins with the last OVERLAP tokens of the one before."""
GROUP = 4096
"""Tokens handed over at once, some seconds' worth: a cancelled request ends after them."""


_loading = threading.Lock()


@dataclass(frozen=True, slots=True)
class Window:
    """A slice of one text, of which the last `count` tokens are scored."""

    text: int
    tokens: tuple[str, ...]
    count: int


class EmbeddedScorer:
    """A Scorer on SmolLM2-135M. Weights are made ready, and loaded, at the first request."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def identity(self) -> str:
        return f"ctranslate2 {ctranslate2.__version__} {weights.fingerprint(self._folder())}"

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        """Log-probabilities of each text right after its context; those of the context are left out."""
        given = contexts if contexts is not None else [""] * len(texts)
        if len(given) != len(texts):
            raise ValueError(f"{len(texts)} texts need as many contexts, not {len(given)}")
        if not texts:
            return ()
        cancelled = threading.Event()
        try:
            return await asyncio.to_thread(self._score, texts, given, cancelled)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def _score(
        self, texts: Sequence[str], contexts: Sequence[str], cancelled: threading.Event
    ) -> tuple[LogProbs, ...]:
        generator, tokenizer = _load(self._folder(), self._settings.threads)
        tokens = [tokenizer.encode(text) for text in texts]
        before = [tokenizer.encode(context) for context in contexts]
        windows = [
            window
            for index, (own, context) in enumerate(zip(tokens, before, strict=True))
            for window in windows_of(index, [START, *context], own)
        ]
        scores: list[list[float]] = [[] for _ in texts]
        for group in _groups(windows):
            if cancelled.is_set():
                raise ModelError("the scoring was cancelled", provider="embedded")
            results = generator.score_batch(
                [list(window.tokens) for window in group],
                max_batch_size=1,
                max_input_length=0,
            )
            for window, result in zip(group, results, strict=True):
                scores[window.text] += result.log_probs[-window.count :]
        return tuple(
            LogProbs(tuple(tokenizer.decode(token) for token in own), tuple(values))
            for own, values in zip(tokens, scores, strict=True)
        )

    def _folder(self) -> Path:
        return weights.ensure(weights.SCORING, self._settings.weights())


def _groups(windows: Sequence[Window]) -> Iterator[list[Window]]:
    """Windows of some GROUP tokens together, in their order."""
    group: list[Window] = []
    size = 0
    for window in windows:
        group.append(window)
        size += len(window.tokens)
        if size >= GROUP:
            yield group
            group, size = [], 0
    if group:
        yield group


@functools.lru_cache(maxsize=1)
def _load_once(folder: Path, threads: int) -> tuple[Any, BytePairEncoding]:
    # A text is scored by itself, on one thread, and several at once: in a batch, or on several threads, its
    # score would depend on the others, or on the threads, with some processors. It is faster too.
    generator = ctranslate2.Generator(
        str(folder), compute_type="int8", inter_threads=thread_count(threads), intra_threads=1
    )
    return generator, BytePairEncoding.from_file(folder / weights.TOKENIZER_FILE)


def _load(folder: Path, threads: int) -> tuple[Any, BytePairEncoding]:
    """The model of this process; two threads that ask for it at once load it once."""
    with _loading:
        return _load_once(folder, threads)


def windows_of(text: int, context: Sequence[str], own: Sequence[str]) -> list[Window]:
    """Windows that score each own token once, after at least OVERLAP tokens where there are as many.

    A text that fits is one window with its whole context; the cost of a longer one grows with its length.
    """
    whole = [*context, *own]
    if not own:
        return []
    if len(whole) <= WHOLE:
        return [Window(text, tuple(whole), len(own))]
    windows = []
    done = len(context)
    while done < len(whole):
        start = max(0, done - OVERLAP)
        stop = min(len(whole), start + WINDOW)
        windows.append(Window(text, tuple(whole[start:stop]), stop - done))
        done = stop
    return windows
