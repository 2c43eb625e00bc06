"""Damage to a text: errors drawn by a profile, put in places that do not touch one another."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from redraft.train.damage.chance import pick, poisson, weighted
from redraft.train.damage.profile import KINDS, Profile
from redraft.train.damage.reading import Reading, Site

_TRIES: Final = 6


@dataclass(frozen=True, slots=True)
class Edit:
    """An error: its kind, its place in the damaged text, and the text before and after the damage."""

    kind: str
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Damaged:
    """A damaged text and the errors in it, in order; `spared` says that it was left clean on purpose."""

    text: str
    edits: tuple[Edit, ...]
    spared: bool = False

    def undone(self) -> str:
        """The clean text again."""
        text = self.text
        for edit in reversed(self.edits):
            text = text[: edit.start] + edit.before + text[edit.end :]
        return text


def damage(text: str, profile: Profile, rng: random.Random) -> Damaged:
    """A text with errors as the profile has them; at times none, on purpose or for want of a place."""
    if rng.random() < profile.clean:
        return Damaged(text, (), spared=True)
    reading = Reading(text)
    strength = 1 + profile.spread * (2 * rng.random() - 1)
    # Nearly all of the texts that are to be damaged shall be: short ones get at least one error.
    wanted = max(1, poisson(strength * profile.density * reading.words / 100, rng))
    return _placed(reading, _drawn(reading, profile, wanted, rng))


def _drawn(reading: Reading, profile: Profile, wanted: int, rng: random.Random) -> list[tuple[Site, str]]:
    places: dict[str, list[Site]] = {}
    taken: list[tuple[Site, str]] = []
    for _ in range(wanted):
        for _ in range(_TRIES):
            kind = weighted(profile.kinds, profile.heaped, rng)
            sites = places.get(kind)
            if sites is None:
                sites = places[kind] = KINDS[kind](reading, rng)
            if not sites:
                continue
            site = pick(sites, rng)
            if all(_apart(site, other) for other, _ in taken):
                taken.append((site, kind))
                break
    return taken


def _apart(one: Site, other: Site) -> bool:
    """Whether two errors do not touch; beside a word that is left out, the next one stays as it is."""
    margin = 0 if one.new.strip() and other.new.strip() else 1
    return one.end + margin < other.start or one.start > other.end + margin


def _placed(reading: Reading, taken: list[tuple[Site, str]]) -> Damaged:
    clean = reading.text
    parts: list[str] = []
    edits: list[Edit] = []
    done = shift = 0
    for site, kind in sorted(taken):
        before = clean[site.start : site.end]
        if before == site.new:
            continue
        parts += (clean[done : site.start], site.new)
        done = site.end
        start = site.start + shift
        edits.append(Edit(kind, start, start + len(site.new), before, site.new))
        shift += len(site.new) - len(before)
    return Damaged("".join((*parts, clean[done:])), tuple(edits))
