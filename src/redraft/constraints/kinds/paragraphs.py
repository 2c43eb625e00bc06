"""How long every paragraph may be: "at most three sentences a paragraph"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from redraft.constraints.base import Constraint, Finding, Phrased
from redraft.constraints.bounds import Interval, Relation, interval, plural, relate, settle, wording
from redraft.constraints.counting import Reading
from redraft.constraints.worded_bounds import BEHIND, BOUND, NUMBER, worded_number, worded_relation
from redraft.text import Document, Span

Unit = Literal["sentences", "words"]

_LOW: Final = NUMBER.replace("<number>", "<low>")
_COUNT: Final = (
    rf"(?:(?:from\s+)?{_LOW}\s*(?:-|–|—|to|or)\s*|between\s+{_LOW.replace('<low>', '<between>')}\s+and\s+)?"
    rf"{NUMBER}\s+(?P<unit>sentences?|words?)\b"
)
_EACH: Final = r"(?:per|a|each|every|in\ (?:each|every|any|a|all)|for\ (?:each|every)|to\ (?:a|each))"
_AHEAD: Final = (
    r"(?:(?:keep|make|limit|restrict|hold|cap|with|use|write|have|in"
    r"|(?:(?:break|split|divide)\s+(?:it|this|the\ text)\s+(?:up\ )?)?into)\s+)?"
)
_UP: Final = r"(?:please\ )?(?:break|split|divide)\ (?:it|this|the\ text)(?:\ up)?(?:\s*[,:;–—-])?\s+"
_MODALS: Final = (
    r"(?:\ (?:should|must|may|can|shall|has\ to|have\ to|needs?\ to|to|be|is|are|have|has|contains?|runs?"
    r"|goes?|go|with|of|at|stays?|kept|limited|that|long|together|needs?|requires?|required|wants?|gets?|takes?"
    r"|ought\ to|consists?|comprises?|includes?|all|each|remain))*"
)
_WORDINGS: Final = tuple(
    re.compile(rf"(?<![\w-]){body}(?:,?\s+please\b)?", re.VERBOSE | re.IGNORECASE)
    for body in (
        # "at most three sentences a paragraph"
        rf"(?:{_UP})?(?:with\ )?(?:{BOUND})?{_COUNT}{BEHIND}\s+{_EACH}\s+(?:single\ )?paragraphs?\b",
        # "keep every paragraph to 3 sentences or fewer"
        rf"{_AHEAD}(?P<all>(?:each|every|all|the|all\ the|your|my|any|a)\s+)?(?P<of>paragraphs?):?"
        rf"(?P<not>{_MODALS}\ (?:not|never){_MODALS}|{_MODALS})\s+"
        rf"(?:{BOUND})?{_COUNT}(?:\ long)?{BEHIND}(?:\ each)?",
        # "no paragraph over 60 words"
        rf"(?P<no>no\ paragraphs?){_MODALS}\s+{BOUND}{_COUNT}",
    )
)
_BINDS: Final = re.compile(r"(?i)\b(?:must|should|may|can|shall|has to|needs? to)\b")
_NAMED_AHEAD: Final = re.compile(
    r"\b(?:first|second|third|fourth|fifth|last|final|opening|closing|next|two|three|four|five|\d+|no|about|around"
    r"|roughly|have|wrote)\s+\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class ParagraphLength(Phrased):
    """Every paragraph has fewer, more or exactly so many sentences, or words."""

    count: int
    unit: Unit
    relation: Relation

    name = "paragraph_length_check"

    def __post_init__(self) -> None:
        settle(self, "count")

    @property
    def allowed(self) -> Interval:
        """What a paragraph may have."""
        return interval(self.count, self.relation)

    def amounts(self, document: Document) -> list[int]:
        """What each paragraph has; a greeting and a signature have nothing that counts."""
        found: dict[int, int] = {}
        for sentence, words in zip(document.sentences, document.word_counts, strict=True):
            amount = 0 if sentence.aside else 1 if self.unit == "sentences" else words
            found[sentence.paragraph] = found.get(sentence.paragraph, 0) + amount
        return list(found.values())

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare every paragraph with the bound; the distance is what is off, all together."""
        counts = self.amounts(revised.document)
        one = self.unit.removesuffix("s")
        wanted = f"{wording(self.count, self.relation, one)} in every paragraph"
        off = [place for place, count in enumerate(counts) if count and self.allowed.distance(count)]
        if not off:
            return Finding(self, True, counts, wanted, f"wanted, and found: {wanted}")
        named = ", ".join(f"paragraph {place + 1} has {plural(counts[place], one)}" for place in off[:3])
        named += f" and {len(off) - 3} more" * (len(off) > 3)
        distance = sum(self.allowed.distance(counts[place]) for place in off)
        spans = tuple(revised.document.paragraphs[place] for place in off)
        return Finding(self, False, counts, wanted, f"{named}; wanted {wanted}", distance, spans)

    def parts(self) -> dict[str, str]:
        """The bound."""
        return {"bound": wording(self.count, self.relation, self.unit.removesuffix("s"))}

    @classmethod
    def read(cls, instruction: str) -> Iterable[tuple[Span, Constraint]]:
        """Bounds on every paragraph, said of sentences or of words."""
        done = 0
        for match in sorted((m for way in _WORDINGS for m in way.finditer(instruction)), key=_place):
            start, end = match.span()
            worded = _demands(match)
            if start < done or not worded or _NAMED_AHEAD.search(instruction, max(0, start - 20), start):
                continue
            unit: Unit = "words" if match["unit"].lower().startswith("word") else "sentences"
            for number, one in worded:
                count, relation = relate(number, one)
                yield Span(start, end), cls(count, unit, relation)
            done = end


def _place(match: re.Match[str]) -> tuple[int, int]:
    return match.start(), -match.end()


def _demands(match: re.Match[str]) -> list[tuple[int, str]]:
    """The numbers that are meant, with their relations; none where a wording is of one paragraph."""
    said = match.groupdict()
    whose = (said.get("all") or "the").strip().lower()
    if said.get("of", "").lower() == "paragraph" and whose in ("the", "your", "my"):
        return []  # "the paragraph should have …"
    modals = said.get("not") or ""
    if whose in ("a", "any") and not _BINDS.search(modals):
        return []  # "write a paragraph of at least 50 words"
    denied = bool(said.get("no")) or re.search(r"\b(?:not|never)\b", modals) is not None
    number = worded_number(match["number"])
    relation = worded_relation(match, opposite=denied)
    if low := match["low"] or match["between"]:
        least, is_open = worded_number(low), not (relation or denied)
        return [(least, "at least"), (number, "at most")] if is_open and least < number else []
    if relation is None and not denied:
        relation = _bare_relation(match.group(), whose, modals)
    return [(number, relation)] if relation else []


def _bare_relation(said: str, whose: str, modals: str) -> str | None:
    """What a number without a bound means: "keep paragraphs to 3 sentences", "each must have 3 sentences"."""
    if re.match(r"(?:limit|keep|restrict|hold|cap)\b", said, re.IGNORECASE):
        return "at most" if modals.strip() in ("to", "at") else None
    wanted = re.search(r"\b(?:should|must|shall|has to|have to|needs?|requires?|ought)\b", modals)
    return "equal" if wanted and whose.split(maxsplit=1)[0] in ("each", "every", "all") else None
