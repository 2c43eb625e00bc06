"""Rows of training data: JSONL with `task`, `input`, `target`; optionally `source`, `documents`, `values`."""

from __future__ import annotations

import codecs
import gzip
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, TypeVar

from redraft.editor import Value
from redraft.errors import FileError, InputError
from redraft.notation import parse_json, parse_toml
from redraft.text import read_text

T = TypeVar("T")

_NEEDS: Final = "task, input and target in a JSON object"
_PEEKED: Final = 1 << 16
_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class TrainingRow:
    """A text, what it should become, and by which task; `source` says where the pair is from.

    `values` are what the instruction must name, as the number of words not to exceed.
    """

    task: str
    input: str
    target: str
    source: str = ""
    documents: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The row as it is written to a file."""
        row: dict[str, Any] = {"task": self.task, "input": self.input, "target": self.target}
        row["source"] = self.source
        if self.documents:
            row["documents"] = list(self.documents)
        return {**row, "values": dict(self.values)} if self.values else row


def read_rows(path: Path) -> Iterator[TrainingRow]:
    """The rows of a file, one after the other; a bad line is an error that names it."""
    for where, found in read_objects(path, _NEEDS):
        yield _row(found, where)


def read_some(path: Path, read: Callable[[Path], Iterable[T]], what: str) -> list[T]:
    """What a file holds; a file that holds nothing is an error."""
    found = list(read(path))
    if not found:
        raise InputError(f"{path} is empty: it holds no {what}")
    return found


def read_objects(path: Path, needs: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSONL file, each after what errors call its place; `needs` says what one must have."""
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            found = parse_json(line)
        except ValueError:
            raise InputError(f"{where}: needs {needs}, but is not JSON") from None
        if not isinstance(found, dict):
            raise InputError(f"{where}: needs {needs}")
        yield where, found


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file that may be large, without a byte order mark; a `.gz` is unpacked as it is read.

    It is never in memory as a whole, but what is wrong with it is told as `read_text` tells it.
    """
    if path.suffix == ".gz":
        try:
            with gzip.open(path, "rt", encoding="utf-8-sig") as lines:
                yield from lines
        except (OSError, EOFError, ValueError) as error:
            raise FileError(f"{path} cannot be read: {error}") from None
        return
    if str(path) != "-":
        try:
            with io.FileIO(path) as raw, io.BufferedReader(raw, _PEEKED) as file:
                head = file.peek(_PEEKED)
                if b"\0" not in head and not head.startswith(_MARKS):
                    with io.TextIOWrapper(file, encoding="utf-8-sig") as lines:
                        yield from lines
                    return
        except (OSError, ValueError) as error:
            if path.is_file() or path.is_dir() or not path.exists():  # a pipe cannot be read again
                read_text(path)
            raise FileError(f"{path} cannot be read: {error}") from None
    # What is no plain UTF-8 is an error of `read_text`, or another encoding that it knows by its mark.
    yield from io.StringIO(read_text(path).removeprefix("\ufeff"), newline=None)


def stem_of(path: Path) -> str:
    """What a file of rows is called: its name without `.jsonl` and `.gz`."""
    return Path(path.name.removesuffix(".gz")).stem


def toml_names(folder: Traversable) -> list[str]:
    """The names of the TOML files in a folder."""
    return sorted(file.name[:-5] for file in folder.iterdir() if file.name.endswith(".toml"))


def read_toml(what: str, name_or_path: str, ours: Traversable) -> dict[str, Any]:
    """One of the TOML files in our folder by its name, or any other by its path."""
    names = toml_names(ours)
    if name_or_path in names:
        text = (ours / f"{name_or_path}.toml").read_text(encoding="utf-8")
    elif Path(name_or_path).suffix == ".toml":
        text = read_text(name_or_path)
    else:
        raise InputError(
            f"there is no {what} {name_or_path!r}; there are {', '.join(names)}, or name a .toml file"
        )
    try:
        return parse_toml(text)
    except ValueError as error:
        raise InputError(f"the {what} {name_or_path} is not TOML: {error}") from None


def read_record(path: Path) -> dict[str, Any]:
    """What a training wrote down before; nothing where there is no such file."""
    try:
        found = parse_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error.strerror}") from None
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{path} is no record of a training; choose another --out, or delete the folder")
    return found


def _row(found: dict[str, Any], where: str) -> TrainingRow:
    for name in ("task", "input", "target"):
        if name not in found:
            raise InputError(f"{where}: needs task, input and target, but {name} is missing")
    given = {name: it for name, it in found.items() if it is not None}
    found = {"source": "", "documents": [], "values": {}, **given}
    for name in ("task", "input", "target", "source"):
        if not isinstance(found.get(name), str):
            raise InputError(f"{where}: {name} must be a string")
    for name in ("input", "target"):
        if not any(map(str.isalnum, found[name])):
            raise InputError(f"{where}: {name} has no words; mend the row, or take it out")
    documents = found["documents"]
    if not isinstance(documents, list) or not all(isinstance(document, str) for document in documents):
        raise InputError(f"{where}: documents must be a list of strings")
    values = found["values"]
    if not isinstance(values, dict) or not all(_is_value(value) for value in values.values()):
        raise InputError(f"{where}: values must be an object of whole numbers and strings")
    return TrainingRow(
        found["task"],
        found["input"],
        found["target"],
        found["source"],
        tuple(documents),
        tuple(values.items()),
    )


def _is_value(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)
