"""Making pairs of one kind from data files, and keeping some of them for development."""

from __future__ import annotations

import gzip
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

from redraft.errors import FileError, InputError
from redraft.train.guard import Guard
from redraft.train.pairs import (
    deletion,
    fluency,
    plain,
    revisions,
    splitting,
    tense,
    tone,
    voice,
    wording,
)  # fmt: skip
from redraft.train.pairs.material import Pair, Record, read_records

Maker = Callable[[Iterable[Record], Random], Iterator[Pair]]
_DEV: Final = 50
"""One text in so many is for development."""

PAIR_MAKERS: Final[Mapping[str, Maker]] = {
    "active": voice.active_pairs,
    "cuts": deletion.cut_pairs,
    "damage": fluency.damage_pairs,
    "formal": tone.formal_pairs,
    "graded": plain.graded_pairs,
    "joints": splitting.joint_pairs,
    "letters": tone.letter_pairs,
    "passive": voice.passive_pairs,
    "plain": plain.plain_pairs,
    "plain-examples": plain.example_pairs,
    "polite": tone.polite_pairs,
    "revisions": revisions.revision_pairs,
    "reworded": wording.reworded_pairs,
    "rows": fluency.row_pairs,
    "splits": splitting.split_pairs,
    "synonyms": wording.synonym_pairs,
    "tense": tense.tense_pairs,
    "wordy": fluency.wordy_pairs,
}
"""What makes pairs, by the name that the command takes."""


@dataclass(frozen=True, slots=True)
class Made:
    """Pairs to train on, pairs for development, and how many were left out for each reason."""

    train: list[Pair]
    dev: list[Pair]
    left_out: Counter[str]


def make_pairs(
    kinds: Sequence[str],
    paths: Sequence[Path],
    guard: Guard | None,
    *,
    most: int | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> dict[str, Made]:
    """The pairs of some kinds from files, each once, in an order drawn by the seed.

    All kinds are made of a record before the next one, for what is known of its sentences serves them all.
    All pairs of one text are on the same side, whatever their kind. `limit` is of records, `most` of pairs.
    """
    for kind in kinds:
        if kind not in PAIR_MAKERS:
            raise InputError(
                f"there is no kind of pairs {kind!r}; there are {', '.join(sorted(PAIR_MAKERS))}"
            )
    records = list(read_records(paths)) or [Record("templates", "", {})]
    Random(seed).shuffle(records)
    found = {kind: _Collected(guard, Random(f"{seed} {kind}")) for kind in kinds}
    for record in records[:limit]:
        for kind, collected in found.items():
            collected.add(PAIR_MAKERS[kind]([record], collected.rng))
    return {kind: collected.finished(most) for kind, collected in found.items()}


class _Collected:
    """The pairs of a kind while they are made."""

    def __init__(self, guard: Guard | None, rng: Random) -> None:
        self.rng = rng
        self._guard = guard
        self._made = Made([], [], Counter())
        self._seen: set[tuple[str, str, str]] = set()

    def add(self, pairs: Iterable[Pair]) -> None:
        """Take those that can be taught, are new, and are like nothing in a test set."""
        guard, made = self._guard, self._made
        for pair in pairs:
            key = (pair.task, pair.input, pair.target)
            if key in self._seen or not pair.fits:
                made.left_out["repeated or too long"] += 1
            elif guard is not None and (guard.knows(pair.input) or guard.knows(pair.target)):
                made.left_out["like a text of a test set"] += 1
            else:
                (made.dev if is_held_out(pair.text) else made.train).append(pair)
            self._seen.add(key)

    def finished(self, most: int | None) -> Made:
        """What was made, at most so many pairs of it."""
        for side, share in ((self._made.train, 1), (self._made.dev, _DEV)):
            self.rng.shuffle(side)
            if most is not None and len(side) > most // share:
                self._made.left_out["beyond the number wanted"] += len(side) - most // share
                del side[most // share :]
        return self._made


def is_held_out(text: str) -> bool:
    """Whether what is made of a text is for development: of one text in fifty, by the text alone."""
    digest = hashlib.blake2b(" ".join(text.split()).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % _DEV == 0


def write_pairs(pairs: Iterable[Pair], path: Path) -> None:
    """Write pairs as JSONL, gzipped where the name says so; the same pairs give the same bytes."""
    data = "".join(f"{pair.as_line()}\n" for pair in pairs).encode("utf-8", "surrogatepass")
    try:
        path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from None
