"""Sentences as Punkt finds them (Kiss and Strunk 2006), with the parameters of its English model.

The published ConsTRev checker counts words with NLTK, which first splits a text into sentences this way; a
full stop is a word of its own only at a sentence's end, so that the number of words hangs on the sentences.
The decisions are those of NLTK 3.10's implementation, in time linear in the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import regex

# How a word was met in training: bits of the numbers in `ortho_context.tab`.
_UPPER_INSIDE = 1 << 2
_LOWER_AT_START = 1 << 4
_UPPER = 1 << 1 | _UPPER_INSIDE | 1 << 3
_LOWER = _LOWER_AT_START | 1 << 5 | 1 << 6

_NUMBER = "##number##"
_PUNCTUATION = frozenset(";:,.!?")

# `regex` and not `re`: the two differ in what they call a letter, a digit or a space.
_CLOSING = r"""[)"}\]'‘’“”«»]"""
_NOT_IN_WORDS = r"""[)";}\]*:@'({\[‘’“”«»?!]"""
_RUN = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"
_MARK = regex.compile(rf"[.?!](?=(?P<after>{_NOT_IN_WORDS}|\s+(?P<next>\S+)))")
_TOKEN = regex.compile(
    rf"""{_RUN}
    | [^\s("`{{\[:;&\#*@)}}\]\-,]  (?: [^\s)";}}\]*:@'({{\[‘’“”«»?!.,-]++
                                   | (?!{_RUN})[.-]
                                   | ,(?!$|\s|{_NOT_IN_WORDS}|{_RUN}) )*+
    | \S""",
    regex.VERBOSE,
)
_LAST_SPACE = regex.compile(r"(?r)[ \t\n\r\x0b\x0c]")
_CLOSED = regex.compile(rf"({_CLOSING}++)(?:\s+|(?=--)|$)")
_NUMERIC = regex.compile(r"-?[.,]?\d[\d,.-]*")
_INITIAL = regex.compile(r"[^\W\d]\.")


@dataclass(frozen=True)
class Punkt:
    """A trained model: what is known of abbreviations and of the words around full stops."""

    abbreviations: frozenset[str]
    collocations: frozenset[tuple[str, str]]
    """Words that belong together though a full stop stands between them."""
    starters: frozenset[str]
    """Words that often start a sentence."""
    contexts: Mapping[str, int]
    """How each word was met: in upper or lower case, at a sentence's start or inside."""

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Where each sentence stands; closing quotes and brackets belong to the sentence that they close.

        >>> text = "Dr. Lee saw it (twice.) Why?"
        >>> [text[start:end] for start, end in english_punkt().spans(text)]
        ['Dr. Lee saw it (twice.)', 'Why?']
        """
        pieces = self._pieces(text)
        start, end = next(pieces)
        for after, after_end in pieces:
            closed = _CLOSED.match(text, after, after_end)
            if closed:
                yield start, closed.end(1)
            elif start < end:
                yield start, end
            start, end = closed.end() if closed else after, after_end
        if start < end:
            yield start, end

    def _pieces(self, text: str) -> Iterator[tuple[int, int]]:
        """The text cut behind each mark that ends a sentence, closing marks still at the wrong side."""
        start = 0
        for word, mark in _candidates(text):
            if self._is_end(text[word : mark.end()] + mark["after"]):
                yield start, mark.end()
                start = mark.start("next") if mark["next"] else mark.end()
        yield start, len(text.rstrip())

    def _is_end(self, context: str) -> bool:
        return any(self._part(token, after) for token, after in pairwise(_tokens(context)))

    def _part(self, token: str, after: str) -> bool:
        """Whether a sentence ends between two tokens."""
        if token[-1] != ".":
            return token in ("?", "!")
        word, follower = _bare(_type(token)), _type(after)
        # An abbreviation keeps its full stop, and so does an ellipsis; any other word's ends its sentence.
        if follower[-1] == "." and after.strip(".") and not self._is_abbreviation(after):
            follower = _bare(follower)
        if (word, follower) in self.collocations:
            return False
        initial = _INITIAL.fullmatch(token)
        undecided = self._is_abbreviation(token) or (len(token) > 1 and not token.strip("."))
        starts = self._starts(after, follower)
        upper = after[0].isupper()
        if undecided and not initial and (starts or (upper and follower in self.starters)):
            return True
        if (initial or word == _NUMBER) and starts is False:
            return False
        # A word that is always in upper case is a name, and the initial before it is that name's.
        if initial and starts is None and upper and not self.contexts.get(follower, 0) & _LOWER:
            return False
        return not undecided

    def _is_abbreviation(self, token: str) -> bool:
        word = token[:-1].lower()
        return word in self.abbreviations or word.rpartition("-")[2] in self.abbreviations

    def _starts(self, token: str, word: str) -> bool | None:
        """Whether a token starts a sentence, by its case here and in training; None if that does not say."""
        if token in _PUNCTUATION:
            return False
        met = self.contexts.get(word, 0)
        if token[0].isupper() and met & _LOWER and not met & _UPPER_INSIDE:
            return True
        if token[0].islower() and (met & _UPPER or not met & _LOWER_AT_START):
            return False
        return None


def _candidates(text: str) -> Iterator[tuple[int, regex.Match[str]]]:
    """Marks that may end a sentence, with the start of the word before: of a word's marks the last alone.

    Where a word consists of marks, its first mark counts too.
    """
    start, found = 0, None
    for mark in _MARK.finditer(text):
        since = found.start() if found else 0
        space = _LAST_SPACE.search(text, since, mark.start())
        word = space.end() if space and space.start() else start
        if found and found.start() <= word:
            yield start, found
        start, found = word, mark
    if found:
        yield start, found


def _tokens(context: str) -> Iterator[str]:
    for line in context.split("\n"):
        # What Python calls white space is more than what `\s` matches here.
        if line.strip():
            yield from (match.group() for match in _TOKEN.finditer(line))


def _type(token: str) -> str:
    lower = token.lower()
    return _NUMBER if _NUMERIC.fullmatch(lower) else lower


def _bare(word: str) -> str:
    return word[:-1] if len(word) > 1 and word[-1] == "." else word


@lru_cache(maxsize=1)
def english_punkt() -> Punkt:
    """The English model, read from the files that come with the package."""
    return Punkt(
        abbreviations=frozenset(_lines("abbrev_types.txt")),
        collocations=frozenset((first, second) for first, _, second in _pairs("collocations.tab")),
        starters=frozenset(_lines("sent_starters.txt")),
        contexts={word: int(bits) for word, _, bits in _pairs("ortho_context.tab")},
    )


def _lines(name: str) -> list[str]:
    file = Path(__file__).parent / "data" / "punkt" / name
    return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def _pairs(name: str) -> Iterator[tuple[str, str, str]]:
    return (line.rpartition("\t") for line in _lines(name))
