"""The model that is trained: whole, or through a low-rank adapter (peft)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from peft import LoraConfig, get_peft_model
from torch import nn

from redraft.models.pretrained import Pretrained, load_gguf

PROJECTIONS = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True)
class Lora:
    """A low-rank adapter on every projection: `scale` is alpha over rank."""

    rank: int = 16
    scale: float = 2.0
    dropout: float = 0.0


def trainable(base: Path, lora: Lora | None, seed: int) -> tuple[nn.Module, Pretrained]:
    """The model of a GGUF, made ready: all of its weights, or an adapter's alone, are to be trained."""
    pretrained = load_gguf(base)
    model: Any = pretrained.model
    if lora is None:
        model.requires_grad_(True)
        return model, pretrained
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
    return get_peft_model(model, config), pretrained
