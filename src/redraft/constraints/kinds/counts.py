"""How many words, sentences, paragraphs and characters the text has, and how many words each sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from redraft.constraints.base import Bounds, Demand, Finding, Phrased, Quantity, templates
from redraft.constraints.bounds import (
    Relation,
    bounded_phrasings,
    correction,
    interval,
    plural,
    sayable,
    settle,
    under_phrasings,
    wording,
)
from redraft.constraints.counting import Reading
from redraft.text import Span, prose_paragraphs


@dataclass(frozen=True)
class Counted(Phrased):
    """A bound on one count of the whole text."""

    count: int
    relation: Relation

    unit: ClassVar[str]
    quantity: ClassVar[Quantity]

    def __post_init__(self) -> None:
        settle(self, "count")

    @abstractmethod
    def measure(self, revised: Reading) -> int:
        """The count."""

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the count with the bound."""
        measured = self.measure(revised)
        distance = interval(self.count, self.relation).distance(measured)
        wanted = wording(self.count, self.relation, self.unit)
        message = f"{plural(measured, self.unit)}; wanted {wanted}"
        if distance:
            message += f": {correction(self.count, self.relation, measured, ('add', 'cut'))}"
        return Finding(self, not distance, measured, wanted, message, distance)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval that the bound allows."""
        return (Bounds(self.quantity, interval(self.count, self.relation)),)

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates with every wording of the bound."""
        return bounded_phrasings(self.count, self.relation, ways, self.unit)

    def phrasings(self) -> Sequence[str]:
        """English imperatives; "under" and "below" are said of upper bounds alone."""
        below = templates(f"{self.name} below")
        return [*super().phrasings(), *under_phrasings(self.count, self.relation, below, self.unit)]


@dataclass(frozen=True)
class WordCount(Counted):
    """The whole text has fewer, more or exactly so many words."""

    name = "word_count_check"
    unit = "word"
    quantity = "words"

    def measure(self, revised: Reading) -> int:
        """The words of the whole text."""
        return revised.words


@dataclass(frozen=True)
class SentenceCount(Counted):
    """The text has fewer, more or exactly so many sentences."""

    name = "sentence_count_check"
    unit = "sentence"
    quantity = "sentences"

    def measure(self, revised: Reading) -> int:
        """The number of sentences, a greeting and each line of a signature included."""
        return len(revised.sentences)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the number with the bound, and say what was counted."""
        finding = super().check(original, revised)
        asides = plural(len(revised.sentences) - len(revised.counted), "line")
        counted = f" ({asides} of greeting and signature counted)"
        return finding if asides == "0 lines" else replace(finding, message=finding.message + counted)


@dataclass(frozen=True)
class ParagraphCount(Counted):
    """The text has fewer, more or exactly so many paragraphs."""

    name = "paragraph_count_check"
    unit = "paragraph"
    quantity = "paragraphs"

    def measure(self, revised: Reading) -> int:
        """The number of paragraphs as people count them, headings, greeting and signature aside."""
        return len(prose_paragraphs(revised.document))


@dataclass(frozen=True)
class CharacterCount(Counted):
    """The text, white space at its ends aside, has fewer, more or exactly so many characters."""

    name = "character_count_check"
    unit = "character"
    quantity = "characters"

    def measure(self, revised: Reading) -> int:
        """The characters, spaces inside included, line ends counted once each."""
        return len(revised.text.strip().replace("\r\n", "\n"))


@dataclass(frozen=True)
class SentenceLength(Phrased):
    """Every sentence has fewer, more or exactly so many words."""

    length: int
    relation: Relation

    name = "sentence_length_check"
    unit = "word"

    def __post_init__(self) -> None:
        settle(self, "length")

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare every sentence with the bound; the distance is the words that are off, all together."""
        allowed = interval(self.length, self.relation)
        counts = revised.sentence_words or (0,)  # an empty text is one empty sentence, in both conventions
        off = [i for i, count in enumerate(counts) if allowed.distance(count)]
        wanted = f"{wording(self.length, self.relation, 'word')} in every sentence"
        distance = sum(allowed.distance(counts[i]) for i in off)
        if not off:
            extent = f"sentences have {min(counts)} to {max(counts)} words"
            return Finding(self, True, list(counts), wanted, f"{extent}; wanted {wanted}")
        sentences = [revised.sentences[i] for i in off if i < len(revised.sentences)]
        names = [sentence.name for sentence in sentences] or ["sentence 1"]
        has = [f"{name} has {plural(counts[i], 'word')}" for name, i in zip(names, off, strict=True)]
        named = ", ".join(has[:3])
        more = f" and {len(off) - 3} more" if len(off) > 3 else ""
        spans = tuple(Span(sentence.start, sentence.end) for sentence in sentences)
        return Finding(self, False, list(counts), wanted, f"{named}{more}; wanted {wanted}", distance, spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for every sentence."""
        return (Bounds("words in a sentence", interval(self.length, self.relation)),)

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates with every wording of the bound."""
        return bounded_phrasings(self.length, self.relation, ways, self.unit)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        below = under_phrasings(self.length, self.relation, templates(f"{self.name} below"), self.unit)
        return [*super().phrasings(), *below, *(f"No sentence may be {end}." for end in self._ends())]

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        return [*super().clauses(), *(f"no sentence is {end}" for end in self._ends())]

    def _ends(self) -> list[str]:
        """The longest or shortest that a sentence may be; nothing where the number would be an odd one."""
        if self.relation == "equal":
            return []
        longer = self.relation == "less than"
        word, last = ("longer", self.length - 1) if longer else ("shorter", self.length + 1)
        return [f"{word} than {plural(last, 'word')}"] if last > 1 and sayable(last, self.length) else []
