"""A place in a sentence that is read from left to right, and what can be told there of what follows."""

from __future__ import annotations

from typing import Final

from redraft.quality import listed
from redraft.revision import FINITE, SUBORDINATORS, Parts
from redraft.simplification.evidence.trees import Tree

VERB: Final = FINITE | {"VB", "VBN", "VBG"}
WH: Final = frozenset({"WDT", "WP", "WP$", "WRB"})
ADVERBS: Final = frozenset({"RB", "RBR", "RBS"})
BREAKS: Final = frozenset({":", "."})
"""Marks that no clause goes over."""
ALWAYS: Final = listed("because although though whereas unless if whether lest while until till whilst")
"""Words that open a clause, whatever follows."""


class Place:
    """How far a sentence has been read."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.at = 0

    def tag(self, ahead: int = 0) -> str:
        """The tag here, or further on."""
        return self.parts.tag(self.at + ahead)

    def word(self, ahead: int = 0) -> str:
        """The word here, or further on, in small letters."""
        return self.parts.word(self.at + ahead)

    def leaf(self) -> Tree:
        """The word here with its tag; it is read now."""
        word = self.parts.words[self.at].text
        tag = self.parts.tags[self.at]
        self.at += 1
        return Tree(tag, word=word)

    def flat(self, stop: int) -> list[Tree]:
        """The words before a place, each by itself."""
        found = []
        while self.at < stop:
            found.append(self.leaf())
        return found

    def finite_before(self, stop: int) -> int | None:
        """Where the next finite verb is, before the clause ends for sure."""
        found = (n for n in range(self.at, stop) if self.parts.tags[n] in FINITE | BREAKS)
        place = next(found, None)
        return None if place is None or self.parts.tags[place] in BREAKS else place

    def is_verb(self, stop: int) -> bool:
        """Whether a participle here is the clause's verb, which the tagger took for one."""
        back = range(self.at - 1, -1, -1)
        before = next((n for n in back if self.parts.tags[n] in FINITE | BREAKS), None)
        lacking = before is None or self.parts.tags[before] in BREAKS
        return self.tag() == "VBN" and lacking and self.finite_before(stop) is None

    def comma(self, stop: int) -> int | None:
        """Where the next comma is."""
        return next((n for n in range(self.at, stop) if self.parts.tags[n] == ","), None)

    def comma_first(self, stop: int) -> bool:
        """Whether a comma comes before the next verb."""
        comma, verb = self.comma(stop), self.finite_before(stop)
        return comma is not None and (verb is None or comma < verb)

    def opens_clause(self) -> bool:
        """Whether a subordinate clause begins here."""
        tag, word = self.tag(), self.word()
        if tag in WH:
            return True
        if tag not in ("IN", "RB"):
            return False
        if word in ALWAYS:
            return self.word(1) not in ("of", "to")
        return word in SUBORDINATORS and self.parts.subject_and_verb(self.at + 1)

    def clause_end(self, stop: int) -> int:
        """Where the subordinate clause that begins here ends at the latest: before the clause it opens."""
        if self.at == 0:
            opened = self.parts.opening()
            if 1 < opened < stop:
                return opened - 1 if self.parts.tags[opened - 1] == "," else opened
        return stop

    def ends_verb_phrase(self) -> bool:
        """Whether what follows belongs to a clause further out."""
        tag = self.tag()
        if tag in FINITE or tag in BREAKS or (tag == "CC" and self.tag(1) in VERB):
            return True
        if tag == "CC":
            return self.parts.subject_and_verb(self.at + 1) or self.word(1) in ALWAYS
        if tag != ",":
            return False
        following = self.tag(1)
        if following == "CC":
            after = self.tag(2)
            return after in VERB | ADVERBS or self.parts.subject_and_verb(self.at + 2)
        return following in FINITE or self.parts.subject_and_verb(self.at + 1)

    def relative(self, ahead: int = 0) -> bool:
        """Whether a question word begins here, or further on, also after a preposition: "in which"."""
        return self.tag(ahead) in WH or (self.tag(ahead) == "IN" and self.tag(ahead + 1) in WH)

    def due(self) -> bool:
        """Whether "due to" stands here, which is a preposition."""
        return self.word() == "due" and self.word(1) == "to"

    def description_end(self, stop: int) -> int:
        """Where what describes a noun ends: at a comma with a verb after it."""
        commas = (n for n in range(self.at + 1, stop) if self.parts.tags[n] == ",")
        return next((n for n in commas if self.parts.tag(n + 1) in FINITE), stop)

    def joins(self, stop: int) -> bool:
        """Whether another noun phrase is joined to the one before: "and", or a comma in a list."""
        ahead = 0
        while self.tag(ahead) in (",", "CC") and ahead < 2:
            ahead += 1
        place = self.at + ahead
        if not ahead or place >= stop or self.parts.noun_phrase(place) == place:
            return False
        if self.tag() == "," and ahead == 1 and not self._list_goes_on(place, stop):
            return False
        return not self.parts.subject_and_verb(place)

    def _list_goes_on(self, place: int, stop: int) -> bool:
        """Whether a comma is one of a list: "and" or "or" follows, with nothing but short phrases between."""
        while place < stop:
            end = self.parts.with_complements(place)
            if end == place:
                return False
            if self.parts.tag(end) == "CC" or (
                self.parts.tag(end) == "," and self.parts.tag(end + 1) == "CC"
            ):
                return True
            if self.parts.tag(end) != ",":
                return False
            place = end + 1
        return False
