"""EditEval (Dwivedi-Yu et al., 2022): ten data sets of seven editing tasks, each with its instructions."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib.metadata import distributions
from pathlib import Path

from redraft.bench.benchmark import DataSet, Sample
from redraft.bench.editeval import facts, updating
from redraft.bench.editeval.facts import Over, Scores, Source, overall
from redraft.bench.editeval.find import FoundDataSets, find, nothing_found
from redraft.bench.tables import Cell, Column, Result, Table, as_number, dataset_results
from redraft.errors import InputError
from redraft.metrics import editeval_normalise

__all__ = ["EditEval", "Over", "Scores", "overall"]

_NAMED = 5


class EditEval:
    """The benchmark: reads what is found of its data sets, and knows the paper's results."""

    name = "editeval"

    def load(self, path: Path) -> tuple[DataSet, ...]:
        """The data sets at a path, in the paper's order; what is odd about them is said in warnings."""
        found = find(path)
        if not found.sources:
            raise nothing_found(path, found)
        for message in _notes(path, found):
            warnings.warn(message, stacklevel=2)
        return tuple(_dataset(found.sources[name]) for name in facts.facts() if name in found.sources)

    def normalise(self, text: str, sample: Sample | None = None) -> str:
        """What the evaluator does to a text before it scores: a sample's input, output or reference."""
        if sample is None or sample.task != "updating":
            return editeval_normalise(text)
        text = updating.without_citations(text, len(sample.documents))
        if sample.dataset == "fruit":
            text = updating.without_wikitext(text)
        return updating.normalise_spaces(text)

    def published(self, over: Over = "mean") -> Scores:
        """The paper's scores of system, data set, metric: the mean, maximum or minimum over prompts."""
        return facts.published(over)

    def context(self, results: Sequence[Result]) -> tuple[Table, ...]:
        """What the paper on policy-based simplification says of Turk and ASSET, where results are of them."""
        known, found = facts.simplification(), dataset_results(results)
        names = [name for name in known if name in found]
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                system,
                *(
                    tuple(as_number(known[name][kind].get(system)) for kind in ("gain", "people"))
                    for name in names
                ),
            )
            for system in dict.fromkeys(
                who for name in names for each in known[name].values() for who in each
            )
        )
        columns = (
            Column("System"),
            *(Column(found[name].abbreviation, ("gain", "people")) for name in names),
        )
        note = (
            "As printed (section 4.4 and Table 4), of the policy that fits the data set: lexical paraphrasing"
            " for Turk, overall rewriting for ASSET. gain: points that preference training adds to the model"
            " that is prompted alone, in SARI for Turk; the text does not name the metric for ASSET. people:"
            " a person's mean score from 1 to 5, of 60 sources. Scores themselves are drawn, not printed."
        )
        return (
            (Table("policies", "Policy-based simplification, as published", note, columns, rows),)
            if rows
            else ()
        )


def _dataset(source: Source) -> DataSet:
    fact = facts.facts()[source.dataset]
    samples = tuple(source.read())
    if not samples:
        raise InputError(f"{source.path} has no sample of {fact.name}")
    seen: set[str] = set()
    for sample in samples:
        if sample.id in seen:
            raise InputError(f"{source.path}: two samples have the id {sample.id}")
        seen.add(sample.id)
    comparable = len(samples) == fact.size
    if not comparable:
        warnings.warn(
            f"{fact.name} ({source.path}) has {len(samples)} samples, the paper's has {fact.size}: "
            "scores cannot be set beside published ones",
            stacklevel=3,
        )
    prompts = facts.prompts()[fact.task]
    has_lens = any(distributions(name="lens-metric"))
    metrics = tuple(name for name in fact.metrics if name != "lens" or has_lens)
    return DataSet(fact.name, fact.abbreviation, fact.task, samples, metrics, prompts, comparable)


def _notes(path: Path, found: FoundDataSets) -> list[str]:
    notes = [str(missing) for missing in found.unreadable]
    notes += [
        f"{source.dataset} is read from {found.sources[source.dataset].path}, not from {source.path}"
        for source in found.spare
    ]
    if found.ignored:
        names = [str(file.relative_to(path)) for file in found.ignored[:_NAMED]]
        more = len(found.ignored) - len(names)
        listed = ", ".join(names) + (f" and {more} more" if more else "")
        notes.append(f"not a test set of EditEval, and ignored: {listed}")
    return notes
