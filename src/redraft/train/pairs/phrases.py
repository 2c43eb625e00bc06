"""Lists of phrases and what stands for them in another style, found in a sentence in any form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from redraft.revision import Edit
from redraft.text import NOUN, VERB_FORMS, Syntax, bases, inflected, list_lines
from redraft.train.pairs.sets import SETS

_TOO_COMMON: Final = SETS["too_common"]
_PREPOSITIONS: Final = SETS["prepositions"]
_TAGS: Final = {"v": frozenset(VERB_FORMS), "n": frozenset({"NN", "NNS"}), "a": frozenset({"JJ"})}


class _Entry(NamedTuple):
    words: tuple[str, ...]
    kind: str
    new: str


class Phrases:
    """A list of `phrase kind | other` lines; the kinds are those that informal.txt explains."""

    def __init__(self, name: str, *, reverse: bool = False) -> None:
        self._by_first: dict[str, list[_Entry]] = {}
        for line in list_lines(__package__, name):
            left, new = line.split(" | ")
            phrase, _, kind = left.rpartition(" ")
            if reverse:
                phrase, new = new, phrase
                if phrase in _TOO_COMMON:
                    continue
            entry = _Entry(tuple(phrase.split()), kind, new)
            self._by_first.setdefault(entry.words[0], []).append(entry)
        for found in self._by_first.values():
            found.sort(key=lambda entry: -len(entry.words))

    def edits(self, read: Syntax) -> list[Edit]:
        """What can be exchanged in a sentence, from left to right; quotations and names stay."""
        found: list[Edit] = []
        done = 0
        for index in range(read.stop):
            if index >= done and not read.held[index]:
                for edit, end in self._at(read, index):
                    found.append(edit)
                    done = end
                    break
        return found

    def _at(self, read: Syntax, index: int) -> Iterator[tuple[Edit, int]]:
        word, tag = read.words[index], read.tags[index]
        if word.text[:1].isupper() and index and not word.text.isupper():
            return
        for first in dict.fromkeys((read.low[index], *bases(read.low[index], tag))):
            for entry in self._by_first.get(first, ()):
                end = index + len(entry.words)
                if read.low[index + 1 : end] != entry.words[1:] or not _fits(read, index, end, entry, first):
                    continue
                new = inflected(entry.new, tag) if entry.kind in "vn" else entry.new
                if new:
                    cased = new[:1].upper() + new[1:] if word.text[:1].isupper() else new
                    yield Edit(word.start, read.words[end - 1].end, cased), end


def _fits(read: Syntax, index: int, end: int, entry: _Entry, first: str) -> bool:
    tag, following = read.tags[index], read.tag(end)
    joined = read.text[read.words[index].start - 1 : read.words[index].start] == "-"
    if joined or read.text[read.words[end - 1].end : read.words[end - 1].end + 1] == "-":
        return False
    if entry.kind == "w":
        return first == read.low[index] and read.tag(index - 1) != "CD"
    if tag not in _TAGS[entry.kind]:
        return False
    if entry.words == ("use",) and following == "TO":
        return False  # "used to"
    if entry.kind == "v" and _PREPOSITIONS & {entry.words[-1], entry.new.split()[-1]}:
        return following in NOUN | {"DT", "PRP$", "PRP", "JJ", "CD", "VBG", "WP"}
    return entry.kind != "a" or (following in ("NN", "NNS") and not entry.new.startswith("the "))
