"""Models on the Hugging Face hub, each by its commit: a name alone may stand for anything tomorrow."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from redraft.errors import WeightsMissing

SAFE: Final = ("*.json", "merges.txt", "vocab.txt", "model*.safetensors")
"""What is taken of a model that transformers loads: no code, no pickles."""

_COMMITS: Final = {
    "openai-community/gpt2-large": "32b71b12589c2f8d625668d2335a01cac3249519",
    "facebook/bart-large-cnn": "37f520fa929c961707657b28798b30c003dd100b",
    "roberta-large": "722cf37b1afa9454edce342e7895e588b6ff1d59",
}
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")


def commit_of(name: str) -> tuple[str, str]:
    """The name and the commit of `NAME@COMMIT`; of some names we know the commit."""
    name, _, commit = name.partition("@")
    commit = commit or _COMMITS.get(name, "")
    if not _COMMIT.fullmatch(commit):
        raise WeightsMissing(
            f"which commit of {name} is meant is not known, and a name alone may be anything tomorrow",
            hint=f"name a folder that holds it, or {name}@COMMIT, as on https://huggingface.co/{name}/commits",
        )
    return name, commit


def fetched(name: str, patterns: Sequence[str] = SAFE, *, offline: bool = False) -> Path:
    """The folder of `NAME@COMMIT`, fetched where need be; raises whatever the hub raises."""
    from huggingface_hub import snapshot_download  # noqa: PLC0415 - comes with the extras

    name, commit = commit_of(name)
    found = snapshot_download(name, revision=commit, allow_patterns=list(patterns), local_files_only=offline)
    return Path(found)
