"""The 19 kinds of constraint of ConsTRev (Table 11 of the paper), each read off a source and its witness.

A bound is a number that a person would say, holds for the witness under both counting conventions, and
excludes the source where the witness leaves room for that. A keyword is a content word that both conventions
count alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from random import Random
from typing import Final, Literal

from redraft.constraints import Constraint, Reading
from redraft.constraints.drawing.keywords import Term, occurrences
from redraft.constraints.drawing.witness import Witness
from redraft.constraints.kinds import Keyword, KeywordFrequency, SentenceCount, SentenceLength, WordCount

Group = Literal["sentence", "length", "keyword"]
GROUPS: Final[tuple[Group, ...]] = ("sentence", "length", "keyword")

BINDING: Final = 0.9
"""How often a bound is put where the source breaks it, of the times it can be."""
_STEPS: Final = (50, 20, 10, 5, 1)
_ROUNDEST: Final = 0.75
_LOOSE: Final = 0.12
_APART: Final = 0.2
"""Where the conventions count sentences, or the words of one, further apart, a bound would say little."""
_LONGEST_SENTENCE: Final = 60
_MOST: Final = 9
"""Occurrences of a word that an instruction asks for."""


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

    def standing(self, word: str) -> int:
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


def _words(reading: Reading) -> int:
    return reading.words


def _sentences(reading: Reading) -> int:
    return len(reading.sentences)


def _longest(reading: Reading) -> int:
    return max(reading.sentence_words)


def _shortest(reading: Reading) -> int:
    return min(reading.sentence_words)


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


def _near(features: Features, measure: Measure) -> bool:
    """Whether the conventions measure about the same in the witness."""
    low, high = sorted(measure(reading) for reading in features.witness.after)
    return high - low <= max(1, _APART * high)


def _slack(features: Features, measure: Measure) -> int:
    return max(3, round(_LOOSE * max(measure(reading) for reading in features.witness.after)))


def _words_standing(features: Features) -> int:
    return sum(len(sentence.split()) for sentence in features.witness.fixed)


def _words_less(features: Features) -> tuple[Constraint, ...] | None:
    bound = _above(features, _words, _slack(features, _words))
    return None if bound is None else (WordCount(bound, "less than"),)


def _words_more(features: Features) -> tuple[Constraint, ...] | None:
    bound = _below(features, _words, _slack(features, _words), _words_standing(features))
    return None if bound is None else (WordCount(bound, "more than"),)


def _words_between(features: Features) -> tuple[Constraint, ...] | None:
    low, high = _words_more(features), _words_less(features)
    return None if low is None or high is None else (*low, *high)


def _sentences_less(features: Features) -> tuple[Constraint, ...] | None:
    bound = _above(features, _sentences, 3) if _near(features, _sentences) else None
    return None if bound is None else (SentenceCount(bound, "less than"),)


def _sentences_more(features: Features) -> tuple[Constraint, ...] | None:
    floor = max(len(features.witness.fixed), 2)
    bound = _below(features, _sentences, 3, floor) if _near(features, _sentences) else None
    return None if bound is None else (SentenceCount(bound, "more than"),)


def _sentences_exactly(features: Features) -> tuple[Constraint, ...] | None:
    counts = {_sentences(reading) for reading in features.witness.after}
    return (SentenceCount(counts.pop(), "equal"),) if len(counts) == 1 else None


def _each_less(features: Features) -> tuple[Constraint, ...] | None:
    bound = _above(features, _longest, 5) if _near(features, _longest) else None
    return None if bound is None or bound > _LONGEST_SENTENCE else (SentenceLength(bound, "less than"),)


def _each_more(features: Features) -> tuple[Constraint, ...] | None:
    bound = _below(features, _shortest, 2, 3)
    return None if bound is None else (SentenceLength(bound, "more than"),)


def _keep_word(features: Features) -> tuple[Constraint, ...] | None:
    for term, after in features.free_terms():
        if features.standing(term.word) < term.count == after <= _MOST:
            return (Keyword(term.word, "keep"),)
    return None


def _remove_word(features: Features) -> tuple[Constraint, ...] | None:
    for term, after in features.free_terms():
        if not after and not features.standing(term.word):
            return (Keyword(term.word, "remove"),)
    return None


def _frequency(features: Features, relation: Literal["exactly", "at least", "less"]) -> Constraint | None:
    """A bound on a word that the witness uses more than once; one whose number changed, if there is any."""
    found = [
        (term, after)
        for term, after in features.free_terms()
        if 2 <= after <= _MOST and features.standing(term.word) < max(term.count, after)
    ]
    sign = {"exactly": (-1, 1), "at least": (-1,), "less": (1,)}[relation]
    changed = [(term, after) for term, after in found if _sign(term.count - after) in sign]
    if not (chosen := changed or found):
        return None
    term, after = chosen[0]
    if relation == "exactly":
        return KeywordFrequency(term.word, after, "equal")
    if relation == "at least":
        least = after if changed else max(after - features.choose.randint(0, 1), 2)
        enough = features.standing(term.word) < least
        return KeywordFrequency(term.word, least - 1, "more than") if enough else None
    bound = after + 1 if changed else after + features.choose.randint(1, 2)
    return KeywordFrequency(term.word, bound, "less than")


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _frequency_of(
    relation: Literal["exactly", "at least", "less"], features: Features
) -> tuple[Constraint, ...] | None:
    found = _frequency(features, relation)
    return None if found is None else (found,)


def _by_witness(features: Features) -> tuple[Constraint, ...] | None:
    """The sentences that the witness was mixed for."""
    found = features.witness.constraint
    return None if found is None else (found,)


KINDS: Final[Mapping[str, Kind]] = {
    kind.name: kind
    for kind in (
        *(Kind(f"keep_{count}", "sentence", "which sentences", _by_witness) for count in (1, 2, 3)),
        *(Kind(f"change_{count}", "sentence", "which sentences", _by_witness) for count in (1, 2, 3)),
        Kind("words_more", "length", "words", _words_more),
        Kind("words_less", "length", "words", _words_less),
        Kind("words_between", "length", "words", _words_between),
        Kind("sentences_more", "length", "sentences", _sentences_more),
        Kind("sentences_less", "length", "sentences", _sentences_less),
        Kind("sentences_exactly", "length", "sentences", _sentences_exactly),
        Kind("each_more", "length", "words in a sentence", _each_more),
        Kind("each_less", "length", "words in a sentence", _each_less),
        Kind("keep_word", "keyword", "keep_word", _keep_word),
        Kind("remove_word", "keyword", "remove_word", _remove_word),
        Kind("frequency_exactly", "keyword", "frequency_exactly", partial(_frequency_of, "exactly")),
        Kind("frequency_at_least", "keyword", "frequency_at_least", partial(_frequency_of, "at least")),
        Kind("frequency_less", "keyword", "frequency_less", partial(_frequency_of, "less")),
    )
}
"""All 19, by name."""
