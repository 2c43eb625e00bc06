"""The two counting conventions: what a sentence, a word, an occurrence and an unchanged sentence are.

`default` counts as a reader does. `constrev` counts as the published ConsTRev checker does, quirks included,
so that published numbers can be reproduced. A `Reading` is one text as one convention sees it; constraints
look at readings and never count for themselves.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby, pairwise
from typing import Literal, get_args

from redraft.constraints.punkt import english_punkt
from redraft.errors import InputError
from redraft.text import NLTK_3_10, SILENT, Document, Format, Sentence, Span, longest_common


@dataclass(frozen=True)
class SentenceChanges:
    """How a revision departs from "only change these sentences"; sentences are named by number."""

    same: tuple[int, ...] = ()
    """Named, and not changed."""
    changed: tuple[int, ...] = ()
    """Not named, and changed."""
    inserted: tuple[int, ...] = ()
    """Not named, with new text before it; one more than the last for new text at the end."""


def only_changed(before: Sequence[str], after: Sequence[str], named: frozenset[int]) -> SentenceChanges:
    """Compare with "only change these": the others stand, and new text only where a named one stood."""
    new = _replacements(before, after, named)
    if new is not None:
        return SentenceChanges(same=tuple(n for n in sorted(named) if before[n - 1] in new))
    others = [n for n in range(1, len(before) + 1) if n not in named]
    kept = longest_common([before[n - 1] for n in others], after)
    left = set(range(len(after))) - set(kept.values())
    standing = {after[index] for index in left}
    places = [(0, -1), *((others[i], kept[i]) for i in sorted(kept)), (len(before) + 1, len(after))]
    # Whatever is gone may have been replaced by what stands in its place now.
    gone = named | {n for i, n in enumerate(others) if i not in kept}
    return SentenceChanges(
        same=tuple(n for n in sorted(named) if before[n - 1] in standing),
        changed=tuple(sorted(gone - named)),
        inserted=tuple(
            n for (m, at), (n, to) in pairwise(places) if to - at > 1 and gone.isdisjoint(range(m + 1, n))
        ),
    )


def _replacements(before: Sequence[str], after: Sequence[str], named: frozenset[int]) -> set[str] | None:
    """What stands in the places of the named sentences, if the others stand around them untouched.

    Each different sentence becomes a letter, so that a run of sentences is a string and finding it is fast.
    """
    letters: dict[str, str] = {}
    texts = [letters.setdefault(text, chr(len(letters) + 1)) for text in (*before, *after)]
    old, new = texts[: len(before)], "".join(texts[len(before) :])
    runs = ["".join(old[n - 1] for n in run) for run in _runs(len(before), named)]
    first, *middle, last = runs
    if not new.startswith(first) or not new.endswith(last) or len(first) + len(last) > len(new):
        return None
    at, end = len(first), len(new) - len(last)
    found = ""
    for run in middle:
        place = new.find(run, at, end)
        if place < 0:
            return None
        found += new[at:place]
        at = place + len(run)
    found += new[at:end]
    spelt = {letter: text for text, letter in letters.items()}
    return {spelt[letter] for letter in found}


def _runs(count: int, named: frozenset[int]) -> Iterator[list[int]]:
    """The numbers between the named ones: one run before the first, one after the last, each maybe empty."""
    groups = [(key, list(run)) for key, run in groupby(range(1, count + 1), key=named.__contains__)]
    if not groups or groups[0][0]:
        yield []
    yield from (run for key, run in groups if not key)
    if groups and groups[-1][0]:
        yield []


CountingName = Literal["default", "constrev"]


@dataclass(frozen=True)
class Spared:
    """What of an original stays word for word: a demand on form is for what stands beside it."""

    sentences: frozenset[str] = frozenset()
    """As `plain` has them."""
    numbered: frozenset[str] = frozenset()
    """Those of them that are named one by one: marks of punctuation count in these."""
    stretches: frozenset[str] = frozenset()
    """What stays within sentences, as `plain` has it."""


class Reading(ABC):
    """A text as one counting convention sees it; everything is computed once, when first asked for."""

    counting: CountingName
    keeps_exactly: bool
    """Whether a kept keyword must occur exactly as often as before, or at least as often."""

    def __init__(self, text: str, format: Format = "text") -> None:
        self.text = text
        self.document = Document(text, format)
        self.spared = Spared()

    def spared_spans(self, *, numbered: bool = True) -> tuple[Span, ...]:
        """Where what stays stands here; without those sentences, maybe, that are named one by one."""
        whole = self.spared.sentences if numbered else self.spared.sentences - self.spared.numbered
        found = [Span(one.start, one.end) for one in self.sentences if whole and plain(one.text) in whole]
        for stretch in self.spared.stretches:
            words = r"\s+".join(map(re.escape, stretch.split()))
            found += (Span(*match.span()) for match in re.finditer(words, self.text))
        return tuple(found)

    def without_spared(self, found: Sequence[Span], *, numbered: bool = True) -> list[Span]:
        """Those stretches that stand beside what stays."""
        spared = self.spared_spans(numbered=numbered) if found else ()
        return [one for one in found if not any(s.start <= one.start and one.end <= s.end for s in spared)]

    @property
    @abstractmethod
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences, numbered from 1."""

    @cached_property
    def counted(self) -> tuple[Sentence, ...]:
        """Those that a number in an instruction means: all but a greeting and a signature."""
        return tuple(sentence for sentence in self.sentences if not sentence.aside)

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
    def only_changed(self, original: Reading, named: frozenset[int]) -> SentenceChanges:
        """How this text departs from "only change these sentences of the original"."""


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
    def _prose(self) -> tuple[str, list[int] | None]:
        """What a reader sees, and where each character stands if that is not its own index.

        A word inside a link's target is nobody's word, and mark-up inside a word or phrase parts nothing; a
        table has no sentences, but words.
        """
        view = straight(self.document.words_view)
        if SILENT not in view:
            return view, None
        places = [index for index, char in enumerate(view) if char != SILENT]
        return view.replace(SILENT, ""), places

    def occurrences(self, keyword: str) -> list[Span]:
        text, places = self._prose
        spans = [Span(*match.span()) for match in _whole_word(keyword).finditer(text)]
        return spans if places is None else [Span(places[s.start], places[s.end - 1] + 1) for s in spans]

    uses = occurrences

    @cached_property
    def _plain_sentences(self) -> list[str]:
        return [plain(sentence.text) for sentence in self.sentences]

    def changed(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        kept = longest_common([plain(sentence.text) for sentence in sentences], self._plain_sentences)
        return [sentence for index, sentence in enumerate(sentences) if index not in kept]

    def only_changed(self, original: Reading, named: frozenset[int]) -> SentenceChanges:
        before = [plain(sentence.text) for sentence in original.sentences]
        return only_changed(before, self._plain_sentences, named)


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
        sentences = english_punkt().spans(self.text)
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

    def only_changed(self, original: Reading, named: frozenset[int]) -> SentenceChanges:
        # This convention does not look at the other sentences.
        return SentenceChanges(
            same=tuple(n for n in sorted(named) if original.sentences[n - 1].text in self.text)
        )


_READINGS: dict[str, type[Reading]] = {cls.counting: cls for cls in (_DefaultReading, _ConstrevReading)}


def read(text: str, counting: str = "default", format: Format = "text") -> Reading:
    """The text as a convention sees it."""
    try:
        return _READINGS[counting](text, format)
    except KeyError:
        known = " or ".join(get_args(CountingName))
        raise InputError(f'unknown counting "{counting}"; use {known}') from None


def straight(text: str) -> str:
    """The text with straight quotation marks, character for character."""
    return text.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')


def plain(text: str) -> str:
    """The text with single spaces, as sentences are compared."""
    return " ".join(text.split())


def _is_cjk(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "\uf900" <= char <= "\ufaff"


@lru_cache(maxsize=256)
def _whole_word(keyword: str) -> re.Pattern[str]:
    # CJK text has no spaces, so a keyword there may touch other characters.
    words = straight(keyword).split()
    body = r"\s+".join(re.escape(word) for word in words)
    first, last = words[0][0], words[-1][-1]
    before = r"(?<!\w)" if (re.match(r"\w", first) or first in "@#") and not _is_cjk(first) else ""
    # "U.S." is not in "U.S.A.", nor "C++" in "C++11"; but "%" is in "%s".
    closed = re.match(r"\w", last) or re.search(r"[^\W\d]", words[-1])
    after = r"(?!\w)" if closed and not _is_cjk(last) else ""
    return re.compile(before + body + after, re.IGNORECASE)


def _substrings(text: str, keyword: str) -> list[Span]:
    """Non-overlapping occurrences, the same number as `str.count` gives."""
    found: list[Span] = []
    start = text.find(keyword)
    while start >= 0:
        found.append(Span(start, start + len(keyword)))
        start = text.find(keyword, start + len(keyword))
    return found
