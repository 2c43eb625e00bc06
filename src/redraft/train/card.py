"""The model card of an adapter: what it is, what it was made from and how, and how well it does."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import Any, Final

from redraft.text import markdown_code, markdown_text

UNKNOWN = "not stated"
_PLAIN_CODE: Final = re.compile(r"`[\w./+-]+`")


@dataclass(frozen=True, slots=True)
class Card:
    """What a card says; `record` is what the trainer wrote down, and may lack anything.

    `licences` go by the name of a training file without its ending, or by a pattern such as `fluency_*`.
    """

    name: str
    base: str
    rank: int
    files: Mapping[str, tuple[int, str]]
    """Size and SHA-256 of each."""
    record: Mapping[str, Any]
    scores: Any = None
    licences: Mapping[str, str] | None = None
    date: str | None = None

    def markdown(self) -> str:
        """The card as Markdown: the same for the same facts."""
        return "\n".join(self._lines()).rstrip("\n") + "\n"

    def _lines(self) -> Iterator[str]:
        yield f"# {markdown_text(self.name)}\n"
        base = markdown_text(self.base)
        yield f"A LoRA adapter of rank {self.rank} for {base}, to be used with `redraft`:\n"
        yield markdown_code(f"redraft models add {self.name}.gguf") + "\n"
        if self.date:
            yield f"Made on {self.date}.\n"
        rows = [(f"`{file}`", f"{size:,}", f"`{digest}`") for file, (size, digest) in self.files.items()]
        yield from _table(("file", "bytes", "SHA-256"), rows)
        yield from self._training()
        yield from self._data()
        if found := list(_flat(self.scores)):
            yield "## Scores\n"
            yield from _table(("score", "value"), [(key, _number(value)) for key, value in found])

    def _training(self) -> Iterator[str]:
        yield "## Training\n"
        if command := self.record.get("command"):
            yield markdown_code(_without_places(str(command))) + "\n"
        shown = {
            key: value
            for key, value in self.record.items()
            if key not in ("command", "data", "counts", "refused", "in_dev", "date")
        }
        facts = [(key, _number(value)) for key, value in _flat(shown)]
        yield from _table(("setting", "value"), facts)

    def _data(self) -> Iterator[str]:
        entries = self.record.get("data")
        if not isinstance(entries, list):
            return
        yield "## Data\n"
        rows = []
        for entry in entries:
            if not isinstance(entry, Mapping):
                continue
            file = PurePath(str(entry.get("file", "?"))).name
            licence = entry.get("licence") or entry.get("license") or self._licence(PurePath(file).stem)
            count = entry.get("rows", self._rows(PurePath(file).stem))
            weight, digest = entry.get("weight", ""), str(entry.get("sha256", ""))
            counted = f"{count:,}" if isinstance(count, int) else ""
            rows.append((file, counted, _number(weight), str(licence), digest and f"`{digest[:16]}`"))
        yield from _table(("file", "rows", "weight", "licence", "SHA-256 begins"), rows)
        if self.record.get("guarded"):
            yield "Rows equal or close to those of the test sets were kept out.\n"

    def _rows(self, stem: str) -> int | None:
        counts = self.record.get("counts")
        entries = counts if isinstance(counts, list) else []
        found = [
            entry["rows"]
            for entry in entries
            if isinstance(entry, Mapping) and entry.get("file") == stem and isinstance(entry.get("rows"), int)
        ]
        return sum(found) if found else None

    def _licence(self, stem: str) -> str:
        known = self.licences or {}
        return known.get(stem) or next(
            (licence for pattern, licence in known.items() if fnmatch(stem, pattern)), UNKNOWN
        )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield f"| {' | '.join(head)} |"
        yield f"|{'---|' * len(head)}"
        for row in rows:
            yield f"| {' | '.join(_cell(value) for value in row)} |"
        yield ""


def _cell(text: str) -> str:
    return text if _PLAIN_CODE.fullmatch(text) else markdown_text(text)


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Nested values by their dotted names; of a list that is no list of plain values, only its length."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list) and any(isinstance(inner, Mapping | list) for inner in value):
        yield name, f"{len(value)} entries"
    elif isinstance(value, list):
        yield name, ", ".join(map(_number, value))
    elif value is not None and not (isinstance(value, float) and not math.isfinite(value)):
        yield name, value


def _number(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _without_places(command: str) -> str:
    """The command without the folders of whoever ran it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    parts = (word.rpartition("=") for word in words)
    return shlex.join(
        f"{name}{equals}{Path(value).name if Path(value).is_absolute() else value}"
        for name, equals, value in parts
    )
