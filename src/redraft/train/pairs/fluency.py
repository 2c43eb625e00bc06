"""Pairs for correcting: clean passages with errors put in, and rows that are pairs already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Final

from redraft.text import count_words
from redraft.train.damage.profile import Profile, damage, load_profile
from redraft.train.pairs.material import Pair, Record, passages

_PROFILES: Final = ("sparse", "learner", "dense")
_LENGTHS: Final = (1, 2, 1, 3, 1, 1, 4, 2)


def damage_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Passages of one to four sentences, damaged by one of three profiles; some are left clean."""
    for passage in passages(records, _LENGTHS):
        profile = _profile(rng.choice(_PROFILES))
        done = damage(str(passage), profile, rng)
        if done.edits or done.spared:
            source = f"{passage.source}:{profile.name}"
            yield Pair("fluency", done.text, str(passage), source, passage.text)


def wordy_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Passages made wordy, for making them concise: the words that were put in say nothing."""
    for passage in passages(records, (1, 2, 1, 3)):
        done = damage(str(passage), _profile("wordy"), rng)
        if count_words(done.text) > count_words(str(passage)):
            yield Pair("concise", done.text, str(passage), f"{passage.source}:wordy", passage.text)


@cache
def _profile(name: str) -> Profile:
    return load_profile(name)


def row_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Rows as they are; without a task and an input, `source` and `target` are a correction."""
    for record in records:
        fields = record.fields
        task = fields.get("task", "fluency")
        before, after = fields.get("input", fields.get("source")), fields.get("target")
        if isinstance(task, str) and isinstance(before, str) and isinstance(after, str):
            named = str(fields["source"]) if "input" in fields and "source" in fields else record.source
            yield Pair(task, before, after, named, record.text)
