"""Where the published models are: in a folder of the user's, or on the Hugging Face hub."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from redraft.errors import MissingExtra, WeightsMissing
from redraft.models import fetched
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


def fingerprint(folder: Path) -> str:
    """Names the weights of a folder: another file, or a newer one, has another name."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    facts = [(path.name, stat.st_size, stat.st_mtime_ns) for path in files for stat in (path.stat(),)]
    return hashlib.sha256(repr((str(folder.resolve()), facts)).encode()).hexdigest()[:16]


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
        found = fetched(place.hub, offline=offline)
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
