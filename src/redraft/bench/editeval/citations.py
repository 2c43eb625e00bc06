"""Reference material of the updating task: how a document reads, and which of them a target cites."""

from __future__ import annotations

import re
from collections.abc import Iterable

from redraft.bench.editeval.source import DOCUMENTS

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
