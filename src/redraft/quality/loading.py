"""The published models: where they lie (a folder of the user, or the Hugging Face hub), and loading them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from redraft.errors import MissingExtra, ModelError, WeightsMissing
from redraft.models import fetch_folder, load_folder, thread_count
from redraft.settings import Settings

GLINER: Final = "gliner"

_PARTS: Final = (
    ("config.json",),
    ("tokenizer.json", "vocab.json", "vocab.txt"),
    ("model*.safetensors", "pytorch_model*.bin"),
)
"""A folder has one of each."""
_HUB: Final = "on huggingface.co (fetched where it can be reached)"
_SOME: Final = "the models that https://github.com/kokeman/SOME links to"


@dataclass(frozen=True, slots=True)
class Place:
    """A model's sub-folders, of which one will do, its name on the hub, and how to come by it."""

    names: tuple[str, ...]
    hub: str | None
    source: str


@dataclass(frozen=True, slots=True)
class Folders:
    """A folder for each model; GLiNER is the user's choice, and None where there is none."""

    gpt2: Path
    bart: Path
    grammar: Path
    fluency: Path
    meaning: Path
    gliner: Path | None = None


_PLACES: Final = {
    "gpt2": Place(("gpt2-large",), "openai-community/gpt2-large", f"openai-community/gpt2-large {_HUB}"),
    "bart": Place(("bart-large-cnn",), "facebook/bart-large-cnn", f"facebook/bart-large-cnn {_HUB}"),
    # The archive of SOME's authors has it as "grammer".
    "grammar": Place(("some/grammar", "some/grammer"), None, _SOME),
    "fluency": Place(("some/fluency",), None, _SOME),
    "meaning": Place(("some/meaning",), None, _SOME),
}


def find_folders(settings: Settings) -> Folders:
    """The models' folders; those of GPT-2 and BART are fetched from the hub where it can be reached.

    What is missing is said in one error, before anything is loaded.
    """
    if find_spec("torch") is None or find_spec("transformers") is None:
        raise MissingExtra("quality by published models", "torch")
    root = settings.quality_folder()
    found = {name: _local(root, place) or _from_hub(place, offline=True) for name, place in _PLACES.items()}
    # These are gigabytes: not asked for where they would not be enough.
    if all(folder or _PLACES[name].hub for name, folder in found.items()):
        found = {name: folder or _from_hub(_PLACES[name]) for name, folder in found.items()}
    missing = [_PLACES[name] for name, folder in found.items() if folder is None]
    if missing:
        raise _missing(root, missing)
    gliner = root / GLINER
    folders = {name: folder for name, folder in found.items() if folder is not None}
    return Folders(**folders, gliner=gliner if gliner.is_dir() else None)


def _local(root: Path, place: Place) -> Path | None:
    for name in place.names:
        if _is_model(root / name):
            return root / name
    return None


def _is_model(folder: Path) -> bool:
    return all(any(file for name in names for file in folder.glob(name)) for names in _PARTS)


def _from_hub(place: Place, *, offline: bool = False) -> Path | None:
    """The model from the hub, or from what it left on this machine; None where it cannot be had."""
    if place.hub is None:
        return None
    try:
        found = fetch_folder(place.hub, offline=offline)
    except Exception:  # whatever the connection, the service or the disk raises
        return None
    return found if _is_model(found) else None


def _missing(root: Path, places: list[Place]) -> WeightsMissing:
    lines = [f"{root / place.names[0]}: {place.source}" for place in places]
    return WeightsMissing(
        f"models are missing that quality by torch needs: {', '.join(place.names[0] for place in places)}",
        provider="torch",
        hint="put each into its folder (config, tokenizer, weights):\n    "
        + "\n    ".join(lines)
        + "\n  or name another folder: --quality-models, REDRAFT_QUALITY_MODELS, or quality_models in a file",
    )


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

    torch.set_num_threads(thread_count(threads))
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    # SOME's BERT is a cased one, and a folder with no more than a vocabulary does not say so.
    found = load_folder(folder, architecture=architecture, pickles=True, do_lower_case=False)
    tokenizer = found.tokenizer.backend_tokenizer
    tokenizer.encode_special_tokens = True  # a control token in a text is text
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return Loaded(found.model.to(device), tokenizer, device)
