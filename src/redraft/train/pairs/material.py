"""What pairs are made of: records of data files, and the passages of running text in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from redraft.text import count_words, is_english, segment, to_json
from redraft.train.rows import read_objects
from redraft.train.synthesise import is_whole

Value = int | str
_NEEDS: Final = "a JSON object"
LONGEST: Final = 120
"""Words of an input, at most: the editor is asked about a passage, not a page."""
_SHORTEST: Final = 3
_PARAGRAPHS: Final = re.compile(r"\n\s*\n")
_LIST_ITEM: Final = re.compile(r"(?:[-*+•]|\d+[.)]|#+)\s")


@dataclass(frozen=True, slots=True)
class Record:
    """A record of a data file; `text` names what it came from, so that what belongs together stays so."""

    source: str
    text: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """A row for a control: the values fill the places in its phrasings, such as {n}."""

    task: str
    input: str
    target: str
    source: str
    text: str
    values: Mapping[str, Value] = field(default_factory=dict)

    def as_line(self) -> str:
        """The row as it is written to a file."""
        row: dict[str, Any] = {"task": self.task, "input": self.input, "target": self.target}
        row["source"] = self.source
        return to_json({**row, "values": dict(self.values)} if self.values else row)

    @property
    def fits(self) -> bool:
        """Whether it can be taught: neither side too long or too short, each a paragraph at most."""
        sides = (self.input, self.target)
        return all(
            _SHORTEST <= count_words(side) <= LONGEST and "\n" not in side and side == side.strip()
            for side in sides
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """Sentences that follow one another in a text."""

    source: str
    text: str
    sentences: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join(self.sentences)

    def pair(self, task: str, target: str, **values: Value) -> Pair:
        """A pair with this passage as its input."""
        return Pair(task, str(self), target, self.source, self.text, values)


def read_records(paths: Iterable[Path]) -> Iterator[Record]:
    """The records of JSONL files, which may be gzipped; those of one article or text are named alike."""
    for path in paths:
        source = f"{path.parent.name}/{path.name.split('.')[0]}"
        for number, (_, found) in enumerate(read_objects(path, _NEEDS)):
            name = found.get("id")
            if isinstance(name, int):
                yield Record(source, f"article {name}", found)
                continue
            whole = found.get("text") or found.get("input") or found.get("source")
            yield Record(source, whole if isinstance(whole, str) else f"{source} {number}", found)


def passages(records: Iterable[Record], lengths: Sequence[int] = (1,)) -> Iterator[Passage]:
    """The running text of records in passages of so many sentences, the lengths by turns.

    Headings, items of lists and what is broken are left out, and end a passage.
    """
    for record in records:
        turn = 0
        for run in _runs(record_text(record)):
            place = 0
            while place < len(run):
                end = place + lengths[turn % len(lengths)]
                turn += 1
                yield Passage(record.source, record.text, run[place:end])
                place = end


def record_text(record: Record) -> str:
    """The running text of a record: of a pair, the side that is revised."""
    fields = record.fields
    found = (fields[name] for name in ("text", "target", "input") if isinstance(fields.get(name), str))
    return next(found, "")


@lru_cache(maxsize=8)
def _runs(text: str) -> tuple[tuple[str, ...], ...]:
    """Clean sentences that follow one another; kept a while, for each kind of pairs asks again."""
    found: list[tuple[str, ...]] = []
    if not is_english(text):
        return ()
    for paragraph in _PARAGRAPHS.split(text):
        if _LIST_ITEM.match(paragraph):
            continue
        run: list[str] = []
        for part in segment(paragraph):
            sentence = " ".join(paragraph[part.start : part.end].split())
            if is_whole(sentence):
                run.append(sentence)
            elif run:
                found.append(tuple(run))
                run = []
        if run:
            found.append(tuple(run))
    return tuple(found)
