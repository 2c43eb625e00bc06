"""What of a text is not in the writer's own words: quotations, links and code."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from redraft.text.document import Document
from redraft.text.entities import links, quotations
from redraft.text.words import Span

CODE: Final = re.compile(r"`[^`]+`")
"""Code in the midst of a text."""
_OPENED: Final = re.compile(r"[“«][^“«”»]*\Z")
_CLOSED: Final = re.compile(r"\A[^“«]*[”»]")
"""A quotation that goes on in the next sentence, and one that comes from the last."""


def borrowed_spans(sentence: str) -> list[Span]:
    """The stretches of a sentence that are not its writer's."""
    found = [Span(one.start, one.end) for one in (*quotations(sentence), *links(sentence))]
    for pattern in (CODE, _OPENED, _CLOSED):
        found += [Span(*match.span()) for match in pattern.finditer(sentence)]
    return found


@lru_cache(maxsize=64)
def quoted_sentences(document: Document) -> frozenset[str]:
    """The sentences that stand in a quotation as a whole, without marks of their own to tell."""
    spans = quotations(document.view)
    return frozenset(
        sentence.text
        for sentence in document.sentences
        if any(one.start <= sentence.start and sentence.end <= one.end for one in spans)
    )
