"""Sheets for people: outputs of several systems to be scored blind, and what the scores come to.

DIR/sheet.csv    what people fill in: id, what they see, score, comment, and what is wrong where that is asked
DIR/sheet.html   the same as a page that works offline
DIR/key.json     which systems stand behind each id; people who score do not need it
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any, Final

import numpy as np
from jinja2 import Environment, StrictUndefined

from redraft.errors import FileError, InputError
from redraft.judge.item import Item
from redraft.judge.ratings import HUMAN, RaterAgreement, Raters, compare_raters
from redraft.judge.sheet_forms import Guidelines, SheetForm, sheet_form
from redraft.metrics import Interval, Mean, approximate_randomisation, mean_interval, paired_bootstrap
from redraft.notation import parse_json
from redraft.text import escape_formula, read_text, replace_surrogates, to_json, unescape_formula, write_text

_DELIMITERS: Final = (",", ";", "\t")


def csv_of(rows: Iterable[Sequence[str]]) -> str:
    """The rows as CSV with the mark by which Excel knows UTF-8, every cell in quotes."""
    out = io.StringIO(newline="")
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([*map(escape_formula, row)] for row in rows)
    return "\ufeff" + out.getvalue()


def read_cells(file: str, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """The rows of a CSV file by the names of its columns, each with its line as a spreadsheet numbers it.

    Commas, semicolons and tabs may part the cells, as spreadsheets of different countries write them.
    """
    text = read_text(file).removeprefix("\ufeff")
    for delimiter in _DELIMITERS:
        try:
            rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
        except csv.Error:
            continue
        names = [name.strip().lower() for name in rows[0]] if rows else []
        if set(needed) <= set(names):
            return [
                (number, dict(zip(names, map(unescape_formula, row), strict=False)))
                for number, row in enumerate(rows[1:], 2)
                if any(cell.strip() for cell in row)
            ]
    raise InputError(f"{file} is no sheet: its first line should name the columns {', '.join(needed)}")


_INVISIBLE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def sheet_page(sheet: Sheet, guidelines: Guidelines) -> str:
    """The page on which people score the rows; whatever a text holds, it is shown and never run."""
    html, script, style = (
        files(__package__).joinpath("data", f"sheet.{kind}").read_text(encoding="utf-8")
        for kind in ("html", "js", "css")
    )
    environment = Environment(autoescape=True, finalize=_make_visible, undefined=StrictUndefined)
    return environment.from_string(html).render(
        sheet=sheet.name,
        rows=sheet.rows,
        form=sheet.form,
        guidelines=guidelines,
        script=script,
        style=style,
        hashes={"script": _content_hash(script), "style": _content_hash(style)},
    )


def _make_visible(value: Any) -> Any:
    """A text without characters that a page cannot hold; what the page itself marks as safe stays."""
    return _INVISIBLE.sub("\ufffd", value) if type(value) is str else value


def _content_hash(content: str) -> str:
    """What a Content-Security-Policy names a script or style by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


SCALE: Final = (1, 2, 3, 4, 5)
KEY: Final = "key.json"
_PARTS: Final = ("task", "instruction", "source", "reference", "text")
"""What a key has of each row beside its item and systems; keys of long ago have none of it."""


@dataclass(frozen=True)
class SheetRow:
    """A text to be scored, and the systems that wrote it: several where they wrote the same."""

    id: str
    source: str
    text: str
    item: str
    systems: tuple[str, ...]
    instruction: str = ""
    reference: str = ""
    task: str = ""
    """What the text answers, where that is known: the name of a rubric, or of a record's data set."""

    def shown(self, column: str) -> str:
        """What stands in a column above the text."""
        found = {"source": self.source, "context": self.source, "instruction": self.instruction}
        return {**found, "reference": self.reference}[column]


@dataclass(frozen=True)
class Sheet:
    """The rows in the order of the sheet, and all systems."""

    name: str
    """Begins every id, so that no row is taken for one of another sheet."""
    systems: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    seed: int
    form: SheetForm = field(default_factory=lambda: sheet_form("simplification"))

    def key(self) -> dict[str, Any]:
        """What only the one who evaluates needs."""
        rows = {row.id: {**asdict(row), "systems": list(row.systems)} for row in self.rows}
        about = {"sheet": self.name, "form": self.form.name, "seed": self.seed}
        return {**about, "systems": list(self.systems), "rows": rows}


def draw_sheet(
    outputs: Mapping[str, Sequence[Item]],
    limit: int | None = None,
    seed: int = 0,
    form: str = "simplification",
) -> Sheet:
    """A sheet of at most `limit` sources that every system has, drawn by the seed; a source counts once.

    What several systems wrote alike is one row: it is scored once, for all of them. Texts of writing stand
    together where they answer the same, so that what is asked is read once.
    """
    kind = sheet_form(form)
    writing = form == "writing"
    by_system = {system: {item.id: item for item in items} for system, items in outputs.items()}
    sources: dict[tuple[str | None, ...], str] = {}
    first, *others = by_system.values()
    for name, item in first.items():
        if not all(name in other for other in others):
            continue
        asked = _asked(item, writing)
        if asked[0] is None:
            needed = (
                "instruction: it is what a text of writing answers"
                if writing
                else ("source: a sheet shows each text beside its source")
            )
            raise InputError(f"{name} has no {needed}")
        if any(_asked(other[name], writing) != asked for other in others):
            raise InputError(f"{name} does not have the same source everywhere: use runs over the same data")
        sources.setdefault(asked, name)
    if not sources:
        raise InputError("the systems have no text for the same source: use runs over the same data")
    random = Random(seed)
    names = list(sources.values())
    if limit is not None and limit < len(names):
        names = random.sample(names, limit)
    drawn: list[tuple[str, str, str, tuple[str, ...]]] = []
    for name in names:
        texts: dict[str, list[str]] = {}
        for system, items in by_system.items():
            texts.setdefault(items[name].text, []).append(system)
        source = material(first[name]) if writing else first[name].context.source or ""
        mine = [(name, source, text, tuple(systems)) for text, systems in texts.items()]
        if writing:
            random.shuffle(mine)
        drawn += mine
    if not writing:
        random.shuffle(drawn)
    rows = [(first[name], source, text, systems) for name, source, text, systems in drawn]
    digest = hashlib.sha256(json.dumps([seed, drawn, *([form] if writing else [])]).encode()).hexdigest()[:6]
    return Sheet(digest, tuple(outputs), _numbered(digest, rows), seed, kind)


def draw_records(records: Mapping[str, Sequence[Item]], limit: int | None = None, seed: int = 0) -> Sheet:
    """A sheet of at most `limit` records of each benchmark: items whose texts are their references."""
    random = Random(seed)
    rows: list[tuple[Item, str, str, tuple[str, ...]]] = []
    for name, items in records.items():
        chosen = items if limit is None or limit >= len(items) else random.sample(items, limit)
        rows += [(item, material(item), item.text, (name,)) for item in chosen]
    random.shuffle(rows)
    drawn = [(item.id, item.context.instruction, *more) for item, *more in rows]
    digest = hashlib.sha256(json.dumps([seed, drawn, "record"]).encode()).hexdigest()[:6]
    return Sheet(digest, tuple(records), _numbered(digest, rows), seed, sheet_form("record"))


def material(item: Item) -> str:
    """What a text is made from: its source, and what else was given, such as the critique of a draft."""
    label = "Critique" if item.task.endswith("edit") else "Document"
    given = (item.context.source or "", *(f"{label}:\n{text}" for text in item.context.documents))
    return "\n\n".join(part for part in given if part)


def _asked(item: Item, writing: bool) -> tuple[str | None, ...]:
    context = item.context
    return (context.instruction, material(item), *context.references) if writing else (context.source,)


def _numbered(digest: str, rows: Sequence[tuple[Item, str, str, tuple[str, ...]]]) -> tuple[SheetRow, ...]:
    width = len(str(len(rows)))
    return tuple(
        SheetRow(
            f"{digest}-{number:0{width}}",
            source,
            text,
            item.id,
            systems,
            item.context.instruction or "",
            next(iter(item.context.references), ""),
            item.task,
        )
        for number, (item, source, text, systems) in enumerate(rows, 1)
    )


def write_sheet(sheet: Sheet, folder: Path, guidelines: Guidelines | None = None) -> None:
    """Write the three files; a folder that has a sheet already is left alone."""
    form = sheet.form
    if (folder / KEY).exists():
        raise InputError(f"{folder} has a sheet already, which may be in use: choose another --out")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder} cannot be made: {error.strerror}") from None
    empty = ("",) * (2 + len(form.ticks))
    texts = [(row.id, *map(row.shown, form.shows), row.text, *empty) for row in sheet.rows]
    write_text(folder / "sheet.csv", replace_surrogates(csv_of([form.columns, *texts])))
    write_text(folder / "sheet.html", sheet_page(sheet, guidelines or form.guidelines))
    write_text(folder / KEY, to_json(sheet.key(), indent=2) + "\n")


HIGH: Final = 4.0
MODERATE: Final = 3.0
"""From here on a text follows its policy well, or moderately; below, hardly."""


@dataclass(frozen=True)
class Problem:
    """A row that says nothing, or nothing that can be used; `row` is its line in the sheet."""

    file: str
    row: int
    id: str
    problem: str
    is_empty: bool = False
    """Whether the score is only missing."""


@dataclass(frozen=True)
class SystemScore:
    """The score of a system over its texts, each the mean over the people who scored it."""

    system: str
    texts: int
    mean: float | None
    interval: Interval | None
    high: float | None
    """The share of texts with 4 or more; then from 3 up to 4; then below 3."""
    moderate: float | None
    low: float | None
    errors: Mapping[str, float] = field(default_factory=dict)
    """The share of texts in which somebody found each kind of error, where that was asked."""


@dataclass(frozen=True)
class ScoreDifference:
    """How far one system is ahead of another on the sources that both have scores for."""

    first: str
    second: str
    sources: int
    difference: float
    interval: Interval | None
    """Of the paired bootstrap; None with one source."""
    p: float
    """How often a difference as large comes of exchanging the two at random."""


@dataclass(frozen=True)
class SheetScores:
    """Everything that the sheets say."""

    people: tuple[str, ...]
    systems: tuple[SystemScore, ...]
    differences: tuple[ScoreDifference, ...]
    agreement: RaterAgreement | None
    """None with one person, or where two have no text in common."""
    problems: tuple[Problem, ...]
    rated: tuple[Mapping[str, Any], ...] = ()
    """Each text with what people gave it, as `read_human_ratings` reads it."""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        found = {**asdict(self), "agreement": self.agreement.to_dict() if self.agreement else None}
        del found["rated"]
        return found


def score_sheets(key_file: str, files: Sequence[str]) -> SheetScores:
    """Score the systems of a key by the sheets that people filled in."""
    key = _read_key(key_file)
    problems: list[Problem] = []
    people: dict[str, dict[str, int]] = {}
    errors: dict[str, set[str]] = {}
    for file, person in zip(files, _names(files), strict=True):
        people[person] = _read_sheet(file, key["rows"], key["form"], problems, errors)
    if not any(people.values()):
        raise InputError("no sheet has a score that can be used" + _first(problems))
    scores: dict[str, dict[str, float]] = {system: {} for system in key["systems"]}
    for name, row in key["rows"].items():
        if given := [mine[name] for mine in people.values() if name in mine]:
            for system in row["systems"]:
                scores[system][row["item"]] = fmean(given)
    raters = Raters("", {person: dict(mine) for person, mine in people.items() if mine})
    pairs = combinations(raters.ratings, 2)
    shared = len(raters.ratings) > 1 and all(raters.both(*pair)[0] for pair in pairs)
    return SheetScores(
        tuple(people),
        tuple(
            _system(
                system,
                list(mine.values()),
                [
                    errors.get(name, set())
                    for name, row in key["rows"].items()
                    if system in row["systems"] and row["item"] in mine
                ],
            )
            for system, mine in scores.items()
        ),
        tuple(_differences(scores)),
        compare_raters(raters) if shared else None,
        tuple(problems),
        tuple(_rated(name, row, key["form"], people) for name, row in key["rows"].items()),
    )


def _rated(
    name: str, row: Mapping[str, Any], form: SheetForm, people: Mapping[str, Mapping[str, int]]
) -> dict[str, Any]:
    """A row as `judge meta` reads it. A record is judged as one text, beside those of its data set."""
    given = {f"{HUMAN}_{person}": mine[name] for person, mine in people.items() if name in mine}
    if form.name == "record":
        parts = {"Instruction": row["instruction"], "Input": row["source"], "Reference": row["text"]}
        text = "\n\n".join(f"{part}:\n{said}" for part, said in parts.items() if said)
        return {"id": name, "task": "record", "group": row["task"], "output": text, **given}
    shown = {part: row[part] for part in ("task", "instruction", "source", "reference") if row[part]}
    return {"id": name, **shown, "output": row["text"], **given}


def _system(system: str, values: Sequence[float], errors: Sequence[set[str]]) -> SystemScore:
    if not values:
        return SystemScore(system, 0, None, None, None, None, None)
    high, low = (fmean(test) for test in ([v >= HIGH for v in values], [v < MODERATE for v in values]))
    kinds = sorted(set().union(*errors))
    shares = {kind: fmean(kind in found for found in errors) for kind in kinds}
    interval = mean_interval(values)
    return SystemScore(system, len(values), fmean(values), interval, high, 1 - high - low, low, shares)


def _differences(scores: Mapping[str, Mapping[str, float]]) -> list[ScoreDifference]:
    metric = Mean("score", lambda sample: ())
    found = []
    for one, other in combinations(scores, 2):
        shared = [item for item in scores[one] if item in scores[other]]
        if not shared:
            continue
        first, second = (
            np.array([(scores[system][item], 1.0) for item in shared]) for system in (one, other)
        )
        drawn = paired_bootstrap(metric, first, second)
        exchanged = approximate_randomisation(metric, first, second)
        interval = drawn.interval if len(shared) > 1 else None
        found.append(ScoreDifference(one, other, len(shared), drawn.difference, interval, exchanged.p))
    return found


def _read_key(file: str) -> dict[str, Any]:
    try:
        key = parse_json(read_text(file))
        rows = {
            str(name): {
                **{part: str(row.get(part, "")) for part in _PARTS},
                "item": str(row["item"]),
                "systems": [str(each) for each in row["systems"]],
            }
            for name, row in key["rows"].items()
        }
        form = sheet_form(str(key.get("form", "simplification")))
        systems = [str(each) for each in key["systems"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError(f"{file} is no key of a sheet: it is the key.json that judge sheet wrote") from None
    if not rows or not all(set(row["systems"]) <= set(systems) for row in rows.values()):
        raise InputError(f"{file} is damaged: it has no rows, or systems that it does not name")
    return {"rows": rows, "systems": systems, "form": form}


def _read_sheet(
    file: str,
    rows: Mapping[str, Any],
    form: SheetForm,
    problems: list[Problem],
    errors: dict[str, set[str]],
) -> dict[str, int]:
    """The scores of a sheet by id, its errors added to those known; what cannot be used is a problem."""
    found: dict[str, int] = {}
    seen: dict[str, int] = {}
    strange = 0
    for number, row in read_cells(file, ("id", "score")):
        name, cell = row.get("id", "").strip(), row.get("score", "").strip()
        if name not in rows:
            strange += 1
            problems.append(Problem(file, number, name, "the id is not in the key: another sheet's row?"))
            continue
        if name in seen:
            problems.append(Problem(file, number, name, f"the id is in row {seen[name]} too, which counts"))
            continue
        seen[name] = number
        if not cell:
            problems.append(Problem(file, number, name, "no score", is_empty=True))
        elif (score := _score(cell)) is None:
            problems.append(
                Problem(file, number, name, f"{cell[:20]!r} is no score: a whole number from 1 to 5")
            )
        else:
            try:
                named = form.named(row, score)
            except ValueError as error:
                problems.append(Problem(file, number, name, str(error)))
                continue
            errors.setdefault(name, set()).update(named)
            found[name] = score
    if strange and not seen:
        raise InputError(f"{file} is not a sheet of this key: none of its {strange} ids is in it")
    problems += [
        Problem(file, 0, name, "the row is missing", is_empty=True) for name in rows if name not in seen
    ]
    return found


def _score(cell: str) -> int | None:
    """A score from 1 to 5, however a spreadsheet writes it: 4, 4.0, 4,0."""
    try:
        value = float(cell.replace(",", "."))
    except ValueError:
        return None
    return int(value) if math.isfinite(value) and value in SCALE else None


def _names(files: Sequence[str]) -> list[str]:
    """What each person is called: the file's name, or its whole path where names are alike."""
    stems = [Path(file).stem for file in files]
    if len({Path(file).resolve() for file in files}) < len(files):
        raise InputError("a sheet is named twice: name each person's file once")
    return [stem if stems.count(stem) == 1 else file for stem, file in zip(stems, files, strict=True)]


def _first(problems: Sequence[Problem]) -> str:
    real = [each for each in problems if not each.is_empty]
    return f": {real[0].file}, row {real[0].row}: {real[0].problem}" if real else ""
