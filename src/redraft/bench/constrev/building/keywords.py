"""Words that an instruction may name: content words that both counting conventions count alike."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from redraft.constraints import read
from redraft.text import Document
from redraft.text.tagging import tagged

_CONTENT: Final = frozenset({"NN", "NNS", "NNP", "JJ"})
_WORD: Final = re.compile(r"[A-Za-z]{4,14}")
_DULL: Final = frozenset(
    [
        "able",
        "about",
        "above",
        "after",
        "again",
        "also",
        "another",
        "anything",
        "away",
        "back",
        "being",
        "best",
        "better",
        "both",
        "certain",
        "different",
        "each",
        "else",
        "enough",
        "even",
        "ever",
        "every",
        "everything",
        "fact",
        "first",
        "following",
        "former",
        "full",
        "good",
        "great",
        "half",
        "have",
        "having",
        "hers",
        "high",
        "himself",
        "herself",
        "instance",
        "itself",
        "kind",
        "large",
        "last",
        "latter",
        "least",
        "less",
        "little",
        "long",
        "many",
        "matter",
        "mine",
        "more",
        "most",
        "much",
        "next",
        "none",
        "nothing",
        "number",
        "other",
        "others",
        "ours",
        "part",
        "rest",
        "same",
        "second",
        "several",
        "similar",
        "small",
        "something",
        "sort",
        "such",
        "that",
        "their",
        "them",
        "themselves",
        "then",
        "there",
        "these",
        "they",
        "thing",
        "things",
        "this",
        "those",
        "time",
        "times",
        "total",
        "various",
        "very",
        "what",
        "whether",
        "which",
        "while",
        "whole",
        "with",
        "words",
        "word",
        "yours",
        "sentence",
        "sentences",
        "text",
    ]
)
"""Words that a tagger takes for nouns and adjectives, and that nobody would name in an instruction."""


@dataclass(frozen=True, slots=True)
class Term:
    """A content word as it is best written, and how often it occurs."""

    word: str
    count: int


def terms(text: str) -> tuple[Term, ...]:
    """The content words of a text that no longer word of it contains, in the order of their first use."""
    written: dict[str, Counter[str]] = {}
    for sentence in Document(text).sentences:
        for token in tagged(sentence.text):
            if token.tag in _CONTENT and _WORD.fullmatch(token.text) and token.text.lower() not in _DULL:
                written.setdefault(token.text.lower(), Counter())[token.text] += 1
    found = (Term(_spelling(forms), count) for forms in written.values() if (count := _count(text, forms)))
    return tuple(term for term in found if term.count)


def occurrences(text: str, word: str) -> int | None:
    """How often a word occurs, where the conventions agree on it; None where they do not."""
    whole = len(read(text, "default").occurrences(word))
    return whole if whole == text.lower().count(word.lower()) else None


def _count(text: str, forms: Counter[str]) -> int:
    return occurrences(text, next(iter(forms))) or 0


def _spelling(forms: Counter[str]) -> str:
    """A name as it is written; a word that also stands in lower case, in lower case."""
    lower = [form for form in forms if form.islower()]
    return lower[0] if lower else forms.most_common(1)[0][0]
