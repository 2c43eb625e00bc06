"""What the commands that train share: what must be installed, the base, and a training that is shown."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from redraft.addresses import without_login
from redraft.cli.frame import note, put
from redraft.cli.models import weights_progress
from redraft.cli.train_view import counted, training_view
from redraft.errors import MissingExtra
from redraft.models import CHAT, MODEL_FILE, ensure
from redraft.settings import load_settings

if TYPE_CHECKING:
    from redraft.train import Listener, Outcome, TrainingJob

TO_READ = ("tokenizers",)
TO_TRAIN = (*TO_READ, "torch", "transformers", "peft", "accelerate")


def need(*packages: str) -> None:
    """Raise unless the packages are installed."""
    if any(find_spec(package) is None for package in packages):
        raise MissingExtra("training", "train")


def base_file(base: Path | None) -> Path:
    """The GGUF to train on: the embedded model's, fetched where need be, unless another is named."""
    if base is not None:
        return base
    with weights_progress() as progress:
        return ensure(CHAT, load_settings().weights(), progress) / MODEL_FILE


def command_line() -> str:
    """What was typed, for the record of a training."""
    return without_login(shlex.join(["redraft", *sys.argv[1:]]))


def trained(
    job: TrainingJob, learn: Callable[[Listener, Callable[[], None]], Outcome], *, looked: bool
) -> None:
    """Train, and say how it goes and ended; `looked` says whether there is a dev set."""
    try:
        with training_view() as (listener, interrupted):
            outcome = learn(listener, interrupted)
    except KeyboardInterrupt:
        if any((job.out / "checkpoints").glob("*.pt")):
            note(f"the same command goes on from the last checkpoint in {job.out}")
        raise
    progress = outcome.progress
    length = f"after {counted(progress.step, 'step')} and {counted(progress.tokens, 'token')}"
    if outcome.already:
        reason = "" if outcome.reason == "done" else f" ({outcome.reason})"
        note(f"already finished{reason} {length}: nothing was trained this time")
    else:
        note(f"{outcome.reason} {length}")
        memory = f", peak {outcome.peak_memory / 2**30:.1f} GiB on the GPU" if outcome.peak_memory else ""
        note(f"{outcome.tokens_per_second:,.0f} tokens/s{memory}")
    if looked:
        note(f"dev loss {progress.best:.4f}, best at step {progress.best_step}")
    put(f"{job.result}\n")
