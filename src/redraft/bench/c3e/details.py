"""What can be seen of a text that was written without a judge, and how the writing of it went.

The details of a run, by data set:
{"dynamics": {"en-end2end": {"trajectories": 20, "success": 95.0, "gain": 0.4, …}},
 "lives": {"en-end2end": [[2, 5], [6, 9], …]},
 "costs": {"en-end2end": {"texts": 20, "calls": 14.2, "prompt_tokens": …, "seconds": …}},
 "asked": {"en-end2end": 12}, "cut": {"en-end2end": 1}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Final

from redraft.bench.c3e.tasks import asked_length
from redraft.bench.measures import DYNAMICS
from redraft.bench.results import Record
from redraft.bench.sample import Measures
from redraft.composition import Length, Limits, Step, count_words, dynamics, life_cycles
from redraft.text import Document

SLACK: Final = 0.2
COSTS: Final = ("calls", "prompt_tokens", "completion_tokens", "seconds")
_SHORT: Final = 5
"""Sentences of fewer words recur by rights: "Yes.", a name before what it says."""


def measures_of(record: Record) -> Measures:
    """The measures of a record, by name."""
    text = record["output"]
    found: dict[str, float | None] = {"empty": 100.0 * (not text.strip()), "repeated": repeated(text)}
    length = _asked(record)
    if length is not None:
        words = count_words(text)
        found["length"] = 100 * words / length.target
        found["within"] = 100.0 * (length.low * (1 - SLACK) <= words <= length.high * (1 + SLACK))
    return {**found, **{name: record["dynamics"][name] for name in DYNAMICS if "dynamics" in record}}


def repeated(text: str) -> float:
    """How much of a text stood in it before, in per cent: paragraphs, and sentences that are not short."""
    paragraphs: set[str] = set()
    seen: set[str] = set()
    again = whole = 0
    for paragraph in filter(str.strip, text.split("\n\n")):
        known = _plain(paragraph) in paragraphs
        paragraphs.add(_plain(paragraph))
        for sentence in Document(paragraph, "markdown").sentences:
            plain = _plain(sentence.text)
            whole += len(plain)
            again += len(plain) * (known or (plain in seen and Document(plain).words >= _SHORT))
            seen.add(plain)
    return 100 * again / whole if whole else 0.0


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def details_of(records: Sequence[Record]) -> Record:
    """The details of finished records."""
    by_dataset: dict[str, list[Record]] = {}
    for record in records:
        by_dataset.setdefault(record["dataset"], []).append(record)
    written = {
        name: trajectories
        for name, own in by_dataset.items()
        if (trajectories := [_steps(record) for record in own if "trajectory" in record])
    }
    limits = Limits()
    return {
        "dynamics": {name: dynamics(every, limits).to_dict() for name, every in written.items()},
        "lives": {
            name: [[life.start, life.end] for steps in every for life in life_cycles(steps, limits)]
            for name, every in written.items()
        },
        "costs": {name: _costs(own) for name, own in by_dataset.items()},
        "asked": {
            name: sum(_asked(record) is not None for record in own) for name, own in by_dataset.items()
        },
        "cut": {name: sum("cut" in record for record in own) for name, own in by_dataset.items()},
    }


def _asked(record: Record) -> Length | None:
    """How long the system was told to make it: an agent has a style guide too, and records what it read."""
    if "asked" in record:
        return None if record["asked"] is None else Length(**record["asked"])
    return asked_length(record["task"], record["instruction"], record["input"])


def _steps(record: Record) -> tuple[Step, ...]:
    return tuple(map(Step.from_dict, record["trajectory"]))


def _costs(records: Sequence[Record]) -> Mapping[str, float]:
    """What a text took, in the mean."""
    return {"texts": len(records)} | {
        name: fmean(record["usage"][name] for record in records) for name in COSTS
    }
