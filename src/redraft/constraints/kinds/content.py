"""Patterns that must or must not match, and facts that must be preserved."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

import regex

from redraft.constraints.base import Demand, Finding, Holds, Matches, Phrased
from redraft.constraints.bounds import plural
from redraft.constraints.counting import Reading
from redraft.constraints.kinds.keywords import quote
from redraft.errors import CallError, InputError
from redraft.text import (
    Extract,
    RuleFinder,
    Span,
    citations,
    links,
    numbers,
    quotations,
    spell_number,
    spellings,
)

_SECONDS = 2.0
"""A user's pattern may take so long on one text."""
_MOST_REPEATS = 100_000
"""What the smallest counts in braces may multiply to: `regex` writes every repeat out, at 260 bytes each."""
_LEAST_COUNT = re.compile(r"\{\s*(\d+)")


@dataclass(frozen=True)
class Pattern(Phrased):
    """A pattern is required or forbidden."""

    pattern: str
    relation: Literal["require", "forbid"]

    name = "pattern_check"

    def __post_init__(self) -> None:
        if not self.pattern:
            raise CallError(f"{self.name}: the pattern is empty")
        _compiled(self.pattern)

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for matches."""
        spans = matched(self.pattern, revised.text)
        where = f"in {plural(len(spans), 'place')}" if spans else "nowhere"
        message = f"/{self.pattern}/ matches {where}"
        if self.relation == "require":
            return Finding(self, bool(spans), len(spans), "a match", message, float(not spans))
        return Finding(self, not spans, len(spans), "no match", message, float(len(spans)), spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The pattern matches somewhere, or nowhere."""
        return (Matches(self.pattern, self.relation == "require"),)

    @property
    def phrased_as(self) -> str:
        """Requiring and forbidding are said in different ways."""
        return f"pattern {self.relation}"

    def parts(self) -> dict[str, str]:
        """The pattern."""
        return {"shown": quote(self.pattern) if "/" in self.pattern else f"/{self.pattern}/"}


def matched(pattern: str, text: str) -> tuple[Span, ...]:
    """Where a pattern matches. There is a time limit: it is user input, and may never end otherwise."""
    try:
        return tuple(Span(*match.span()) for match in _compiled(pattern).finditer(text, timeout=_SECONDS))
    except TimeoutError:
        raise InputError(
            f"the pattern {pattern!r} takes more than {_SECONDS:g} s on this text; simplify it"
        ) from None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    # Counts beside one another are multiplied like nested ones: no pattern that anyone needs comes near.
    least = [min(int(count[:9]), _MOST_REPEATS + 1) for count in _LEAST_COUNT.findall(pattern)]
    if math.prod(max(count, 1) for count in least[:100]) > _MOST_REPEATS:
        raise CallError(
            f"pattern_check: {pattern!r} repeats too often: the numbers in its braces may multiply to"
            f" {_MOST_REPEATS:,} at most"
        )
    try:
        return regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError) as error:
        raise CallError(f"pattern_check: {pattern!r} is not a regular expression: {error}") from None


What = Literal["numbers", "quotations", "entities", "citations", "links"]

FINDERS: Final[Mapping[str, Callable[[str], list[Extract]]]] = {
    "numbers": numbers,
    "quotations": quotations,
    "citations": citations,
    "links": links,
}
"""What finds each in a text; names are looked for one by one."""
# How each is called: one of them, and all of them.
_NAMES = {
    "numbers": ("number", "numbers"),
    "quotations": ("quotation", "quotations"),
    "entities": ("named entity", "named entities"),
    "citations": ("citation", "citations"),
    "links": ("link", "links"),
}


@dataclass(frozen=True)
class Preserve(Phrased):
    """Every number, quotation, named entity, citation or link of the original is still there."""

    what: What

    name = "preserve_check"

    @property
    def needs_original(self) -> bool:
        """What must stay is what the original has."""
        return True

    @property
    def english_only(self) -> bool:
        """Names are found by English rules; all else by its marks."""
        return self.what == "entities"

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for each in the revision, as often as in the original (names: at least once)."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        one, name = _NAMES[self.what]
        if self.what == "entities":
            before = Counter({entity.text: 1 for entity in RuleFinder().find(original.text)})
            lost = [item for item in before if not any(map(revised.occurrences, _written(item)))]
        else:
            finder = FINDERS[self.what]
            before = Counter(found.value for found in finder(original.text))
            lost = list((before - Counter(found.value for found in finder(revised.text))).elements())
        if self.what == "numbers":
            lost = [item for item in lost if not _is_spelled_out(item, original, revised)]
        wanted = f"all {name} kept"
        if not lost:
            kept = f"1 {one} kept" if before.total() == 1 else f"all {before.total()} {name} kept"
            return Finding(self, True, 0, wanted, kept)
        listed = ", ".join(f"“{item}”" for item in lost[:5])
        more = f" and {len(lost) - 5} more" if len(lost) > 5 else ""
        return Finding(self, False, len(lost), wanted, f"lost {listed}{more}", float(len(lost)))

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The words of the names or quotations: numbers and links may stand in one word with others."""
        if original is None or self.what not in ("entities", "quotations"):
            return
        if self.what == "entities":
            texts = [entity.text for entity in RuleFinder().find(original.text)]
        else:
            texts = [found.value for found in quotations(original.text)]
        words = {word for text in texts for word in spellings(text.lower()) if word.isalpha()}
        if words:
            yield Holds(frozenset(words), "names" if self.what == "entities" else "quotations")

    def parts(self) -> dict[str, str]:
        """One of the details, and all of them."""
        thing, things = _NAMES[self.what]
        return {"thing": thing, "things": things}


_LEADING: Final = re.compile(r"(?P<digits>\d{1,6})(?P<rest>\b[^\d]*)\Z")
_DIGITS: Final = {spell_number(value): str(value) for value in range(1, 101)}


def _written(item: str) -> tuple[str, ...]:
    """An amount as it is written, and with its number the other way: in words, in digits."""
    if match := _LEADING.match(item):
        return item, spell_number(int(match["digits"])) + match["rest"]
    number, _, rest = item.partition(" ")
    digits = _DIGITS.get(number.lower())
    return (item, f"{digits} {rest}".strip()) if digits else (item,)


def _is_spelled_out(number: str, original: Reading, revised: Reading) -> bool:
    """Whether a number is there in words, where it was not before."""
    if not (number.isdecimal() and number.isascii() and len(number) <= 6):
        return False
    words = spell_number(int(number))
    return len(revised.occurrences(words)) > len(original.occurrences(words))
