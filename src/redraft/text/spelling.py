"""British and American spelling: which words of a text are spelt the other way, and how they should be.

The words stand in `data/spelling.txt`. Names, quotations, links and code are left as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from redraft.text.borrowed import borrowed_spans
from redraft.text.tagging import Tagged, tagged
from redraft.text.word_lists import list_lines, word_sets
from redraft.text.words import Span

Variant = Literal["british", "american", "oxford"]
"""Oxford spelling is British with "-ize"."""

_SETS: Final = word_sets(__package__, "conventions.txt")
_WORD: Final = re.compile(r"(?<![\w@#/\\.])[^\W\d_]{3,}(?![\w@/\\]|\.\w)")
_PREFIX: Final = re.compile(rf"(?:{'|'.join(sorted(_SETS['prefixes']))})(?=\w{{6}})")
_FIXED: Final = re.compile(r"\brigor mortis\b")


MISSPELT: Final = {
    word: tuple(sorted(wrong)) for word, wrong in word_sets(__package__, "misspellings.txt").items()
}
"""Words with the ways they are often misspelt."""


class Respelling(NamedTuple):
    """A word that is spelt otherwise, where it stands, and how it should be."""

    span: Span
    word: str
    right: str


class _Entry(NamedTuple):
    right: str
    condition: str


@lru_cache(maxsize=4096)
def respellings(sentence: str, variant: Variant) -> tuple[Respelling, ...]:
    """The words of a sentence that a variant spells otherwise.

    >>> [(one.word, one.right) for one in respellings("Their favourite theatre is gray.", "american")]
    [('favourite', 'favorite'), ('theatre', 'theater')]
    """
    entries = _entries(variant)
    found: list[Respelling] = []
    tags: list[Tagged] = []
    opens = True
    others = borrowed_spans(sentence)
    others += [Span(*match.span()) for match in _FIXED.finditer(sentence)]
    shouted = sentence.isupper()
    for match in _WORD.finditer(sentence):
        word, is_first, opens = match[0], opens, False
        entry = _looked_up(entries, word.lower())
        if entry is None or any(one.start <= match.start() < one.end for one in others):
            continue
        if not shouted and word[0].isupper() and (not is_first or _is_name(sentence, match.end())):
            continue
        if entry.condition:
            tags = tags or tagged(sentence)
            if not _CONDITIONS[entry.condition](tags, match.start()):
                continue
        found.append(Respelling(Span(*match.span()), word, _cased(word, entry.right)))
    return tuple(found)


def _is_name(sentence: str, end: int) -> bool:
    """Whether a capitalised word goes on, so that the first one is of the name too: "Harbor Freight"."""
    return re.match(r"[ -](?!I\b)[A-Z]", sentence[end : end + 3]) is not None


def _cased(word: str, right: str) -> str:
    if word.isupper():
        return right.upper()
    return right[0].upper() + right[1:] if word[0].isupper() else right


def _looked_up(entries: dict[str, _Entry], word: str) -> _Entry | None:
    if word in entries:
        return entries[word]
    prefix = _PREFIX.match(word)
    entry = entries.get(word[prefix.end() :]) if prefix else None
    if prefix is None or entry is None or entry.condition:
        return None
    return _Entry(prefix[0] + entry.right, "")


@cache
def _entries(variant: Variant) -> dict[str, _Entry]:
    """What a variant does not write, and what it writes instead."""
    found: dict[str, _Entry] = {}
    for british, american, section in spelling_pairs():
        if variant == "american" or (variant == "oxford" and "oxford" in section):
            wrong, right, condition = british, american, section.get("to american", "")
        else:
            wrong, right, condition = american, british, section.get("to british", "")
        if condition != "never":
            found.setdefault(wrong, _Entry(right, condition))
    return found


def spelling_pairs() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Every word in its British and its American form, with what its section says."""
    for section in _sections():
        endings = list(zip(section["british"].split(), section["american"].split(), strict=True))
        for stem in section["words"].split():
            for british, american in endings:
                own = stem.replace("-", "")
                yield own + british, own + american, section


def _sections() -> Iterator[dict[str, str]]:
    section: dict[str, str] = {}
    key = ""
    for line in list_lines(__package__, "spelling.txt"):
        if line.startswith("["):
            if section:
                yield section
            section = {}
        elif line.startswith(" "):
            section[key] += line
        else:
            key, _, section[key] = line.partition(": ")
    yield section


def _at(tags: Sequence[Tagged], start: int) -> tuple[Tagged | None, Tagged | None]:
    """The word at a place, and the one before it."""
    place = next((at for at, word in enumerate(tags) if word.start <= start < word.end), None)
    if place is None:
        return None, None
    return tags[place], tags[place - 1] if place else None


def _is_noun(tags: Sequence[Tagged], start: int) -> bool:
    word, before = _at(tags, start)
    return bool(word and before and word.tag in ("NN", "NNS") and before.tag in _BEFORE_NOUN)


def _is_verb(tags: Sequence[Tagged], start: int) -> bool:
    word, before = _at(tags, start)
    if word is None or before is None or not word.tag.startswith("VB"):
        return False
    return before.tag in (*_BEFORE_VERB, *_SUBJECT) if word.tag == "VBZ" else before.tag in _BEFORE_VERB


def _is_unit(tags: Sequence[Tagged], start: int) -> bool:
    _, before = _at(tags, start)
    return before is not None and (before.tag == "CD" or before.text.lower() in _SETS["measured"])


def _is_show(tags: Sequence[Tagged], start: int) -> bool:
    word, _ = _at(tags, start)
    computing = any(one.text.lower() in _SETS["computing"] for one in tags)
    return word is not None and word.tag in ("NN", "NNS") and not computing


_BEFORE_NOUN: Final = ("DT", "PRP$", "JJ", "NN", "POS", "CD", "VBG")
_BEFORE_VERB: Final = ("TO", "MD", "PRP", "RB")
_SUBJECT: Final = ("NN", "NNP")
_CONDITIONS: Final = {"noun": _is_noun, "verb": _is_verb, "unit": _is_unit, "show": _is_show}
"""How a word must be used to be changed, by the names in the list."""
