"""Weights in another format: the same model computes the same."""

from __future__ import annotations

import json
import threading
from contextlib import closing
from pathlib import Path

import ctranslate2
import numpy as np
import pytest

from redraft.models.convert import to_ctranslate2
from redraft.models.engines import CHATML
from redraft.models.llama import Engine, EngineConfig
from tests.models.tiny_llama import write_model

TEXTS = ("abc", "The cat sat on the mat.", "0123456789 and so on, and so on", "x")


@pytest.mark.parametrize("architecture", ["llama", "qwen2"])
def test_ctranslate2_writes_what_llama_cpp_does(tmp_path: Path, architecture: str) -> None:
    """8 bits move a score a little: what one finds best is among the best of the other."""
    path = write_model(tmp_path / "tiny.gguf", architecture=architecture)
    (tmp_path / "int8").mkdir()
    to_ctranslate2(path, tmp_path / "int8", tmp_path / "tokenizer.json")
    words: list[str] = json.loads((tmp_path / "int8" / "vocabulary.json").read_text(encoding="utf-8"))
    generator = ctranslate2.Generator(str(tmp_path / "int8"), compute_type="float32")
    config = EngineConfig(path, 1, context=512, template=CHATML)
    with closing(Engine(config)) as engine:
        for text in TEXTS:
            messages = [{"role": "user", "content": text}]
            prompt = [words[token] for token in engine.tokens(messages)]
            wanted = {"max_tokens": 1, "temperature": 0, "logprobs": True, "top_logprobs": 5}
            chunks = engine.chat({"messages": messages, **wanted}, None, threading.Event())
            choices = [choice for chunk in chunks for choice in chunk.get("choices", ())]
            (first,) = [choice["logprobs"]["content"][0] for choice in choices if choice.get("logprobs")]
            logits = np.asarray(generator.forward_batch([prompt]))[0, -1]
            assert int(logits.argmax()) in [entry["id"] for entry in first["top_logprobs"]]
