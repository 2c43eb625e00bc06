"""The two counting conventions: what a sentence, a word and an occurrence are.

`default` counts as a reader does. `constrev` counts as the published ConsTRev checker does, quirks included,
so that published numbers can be reproduced. A `Reading` is one text as one convention sees it; constraints
look at readings and never count for themselves.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal, get_args

from redraft.constraints.punkt import english
from redraft.errors import InputError
from redraft.text import Document, Format, Sentence, Span
from redraft.text.treebank import NLTK_3_10

CountingName = Literal["default", "constrev"]


class Reading(ABC):
    """A text as one counting convention sees it; everything is computed once, when first asked for."""

    counting: CountingName
    keeps_exactly: bool
    """Whether a kept keyword must occur exactly as often as before, or at least as often."""

    def __init__(self, text: str, format: Format = "text") -> None:
        self.text = text
        self.document = Document(text, format)

    @property
    @abstractmethod
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences, numbered from 1."""

    @property
    @abstractmethod
    def words(self) -> int:
        """The words of the whole text."""

    @property
    @abstractmethod
    def sentence_words(self) -> tuple[int, ...]:
        """The words of each sentence, as per-sentence bounds count them."""

    @abstractmethod
    def occurrences(self, keyword: str) -> list[Span]:
        """Where a keyword occurs, for keeping it and for its frequency."""

    @abstractmethod
    def uses(self, keyword: str) -> list[Span]:
        """Where a keyword occurs, for banning it."""

    @abstractmethod
    def changed(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """Those of the original's sentences that do not stand unchanged in this text."""

    @abstractmethod
    def untouched(self, original: Reading, numbers: frozenset[int]) -> tuple[list[int], list[int]]:
        """For "only change these": the named sentences that did not change, and the others that did."""


class _DefaultReading(Reading):
    counting = "default"
    keeps_exactly = False

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        return self.document.sentences

    @property
    def words(self) -> int:
        return self.document.words

    @property
    def sentence_words(self) -> tuple[int, ...]:
        return self.document.word_counts

    @cached_property
    def _prose(self) -> str:
        # What a reader sees, at the same offsets: a word inside a link's target is nobody's word.
        return _straight(self.document.view)

    def occurrences(self, keyword: str) -> list[Span]:
        return [Span(*match.span()) for match in _whole_word(keyword).finditer(self._prose)]

    uses = occurrences

    @cached_property
    def _plain_sentences(self) -> list[str]:
        return [_plain(sentence.text) for sentence in self.sentences]

    def changed(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        kept = _longest_common([_plain(sentence.text) for sentence in sentences], self._plain_sentences)
        return [sentence for index, sentence in enumerate(sentences) if index not in kept]

    def untouched(self, original: Reading, numbers: frozenset[int]) -> tuple[list[int], list[int]]:
        before = [_plain(sentence.text) for sentence in original.sentences]
        after = self._plain_sentences
        kept = _longest_common(before, after)
        same = [n for n in sorted(numbers) if n - 1 in kept]
        touched = [n for n in range(1, len(before) + 1) if n not in numbers and n - 1 not in kept]
        # New sentences may stand only where a changed one stood.
        targets = [kept[index] for index in sorted(kept)]
        owners = sorted(kept)
        borders = [(-1, -1), *zip(owners, targets, strict=True), (len(before), len(after))]
        for (left, left_at), (right, right_at) in pairwise(borders):
            inserted = right_at - left_at > 1
            if inserted and not any(left < n - 1 < right for n in numbers):
                touched.append(min(right + 1, len(before)))
        return same, sorted(set(touched) - numbers)


class _ConstrevReading(Reading):
    counting = "constrev"
    keeps_exactly = True

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        found: list[Sentence] = []
        start = 0
        for gap in [*re.finditer(r"(?<=[.!?]) +", self.text), None]:
            end = gap.start() if gap else len(self.text)
            stripped = re.sub(r"[.!?]$", "", self.text[start:end])
            found.append(Sentence(number=len(found) + 1, text=stripped, start=start, end=end, paragraph=1))
            start = gap.end() if gap else end
        return tuple(found)

    @cached_property
    def words(self) -> int:
        # What `nltk.word_tokenize` counts: marks of punctuation too, and a clitic apart from its word.
        sentences = english().spans(self.text)
        return sum(len(NLTK_3_10.words(self.text[start:end])) for start, end in sentences)

    @cached_property
    def sentence_words(self) -> tuple[int, ...]:
        return tuple(len(sentence.text.split()) for sentence in self.sentences)

    @cached_property
    def _lower(self) -> str:
        return self.text.lower()

    def occurrences(self, keyword: str) -> list[Span]:
        return _substrings(self._lower, keyword.lower())

    def uses(self, keyword: str) -> list[Span]:
        return _substrings(self.text, keyword)

    def changed(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        return [sentence for sentence in sentences if sentence.text not in self.text]

    def untouched(self, original: Reading, numbers: frozenset[int]) -> tuple[list[int], list[int]]:
        return [n for n in sorted(numbers) if original.sentences[n - 1].text in self.text], []


_READINGS: dict[str, type[Reading]] = {cls.counting: cls for cls in (_DefaultReading, _ConstrevReading)}


def read(text: str, counting: str = "default", format: Format = "text") -> Reading:
    """The text as a convention sees it."""
    try:
        return _READINGS[counting](text, format)
    except KeyError:
        known = " or ".join(get_args(CountingName))
        raise InputError(f'unknown counting "{counting}"; use {known}') from None


def _straight(text: str) -> str:
    return text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')


def _plain(text: str) -> str:
    return " ".join(text.split())


def _is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\uf900" <= char <= "\ufaff"


@lru_cache(maxsize=256)
def _whole_word(keyword: str) -> re.Pattern[str]:
    # CJK text has no spaces, so a keyword there may touch other characters.
    words = _straight(keyword).split()
    body = r"\s+".join(re.escape(word) for word in words)
    first, last = words[0][0], words[-1][-1]
    before = r"(?<!\w)" if re.match(r"\w", first) and not _is_cjk(first) else ""
    after = r"(?!\w)" if re.match(r"\w", last) and not _is_cjk(last) else ""
    return re.compile(before + body + after, re.IGNORECASE)


def _substrings(text: str, keyword: str) -> list[Span]:
    """Non-overlapping occurrences, the same number as `str.count` gives."""
    found: list[Span] = []
    start = text.find(keyword)
    while start >= 0:
        found.append(Span(start, start + len(keyword)))
        start = text.find(keyword, start + len(keyword))
    return found


def _longest_common(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Index pairs of a longest common subsequence (Hunt and Szymanski): fast where repeats are few."""
    places: dict[str, list[int]] = {}
    for index, item in enumerate(after):
        places.setdefault(item, []).append(index)
    tails: list[int] = []
    chains: list[tuple[int, int, Any]] = []
    for index, item in enumerate(before):
        for place in reversed(places.get(item, ())):
            slot = bisect_left(tails, place)
            link = (index, place, chains[slot - 1] if slot else None)
            if slot == len(tails):
                tails.append(place)
                chains.append(link)
            elif place < tails[slot]:
                tails[slot], chains[slot] = place, link
    pairs: dict[int, int] = {}
    chain: Any = chains[-1] if chains else None
    while chain is not None:
        pairs[chain[0]] = chain[1]
        chain = chain[2]
    return pairs
