"""How many words, sentences, paragraphs and characters the text has, and how many words each sentence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from redraft.constraints.base import Bounds, Constraint, Demand, Finding, Quantity
from redraft.constraints.bounds import (
    Relation,
    bounded_phrasings,
    correction,
    interval,
    plural,
    sayable,
    settle,
    wording,
)
from redraft.constraints.counting import Reading
from redraft.text import Span


@dataclass(frozen=True)
class Counted(Constraint):
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


@dataclass(frozen=True)
class WordCount(Counted):
    """The whole text has fewer, more or exactly so many words."""

    name = "word_count_check"
    unit = "word"
    quantity = "words"

    def measure(self, revised: Reading) -> int:
        """The words of the whole text."""
        return revised.words

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "The revised version must be {bound} long.",
            "The whole text should come to {bound}.",
            "The result should have {bound}.",
            "Use {bound} in total.",
            "Write {bound} in all.",
        )
        below = ("Keep the text {bound}.", "Keep the whole text {bound}.", "Stay {bound}.")
        return bounded_phrasings(self.count, self.relation, templates, self.unit, below=below)

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        templates = (
            "the text has {bound}",
            "the revised text contains {bound}",
            "the result is {bound} long",
            "the whole text comes to {bound}",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)


@dataclass(frozen=True)
class SentenceCount(Counted):
    """The text has fewer, more or exactly so many sentences."""

    name = "sentence_count_check"
    unit = "sentence"
    quantity = "sentences"

    def measure(self, revised: Reading) -> int:
        """The number of sentences."""
        return len(revised.sentences)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "The result should consist of {bound}.",
            "The revised version must have {bound}.",
            "Use {bound} in total.",
            "There should be {bound} in all.",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        templates = (
            "the text has {bound}",
            "the result consists of {bound}",
            "the revised version is made up of {bound}",
            "there are {bound} in all",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)


@dataclass(frozen=True)
class ParagraphCount(Counted):
    """The text has fewer, more or exactly so many paragraphs."""

    name = "paragraph_count_check"
    unit = "paragraph"
    quantity = "paragraphs"

    def measure(self, revised: Reading) -> int:
        """The number of paragraphs."""
        return len(revised.document.paragraphs)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "Make sure that it has {bound}.",
            "Write {bound}.",
            "Use {bound}.",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)


@dataclass(frozen=True)
class CharacterCount(Counted):
    """The text, white space at its ends aside, has fewer, more or exactly so many characters."""

    name = "character_count_check"
    unit = "character"
    quantity = "characters"

    def measure(self, revised: Reading) -> int:
        """The characters, spaces inside included, line ends counted once each."""
        return len(revised.text.strip().replace("\r\n", "\n"))

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "The text should contain {bound}.",
            "Make sure that it has {bound}.",
            "Use {bound}.",
            "Write {bound}.",
        )
        return bounded_phrasings(self.count, self.relation, templates, self.unit)


@dataclass(frozen=True)
class SentenceLength(Constraint):
    """Every sentence has fewer, more or exactly so many words."""

    length: int
    relation: Relation

    name = "sentence_length_check"

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
        named = ", ".join(f"sentence {i + 1} has {plural(counts[i], 'word')}" for i in off[:3])
        more = f" and {len(off) - 3} more" if len(off) > 3 else ""
        sentences = [revised.sentences[i] for i in off if i < len(revised.sentences)]
        spans = tuple(Span(sentence.start, sentence.end) for sentence in sentences)
        return Finding(self, False, list(counts), wanted, f"{named}{more}; wanted {wanted}", distance, spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for every sentence."""
        return (Bounds("words in a sentence", interval(self.length, self.relation)),)

    def phrasings(self) -> Sequence[str]:
        """English imperatives."""
        templates = (
            "Each sentence should contain {bound}.",
            "Every sentence must have {bound}.",
            "Use {bound} in each sentence.",
            "All sentences should have {bound} each.",
            "Write {bound} per sentence.",
        )
        below = ("Keep each sentence {bound}.", "Keep all sentences {bound}.")
        found = bounded_phrasings(self.length, self.relation, templates, "word", below=below)
        if (end := self._end()) is not None:
            found.append(f"No sentence may be {end}.")
        return found

    def clauses(self) -> Sequence[str]:
        """English clauses."""
        templates = ("each sentence has {bound}", "every sentence contains {bound}")
        found = bounded_phrasings(self.length, self.relation, templates, "word")
        if (end := self._end()) is not None:
            found.append(f"no sentence is {end}")
        return found

    def _end(self) -> str | None:
        """The longest or shortest that a sentence may be; None where the number would be an odd one."""
        if self.relation == "equal":
            return None
        word, last = (
            ("longer", self.length - 1) if self.relation == "less than" else ("shorter", self.length + 1)
        )
        return f"{word} than {plural(last, 'word')}" if last > 1 and sayable(last, self.length) else None
