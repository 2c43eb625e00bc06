"""Sentences to simplify: how they are read, which are of no use, and in what order they are drawn."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from redraft.errors import InputError
from redraft.text import count_words, language, parse_json_lines, read_text, tagged, zipf

FIELDS: Final = ("input", "text", "source")
"""Where the sentence of a record is: beside an input, what is called its source may be its origin."""
_MARKUP: Final = re.compile(
    r"</?[a-z][^>]*>|\[\[|\]\]|\{\{|\}\}|\{\||\|\}|&(?:amp|lt|gt|quot|nbsp|[mn]dash|#\d+);|https?://|www\.|\\[a-z]+\{|"
    r"^\s*(?:#{1,6}|[*•=|])\s|={2,}|'''|```|\]\(|\|.*\|",
    re.I,
)
_WORD: Final = re.compile(r"\w+")
_COMMON: Final = 3.5
_ENOUGH: Final = 0.6
"""Where so many of its words are so common (Zipf) in English, a sentence is."""
_VERBS: Final = ("VB", "VBD", "VBP", "VBZ", "MD")
"""Tags of verbs that can be those of a sentence; a participle alone cannot."""


@dataclass(frozen=True)
class Filters:
    """What a sentence must be to be worth simplifying."""

    least: int = 8
    """Words: fewer leave little room for edits."""
    most: int = 80

    def reason(self, sentence: str) -> str | None:
        """Why a sentence is of no use; None where it is."""
        count = count_words(sentence)
        if count < self.least:
            return "too short"
        if count > self.most:
            return "too long"
        if _MARKUP.search(sentence):
            return "markup"
        if not _is_english(sentence):
            return "not English"
        if not any(token.tag in _VERBS for token in tagged(sentence)):
            return "no verb"
        return None


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence to simplify; its id is its own, wherever it was read."""

    id: str
    text: str


@dataclass(frozen=True)
class Sources:
    """The sentences of a file that are of use, and how many are not, by the reason."""

    name: str
    """The file's own name, without its folders."""
    digest: str
    read: int
    usable: tuple[Source, ...]
    left_out: dict[str, int] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        """For the card."""
        return {
            "file": self.name,
            "sha256": self.digest,
            "read": self.read,
            "left_out": self.left_out,
            "usable": len(self.usable),
        }

    def drawn(self, seed: int, limit: int | None) -> tuple[Source, ...]:
        """As many as wanted, in an order of the seed's; a larger limit only adds to a smaller one's."""
        order = sorted(self.usable, key=lambda source: (_hash(f"{seed}\0{source.id}"), source.id))
        return tuple(order[:limit])


def read_preference_sources(path: Path, filters: Filters) -> Sources:
    """Read a file with a sentence a line, or JSONL with "input", "text" or "source"."""
    text = read_text(path)
    left_out: Counter[str] = Counter()
    found: dict[str, Source] = {}
    count = 0
    for sentence in _rows(text, path) if path.suffix in (".jsonl", ".ndjson") else _lines(text):
        count += 1
        source = Source(source_id(sentence), sentence)
        reason = "duplicate" if source.id in found else filters.reason(sentence)
        if reason is None:
            found[source.id] = source
        else:
            left_out[reason] += 1
    if not found:
        raise InputError(f"{path} has no sentence of use: {_told(left_out) or 'it is empty'}")
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return Sources(path.name, digest, count, tuple(found.values()), dict(sorted(left_out.items())))


def source_id(sentence: str) -> str:
    """The same for sentences that differ in case, spaces and marks alone."""
    return _hash(" ".join(_WORD.findall(sentence.lower())))[:16]


def is_dev(id: str, share: float) -> bool:
    """Whether a source belongs to the development set; that depends on nothing but the source."""
    return int(_hash(f"dev\0{id}")[:12], 16) < share * 16**12


def _is_english(sentence: str) -> bool:
    """By its words of grammar; where those are few and of any language, by how many others are known."""
    if language(sentence) in ("en", None):
        return True
    words = _WORD.findall(sentence)
    return sum(zipf(word) >= _COMMON for word in words) >= _ENOUGH * len(words)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _lines(text: str) -> Iterator[str]:
    for line in text.removeprefix("\ufeff").split("\n"):
        if sentence := " ".join(line.split()):
            yield sentence


def _rows(text: str, path: Path) -> Iterator[str]:
    for number, row in parse_json_lines(text, str(path)):
        value = next((row[name] for name in FIELDS if name in row), None)
        if not isinstance(value, str) or not value.strip():
            raise InputError(
                f'{path}, line {number}: a source needs "input", "text" or "source", a string with words'
            )
        yield " ".join(value.split())


def _told(left_out: Counter[str]) -> str:
    return ", ".join(f"{count} {reason}" for reason, count in left_out.most_common())
