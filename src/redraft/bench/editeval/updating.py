"""What EditEval does to a text of the updating task before it is scored."""

from __future__ import annotations

import re
import unicodedata

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


def levelled(text: str) -> str:
    """One form for what looks alike: NFKC, single spaces, none before punctuation.

    EditEval sends the texts of its updating task through T5's tokenizer and back, which does this and loses
    the characters that T5 has no piece for; those are kept here.
    """
    return _LOOSE.sub("", " ".join(unicodedata.normalize("NFKC", text).split()))
