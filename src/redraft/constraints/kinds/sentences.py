"""Which sentences must stay, which alone may change, and that none is repeated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.base import (
    Changes,
    Demand,
    Finding,
    Impossible,
    Keeps,
    NotOpening,
    Phrased,
)
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.constraints.kinds.keywords import quote
from redraft.errors import CallError
from redraft.text import ORDINALS, Opening, Sentence, Span, banned_openings, repeated_openings


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
        count = len(original.counted)
        absent = [n for n in self.sentences if n > count]
        if not absent:
            return None
        return (
            f"sentence {absent[0]} is named, but the text has {plural(count, 'sentence')}{besides(original)}"
        )

    def named(self, original: Reading) -> tuple[Sentence, ...]:
        """The sentences of the original that the numbers mean."""
        return tuple(original.counted[number - 1] for number in self.sentences)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for the original's sentences in the revision; the distance is how many are wrong."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        wanted = (
            f"{_listed(self.sentences)} {'unchanged' if self.relation == 'unchange' else 'alone changed'}"
        )
        if reason := self.missing(original):
            return Finding(self, False, [], wanted, reason, float(len(self.sentences)))
        named, aside = self.named(original), besides(original)
        if self.relation == "unchange":
            wrong = [sentence.counted for sentence in revised.changed(named)]
            message = f"{_listed(wrong)} changed" if wrong else f"{_listed(self.sentences)} unchanged"
            return Finding(self, not wrong, wrong, wanted, message + aside, float(len(wrong)))
        touched = revised.only_changed(original, frozenset(sentence.number for sentence in named))
        same = [original.sentences[n - 1] for n in touched.same]
        changed = [original.sentences[n - 1] for n in touched.changed]
        # New text at the end has no sentence behind it.
        before = [original.sentences[n - 1 : n] for n in touched.inserted]
        problems = [f"{name_sentences(same)} did not change"] if same else []
        problems += [f"{name_sentences(changed)} changed as well"] if changed else []
        problems += [f"new text before {one[0].name}" if one else "new text at the end" for one in before]
        message = "; ".join(problems) or f"only {_listed(self.sentences)} changed"
        kept = {sentence.text for sentence in same}
        spans = tuple(Span(s.start, s.end) for s in revised.sentences if s.text in kept)
        wrong = [one.counted for one in (*same, *changed)]
        wrong += [(one or original.sentences[-1:])[0].counted for one in before]
        return Finding(self, not problems, wrong, wanted, message + aside, float(len(wrong)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The sentences that stand, and those that do not."""
        if original is None:
            return
        if reason := self.missing(original):
            yield Impossible(reason)
            return
        named = self.named(original)
        if self.relation == "unchange":
            yield Keeps(named)
            return
        yield Changes(named)
        if original.counting == "default":
            yield Keeps(tuple(sentence for sentence in original.sentences if sentence not in named))

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
            f"the {joined([f'{n}{suffix(n)}' for n in self.sentences])} {noun}",
            _listed(self.sentences),
        ]
        if max(self.sentences) <= len(_SPELLED):
            named.append(f"the {joined([_SPELLED[n - 1] for n in self.sentences])} {noun}")
        return named


_SPELLED = tuple(ORDINALS)[:20]
"""Ordinals that are said in words: a larger one is easier to read in figures."""


def _listed(numbers: Sequence[int]) -> str:
    head = "sentence" if len(numbers) == 1 else "sentences"
    return f"{head} {joined([str(n) for n in numbers])}"


def name_sentences(sentences: Sequence[Sentence]) -> str:
    """The sentences by their numbers, and a greeting and a signature by their names."""
    numbers = [sentence.counted for sentence in sentences if not sentence.aside]
    asides = dict.fromkeys(sentence.name for sentence in sentences if sentence.aside)
    return joined([*([_listed(numbers)] if numbers else []), *asides]) if sentences else ""


def name_asides(reading: Reading) -> str:
    """The greeting and the signature that a text has; empty where it has none."""
    return name_sentences([sentence for sentence in reading.sentences if sentence.aside])


def besides(original: Reading) -> str:
    """How a greeting and a signature were counted, where there is one."""
    asides = name_asides(original)
    return f" ({asides} not counted)" if asides else ""


def suffix(number: int) -> str:
    """What makes an ordinal of a number in figures: "nd" of 2."""
    return "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


def joined(items: Sequence[str]) -> str:
    """A list as it is written: "1, 2 and 3"."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


@dataclass(frozen=True)
class UniqueSentences(Phrased):
    """No sentence occurs a second time, whatever its case, white space and final punctuation."""

    name = "unique_sentences_check"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Find the repeats."""
        seen: dict[str, Sentence] = {}
        repeats: list[tuple[Sentence, Sentence]] = []
        for sentence in revised.sentences:
            key = sentence_key(sentence.text)
            if key and key in seen:
                repeats.append((seen[key], sentence))
            seen.setdefault(key, sentence)
        spans = tuple(Span(again.start, again.end) for _, again in repeats)
        message = "; ".join(f"{again.name} repeats {first.name}" for first, again in repeats[:3])
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
        named = [f"sentences {one.sentence - 1} and {one.sentence} begin" for one in found]
        return _of_openings(
            self, found, named, revised.text, "no two sentences in a row with the same first word"
        )


@dataclass(frozen=True)
class SentenceStarts(Phrased):
    """No sentence begins with one of these words; headings and what is quoted as a whole are none."""

    words: tuple[str, ...]

    name = "sentence_start_check"

    def __post_init__(self) -> None:
        if isinstance(self.words, str):
            raise CallError(f'{self.name}: name the words in a list: ["{self.words}"]')
        found: dict[str, str] = {}
        for one in (" ".join(one.split()).rstrip(",") for one in self.words):
            found.setdefault(one.casefold(), one)
        words = tuple(found.values())
        if not words or not all(one[:1].isalnum() for one in words):
            raise CallError(f"{self.name}: name the words that no sentence may begin with")
        object.__setattr__(self, "words", words)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Find the sentences that begin so, but for those that stay word for word."""
        document = revised.document
        at = banned_openings(document, self.words)
        free = revised.without_spared([one.span for one in at])
        found = [one for one in at if one.span in free]
        named = [f"{document.sentence(one.sentence).name} begins" for one in found]
        return _of_openings(self, found, named, revised.text, f"no sentence that begins with {self._listed}")

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """No sentence begins so."""
        return (NotOpening(self.words),)

    def parts(self) -> dict[str, str]:
        """The words."""
        return {"words": self._listed}

    @property
    def _listed(self) -> str:
        named = [quote(one) for one in self.words]
        return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} or {named[-1]}"


def _of_openings(
    constraint: Phrased, found: Sequence[Opening], named: Sequence[str], text: str, wanted: str
) -> Finding:
    first = zip(named, (one.span for one in found[:3]), strict=False)
    said = [f"{name} with “{text[at.start : at.end]}”" for name, at in first]
    message = "; ".join(said) + f"; and {len(found) - 3} more" * (len(found) > 3)
    spans = tuple(one.span for one in found)
    return Finding(constraint, not found, len(found), wanted, message or wanted, float(len(found)), spans)
