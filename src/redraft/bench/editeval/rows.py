"""Files of rows: JSON lines, a JSON list, CSV, Parquet; every row knows where it stands, for messages."""

from __future__ import annotations

import ast
import csv
import importlib
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redraft.errors import InputError, MissingExtra
from redraft.notation import parse_json
from redraft.text import read_text

SUFFIXES = (".jsonl", ".json", ".csv", ".parquet")

_LIST = re.compile(r"\s*\[\s*(?:['\"].*['\"])?\s*\]\s*", re.DOTALL)
_LITERAL = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


@dataclass(frozen=True)
class Row:
    """One record of a file."""

    where: str
    fields: dict[str, Any]

    def text(self, name: str) -> str:
        """The string in a field."""
        value = self._get(name)
        if not isinstance(value, str):
            raise InputError(f'{self.where}: "{name}" should be a string, not {_kind(value)}')
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """The strings in a field that holds a list, or one string; in a CSV file, as Python prints it."""
        value = self._get(name)
        if isinstance(value, str):
            return _listed(value) if _LIST.fullmatch(value) else (value,)
        if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
            raise InputError(f'{self.where}: "{name}" should be a list of strings, not {_kind(value)}')
        return tuple(value)

    def number(self, name: str) -> float:
        """The number in a field."""
        value = self._get(name)
        try:
            return float(value)
        except (TypeError, ValueError):
            raise InputError(f'{self.where}: "{name}" should be a number, not {_kind(value)}') from None

    def _get(self, name: str) -> Any:
        if name not in self.fields:
            raise InputError(f'{self.where}: there is no "{name}"')
        return self.fields[name]


def lines(path: Path) -> list[str]:
    """The lines of a file; only line feeds end a line, since texts hold the other separators too."""
    text = read_text(path).removeprefix("\ufeff").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n") if text else []


def table(path: Path, columns: tuple[str, ...], *, quoted: bool = False) -> Iterator[Row]:
    """The rows of a tab-separated file without a header, where further columns may follow."""
    reader = csv.reader(
        (f"{line}\n" for line in lines(path)),
        delimiter="\t",
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
    )
    try:
        for cells in reader:
            where = f"{path}, line {reader.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) < len(columns):
                raise InputError(
                    f"{where}: {len(cells)} columns between tabs, where {len(columns)} are needed"
                )
            yield Row(where, dict(zip(columns, cells, strict=False)))
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None


def rows(path: Path, header: tuple[str, ...] | None = None) -> Iterator[Row]:
    """The rows of a file, by its suffix; a CSV file without a header is given its columns."""
    match path.suffix:
        case ".parquet":
            yield from _parquet(path)
        case ".csv":
            yield from _csv(path, header)
        case _:
            yield from _json(path)


def columns(path: Path) -> frozenset[str]:
    """The columns of a file's first row; none where it has no row, or is no file of rows."""
    try:
        first = next(rows(path), None)
    except MissingExtra:
        raise
    except InputError:
        return frozenset()
    return frozenset(first.fields) if first else frozenset()


def _json(path: Path) -> Iterator[Row]:
    text = lines(path)
    if text and text[0].lstrip().startswith("["):
        yield from _json_list(path, "\n".join(text))
        return
    for number, line in enumerate(text, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            value = parse_json(line)
        except ValueError as error:
            raise InputError(f"{where}: not JSON ({error})") from None
        yield _object(where, value)


def _json_list(path: Path, text: str) -> Iterator[Row]:
    try:
        values = parse_json(text)
    except ValueError as error:
        raise InputError(f"{path}: not JSON ({error})") from None
    for number, value in enumerate(values, 1):
        yield _object(f"{path}, record {number}", value)


def _object(where: str, value: Any) -> Row:
    if not isinstance(value, dict):
        raise InputError(f"{where}: should be an object, not {_kind(value)}")
    return Row(where, value)


def _csv(path: Path, header: tuple[str, ...] | None) -> Iterator[Row]:
    text = read_text(path).removeprefix("\ufeff")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names = header
    try:
        for cells in reader:
            where = f"{path}, line {reader.line_num}"
            if names is None:
                names = tuple(cells)
            elif len(cells) != len(names) and cells:
                raise InputError(f"{where}: {len(cells)} columns, where {len(names)} are needed")
            elif cells:
                yield Row(where, dict(zip(names, cells, strict=True)))
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}") from None


def _parquet(path: Path) -> Iterator[Row]:
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra(f"reading {path}", "parquet") from None
    try:
        values: Iterable[dict[str, Any]] = parquet.read_table(path).to_pylist()
    except (OSError, ValueError) as error:  # pyarrow's own errors are ValueErrors
        raise InputError(f"{path}: not Parquet ({error})") from None
    for number, value in enumerate(values, 1):
        yield Row(f"{path}, record {number}", value)


def _listed(text: str) -> tuple[str, ...]:
    """The strings of a list as Python or NumPy prints it, with commas or without."""
    return tuple(str(ast.literal_eval(literal)) for literal in _LITERAL.findall(text))


def _kind(value: Any) -> str:
    names = {str: "a string", list: "a list", dict: "an object", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number" if isinstance(value, int | float) else type(value).__name__)
