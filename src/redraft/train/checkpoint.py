"""Checkpoints that are whole or absent, so that a killed training goes on where it stood."""

from __future__ import annotations

import json
import os
import pickle
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from redraft.errors import FileError, InputError
from redraft.notation import parse_json
from redraft.text import write_text

_DAMAGE = (OSError, RuntimeError, EOFError, ValueError, KeyError, TypeError, pickle.UnpicklingError)
"""What torch raises for a file that is cut off or garbled, each for another place in it."""


class Checkpoints:
    """The newest checkpoints of a training, and its best weights, in the folder `checkpoints`."""

    def __init__(self, out: Path, model: nn.Module, optimiser: torch.optim.Optimizer, keep: int) -> None:
        self._folder = out / "checkpoints"
        self._model = model
        self._optimiser = optimiser
        self._keep = keep

    def save(self, progress: dict[str, Any]) -> None:
        """Write what the next step depends on; older checkpoints than the newest few go."""
        state = {
            "progress": progress,
            "weights": self._weights(),
            "optimiser": self._optimiser.state_dict(),
            "random": torch.get_rng_state(),
            "random_cuda": torch.cuda.get_rng_state_all() if torch.cuda.is_available() else [],
        }
        _write(state, self._folder / f"{progress['step']:08}.pt")
        for old in (*self._found()[: -self._keep], *self._folder.glob("*.part")):
            old.unlink(missing_ok=True)

    def resume(self) -> dict[str, Any]:
        """Load the newest checkpoint that is whole; its progress, or nothing where there is none.

        A damaged one is passed over for the one before, and set aside once that one is loaded.
        """
        damaged: list[Path] = []
        for path in reversed(self._found()):
            try:
                state = torch.load(path, weights_only=True, map_location="cpu")
                progress: dict[str, Any] = state["progress"]
                weights, optimiser, random = state["weights"], state["optimiser"], state["random"]
            except _DAMAGE:
                damaged.append(path)
                continue
            self._load(weights, path)
            self._optimiser.load_state_dict(optimiser)
            torch.set_rng_state(random)
            # There may be fewer devices now than there were.
            for device, other in zip(range(torch.cuda.device_count()), state["random_cuda"], strict=False):
                torch.cuda.set_rng_state(other, device)
            for broken in damaged:
                warnings.warn(f"the checkpoint {broken} is damaged; going on from {path.name}", stacklevel=2)
                with suppress(OSError):  # another process of the same training may have been first
                    broken.rename(broken.with_suffix(".damaged"))
            return progress
        if damaged:
            raise InputError(
                f"no checkpoint in {self._folder} can be read; delete the folder to train from the start"
            )
        return {}

    def keep_best(self) -> None:
        """Keep the weights as they are now as the best."""
        _write(self._weights(), self._folder / "best.pt")

    def load_best(self) -> None:
        """Load the best weights, where some were kept."""
        path = self._folder / "best.pt"
        if path.exists():
            try:
                weights = torch.load(path, weights_only=True, map_location="cpu")
            except _DAMAGE:
                raise InputError(
                    f"{path}, the best weights of the training, is damaged; delete it to take the last ones"
                ) from None
            self._load(weights, path)

    def _found(self) -> list[Path]:
        return sorted(path for path in self._folder.glob("*.pt") if path.stem.isdigit())

    def _weights(self) -> dict[str, Tensor]:
        return {
            name: weight.detach().cpu()
            for name, weight in self._model.named_parameters()
            if weight.requires_grad
        }

    def _load(self, weights: dict[str, Tensor], path: Path) -> None:
        own = {name: weight for name, weight in self._model.named_parameters() if weight.requires_grad}
        if own.keys() != weights.keys() or any(own[n].shape != weights[n].shape for n in own):
            raise InputError(
                f"{path} is a checkpoint of another model or rank; choose another --out, or delete the folder"
            )
        with torch.no_grad():
            for name, weight in weights.items():
                own[name].copy_(weight)


def _write(state: Any, path: Path) -> None:
    """Write beside, then rename: a crash leaves the old file or none."""
    beside = path.with_suffix(".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        beside.unlink(missing_ok=True)
        with beside.open("xb") as stream:  # a new file: whatever else has the name is not followed
            torch.save(state, stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(beside, path)
    except (OSError, RuntimeError) as error:  # torch may hide the system's error in one of its own
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        reason = next((e.strerror for e in _causes(error) if isinstance(e, OSError) and e.strerror), error)
        raise FileError(
            f"{path} cannot be written: {reason}; what was there before is intact: make room, and start "
            "the same training again"
        ) from None


def _causes(error: BaseException) -> Iterator[BaseException]:
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__


class Journal:
    """The file; what was written after the step that training resumes from is dropped."""

    def __init__(self, path: Path, step: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = _lines(path)
        kept = [line for line in lines if 0 < _step(line) <= step]
        if kept != lines or not path.exists():
            write_text(path, "".join(kept))
        self._path = path

    def write(self, values: dict[str, Any]) -> None:
        """Add a line."""
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(values) + "\n")
        except OSError as error:
            raise FileError(f"{self._path} cannot be written: {error.strerror or error}") from None


def _lines(path: Path) -> list[str]:
    """The lines with their ends, and what a crash left of the last one."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
    except OSError:
        return []


def _step(line: str) -> int:
    """The step of a line; 0 of one that a crash cut off or garbled."""
    try:
        return int(parse_json(line)["step"]) if line.endswith("\n") else 0
    except (ValueError, KeyError, TypeError):
        return 0
