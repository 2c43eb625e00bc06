"""Whether a listed phrase is the part of speech that its list means: "a request" is not "to request"."""

from __future__ import annotations

from typing import Final

import regex

from redraft.text.syntax import FINITE, Syntax, analyse_syntax

PARTS: Final = {"{adj}": "attributive", "{a}": "adjective", "{n}": "noun", "{r}": "adverb"}
"""What the end of a phrase may say of the part of speech that is meant."""
_BEFORE_NOUN: Final = ("NN", "JJ", "VBG", "VBN", "CD")
_OBJECT: Final = ("DT", "PRP", "CD", "NNP", "IN", "TO", "JJ", "RP", "NNS")
_DETERMINERS: Final = ("DT", "PRP$", "JJ", "POS", "CD")
_DEGREE: Final = frozenset(["very", "so", "how", "more", "as", "too", "less", "quite", "rather", "really"])


def is_part(text: str, match: regex.Match[str], part: str) -> bool:
    """Whether what was found is the part of speech that the list means; a verb by its slot."""
    if part == "attributive":
        return _is_attributive(text, match)
    read = analyse_syntax(text)
    if part == "verb":
        return _is_verb(read, _index(read, match.start("verb")))
    if part == "noun":
        return read.tag(_last(read, match.end())).startswith("NN")
    return read.tag(_index(read, match.start())) not in ("VB", "VBP", "VBZ", "NNS")


def verb_form(text: str, start: int) -> str:
    """The tag of a verb as the sentence has it; a participle only beside another verb that has a subject."""
    read = analyse_syntax(text)
    at = _index(read, start)
    start = max((place for place in range(at) if read.tags[place] in (":", ",", "CC")), default=0)
    others = read.tags[start:at]
    return "VBN" if read.tag(at) == "VBN" and any(tag in FINITE for tag in others) else ""


def is_before_noun(text: str, start: int, end: int, *, bare: bool = False) -> bool:
    """Whether it describes the noun behind it: "the requested form"; `bare`, without an article too."""
    read = analyse_syntax(text)
    dressed = bare or read.tag(_index(read, start) - 1).startswith(_DETERMINERS)
    return dressed and read.tag(_last(read, end) + 1).startswith("NN")


def _index(read: Syntax, start: int) -> int:
    """The word that begins at a place, or holds it."""
    return next((at for at, one in enumerate(read.words) if one.end > start), len(read.words))


def _last(read: Syntax, end: int) -> int:
    return max((at for at, one in enumerate(read.words) if one.start < end), default=0)


def _is_verb(read: Syntax, at: int) -> bool:
    """Whether a form that may be a noun as well is a verb here."""
    tag = read.tag(at)
    if at == 0 and tag in ("VBN", "VBD", "JJ") and read.tag(1).startswith("NN"):
        return False  # "Devastated owners"
    if tag.startswith(("VB", "MD")):
        before = read.tag(at - 1) if at else ""
        is_base = tag in ("VB", "VBP", "VBZ")
        let_us = at > 1 and read.low[at - 2] == "let"
        return let_us or not (is_base and before in ("DT", "PRP$", "POS"))
    if tag.startswith("JJ") and read.low[at].endswith(("ed", "ing", "en", "t")):
        return True
    if at == 0 or read.tag(at - 1) in (".", ":", "``"):
        return read.tag(at + 1).startswith(_OBJECT)
    after = read.tag(at + 1)
    if read.word(at - 1) in ("gonna", "wanna", "gotta") or (
        tag == "NNS"
        and read.tag(at - 1) in ("NN", "NNP", "CC")
        and after.startswith(("DT", "PRP", "IN", "NNS", "CD", "JJ"))
    ):
        return True
    return not read.tag(at - 1).startswith((*_DETERMINERS, "IN", "NN", "CC")) or (
        read.word(at - 1) in ("and", "or") and read.tag(at + 1).startswith(("DT", "PRP"))
    )


def _is_attributive(text: str, match: regex.Match[str]) -> bool:
    """Whether it stands before the noun that it describes, and nothing says to what degree."""
    words = analyse_syntax(text).words
    before = next((one for one in reversed(words) if one.end <= match.start()), None)
    if before is not None and before.text.lower() in _DEGREE:
        return False
    rest = [one for one in words if one.start >= match.end()]
    while len(rest) > 1 and (rest[0].text in (",", "and", "or")):
        rest = rest[1:]
        if not rest[0].tag.startswith("JJ"):
            return False
    if not rest or text[match.end() : match.end() + 1] == ".":
        return False
    is_noun = rest[0].tag == "VBZ" and len(rest) > 1 and rest[1].tag in FINITE  # "the drivers left"
    return is_noun or rest[0].tag.startswith(_BEFORE_NOUN)
