"""Which constraints an instruction is made of: all kinds alike, none that another one implies."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, Literal

from redraft.constraints import Constraint, check
from redraft.constraints.bounds import Interval
from redraft.constraints.demands import Bounds
from redraft.constraints.drawing.kinds import KINDS, Features, Kind
from redraft.constraints.drawing.witness import CONVENTIONS, Pair, Witness, witnesses

_NAMED: Final[dict[str, tuple[Literal["change", "unchange"], int]]] = {
    **{f"keep_{count}": ("unchange", count) for count in (1, 2, 3)},
    **{f"change_{count}": ("change", count) for count in (1, 2, 3)},
}
"""The kinds that name sentences."""


@dataclass(frozen=True)
class Drawn:
    """The constraints of one instruction, by kind, and the text that meets them all."""

    kinds: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    witness: str
    loose: int = 0
    """How many of the constraints the source itself obeys, counted once for each convention."""


def draw(
    pair: Pair, count: int, uses: Counter[str], choose: Random, among: Sequence[str] = tuple(KINDS)
) -> Drawn | None:
    """So many constraints of different kinds for a text, the least used kinds first; None if it has fewer."""
    order = sorted(among, key=lambda name: (uses[name], choose.random()))
    for witness, named in _mixed(pair, count, order, choose):
        drawn = _filled(witness, named, count, order, uses, choose)
        if drawn is not None:
            return drawn
    return None


def _mixed(
    pair: Pair, count: int, order: Sequence[str], choose: Random
) -> Iterator[tuple[Witness, str | None]]:
    """Witnesses for kinds that name sentences, as long as one of those is due, then the revision itself."""
    left = list(order)
    while due := next((name for name in _first(left, count) if name in _NAMED), None):
        yield from ((witness, due) for witness in witnesses(pair, *_NAMED[due], choose))
        left.remove(due)
    yield from ((witness, None) for witness in witnesses(pair, None, 0, choose))


def _first(order: Sequence[str], count: int) -> list[str]:
    """The kinds that would be taken if a text could carry any."""
    found: dict[str, str] = {}
    for name in order:
        found.setdefault(KINDS[name].about, name)
    return list(found.values())[:count]


def _filled(
    witness: Witness, named: str | None, count: int, order: Sequence[str], uses: Counter[str], choose: Random
) -> Drawn | None:
    """A witness and the constraints wanted; of kinds used alike, those that bind the source first."""
    features = Features(witness, choose)
    chosen: dict[str, tuple[Constraint, ...]] = {}
    if named is not None and witness.constraint is not None:
        chosen[named] = (witness.constraint,)
    left = [KINDS[name] for name in order if name not in _NAMED]
    while len(chosen) < count:
        options = [(kind, made) for kind in left if (made := _made(kind, features, chosen))]
        if not options:
            return None
        rank = {kind.name: place for place, kind in enumerate(left)}
        kind, made = min(
            options,
            key=lambda option: (
                uses[option[0].name],
                witness.met_by_source(option[1]),
                rank[option[0].name],
            ),
        )
        chosen[kind.name] = made
        features.taken |= {keyword.lower() for one in made if (keyword := getattr(one, "keyword", ""))}
        left = [other for other in left if other.about != kind.about]
    constraints = tuple(one for made in chosen.values() for one in made)
    loose = sum(witness.met_by_source(made) for made in chosen.values())
    drawn = Drawn(tuple(chosen), constraints, witness.text, loose)
    return drawn if _is_proof(drawn, witness.pair.source) else None


def _is_proof(drawn: Drawn, source: str) -> bool:
    """Whether the witness obeys, read anew as a user's check would read it, under both conventions."""
    return all(
        check(drawn.witness, drawn.constraints, original=source, counting=counting).met
        for counting in CONVENTIONS
    )


def _made(
    kind: Kind, features: Features, chosen: dict[str, tuple[Constraint, ...]]
) -> tuple[Constraint, ...] | None:
    """A constraint of a kind that holds, says something new, and leaves the others something to say."""
    made = kind.make(features)
    if made is None or not features.witness.meets(made):
        return None
    sets = [*chosen.values(), made]
    for place, own in enumerate(sets):
        others = [one for at, other in enumerate(sets) if at != place for one in other]
        if any(_implied(one, others) for one in own):
            return None
    return made


def _implied(constraint: Constraint, others: Sequence[Constraint]) -> bool:
    """Whether what the others say of words, sentences and the words of each already says this."""
    known = _derived(others)
    return any(
        isinstance(demand, Bounds)
        and demand.quantity in known
        and demand.allowed.low <= known[demand.quantity].low
        and known[demand.quantity].high <= demand.allowed.high
        for demand in constraint.demands(None)
    )


def _derived(constraints: Sequence[Constraint]) -> dict[str, Interval]:
    """The interval of each quantity, and what follows from words = sentences × words in a sentence."""
    known = {name: Interval(0, math.inf) for name in ("words", "sentences", "words in a sentence")}
    for constraint in constraints:
        for demand in constraint.demands(None):
            if isinstance(demand, Bounds) and demand.quantity in known:
                old, new = known[demand.quantity], demand.allowed
                known[demand.quantity] = Interval(max(old.low, new.low), min(old.high, new.high))
    words, sentences, each = known["words"], known["sentences"], known["words in a sentence"]
    return {
        "words": Interval(
            max(words.low, _product(sentences.low, each.low)),
            min(words.high, _product(sentences.high, each.high)),
        ),
        "sentences": Interval(
            max(sentences.low, math.ceil(words.low / each.high) if each.high else 0),
            min(sentences.high, words.high // each.low if each.low else math.inf),
        ),
        "words in a sentence": each,
    }


def _product(one: float, other: float) -> float:
    return 0 if not one or not other else one * other
