"""Fine-tuning on conversations or preferences; the result is an adapter (or a whole model) and a record."""

from __future__ import annotations

import hashlib
import json
import platform
import warnings
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from safetensors import SafetensorError
from torch import nn

from redraft import __version__
from redraft.errors import FileError, InputError
from redraft.models import WEIGHTS_FILE, sha256_of
from redraft.text import lock_folder, new_mode, write_text
from redraft.train.batches import Epoch, Examples, pack_pairs
from redraft.train.chat import ChatFormat, Example, Pair, chat_format, find_base
from redraft.train.config import Config, Loss, plan_batches
from redraft.train.conversations import Conversation, PreferencePair
from redraft.train.loop import Listener, Outcome, Progress, Trainer
from redraft.train.model import CrossEntropy, Lora, Objective, PreferenceObjective, find_start, trainable
from redraft.train.rows import read_record

ADAPTER, MODEL, RECORD = "adapter", "model", "train.json"
"""What a training leaves: a peft adapter, or a whole model of transformers; and how it was made."""

_DECIDES = {
    "base": "base",
    "lora": "adapter",
    "config": "setting",
    "data": "data",
    "refused": "choice of rows",
    "counts": "choice of rows",
    "in_dev": "choice of rows",
    "dev": "dev set",
    "emphasis": "emphasis",
    "instructions": "list of instructions",
    "policy": "policy",
    "limit": "number of pairs",
    "loss": "loss",
    "start": "adapter to start from",
}
"""Parts of the record that have to be the same for a training to go on; an older record may lack some."""


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """A fine-tuning: which base, how, and into which folder. `record` is added to what is kept of it."""

    base: Path
    out: Path
    lora: Lora | None
    config: Config
    record: dict[str, Any]
    start: Path | None = None
    """An adapter that the new one starts from."""

    @property
    def result(self) -> Path:
        """Where the trained weights go."""
        return self.out / (MODEL if self.lora is None else ADAPTER)


def fine_tune(
    job: TrainingJob,
    data: Callable[[int], Iterable[Conversation]],
    dev: Iterable[Conversation],
    listener: Listener,
    interrupted: Callable[[], None] = lambda: None,
) -> Outcome:
    """Train on the conversations of each epoch; an interrupted training in the same folder goes on.

    `interrupted` is called at once where a signal asks for an end: see `Trainer`.

    Where that folder holds the very same training and it has ended, nothing is done.
    """

    def objective(model: nn.Module, chat: ChatFormat) -> Made:
        def examples(conversations: Iterable[Conversation]) -> list[Example]:
            return [example for example in chat.examples(conversations) if len(example) <= job.config.longest]

        return CrossEntropy(model), lambda epoch: examples(data(epoch)), examples(dev)

    return _train(job, objective, listener, interrupted)


def train_on_preferences(
    job: TrainingJob,
    data: Callable[[int], Iterable[PreferencePair]],
    dev: Iterable[PreferencePair],
    loss: Loss,
    listener: Listener,
    interrupted: Callable[[], None] = lambda: None,
) -> Outcome:
    """Train on preferences, as `fine_tune` does on conversations."""

    def objective(model: nn.Module, chat: ChatFormat) -> Made:
        preferring = PreferenceObjective(model, loss)

        def pairs(preferences: Iterable[PreferencePair]) -> list[Pair]:
            found = _pairs(chat, preferences, job.config.longest)
            # The model has learnt nothing yet, not even what a checkpoint holds.
            return _with_reference(preferring, found, job.config) if loss.needs_reference else found

        first, held_out = pairs(data(0)), pairs(dev)

        def epoch(number: int) -> list[Pair]:
            return first if number == 0 or loss.needs_reference else pairs(data(number))

        return preferring, epoch, held_out

    recorded = replace(job, record={**job.record, "loss": loss.record()})
    return _train(recorded, objective, listener, interrupted)


Made = tuple[Objective, Epoch, Examples]
"""What is minimised, the examples of each epoch, and those of the dev set."""


def _train(
    job: TrainingJob,
    objective: Callable[[nn.Module, ChatFormat], Made],
    listener: Listener,
    interrupted: Callable[[], None],
) -> Outcome:
    record = _record(job)
    is_main = PartialState(cpu=not torch.cuda.is_available()).is_main_process
    # The processes of one training share its folder.
    with lock_folder(job.out, "--out") if is_main else nullcontext():
        before = _outcome(job, record)
        if before is not None:
            return before
        model = trainable(job.base, job.lora, job.config.seed, job.start)
        minimised, data, held_out = objective(model, chat_format(job.base))
        if job.config.patience is not None and not held_out:
            raise InputError(
                "patience needs a dev set (--dev), with examples that are not too long (--longest)"
            )
        if not (job.out / RECORD).exists():
            write_text(job.out / RECORD, _json(record))
        trainer = Trainer(minimised, data, job.config, job.out, held_out, listener, interrupted=interrupted)
        outcome = trainer.run()
        if is_main:
            _save(model, job)
            ended = asdict(outcome)
            del ended["already"]
            write_text(job.out / RECORD, _json({**record, "outcome": ended}))
        return outcome


def _pairs(chat: ChatFormat, preferences: Iterable[PreferencePair], longest: int) -> list[Pair]:
    """The pairs of which both answers are short enough."""
    given = list(preferences)
    better = chat.examples(pair.preferred for pair in given)
    worse = chat.examples(pair.dispreferred for pair in given)
    made = (Pair(*both) for both in zip(better, worse, strict=True))
    return [pair for pair in made if max(len(pair.preferred), len(pair.dispreferred)) <= longest]


def _with_reference(objective: PreferenceObjective, pairs: list[Pair], config: Config) -> list[Pair]:
    """The pairs with the log-probabilities that the model gives them now."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    objective.to(device).eval()  # nothing is dropped out
    found = list(pairs)
    with torch.no_grad(), torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        for numbers in plan_batches([len(pair) for pair in pairs], config.tokens, "packed", 0):
            sums, _ = objective.log_probabilities(pack_pairs([pairs[place] for place in numbers]).to(device))
            for place, (better, worse) in zip(numbers, sums.tolist(), strict=True):
                found[place] = replace(pairs[place], reference=(better, worse))
    return found


def _save(model: nn.Module, job: TrainingJob) -> None:
    saving: Any = model
    try:
        if job.lora is None:
            saving.set_attn_implementation("sdpa")  # ours means nothing to who loads the model
            saving.save_pretrained(job.result)
        else:
            saving.save_pretrained(job.result, save_embedding_layers=False)
            (job.result / "README.md").unlink(missing_ok=True)  # a form that nobody has filled in
        for path in job.result.iterdir():
            path.chmod(new_mode())  # as everyone makes files: weights are written as the owner's alone
    except (OSError, SafetensorError) as error:
        raise FileError(
            f"{job.result} cannot be written: {error}; the checkpoints have it all: make room, and start the "
            "same training again"
        ) from None


def _record(job: TrainingJob) -> dict[str, Any]:
    packages = ("torch", "transformers", "peft", "accelerate", "tokenizers")
    return {
        **job.record,
        "base": {"file": job.base.name, "sha256": _base_hash(job.base)},
        "lora": None if job.lora is None else asdict(job.lora),
        **({} if job.start is None else {"start": _start(job.start)}),
        "config": asdict(job.config),
        "versions": {
            "redraft": __version__,
            "python": platform.python_version(),
            **{package: version(package) for package in packages},
        },
    }


def _base_hash(base: Path) -> str:
    """The SHA-256 of a file; of a folder, that of all weights and settings that it holds."""
    weights, _ = find_base(base)
    if weights.is_file():
        return sha256_of(weights)
    files = sorted(path for path in weights.iterdir() if path.suffix in (".safetensors", ".json"))
    return hashlib.sha256("".join(f"{path.name} {sha256_of(path)}\n" for path in files).encode()).hexdigest()


def _start(path: Path) -> dict[str, str]:
    found = find_start(path)
    weights = found / WEIGHTS_FILE if found.is_dir() else found
    return {"file": path.name, "sha256": sha256_of(weights)}


def _outcome(job: TrainingJob, record: dict[str, Any]) -> Outcome | None:
    """Make sure that a training to go on with was made just so; the outcome of one that has ended."""
    path = job.out / RECORD
    old = read_record(path)
    if not path.exists():
        if any((job.out / "checkpoints").glob("*.pt")):
            raise InputError(f"{job.out} holds checkpoints, but no {RECORD}; choose another --out")
        return None
    # What an older version had no name for, it did as it is done by default.
    old = {"limit": None, "loss": None, "start": None} | old
    new, defaults = json.loads(_json(record)), json.loads(_json(asdict(Config())))
    if isinstance(old.get("config"), dict):
        old["config"] = defaults | old["config"]
        # How often it is kept changes no training.
        old["config"]["save_seconds"] = new["config"]["save_seconds"]
    for key, called in _DECIDES.items():
        if key in old and old[key] != new.get(key):
            raise InputError(
                f"{job.out} holds a training with another {called} ({_difference(old[key], new.get(key))}); "
                "choose another --out, or delete the folder"
            )
    try:
        before = old["versions"]["redraft"]
        outcome = old.get("outcome")
        if outcome and job.result.is_dir():
            return Outcome(**{**outcome, "progress": Progress(**outcome["progress"]), "already": True})
    except (KeyError, TypeError):
        raise InputError(
            f"{path} is of another version of redraft; choose another --out, or delete the folder"
        ) from None
    if before != __version__:
        warnings.warn(f"the training was begun by redraft {before}, and this is {__version__}", stacklevel=3)
    return None


def _difference(old: Any, new: Any, name: str = "") -> str:
    """The first difference between two values, in words."""
    if isinstance(old, dict) and isinstance(new, dict):
        label = f"{old['file']}: " if "file" in old and old["file"] == new.get("file") else ""
        key = next(key for key in (*old, *new) if old.get(key) != new.get(key))
        return label + _difference(old.get(key), new.get(key), f"{name}.{key}" if name else key)
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        place = next(place for place, value in enumerate(old) if value != new[place])
        return _difference(old[place], new[place], name)
    if isinstance(old, list) and isinstance(new, list):
        return f"{len(old)} entries there, {len(new)} here"
    return f"{name} is {_shown(old)} there, {_shown(new)} here".strip()


def _shown(value: Any) -> str:
    text = "absent" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
