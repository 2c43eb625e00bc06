"""A process that trains many times reads the base model and its words once: `import once` before training."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from typing import Any

import redraft.train.model
import redraft.train.sft
from redraft.models import load_gguf
from redraft.train.chat import chat_format


@cache
def _loaded(path: Path, dtype: str) -> Any:
    return load_gguf(path, dtype)


def _copied(path: Path, dtype: str = "float32") -> Any:
    """A model of its own: training puts an adapter into it."""
    found = _loaded(path, dtype)
    return type(found)(copy.deepcopy(found.model), found.tokenizer)


vars(redraft.train.model)["load_gguf"] = _copied
vars(redraft.train.sft)["chat_format"] = cache(chat_format)
