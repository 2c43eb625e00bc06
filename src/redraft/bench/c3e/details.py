"""What can be seen of a text that was written without a judge, and how the writing of it went.

The details of a run, by data set:
{"dynamics": {"en-end2end": {"trajectories": 20, "success": 95.0, "gain": 0.4, …}},
 "lives": {"en-end2end": [[2, 5], [6, 9], …]},
 "costs": {"en-end2end": {"texts": 20, "calls": 14.2, "prompt_tokens": …, "seconds": …}},
 "asked": {"en-end2end": 12}, "cut": {"en-end2end": 1}}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import Final

from redraft.bench.benchmark import Measures, WritingPrompt
from redraft.bench.c3e.reading import Entry
from redraft.bench.measures import DYNAMICS
from redraft.composition import Length, Limits, Step, count_words, dynamics, life_cycles, read_brief
from redraft.judge import Context, Inquiry, Item, PointwiseJudge, Rubric, load_rubric, wrap_in_tags
from redraft.models import Model, Prompts
from redraft.runs import Record
from redraft.text import Document

NAMES: Final = {"cloze": "Cloze", "expand": "Expand", "edit": "Edit", "end2end": "End2End"}
TEMPERATURE: Final = 0.7
"""As in the paper, §5.1."""
_prompt = Prompts(__package__)
_TOKENS: Final = {"en": 0.3, "zh": 1.0}
"""Tokens of a character, at most, by tokenisers of today's models."""
_USUAL: Final = 6000
_SPARE: Final = 256
_HAN: Final = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def asking_of(entry: Entry) -> WritingPrompt:
    """How a model is asked. End2End is the instruction alone (Table 1: no input).

    An agent has the genre of the record for its style guide, as the authors' own runs had; what the input of
    an End2End record holds beside (audience, length) was read off the reference, and stays hidden.
    """
    style = entry.genre if entry.task == "end2end" else ""
    return WritingPrompt(_prompt_of(entry), _room(entry), TEMPERATURE, style)


def asked_length(task: str, instruction: str, grounding: str) -> Length | None:
    """How long a piece was asked to be, as the model is told it; never what the reference has."""
    return read_brief(instruction, grounding).length if task in ("expand", "end2end") else None


def characters_apart(text: str) -> str:
    """Every Chinese character as a word of its own, which ROUGE can tell from others."""
    return _HAN.sub(lambda found: f" u{ord(found[0]):x} ", text)


def _prompt_of(entry: Entry) -> str:
    if entry.task == "end2end":
        return entry.instruction
    tag = "outline" if entry.task == "expand" else "text"
    return _prompt(
        f"{entry.task}_{entry.language}",
        instruction=entry.instruction,
        grounding=wrap_in_tags(tag, entry.grounding),
        critique=wrap_in_tags("critique", entry.critique) if entry.critique else "",
    )


def _room(entry: Entry) -> int:
    """Tokens that the text may take: for the length that was asked, or by what it is made from."""
    length = asked_length(entry.task, entry.instruction, entry.grounding)
    if length is not None:
        return _SPARE + round(length.high * 2)
    if entry.task in ("expand", "end2end"):
        return _USUAL
    # A passage that was cut out is shorter than what is left; a draft may double.
    given = round(len(entry.grounding) * _TOKENS[entry.language])
    return _SPARE + (given if entry.task == "cloze" else 2 * given)


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


def details_of(records: Sequence[Record], measured: Mapping[str, Record], counting: str) -> Record:
    """The dynamics of writing, the lives of sections, and what the texts took."""
    by_dataset: dict[str, list[Record]] = {}
    for record in records:
        by_dataset.setdefault(record["dataset"], []).append(record)
    written = {
        name: trajectories
        for name, own in by_dataset.items()
        if (trajectories := [_steps(record) for record in own if "trajectory" in record])
    }
    # Those of the run: every record has the same.
    limits = next((Limits(**record["limits"]) for record in records if "limits" in record), Limits())
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
    """How long the system was told to make it; an agent records what it read."""
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
