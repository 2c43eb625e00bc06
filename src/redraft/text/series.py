"""Series of three or more short items ("apples, pears and plums"), and the serial comma in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.text.borrowed import borrowed_spans
from redraft.text.tagging import Tagged, tagged
from redraft.text.word_lists import word_sets
from redraft.text.words import Span

_LETTERS: Final = {
    "DT": "d", "PDT": "d", "PRP$": "d", "CD": "c", "JJ": "j", "JJR": "j", "JJS": "j", "NN": "n", "NNS": "n",
    "NNP": "p", "NNPS": "p", "VBG": "g", "VBD": "e", "VBN": "q", "VB": "b", "VBP": "f", "VBZ": "z", "MD": "m",
    "RB": "r", "IN": "i", "TO": "t", "WRB": "w", "POS": "'", "PRP": "x", ",": ",", ":": ";", "-LRB-": ";",
    "--": ";", ".": ";", "``": ";", "''": ";", "-RRB-": ";",
}  # fmt: skip
"""A letter for each tag, so that a sentence is a string of them; "&" is "and", "or" or "nor", "o" is "of"."""
_PLACED: Final = r"[it]d?c?j{0,2}[np]{1,3}"
_DONE: Final = r"(?:,r?(?:[ebfzq][^,&;]{0,5}|n[^,&;efzmb]{0,4}))+(?P<comma>,?)(?P<joint>&)"
"""Verbs behind a first one, of which the tagger may be unsure, and the joint before the last."""
_NOUNS: Final = r"d?c?(?:r?j|g|q){0,4}[np]{1,5}(?:'[jnp]{1,4})?(?:od?j{0,3}[np]{1,4})?"
_SERIES: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_NOUNS}(?:,{_NOUNS})+(?P<comma>,?)(?P<joint>&){_NOUNS}",
        r"r?j(?:,r?j)+(?P<comma>,?)(?P<joint>&)r?j",
        # Single words, of which the tagger is not sure what they are.
        *(rf"[{kinds}](?:,[{kinds}])+(?P<comma>,?)(?P<joint>&)[{kinds}]" for kinds in ("bfn", "jn")),
        *(
            rf"{verb}[^,&;]{{0,5}}(?:,r?{verb}[^,&;]{{0,5}})+(?P<comma>,?)(?P<joint>&)r?{verb}"
            for verb in "ebfzg"
        ),
        rf"[efz][^,&;]{{0,5}}{_DONE}[ebfzq]",
        rf"q[^,&;]{{0,5}}{_DONE}[eqb]",
        # Things to do, told from the first word on.
        r"\A[bpfn][^,&;]{1,6}(?:,[bfn][^,&;]{1,6})+(?P<comma>,?)(?P<joint>&)[bf]",
        rf"{_PLACED}(?:,(?:{_PLACED}|r|n))+(?P<comma>,?)(?P<joint>&){_PLACED}",
        r"c(?:,c)+(?P<comma>,?)(?P<joint>&)c",
        r"[uw][xnpd][^,&;]{1,5}(?:,w[^,&;]{2,6})+(?P<comma>,?)(?P<joint>&)[wi]",
    )
)
_GOES_ON: Final = re.compile(rf",&?{_NOUNS}")
_INTRODUCES: Final = "irtgqw"
"""How a phrase begins that stands before the clause: "In my view, cats and dogs …"."""
_FINITE: Final = "efzm"
_TIMES: Final = word_sets(__package__, "conventions.txt")["times"]


class Series(NamedTuple):
    """A series: the word before its "and", the "and", and the comma between them where there is one."""

    last: Span
    joint: Span
    comma: Span | None


@lru_cache(maxsize=4096)
def find_series(sentence: str) -> tuple[Series, ...]:
    """The series of a sentence that are surely one.

    >>> [one.comma for one in find_series("We sell apples, pears and plums.")]
    [None]
    """
    words = tagged(sentence)
    letters = "".join(map(_letter, words))
    if "&" not in letters or "," not in letters:
        return ()
    others = borrowed_spans(sentence)
    found: dict[int, Series] = {}
    for match in _matches(letters):
        joint = words[match.start("joint")]
        if not _is_series(words, letters, match) or any(one.start <= joint.start < one.end for one in others):
            continue
        comma = words[match.start("comma")] if match["comma"] else None
        last = words[match.start("comma") - 1]
        found.setdefault(
            joint.start,
            Series(
                Span(last.start, last.end),
                Span(joint.start, joint.end),
                Span(comma.start, comma.end) if comma else None,
            ),
        )
    return tuple(found[place] for place in sorted(found))


def _letter(word: Tagged) -> str:
    if word.text.lower() in ("and", "or", "nor"):
        return "&"
    return "o" if word.text.lower() == "of" else _LETTERS.get(word.tag, "u")


def _matches(letters: str) -> Iterator[re.Match[str]]:
    for pattern in _SERIES:
        yield from pattern.finditer(letters)


def _is_series(words: Sequence[Tagged], letters: str, match: re.Match[str]) -> bool:
    """Whether it is neither a phrase and a pair behind it, nor an apposition, nor two clauses."""
    start = max(letters.rfind(mark, 0, match.start()) for mark in ",;") + 1
    items = re.split("[,&]", match[0].replace(",&", "&"))
    first_end = match.start() + len(items[0])
    if len(items) == 3:
        if _is_introduced(letters, start, match):
            return False
        if words[first_end - 1].text.lower() in _TIMES:
            return False
    # The first word of a sentence has a capital in any case, and "the Forum" is a thing among things.
    named = items[1:] if match.start() == 0 and items[0].startswith("p") else items
    are_things = all(item.startswith("d") for item in items)
    if match.re is _SERIES[0] and not are_things and len({_is_proper(item) for item in named}) > 1:
        return False
    if match.re.pattern.endswith((f"{_DONE}[ebfzq]", f"{_DONE}[eqb]")) and _is_in_relative(
        words, start, match
    ):
        return False
    if _GOES_ON.match(letters, match.end()):
        return False  # "the pairs, the share and its range, the score": a pair among the items
    behind = letters[match.end() : match.end() + 1]
    goes_on = bool(behind) and behind in _FINITE
    return not (goes_on and any(letter in _FINITE for letter in letters[: match.start()]))


def _is_in_relative(words: Sequence[Tagged], start: int, match: re.Match[str]) -> bool:
    """Whether its first verb is that of a clause in the subject: "what he suggests, is taken or left"."""
    ahead = words[start : match.start()]
    return any(word.tag in ("WP", "WDT", "WRB") or word.text.lower() == "that" for word in ahead)


def _is_introduced(letters: str, start: int, match: re.Match[str]) -> bool:
    """Whether its first item belongs to a phrase ahead of the clause, and no clause is ahead of that."""
    if start == match.start() or letters[start] not in _INTRODUCES:
        return False
    behind = letters[match.end() : match.end() + 1]
    told = any(letter in _FINITE for letter in letters[:start])
    return not told or (bool(behind) and behind in _FINITE)


def _is_proper(item: str) -> bool:
    return "p" in item and "n" not in item
