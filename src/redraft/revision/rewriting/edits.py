"""Edits of a sentence that leave it a sentence: spaces, commas, capitals and articles are put right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from redraft.text import PLACEHOLDER, opens_with_vowel, word_sets

_NO_SPACE_BEFORE: Final = tuple(",.;:!?)]}”’…%")
_NO_SPACE_AFTER: Final = tuple("([{“‘")
_LETTER_NAMES: Final = frozenset("AEFHILMNORSX")
_ARTICLE: Final = re.compile(r"\b(an?)(\s+)\Z", re.IGNORECASE)
_FOLLOWING: Final = re.compile(r"[\"“‘'(]*(\w[\w-]*)")
_SEAM: Final = "\0"
_DANGLING: Final = re.compile(
    r"(?i)\b(?:a|an|the|of|and|or|but|nor|with|from|into|because|although|if|than|that|which|who|whose|my|our"
    r"|your|their|very|as|to|for|at|be|is|are|was|were)[\"”’']?[.!?…]+[\"”’')\]]*\Z"
)
_DOUBLED: Final = re.compile(r"(?i)\b(\w+)\s+\1\b")
_BROKEN: Final = re.compile(r",\s*[,.;:!?]|[;:]\s*[,.;:]|\A\W*[,;:]|[(\[]\s*[,;]|\(\s*\)|\s,|  +[.,]")
_BRACKETS: Final = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


class Edit(NamedTuple):
    """A stretch of a text, and what stands there instead."""

    start: int
    end: int
    new: str


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap, its seams mended."""
    done, position = "", 0
    for edit in sorted(edits):
        left = done + text[position : edit.start]
        if edit.new:
            opens = edit.start == _first_letter(text) and text[edit.start].isupper()
            done = _with_article(left, edit.new) + (_capital(edit.new) if opens else edit.new)
        else:
            done = left.rstrip(" ") + _SEAM
        position = edit.end
    return _recapitalised(text, _mended(done + text[position:]))


def _mended(text: str) -> str:
    while _SEAM in text:
        text = _joined(*text.split(_SEAM, 1))
    return text


def _joined(left: str, right: str) -> str:
    """Two ends joined where something was cut."""
    gap = right[: len(right) - len(right.lstrip())]
    left, right = left.rstrip(), right.lstrip()
    if not left:
        return right.lstrip(",;: ")
    if left.endswith((",", ";", ":", "–", "—")) and right.startswith((",", ".", ";", ":", "!", "?", ")")):
        left = left[:-1].rstrip()
    if left.endswith(_NO_SPACE_AFTER):
        return left + right.lstrip(", ")
    if right.startswith(_NO_SPACE_BEFORE) or (right[:1] in ('"', "'", _SEAM) and not right[1:2].isalnum()):
        return left + right
    gap = "\n" if "\n" in gap else " "
    return _with_article(left + gap, right) + right


def _with_article(left: str, right: str) -> str:
    """What stands before a word, a last "a" or "an" fitted to it."""
    found = _ARTICLE.search(left)
    following = _FOLLOWING.match(right)
    if not found or not following:
        return left
    wanted = "an" if takes_an(following[1]) else "a"
    if found[1].lower() == wanted:
        return left
    return left[: found.start(1)] + (wanted.capitalize() if found[1][0].isupper() else wanted) + found[2]


def takes_an(word: str) -> bool:
    """Whether the article before a word is "an"."""
    if word[0].isdigit():
        return word[0] == "8" or re.match(r"(?:11|18)(?:\D|\Z|\d{3}\b)", word) is not None
    if len(word) > 1 and word.isupper():
        return word[0] in _LETTER_NAMES
    return opens_with_vowel(word.lower())


def _first_letter(text: str) -> int:
    return next((index for index, letter in enumerate(text) if letter.isalnum()), 0)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _recapitalised(text: str, after: str) -> str:
    """A capital at the start, where the sentence had one."""
    start = _first_letter(after)
    if text[_first_letter(text) : _first_letter(text) + 1].isupper() and not after[:start].endswith(
        ("[[", "@", "#")
    ):
        return after[:start] + _capital(after[start:])
    return after


def uncapital(text: str, tag: str) -> str:
    """The first word in small letters, as it stands within a sentence; names and "I" keep their capital."""
    first = re.match(r"[\w'’-]+", text)
    if tag in ("NNP", "NNPS") or not first or first[0] in ("I", "I'm", "I've", "I'll", "I'd"):
        return text
    if len(first[0]) > 1 and not first[0][1:].islower():
        return text
    return text[:1].lower() + text[1:]


def sound(before: str, after: str) -> bool:
    """Whether a version is still a sentence with every placeholder in its place."""
    if PLACEHOLDER.findall(before) != PLACEHOLDER.findall(after) or not after.strip():
        return False
    if _ending(before) != _ending(after) or before[:1].isspace() != after[:1].isspace():
        return False
    for opening, closing in _BRACKETS:
        if before.count(opening) - before.count(closing) != after.count(opening) - after.count(closing):
            return False
    if (before.count('"') - after.count('"')) % 2:
        return False
    return not any(_new(pattern, before, after) for pattern in (_BROKEN, _DOUBLED, _DANGLING))


def _ending(text: str) -> str:
    found = re.search(r"[^\w\s)\]\"”’'%]*[)\]\"”’']*\s*\Z", text)
    return found[0] if found else ""


def _new(pattern: re.Pattern[str], before: str, after: str) -> bool:
    return len(pattern.findall(after)) > len(pattern.findall(before))


SETS: Final = word_sets(__package__)
"""Sets of words by their names in data/sets.txt."""
