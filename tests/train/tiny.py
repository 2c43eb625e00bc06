"""A model small enough to train in a second, and examples for it; run as a script, a training to kill."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

from redraft.train.chat import Example
from redraft.train.loop import Config, Outcome, Trainer
from redraft.train.model import CrossEntropy

VOCABULARY = 40


def tiny_model(seed: int = 0, *, dropout: float = 0.0) -> Any:
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=VOCABULARY,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    model = LlamaForCausalLM(config)
    if dropout:
        torch.manual_seed(seed)
        return get_peft_model(
            model, LoraConfig(r=2, lora_dropout=dropout, target_modules=["q_proj", "up_proj"])
        )
    return model


def tiny_examples(count: int = 12, seed: int = 0) -> list[Example]:
    """Conversations of 8 to 20 random tokens, of which the second half is learnt."""
    random = np.random.default_rng(seed)
    found = []
    for _ in range(count):
        length = int(random.integers(8, 21))
        found.append(
            Example(
                random.integers(3, VOCABULARY, length), (np.arange(length) >= length // 2).astype(np.float32)
            )
        )
    return found


def tiny_training(
    out: Path, listener: Any = lambda _: None, *, dropout: float = 0.2, **options: Any
) -> tuple[Any, Outcome]:
    model = tiny_model(dropout=dropout)
    settings = {
        "max_steps": 8,
        "tokens": 64,
        "longest": 32,
        "check_every": 2,
        "rate": 0.02,
        "seed": 3,
        **options,
    }
    trainer = Trainer(
        CrossEntropy(model), lambda epoch: tiny_examples(seed=epoch), Config(**settings), out,
        tiny_examples(4, seed=99), listener,
    )  # fmt: skip
    return model, trainer.run()


if __name__ == "__main__":
    out, dies_at = Path(sys.argv[1]), int(sys.argv[2])

    def die(values: dict[str, Any]) -> None:
        if values["step"] == dies_at and "loss" in values:
            os.kill(os.getpid(), signal.SIGKILL)

    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    # Two processes draw their dropout apart, so a comparison goes without.
    options: dict[str, Any] = {"accumulate": int(sys.argv[3]), "dropout": 0.0} if len(sys.argv) > 3 else {}
    model, _ = tiny_training(out, die, **options)
    torch.save(
        {name: weight for name, weight in model.named_parameters() if weight.requires_grad}, out / "end.pt"
    )
