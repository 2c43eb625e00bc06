"""Folders as the models' authors left them, years ago: other file names, other names of weights."""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import BertForSequenceClassification

from redraft.errors import ModelError
from redraft.models import NullCache
from redraft.quality import TorchQuality
from redraft.quality.published import Folders, find_folders
from redraft.settings import Settings
from tests.quality.fakes import FakeEmbedder
from tests.quality.tiny_published import write_published

pytestmark = pytest.mark.usefixtures("one_thread")

TEXT, SOURCE = "Two cats sat in the shop.", "Two cats sat in a shop. It rained."


def vocabulary(folder: Path) -> dict[str, int]:
    """The tokens, and no more than them."""
    found: dict[str, int] = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).unlink()
    return found


def rewrite(folder: Path, change: Any) -> None:
    weights = folder / "model.safetensors"
    save_file(change(load_file(weights)), weights, metadata={"format": "pt"})


def age(folders: Folders) -> None:
    """Make the folders look as those of 2019 and 2020 do."""
    rewrite(
        folders.gpt2,
        lambda found: (
            {name.removeprefix("transformer."): weight for name, weight in found.items()}
            | {"h.0.attn.bias": torch.ones(1, 1, 32, 32)}
        ),
    )
    for folder, extra in ((folders.gpt2, {}), (folders.bart, {"<unk>": 259, "<mask>": 260})):
        (folder / "vocab.json").write_text(json.dumps(vocabulary(folder) | extra))
        (folder / "merges.txt").write_text("#version: 0.2\n")
    for folder in (folders.grammar, folders.fluency, folders.meaning):
        weights = BertForSequenceClassification.from_pretrained(folder).state_dict()
        weights["bert.embeddings.position_ids"] = torch.arange(128)[None]
        torch.save(weights, folder / "pytorch_model.bin")
        (folder / "model.safetensors").unlink()
        (folder / "vocab.txt").write_text("".join(f"{token}\n" for token in vocabulary(folder)))


def test_the_scores_are_the_same(tmp_path: Path) -> None:
    found = []
    for name in ("new", "old"):
        folders = find_folders(Settings(quality_models=write_published(tmp_path / name)))
        if name == "old":
            age(folders)
        quality = TorchQuality(folders, FakeEmbedder(), NullCache(), threads=1)
        found.append(asyncio.run(quality.score([TEXT], [SOURCE]))[0])
    new, old = found
    assert (old.perplexity, old.likelihood, old.some) == (new.perplexity, new.likelihood, new.some)


class Pickled:
    """What writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.write_text, (self.path, "run")


def test_nothing_in_a_folder_is_run(tmp_path: Path) -> None:
    folders = find_folders(Settings(quality_models=write_published(tmp_path / "models")))
    (folders.grammar / "model.safetensors").unlink()
    torch.save({"classifier.weight": Pickled(tmp_path / "written")}, folders.grammar / "pytorch_model.bin")
    code = (
        f"import pathlib\npathlib.Path({str(tmp_path / 'written')!r}).write_text('run')\nclass Tokens: pass\n"
    )
    (folders.fluency / "tokens.py").write_text(code)
    config = folders.fluency / "tokenizer_config.json"
    config.write_text(
        json.dumps(json.loads(config.read_text()) | {"auto_map": {"AutoTokenizer": [None, "tokens.Tokens"]}})
    )
    quality = TorchQuality(folders, FakeEmbedder(), NullCache(), threads=1)
    with pytest.raises(ModelError, match="grammar could not be loaded"):
        asyncio.run(quality.some([TEXT]))
    fluency = TorchQuality(replace(folders, grammar=folders.fluency), FakeEmbedder(), NullCache(), threads=1)
    with contextlib.suppress(ModelError):
        asyncio.run(fluency.some([TEXT]))
    assert not (tmp_path / "written").exists()
