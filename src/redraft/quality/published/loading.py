"""A published model in torch: loaded from its folder, checked, and asked in batches."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from redraft.errors import ModelError
from redraft.models import thread_count

if TYPE_CHECKING:
    import torch
    from tokenizers import Tokenizer

T = TypeVar("T")

BATCH = {"cpu": 2048, "cuda": 8192}
"""Tokens read at once, padding included, unless one text alone has more."""

_loading = threading.Lock()
_loaded: dict[tuple[str, Path], Loaded] = {}


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model in float32, on a GPU where there is one, and its tokenizer. One thread at a time may ask it."""

    model: Any
    tokenizer: Tokenizer
    device: torch.device
    asking: threading.Lock = field(default_factory=threading.Lock)

    def batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """The places of texts of similar length, as many as a batch may have."""
        limit = BATCH[self.device.type]
        batch: list[int] = []
        for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
            # In this order the latest is the longest, and the others are padded to it.
            if batch and (len(batch) + 1) * lengths[place] > limit:
                yield batch
                batch = []
            batch.append(place)
        if batch:
            yield batch


def load(architecture: str, folder: Path, threads: int = 0) -> Loaded:
    """The model of a folder, of a class that transformers has by this name; once for the process.

    Nothing of the folder is run: no code of its own, and no pickles but of tensors.
    """
    with _loading:
        key = (architecture, folder.resolve())
        if key not in _loaded:
            _loaded[key] = _load(architecture, folder, threads)
        return _loaded[key]


async def in_thread(work: Callable[[threading.Event], T]) -> T:
    """What a function returns that computes for long; it is told when nobody waits any more."""
    cancelled = threading.Event()
    try:
        return await asyncio.to_thread(work, cancelled)
    except asyncio.CancelledError:
        cancelled.set()
        raise
    except RuntimeError as error:  # too little memory is one, on a GPU
        raise ModelError(f"torch failed: {error}", provider="torch") from error


def _load(architecture: str, folder: Path, threads: int) -> Loaded:
    import torch  # noqa: PLC0415 - an optional part, and slow to import
    import transformers  # noqa: PLC0415

    torch.set_num_threads(thread_count(threads))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    safely = {"trust_remote_code": False, "local_files_only": True}
    try:
        with _quietly():
            # SOME's BERT is a cased one, and a folder with no more than a vocabulary does not say so.
            tokenizer = transformers.AutoTokenizer.from_pretrained(
                folder, do_lower_case=False, **safely
            ).backend_tokenizer
            model, info = getattr(transformers, architecture).from_pretrained(
                folder, dtype=torch.float32, weights_only=True, output_loading_info=True, **safely
            )
    except Exception as error:  # a damaged file raises whatever its reader raises
        raise ModelError(
            f"{folder} could not be loaded as {architecture}: {error}", provider="torch"
        ) from error
    if missing := sorted(info["missing_keys"]):
        raise ModelError(
            f"{folder} is no whole {architecture}: it has no weights for {', '.join(missing[:3])}",
            provider="torch",
            hint="is it the folder of another model?",
        )
    tokenizer.encode_special_tokens = True  # a control token in a text is text
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Loaded(model.to(device).train(False), tokenizer, device)


@contextmanager
def _quietly() -> Iterator[None]:
    """Without the bars and reports of transformers: what is wrong is said in an error."""
    from transformers.utils import logging  # noqa: PLC0415

    level, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
