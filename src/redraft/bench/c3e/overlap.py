"""Runs of words that texts share: what a text quotes of another, and how much of a benchmark others hold.

A run is made of words as a reader counts them, whatever their case; of a Chinese text, of characters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from redraft.errors import FileError, InputError
from redraft.notation import parse_json
from redraft.text import json_strings, spellings

SUFFIXES: Final = (".txt", ".md", ".jsonl")
"""Files of a folder that hold texts."""
_NO_TEXT: Final = ("infer_id", "id", "key", "task_type", "sub_task", "instruction", "meta")
"""Fields of a record that name it, or are the same for many."""


def tokens(text: str) -> list[str]:
    """The words of a text, without what depends on typography."""
    return [word.casefold() for word in spellings(text.replace("’", "'"))]


def runs(words: Sequence[str], n: int) -> Iterator[int]:
    """A number for each run of n words; the same run has the same number, while the process lives."""
    return (hash(tuple(words[at : at + n])) for at in range(len(words) - n + 1))


def quoted(text: str, source: str, n: int) -> str | None:
    """The first n words in a row that stand in the source as well; None where there are none."""
    known = set(runs(tokens(source), n))
    words = tokens(text)
    at = next((at for at, run in enumerate(runs(words, n)) if run in known), None)
    return None if at is None else " ".join(words[at : at + n])


def shared(text: str, source: str, n: int) -> float:
    """The share of a text's runs that stand in the source as well; 0 where it has none."""
    own = set(runs(tokens(text), n))
    return len(own & set(runs(tokens(source), n))) / len(own) if own else 0.0


@dataclass(frozen=True)
class Overlap:
    """How much of a record stands in the texts of a folder."""

    id: str
    share: float | None
    """Of its runs; None where it is too short to have one."""
    file: str | None
    """The file that holds most of it."""
    in_file: float
    """The share that this file holds."""


@dataclass(frozen=True)
class Contamination:
    """The records of a benchmark against a folder, the worst first."""

    n: int
    files: int
    records: tuple[Overlap, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        shares = [one.share for one in self.records if one.share is not None]
        return {
            "n": self.n,
            "files": self.files,
            "records": len(self.records),
            "too_short": len(self.records) - len(shares),
            "touched": sum(share > 0 for share in shares),
            "mean_share": sum(shares) / len(shares) if shares else None,
            "overlaps": [asdict(one) for one in self.records],
        }


def contamination(
    records: Iterable[tuple[str, Any]],
    folder: Path,
    n: int,
    *,
    without: Sequence[Path] = (),
    progress: Callable[[int, int], None] = lambda done, planned: None,
) -> Contamination:
    """Hold records against the texts of a folder, but for the files `without`.

    Only runs of the records are remembered, so that a folder may be of any size.
    """
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())
    files = [path for path in files if not any(path.samefile(other) for other in without)]
    if not files:
        raise InputError(f"{folder} holds no texts: {', '.join(SUFFIXES)} are read")
    own = [(name, _record_runs(record, n)) for name, record in records]
    known = set[int]().union(*(every for _, every in own))
    found: set[int] = set()
    most: dict[int, tuple[int, str]] = {}
    for done, path in enumerate(files):
        progress(done, len(files))
        here = {run for stretch in _stretches(path, n) for run in runs(stretch, n) if run in known}
        found |= here
        for place, (_, every) in enumerate(own if here else ()):
            if (count := len(every & here)) > most.get(place, (0, ""))[0]:
                most[place] = count, path.relative_to(folder).as_posix()
    overlaps = [_overlap(name, every, found, most.get(place)) for place, (name, every) in enumerate(own)]
    overlaps.sort(key=lambda one: -1.0 if one.share is None else one.share, reverse=True)
    return Contamination(n, len(files), tuple(overlaps))


def _overlap(name: str, own: set[int], found: set[int], most: tuple[int, str] | None) -> Overlap:
    if not own:
        return Overlap(name, None, None, 0.0)
    count, file = most or (0, None)
    return Overlap(name, len(own & found) / len(own), file, count / len(own))


def _record_runs(record: Any, n: int) -> set[int]:
    return {run for text in json_strings(record, _NO_TEXT) for run in runs(tokens(text), n)}


def _stretches(path: Path, n: int) -> Iterator[list[str]]:
    """The words of a file, a few at a time, each time with those before them that a run may begin with."""
    try:
        with path.open(encoding="utf-8", errors="replace") as lines:
            if path.suffix.lower() == ".jsonl":
                yield from (tokens(text) for line in lines for text in _strings(line))
                return
            before: list[str] = []
            for line in lines:
                stretch = before + tokens(line)
                yield stretch
                before = stretch[-(n - 1) :] if n > 1 else []
    except OSError as error:
        raise FileError(f"{path} cannot be read: {error}") from None


def _strings(line: str) -> Iterable[str]:
    try:
        return json_strings(parse_json(line))
    except ValueError:
        return (line,)
