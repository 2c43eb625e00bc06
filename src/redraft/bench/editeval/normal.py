"""What EditEval does to a text before it is shown or scored."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache

from nltk.tokenize.treebank import TreebankWordDetokenizer

# The published data and numbers were made with NLTK as it stood in 2022. Since then it takes the space out of
# `said, "yes"` and of every ` .`, not only the last; these are its rules of that time.
_ENDING_QUOTES = (
    (r"([^' ])\s('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1\2 "),
    (r"([^' ])\s('[sS]|'[mM]|'[dD]|') ", r"\1\2 "),
    (r"(\S)\s('')", r"\1\2"),
    (r"('')\s([.,:)\]>};%])", r"\1\2"),
    (r"''", '"'),
)
_PUNCTUATION = (
    (r"([^'])\s'\s", r"\1' "),
    (r"\s([?!])", r"\1"),
    (r"([^.])\s(\.)([\])}>\"']*)\s*$", r"\1\2\3"),
    (r"([#$])\s", r"\1"),
    (r"\s([;%])", r"\1"),
    (r"\s\.\.\.\s", "..."),
    (r"\s([:,])", r"\1"),
)

_LABELLED_LINK = re.compile(r"\[\[[^|\]]+\|([^\]]+)\]\]")
_DROPPED_LINK = re.compile(r"\[\[Category[^\]]+\]\]|\[\[\[REF[^\]]+\]\]\]")
_BRACKETS_AND_QUOTES = re.compile(r"\[\[|\]\]|'''|''")
_HEADING = re.compile(r"^\s*==.*$\n?", re.MULTILINE)
_LOOSE = re.compile(r" (?=[.,?!]|n't|'(?:m|s|ve|re)\b)")


def detokenise(text: str) -> str:
    """Put Treebank tokens together again: `do n't .` becomes `don't.`"""
    put_together: str = _detokenizer()(text.split(" "))
    return put_together


@cache
def _detokenizer() -> Callable[[list[str]], str]:
    detokenizer = TreebankWordDetokenizer()
    detokenizer.ENDING_QUOTES = [(re.compile(pattern), text) for pattern, text in _ENDING_QUOTES]
    detokenizer.PUNCTUATION = [(re.compile(pattern), text) for pattern, text in _PUNCTUATION]
    method: Callable[[list[str]], str] = detokenizer.detokenize
    return method


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
