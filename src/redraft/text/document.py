"""A text with its sentences, none of which is ever lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from redraft.errors import InputError
from redraft.text.formats import Format, check_format, reader_view, words_view
from redraft.text.letters import Aside, find_asides
from redraft.text.sentences import segment
from redraft.text.words import Span, count_words

BLANK_LINE: Final = re.compile(r"\n\s*\n")
_LIST_MARKER: Final = re.compile(r"^\s*(?:[-*•–]|\d{1,2}[.)])\s+")
_CLOSED_BY_MARK: Final = re.compile(r"[.!?:;,]['\"’”)\]]*$")
_HEADING_WORDS: Final = 12
"""A paragraph of fewer words that ends without a stop is a heading, and no sentence of the text."""
_MARKS: Final = re.compile(r"[ \t]*+(?:(?:#{1,6}|[-*+]|\d{1,9}[.)]|>|\\item)[ \t]*+)++")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and where it stands: `document.text[start:end]`.

    The number is its place; people do not count a greeting and a signature, and name the others by `counted`.
    """

    number: int
    text: str
    start: int
    end: int
    paragraph: int
    aside: Aside | None = None
    skipped: int = 0
    """How many lines of a greeting or a signature stand before it."""

    @property
    def counted(self) -> int:
        """The number by which people name it; 0 for a greeting and a signature."""
        return 0 if self.aside else self.number - self.skipped

    @property
    def name(self) -> str:
        """What to call it in a message: "sentence 3", "the greeting"."""
        return f"the {self.aside}" if self.aside else f"sentence {self.counted}"


class Document:
    """An immutable text; its sentences, with the gaps around them, always join to the text again."""

    def __init__(self, text: str, format: Format = "text") -> None:
        check_format(format)
        self._text = text
        self._format = format

    @property
    def text(self) -> str:
        """The whole text."""
        return self._text

    @property
    def format(self) -> Format:
        """How the text is marked up."""
        return self._format

    @cached_property
    def view(self) -> str:
        """What a reader sees, offset for offset: mark-up is blanked, and what counts as one word is one."""
        return reader_view(self._text, self._format)

    @cached_property
    def words_view(self) -> str:
        """The same with the cells of tables, where a word can be looked for."""
        return words_view(self._text, self._format) if "|" in self._text else self.view

    def is_in_table(self, place: int) -> bool:
        """Whether a character stands in a cell of a table, which is no part of a sentence and stays."""
        return self.view[place] != self.words_view[place]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences in their places, numbered from 1; a greeting and a signature are among them."""
        stretches = segment(self.view, marked_up=self._format != "text")
        asides = find_asides(self.view, stretches)
        found: list[Sentence] = []
        for index, (start, end, paragraph) in enumerate(stretches):
            skipped = sum(aside < index for aside in asides)
            text = self._text[start:end]
            found.append(Sentence(index + 1, text, start, end, paragraph, asides.get(index), skipped))
        return tuple(found)

    @cached_property
    def gaps(self) -> tuple[str, ...]:
        """What stands before, between and after the sentences: one more than there are sentences."""
        ends = [0, *(sentence.end for sentence in self.sentences)]
        starts = [*(sentence.start for sentence in self.sentences), len(self._text)]
        return tuple(self._text[end:start] for end, start in zip(ends, starts, strict=True))

    @cached_property
    def paragraphs(self) -> tuple[Span, ...]:
        """From the first to the last sentence of each paragraph."""
        spans: list[Span] = []
        for previous, sentence in zip((None, *self.sentences), self.sentences, strict=False):
            if previous is not None and previous.paragraph == sentence.paragraph:
                spans[-1] = Span(spans[-1].start, sentence.end)
            else:
                spans.append(Span(sentence.start, sentence.end))
        return tuple(spans)

    @cached_property
    def word_counts(self) -> tuple[int, ...]:
        """The words of each sentence, as a reader counts them."""
        view = self.view
        return tuple(count_words(view[sentence.start : sentence.end]) for sentence in self.sentences)

    @cached_property
    def words(self) -> int:
        """The words of the whole text: those of its sentences."""
        return sum(self.word_counts)

    def sentence(self, number: int) -> Sentence:
        """The sentence with that number."""
        return _numbered(self.sentences, number)

    def named(self, number: int) -> Sentence:
        """The sentence that people name by that number: a greeting and a signature have none."""
        return _numbered([sentence for sentence in self.sentences if not sentence.aside], number)

    def replace(self, sentences: Mapping[int, str]) -> Document:
        """The document with those sentences replaced; an empty one is dropped, and its gap closed."""
        for number in sentences:
            self.sentence(number)
        parts: list[str] = []
        gap = self.gaps[0]
        for sentence, after in zip(self.sentences, self.gaps[1:], strict=True):
            text = sentences.get(sentence.number, sentence.text)
            if text:
                parts += (gap, text)
                gap = after
            else:
                gap = close_gap(gap, after, first=not parts, last=sentence.number == len(self.sentences))
        parts.append(gap)
        return Document("".join(parts), self._format)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and (self._text, self._format) == (other._text, other._format)

    def __hash__(self) -> int:
        return hash((self._text, self._format))

    def __repr__(self) -> str:
        opening = self._text if len(self._text) <= 40 else self._text[:39] + "…"
        return f"Document({opening!r}, {self._format!r})"


def _numbered(sentences: Sequence[Sentence], number: int) -> Sentence:
    if not 1 <= number <= len(sentences):
        count = len(sentences)
        held = "no sentences" if not count else "1 sentence" if count == 1 else f"{count} sentences"
        raise InputError(f"sentence {number} is named, but the text has {held}")
    return sentences[number - 1]


def close_gap(before: str, after: str, *, first: bool, last: bool) -> str:
    """The one gap that is left where the sentence between two gaps is dropped."""
    if "\n" in after or last:
        # The mark of a list item or a heading goes with its only sentence.
        line = before.rfind("\n") + 1
        if _MARKS.fullmatch(before, line):
            before = before[:line]
    kept, going_on = before.rstrip(), after.lstrip()
    space, next_space = before[len(kept) :], after[: len(after) - len(going_on)]
    if first and not kept:
        chosen = space
    elif (last and not going_on) or next_space.count("\n") > space.count("\n"):
        chosen = next_space
    elif "\n" in space and "\n" in next_space:
        # The line that follows keeps its indent: it may be an item of a list within a list.
        chosen = space[: space.rfind("\n") + 1] + next_space[next_space.rfind("\n") + 1 :]
    else:
        chosen = space
    return kept + chosen + going_on


def join_paragraphs(text: str) -> str:
    """The text as one paragraph, without headings and list markers.

    The published checker sees no end of a sentence at a line break, so that only in a running text do both
    counting conventions number the sentences alike.
    """
    blocks = (" ".join(_lines_of(block)) for block in BLANK_LINE.split(text))
    return " ".join(block for block in blocks if block and not _is_heading(block))


def _lines_of(block: str) -> Iterator[str]:
    for line in block.splitlines():
        if words := _LIST_MARKER.sub("", line).split():
            yield " ".join(words)


def _is_heading(block: str) -> bool:
    return count_words(block) < _HEADING_WORDS and not _CLOSED_BY_MARK.search(block)
