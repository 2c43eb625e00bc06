"""A text with other words in the place of phrases: articles, commas and capitals agree with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, product
from typing import Final

import regex

from redraft.text.inflection import opens_with_vowel
from redraft.text.wording import Hit

_ARTICLE: Final = regex.compile(r"(?i)(?<![\w-])(an?)(\s+)\Z")
_DETERMINER: Final = regex.compile(
    r"(?i)(?<![\w-])(?:an?|the|its|their|his|her|our|my|your|this|that|these|those|of|with|in|by|for|and)\s+\Z"
)
_IS: Final = regex.compile(r"(?i)(?:\b(?:is|are|was|were|be|been)|['’](?:s|re|m))\s+\Z")
_LISTED: Final = regex.compile(
    r"(?i)(?<![\w-])(?:an?|the|its|their|his|her|our|my|your|this|these|those)\s+(?:[\w-]+,?\s+)?[\w-]+,\s+\Z"
)
_WORD: Final = regex.compile(r"\W*?([A-Za-z]+)")
_JOINT: Final = regex.compile(
    r"(?i)(?:\b(?:and|but|because|that|so|or|which|when|if|as|though|although|while|who|yet)|[—–:;(])\s*\Z"
)
_COMMA_AHEAD: Final = regex.compile(r"\s*,\s*")
_BEGINS: Final = regex.compile(r"(?:\A|\n|[.!?…]['\"”’)\]]*\s)[\s\"“‘(*_#>-]*\Z")
_MOST: Final = 12


def reworded(text: str, chosen: Iterable[tuple[Hit, str]]) -> str:
    """The text with each phrase replaced by one of its ways.

    >>> from redraft.text.wording import find_wording
    >>> (hit,) = find_wording("It was an absolute nightmare to park.", ["cliches"])
    >>> reworded("It was an absolute nightmare to park.", [(hit, "hard")])
    'It was hard to park.'
    """
    for hit, new in sorted(chosen, key=lambda one: -one[0].span.start):
        end = hit.span.end
        if not new and text[end - 1] == ",":  # whether it goes too depends on what stands before
            end -= 1
        before, after = text[: hit.span.start], text[end:]
        text = _without(before, after, text[hit.span.start]) if not new else _with(before, new, after)
    return text


def _with(before: str, new: str, after: str) -> str:
    if new.endswith((" a", " an")) or new.lower() in ("a", "an"):
        new = _agreeing(f"{new} ", after).rstrip()
    return _agreeing(before, new) + new + after


def _agreeing(before: str, following: str) -> str:
    """What stands before a word, its article in agreement with it."""
    article, word = _ARTICLE.search(before), _WORD.match(following)
    if article is None or word is None:
        return before
    right = "an" if opens_with_vowel(word[1].lower()) else "a"
    right = right.capitalize() if article[1][0].isupper() else right
    return f"{before[: article.start()]}{right}{article[2]}"


def _without(before: str, after: str, first: str) -> str:
    """What is left where a phrase goes, without the commas that set it apart."""
    comma = _COMMA_AHEAD.match(after)
    if _BEGINS.search(before) or not before.strip():
        rest = after[comma.end() :] if comma else after.lstrip()
        return before + (rest[:1].upper() + rest[1:] if first.isupper() else rest)
    if before.rstrip().endswith(",") and (comma or not after.strip() or after.lstrip()[0] in ".!?;:)"):
        before = before.rstrip()[:-1]
        return before + (" " + after[comma.end() :] if comma else after.lstrip())
    if comma and _JOINT.search(before):
        after = after[comma.end() :]
    elif listed := regex.match(r"(?:,| and| or)\s+(?=\p{Ll})", after):
        after = after[listed.end() :] if _DETERMINER.search(before) or _IS.search(before) else after
    if after[:1] in ".,;:!?)" or not after:
        return before.rstrip() + after
    if _LISTED.search(before) and not comma:  # the last adjective of several
        before = before.rstrip().removesuffix(",") + " "
    after = after.lstrip()
    if (after[0].isdigit() or after[0] in "£$€") and (
        article := _ARTICLE.search(before)
    ):  # "an incredible 99 %"
        return before[: article.start()] + after
    return _agreeing(before if before.endswith(("(", "—")) else before.rstrip() + " ", after) + after


def rewordings(text: str, hits: Sequence[Hit]) -> Iterator[str]:
    """The text without any of the phrases, in the ways that there are, the best first; a dozen at most."""
    ways = [hit.ways for hit in hits if hit.ways]
    open_hits = [hit for hit in hits if hit.ways]
    if not open_hits:
        return
    ranked = sorted(
        islice(product(*(range(len(one)) for one in ways)), 400), key=lambda order: (sum(order), order)
    )
    made = (
        reworded(text, zip(open_hits, (one[at] for one, at in zip(ways, order, strict=True)), strict=True))
        for order in ranked
    )
    yield from islice(dict.fromkeys(made), _MOST)
