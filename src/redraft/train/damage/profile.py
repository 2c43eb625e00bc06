"""Profiles, which say how often each kind of error occurs, and the damage to a text by a profile."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Final

from redraft.errors import InputError
from redraft.train.damage import clauses, grammar, sentences, spelling, words
from redraft.train.damage.reading import Reading, Site, pick, poisson, weighted
from redraft.train.damage.rules import by_rules
from redraft.train.rows import read_toml

KINDS: Final = {
    "agreement": grammar.agreement,
    "apostrophe": sentences.apostrophe,
    "article": grammar.article,
    "auxiliary": by_rules("auxiliary"),
    "capital": sentences.capital,
    "comma": sentences.comma,
    "complement": clauses.complement,
    "compound": spelling.compound,
    "confusion": words.confusion,
    "connective": sentences.connective,
    "distant_agreement": clauses.distant_agreement,
    "fragment": sentences.fragment,
    "number": grammar.number,
    "omission": by_rules("omission"),
    "participle": clauses.participle,
    "phrase": words.phrase,
    "preposition": grammar.preposition,
    "pronoun": by_rules("pronoun"),
    "redundancy": by_rules("redundancy"),
    "repetition": by_rules("repetition"),
    "run_on": sentences.run_on,
    "spacing": sentences.spacing,
    "spelling": spelling.spelling,
    "stop": sentences.stop,
    "tense": grammar.tense,
    "typo": spelling.typo,
    "verb_form": grammar.verb_form,
    "word_form": words.word_form,
    "word_order": sentences.word_order,
    "wordiness": words.wordiness,
}
"""The kinds of error and what finds the places for each."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Errors per 100 words by kind; the share of texts left `clean`; how far texts `spread` around the mean.

    Where a text has no place for a kind that was drawn, another is drawn instead: so kinds that few texts
    have room for need a higher rate than they are to reach, and `density` says how many errors per 100 words
    are tried of all kinds together (the sum of the rates, if it is not given). `task` is that of texts with
    no error to tell it by.
    """

    name: str
    rates: Mapping[str, float]
    clean: float = 0.1
    spread: float = 0.5
    task: str = "fluency"
    density: float = 0.0
    kinds: tuple[str, ...] = field(init=False, repr=False)
    heaped: tuple[float, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the numbers, and add up the rates for drawing."""
        where = f"the profile {self.name}"
        if unknown := next((kind for kind in self.rates if kind not in KINDS), None):
            raise InputError(f"{where}: there is no kind of error {unknown!r}; there are {', '.join(KINDS)}")
        rates = {f"the rate of {kind}": (rate, 50) for kind, rate in self.rates.items()}
        shares = {"clean": (self.clean, 1), "spread": (self.spread, 1), "density": (self.density, 50)}
        for name, (value, most) in (rates | shares).items():
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
                raise InputError(f"{where}: {name} is {value!r}, but must be a number from 0 to {most}")
        if not any(self.rates.values()):
            raise InputError(f"{where}: needs a rate above 0 for at least one kind of error")
        if self.task not in ("fluency", "clarity", "coherence"):
            raise InputError(f"{where}: task is {self.task!r}, but must be fluency, clarity or coherence")
        kinds = tuple(kind for kind in sorted(self.rates) if self.rates[kind] > 0)
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "heaped", tuple(accumulate(self.rates[kind] for kind in kinds)))
        object.__setattr__(self, "density", self.density or self.heaped[-1])


def load_profile(name: str | Path) -> Profile:
    """A profile by its name, or from a TOML file with the fields of a Profile and a table `rates`."""
    found = read_toml("profile", str(name), files(__package__) / "data")
    unknown = sorted(set(found) - {"clean", "density", "spread", "task", "rates"})
    if unknown:
        raise InputError(
            f"the profile {name}: has no {unknown[0]!r}, but clean, density, spread, task and rates"
        )
    if not isinstance(found.get("rates"), dict):
        raise InputError(f"the profile {name}: needs a table [rates] of errors per 100 words")
    return Profile(Path(name).stem, **found)


_TRIES: Final = 6


@dataclass(frozen=True, slots=True)
class InsertedError:
    """An error: its kind, its place in the damaged text, and the text before and after the damage."""

    kind: str
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class DamagedText:
    """A damaged text and the errors in it, in order; `spared` says that it was left clean on purpose."""

    text: str
    edits: tuple[InsertedError, ...]
    spared: bool = False

    def undone(self) -> str:
        """The clean text again."""
        text = self.text
        for edit in reversed(self.edits):
            text = text[: edit.start] + edit.before + text[edit.end :]
        return text


def damage(text: str, profile: Profile, rng: random.Random) -> DamagedText:
    """A text with errors as the profile has them; at times none, on purpose or for want of a place."""
    if rng.random() < profile.clean:
        return DamagedText(text, (), spared=True)
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


def _placed(reading: Reading, taken: list[tuple[Site, str]]) -> DamagedText:
    clean = reading.text
    parts: list[str] = []
    edits: list[InsertedError] = []
    done = shift = 0
    for site, kind in sorted(taken):
        before = clean[site.start : site.end]
        if before == site.new:
            continue
        parts += (clean[done : site.start], site.new)
        done = site.end
        start = site.start + shift
        edits.append(InsertedError(kind, start, start + len(site.new), before, site.new))
        shift += len(site.new) - len(before)
    return DamagedText("".join((*parts, clean[done:])), tuple(edits))
