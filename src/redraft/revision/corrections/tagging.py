"""What the edit tagger says of a text: where something is wrong, and what it would put there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from redraft.editor import JOIN, KEEP, OTHER, applied, word_spans, words_in
from redraft.models import FloatArray, Tagger
from redraft.text import Edit, Span

_LEAST: Final = 0.3
"""How likely an edit is that is put at all."""
_KEPT: Final = 0.3
"""How likely a word stays with which something is wrong, at the most."""
_LOOKED_AT: Final = 6
"""Tags of a word that may bear out an edit."""
_SURE: Final = 1e-4
_CLOSING: Final = frozenset(",.;:?!)]%")
_NO_SPACE: Final = "-"
_NOT_PUT: Final = frozenset("'\"()[]/")
"""Marks that the tagger does not put: by themselves they say not on which side there is a space."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A text and the likelihoods of tags: a row for the place before its first word, and one for each word.

    A word at the end of a very long text may have none.
    """

    text: str
    words: Sequence[Span]
    tags: Sequence[str]
    likelihoods: FloatArray

    def part(self, start: int, end: int) -> Reading:
        """What is said of a part of the text, with its places counted from its start."""
        inside = [place for place, word in enumerate(self.words) if start <= word.start and word.end <= end]
        first = inside[0] if inside else 0
        words = [Span(self.words[one].start - start, self.words[one].end - start) for one in inside]
        rows = self.likelihoods[first : first + len(inside) + 1]
        return Reading(self.text[start:end], words, self.tags, rows)

    @property
    def errors(self) -> int:
        """At how many words something is wrong."""
        return int((self.likelihoods[:, list(self.tags).index(KEEP)] < _KEPT).sum())

    def doubt(self, step: Edit) -> float:
        """How likely it is that something is wrong where an edit is made (a logarithm of odds)."""
        keep = self.tags.index(KEEP)
        found = [1 - float(self.likelihoods[row][keep]) for row in self._rows(step)]
        return _log_odds(max(found, default=0.5))

    def support(self, step: Edit) -> float:
        """How likely the tagger's own edit is that does the same as this one (a logarithm of odds)."""
        old, new = words_in(step.before), words_in(step.after)
        most = 0.0
        for row in self._rows(step):
            word = self._word(row)
            for tag in np.argsort(-self.likelihoods[row])[:_LOOKED_AT]:
                becomes = self._becomes(word, self.tags[tag])
                if self.tags[tag] == JOIN and "".join(old) == "".join(new) and len(new) < len(old):
                    most = max(most, float(self.likelihoods[row][tag]))
                if becomes is not None and _does_part_of(word, becomes, old, new):
                    most = max(most, float(self.likelihoods[row][tag]))
        return _log_odds(most)

    def answer(self) -> str:
        """The text with the edits that are likelier than that a word stays."""
        made = ""
        at = 0
        glued = False  # whether no space comes before what is next
        for row in range(len(self.likelihoods)):
            span = self.words[row - 1] if row else Span(0, 0)
            gap, own = self.text[at : span.start], self.text[span.start : span.end]
            becomes = self._put(row, self._word(row))
            new = own if becomes is None else _spelt(becomes)
            at = span.end
            if row and not new and not gap.strip():
                glued = glued or not made.strip()
                continue  # the space before a word goes with it, or that behind it if it is the first
            made += new if glued and not gap.strip(" ") else gap + new
            glued = self._joins(row) or (becomes or [""])[-1] == _NO_SPACE
            if not row and new:
                made, glued = f"{made} ", True
        made += self.text[at:]
        return made[:1].upper() + made[1:] if self.text[:1].isupper() else made

    def _put(self, row: int, word: str) -> list[str] | None:
        """What is put for a word; None where it stays as it is."""
        tag = self._best(row)
        if tag == JOIN:
            return [word]
        return self._becomes(word, tag) if tag != KEEP else None

    def _joins(self, row: int) -> bool:
        return self._best(row) == JOIN

    def _best(self, row: int) -> str:
        """The likeliest tag by which an edit is made, where it is likely enough."""
        odds = self.likelihoods[row]
        keep = float(odds[self.tags.index(KEEP)])
        for tag in np.argsort(-odds)[:_LOOKED_AT]:
            name = str(self.tags[tag])
            if name == KEEP or odds[tag] < max(_LEAST, keep):
                return KEEP
            if name != OTHER:
                return name
        return KEEP

    def _becomes(self, word: str, tag: str) -> list[str] | None:
        if tag in (KEEP, OTHER):
            return None
        found = applied(word, tag) if word else tag[1:].split() if tag[0] == "+" else None
        if found and (any(one in _NOT_PUT for one in found) or (not word and found[0] in _CLOSING)):
            return None
        return found

    def _word(self, row: int) -> str:
        """The word of a row; empty for the place before the first."""
        if not row:
            return ""
        span = self.words[row - 1]
        (word,) = words_in(self.text[span.start : span.end]) or ("",)
        return word

    def _rows(self, step: Edit) -> Iterator[int]:
        """The rows of the words that an edit touches, and of the one before what it puts in."""
        start, end = step.original.start, step.original.end
        hit = [row for row, word in enumerate(self.words, 1) if word.start < end and start < word.end]
        if not hit or len(words_in(step.before)) != len(words_in(step.after)):
            before = sum(word.end <= start for word in self.words)
            yield from [before] if before < len(self.likelihoods) else []
        yield from (row for row in hit if row < len(self.likelihoods))


def _does_part_of(word: str, becomes: Sequence[str], old: Sequence[str], new: Sequence[str]) -> bool:
    """Whether an edit of one word is all of a larger one, or a part of it that goes no other way."""
    if becomes == [word] or not becomes:
        return not becomes and word in old and word not in new and len(new) < len(old)
    added = [one for one in becomes if one != word]
    is_there = any(list(new[at : at + len(added)]) == added for at in range(len(new)))
    return is_there and (word in becomes or word not in new) and not any(one in old for one in added)


async def read_passage(tagger: Tagger, text: str) -> Reading:
    """What the tagger says of a passage."""
    words = word_spans(text)
    (found,) = await tagger.tagged([[words_in(text[one.start : one.end])[0] for one in words]])
    likelihoods: FloatArray = np.exp(found.log_probs)
    return Reading(text, words, found.tags, likelihoods)


def _spelt(words: Sequence[str]) -> str:
    """Words as they are written after one another."""
    text = ""
    for word in words:
        is_close = not text or word in _CLOSING or word == _NO_SPACE or text.endswith(_NO_SPACE)
        text += word if is_close else f" {word}"
    return text


def _log_odds(likelihood: float) -> float:
    """The log-odds of a likelihood, which is never quite sure."""
    bounded = min(max(likelihood, _SURE), 1 - _SURE)
    return math.log(bounded / (1 - bounded))
