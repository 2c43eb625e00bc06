"""The updating task: how reference material reads and is cited, and what is done to a text before scoring."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from redraft.bench.editeval.facts import DOCUMENTS

_LABELLED_LINK = re.compile(r"\[\[[^|\]]+\|([^\]]+)\]\]")
_DROPPED_LINK = re.compile(r"\[\[Category[^\]]+\]\]|\[\[\[REF[^\]]+\]\]\]")
_BRACKETS_AND_QUOTES = re.compile(r"\[\[|\]\]|'''|''")
_HEADING = re.compile(r"^\s*==.*$\n?", re.MULTILINE)
_LOOSE = re.compile(r" (?=[.,?!]|n't|'(?:[ms]|ve|re| ))|(?<= ') ")


def without_citations(text: str, documents: int) -> str:
    """The text without the marks that point at its documents: [0] or (0), [1] or (1), and so on."""
    if not documents:
        return text
    number = "|".join(map(str, range(documents)))
    return re.sub(rf"\s*(?:\[(?:{number})\]|\((?:{number})\))", "", text)


def without_wikitext(text: str) -> str:
    """The text of a Wikipedia article without its markup: links, emphasis, categories, headings."""
    text = _DROPPED_LINK.sub("", text)
    text = _LABELLED_LINK.sub(r"\1", text)
    return _HEADING.sub("", _BRACKETS_AND_QUOTES.sub("", text))


def normalise_spaces(text: str) -> str:
    """One form for what looks alike: NFKC, single spaces, none before punctuation.

    EditEval sends the texts of its updating task through T5's tokenizer and back, which does this and loses
    the characters that T5 has no piece for; those are kept here.
    """
    return _LOOSE.sub("", " ".join(unicodedata.normalize("NFKC", text).split()))


_MARK = re.compile(r"\s*\((\d+)\)")


def document(title: str | None, text: str) -> str:
    """A document as Figure 2 shows it: `Barack Obama | Barack Hussein Obama II is …`."""
    return f"{title.replace('_', ' ')} | {text.strip()}" if title else text.strip()


def kept(numbers: Iterable[int]) -> dict[int, int]:
    """The new numbers of the documents that are cited, three at most, in their old order."""
    first = list(dict.fromkeys(numbers))[:DOCUMENTS]
    return {old: new for new, old in enumerate(sorted(first))}


def cited(target: str, documents: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The target with its marks (4) renumbered as [0], and only the documents it cites, three at most.

    A number in brackets that is no document's, a year say, is left alone.
    """
    numbers = (int(match[1]) for match in _MARK.finditer(target))
    new = kept(number for number in numbers if number < len(documents))

    def renumbered(match: re.Match[str]) -> str:
        number = int(match[1])
        if number >= len(documents):
            return match[0]
        return f" [{new[number]}]" if number in new else ""

    return _MARK.sub(renumbered, target).strip(), tuple(documents[number] for number in new)
