"""Supervised fine-tuning: conversations in, an adapter (or a whole model) and its record out."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from torch import nn

from redraft import __version__
from redraft.errors import InputError
from redraft.models.weights import sha256_of
from redraft.text import write_text
from redraft.train.chat import ChatFormat, Example, Turns
from redraft.train.loop import Config, Listener, Outcome, Trainer
from redraft.train.model import Lora, trainable
from redraft.train.objective import CrossEntropy

ADAPTER, MODEL, RECORD = "adapter", "model", "train.json"
"""What a training leaves: a peft adapter, or a whole model of transformers; and how it was made."""


@dataclass(frozen=True, slots=True)
class Job:
    """A fine-tuning: which base, how, and into which folder. `record` is added to what is kept of it."""

    base: Path
    out: Path
    lora: Lora | None
    config: Config
    record: dict[str, Any]


def fine_tune(
    job: Job, data: Callable[[int], Iterable[Turns]], dev: Iterable[Turns], listener: Listener
) -> Outcome:
    """Train on the conversations of each epoch; an interrupted training in the same folder goes on."""
    record = _record(job)
    _begin(job.out, record)
    model, pretrained = trainable(job.base, job.lora, job.config.seed)
    chat = ChatFormat(pretrained.tokenizer)

    def examples(conversations: Iterable[Turns]) -> list[Example]:
        return [example for example in chat.examples(conversations) if len(example) <= job.config.longest]

    objective = CrossEntropy(model)
    trainer = Trainer(
        objective, lambda epoch: examples(data(epoch)), job.config, job.out, examples(dev), listener
    )
    outcome = trainer.run()
    _save(model, job)
    write_text(job.out / RECORD, _json({**record, "outcome": asdict(outcome)}))
    return outcome


def _save(model: nn.Module, job: Job) -> None:
    saving: Any = model
    if job.lora is None:
        saving.set_attn_implementation("sdpa")  # ours means nothing to who loads the model
        saving.save_pretrained(job.out / MODEL)
    else:
        saving.save_pretrained(job.out / ADAPTER, save_embedding_layers=False)


def _record(job: Job) -> dict[str, Any]:
    packages = ("torch", "transformers", "peft", "accelerate", "tokenizers")
    return {
        **job.record,
        "base": {"file": job.base.name, "sha256": sha256_of(job.base)},
        "lora": None if job.lora is None else asdict(job.lora),
        "config": json.loads(json.dumps(asdict(job.config))),
        "versions": {
            "redraft": __version__,
            "python": platform.python_version(),
            **{package: version(package) for package in packages},
        },
    }


def _begin(out: Path, record: dict[str, Any]) -> None:
    """Write down how the training is made, or make sure that the one to go on with was made just so."""
    path = out / RECORD
    if path.exists():
        old = json.loads(path.read_text(encoding="utf-8"))
        for key in ("base", "lora", "config", "data", "instructions"):
            if old.get(key) != record.get(key):
                raise InputError(
                    f"{out} holds a training with another {key}; choose another --out, or delete the folder"
                )
        return
    out.mkdir(parents=True, exist_ok=True)
    write_text(path, _json(record))


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
