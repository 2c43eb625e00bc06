"""A text as the damage sees it: its words with their likely tags, and which of them may be touched.

The tags are not those of `redraft.text.tagged`: damage wants to know where a tag is in doubt, which a tagger
that always answers does not say, and reads a hundred thousand texts, for which a dictionary is faster. They
are: D determiner, E possessive, K number word, P preposition, t "to", M modal, B be, H have, O do, F not,
C and/or/but, S subordinator, W wh-word, R subject pronoun, X object pronoun, A adjective, Y adverb, N counted
noun, U uncounted noun, n noun that may be either, Q plural, V base, Z third person, L past, T participle,
G gerund, I name, # number, . mark, ? unknown.
"""

from __future__ import annotations

import math
import random
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from redraft.text import NOUNS, PLURALS, UNCOUNTED, VERBS, list_lines, segment, word_sets


def lines(name: str) -> Iterator[str]:
    """The lines of a word list of this package, without comments."""
    return list_lines(__package__, name)


_SETS: Final = word_sets(__package__)


def choices(name: str) -> dict[str, tuple[str, ...]]:
    """A list of `words | other words; others`: the others by the words."""
    pairs = (line.split("|") for line in lines(name))
    return {left.strip(): tuple(one.strip() for one in right.split(";")) for left, right in pairs}


def word_set(name: str) -> frozenset[str]:
    """A set of words by its name in sets.txt."""
    return _SETS[name]


_SUFFIXES: Final = (
    (("tions", "sions", "ments", "nesses", "ities", "ships", "ists"), "Q"),
    (("tion", "sion", "ment", "ness", "ity", "ship", "ism", "ance", "ence", "hood"), "n"),
    (("ist", "logy"), "n"),
    (("ous", "ful", "ive", "ical", "less", "able", "ible", "ial", "onal", "ural", "ary"), "A"),
    (("ing",), "G"),
    (("ed",), "LT"),
    (("ly",), "Y"),
)


ADJECTIVES: Final = tuple(word for line in lines("adjectives.txt") for word in line.split())
"""Adjectives in the positive."""


def _lexicon() -> dict[str, str]:
    found: dict[str, str] = {}

    def add(word: str, tag: str) -> None:
        known = found.get(word, "")
        if tag not in known:
            found[word] = known + tag

    for tag, words in word_sets(__package__, "closed.txt").items():
        for word in words:
            found.setdefault(word, tag)
    closed = frozenset(found)
    for noun in NOUNS:
        add(noun, "N")
    for word in PLURALS:
        add(word, "Q")
    for word in sorted(UNCOUNTED):
        add(word, "U")
    for word in ADJECTIVES:
        add(word, "A")
        if word not in word_set("lexicon.no_adverb"):
            add(adverb(word), "Y")
    for forms in VERBS.values():
        for form, tag in zip(forms, "VZLTG", strict=True):
            add(form, tag)
    for word in closed:
        found[word] = found[word][0]
    return found


def adverb(adjective: str) -> str:
    """The adverb of an adjective, by rule."""
    if adjective == "good":
        return "well"
    if adjective.endswith("ic") and adjective != "public":
        return adjective + "ally"
    if adjective.endswith("le") and len(adjective) > 4:
        return adjective[:-1] + "y"
    if adjective.endswith("y") and len(adjective) > 3:
        return adjective[:-1] + "ily"
    return {"true": "truly", "whole": "wholly", "full": "fully"}.get(adjective, adjective + "ly")


LEXICON: Final = _lexicon()
"""Each known word's tags."""

ADVERBS: Final = {
    adverb(word): word for word in ADJECTIVES if LEXICON.get(adverb(word)) == "Y" and word not in {"good"}
}
"""The adjective of each adverb that has one."""

COLLECTIVE: Final = word_set("lexicon.collective")
"""Nouns that take a singular verb or a plural one."""


@lru_cache(maxsize=65536)
def tags(low: str) -> str:
    """What a word in lower case may be."""
    known = LEXICON.get(low)
    if known:
        return known
    if len(low) > 5:
        for endings, tag in _SUFFIXES:
            if low.endswith(endings):
                return tag
    return "?"


T = TypeVar("T")


def pick(items: Sequence[T], rng: random.Random) -> T:
    """One of the items, each as likely as the other."""
    return items[int(rng.random() * len(items))]


def weighted(items: Sequence[T], heaped: Sequence[float], rng: random.Random) -> T:
    """One of the items; `heaped` are their weights added up one after the other."""
    return items[min(bisect_right(heaped, rng.random() * heaped[-1]), len(items) - 1)]


def poisson(mean: float, rng: random.Random) -> int:
    """How many events there are where `mean` are expected."""
    bound, count, product = math.exp(-min(mean, 50.0)), 0, rng.random()
    while product > bound:
        count += 1
        product *= rng.random()
    return count


# Addresses, LaTeX, Markdown, quotations, and what opens a heading or a list item.
_PROTECTED: Final = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+\.\w+"
    r"|\$[^$\n]{1,200}\$|\\[A-Za-z]+\*?(?:\[[^\]\n]*\])?(?:\{[^}\n]*\})*|\\[()\[\]]"
    r"|`[^`\n]*`|!?\[[^\]\n]*\]\([^)\n]*\)|\[[^\]\n]{1,80}\]|\*{1,3}[^*\n]{1,200}\*{1,3}"
    r"|<[^>\n]{1,80}>"
    r"|\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|``[^'\n]{1,400}''|(?<!\w)[‘'][^‘’'\n]{1,120}[’'](?!\w)"
    r"|^[ \t]*(?:#{1,6}|[-*+]|\d+[.)])[ \t]",
    re.MULTILINE,
)
_TOKEN: Final = re.compile(
    r"(?P<compound>[^\W_]+(?:[-‐‑/&][^\W_]+)+(?:['’]s)?)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*['’]?(?![\d_]))"
    r"|(?P<number>[\w]+(?:[.,:%]\d+)*)|(?P<mark>[^\w\s])"
)


class Site(NamedTuple):
    """A place in the clean text that can be damaged, and what would stand there."""

    start: int
    end: int
    new: str


class Token:
    """A word or a mark; `free` says that it may be changed, `opens` that a sentence begins with it."""

    __slots__ = ("end", "free", "low", "opens", "start", "tag", "text")

    def __init__(self, text: str, start: int, tag: str, free: bool) -> None:
        self.text = text
        self.low = text.lower()
        self.start = start
        self.end = start + len(text)
        self.tag = tag
        self.free = free
        self.opens = False


_PADDING: Final = 8
_OUTSIDE: Final = Token("", -1, ".", False)
_ALWAYS_CAPITAL: Final = frozenset({"I", "I'm", "I've", "I'll", "I'd", "I’m", "I’ve", "I’ll", "I’d"})


class Reading:
    """The tokens of a text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.guarded = [match.span() for match in _PROTECTED.finditer(text)]
        self.guarded.append((len(text) + 1, len(text) + 2))  # so that there is always a next one
        self.sentences = [(stretch.start, stretch.end) for stretch in segment(text)]
        self._tokenise()
        # Rules look a few words back and ahead at every word: padding is faster than asking for the ends.
        self._padded = [_OUTSIDE] * _PADDING + self.tokens + [_OUTSIDE] * _PADDING
        self._resolve()
        self.words = sum(1 for token in self.tokens if token.tag not in ".#")

    def at(self, index: int) -> Token:
        """The token at an index, or an empty one up to eight places outside of the text."""
        return self._padded[index + _PADDING]

    def protected(self, position: int) -> bool:
        """Whether a position stands in mark-up, an address or a quotation."""
        return any(start <= position < end for start, end in self.guarded)

    def _tokenise(self) -> None:
        text = self.text
        guarded = self.guarded
        guard = 0
        openings = iter([start for start, _ in self.sentences] + [len(text) + 1])
        opening = next(openings)
        pending = False
        for match in _TOKEN.finditer(text):
            start, end = match.span()
            while guarded[guard][1] <= start:
                guard += 1
            free = end <= guarded[guard][0]
            while opening <= start:
                pending = True
                opening = next(openings)
            kind = match.lastgroup
            word = match[0]
            if kind == "mark":
                self.tokens.append(Token(word, start, ".", free))
                if word in "\"“‘'([":
                    continue
                pending = pending and word not in ",;:"
                continue
            token = Token(word, start, "?", free)
            token.low = token.low.replace("’", "'")
            token.opens = pending
            if kind == "number":
                token.tag, token.free = "#", False
            elif kind == "compound" or not token.low.isascii():
                token.tag = "I" if word[0].isupper() and not pending else "?"
                token.free = False
            elif word[0].isupper() and not (pending and (word[1:].islower() or len(word) == 1)):
                token.tag = tags(token.low) if word in _ALWAYS_CAPITAL else "I"
                token.free = free and word in _ALWAYS_CAPITAL
            else:
                token.tag = tags(token.low)
                if pending and word[0].isupper() and token.tag == "?" and word != "I":
                    token.tag, token.free = "I", False  # who knows whether "Greaves" is a name
            pending = False
            self.tokens.append(token)

    def _resolve(self) -> None:
        """Choose one tag for each word by what stands before it; where nothing tells, the tag is "?"."""
        previous = "^"
        tokens = self.tokens
        for index, token in enumerate(tokens):
            tag = token.tag
            if len(tag) > 1 or tag in "VZLTNQ":
                following = tokens[index + 1] if index + 1 < len(tokens) else _OUTSIDE
                tag = token.tag = _choose(tag, previous, following)
            elif token.low == "her" and (self.at(index + 1).tag in ".PtCSM" or index + 1 == len(tokens)):
                tag = token.tag = "X"
            elif token.low == "that" and (previous in "VZLTNQUn?" and self.at(index + 1).tag not in "AN"):
                tag = token.tag = "S"
            if tag in "YF" and previous in "RMBHOtNQUn":
                continue  # an adverb does not part a subject from its verb
            previous = tag

    def swap(self, index: int, new: str) -> Site:
        """The word at an index replaced, in the case of what stood there."""
        return self.span(index, index, new)

    def span(self, first: int, last: int, new: str) -> Site:
        """Words replaced from one index through another, in the case of the first."""
        one, other = self.tokens[first], self.tokens[last]
        if one.text[:1].isupper() and one.opens and one.text not in _ALWAYS_CAPITAL:
            new = new[:1].upper() + new[1:]
        return Site(one.start, other.end, new)

    def drop(self, index: int) -> Site | None:
        """A word left out with the white space at it; the next takes over its capital."""
        token, following = self.tokens[index], self.at(index + 1)
        if following.tag == "." or following is _OUTSIDE or self.text[token.end : following.start].strip():
            before = self.at(index - 1)
            if index == 0 or before.end == token.start or token.opens:
                return None
            return Site(before.end, token.end, "")
        if token.opens and token.text[0].isupper() and following.text[0].islower():
            return Site(token.start, following.start + 1, following.text[0].upper())
        return Site(token.start, following.start, "")

    def turn(self, index: int) -> Site:
        """The word at an index and the next one, in turned order."""
        one, two = self.tokens[index], self.tokens[index + 1]
        between = self.text[one.end : two.start]
        return Site(one.start, two.end, f"{two.text}{between}{one.text}")

    def carry(self, index: int) -> Site:
        """The third word from an index on put before the other two."""
        one, two, three = self.tokens[index : index + 3]
        return Site(one.start, three.end, f"{three.text} {self.text[one.start : two.end]}")

    def insert(self, index: int, new: str) -> Site | None:
        """A word put before the one at an index, in mid-sentence."""
        token = self.tokens[index]
        if token.opens or index == 0 or self.tokens[index - 1].end == token.start:
            return None
        return Site(token.start, token.start, new + " ")


def _choose(tag: str, previous: str, following: Token) -> str:
    if previous in ("R", "M", "t", "O"):
        wanted = "VZL" if previous == "R" else "V"
    elif previous in ("D", "E", "A", "K", "#"):
        wanted = "ANUQ" if following.tag[0] in "NUQnG?" and "A" in tag else "NUQA"
    elif previous == "P":
        wanted = "GNUQA"
    elif previous == "B":
        wanted = "TGANUQ" if "T" in tag else "GANUQ"
    elif previous == "H":
        wanted = "TNUQA"
    elif "T" in tag and following.low == "by" and previous in ("N", "U", "n", "Q"):
        wanted = "T"
    elif previous in ("N", "U", "n", "I"):
        wanted = "ZL" if following.tag[0] in "DEPtXRASYKI#" or following.low == "that" else "L"
    elif previous in ("Q", "W"):
        wanted = "VL" if following.tag[0] in "DEPtXRASYKI#" else "L"
    elif previous in ("V", "Z", "L", "G", "T"):
        wanted = "QUGN"
    elif "Z" in tag and previous in (".", "^", "C", "S"):
        wanted = "Q" if following.tag in ("B", "M", "H") else ""  # "and records": a noun or a verb
    elif previous in (".", "^", "C", "S"):
        wanted = "QUNGA" if len(tag) == 1 or tag in ("LT", "QN") else "QU"
    else:
        wanted = "QU" if len(tag) == 1 else ""
    for one in wanted:
        if one in tag:
            return one
    if "V" in tag and previous in ("D", "E", "A") and following.tag[0] in "PBMH.":
        return "n"  # "the cost of", "the use of"
    if len(tag) == 1 and tag in "AYQUN":
        return tag
    return "?"
