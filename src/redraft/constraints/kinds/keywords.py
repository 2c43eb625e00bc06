"""Words and phrases that must stay, must go or must occur so often; what the text begins and ends with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.base import Demand, Edge, Finding, Lacks, Occurs, Phrased
from redraft.constraints.bounds import (
    Interval,
    Relation,
    bounded_phrasings,
    correction,
    interval,
    plural,
    settle,
    wording,
)
from redraft.constraints.counting import Reading, plain, straight
from redraft.errors import CallError
from redraft.text import Span


@dataclass(frozen=True)
class Keyword(Phrased):
    """A keyword is kept or removed.

    Kept means there, and (by `default`) no less often than in the original, or (by `constrev`) exactly as
    often as in the original.
    """

    keyword: str
    relation: Literal["keep", "remove"]

    name = "keyword_keep_removal_check"

    def __post_init__(self) -> None:
        check_keyword(self.name, self.keyword)

    @property
    def needs_original(self) -> bool:
        """Only keeping compares with the original."""
        return self.relation == "keep"

    def _allowed(self, original: Reading) -> Interval:
        before = len(original.occurrences(self.keyword))
        return Interval(before, before) if original.keeps_exactly else Interval(low=max(before, 1))

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Count the keyword in both texts."""
        if self.relation == "remove":
            spans = tuple(revised.uses(self.keyword))
            occurs = f"occurs {plural(len(spans), 'time')}" if spans else "does not occur"
            tabled = sum(revised.document.is_in_table(span.start) for span in spans)
            where = f" ({tabled} in a table, which stays as it is)" if tabled else ""
            message = f'"{self.keyword}" {occurs}{where}'
            wanted = f'"{self.keyword}" nowhere'
            return Finding(self, not spans, len(spans), wanted, message, float(len(spans)), spans)
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        allowed = self._allowed(original)
        found = len(revised.occurrences(self.keyword))
        distance = allowed.distance(found)
        often = f"{'exactly' if original.keeps_exactly else 'at least'} {plural(int(allowed.low), 'time')}"
        message = f'"{self.keyword}" occurs {plural(found, "time")}; wanted {often}'
        return Finding(self, not distance, found, f'"{self.keyword}" {often}', message, distance)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The keyword is absent, or occurs as often as keeping asks."""
        if self.relation == "remove":
            yield Lacks(self.keyword)
        elif original is not None:
            yield Occurs(self.keyword, self._allowed(original))

    @property
    def phrased_as(self) -> str:
        """Keeping and removing are said in different ways."""
        return f"keyword {self.relation}"

    def parts(self) -> dict[str, str]:
        """The keyword."""
        return {"word": named(self.keyword)}


def check_keyword(name: str, keyword: str) -> None:
    """Refuse a keyword that no text can hold or lack."""
    if not keyword.strip():
        raise CallError(f"{name}: the keyword is empty")


def named(keyword: str) -> str:
    """What to call a keyword: `word "x"`, `phrase "x y"`."""
    return f"{'phrase' if ' ' in keyword else 'word'} {quote(keyword)}"


def quote(keyword: str) -> str:
    """The keyword between quotation marks that it does not itself contain, if there are any."""
    for opening, closing, ends in _MARKS:
        if not set(keyword) & set(ends):
            return f"{opening}{keyword}{closing}"
    return f'"{keyword}"'


# The marks, and all that a reader may take for their end: straight and curly ones are mixed in real typing.
_MARKS = (('"', '"', '"“”'), ("«", "»", "»"), ("`", "`", "`"), ("‹", "›", "›"), ("‘", "’", "'’"))


@dataclass(frozen=True)
class KeywordFrequency(Phrased):
    """A keyword occurs fewer, more or exactly so many times."""

    keyword: str
    frequency: int
    relation: Relation

    name = "keyword_frequency_check"

    def __post_init__(self) -> None:
        check_keyword(self.name, self.keyword)
        settle(self, "frequency")

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Count the keyword."""
        spans = tuple(revised.occurrences(self.keyword))
        distance = interval(self.frequency, self.relation).distance(len(spans))
        wanted = wording(self.frequency, self.relation, "time")
        message = f'"{self.keyword}" occurs {plural(len(spans), "time")}; wanted {wanted}'
        if distance:
            message += f": {correction(self.frequency, self.relation, len(spans), ('add', 'remove'))}"
        return Finding(self, not distance, len(spans), wanted, message, distance, spans if distance else ())

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval for the keyword."""
        return (Occurs(self.keyword, interval(self.frequency, self.relation)),)

    def fill(self, ways: Sequence[str]) -> list[str]:
        """Templates with every wording of the bound."""
        return bounded_phrasings(self.frequency, self.relation, ways, "time", word=named(self.keyword))


_CLOSERS = ".,;:!?…\"'”’)]}»。！？ "


@dataclass(frozen=True)
class _Affix(Phrased):
    """The text starts or ends with some words, whatever their case and white space."""

    text: str

    def __post_init__(self) -> None:
        check_keyword(self.name, self.text)

    def parts(self) -> dict[str, str]:
        """The words."""
        return {"quoted": quote(self.text)}

    def finding(self, met: bool, wanted: str, found: str, place: int) -> Finding:
        """What was found at a place, and what was wanted there."""
        wanted = f"{wanted} {quote(self.text)}"
        message = wanted if met else f"found “{found}”; wanted a text that {wanted}"
        spans = () if met else (Span(place, place),)
        return Finding(self, met, found, wanted, message, float(not met), spans)


@dataclass(frozen=True)
class StartsWith(_Affix):
    """The text starts with these words, whatever their case and white space."""

    name = "starts_with_check"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the beginning."""
        start, wanted = _fold(revised.text), _fold(self.text)
        met = start.startswith(wanted) and not _joined(start[len(wanted) - 1 : len(wanted) + 1])
        found = revised.text.strip()[: len(self.text) + 20]
        return self.finding(met, "starts with", found, 0)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The words are in the text."""
        return (Edge("start", _fold(self.text)),)


@dataclass(frozen=True)
class EndsWith(_Affix):
    """The text ends with these words, closing punctuation aside."""

    name = "ends_with_check"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the end."""
        end, wanted = _fold(revised.text), _fold(self.text)
        closed = end.rstrip(_CLOSERS), wanted.rstrip(_CLOSERS)
        met = any(
            text.endswith(words) and not _joined(text[len(text) - len(words) - 1 :][:2])
            for text, words in ((end, wanted), closed)
            if words
        )
        found = revised.text.strip()[-len(self.text) - 20 :]
        return self.finding(met, "ends with", found, len(revised.text))

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The words are in the text, but for closing punctuation."""
        return (Edge("end", _fold(self.text).rstrip(_CLOSERS)),)


def _fold(text: str) -> str:
    return plain(straight(text).lower())


def _joined(seam: str) -> bool:
    """Whether two characters belong to one word."""
    return len(seam) == 2 and re.fullmatch(r"\w\w", seam) is not None and seam.isascii()
