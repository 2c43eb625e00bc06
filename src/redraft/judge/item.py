"""What is judged: texts or pairs of texts, with what a judge may see beside them, and how files hold them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from redraft.errors import InputError
from redraft.judge.rubric import Rubric
from redraft.text import parse_json_lines, read_text

SAMPLES = "samples.jsonl"
"""Where the folder of a benchmark's run has its outputs."""


@dataclass(frozen=True)
class Context:
    """What stands beside a text under judgement."""

    source: str | None = None
    instruction: str | None = None
    references: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    """Criteria for this item alone, beside those of the rubric."""
    documents: tuple[str, ...] = ()
    """What else was given to write from, for people who score; no judge is shown it."""

    def texts(self, name: str) -> tuple[str, ...]:
        """What the item has of `source`, `instruction` or `reference`."""
        if name == "reference":
            return self.references
        found = self.source if name == "source" else self.instruction
        return () if found is None else (found,)


@dataclass(frozen=True)
class Item:
    """A text to be scored."""

    id: str
    text: str
    context: Context = field(default_factory=Context)
    task: str = ""
    """The kind of task, where its file says so."""


@dataclass(frozen=True)
class Pair:
    """Two texts to be compared."""

    id: str
    first: str
    second: str
    context: Context = field(default_factory=Context)


@dataclass(frozen=True)
class Items:
    """The texts of a file, and how many of its lines had none since their system had failed."""

    items: tuple[Item, ...]
    failed: int


Drawn = TypeVar("Drawn", Item, Pair)


def read_items(path: str) -> Items:
    """The texts of a JSONL file (`-` is standard input), or of the folder of a benchmark's run.

    A line is an object with `output` or `text`, and as it has them `id` or `key`, `source` or `input`,
    `instruction`, `reference` or `references`, `traits`. The last line of an id counts in a run's folder,
    where failed samples are tried again; elsewhere an id may be there once.
    """
    is_run = path != "-" and Path(path).is_dir()
    file = str(Path(path) / SAMPLES) if is_run else path
    if is_run and not Path(file).is_file():
        raise InputError(f"{path} is no folder of a run: it has no {SAMPLES}")
    text = read_text(file)
    if is_run:
        text = text[: text.rfind("\n") + 1]  # without what a crash cut off
    source = "standard input" if file == "-" else file
    found: dict[str, Item | None] = {}
    for number, value in parse_json_lines(text, source):
        where = f"{source}, line {number}"
        name, item = read_item(value, number, where)
        if name in found and not is_run:
            raise InputError(f"{where}: the id {name!r} is there twice")
        found[name] = item
    items = tuple(item for item in found.values() if item is not None)
    if not items:
        raise InputError(f"{path} has no texts to judge")
    return Items(items, len(found) - len(items))


def pair_up(first: Sequence[Item], second: Sequence[Item]) -> tuple[Pair, ...]:
    """The items that both have, by id, in the order of the first; their sources must be the same."""
    others = {item.id: item for item in second}
    pairs = []
    for item in first:
        if (other := others.get(item.id)) is None:
            continue
        if item.context.source != other.context.source:
            raise InputError(
                f"{item.id} has another source in the second file: pair outputs for the same texts"
            )
        pairs.append(Pair(item.id, item.text, other.text, item.context))
    if not pairs:
        raise InputError("the two have no id in common: there is nothing to compare")
    return tuple(pairs)


def sample_items(items: Sequence[Drawn], limit: int | None, seed: int) -> tuple[Drawn, ...]:
    """At most `limit` of them, drawn by the seed, in their order."""
    if limit is None or limit >= len(items):
        return tuple(items)
    return tuple(items[place] for place in sorted(random.Random(seed).sample(range(len(items)), limit)))


def check_needs(rubric: Rubric, items: Sequence[Item] | Sequence[Pair]) -> None:
    """Raise where an item lacks what the rubric cannot do without."""
    for item in items:
        for name in rubric.needs:
            if not item.context.texts(name):
                raise InputError(f"{item.id} has no {name}, which the rubric {rubric.name} needs")


def read_item(value: Mapping[str, Any], number: int, where: str) -> tuple[str, Item | None]:
    """The id of an object (its number, where it has none) and its text; None where its system had failed."""
    name = next((value[key] for key in ("key", "id") if value.get(key) is not None), number)
    if not isinstance(name, str | int):
        raise InputError(f"{where}: the id must be a text or a number")
    if value.get("error"):
        return str(name), None
    text = _text(value, ("output", "text"), where)
    if text is None:
        raise InputError(f"{where}: the object has none of the keys output, text")
    context = Context(
        source=_text(value, ("source", "input"), where),
        instruction=_text(value, ("instruction",), where),
        references=_texts(value, ("reference", "references"), where),
        traits=_texts(value, ("traits",), where),
        documents=_texts(value, ("documents",), where),
    )
    return str(name), Item(str(name), text, context, _text(value, ("task",), where) or "")


def _text(value: Mapping[str, Any], keys: Sequence[str], where: str) -> str | None:
    found = next((value[key] for key in keys if value.get(key) is not None), None)
    if found is not None and not isinstance(found, str):
        raise InputError(f"{where}: {' or '.join(keys)} must be a text")
    return found


def _texts(value: Mapping[str, Any], keys: Sequence[str], where: str) -> tuple[str, ...]:
    found: Any = next((value[key] for key in keys if value.get(key) is not None), [])
    found = [found] if isinstance(found, str) else found
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise InputError(f"{where}: {' or '.join(keys)} must be a text or a list of texts")
    return tuple(found)
