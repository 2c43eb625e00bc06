"""How many words each sentence has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redraft.constraints.base import Constraint, Finding
from redraft.constraints.bounds import Relation, bounded_phrasings, interval, plural, sayable, settle, wording
from redraft.constraints.counting import Reading
from redraft.constraints.demands import Bounds, Demand
from redraft.text import Span


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
