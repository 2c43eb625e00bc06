"""Where a long paragraph is divided: between two sentences, in balance, and best where the subject turns."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from redraft.text.document import BLANK_LINE, Document, Sentence
from redraft.text.structure import find_headings, find_items
from redraft.text.word_lists import wordings
from redraft.text.words import spellings

_WORDINGS: Final = wordings(__package__, "divisions.txt")
POINTS_BACK: Final = re.compile(rf"(?:{_WORDINGS['points_back']})\b")
"""How a sentence opens that may speak of what stood before it."""
_GOES_ON: Final = re.compile(rf"(?:{_WORDINGS['goes_on']})\b")
_TURNS: Final = re.compile(rf"(?:{_WORDINGS['turns']})\b")
_PAIRS: Final = ("“”", '"', "()", "«»", "「」", "『』", "（）")
_QUOTED_LINE: Final = re.compile(r"[^\S\n]*>")

LONG: Final = 75
"""Words of a paragraph that nobody has to call long, and more."""
_SHORT: Final = 30
"""Words of a paragraph that nobody divides."""
_SHARE: Final = 2 / 3
"""Where no paragraph is long by itself, those are that have so much of the longest."""
_AIM: Final = 60
"""Words that a part of a long paragraph should have."""
_FEW: Final = 3
"""Sentences that a paragraph has at least that is divided though it is not long by itself."""
_LEAST: Final = 0.15
"""The share of the words that stands on either side at least, where another place will do."""
_TURN: Final = 0.15
_COMMON: Final = 0.3
_STEM: Final = 5


class Block(NamedTuple):
    """The sentences of a paragraph of running text, their words, and before which it may be divided."""

    sentences: tuple[Sentence, ...]
    words: tuple[int, ...]
    places: frozenset[int]

    @property
    def size(self) -> int:
        """Its words."""
        return sum(self.words)


def running_blocks(document: Document) -> Iterator[Block]:
    """The paragraphs of running text: no lists, tables, headings, greetings and signatures."""
    headings = {one.sentence.number for one in find_headings(document)}
    fixed = find_items(document)
    words = document.word_counts
    for _, group in groupby(document.sentences, key=lambda one: one.paragraph):
        own = tuple(one for one in group if not one.aside and one.number not in headings)
        if own and not any(span.start < own[-1].end and own[0].start < span.end for span in fixed):
            places = frozenset(place for place in range(1, len(own)) if _may_part(document, own, place))
            yield Block(own, tuple(words[one.number - 1] for one in own), places)


def long_blocks(document: Document, limit: int) -> list[Block]:
    """Those that have more words than a limit, and can be divided."""
    return [
        block
        for block in running_blocks(document)
        if block.places and block.size > limit and (len(block.sentences) >= _FEW or block.size > LONG)
    ]


def stiff_blocks(document: Document) -> list[Block]:
    """Those that are long by themselves, and cannot be divided: one sentence, or one quotation."""
    return [block for block in running_blocks(document) if not block.places and block.size > LONG]


def long_limit(document: Document) -> int:
    """The words from which on a paragraph of a text is long, beside the others if not by itself."""
    sizes = [block.size for block in running_blocks(document) if block.places]
    return max(_SHORT, min(LONG, round(_SHARE * max(sizes, default=0))))


def divided(document: Document, numbers: Sequence[int] | None = None) -> str:
    """The text with its long paragraphs divided; with numbers, those that hold these sentences, in two."""
    limit = long_limit(document)
    if numbers is not None:
        named = [
            one for one in running_blocks(document) if any(each.number in numbers for each in one.sentences)
        ]
        return _parted(document, [(block, 2) for block in named])
    for _ in document.sentences:
        found = long_blocks(document, limit)
        if not found:
            break
        aim = min(_AIM, limit)
        document = Document(
            _parted(document, [(one, max(2, math.ceil(one.size / aim))) for one in found]), document.format
        )
    return document.text


def _parted(document: Document, blocks: Sequence[tuple[Block, int]]) -> str:
    text = document.text
    blank = "\r\n\r\n" if "\r\n" in text else "\n\n"
    joints = [
        (block.sentences[place - 1].end, block.sentences[place].start)
        for block, parts in blocks
        for place in _breaks(block, 0, len(block.sentences), parts)
    ]
    for end, start in sorted(joints, reverse=True):
        text = text[:end] + blank + text[start:]
    return text


def _breaks(block: Block, first: int, last: int, parts: int) -> list[int]:
    """The places that divide the sentences from `first` up to `last` into so many parts, or fewer."""
    places = [place for place in range(first + 1, last) if place in block.places]
    if parts < 2 or not places:
        return []
    before = parts // 2
    total = sum(block.words[first:last]) or 1
    shares = {place: sum(block.words[first:place]) / total for place in places}
    fair = [place for place in places if _LEAST <= shares[place] <= 1 - _LEAST and not _is_tied(block, place)]
    best = min(fair or places, key=lambda place: abs(shares[place] - before / parts) + _cost(block, place))
    return [*_breaks(block, first, best, before), best, *_breaks(block, best, last, parts - before)]


def _may_part(document: Document, sentences: Sequence[Sentence], place: int) -> bool:
    """Whether a paragraph may begin with a sentence: nothing but white space, and no quotation, is broken."""
    before, after = sentences[place - 1], sentences[place]
    gap = document.text[before.end : after.start]
    said = document.text[sentences[0].start : before.end]
    line = document.text.rfind("\n", 0, before.start) + 1
    if gap.strip() or BLANK_LINE.search(gap) or _QUOTED_LINE.match(document.text, line):
        return False
    closed = all(map(partial(_is_closed, said), _PAIRS))
    return (
        closed
        and not after.text[0].islower()
        and not (before.text.endswith((":", ",", ";")) or document.is_in_table(after.start))
    )


def _is_closed(text: str, pair: str) -> bool:
    """Whether as many brackets or quotations are closed as are opened in a text."""
    opening, closing = pair[0], pair[-1]
    if opening == closing:
        return text.count(opening) % 2 == 0
    return text.count(opening) == text.count(closing)


def breaks_quotation(document: Document, places: Collection[int]) -> bool:
    """Whether some sentences, by their places from 0, could not go without half a quotation or bracket.

    >>> said = Document("“It is late. Fine.” He left.")
    >>> breaks_quotation(said, {1}), breaks_quotation(said, {0, 1}), breaks_quotation(said, {2})
    (True, False, False)
    """
    edges = [
        place for place in range(len(document.sentences) + 1) if (place in places) != (place - 1 in places)
    ]
    return any(opens_in_quotation(document, edge) for edge in edges)


def opens_in_quotation(document: Document, place: int) -> bool:
    """Whether a quotation or a bracket of its paragraph is open where a sentence begins."""
    if not 0 < place < len(document.sentences):
        return False
    number = document.sentences[place].paragraph
    own = [one for one in document.sentences if one.paragraph == number]
    start, end = own[0].start, own[-1].end
    said, whole = (document.text[start:stop] for stop in (document.sentences[place - 1].end, end))
    return any(_is_closed(whole, pair) and not _is_closed(said, pair) for pair in _PAIRS)


def _is_tied(block: Block, place: int) -> bool:
    """Whether a sentence speaks of the one before it, or goes on with it."""
    text = block.sentences[place].text
    return bool(POINTS_BACK.match(text) or _GOES_ON.match(text)) and not _TURNS.match(text)


def _cost(block: Block, place: int) -> float:
    """How much speaks against a place beside the balance: words that both sides have, and no turn."""
    before, after = (_stems(block.sentences[at].text) for at in (place - 1, place))
    common = len(before & after) / (min(len(before), len(after)) or 1)
    turn = _TURN if _TURNS.match(block.sentences[place].text) else 0.0
    return _COMMON * common - turn + _is_tied(block, place)


def _stems(text: str) -> set[str]:
    return {word.lower()[:_STEM] for word in spellings(text) if len(word) >= _STEM}
