"""What a simplification did to the words of its source, counted by the measures of a policy's principles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from redraft.simplification import tuning
from redraft.simplification.judging.alignment import Alignment
from redraft.simplification.verdicts import WORD_SETS
from redraft.text import LEVELS, Level, Sentence, Tagged, bases, difficulty, level, zipf

_MODIFIERS: Final = frozenset({"JJ", "JJR", "JJS", "RB", "RBR", "RBS"})
_PRONOUNS: Final = frozenset({"PRP", "PRP$", "EX"})
_FACTS: Final = frozenset({"NNP", "NNPS", "CD"})
LIGHT: Final = WORD_SETS["light"]
"""Words that come and go with the grammar."""
_TELLING: Final = frozenset("NVJRC")
_ROW: Final = (1, 2, 3, 4)


@dataclass(frozen=True, slots=True)
class Count:
    """Something that a principle looks at: how much of it, 1 being one full case, and what it was."""

    measure: str
    amount: float
    what: str


@dataclass(frozen=True)
class Words:
    """The words of a source beside what became of each."""

    alignment: Alignment
    word_level: Level
    doubt: tuple[float, ...]
    """How little each word of the candidate follows from the source."""

    def counts(self) -> Iterator[Count]:
        """Everything that was replaced, left out, kept and put in."""
        places = [place for place, word in enumerate(self.alignment.source) if _counts(word)]
        if all(self._became(place) is None for place in places):
            yield Count("difficult_kept", tuning.NONE_EASIER, "every word is kept, so none is easier")
        for place in places:
            word, became = self.alignment.source[place], self._became(place)
            if became is None:
                if kept := self._kept(word):
                    yield Count("difficult_kept", kept, f"'{word.text}' is kept ({_level(word)})")
            elif became:
                if self._is_first(place):
                    yield from self._replaced(word, became)
            elif not self._is_hard(word):
                amount = 0.3 if word.tag in _MODIFIERS else 0.5
                yield Count("easy_deleted", amount, f"'{word.text}' is gone, and was easy ({_level(word)})")
            elif word.tag in _MODIFIERS and self._head_stays(place):
                # Where much is lost, what is lost is not unimportant.
                spared = max(0.0, 1.0 - self.lost)
                yield Count("difficult_deleted", spared, f"'{word.text}' is gone ({_level(word)})")
            else:
                yield Count("important_deleted", 0.5, f"'{word.text}' is gone, and nothing stands for it")
        for word in self._added:
            if self._is_hard(word):
                yield Count("difficult_added", 1.0, f"'{word.text}' is new ({_level(word)})")
        yield from self._strange()
        yield from self._eased()

    def _eased(self) -> Iterator[Count]:
        """By how much the harder half of the words is easier or harder, whatever became of each."""
        before, after = (_hardness(words) for words in (self.alignment.source, self.alignment.target))
        what = f"how difficult the harder half of the words is: {before:.1f} → {after:.1f}"
        if before - after >= tuning.EASED:
            yield Count("difficult_replaced", min(1.0, before - after), what)
        elif after - before >= tuning.HARDENED:
            yield Count("harder_replaced", min(1.0, after - before), what)

    def _strange(self) -> Iterator[Count]:
        """New words that nobody would expect who has read the source."""
        known = {word.lower() for word in self.alignment.source_words}
        for word, doubt in zip(self.alignment.target, self.doubt, strict=True):
            if word.text.lower() not in known and doubt > tuning.DOUBTFUL:
                amount = min(1.5, (doubt - tuning.DOUBTFUL) / (tuning.STRANGE - tuning.DOUBTFUL))
                yield Count("meaning_replaced", amount, f"'{word.text}' does not follow from the source")

    def _replaced(self, word: Tagged, became: Sequence[Tagged]) -> Iterator[Count]:
        hardest = max(became, key=lambda one: difficulty(one.text, one.tag))
        before, after = (difficulty(one.text, one.tag) for one in (word, hardest))
        new = " ".join(one.text for one in became)
        what = f"'{word.text}' → '{new}': {{}} ({_level(word)} → {_level(hardest)})"
        share = min(1.0, abs(before - after) / tuning.LEVELS_FULL)
        kept = min(
            1.0, max(0.0, (tuning.STRANGE - self._most_doubtful(became)) / (tuning.STRANGE - tuning.FITTING))
        )
        if before - after >= tuning.EASIER:
            measure = "difficult_replaced" if self._is_hard(word) else "easy_replaced"
            share *= kept * (0.5 if self._is_hard(hardest) else 1.0)
            yield Count(
                measure, share, what.format("easier" if kept == 1 else "easier, if not quite the same")
            )
        elif (
            after - before >= tuning.HARDER
            and after >= tuning.HARDER_FROM
            and zipf(hardest.text) < zipf(word.text)
        ):
            yield Count("harder_replaced", share, what.format("harder"))
        elif kept := self._kept(word):
            yield Count("difficult_kept", kept, what.format("no easier"))

    def _became(self, place: int) -> tuple[Tagged, ...] | None:
        """The words of weight that a source word became; None where it is still there."""
        found = self.alignment
        word = found.source[place]
        linked = [
            found.target[target] for target in found.targets(place) if abs(self._first[target] - place) <= 1
        ]
        if any(_same(word, one) for one in linked):
            return None
        if not linked and any(_same(word, one) for one in self._added):
            return None
        if not all(one.tag in _PRONOUNS for one in linked):
            return tuple(one for one in linked if _counts(one)) or tuple(linked)
        return tuple(found.target[target] for target in stand_ins(found, place))

    @cached_property
    def _first(self) -> dict[int, int]:
        """The source word that each linked word stands for above all: one word says no two far apart."""
        best = sorted(self.alignment.links, key=lambda link: (link.weight, -link.source))
        return {link.target: link.source for link in best}

    def _is_first(self, place: int) -> bool:
        targets = self.alignment.targets(place)
        return not targets or any(self._first[target] == place for target in targets)

    def _most_doubtful(self, words: Sequence[Tagged]) -> float:
        return max(self.doubt[self.alignment.target.index(word)] for word in words)

    @cached_property
    def _added(self) -> tuple[Tagged, ...]:
        return tuple(word for place in self.alignment.added if _counts(word := self.alignment.target[place]))

    def _head_stays(self, place: int) -> bool:
        """Whether the word after a modifier is there in some form: else a whole phrase is gone."""
        after = place + 1
        return after >= len(self.alignment.source) or self._became(after) != ()

    @cached_property
    def lost(self) -> float:
        """How much of what the source says is gone, beyond what may go: 1 for a fifth of it more."""
        return max(0.0, self.lost_share - tuning.MAY_GO) / tuning.TOO_MUCH_GONE

    @cached_property
    def lost_share(self) -> float:
        """The share of the words of weight that became nothing; modifiers weigh half, one may go."""
        weights = {
            place: 0.5 if word.tag in _MODIFIERS else 1.0
            for place, word in enumerate(self.alignment.source)
            if _counts(word) or word.tag in _FACTS
        }
        gone = [weight for place, weight in weights.items() if self._became(place) == ()]
        return max(0.0, sum(gone) - 1) / sum(weights.values()) if weights else 0.0

    def _kept(self, word: Tagged) -> float:
        """How much a word counts that is still there: in full from a level above what is hard."""
        above = difficulty(word.text, word.tag) - LEVELS.index(self.word_level) - 0.5
        return min(1.0, max(0.0, above / 2)) if _is_level(word) else 0.0

    def _is_hard(self, word: Tagged) -> bool:
        return _is_level(word) and difficulty(word.text, word.tag) > LEVELS.index(self.word_level) + 1.5


def forms(word: Tagged) -> tuple[str, ...]:
    """A word in small letters, and what it may be a form of."""
    low = word.text.lower()
    return (low, *bases(low, word.tag))


def stand_ins(found: Alignment, place: int) -> tuple[int, ...]:
    """Words that were put in where a source word was taken out: between what its neighbours became.

    Where several were taken out, each has its own, from the end; the first has what is left.
    """
    linked = {link.source: link.target for link in reversed(found.links)}
    left = max((near for near in linked if near < place), default=-1)
    right = min((near for near in linked if near > place), default=len(found.source))
    low, high = linked.get(left, -1), linked.get(right, len(found.target))
    put = [target for target in found.added if low < target < high and _counts(found.target[target])]
    if len(put) > tuning.STANDS_FOR:
        return ()
    out = [near for near in range(left + 1, right) if _counts(found.source[near])]
    after = sum(near > place for near in out)
    own = put[: max(0, len(put) - after)]
    return tuple(own if place == min(out, default=place) else own[-1:])


def _counts(word: Tagged) -> bool:
    """Whether a word has a weight of its own: it has a level, and is not one of the lightest."""
    return _is_level(word) and LIGHT.isdisjoint(forms(word))


def _is_level(word: Tagged) -> bool:
    return word.text[0] not in "'’" and level(word.text, word.tag) is not None


def _hardness(words: Sequence[Tagged]) -> float:
    found = sorted(difficulty(word.text, word.tag) for word in words if _counts(word))
    harder = found[len(found) // 2 :]
    return (sum(harder) + tuning.FEW_WORDS * tuning.USUAL_LEVEL) / (len(harder) + tuning.FEW_WORDS)


def _level(word: Tagged) -> str:
    return level(word.text, word.tag) or "no level"


def _same(one: Tagged, other: Tagged) -> bool:
    """Whether both are forms of one word; 'robotic' and 'robots' are two words."""
    return not set(forms(one)).isdisjoint(forms(other))


@dataclass(frozen=True)
class ExtraWords:
    """The words that a candidate has too many, by their places in it."""

    alignment: Alignment
    invented: tuple[int, ...]
    """That stand for nothing in the source, and are no forms of its words."""
    repeated: tuple[int, ...]
    """That are there more often than in the source."""

    @classmethod
    def of(cls, alignment: Alignment) -> ExtraWords:
        """The words that the candidate of an alignment has too many."""
        telling = [(place, word) for place, word in enumerate(alignment.target) if _tells(word)]
        known = {form for word in alignment.source for form in forms(word)}
        stems = {form[: tuning.SURPLUS_STEM] for form in known if len(form) >= tuning.SURPLUS_STEM}
        added = set(alignment.added).difference(
            *(stand_ins(alignment, place) for place in alignment.deleted if _tells(alignment.source[place]))
        )
        invented = tuple(
            place
            for place, word in telling
            if place in added
            and known.isdisjoint(forms(word))
            and word.text.lower()[: tuning.SURPLUS_STEM] not in stems
        )
        left = Counter(_base(word) for word in alignment.source if _tells(word))
        seen: set[str] = set()
        repeated = []
        for place, word in telling:
            base = _base(word)
            if left[base] <= 0 and base in seen:
                repeated.append(place)
            left[base] -= 1
            seen.add(base)
        return cls(alignment, invented, tuple(repeated))

    @property
    def weight(self) -> float:
        """How much of it there is beyond what is usual; 1 is one full change of meaning."""
        return (self._beyond(self.invented) + self._beyond(self.repeated)) / tuning.SURPLUS_FULL

    def counts(self) -> Iterator[Count]:
        """New words as a change of meaning."""
        if new := self._beyond(self.invented):
            what = f"{self._shown(self.invented)}: nothing in the source says so"
            yield Count("meaning_replaced", min(tuning.MEANING_MOST, new / tuning.SURPLUS_FULL), what)

    def idle(self) -> Iterator[Count]:
        """Words that are said again as an edit for nothing, and as a fault where that is in one breath."""
        if stammered := self._stammered():
            yield Count("harder_structure", 1.0, f"'{stammered}' stands twice in a row")
        if again := self._beyond(self.repeated):
            yield Count(
                "idle_edit",
                min(tuning.MEANING_MOST, float(again)),
                f"{self._shown(self.repeated)}: said again",
            )

    def telling(self, sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
        """The sentences of the candidate that tell something of the source for the first time."""
        extra = {*self.invented, *self.repeated}
        found = []
        for sentence in sentences:
            places = [
                place
                for place, word in enumerate(self.alignment.target)
                if sentence.start <= word.start < sentence.end and _tells(word)
            ]
            if sum(place in extra for place in places) <= tuning.SURPLUS_IDLE * len(places):
                found.append(sentence)
        return tuple(found or sentences)

    def _stammered(self) -> str:
        """The first words that stand twice in a row, and did not in the source."""
        before, words = (
            [word.lower() for word in of] for of in (self.alignment.source_words, self.alignment.words)
        )
        known = {tuple(before[start : start + 2 * length]) for length in _ROW for start in range(len(before))}
        for length in _ROW:
            for start in range(len(words) - 2 * length + 1):
                twice = tuple(words[start : start + 2 * length])
                if twice[:length] == twice[length:] and twice not in known:
                    return " ".join(twice[:length])
        return ""

    def _shown(self, places: Sequence[int]) -> str:
        return ", ".join(f"'{self.alignment.target[place].text}'" for place in places)

    @staticmethod
    def _beyond(places: Sequence[int]) -> int:
        return max(0, len(places) - tuning.SURPLUS_FREE)


def _tells(word: Tagged) -> bool:
    return (
        word.tag[0] in _TELLING
        and word.tag != "CC"
        and word.text[0].isalnum()
        and LIGHT.isdisjoint(forms(word))
    )


def _base(word: Tagged) -> str:
    return forms(word)[:2][-1]
