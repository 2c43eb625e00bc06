"""Headings in title case, as Chicago has it, and in sentence case; names and acronyms stay.

Where the usual styles differ ("with", a word behind a colon), either way is right.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal, NamedTuple

from redraft.text.document import Document
from redraft.text.entities import (
    FIRST_NAMES,
    NO_NAMES,
    ORGANISATION_WORDS,
    ORGANISATIONS,
    PEOPLES,
    PLACE_WORDS,
    PLACES,
    PRODUCTS,
    TITLES,
    TOWNS,
)
from redraft.text.levels import is_in_dictionary
from redraft.text.structure import find_headings
from redraft.text.tagging import tagged
from redraft.text.word_lists import word_sets
from redraft.text.words import Span

HeadingStyle = Literal["title", "sentence"]
_SETS: Final = word_sets(__package__, "conventions.txt")
_SMALL: Final = _SETS["small_in_titles"]
_EITHER: Final = _SETS["either_in_titles"]
_PREFIXES: Final = _SETS["prefixes"] - {"self"} | {
    "e",
    "cyber",
    "pro",
    "quasi",
    "pseudo",
    "neo",
    "ultra",
    "micro",
    "macro",
}
_NAMES: Final = PLACES | FIRST_NAMES | ORGANISATIONS | NO_NAMES | TOWNS
_PHRASES: Final = tuple(name for name in PLACES | ORGANISATIONS | TOWNS | PRODUCTS if " " in name)
_PERSONS: Final = _SETS["before_persons"]
_PARTS_OF_NAMES: Final = ORGANISATION_WORDS | PLACE_WORDS | TITLES

_CHUNK: Final = re.compile(r"\S+")
_CORE: Final = re.compile(r"(?<!\w)[^\W\d_](?:[\w’'&./+#@\\-]*[\w+#])?")
_FIXED: Final = re.compile(r"[^\W_]*(?:[\d_\\@#+.&]).*|[^aeiouyAEIOUY]{2,}")
"""Codes and file names, "U.S.", "npm": no word that has a case of its own."""
_NEW: Final = re.compile(r"[:.?!–—]\s*\Z|(?:^|\s)[-–—]\s*\Z")
_LOG_IN: Final = re.compile(r"(?:log|sign|opt|plug|zoom|check)(?:s|ged|ging|ning|ing|ed|ted|ting)? \Z")
_ENDED: Final = re.compile(r"[.!?:;,…][\"'”’)]*\s*\Z")
_HEADING_WORDS: Final = 9
_LOOK_AFTER: Final = re.compile(r"look(?:s|ed|ing)? \Z")
_WATERS: Final = re.compile(r"(?i)\b(?:isles?|gulf|straits?) of \Z")
_LETTERED: Final = re.compile(
    r"(?i)\b(?:vitamin|plan|grade|type|hepatitis|appendix|exhibit|part|class|group|option|annex) \Z"
)


class Recasing(NamedTuple):
    """A sentence of a heading whose case is otherwise, where it stands, and how it should be."""

    span: Span
    right: str


@dataclass(frozen=True, slots=True)
class _Known:
    """The words that the running text has inside of its sentences: with capitals, and without."""

    capitals: frozenset[str]
    small: frozenset[str]

    def is_name(self, word: str) -> bool:
        """Whether the text has the word with a capital only."""
        return word in self.capitals and word.lower() not in self.small

    def named(self, word: str) -> str | None:
        """How the text writes a word that it has with a capital only."""
        if word.lower() in self.small:
            return None
        found = sorted(one for one in self.capitals if one.lower() == word.lower())
        return found[0] if len(found) == 1 else None


@lru_cache(maxsize=64)
def recasings(document: Document, case: HeadingStyle) -> tuple[Recasing, ...]:
    """The sentences of headings that a case writes otherwise.

    >>> recasings(Document("# to the sea\\n\\nWe went.", "markdown"), "title")[0].right
    'To the Sea'
    """
    paragraphs = {heading.sentence.paragraph for heading in find_headings(document)} or _small_lines(document)
    own = (one for one in document.sentences if one.paragraph in paragraphs)
    headings = [tuple(group) for _, group in groupby(own, key=lambda one: one.paragraph)]
    known = _known(document, {sentence.start for heading in headings for sentence in heading})
    found: list[Recasing] = []
    for heading in headings:
        for sentence in heading:
            view = document.view[sentence.start : sentence.end]
            cased = recase(view, case, known, is_last=sentence is heading[-1])
            right = "".join(
                new if old.lower() == new.lower() and old == own else own
                for own, old, new in zip(sentence.text, view, cased, strict=True)
            )
            if right != sentence.text:
                found.append(Recasing(Span(sentence.start, sentence.end), right))
    return tuple(found)


def _small_lines(document: Document) -> set[int]:
    """The paragraphs of a text without headings that are lines in small letters, each ahead of prose."""
    if document.format != "text":
        return set()
    groups = [list(group) for _, group in groupby(document.sentences, key=lambda one: one.paragraph)]
    small = [
        len(group) == 1 and group[0].text[0].islower() and not _ENDED.search(group[0].text)
        for group in groups
    ]
    prose = [group[0].text[0].isupper() and bool(_ENDED.search(group[-1].text)) for group in groups]
    wanted = [place % 2 == 0 for place in range(len(groups))]
    if len(groups) < 4 or small != wanted or any(one is two for one, two in zip(small, prose, strict=True)):
        return set()
    return {group[0].paragraph for group in groups[::2] if len(group[0].text.split()) <= _HEADING_WORDS}


def _known(document: Document, headings: set[int]) -> _Known:
    inside = [
        word[0]
        for sentence in document.sentences
        if sentence.start not in headings
        for word in list(_CORE.finditer(document.view[sentence.start : sentence.end]))[1:]
    ]
    return _Known(
        frozenset(word for word in inside if any(map(str.isupper, word))),
        frozenset(word for word in inside if word.islower()),
    )


def recase(heading: str, case: HeadingStyle, known: _Known | None = None, *, is_last: bool = True) -> str:
    """A heading in a case, character for character.

    >>> recase("state-of-the-art methods for dna and how they fit in", "title")
    'State-of-the-Art Methods for Dna and How They Fit In'
    """
    known = known or _Known(frozenset(), frozenset())
    shouted = _is_shouted(heading)
    written = _unshouted(heading, known) if shouted else heading
    words = [core for chunk in _CHUNK.finditer(written) for core in _CORE.finditer(written, *chunk.span())]
    kept = _named_places(written)
    tags = {word.start: word.tag for word in tagged(written.lower())}
    cased = list(written)
    before = ""
    for at, word in enumerate(words):
        start, end = word.span()
        opens = at == 0 or (_NEW.search(written[words[at - 1].end() : start]) is not None)
        if start in kept:
            cased[start : start + len(kept[start])] = kept[start]
            before = kept[start]
            continue
        if _is_fixed(word[0], written[:start]):
            before = ""
            continue
        if case == "title":
            closes = is_last and at == len(words) - 1
            edge = _is_stressed(word[0], tags.get(start, ""), written[:start])
            new = _in_title(word[0], opens=opens, closes=closes, stressed=edge)
            new = known.named(word[0]) or new
        else:
            gap = written[words[at - 1].end() : start].strip() if at else ""
            if at == 0 or (opens and gap.startswith((".", "?", "!"))):
                new = _opening(word[0], known)
            elif opens:
                new = word[0]  # behind a colon either way is right
            elif _is_of_name(word[0], written[:start], before, [one[0] for one in words[at + 1 : at + 4]]):
                new = word[0]
            else:
                new = "-".join(_plain(part, known) for part in word[0].split("-"))
        before = new if new[:1].isupper() and at else ""
        if len(new) == len(word[0]):  # "ß" has two capitals
            cased[start:end] = new
    return "".join(cased)


def _is_shouted(heading: str) -> bool:
    words = [word[0] for word in _CORE.finditer(heading) if len(word[0]) > 1]
    if not heading.isupper() or not any(len(word) > 3 and is_in_dictionary(word) for word in words):
        return False
    return len(words) > 1 or len(words[0]) > 6


def _unshouted(heading: str, known: _Known) -> str:
    def put(word: re.Match[str]) -> str:
        own = word[0]
        if own in known.capitals or _FIXED.fullmatch(own) or own in NO_NAMES:
            return own
        name = known.named(own) or next((one for one in (own.capitalize(),) if one in _NAMES), None)
        if name:
            return name
        return own.lower() if is_in_dictionary(own) or len(own) > 5 else own

    return _CORE.sub(put, heading)


def _named_places(heading: str) -> dict[int, str]:
    """Where the words of a name stand that has several, and how they are written."""
    found: dict[int, str] = {}
    low = heading.lower()
    for name in _PHRASES:
        at = low.find(name.lower())
        if at >= 0 and not (low[at - 1 : at].isalnum() or low[at + len(name) : at + len(name) + 1].isalnum()):
            for word in _CORE.finditer(name):
                found[at + word.start()] = word[0]
    return found


def _is_stressed(word: str, tag: str, before: str) -> bool:
    """Whether a small word is of a verb, or one itself: "Setting Up a Server", "What We Like"."""
    if tag == "RP" or (word.lower() == "in" and _LOG_IN.search(before.lower())):
        return True
    if word.lower() == "after" and _LOOK_AFTER.search(before.lower()):
        return True
    return word.lower() in _EITHER and tag[:2] in ("VB", "JJ", "NN")


def _is_fixed(word: str, before: str) -> bool:
    if _FIXED.fullmatch(word) or (
        any(map(str.isupper, word[1:].replace("-", ""))) and not _is_compound(word)
    ):
        return True
    return len(word) == 1 and word.isupper() and (word != "A" or bool(_LETTERED.search(before)))


def _is_compound(word: str) -> bool:
    """Whether the capitals within a word only begin its parts: "Self-Report"."""
    return "-" in word and not any(map(str.isupper, "".join(part[1:] for part in word.split("-"))))


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]


def _small(word: str) -> str:
    return word[:1].lower() + word[1:]


def _in_title(word: str, *, opens: bool, closes: bool, stressed: bool) -> str:
    if "/" in word:
        return _capital(word) if opens else word
    first, *rest = word.split("-")
    edge = opens or (closes and not rest) or stressed
    parts = [_title_word(first, edge=edge)]
    for at, part in enumerate(rest):
        if first.lower() in _PREFIXES and at == 0:
            parts.append(part)
        else:
            parts.append(_title_word(part, edge=closes and at == len(rest) - 1))
    return "-".join(parts)


def _title_word(word: str, *, edge: bool) -> str:
    if edge or not word:
        return _capital(word)
    if word.lower() in _SMALL:
        return _small(word)
    return word if word.lower() in _EITHER else _capital(word)


def _opening(word: str, known: _Known) -> str:
    first, *rest = word.split("-")
    return "-".join([_capital(first), *(_plain(part, known) for part in rest)])


def _is_of_name(word: str, written: str, before: str, behind: list[str]) -> bool:
    """Whether a word with a capital is part of the name that a word beside it begins or ends."""
    if not word[:1].isupper() or word.lower() in _SMALL:
        return False
    if _WATERS.search(written) or (behind[:1] in (["of"], ["Of"]) and _WATERS.match(f"{word} of ")):
        return True  # "the Isle of Arran"
    if before in FIRST_NAMES or before in _PERSONS:
        return True
    following = next((one for one in behind if one not in ("of", "Of", "the", "The")), "")
    if word in _PERSONS and following[:1].isupper():
        return tagged(following.lower())[0].tag in ("NN", "NNP", "JJ", "FW")
    return word in _PARTS_OF_NAMES and (before in _NAMES or following in _NAMES)


def _plain(word: str, known: _Known) -> str:
    """A word without a capital, unless it is a name: as the text has it, as lists have it, or if unknown."""
    if word.lower() == "i":
        return "I"
    if name := known.named(word):
        return name
    if word.lower() in known.small:
        return _small(word)
    if word.capitalize() in _NAMES or word.capitalize() in PEOPLES:
        return word if is_in_dictionary(word) else _capital(word)
    return _small(word) if is_in_dictionary(word) or word.lower() in _SMALL | _EITHER else word
