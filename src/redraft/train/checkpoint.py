"""Checkpoints that are whole or absent, so that a killed training goes on where it stood."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from redraft.errors import InputError


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
        for old in self._found()[: -self._keep]:
            old.unlink()

    def resume(self) -> dict[str, Any]:
        """Load the newest checkpoint; its progress, or nothing where there is none."""
        for path in reversed(self._found()):
            state = torch.load(path, weights_only=True, map_location="cpu")
            self._load(state["weights"], path)
            self._optimiser.load_state_dict(state["optimiser"])
            torch.set_rng_state(state["random"])
            if torch.cuda.is_available() and state["random_cuda"]:
                torch.cuda.set_rng_state_all(state["random_cuda"])
            progress: dict[str, Any] = state["progress"]
            return progress
        return {}

    def keep_best(self) -> None:
        """Keep the weights as they are now as the best."""
        _write(self._weights(), self._folder / "best.pt")

    def load_best(self) -> None:
        """Load the best weights, where some were kept."""
        path = self._folder / "best.pt"
        if path.exists():
            self._load(torch.load(path, weights_only=True, map_location="cpu"), path)

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
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    with beside.open("wb") as stream:
        torch.save(state, stream)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(beside, path)
