"""The named parts of a text: its title, headings, sections, paragraphs, lists, equations and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final, NamedTuple

from redraft.text.document import Document, Sentence
from redraft.text.entities import quotations
from redraft.text.formats import find_markup
from redraft.text.letters import match_greeting
from redraft.text.word_lists import word_sets
from redraft.text.words import Span, count_words

_HEADING_WORDS: Final = 12
"""A paragraph of fewer words that ends without a stop is a heading, where a paragraph of prose follows."""
_TITLE_WORDS: Final = 16
"""Longer words of a title, which may have more words than other headings."""
_SMALL: Final = 4
"""Letters of a word that may be small in a title: "with", "from"."""
_SMALL_WORDS: Final = re.compile(
    "about|above|across|after|against|along|among|around|before|behind|below|beneath|beside|between|beyond"
    "|during|inside|outside|since|through|under|until|within|without|while"
)
"""Longer words that a title often has without a capital."""
_STOPPED: Final = re.compile(r"[.!?:;,…]['\"’”)\]*_]*\Z")
_HASHES: Final = re.compile(r"[ ]{0,3}(#{1,6})[ \t]+\Z")
_UNDERLINE: Final = re.compile(r"[ \t]*#*[ \t]*\r?\n[ ]{0,3}(=+|-{2,})[ \t]*(?=\r?\n|\Z)")
_LEVELS: Final = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")
_COMMAND: Final = re.compile(rf"\\({'|'.join(_LEVELS)})\*?\s*(?:\[[^\]\n]{{0,200}}\])?\s*\{{\s*\Z")
_TITLE: Final = re.compile(r"\\title\*?\s*(?:\[[^\]\n]{0,200}\])?\s*\{((?:[^{}]|\{[^{}]*\}){1,1000})\}")
_LISTS: Final = re.compile(r"\\(begin|end)\s*\{(?:itemize|enumerate|description)\*?\}")
_ABSTRACT: Final = re.compile(r"\\begin\{abstract\}(.{0,20000}?)\\end\{abstract\}", re.DOTALL)
_ITEM: Final = re.compile(r"[ \t>]*(?:[-*+•◦▪‣–]|\(?(?:\d{1,3}|[a-z])[.)])[ \t]+(?=\S)")
_NUMBERING: Final = re.compile(r"(?:#{1,6}\s+)?(?:(?:\d{1,2}|[IVX]{1,5}|[A-Z])(?:\.\d{1,2})*[.)]?\s+)?")
_DISPLAYS: Final = "|".join(sorted(word_sets(__package__, "latex.txt")["displays"]))
_EQUATION: Final = re.compile(rf"\$|\\[(\[]|\\begin\{{(?:{_DISPLAYS})\*?\}}")
_CODE: Final = re.compile(
    r"[ \t>]*(?:`|~~~)|[ ]{4}|\t|\\(?:verb|lstinline|mintinline)\b|<pre\b"
    r"|\\begin\{(?:verbatim|Verbatim|lstlisting|minted|listing)\*?\}"
)
_PLAIN_CODE: Final = re.compile(r"```.{1,20000}?```|`[^`\n]{1,300}`", re.DOTALL)
_PLAIN_EQUATION: Final = re.compile(r"\$\$[^$]{1,2000}\$\$|\$(?![\s\d])[^$\n]{1,300}(?<!\s)\$(?!\d)")


class Heading(NamedTuple):
    """A heading, and how deep it is: 1 for the highest."""

    sentence: Sentence
    level: int

    @property
    def name(self) -> str:
        """Its words without a number ahead of them, in lower case."""
        return _named(self.sentence.text)


def _named(text: str) -> str:
    bare = _NUMBERING.sub("", " ".join(text.split()), count=1)
    return bare.strip("*_`#:. ").casefold()


@lru_cache(maxsize=256)
def find_headings(document: Document) -> tuple[Heading, ...]:
    """The headings, the title of a text among them."""
    return tuple(_headings(document))


def _headings(document: Document) -> Iterator[Heading]:
    text = document.text
    if document.format == "text":
        yield from _plain_headings(document)
        return
    for sentence in document.sentences:
        line = text[text.rfind("\n", 0, sentence.start) + 1 : sentence.start]
        if document.format == "latex":
            command = _COMMAND.search(text, max(0, sentence.start - 300), sentence.start)
            if command:
                yield Heading(sentence, _LEVELS.index(command[1]) + 1)
        elif hashes := _HASHES.fullmatch(line):
            yield Heading(sentence, len(hashes[1]))
        elif not line.strip() and (underline := _UNDERLINE.match(text, sentence.end)):
            yield Heading(sentence, 1 if underline[1][0] == "=" else 2)


def _plain_headings(document: Document) -> Iterator[Heading]:
    """In a text without mark-up: short lines that end without a stop, ahead of a paragraph of prose."""
    groups = [list(group) for _, group in groupby(document.sentences, key=lambda one: one.paragraph)]
    short = [len(group) == 1 and _is_short(group[0]) for group in groups]
    if groups and len(groups[0]) == 1:
        short[0] = short[0] or _is_title(groups[0][0])
    marks = [_ITEM.match(group[0].text) for group in groups]
    # Numbers are alike, whatever they are; a dash and a star are not.
    listed = [
        "1" if mark and mark[0].strip()[0].isalnum() else mark[0].strip() if mark else "" for mark in marks
    ]
    for place, group in enumerate(groups):
        prose = any(not one for one in short[place + 1 : place + 3])
        beside = listed[max(place - 1, 0) : place] + listed[place + 1 : place + 2]
        in_list = listed[place] != "" and listed[place] in beside
        if short[place] and prose and not in_list:
            hashes = re.match(r"#{1,6}(?=\s)", group[0].text)
            yield Heading(group[0], len(hashes[0]) if hashes else 1)


def _is_short(sentence: Sentence) -> bool:
    text = sentence.text
    few = "\n" not in text and 0 < count_words(text) < _HEADING_WORDS
    return few and not sentence.aside and not _STOPPED.search(text) and not text[0].islower()


def _is_title(sentence: Sentence) -> bool:
    """Whether a line is written like a title, however long: its longer words have capitals, and no stop."""
    words = [
        word for word in sentence.text.split() if len(word) > _SMALL and not _SMALL_WORDS.fullmatch(word)
    ]
    capitals = sum(word[0].isupper() for word in words)
    few = "\n" not in sentence.text and 1 < len(words) <= _TITLE_WORDS
    return few and not sentence.aside and capitals == len(words) and not _STOPPED.search(sentence.text)


def prose_paragraphs(document: Document) -> tuple[Span, ...]:
    """The paragraphs as people count them: no headings, no greeting and no signature, if there are others."""
    apart = {heading.sentence.number for heading in find_headings(document)}
    spans = document.paragraphs
    groups = [list(group) for _, group in groupby(document.sentences, key=lambda one: one.paragraph)]
    prose = [
        span
        for span, group in zip(spans, groups, strict=True)
        if not all(one.aside or one.number in apart for one in group)
    ]
    return tuple(prose) or spans


def find_title(document: Document) -> tuple[Span, ...]:
    """The title: a heading ahead of everything else, or what LaTeX has for one."""
    if document.format == "latex" and (title := _TITLE.search(document.text)):
        return (Span(*title.span(1)),)
    first = document.sentences[:1]
    return tuple(
        Span(one.sentence.start, one.sentence.end)
        for one in find_headings(document)[:1]
        if first == (one.sentence,)
    )


def find_section(document: Document, name: str) -> tuple[Span, ...]:
    """What stands under a heading of that name, up to the next of its level; its heading is not in it."""
    headings = find_headings(document)
    wanted = _named(name)
    found = [place for place, one in enumerate(headings) if one.name == wanted] or [
        place
        for place, one in enumerate(headings)
        if re.search(rf"\b{re.escape(wanted.removesuffix('s'))}s?\b", one.name)
    ]
    if not found or not wanted:
        abstract = _ABSTRACT.search(document.text) if wanted == "abstract" else None
        return _covering(document, *abstract.span(1)) if abstract else ()
    heading, *after = headings[found[0] :]
    ends = [one.sentence.start for one in after if one.level <= heading.level]
    return _covering(document, heading.sentence.end, min(ends, default=len(document.text)))


def _covering(document: Document, start: int, end: int) -> tuple[Span, ...]:
    """From the first to the last sentence between two places."""
    inside = [one for one in document.sentences if start <= one.start < end and one.aside != "signature"]
    return (Span(inside[0].start, inside[-1].end),) if inside else ()


def list_mark(text: str) -> str:
    """What a text begins with as an item of a list; nothing where it is none.

    >>> list_mark("- one thing")
    '- '
    """
    found = _ITEM.match(text)
    return found[0] if found else ""


def find_items(document: Document) -> tuple[Span, ...]:
    """The items of lists, each with all the lines that belong to it."""
    text = document.text
    if document.format == "latex":
        return tuple(_latex_lists(text))
    headings = {text.rfind("\n", 0, one.sentence.start) + 1 for one in find_headings(document)}
    found: list[Span] = []
    in_item, blank = False, False
    for line in re.finditer(r"[^\n]+|\n(?=\n)", text):
        if not line.group().strip():
            blank = True
            continue
        is_prose = line.start() not in headings
        if is_prose and _ITEM.match(text, *line.span()) and re.search(r"\w", line.group()):
            found.append(Span(*line.span()))
            in_item = True
        elif is_prose and in_item and (not blank or line.group()[0] in " \t"):
            found[-1] = Span(found[-1].start, line.end())
        else:
            in_item = False
        blank = False
    return tuple(found)


def _latex_lists(text: str) -> Iterator[Span]:
    depth, start = 0, 0
    for match in _LISTS.finditer(text):
        if match[1] == "begin":
            start = start if depth else match.end()
            depth += 1
        elif depth:
            depth -= 1
            if not depth:
                yield Span(start, match.start())


def find_equations(document: Document) -> tuple[Span, ...]:
    """Maths, within the lines and between them."""
    return _pieces(document, _EQUATION, _PLAIN_EQUATION)


def find_code(document: Document) -> tuple[Span, ...]:
    """Code, within the lines and between them."""
    return _pieces(document, _CODE, _PLAIN_CODE)


def _pieces(document: Document, opening: re.Pattern[str], plain: re.Pattern[str]) -> tuple[Span, ...]:
    text = document.text
    if document.format == "text":
        return tuple(Span(*match.span()) for match in plain.finditer(text))
    pieces = (piece for piece in find_markup(text, document.format) if piece.masked)
    return tuple(Span(one.start, one.end) for one in pieces if opening.match(text, one.start, one.end))


def find_quotations(document: Document) -> tuple[Span, ...]:
    """What stands between quotation marks."""
    return tuple(Span(one.start, one.end) for one in quotations(document.view))


def find_greeting(document: Document) -> tuple[Span, ...]:
    """The greeting of a letter, on a line of its own or at the head of its first sentence."""
    found = _asides(document, "greeting")
    first = document.sentences[:1]
    if found or not first:
        return found
    match = match_greeting(document.text, first[0].start, first[0].end)
    return (Span(*match.span()),) if match else ()


def find_signature(document: Document) -> tuple[Span, ...]:
    """The signature of a letter, with the line that closes it."""
    return _asides(document, "signature")


def _asides(document: Document, aside: str) -> tuple[Span, ...]:
    own = [one for one in document.sentences if one.aside == aside]
    return (Span(own[0].start, own[-1].end),) if own else ()
