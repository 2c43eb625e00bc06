"""Words that an instruction may name: content words that both counting conventions count alike."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from redraft.constraints import Reading
from redraft.text import list_lines, tagged

_CONTENT: Final = frozenset({"NN", "NNS", "NNP", "JJ"})
_WORD: Final = re.compile(r"[A-Za-z]{4,14}")


@dataclass(frozen=True, slots=True)
class Term:
    """A content word as it is best written, and how often it occurs."""

    word: str
    count: int


def terms(reading: Reading) -> tuple[Term, ...]:
    """The content words of a text that no longer word of it contains, in the order of their first use."""
    written: dict[str, Counter[str]] = {}
    for sentence in reading.sentences:
        # What begins a sentence is written large and often taken for a name: "Keep it dry."
        for token in [token for token in tagged(sentence.text) if token.text[0].isalnum()][1:]:
            if token.tag in _CONTENT and _WORD.fullmatch(token.text) and token.text.lower() not in _dull():
                written.setdefault(token.text.lower(), Counter())[token.text] += 1
    found = (Term(_spelling(forms), occurrences(reading, word) or 0) for word, forms in written.items())
    return tuple(term for term in found if term.count)


def occurrences(reading: Reading, word: str) -> int | None:
    """How often a word occurs in a text, where the conventions agree on it; None where they do not."""
    anywhere = reading.text.lower().count(word.lower())
    return anywhere if not anywhere or anywhere == len(reading.occurrences(word)) else None


@lru_cache(maxsize=1)
def _dull() -> frozenset[str]:
    """Words that a tagger takes for nouns and adjectives, and that nobody would name in an instruction."""
    return frozenset(word for line in list_lines(__package__, "dull.txt") for word in line.split())


def _spelling(forms: Counter[str]) -> str:
    """A name as it is written; a word that also stands in lower case, in lower case."""
    lower = [form for form in forms if form.islower()]
    return lower[0] if lower else forms.most_common(1)[0][0]
