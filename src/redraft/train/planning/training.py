"""Training a planner from start to end: it imitates trajectories, then learns from its own answers."""

from __future__ import annotations

import asyncio
import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError
from redraft.models import Models, TorchScorer, sha256_of
from redraft.revision import planner_has_learnt
from redraft.settings import Settings
from redraft.text import lock_folder, write_text
from redraft.train.config import ALIGN_EPOCHS, ALIGN_RATE, HELD_OUT_SHARE, Alignment, Config, Loss
from redraft.train.conversations import fingerprints, read_preference_data
from redraft.train.guard import Guard, normalised_words
from redraft.train.loop import Listener
from redraft.train.model import Lora, find_start
from redraft.train.planning.batch_writer import BatchWriter, can_batch
from redraft.train.planning.generation import SourceText, read_texts
from redraft.train.planning.progress import Notify, Phases, Workers
from redraft.train.planning.sampling import draw_requests, read_requests
from redraft.train.planning.scoring import ActionScorer, PlainReviser
from redraft.train.planning.selftraining import SFT, SelfTraining
from redraft.train.planning.trajectory import PlannerTrajectory, read_trajectories, trajectory_conversations
from redraft.train.rows import read_record, read_some
from redraft.train.sft import TrainingJob, fine_tune, train_on_preferences

_SIZE: Final = 5
_SHARE: Final = 0.3
"""A text is of another where it has so many of its runs of five words from it: damage leaves most of them."""


class OverlapIndex:
    """Knows texts, stretches of them, and what they are stretches of, by their runs of words."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._sizes: list[int] = []
        self._holders: dict[tuple[str, ...], list[int]] = {}
        for number, text in enumerate(dict.fromkeys(texts)):
            own = _runs(text)
            self._sizes.append(len(own))
            for run in own:
                self._holders.setdefault(run, []).append(number)

    def knows(self, text: str) -> bool:
        """Whether a text is one of them, or a part of one, or of several, or holds one; damaged or not."""
        own = _runs(text)
        shared = [self._holders[run] for run in own if run in self._holders]
        if not shared:
            return False
        holders = Counter(chain.from_iterable(shared))
        return len(shared) >= _SHARE * len(own) or any(
            count >= _SHARE * self._sizes[number] for number, count in holders.items()
        )


def split_texts(texts: Iterable[SourceText], share: float) -> tuple[list[SourceText], list[SourceText]]:
    """The texts to learn from, and a share of them held out, at least one; each text decides for itself."""
    distinct = {one.text: one for one in texts}
    order = sorted(distinct.values(), key=lambda one: hashlib.sha256(one.text.encode()).digest())
    held_out = order[: max(1, round(share * len(order)))]
    known = OverlapIndex(one.text for one in held_out)
    return [one for one in order[len(held_out) :] if not known.knows(one.text)], held_out


def _runs(text: str) -> set[tuple[str, ...]]:
    words = normalised_words(text)
    return set(zip(*(words[start:] for start in range(_SIZE)), strict=False))


RECORD: Final = "planner.json"
_FREE: Final = ("iterations", "every", "control")
"""Of an alignment, what may be another when it goes on."""
_AT_ONCE: Final = 1024
"""Requests under way; a GPU writes them as one batch."""

View = Callable[[], AbstractContextManager[tuple[Listener, Callable[[], None]]]]
"""What shows a training, and what it calls where it is told to stop."""


@dataclass(frozen=True, slots=True)
class PlannerData:
    """What a planner learns from, what it is measured on, and what is only watched; no text is in two."""

    trajectories: tuple[PlannerTrajectory, ...]
    dev: tuple[PlannerTrajectory, ...]
    """Trajectories of texts that are held out."""
    texts: tuple[SourceText, ...]
    held_out: tuple[SourceText, ...]
    watch: Mapping[str, tuple[PlannerTrajectory, ...]]
    record: dict[str, Any]


def gather_material(
    trajectories: Sequence[Path],
    sources: Sequence[Path],
    watch: Mapping[str, Path],
    guard: Guard | None,
) -> PlannerData:
    """Read trajectories and sets to watch, and part what is learnt from what is held out."""
    seen = {name: read_requests(path) for name, path in watch.items()}
    foreign = OverlapIndex(one.text for requests in seen.values() for one in requests)

    def allowed(text: str) -> bool:
        return not foreign.knows(text) and not (guard and guard.knows(text))

    given = list(read_texts(sources))
    usable = [
        one for one in given if one.terms_stated and allowed(one.text) and not planner_has_learnt(one.text)
    ]  # a planner is measured on the papers of TETRA
    texts, held_out = split_texts(usable, HELD_OUT_SHARE)
    if not texts:
        raise InputError("there are too few texts (--sources): some to learn from, and others to hold out")
    held_out_index = OverlapIndex(one.text for one in held_out)
    read = [one for path in trajectories for one in read_some(path, read_trajectories, "trajectory")]
    kept = [one for one in read if allowed(one.text)]
    learnt = tuple(one for one in kept if not held_out_index.knows(one.text))
    if read and not learnt:
        raise InputError("there is nothing to imitate: every trajectory is of a text that is kept out")
    record = {
        "trajectories": fingerprints(trajectories),
        "sources": fingerprints(sources),
        "texts": {
            "learnt": len(texts),
            "held_out": len(held_out),
            "kept_out": len(given) - len(texts) - len(held_out),
        },
        "imitated": {
            "learnt": len(learnt),
            "dev": len(kept) - len(learnt),
            "kept_out": len(read) - len(kept),
        },
    }
    dev = tuple(one for one in kept if held_out_index.knows(one.text))
    return PlannerData(learnt, dev, tuple(texts), tuple(held_out), seen, record)


@dataclass(frozen=True, slots=True)
class PlannerTraining:
    """How a planner is trained: with which base, by which settings, into which folder."""

    base: Path
    out: Path
    lora: Lora
    imitation: Config
    loss: Loss
    alignment: Alignment
    pairs: int
    """Of a batch."""
    held_out: int
    """Requests that decide when to stop."""
    command: str
    spec: str = "torch"
    """The base as a model that writes; a GGUF is written with in batches."""
    start: Path | None = None
    """An adapter from which imitation starts; where there is nothing to imitate, self-training does."""

    @property
    def preference(self) -> Config:
        """How an iteration of self-training is trained."""
        return replace(
            self.imitation,
            epochs=ALIGN_EPOCHS,
            max_steps=None,
            minutes=None,
            rate=ALIGN_RATE,
            examples=self.pairs,
            patience=None,
            compile=False,  # takes longer than an iteration's few steps
        )

    def follow(self, material: PlannerData, settings: Settings, say: Notify, view: View) -> dict[str, Any]:
        """Train to the end, from where it stopped before; gives the curve over the iterations."""
        with lock_folder(self.out, "--out"):
            return self._followed(material, settings, say, view)

    def _followed(self, material: PlannerData, settings: Settings, say: Notify, view: View) -> dict[str, Any]:
        record = self._record(material)
        phases = Phases(self.out, say)
        self._imitate(material, phases, view)
        # Only now: imitation has a record of its own, and may have refused to go on as it is asked to here.
        write_text(self.out / RECORD, json.dumps(record, indent=2) + "\n")
        many = settings.model_copy(update={"cache": False, "concurrency": _AT_ONCE})
        with asyncio.Runner() as runner, Workers(settings.threads) as workers:
            models = Models(many)
            reviser = PlainReviser(models.open("torch", role="reviser"))
            held_out = runner.run(
                draw_requests(material.held_out, self.held_out, 0, workers)  # the same, whatever the seed
            )
            course = SelfTraining(
                self.out,
                self.alignment,
                held_out,
                material.watch,
                lambda count, seed: draw_requests(material.texts, count, seed, workers),
                BatchWriter(self.base) if can_batch(self.base) else models.open(self.spec, role="planner"),
                ActionScorer(reviser, TorchScorer(self.base), workers),
                lambda start, pairs, out: self._align(start, pairs, out, phases, view),
                runner.run,
                phases,
            )
            try:
                return course.to_the_end()
            finally:
                runner.run(models.aclose())

    def _record(self, material: PlannerData) -> dict[str, Any]:
        """How the planner is trained; makes sure that it was begun just so."""
        deciding = {
            **material.record,
            "alignment": {name: it for name, it in asdict(self.alignment).items() if name not in _FREE},
            "preference": {name: it for name, it in asdict(self.preference).items() if it is not None},
            "loss": self.loss.record(),
            "held_out": self.held_out,
        }
        if self.start is not None and not material.trajectories:
            files = sorted(path for path in find_start(self.start).rglob("*.safetensors"))
            deciding["start"] = [sha256_of(path) for path in files]
        old, new = read_record(self.out / RECORD), json.loads(json.dumps(deciding))
        for name, value in new.items():
            if old and old.get(name) != value:
                raise InputError(
                    f"{self.out} holds a planner's training with other {name}; choose another --out, or "
                    "delete the folder"
                )
        watched = {"watched": sorted(material.watch), "note": "what is watched decides nothing"}
        return {"command": self.command, **new, **watched}

    def _imitate(self, material: PlannerData, phases: Phases, view: View) -> None:
        if self.start is not None and not material.trajectories:
            found = find_start(self.start)
            target = self.out / SFT / "adapter"
            if not found.is_dir():
                raise InputError(f"{self.start} is no folder with an adapter (train.json, adapter/)")
            if not target.exists():
                part = target.with_name(".adapter")
                shutil.rmtree(part, ignore_errors=True)
                shutil.copytree(found, part)
                part.rename(target)
            return
        turns, dev = (
            [turn for one in some for turn in trajectory_conversations(one)]
            for some in (material.trajectories, material.dev)
        )
        record = {"command": self.command, "data": material.record["trajectories"], "counts": material.record}
        job = TrainingJob(self.base, self.out / SFT, self.lora, self.imitation, record, self.start)
        with phases.phase("imitation", len(turns)) as phase, view() as (listener, interrupted):
            outcome = fine_tune(job, lambda _: turns, dev, listener, interrupted)
            phase.add(len(turns), 0 if outcome.already else outcome.progress.tokens)

    def _align(self, start: Path, pairs: Path, out: Path, phases: Phases, view: View) -> None:
        found = read_preference_data([pairs], (), None)
        record = {"command": self.command, **found.record}
        job = TrainingJob(self.base, out, self.lora, self.preference, record, start / "adapter")
        with phases.phase(f"{out.name}, alignment", len(found.kept)) as phase, view() as (listener, stopped):
            outcome = train_on_preferences(job, found.epoch, (), self.loss, listener, stopped)
            phase.add(len(found.kept), 0 if outcome.already else outcome.progress.tokens)
