"""A guard that keeps test sets out of training: no row that equals one of their texts, or nearly does."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError
from redraft.notation import parse_json
from redraft.text import CJK, json_strings, read_text
from redraft.train.config import NEAR
from redraft.train.rows import TrainingRow

_ASCII_WORDS: Final[Callable[[str], list[str]]] = re.compile(r"[a-z0-9]+").findall
_WORDS: Final[Callable[[str], list[str]]] = re.compile(rf"[{CJK}]|[^\W_{CJK}]+").findall
_SIZE: Final = 3
_SLACK: Final = 1e-9
"""So that rounding drops no text that is just near enough."""
_SHOWN: Final = 60
_KEPT: Final = 20
_SUFFIXES: Final = (".jsonl", ".json", ".txt")
_LABELS: Final = frozenset(
    ("id", "infer_id", "task", "task_type", "sub_task", "level", "licence", "license", "url", "domain",
     "calls")
)  # fmt: skip
"""Fields that hold no text of a test set."""

Gram = tuple[str, ...]


def normalised_words(text: str) -> list[str]:
    """The words of a text without case, punctuation and white space: what equality is measured on."""
    if text.isascii():
        return _ASCII_WORDS(text.lower())
    return _WORDS(unicodedata.normalize("NFKC", text).casefold())


def grams(words: list[str]) -> set[Gram]:
    """The distinct runs of three words; of a text that has fewer, its words."""
    if len(words) < _SIZE:
        return {(word,) for word in words}
    return set(zip(words, words[1:], words[2:], strict=False))


class Guard:
    """Refuses rows whose input or target is a text of a test set, or shares most of its 3-grams with one."""

    def __init__(self, texts: Iterable[str], *, near: float = NEAR) -> None:
        if not 0 < near <= 1:
            raise InputError(f"near is {near}, but must be above 0 and at most 1")
        self.near = near
        self.refused: Counter[str] = Counter()
        """How many rows `filter` held back, "equal" and "near"."""
        self.examples: list[tuple[TrainingRow, str]] = []
        """The first rows held back, each with the reason."""
        self._texts: dict[str, str] = {}
        self._keys: list[str] = []
        self._sizes: list[int] = []
        self._index: dict[Gram, list[int]] = {}
        for text in texts:
            self._add(text)

    @classmethod
    def from_files(cls, paths: Iterable[Path], *, near: float = NEAR) -> Guard:
        """A guard of all texts in .jsonl, .json and .txt files, whatever their fields; folders are walked."""
        return cls(chain.from_iterable(_texts(file) for path in paths for file in _files(path)), near=near)

    def __len__(self) -> int:
        """How many different texts are guarded."""
        return len(self._texts)

    def holds(self, text: str) -> bool:
        """Whether a text is one of a file's, but for case, punctuation and white space."""
        return " ".join(normalised_words(text)) in self._texts

    def knows(self, text: str) -> bool:
        """Whether a text is one of a test set, or nearly."""
        return self._match(text) is not None

    def refuses(self, row: TrainingRow) -> str | None:
        """Why a row must not be trained on, in words, or None where it may."""
        found = self._find(row)
        return None if found is None else found[1]

    def filter(self, rows: Iterable[TrainingRow]) -> Iterator[TrainingRow]:
        """The rows that may be trained on; `refused` and `examples` tell of the others."""
        for row in rows:
            found = self._find(row)
            if found is None:
                yield row
                continue
            self.refused[found[0]] += 1
            if len(self.examples) < _KEPT:
                self.examples.append((row, found[1]))

    def _find(self, row: TrainingRow) -> tuple[str, str] | None:
        for name, text in (("input", row.input), ("target", row.target)):
            if found := self._match(text):
                return found[0], f"its {name} {found[1]}"
        return None

    def _match(self, text: str) -> tuple[str, str] | None:
        words = normalised_words(text)
        equal = self._texts.get(" ".join(words))
        if equal is not None:
            return "equal", f"equals {_short(equal)}"
        nearest = self._nearest(words)
        return nearest and ("near", f"is {nearest[0]:.2f} like {_short(nearest[1])}")

    def _add(self, text: str) -> None:
        words = normalised_words(text)
        key = " ".join(words)
        if not words or key in self._texts:
            return
        found = grams(words)
        for gram in found:
            self._index.setdefault(gram, []).append(len(self._keys))
        self._texts[key] = text
        self._keys.append(key)
        self._sizes.append(len(found))

    def _nearest(self, words: list[str]) -> tuple[float, str] | None:
        """The most similar test text, where it is near."""
        if self._strange(words):
            return None
        found = grams(words)
        # Sets this much alike share that part of the larger one at least, and so of this one.
        least = math.ceil(self.near * len(found) - _SLACK)
        if not found or self._known(found) < least:
            return None
        # Of any len - least + 1 grams a near text holds one: so the rarest ones find it among the fewest.
        lists = sorted((self._index.get(gram, []) for gram in found), key=len)
        candidates = set(chain.from_iterable(lists[: len(found) - least + 1]))
        best = max(((self._likeness(found, other), -other) for other in candidates), default=(0.0, 0))
        return (best[0], self._texts[self._keys[-best[1]]]) if best[0] >= self.near else None

    def _strange(self, words: list[str]) -> bool:
        """Whether half a text has too many grams of its own for the whole to be near anything: most have."""
        places = len(words) - _SIZE + 1
        if places < 2:
            return False
        half = grams(words[: places // 2 + _SIZE - 1])
        return len(half) - self._known(half) > (1 - self.near) * places + _SLACK

    def _known(self, found: set[Gram]) -> int:
        return sum(map(self._index.__contains__, found))

    def _likeness(self, found: set[Gram], other: int) -> float:
        sizes = len(found), self._sizes[other]
        if min(sizes) < self.near * max(sizes) - _SLACK:
            return 0.0
        # The grams are made anew: keeping them would take more memory than all the rest.
        both = len(found & grams(self._keys[other].split(" ")))
        return both / (sum(sizes) - both)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= _SHOWN else line[: _SHOWN - 1].rstrip() + '…'}”"


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        found = sorted(file for file in path.rglob("*") if file.suffix in _SUFFIXES and file.is_file())
        if not found:
            raise InputError(f"{path} holds no test set: no {', '.join(_SUFFIXES)} file")
        yield from found
    elif path.suffix in _SUFFIXES or not path.exists():
        yield path
    else:
        raise InputError(f"{path}: a test set is a folder, or a file that ends in {', '.join(_SUFFIXES)}")


def _texts(file: Path) -> Iterator[str]:
    text = read_text(file).removeprefix("\ufeff")
    if file.suffix == ".json":
        yield from json_strings(_parsed(text, str(file)), _LABELS)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        if file.suffix == ".txt":
            yield line
        else:
            yield from json_strings(_parsed(line, f"{file}, line {number}"), _LABELS)


def _parsed(text: str, where: str) -> Any:
    try:
        return parse_json(text)
    except ValueError as error:
        raise InputError(f"{where}: not JSON ({error})") from None
