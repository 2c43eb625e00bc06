"""How likely a text is, alone or after a context: to the embedded model, or to any model in transformers."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np

from redraft.errors import ModelError
from redraft.models import weights
from redraft.models.adapters import find_adapter
from redraft.models.base import LogProbs, Message
from redraft.models.engines import (
    END as CLOSES,
    START as OPENS,
    core_count,
    give_back_memory,
    loaded_once,
    save_memory,
    thread_count,
)
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

BATCH = {"cpu": 1024, "cuda": 1 << 15}
"""Tokens that a model in transformers reads at once, padding among them."""


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
        generator, tokenizer = load_generator(self._folder(), self._settings.threads)
        tokens = [tokenizer.encode(text) for text in texts]
        before = [self._before(tokenizer, context) for context in contexts]
        windows = [
            window
            for index, (own, context) in enumerate(zip(tokens, before, strict=True))
            for window in windows_of(index, context, own)
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
        give_back_memory()
        return tuple(
            LogProbs(tuple(tokenizer.decode(token) for token in own), tuple(values))
            for own, values in zip(tokens, scores, strict=True)
        )

    def _before(self, tokenizer: BytePairEncoding, context: str) -> list[str]:
        """The tokens that a text comes after."""
        return [START, *tokenizer.encode(context)]

    def _folder(self) -> Path:
        return weights.ensure(weights.SCORING, self._settings.weights())


class AnswerScorer(EmbeddedScorer):
    """A Scorer of answers: how likely the embedded model with an adapter is to say a text.

    The context of a text is what a user says to it.
    """

    def __init__(self, settings: Settings, adapter: str) -> None:
        super().__init__(settings)
        self._adapter = adapter

    def identity(self) -> str:
        return f"{super().identity()} answers"

    def _before(self, tokenizer: BytePairEncoding, context: str) -> list[str]:
        return chat_tokens(tokenizer, [Message("user", context)])

    def _folder(self) -> Path:
        adapter = find_adapter(self._adapter, self._settings.weights())
        return weights.ensure(weights.adapted_scoring(adapter), self._settings.weights())


def chat_tokens(tokenizer: BytePairEncoding, messages: Sequence[Message]) -> list[str]:
    """The tokens of a conversation, up to where the answer begins; its texts hold no control tokens."""
    line = tokenizer.encode("\n")
    tokens: list[str] = []
    for message in messages:
        tokens += [OPENS, *tokenizer.encode(f"{message.role}\n{message.content}"), CLOSES, *line]
    return [*tokens, OPENS, *tokenizer.encode("assistant\n")]


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


@loaded_once(4)
def load_generator(folder: Path, threads: int, *, together: bool = False) -> tuple[Any, BytePairEncoding]:
    """A model with its tokenizer.

    Its threads work side by side, each on texts of its own, or `together` on the same: a larger model waits
    for its weights to come from memory, and each thread would have to fetch them all.
    """
    save_memory()
    # A text is scored by itself, on one thread, and several at once: in a batch, or on several threads, its
    # score would depend on the others, or on the threads, with some processors. It is faster too.
    side_by_side, at_one = (1, thread_count(threads)) if together else (threads or core_count(), 1)
    generator = ctranslate2.Generator(
        str(folder), compute_type="int8", inter_threads=side_by_side, intra_threads=at_one
    )
    give_back_memory()
    return generator, _read_tokenizer((folder / weights.TOKENIZER_FILE).read_text(encoding="utf-8"))


@functools.lru_cache(2)
def _read_tokenizer(text: str) -> BytePairEncoding:
    """The tokenizer, which the same model has with every adapter: it takes 30 MB."""
    return BytePairEncoding.from_text(text)


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


class TorchScorer:
    """A Scorer on a model in transformers, for batches on a GPU; it is loaded at the first request.

    `path` is a Hugging Face folder of a decoder, or a Llama's GGUF. Of a text only its first 2,048 tokens are
    scored, and of its context only the end that fits before them: it is for sentences.
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
        model, tokenizer, start = self._loaded
        own, before = (
            [found.ids for found in tokenizer.encode_batch_fast(list(side), add_special_tokens=False)]
            for side in (zip(*pairs, strict=True) if pairs else ((), ()))
        )
        own = [ids[:WHOLE] for ids in own]
        rows = [
            [start, *context[max(0, len(context) + len(ids) - WHOLE) :], *ids]
            for context, ids in zip(before, own, strict=True)
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

    @functools.cached_property
    def _loaded(self) -> tuple[Any, Any, int]:
        """The model, its tokenizer, to which control tokens are text, and the token before a text."""
        import torch  # noqa: PLC0415 - an optional part, and slow to import

        from redraft.models.hf_loading import load_model, load_tokenizer  # noqa: PLC0415

        found = load_model(self._path)
        if found.model.config.is_encoder_decoder:
            raise ModelError(f"{self._path} does not go on with a text: it has an encoder", provider="torch")
        tokenizer = load_tokenizer(self._path)
        known = (tokenizer.token_to_id(START), found.tokenizer.bos_token_id, found.tokenizer.eos_token_id)
        start = next(token for token in known if token is not None)
        return found.model.to("cuda" if torch.cuda.is_available() else "cpu"), tokenizer, start


def _batches(lengths: Sequence[int], most: int) -> Iterator[list[int]]:
    """Rows of similar length, the longest first."""
    order = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    while order:
        count = max(1, most // lengths[order[0]])
        yield order[:count]
        order = order[count:]


def _scored(model: Any, rows: Sequence[Sequence[int]], counts: Sequence[int]) -> list[tuple[float, ...]]:
    """The log-probabilities of the last `counts` tokens of each row; what is padded stands after them."""
    import torch  # noqa: PLC0415

    padded = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for place, row in enumerate(rows):
        padded[place, : len(row)] = row
    places = [
        (number, place)
        for number, (row, count) in enumerate(zip(rows, counts, strict=True))
        for place in range(len(row) - count, len(row))
    ]
    with torch.inference_mode():
        tokens = torch.from_numpy(padded).to(model.device)
        hidden = model.base_model(input_ids=tokens, use_cache=False).last_hidden_state
        row, column = torch.tensor(places, dtype=torch.long, device=model.device).reshape(-1, 2).T
        # The head is the dearest part: only what is scored goes through it.
        logits = model.get_output_embeddings()(hidden[row, column - 1]).float()
        found = -torch.nn.functional.cross_entropy(logits, tokens[row, column], reduction="none")
    values = iter(found.tolist())
    return [tuple(islice(values, count)) for count in counts]
