"""Which sentences must stay, which alone may change, and that none is repeated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.base import Changes, Demand, Finding, Impossible, Keeps, Phrased
from redraft.constraints.counting import Reading
from redraft.errors import CallError
from redraft.text import ORDINALS, Span, repeated_openings


@dataclass(frozen=True)
class SentenceModification(Phrased):
    """Named sentences of the original stay word for word ("unchange"), or only they change ("change")."""

    sentences: tuple[int, ...]
    relation: Literal["change", "unchange"]

    name = "sentence_modification_check"

    def __post_init__(self) -> None:
        numbers = tuple(sorted(set(self.sentences)))
        if not numbers:
            raise CallError(f"{self.name}: name at least one sentence")
        if numbers[0] < 1:
            raise CallError(f"{self.name}: sentences are counted from 1, and {numbers[0]} is named")
        object.__setattr__(self, "sentences", numbers)

    @property
    def needs_original(self) -> bool:
        """The sentences are the original's."""
        return True

    def missing(self, original: Reading) -> str | None:
        """Why a named sentence cannot be checked, if it is not there."""
        count = len(original.sentences)
        absent = [n for n in self.sentences if n > count]
        if not absent:
            return None
        return f"sentence {absent[0]} is named, but the text has {count} sentence{'s' * (count != 1)}"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the original's sentences in the revision; the distance is how many are wrong."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        wanted = (
            f"{_listed(self.sentences)} {'unchanged' if self.relation == 'unchange' else 'alone changed'}"
        )
        if reason := self.missing(original):
            return Finding(self, False, [], wanted, reason, float(len(self.sentences)))
        if self.relation == "unchange":
            wrong = [s.number for s in revised.changed([original.sentences[n - 1] for n in self.sentences])]
            message = f"{_listed(wrong)} changed" if wrong else f"{_listed(self.sentences)} unchanged"
            return Finding(self, not wrong, wrong, wanted, message, float(len(wrong)))
        touched = revised.only_changed(original, frozenset(self.sentences))
        problems = [f"{_listed(touched.same)} did not change"] if touched.same else []
        problems += [f"{_listed(touched.changed)} changed as well"] if touched.changed else []
        last = len(original.sentences)
        problems += [
            f"new text before sentence {n}" if n <= last else "new text at the end" for n in touched.inserted
        ]
        message = "; ".join(problems) or f"only {_listed(self.sentences)} changed"
        kept = {original.sentences[n - 1].text for n in touched.same}
        spans = tuple(Span(s.start, s.end) for s in revised.sentences if s.text in kept)
        wrong = [*touched.same, *touched.changed, *(min(n, last) for n in touched.inserted)]
        return Finding(self, not problems, wrong, wanted, message, float(len(wrong)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The sentences that stand, and those that do not."""
        if original is None:
            return
        if reason := self.missing(original):
            yield Impossible(reason)
            return
        named = tuple(original.sentences[n - 1] for n in self.sentences)
        if self.relation == "unchange":
            yield Keeps(named)
            return
        yield Changes(named)
        if original.counting == "default":
            yield Keeps(tuple(s for s in original.sentences if s.number not in self.sentences))

    @property
    def phrased_as(self) -> str:
        """Keeping and changing are said in different ways."""
        return f"sentences {self.relation}"

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates with every name of the sentences."""
        many = {"it_is": "they are", "is_": "are", "stays": "stay"}
        one = {"it_is": "it is", "is_": "is", "stays": "stays"}
        parts = many if len(self.sentences) > 1 else one
        return [way.format(named=named, **parts) for way in ways for named in self._named()]

    def clauses(self) -> Sequence[str]:
        """English clauses, by the names of the sentences."""
        clauses, names = super().clauses(), len(self._named())
        return [clause for name in range(names) for clause in clauses[name::names]]

    def _named(self) -> list[str]:
        """What to call the sentences: by ordinals in figures, by number, by ordinals in words."""
        noun = "sentences" if len(self.sentences) > 1 else "sentence"
        named = [
            f"the {_joined([f'{n}{_suffix(n)}' for n in self.sentences])} {noun}",
            _listed(self.sentences),
        ]
        if max(self.sentences) <= len(_SPELLED):
            named.append(f"the {_joined([_SPELLED[n - 1] for n in self.sentences])} {noun}")
        return named


_SPELLED = tuple(ORDINALS)[:20]
"""Ordinals that are said in words: a larger one is easier to read in figures."""


def _listed(numbers: Sequence[int]) -> str:
    head = "sentence" if len(numbers) == 1 else "sentences"
    return f"{head} {_joined([str(n) for n in numbers])}"


def _suffix(number: int) -> str:
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def _joined(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


@dataclass(frozen=True)
class UniqueSentences(Phrased):
    """No sentence occurs a second time, whatever its case, white space and final punctuation."""

    name = "unique_sentences_check"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Find the repeats."""
        seen: dict[str, int] = {}
        repeats: list[tuple[int, int]] = []
        for index, sentence in enumerate(revised.sentences):
            key = sentence_key(sentence.text)
            if key and key in seen:
                repeats.append((seen[key], index))
            seen.setdefault(key, index)
        spans = tuple(Span(revised.sentences[i].start, revised.sentences[i].end) for _, i in repeats)
        message = "; ".join(f"sentence {b + 1} repeats sentence {a + 1}" for a, b in repeats[:3])
        message += f"; and {len(repeats) - 3} more" * (len(repeats) > 3)
        wanted = "no sentence twice"
        return Finding(self, not repeats, len(repeats), wanted, message or wanted, float(len(repeats)), spans)


def sentence_key(text: str) -> str:
    """What a sentence says, whatever its case, white space and final punctuation; empty without words."""
    return " ".join(text.casefold().split()).rstrip(".!?…。！？ ")


@dataclass(frozen=True)
class Openings(Phrased):
    """No two sentences in a row begin with the same word; items of lists and quotations are in no row."""

    name = "openings_check"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Find the sentences that begin like the one before."""
        found = repeated_openings(revised.document)
        text = revised.text
        named = [
            f"sentences {one.sentence - 1} and {one.sentence} begin with"
            f" “{text[one.span.start : one.span.end]}”"
            for one in found[:3]
        ]
        wanted = "no two sentences in a row with the same first word"
        message = "; ".join(named) + f"; and {len(found) - 3} more" * (len(found) > 3)
        spans = tuple(one.span for one in found)
        return Finding(self, not found, len(found), wanted, message or wanted, float(len(found)), spans)
