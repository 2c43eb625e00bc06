"""What each text is revised towards, so that what is read off its revision binds.

A revision that only mends a text leaves its lengths and words as they were, and an instruction made from it
would be met by the source itself. So each text is given a goal, drawn by the seed: a bound on its length or
its sentences, and often a word to be avoided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from redraft.constraints import (
    Constraint,
    Keyword,
    KeywordFrequency,
    Reading,
    SentenceCount,
    SentenceLength,
    WordCount,
    read,
    render,
    terms,
)

_WITH_A_WORD: Final = 0.7
_OFTEN: Final = 4
_BETTER: Final = "better"


@dataclass(frozen=True, slots=True)
class Goal:
    """What to make of a text: a name, and constraints."""

    name: str
    constraints: tuple[Constraint, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the text is to be made better, whatever else."""
        return self.name.startswith(_BETTER)

    def words(self, seed: int) -> str:
        """The goal in plain English."""
        return render(self.constraints, seed)


def draw_goal(name: str, text: str, seed: int) -> Goal:
    """The goal of the text of that name: the same for the same seed, whatever other texts there are."""
    choose = Random(f"{seed} goal {name}")
    shape = choose.choices(list(_SHAPES), [weight for weight, _ in _SHAPES.values()])[0]
    before = read(text)
    wanted = _SHAPES[shape][1](before, choose)
    word = _word_goal(before, choose) if choose.random() < _WITH_A_WORD else ()
    return Goal(f"{shape}, {word[0].call}" if word else shape, (*wanted, *word))


def _shorter(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    return (WordCount(round(before.words * choose.uniform(0.7, 0.9)), "less than"),)


def _longer(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    return (WordCount(round(before.words * choose.uniform(1.02, 1.06)), "more than"),)


def _fewer(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    return (SentenceCount(max(len(before.sentences) - choose.randint(0, 3), 2), "less than"),)


def _more(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    return (SentenceCount(len(before.sentences) + choose.randint(0, 3), "more than"),)


def _brief(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    longest = max(before.sentence_words)
    return (SentenceLength(max(20, round(longest * choose.uniform(0.65, 0.9))), "less than"),)


def _full(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    return (SentenceLength(choose.randint(3, 6), "more than"),)


def _improve(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    return ()


_Shape = Callable[[Reading, Random], tuple[Constraint, ...]]
_SHAPES: Final[Mapping[str, tuple[float, _Shape]]] = {
    "shorter": (5, _shorter),
    "longer": (1, _longer),
    "fewer sentences": (3, _fewer),
    "more sentences": (2, _more),
    "shorter sentences": (4, _brief),
    "no short sentence": (3, _full),
    _BETTER: (4, _improve),
}


def _word_goal(before: Reading, choose: Random) -> tuple[Constraint, ...]:
    """A word to do without, or to use less often."""
    found = [term for term in terms(before) if term.word.islower()]
    rare = [term for term in found if 2 <= term.count < _OFTEN]
    frequent = [term for term in found if term.count >= _OFTEN]
    if frequent and (not rare or choose.random() < 0.5):
        term = choose.choice(frequent)
        return (KeywordFrequency(term.word, term.count - choose.randint(0, 1), "less than"),)
    if rare:
        return (Keyword(choose.choice(rare).word, "remove"),)
    return ()
