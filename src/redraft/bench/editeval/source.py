"""A place that a data set can be read from, and the making of its samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from redraft.bench.editeval.facts import facts
from redraft.bench.sample import Sample
from redraft.metrics import editeval_normalise

DOCUMENTS = 3
"""How many chunks of reference material a sample has at most (section 3.5)."""

Form = Literal["our JSON lines", "the original files", "the Hugging Face form"]
FORMS: tuple[Form, ...] = ("our JSON lines", "the original files", "the Hugging Face form")
"""The forms, the one to be preferred first."""

Read = Callable[[], Iterable[Sample]]


@dataclass(frozen=True)
class Source:
    """One data set in one form, not read yet."""

    dataset: str
    form: Form
    path: Path
    read: Read
    files: tuple[Path, ...] = ()
    """Further files that belong to it."""


@dataclass(frozen=True)
class Pair:
    """An input with its references, before the data set's processing."""

    id: str
    input: str
    references: tuple[str, ...]
    documents: tuple[str, ...] = ()


def samples(dataset: str, pairs: Iterable[Pair]) -> Iterator[Sample]:
    """The samples of a data set, its texts detokenised where the paper does so; empty ones are dropped."""
    fact = facts()[dataset]
    form = editeval_normalise if fact.detokenise else str.strip
    for pair in pairs:
        text = form(pair.input)
        references = tuple(filter(None, map(form, pair.references)))
        if text and references:
            yield Sample(pair.id, dataset, fact.task, text, references, pair.documents[:DOCUMENTS])


def numbered(name: str, pairs: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[Pair]:
    """Pairs that have no ids of their own get EditEval's: `jfleg-test-0`."""
    for number, (text, references) in enumerate(pairs):
        yield Pair(f"{name}-test-{number}", text, references)
