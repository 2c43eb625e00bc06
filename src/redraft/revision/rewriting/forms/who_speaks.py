"""Who "I" and "we" are in any text, by its kind.

A report tells of what was done, a book of its author, a shop's terms of the shop. Letters and speeches
have no such name for who speaks, and many texts have none for "we".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

from redraft.revision.rewriting.forms.speakers import Speakers
from redraft.revision.rewriting.voice.voice import SETS
from redraft.text import list_lines

_LETTER: Final = re.compile(
    r"(?im)^[^\w\n]*(?:dear|hi|hello|hey|darling)\b[^.!?\n]{0,40}[,!:]"
    r"|\b(?:my fellow \w+|ladies and gentlemen|mr\.? (?:speaker|president|chairman))\b"
    r"|\b(?:regards|sincerely|faithfully|cheers|love),?[^\S\n]*$"
)
_OURS: Final = r"\b(?:[Oo]ur (?:\w+ )?|We are an? (?:\w+ )?){}\b"
_MEETS: Final = re.compile(
    r"(?s)\b[Ww]e met\b.{0,400}\b(?:discuss|agree|decid|vot|resolv|elect|approv|adjourn)ed\b"
)
"""Those who meet and decide something are a group."""
_OWN_TEXT: Final = re.compile(
    r"\b[Ii]n this (?P<text>essay|paper|report|article|study|thesis|section|chapter),? (?:I|we)\b"
)
_TO_YOU: Final = re.compile(r"\bI(?:['’]\w+)?\b[^.!?]{0,200}\byou\b")
_IMPERSONAL: Final = re.compile(r"(?i)\b(?:impersonal|depersonali[sz]e)")
_DEED: Final = re.compile(
    r"\b[Ww]e (?:\w+ed|have|met|went|found|saw|took|made|built|held|had|were|did|expect|hope|plan"
    r"|await|offer|charge|sell)\b"
)
"""What "we" did once: then they are not people in general."""
_PLACES: Final = re.compile(rf"(?i)\bour (?:\w+ )?(?P<place>{'|'.join(sorted(SETS['own_places']))})\b")
GENERIC: Final = "people"
_ENOUGH: Final = 2
"""So many clues say who speaks; one word alone does not."""
_SPOKEN_CLUE: Final = re.compile(r"(?i)(?:I|we|my|our)\b")
"""A clue that tells of the speaker, and not of somebody else: it is enough by itself."""


class Role(NamedTuple):
    """Who speaks in a kind of text."""

    one: str
    many: str
    passive: bool
    clues: re.Pattern[str]

    def score(self, text: str, instruction: str) -> int:
        """How much says that it is this kind of text."""
        clues = {one.lower() for one in self.clues.findall(text)}
        said = sum(_ENOUGH if _SPOKEN_CLUE.match(one) else 1 for one in clues)
        return said + _ENOUGH * len(self.clues.findall(instruction))


@cache
def _roles() -> tuple[Role, ...]:
    found: list[Role] = []
    for line in list_lines(__package__, "narrators.txt"):
        one, many, way, clues = (part.strip() for part in line.split("|"))
        words = "|".join(re.escape(word).replace(r"\-", r"[ -]") for word in clues.split())
        found.append(Role(one, many, way == "passive", re.compile(rf"(?i)\b(?:{words})\b")))
    return tuple(found)


@dataclass(frozen=True)
class Narrator:
    """Who is named instead of "I" and of "we", and how a text is best told without them."""

    one: str = "the author"
    """Empty where somebody speaks to a reader, whom no author would speak to."""
    many: str = "the team"
    """Empty where nothing says who "we" are."""
    passive: bool = True
    """Whether what "we" did may stand without who did it."""
    alone: bool = True
    """Whether what "I" did may stand so too, and what is "mine" without whose it is."""
    own_text: str = ""
    """What the text calls itself: "the chapter"."""
    letter: bool = False
    """Whether it is a letter or a speech, in which nobody can be named."""

    @classmethod
    def of(cls, sentences: Sequence[str], instruction: str = "", *, third: bool = False) -> Narrator:
        """Who speaks in sentences; the `instruction` may say what kind of text it is.

        >>> Narrator.of(["I wrote this book in prison."]).one
        'the author'
        """
        text = " ".join(sentences)
        if _LETTER.search("\n".join(sentences)):
            return cls(letter=True)
        found = max(_roles(), key=lambda role: role.score(text, instruction))
        score = found.score(text, instruction)
        speaks = re.search(r"\bI\b", text)
        writes = found.many == "the authors" and score and speaks
        is_known = bool(score >= _ENOUGH or writes)
        role = found if is_known else Role(cls.one, "", True, re.compile(""))
        one, many, passive = role.one, role.many, role.passive
        alone = (passive and is_known) or bool(_IMPERSONAL.search(instruction))
        if one == "the author" and re.search(r"(?i)\bauthors?\b", text):
            one = "the writer"
        if not is_known and _TO_YOU.search(text):
            one = ""
        speakers = Speakers.of(sentences)
        if speakers.meets or (speakers.group and re.search(_OURS.format(speakers.group[4:]), text)):
            many, passive = speakers.group, False
        elif place := _PLACES.search(text):
            many = f"the {place['place'].lower()}"
        elif not is_known and _MEETS.search(text):
            many, passive = "the group", False
        elif many == "the authors" and speaks:
            many = "" if passive or _DEED.search(text) else GENERIC
        own_text = f"the {named['text']}" if (named := _OWN_TEXT.search(text)) else ""
        return cls(one, many, passive and not third, alone, own_text)

    def name(self, who: str) -> str:
        """The noun for "i" or for "we"."""
        return self.one if who == "i" else self.many

    def may_be_unnamed(self, who: str) -> bool:
        """Whether what was done may stand without "i", or without "we"."""
        return self.passive and (self.alone or who == "we")

    def is_one(self, who: str) -> bool:
        """Whether a verb in the singular follows that noun."""
        return who == "i" or not (self.many == GENERIC or self.many.endswith("s"))

    def is_person(self, who: str) -> bool:
        """Whether the noun means people one by one, who are not "it"."""
        return who == "i" or not self.is_one(who)

    def again(self, who: str) -> str:
        """The pronoun for whom was just named."""
        return "they" if self.is_person(who) else "it"
