"""The model that is trained: whole, or through a low-rank adapter (peft)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

from redraft.errors import InputError, ModelError
from redraft.models import (
    PROJECTIONS,
    Base,
    Heads,
    find_peft,
    load_folder,
    load_gguf,
    load_tokenizer,
    peft_stem,
    read_lora,
)
from redraft.train.chat import find_base


@dataclass(frozen=True, slots=True)
class Lora:
    """A low-rank adapter on every projection: `scale` is alpha over rank."""

    rank: int = 16
    scale: float = 2.0
    dropout: float = 0.0


def trainable(base: Path, lora: Lora | None, seed: int, start: Path | None = None) -> nn.Module:
    """The model of a GGUF or a folder: all of its weights, or those of an adapter alone, are to be trained.

    An adapter may start from another one, of the same rank or a lower one.
    """
    weights, words = find_base(base)
    tokenizer = load_tokenizer(words)
    loaded = load_folder(weights, tokenizer=tokenizer) if weights.is_dir() else load_gguf(weights)
    model: Any = loaded.model
    shapes = _shapes(model)
    if {projection for _, projection in shapes} != set(PROJECTIONS):
        raise InputError(f"{base} is not built like a Llama (SmolLM, Qwen, Mistral), and cannot be trained")
    if lora is None:
        model.requires_grad_(True)
        trained: nn.Module = model
        return trained
    if torch.cuda.is_available():
        model = model.to(torch.bfloat16)  # frozen, and multiplied in bfloat16 anyway
    torch.manual_seed(seed)
    config = LoraConfig(
        r=lora.rank,
        lora_alpha=round(lora.rank * lora.scale),
        lora_dropout=lora.dropout,
        target_modules=list(PROJECTIONS),
        task_type="CAUSAL_LM",
    )
    adapted = get_peft_model(model, config)
    if start is not None:
        heads = Heads(model.config.num_attention_heads, model.config.num_key_value_heads)
        _start_from(adapted, find_start(start), Base(base.name, heads, shapes), lora)
    return adapted


def _shapes(model: Any) -> dict[tuple[int, str], tuple[int, int]]:
    """Rows and columns of each projection, by its layer and name."""
    found = {}
    for name, module in model.named_modules():
        _, _, place = name.rpartition("layers.")
        if (projection := name.rpartition(".")[2]) in PROJECTIONS:
            found[int(place.partition(".")[0]), projection] = tuple(module.weight.shape)
    return found


def find_start(start: Path) -> Path:
    """The adapter to start from: a GGUF, a folder of peft's, or that of a training."""
    found = find_peft(start) if start.is_dir() else start
    if found is None:
        raise InputError(f"{start} holds no adapter to start from")
    return found


def _start_from(model: Any, start: Path, base: Base, lora: Lora) -> None:
    try:
        given = read_lora(start, base.heads)
        base.check(given, start)
    except ModelError as error:
        raise InputError(str(error)) from None
    if given.rank > lora.rank:
        raise InputError(
            f"{start} has rank {given.rank}, the new adapter only {lora.rank}: raise --rank to {given.rank}, "
            "or start from another one (--start)"
        )
    weights = dict(model.named_parameters())
    with torch.no_grad():
        for place, (a, b) in given.pairs.items():
            stem = peft_stem(place)
            first, second = (weights[f"{stem}.lora_{letter}.default.weight"] for letter in "AB")
            # Rows beyond the other's rank stay as drawn, with columns of zeros: they add nothing yet.
            first[: given.rank] = torch.from_numpy(a)
            second[:, : given.rank] = torch.from_numpy(b * (given.scale / lora.scale))
