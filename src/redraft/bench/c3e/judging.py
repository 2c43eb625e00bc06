"""Judging the outputs of C3EBench, each by the rubric of its task, with the reference as the baseline."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from redraft.judge import Context, Inquiry, Item, PointwiseJudge, Rubric, load_rubric
from redraft.models import Model
from redraft.runs import Record


@cache
def rubric_of(task: str) -> Rubric:
    """The rubric of a task."""
    return load_rubric(task)


def inquiries_of(records: Iterable[Record], model: Model) -> Iterator[Inquiry]:
    """A question for each output; empty ones too, or writing nothing would raise the mean."""
    for record in records:
        if record["output"] is not None:
            yield PointwiseJudge(model, rubric_of(record["task"])).inquiry(judged(record))


def judged(record: Record) -> Item:
    """What the judge sees of a record; a draft stands with its critique."""
    source = "\n\n".join((record["input"], *(f"Critique:\n{text}" for text in record["documents"])))
    context = Context(source or None, record["instruction"], tuple(record["references"]))
    return Item(record["key"], record["output"], context)
