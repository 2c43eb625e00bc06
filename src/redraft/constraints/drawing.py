"""Constraints drawn for a text, such as a revision of it is known to obey.

The kinds are the 19 of ConsTRev (Table 11 of the paper), each read off a source and its witness. A bound is a
number that a person would say, holds for the witness under both counting conventions, and excludes the source
where the witness leaves room for that. A keyword is a content word that both conventions count alike. The
kinds are drawn equally often, and none that another one of the instruction implies.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from operator import gt, lt, ne
from random import Random
from typing import Final, Literal

from redraft.constraints import Constraint, Reading, check
from redraft.constraints.base import Bounds
from redraft.constraints.bounds import Interval, Relation
from redraft.constraints.kinds import Keyword, KeywordFrequency, SentenceCount, SentenceLength, WordCount
from redraft.constraints.witness import CONVENTIONS, Pair, Term, Witness, occurrences, witnesses

Group = Literal["sentence", "length", "keyword"]
GROUPS: Final[tuple[Group, ...]] = ("sentence", "length", "keyword")

# Chosen by hand so that drawn instructions look like those of ConsTRev's published items.
BINDING: Final = 0.9
"""How often a bound is put where the source breaks it, of the times it can be."""
_STEPS: Final = (50, 20, 10, 5, 1)
"""A number that a person would say is a multiple of one of these, the first preferred."""
_ROUNDEST: Final = 0.75
"""How often the roundest number that fits is taken, before the next step is tried."""
_LOOSE: Final = 0.12
"""How far a bound may lie from what the witness measures, as a share of it."""
_CONVENTIONS_DIFFER: Final = 0.2
"""Where the conventions' counts differ by a larger share, a bound would say little."""
_LONGEST_SENTENCE: Final = 60
"""No instruction bounds the words of a sentence by more than this."""
_MOST_OCCURRENCES: Final = 9
"""The most occurrences of a word that an instruction asks for."""


@dataclass
class Features:
    """What can be said of a witness and its source."""

    witness: Witness
    choose: Random
    taken: set[str] = field(default_factory=set)
    """Keywords that the instruction names already, in lower case."""

    @cached_property
    def terms(self) -> tuple[tuple[Term, int], ...]:
        """The content words of the source, and how often each is in the witness."""
        after = self.witness.after[0]
        counted = ((term, occurrences(after, term.word)) for term in self.witness.pair.terms)
        return tuple((term, count) for term, count in counted if count is not None)

    def free_terms(self) -> list[tuple[Term, int]]:
        """Those that no other constraint names, in the order of the draw."""
        free = [
            (term, after)
            for term, after in self.terms
            if not any(word in term.word.lower() or term.word.lower() in word for word in self.taken)
        ]
        self.choose.shuffle(free)
        return free

    def occurrences_kept(self, word: str) -> int:
        """How often a word is in the sentences that must stay."""
        return sum(sentence.lower().count(word.lower()) for sentence in self.witness.fixed)


Measure = Callable[[Reading], int]
Make = Callable[[Features], tuple[Constraint, ...] | None]


@dataclass(frozen=True)
class Kind:
    """One of the 19: its group, the quantity that it bounds, and how one is made."""

    name: str
    group: Group
    about: str
    """No instruction says two things about one quantity; keywords are told apart by their word."""
    make: Make


def round_number(low: int, high: int, choose: Random) -> int:
    """A number within bounds that a person would say."""
    for step in _STEPS:
        found = range(-(-low // step) * step, high + 1, step)
        if found and (choose.random() < _ROUNDEST or step == 1):
            return choose.choice(found)
    return choose.randint(low, high)


def _above(features: Features, measure: Measure, slack: int) -> int | None:
    """A bound that the witness stays below: the source does not, where it can be had."""
    most = max(measure(reading) for reading in features.witness.after)
    before = sorted(measure(reading) for reading in features.witness.before)
    return _between(features, most + 1, before, [most + slack, most + 1])


def _below(features: Features, measure: Measure, slack: int, floor: int) -> int | None:
    """A bound that the witness stays above, and that the sentences which must stay do not reach."""
    least = min(measure(reading) for reading in features.witness.after)
    before = sorted((measure(reading) for reading in features.witness.before), reverse=True)
    low = max(least - slack, floor)
    if low > least - 1:
        return None
    mirrored = _between(features, 1 - least, [-count for count in before], [-low])
    return None if mirrored is None else -mirrored


def _between(features: Features, low: int, before: list[int], ends: list[int]) -> int | None:
    """A number from `low` to the first end that is not below it: what the source measures, if that binds."""
    binding = features.choose.random() < BINDING
    for end in [*(before if binding else ()), *ends]:
        if end >= low:
            # An end far off would be a bound that says nothing.
            return _spoken(low, min(end, low + max(abs(low) // 3, 3)), features.choose)
    return None


def _spoken(low: int, high: int, choose: Random) -> int:
    return round_number(low, high, choose) if low >= 0 else -round_number(-high, -low, choose)


@dataclass(frozen=True)
class Quantity:
    """Something that a bound may be on: how it is measured, and how far a bound may lie from what it is."""

    of: type[WordCount | SentenceCount | SentenceLength]
    measure: Measure
    slack: int
    floor: Callable[[Witness], int]
    """No lower bound is below it: what must stay has as much anyway."""
    comparable: bool = True
    """Whether nothing is said of it where the conventions measure numbers that are far apart."""
    loose: float = 0.0
    """The slack as a share of what the witness measures, where that is more."""
    most: float = math.inf

    def bound(self, relation: Relation, features: Features) -> tuple[Constraint, ...] | None:
        """A bound that the witness obeys."""
        counts = [self.measure(reading) for reading in features.witness.after]
        if self.comparable and max(counts) - min(counts) > max(1, _CONVENTIONS_DIFFER * max(counts)):
            return None
        if relation == "equal":
            return (self.of(counts[0], "equal"),) if len(set(counts)) == 1 else None
        slack = max(self.slack, round(self.loose * max(counts)))
        if relation == "less than":
            found = _above(features, self.measure, slack)
        else:
            found = _below(features, self.measure, slack, self.floor(features.witness))
        return None if found is None or found > self.most else (self.of(found, relation),)


_WORDS: Final = Quantity(
    WordCount,
    lambda reading: reading.words,
    3,
    lambda witness: sum(len(sentence.split()) for sentence in witness.fixed),
    comparable=False,
    loose=_LOOSE,
)
_SENTENCES: Final = Quantity(
    SentenceCount, lambda reading: len(reading.sentences), 3, lambda witness: max(len(witness.fixed), 2)
)
_LONGEST: Final = Quantity(
    SentenceLength, lambda reading: max(reading.sentence_words), 5, lambda _: 0, most=_LONGEST_SENTENCE
)
_SHORTEST: Final = Quantity(
    SentenceLength, lambda reading: min(reading.sentence_words), 2, lambda _: 3, comparable=False
)


def _words_between(features: Features) -> tuple[Constraint, ...] | None:
    low, high = _WORDS.bound("more than", features), _WORDS.bound("less than", features)
    return None if low is None or high is None else (*low, *high)


def _keep_word(features: Features) -> tuple[Constraint, ...] | None:
    for term, after in features.free_terms():
        if features.occurrences_kept(term.word) < term.count == after <= _MOST_OCCURRENCES:
            return (Keyword(term.word, "keep"),)
    return None


def _remove_word(features: Features) -> tuple[Constraint, ...] | None:
    for term, after in features.free_terms():
        if not after and not features.occurrences_kept(term.word):
            return (Keyword(term.word, "remove"),)
    return None


def _frequency(
    relation: Literal["exactly", "at least", "less"], features: Features
) -> tuple[Constraint, ...] | None:
    """A bound on a word that the witness uses more than once; one whose number changed, if there is any."""
    found = [
        (term, after)
        for term, after in features.free_terms()
        if 2 <= after <= _MOST_OCCURRENCES and features.occurrences_kept(term.word) < max(term.count, after)
    ]
    changes: dict[str, Callable[[int, int], bool]] = {"exactly": ne, "at least": lt, "less": gt}
    changed = [(term, after) for term, after in found if changes[relation](term.count, after)]
    if not (chosen := changed or found):
        return None
    term, after = chosen[0]
    if relation == "exactly":
        return (KeywordFrequency(term.word, after, "equal"),)
    if relation == "at least":
        least = after if changed else max(after - features.choose.randint(0, 1), 2)
        enough = features.occurrences_kept(term.word) < least
        return (KeywordFrequency(term.word, least - 1, "more than"),) if enough else None
    bound = after + 1 if changed else after + features.choose.randint(1, 2)
    return (KeywordFrequency(term.word, bound, "less than"),)


def _by_witness(features: Features) -> tuple[Constraint, ...] | None:
    """The sentences that the witness was mixed for."""
    found = features.witness.constraint
    return None if found is None else (found,)


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        *(Kind(f"keep_{count}", "sentence", "which sentences", _by_witness) for count in (1, 2, 3)),
        *(Kind(f"change_{count}", "sentence", "which sentences", _by_witness) for count in (1, 2, 3)),
        Kind("words_more", "length", "words", partial(_WORDS.bound, "more than")),
        Kind("words_less", "length", "words", partial(_WORDS.bound, "less than")),
        Kind("words_between", "length", "words", _words_between),
        Kind("sentences_more", "length", "sentences", partial(_SENTENCES.bound, "more than")),
        Kind("sentences_less", "length", "sentences", partial(_SENTENCES.bound, "less than")),
        Kind("sentences_exactly", "length", "sentences", partial(_SENTENCES.bound, "equal")),
        Kind("each_more", "length", "words in a sentence", partial(_SHORTEST.bound, "more than")),
        Kind("each_less", "length", "words in a sentence", partial(_LONGEST.bound, "less than")),
        Kind("keep_word", "keyword", "keep_word", _keep_word),
        Kind("remove_word", "keyword", "remove_word", _remove_word),
        Kind("frequency_exactly", "keyword", "frequency_exactly", partial(_frequency, "exactly")),
        Kind("frequency_at_least", "keyword", "frequency_at_least", partial(_frequency, "at least")),
        Kind("frequency_less", "keyword", "frequency_less", partial(_frequency, "less")),
    )
}
"""All 19, by name."""


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
