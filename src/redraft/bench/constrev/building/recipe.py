"""What is to be built, and which texts it is built from: long, English, no two alike, none excluded."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from redraft.bench.constrev.building.rendering import TEMPLATES
from redraft.bench.constrev.tetra import LICENCE, read_tetra, tetra_files
from redraft.constraints import GROUPS, KINDS
from redraft.errors import InputError
from redraft.text import (
    Document,
    count_words,
    join_paragraphs,
    json_strings,
    language,
    parse_json_lines,
    read_text,
)
from redraft.train import Gram, grams, normalised_words

HIGHEST: Final = 6
"""Constraints in one instruction; beyond that few texts carry so many that say something new."""
_LEVELS: Final = re.compile(r"(\d)(?:-(\d))?")


@dataclass(frozen=True, slots=True)
class Slot:
    """A record to be made: its name, how many constraints, and of which kinds."""

    id: str
    level: int
    set: Literal["levels", "single"]
    among: tuple[str, ...]

    @property
    def name(self) -> str:
        """What it is one of: a level or a group."""
        return self.id.rpartition("-")[0]


@dataclass(frozen=True, slots=True)
class ConsTRevRecipe:
    """How a benchmark is built; with the same texts and models, a recipe always gives the same records."""

    levels: tuple[int, ...] = (0, 1, 2, 3, 4)
    per_level: int = 100
    singles: int = 0
    reviser: str = "embedded"
    renderer: str = TEMPLATES
    judge: str | None = None
    counting: str = "default"
    join: bool = True
    seed: int = 0

    def slots(self) -> Iterator[Slot]:
        """The records to be made, level by level, then the sets of one constraint."""
        for level in self.levels:
            for number in range(1, self.per_level + 1):
                yield Slot(f"L{level}-{number:03}", level, "levels", tuple(KINDS))
        for group in GROUPS:
            kinds = tuple(kind.name for kind in KINDS.values() if kind.group == group)
            for number in range(1, self.singles + 1):
                yield Slot(f"S-{group}-{number:03}", 1, "single", kinds)

    def facts(self) -> dict[str, Any]:
        """The recipe as plain data, for run.json and the card."""
        return {
            "levels": list(self.levels),
            "per_level": self.per_level,
            "singles": self.singles,
            "reviser": self.reviser,
            "renderer": self.renderer,
            "judge": self.judge,
            "counting": self.counting,
            "paragraphs": "joined" if self.join else "kept",
            "seed": self.seed,
        }


def read_levels(text: str) -> tuple[int, ...]:
    """The levels of "0-4", "2" or "1,3-4"."""
    found: set[int] = set()
    for part in text.replace(" ", "").split(","):
        match = _LEVELS.fullmatch(part)
        if match is None:
            raise InputError(f'--levels takes numbers such as "0-4" or "1,3", not {text!r}')
        found |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    if not found or max(found) > HIGHEST:
        raise InputError(f"--levels go from 0 to {HIGHEST}, and {text!r} was given")
    return tuple(sorted(found))


def most_at_once(slots: Sequence[Slot]) -> int:
    """The most records of any level or group: so many texts are needed, each being used there but once."""
    counts: dict[str, int] = {}
    for slot in slots:
        counts[slot.name] = counts.get(slot.name, 0) + 1
    return max(counts.values(), default=0)


_NOT_STATED: Final = "not stated"


@dataclass(frozen=True, slots=True)
class Source:
    """A text to build from, where it is from, and under what terms."""

    id: str
    domain: str
    text: str
    source: str = _NOT_STATED
    licence: str = _NOT_STATED


def read_constrev_sources(paths: Sequence[Path]) -> list[Source]:
    """The texts of JSONL files, of TETRA, and of folders with a sub-folder of .txt files for each domain."""
    found = [source for path in paths for source in _sources(path)]
    seen: set[str] = set()
    for source in found:
        if source.id in seen:
            raise InputError(f"two sources have the id {source.id!r}: each needs one of its own")
        seen.add(source.id)
    return found


def _sources(path: Path) -> Iterable[Source]:
    if tetra_files(path):
        papers = {paper.id: paper.original for paper in read_tetra(path)}
        return [Source(name, "academic", text, f"TETRA {name}", LICENCE) for name, text in papers.items()]
    return _folder(path) if path.is_dir() else _lines(path)


def _folder(path: Path) -> Iterator[Source]:
    files = sorted(path.rglob("*.txt"))
    if not files:
        raise InputError(f"{path} holds no text: a folder of sources has a sub-folder of .txt files a domain")
    for file in files:
        name = file.relative_to(path).with_suffix("").as_posix()
        domain = file.parent.name if file.parent != path else path.name
        yield Source(name, domain, read_text(file), source=name)


def _lines(path: Path) -> Iterator[Source]:
    for number, row in rows(path):
        where = f"{path}, line {number}"
        values = {name: row.get(name) for name in ("id", "domain", "text")}
        for name, value in values.items():
            if not isinstance(value, str) or not value.strip():
                raise InputError(f'{where}: a source needs "{name}", a string')
        known = {name: str(row[name]) for name in ("source", "licence") if row.get(name)}
        yield Source(**values, **known)  # type: ignore[arg-type]  # they were found to be strings


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSONL file, each with the number of its line."""
    return parse_json_lines(read_text(path), str(path))


SHORTEST: Final = 350
LONGEST: Final = 1000
"""Words, as in the paper (§3)."""
ALIKE: Final = 0.5
"""Two texts that share this part of their word triples are one text."""
_TELLING: Final = 8
"""So many words make a sentence that nobody writes twice."""
_SPARE: Final = 1.5
"""Texts revised for each that a small build needs: not every text can carry every kind."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The texts that may be used, and why the others may not."""

    texts: tuple[Source, ...]
    left_out: dict[str, int]
    excluding: tuple[str, ...]
    """The names of the files whose texts were excluded."""


class Excluded:
    """Texts that must not be used, such as those a system was trained on: by id, or by any of their words."""

    def __init__(self, paths: Sequence[Path] = ()) -> None:
        self.names = tuple(path.name for path in paths)
        self._ids: set[str] = set()
        self._sentences: set[str] = set()
        for path in paths:
            self._add(path)

    def __contains__(self, source: Source) -> bool:
        """Whether a text is named by its id, or shares a sentence of eight words or more."""
        return source.id in self._ids or not self._sentences.isdisjoint(_telling(source.text))

    def _add(self, path: Path) -> None:
        if path.suffix == ".txt":
            for line in read_text(path).splitlines():
                self._ids.add(line.strip())
                self._sentences.update(_telling(line))
            return
        for _, row in rows(path):
            self._ids.add(str(row.get("id", "")))
            for text in json_strings(row):
                self._sentences.update(_telling(text))


def _telling(text: str) -> set[str]:
    read = (normalised_words(sentence.text) for sentence in Document(text).sentences)
    return {" ".join(words) for words in read if len(words) >= _TELLING}


def select(sources: Iterable[Source], excluded: Excluded, *, join: bool) -> Selection:
    """The texts that may be used; with `join`, each as one paragraph."""
    left_out: Counter[str] = Counter()
    kept: list[Source] = []
    known = _Known()
    for source in sources:
        text = join_paragraphs(source.text) if join else source.text.strip()
        reason = _unfit(text)
        if reason is None and source in excluded:
            reason = "excluded"
        if reason is None and known.has_like(text):
            reason = "like another"
        if reason is None:
            kept.append(replace(source, text=text))
            known.add(text)
        else:
            left_out[reason] += 1
    return Selection(tuple(kept), dict(sorted(left_out.items())), excluded.names)


def pool(selection: Selection, uses: int, seed: int) -> tuple[Source, ...]:
    """As many of the texts as a build needs, drawn by the seed, from all domains alike."""
    by_domain: dict[str, list[Source]] = {}
    for source in selection.texts:
        by_domain.setdefault(source.domain, []).append(source)
    for domain, texts in by_domain.items():
        Random(f"{seed} {domain}").shuffle(texts)
    drawn: list[Source] = []
    wanted = min(len(selection.texts), round(uses * _SPARE))
    while len(drawn) < wanted:
        for domain in sorted(by_domain):
            if by_domain[domain] and len(drawn) < wanted:
                drawn.append(by_domain[domain].pop())
    return tuple(drawn)


def check_enough(texts: Sequence[Source], needed: int) -> None:
    """Refuse a build that would have to use a text twice at one level."""
    if len(texts) < needed:
        raise InputError(
            f"{len(texts)} texts can be used, and a level of {needed} takes each but once: "
            "give more --sources, or ask for fewer records"
        )


def _unfit(text: str) -> str | None:
    words = count_words(text)
    if not SHORTEST <= words <= LONGEST:
        return "too short" if words < SHORTEST else "too long"
    return None if language(text) == "en" else "not English"


class _Known:
    """The texts so far, by their word triples."""

    def __init__(self) -> None:
        self._index: dict[Gram, list[int]] = {}
        self._sizes: list[int] = []

    def has_like(self, text: str) -> bool:
        found = grams(normalised_words(text))
        shared = Counter(other for gram in found for other in self._index.get(gram, ()))
        return any(both >= ALIKE * (len(found) + self._sizes[other] - both) for other, both in shared.items())

    def add(self, text: str) -> None:
        found = grams(normalised_words(text))
        for gram in found:
            self._index.setdefault(gram, []).append(len(self._sizes))
        self._sizes.append(len(found))
