"""Parts of speech: the Penn Treebank's tags, by an averaged perceptron.

The weights are those of textblob-aptagger, by Matthew Honnibal; see `data/tagger.md`. The best tag of each
word is chosen from left to right, from the words around it and the two tags before it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from redraft.text.sentences import CALENDAR, CLOSING, ENDING, HONORIFICS, INNER, NUMBERED, TITLES

PLACEHOLDER: Final = re.compile(r"\[\[[A-Za-z]+\d+\]\]")
"""What stands for mark-up in a masked text; see `masking.py`."""

_ABBREVIATIONS: Final = TITLES | HONORIFICS | INNER | CLOSING | ENDING
_AT_THE_END: Final = frozenset({"etc", "inc", "ltd", "jr", "sr"})
_NUMBERED: Final = NUMBERED | CALENDAR
_TOKEN: Final = re.compile(
    r"""\[\[[A-Za-z]+\d+\]\]
    | (?:https?://|www\.)[^\s<>"“”]*[^\s<>"“”.,;:!?)\]]
    | (?<![\w.+-])[\w.+-]++@\w[\w-]*+(?:\.\w++)++
    | [^\W\d_](?:\.[^\W\d_])+\.
    | [+-]?\d+(?:[.,:/–-]\d+)*(?:-?[^\W\d_]+(?:-\w+)*)?
    | (?P<word>[^\W_][\w&]*(?:(?:['’.\-‐‑/](?=[^\W_]))[\w&]+)*)(?P<stop>\.?)
    | \.{2,}|…|--+|[-‐‑](?=\w)\w+(?:-\w+)*
    | \S""",
    re.VERBOSE,
)
_CLITIC: Final = re.compile(r"(?i)(?:n['’]t|['’](?:s|re|ve|ll|d|m))$")
# Too rare in the treebank to be learnt from it.
_FOREIGN: Final = ("e.g.", "i.e.", "cf.", "etc.", "e.g", "i.e", "etc", "viz.", "a.k.a.")
_MARKS: Final = {
    "(": "-LRB-", "[": "-LRB-", "{": "-LCB-", ")": "-RRB-", "]": "-RRB-", "}": "-RCB-", "“": "``", "”": "''",
    "„": "``", "«": "``", "»": "''", "‘": "``", "—": "--", "–": "--", "―": "--", "…": "...",
}  # fmt: skip


class Tagged(NamedTuple):
    """A word or mark of a sentence, its tag, and where it stands."""

    text: str
    tag: str
    start: int
    end: int


def tag(words: Sequence[str]) -> list[str]:
    """The Penn tags of the words of one sentence, clitics and marks being words of their own.

    >>> tag(["He", "ca", "n't", "swim", "."])
    ['PRP', 'MD', 'RB', 'VB', '.']
    """
    return _perceptron().tag([_written(word) for word in words]) if words else []


def tagged(sentence: str) -> list[Tagged]:
    """The words and marks of a sentence, with their tags and places."""
    spans = _spans(sentence)
    words = [sentence[start:end] for start, end in spans]
    tags = tag(
        [_quote(sentence, *span) if word in "\"'" else word for word, span in zip(words, spans, strict=True)]
    )
    return [Tagged(word, tag, *span) for word, tag, span in zip(words, tags, spans, strict=True)]


def _spans(sentence: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    position = 0
    while match := _TOKEN.search(sentence, position):
        start, position = match.span()
        if match["word"] is not None:
            position = _without_stop(sentence, match)
            word = sentence[start:position]
            cut = start + 3 if word.lower() == "cannot" else _clitic(word, start)
            if cut:
                spans.append((start, cut))
                start = cut
        spans.append((start, position))
    return spans


def _without_stop(sentence: str, match: re.Match[str]) -> int:
    """Where the word ends: a full stop belongs to an abbreviation or an initial, and ends all else."""
    word = match["word"]
    if not match["stop"]:
        return match.end()
    bare = word.lower()
    if sentence[match.end() :].strip("\"'”’)] "):
        initial = len(word) == 1 and word.isupper() and word != "I"
        kept = bare in _ABBREVIATIONS or initial or _numbered(sentence, match.end(), bare)
    else:
        kept = bare in _AT_THE_END or (bare in _ABBREVIATIONS and not word.isalpha())
    return match.end() if kept else match.end() - 1


def _numbered(sentence: str, position: int, word: str) -> bool:
    return word in _NUMBERED and sentence[position : position + 2].strip()[:1].isdigit()


def _clitic(word: str, start: int) -> int:
    """Where a clitic begins, or zero."""
    found = _CLITIC.search(word)
    return start + found.start() if found and found.start() else 0


def _quote(sentence: str, start: int, end: int) -> str:
    """How the treebank writes a straight quotation mark."""
    opens = (start == 0 or sentence[start - 1] in " ([{—–\u00a0") and sentence[end : end + 1].strip() != ""
    return "``" if opens else "''"


def _written(word: str) -> str:
    """The word as the treebank writes it."""
    return _MARKS.get(word) or word.replace("’", "'")


class _Perceptron:
    """The weights: a row for each feature, a column for each tag."""

    def __init__(self, data: Any) -> None:
        self.tags = _lines(data["tags"])
        self._known = dict(zip(_lines(data["known"]), data["known_tags"].tolist(), strict=True))
        self._known |= dict.fromkeys(_FOREIGN, self.tags.index("FW"))
        keys, counts, sizes = _lines(data["keys"]), data["counts"].tolist(), data["sizes"]
        # The last row is of zeros, for features that were never seen.
        self._weights: NDArray[np.int32] = np.zeros((len(keys) + 1, len(self.tags)), dtype=np.int32)
        self._weights[np.repeat(np.arange(len(keys)), sizes), data["columns"]] = data["values"]
        self._unseen = len(keys)
        groups: list[dict[str, int]] = []
        first = 0
        for count in counts:
            groups.append(dict(zip(keys[first : first + count], range(first, first + count), strict=True)))
            first += count
        (_, self._tag_word, pairs, before, before2, self._suffix, self._first_letter, *self._around) = groups
        self._pairs = self._by_tags(pairs, before, before2)
        self._noun = self.tags.index("NN")

    def _by_tags(
        self, pairs: dict[str, int], before: dict[str, int], before2: dict[str, int]
    ) -> NDArray[np.int32]:
        """What the two tags before a word add up to; numbers past the tags stand for the sentence's start."""
        size = len(self.tags) + 1
        table = np.zeros((size, size, len(self.tags)), dtype=np.int32)
        for one, tag in enumerate([*self.tags, "-START-"]):
            for two, tag2 in enumerate([*self.tags, "-START2-" if tag == "-START-" else "-START-"]):
                rows = [0, pairs.get(f"{tag} {tag2}", self._unseen), before.get(tag, self._unseen)]
                table[one, two] = self._weights[[*rows, before2.get(tag2, self._unseen)]].sum(axis=0)
        return table

    def tag(self, words: Sequence[str]) -> list[str]:
        """The best tag of each word, from left to right."""
        context = ["-START-", "-START2-", *map(_normal, words), "-END-", "-END2-"]
        scores = self._weights[self._rows(words, context)].sum(axis=1, dtype=np.int32)
        weights, tag_word, unseen = self._weights, self._tag_word, self._unseen
        names = [*self.tags, "-START-"]
        before = before2 = len(self.tags)
        chosen: list[str] = []
        for place, word in enumerate(words):
            best = self._known.get(word)
            if best is None:
                if PLACEHOLDER.fullmatch(word):
                    best = self._noun
                else:
                    row = tag_word.get(f"{names[before]} {context[place + 2]}", unseen)
                    best = int((scores[place] + self._pairs[before, before2] + weights[row]).argmax())
            chosen.append(names[best])
            before, before2 = best, before
        return chosen

    def _rows(self, words: Sequence[str], context: list[str]) -> list[list[int]]:
        """For each word, the rows of what its neighbourhood says, whatever the tags before it."""
        unseen = self._unseen
        word, previous, previous_suffix, previous2, following, following_suffix, following2 = self._around
        return [
            [
                self._suffix.get(written[-3:], unseen),
                self._first_letter.get(written[:1], unseen),
                word.get(context[i], unseen),
                previous.get(context[i - 1], unseen),
                previous_suffix.get(context[i - 1][-3:], unseen),
                previous2.get(context[i - 2], unseen),
                following.get(context[i + 1], unseen),
                following_suffix.get(context[i + 1][-3:], unseen),
                following2.get(context[i + 2], unseen),
            ]
            for i, written in enumerate(words, 2)
        ]


def _normal(word: str) -> str:
    """A word as the features name it: years, other numbers and compounds are each all one."""
    if "-" in word[1:] and word[0] != "-":
        return "!HYPHEN"
    if word.isdigit() and len(word) == 4:
        return "!YEAR"
    return "!DIGITS" if word[:1].isdigit() else word.lower()


def _lines(text: NDArray[np.uint8]) -> list[str]:
    return text.tobytes().decode().split("\n")


@cache
def _perceptron() -> _Perceptron:
    with files("redraft.text").joinpath("data", "tagger.npz").open("rb") as file:
        return _Perceptron(np.load(file, allow_pickle=False))
