"""What a C3EBench holds: lengths by task (Table 1 of the RAVEL paper), genres (Figure 6), and how the length
of what is given goes with that of what is asked for (Figure 7).

Lengths are counted as the paper counts them, which reproduces its Table 1 to the last digit: in English, what
stands between spaces; in Chinese, every character, spaces and marks too. An input is its fields one after
another, and that of End2End, which no writer sees, is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from typing import Any, Final

from pydantic import TypeAdapter

from redraft.bench.benchmark import read_data
from redraft.bench.c3e.details import NAMES
from redraft.bench.c3e.reading import LANGUAGES, TASKS, Entry, Language, Task
from redraft.bench.report.plots import Bar, BarGroup, Drawing, Point, bar_chart, scatter
from redraft.bench.tables import Column, Number, Table
from redraft.judge import defined, spearman
from redraft.runs import Record
from redraft.text import json_strings

_UNITS: Final = {"en": "words", "zh": "characters"}
_LANGUAGES: Final = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True)
class Lengths:
    """The lengths of one part of the records of a task; the least is not published of every part."""

    mean: float
    most: int
    least: int | None = None

    def __str__(self) -> str:
        return f"{self.mean:.2f}/{self.most}" + ("" if self.least is None else f"/{self.least}")


@dataclass(frozen=True)
class Row:
    """A line of Table 1."""

    task: Task
    language: Language
    instruction: Lengths
    input: Lengths
    reference: Lengths
    total: int


def published_rows() -> list[Row]:
    """Table 1 of the paper."""
    return TypeAdapter(list[Row]).validate_python(read_data(__package__, "published.json")["lengths"])


@dataclass(frozen=True)
class Measured:
    """The lengths of one record."""

    id: str
    task: Task
    language: Language
    genre: str
    instruction: int
    input: int
    reference: int


@dataclass(frozen=True)
class Statistics:
    """What a benchmark holds."""

    records: tuple[Measured, ...]
    rows: tuple[Row, ...]
    """As in Table 1, for the tasks and languages that are there."""

    def published(self, row: Row) -> Row | None:
        """The paper's line for the task, where the records of the language are as many as the paper's."""
        own = {one.task: one.total for one in self.rows if one.language == row.language}
        theirs = {one.task: one for one in published_rows() if one.language == row.language}
        if own != {task: one.total for task, one in theirs.items()}:
            return None
        return theirs[row.task]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "records": len(self.records),
            "lengths": [
                {**asdict(row), "unit": _UNITS[row.language]}
                | ({"published": asdict(published)} if (published := self.published(row)) else {})
                for row in self.rows
            ],
            "genres": {lang: self.genres(lang) for lang in self.languages},
            "correlations": {lang: self.correlations(lang) for lang in self.languages},
        }

    @property
    def languages(self) -> tuple[Language, ...]:
        """Those that there are records of."""
        return tuple(lang for lang in LANGUAGES if any(row.language == lang for row in self.rows))

    def genres(self, lang: Language) -> dict[str, dict[Task, int]]:
        """How many records each task has of each genre, the most frequent first."""
        own = [one for one in self.records if one.language == lang]
        order = Counter(one.genre for one in own)
        counts = Counter((one.genre, one.task) for one in own)
        return {
            genre: {task: counts[genre, task] for task in TASKS if counts[genre, task]}
            for genre, _ in order.most_common()
        }

    def correlations(self, lang: Language) -> dict[Task, float | None]:
        """How far longer references go with longer instructions and inputs (Spearman), by task."""
        found: dict[Task, float | None] = {}
        for row in self.rows:
            if row.language == lang:
                own = [one for one in self.records if (one.language, one.task) == (lang, row.task)]
                given = [one.instruction + one.input for one in own]
                found[row.task] = defined(spearman(given, [one.reference for one in own]))
        return found


def statistics(records: Iterable[tuple[Entry, Record]]) -> Statistics:
    """What records hold."""
    measured = tuple(_measured(entry, record) for entry, record in records)
    rows = []
    for task in TASKS:
        for lang in LANGUAGES:
            own = [one for one in measured if (one.task, one.language) == (task, lang)]
            if own:
                instruction, given, reference = (
                    _lengths([getattr(one, part) for one in own])
                    for part in ("instruction", "input", "reference")
                )
                rows.append(Row(task, lang, instruction, given, reference, len(own)))
    return Statistics(measured, tuple(rows))


def _measured(entry: Entry, record: Record) -> Measured:
    count: Callable[[str], int] = (lambda text: len(text.split())) if entry.language == "en" else len
    given = "" if entry.task == "end2end" else "\n".join(json_strings(record["input"]))
    return Measured(
        entry.id,
        entry.task,
        entry.language,
        entry.genre,
        count(entry.instruction),
        count(given),
        count(entry.reference),
    )


def _lengths(counts: Sequence[int]) -> Lengths:
    return Lengths(fmean(counts), max(counts), min(counts))


def lengths_table(found: Statistics) -> Table:
    """Table 1, with the paper's lines beside ours where these are its records."""
    rows = []
    paper = [found.published(row) for row in found.rows]
    for row, published in zip(found.rows, paper, strict=True):
        rows.append(_cells(row, ""))
        if published is not None:
            rows.append(_cells(published, " †"))
    head = ("Task", "Lang.", "Instruction", "Input", "Reference", "Total")
    return Table(
        "lengths",
        "Lengths of records (RAVEL, Table 1)",
        "Mean/longest/shortest. English: words, as they stand between spaces; Chinese: characters, "
        "spaces and marks too. The input of End2End counts as none."
        + (" † published." if any(paper) else ""),
        tuple(Column(title) for title in head),
        tuple(rows),
        is_main=True,
    )


def _cells(row: Row, mark: str) -> tuple[str | int, ...]:
    parts = (str(row.instruction), str(row.input), str(row.reference))
    return (f"{NAMES[row.task]}{mark}", row.language, *parts, row.total)


def figures(found: Statistics) -> tuple[Drawing, ...]:
    """Figures 6 and 7, for each language."""
    return tuple(
        drawing
        for lang in found.languages
        for drawing in (_genres(lang, found.genres(lang)), _relation(found, lang))
    )


def _genres(lang: Language, genres: Mapping[str, Mapping[Task, int]]) -> Drawing:
    tasks = [task for task in TASKS if any(task in counts for counts in genres.values())]
    return bar_chart(
        f"genres-{lang}",
        f"Genres, {_LANGUAGES[lang]}",
        "How many records each task has of each genre (RAVEL, Figure 6).",
        "records",
        [NAMES[task] for task in tasks],
        [BarGroup(genre, _bars(tasks, counts), {}) for genre, counts in genres.items()],
        room=140,
        digits=0,
    )


def _bars(tasks: Sequence[Task], counts: Mapping[Task, int]) -> tuple[Bar, ...]:
    return tuple(Bar(tasks.index(task), Number(count)) for task, count in counts.items())


def _relation(found: Statistics, lang: Language) -> Drawing:
    clouds = {}
    for task, value in found.correlations(lang).items():
        own = [one for one in found.records if (one.language, one.task) == (lang, task)]
        shown = "not defined" if value is None else f"{value:.2f}"
        clouds[f"{NAMES[task]} (Spearman {shown})"] = [
            Point(one.id, one.instruction + one.input, one.reference) for one in own
        ]
    unit = _UNITS[lang]
    return scatter(
        f"lengths-{lang}",
        f"Lengths, {_LANGUAGES[lang]}",
        "The length of instruction and input against that of the reference (RAVEL, Figure 7).",
        (f"instruction and input, {unit}", f"reference, {unit}"),
        clouds,
    )
