"""What the EditEval paper states as data: its data sets (Table 1), prompts (Appendix B) and results.

And what the paper on policy-based simplification states of two of these, Turk and ASSET, in numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

from redraft.bench.benchmark import Sample, read_data
from redraft.metrics import editeval_normalise

Over = Literal["mean", "max", "min"]
Scores = Mapping[str, Mapping[str, Mapping[str, float]]]


@dataclass(frozen=True)
class DataSetFacts:
    """One data set as the paper describes it."""

    name: str
    abbreviation: str
    task: str
    size: int
    """The number of test samples in Table 1."""
    metrics: tuple[str, ...]
    """The main metric, then the one that Table 3 gives beside it, then the others of section 4, then those
    that tell what a simplification did, LENS among them for ASSET: the metrics of a later paper."""
    detokenise: bool
    """Whether its texts come as tokens and are put together again when they are read."""
    targets: int
    """The number of references of a sample, |T| in Table 4."""
    domains: tuple[str, ...]
    """Where its texts are from, as Table 4 has it."""
    licence: str
    address: str
    """Where its owners distribute it."""


@cache
def facts() -> dict[str, DataSetFacts]:
    """The ten data sets by name, in the order of the columns of Table 3."""
    data = read_data(__package__, "datasets.json")
    found = {}
    for row in data["datasets"]:
        metrics = (*row["metrics"], *data["further"], *data["by_task"].get(row["task"], ()))
        lists = {"metrics": tuple(dict.fromkeys(metrics)), "domains": tuple(row["domains"])}
        found[row["name"]] = DataSetFacts(**{**row, **lists})
    return found


@cache
def prompts() -> dict[str, tuple[str, ...]]:
    """The instructions of each task, as Appendix B lists them."""
    return {task: tuple(lines) for task, lines in read_data(__package__, "prompts.json").items()}


def published(over: Over) -> Scores:
    """System, data set, metric: Table 3 ("mean" over prompts), or the halves of Table 5 ("max", "min")."""
    return cast("Scores", read_data(__package__, "published.json")[over])


def overall() -> Mapping[str, Mapping[str, float]]:
    """Table 2: a system's SARI over all data sets ("mean", "max", "min" over prompts), and its "cv" in %."""
    return cast("Mapping[str, Mapping[str, float]]", read_data(__package__, "published.json")["overall"])


def simplification() -> Scores:
    """Policy-based simplification (§4.4, Table 4): data set, what was measured, system or model."""
    return cast("Scores", read_data(__package__, "simplification.json"))


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
