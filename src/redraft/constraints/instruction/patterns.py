"""Lines of an instruction as tagged chunks, and the patterns of tags that rules look for in them.

A Line is one sentence, list item or clause between semicolons, cut into chunks that have a tag each (see
`lexicon`). A rule looks for a pattern such as `NOT [AUX ENSURE]* CHANGE DET? SENTENCE`, and finds the chunks
at the places of the match. Rules that recognise a larger thing (sentences named by number, a list of
keywords, a bound) fold it into one chunk, and the rules after them see only that.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate

from redraft.constraints.base import Constraint
from redraft.text import TagPatterns

from .lexicon import Tag, longest
from .tokens import Token

WINDOW = 60
"""How many chunks around an item can bear on it; it keeps the work linear on a line that never ends."""
_NEAR = 24
"""How many, where it is the words that are looked at."""

_MARKS = dict.fromkeys([",", "(", ")", "[", "]", "-", "–", "—", "--", "→", "=>", "|"], Tag.COMMA)
_MARKS |= {":": Tag.COLON, "/": Tag.OR}
_PROSE = {Tag.NUMBER: "N", Tag.ORDINAL: "O", Tag.RANGE: "R", Tag.PATTERN: "P"}
_PROSE |= {Tag.QUOTATION: "Q", Tag.KEYWORDS: "Q"}
_DASHES = "-–—"
_JOINTS = ("and", "or", "but", "while")
_OF_TOKENS = {
    "number": Tag.NUMBER,
    "ordinal": Tag.ORDINAL,
    "quotation": Tag.QUOTATION,
    "pattern": Tag.PATTERN,
}

_SETS = {
    "JOINT": "COMMA AND OR",
    "BREAK": "COMMA AND OR BUT COLON",
    "UNIT": "WORD SENTENCE PARAGRAPH CHARACTER",
    "AMOUNT": "NUMBER RANGE",
    "RELATION": "FEWER MORE AT_MOST AT_LEAST EXACTLY ABOUT",
    "ITEM": "REFERENCE KEYWORDS DETAILS",
    "MARKER": """
        JOINT COLON RELATION OR_FEWER OR_MORE PER_SENTENCE PER_PART BETWEEN NUMBER_SIGN EVERYTHING ONE
        LAST OFF_LIMITS ADD NOT NO WITHOUT LIKEWISE TO GRADE
    """,
}
"""Sets of tags that patterns name like a tag."""
_PATTERNS = TagPatterns(Tag, _SETS)

tags = _PATTERNS.tags
TOPICS, ITEMS, BREAKS = tags("SENTENCE PARAGRAPH PART"), tags("ITEM"), tags("BREAK")


@cache
def pattern(text: str, **parts: str) -> re.Pattern[str]:
    """A pattern of tags (see `Tag`, `_SETS` and `TagPatterns`), ready to match the tags of a line.

    >>> line = "".join([Tag.NOT, Tag.AUX, Tag.KEEP])
    >>> pattern("NOT AUX? (verb: VERB)", VERB="KEEP | CHANGE").match(line)["verb"] == Tag.KEEP
    True
    """
    return _PATTERNS.compile(text, **parts)


@dataclass(frozen=True, slots=True)
class Chunk:
    """A word, a phrase, or something that a rule has recognised."""

    tag: str
    text: str
    start: int
    end: int
    value: object = None


@dataclass(frozen=True, eq=False)
class Line:
    """One sentence, list item or clause."""

    chunks: tuple[Chunk, ...]
    own: int = 0
    """Where its own text begins; an item of a list is read with its heading, which stands before."""
    ahead: Line | None = None
    """The line before it, which its pronouns and elliptic halves may go back to."""

    @cached_property
    def tags(self) -> str:
        """One tag a chunk."""
        return "".join(chunk.tag for chunk in self.chunks)

    @cached_property
    def topic(self) -> str:
        """The unit that the line ahead speaks of last, as a tag: "none of them" are its sentences."""
        ahead = self.ahead.tags[-WINDOW:] if self.ahead else ""
        return next((tag for tag in reversed(ahead) if tag in TOPICS), "")

    @cached_property
    def prose(self) -> str:
        """The words with N for a number, O for an ordinal, one space around each: for rules about wording."""
        return " " + " ".join(_PROSE.get(chunk.tag, chunk.text) for chunk in self.chunks) + " "

    @cached_property
    def _ends(self) -> list[int]:
        """Where each chunk ends in the prose, behind its space."""
        lengths = (len(_PROSE.get(chunk.tag, chunk.text)) + 1 for chunk in self.chunks)
        return list(accumulate(lengths, initial=1))[1:]

    def within(self, match: re.Match[str]) -> tuple[int, int]:
        """The chunks that a match in the prose covers."""
        start = match.start() + (match.string[match.start()] == " ")
        end = bisect_left(self._ends, match.end()) + 1
        return bisect_right(self._ends, start), min(end, len(self.chunks))

    def before(self, at: int, size: int = WINDOW) -> str:
        """The tags before a place, as far as they can bear on it."""
        return self.tags[max(0, at - size) : at]

    def after(self, at: int) -> str:
        """The tags behind a place, as far as they can bear on it."""
        return self.tags[at + 1 : at + 1 + WINDOW]

    def words_before(self, at: int) -> str:
        """The words before a place, as far as they can bear on it."""
        return self.words(at - _NEAR, at)

    def words_after(self, at: int) -> str:
        """The words behind a place, as far as they can bear on it."""
        return self.words(at + 1, at + 1 + _NEAR)

    def words(self, start: int, end: int) -> str:
        """The words of some chunks, in lower case."""
        return " ".join(chunk.text for chunk in self.chunks[max(start, 0) : end])


@dataclass(frozen=True, slots=True)
class Found:
    """A constraint and the chunks of its line that say it."""

    constraint: Constraint
    start: int
    end: int
    partial: bool = False
    """Whether the words say more than the constraint does, and so stay in the style part as well."""


@dataclass(frozen=True, slots=True)
class Read:
    """The value of a chunk that is a demand as it stands, so that its numbers are taken for nothing else."""

    constraints: tuple[Constraint, ...]


def read_rules(line: Line) -> Iterator[Found]:
    """The demands that were folded into chunks."""
    for at, chunk in enumerate(line.chunks):
        if isinstance(chunk.value, Read):
            yield from (Found(constraint, at, at + 1) for constraint in chunk.value.constraints)


def chunked(tokens: Sequence[Token], own: int = 0, ahead: Line | None = None) -> Line:
    """The chunks of a line's tokens."""
    words = [token.text if token.kind in ("word", "mark") else "" for token in tokens]
    chunks: list[Chunk] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        size, tag = (1, _OF_TOKENS.get(token.kind, Tag.OTHER))
        if token.kind in ("word", "mark"):
            size, tag = longest(words, at)
            if size > 1 and _parts(tag, tokens[at + size - 1], tokens[at + size : at + size + 1]):
                size, tag = longest(words[at : at + 1], 0)
            if token.kind == "mark" and size == 1:
                tag = _MARKS.get(token.text, tag)
                if tag == Tag.COMMA and token.text in _DASHES and _between_numbers(tokens, at):
                    tag = Tag.TO
        last = tokens[at + size - 1]
        value = token.value if size == 1 else None
        chunks.append(
            Chunk(tag, " ".join(t.text for t in tokens[at : at + size]), token.start, last.end, value)
        )
        at += size
    return Line(tuple(chunks), own, ahead)


def _parts(tag: str, last: Token, following: Sequence[Token]) -> bool:
    """Whether what follows parts a phrase: "8 or more | than 12", "so do | not touch it"."""
    if not following:
        return False
    if tag == Tag.UNCHANGED and last.text.endswith(("ing", "change", "changes", "edits", "tion", "tions")):
        # "without changes to sentence 3", "without editing sentence 3"
        return following[0].text in ("to", "in") or (
            last.text.endswith("ing") and following[0].kind == "word" and following[0].text not in _JOINTS
        )
    if tag == Tag.LIKEWISE:
        return following[0].text in ("not", "be", "never", "you", "n't")
    if tag == Tag.REMAIN:
        return following[0].text == "excess"  # "make it | in excess of 300 words"
    if tag in (Tag.OR_FEWER, Tag.OR_MORE):
        return following[0].text in ("than", "to") or following[0].kind == "number"
    return False


def _between_numbers(tokens: Sequence[Token], at: int) -> bool:
    """Whether a dash at a place means "to": `250–300`, `2nd-4th`."""
    around = tokens[max(at - 1, 0) : at + 2]
    return len(around) == 3 and around[0].kind == around[2].kind and around[0].kind in ("number", "ordinal")


def fold(line: Line, pattern: re.Pattern[str], build: Callable[[Line, re.Match[str]], Chunk | None]) -> Line:
    """The line with every match that `build` makes a chunk of in one piece."""
    chunks: list[Chunk] = []
    done = at = 0
    while match := pattern.search(line.tags, at):
        made = build(line, match) if match.end() > match.start() else None
        if made is None:
            at = match.start() + 1
            continue
        chunks += line.chunks[done : match.start()]
        chunks.append(made)
        done = at = match.end()
    if not done:
        return line
    return replace(line, chunks=(*chunks, *line.chunks[done:]))


def joined(line: Line, start: int, end: int, tag: str, value: object) -> Chunk:
    """One chunk in place of several."""
    part = line.chunks[start:end]
    return Chunk(tag, line.words(start, end), part[0].start, part[-1].end, value)
