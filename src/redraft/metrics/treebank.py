"""Words as the Penn Treebank splits them, and the way back, with NLTK 3.7's rules.

EditEval tokenises for GLEU and iBLEU with NLTK's `word_tokenize`, and normalises what it scores with NLTK's
detokeniser, both of release 3.7. Later releases changed the rules for apostrophes, dashes and full stops,
which moves GLEU in the second decimal; so the rules of that release are written out here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

_WORDS = 2**17
_TEXTS = 2**14

Rule = tuple[re.Pattern[str], str]


def _rules(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


_OPENING = _rules(
    (r"([«“‘„]|`+)", r" \1 "),
    (r'^"', "``"),
    (r"(``)", r" \1 "),
    (r"""([ (\[{<])("|'')""", r"\1 `` "),
    (r"(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"\1 \2"),
)
_MARKS = _rules(
    (r"""([^.])(\.)([\])}>"'»”’ ]*)\s*$""", r"\1 \2 \3 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&]", r" \g<0> "),
    (r"""([^.])(\.)([\])}>"']*)\s*$""", r"\1 \2\3 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"\*", r" \g<0> "),
    (r"[\]\[(){}<>]", r" \g<0> "),
    (r"--", " -- "),
)
_CLOSING = _rules(
    (r"([»”’])", r" \1 "),
    (r"''", " '' "),
    (r'"', " '' "),
    (r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_CONTRACTED = ("can|not", "d|'ye", "gim|me", "gon|na", "got|ta", "lem|me", "more|'n")
_CONTRACTIONS = _rules(
    *((rf"(?i)\b({first})({second})\b", r" \1 \2 ") for first, second in (c.split("|") for c in _CONTRACTED)),
    (r"(?i)\b(wan)(na)(?=\s)", r" \1 \2 "),
    (r"(?i) ('t)(is|was)\b", r" \1 \2 "),
)

_ODD_SPACE = re.compile(r"[^\S ]")
_MAY_END_SENTENCE = re.compile(r"""[.!?](?=[\s)";}\]*:@'({\[!?])""")
_CLOSERS = frozenset("])}>\"'»”’")
_CONTRACTED_WORDS = frozenset({"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"})


@lru_cache(maxsize=_TEXTS)
def treebank_words(text: str) -> tuple[str, ...]:
    """The words and marks of a text, sentence by sentence.

    >>> treebank_words("He can't, can he? I'd say so.")
    ('He', 'ca', "n't", ',', 'can', 'he', '?', 'I', "'d", 'say', 'so', '.')
    """
    sentences = _punkt().tokenize(text) if _MAY_END_SENTENCE.search(text) else (text,)
    return tuple(word for sentence in sentences for word in _sentence(sentence))


def _sentence(sentence: str) -> list[str]:
    """The words of one sentence.

    But for the first and the last word, no rule sees more of its neighbours than a space: inner words are
    split once and remembered. A sentence with other white space, or that ends in closing marks alone (which
    reach back to a full stop before them), goes through the rules as a whole.
    """
    words = sentence.split()
    if len(words) < 2 or _ODD_SPACE.search(sentence) or _CLOSERS.issuperset(words[-1]):
        return _apply(sentence)
    first = _inner if sentence[0] == " " else _first
    found = [*first(words[0])]
    for word in words[1:-1]:
        found += _inner(word)
    found += _last(words[-1])
    return found


@lru_cache(maxsize=_WORDS)
def _inner(word: str) -> tuple[str, ...]:
    if _is_plain(word):
        return (word,)
    if word[-1] in ".," and _is_plain(word[:-1]):
        return (word[:-1], ",") if word[-1] == "," else (word,)
    return tuple(_apply(f"a {word} a")[1:-1])


@lru_cache(maxsize=_WORDS)
def _first(word: str) -> tuple[str, ...]:
    return tuple(_apply(f"{word} a")[:-1]) if word[0] in "\"'`" else _inner(word)


@lru_cache(maxsize=_WORDS)
def _last(word: str) -> tuple[str, ...]:
    if word[-1] == "." and _is_plain(word[:-1]):
        return (word[:-1], ".")
    return tuple(_apply(f"a {word}")[1:])


def _is_plain(word: str) -> bool:
    return word.isalnum() and word.lower() not in _CONTRACTED_WORDS


def _apply(text: str) -> list[str]:
    text = _rewrite(_MARKS, _rewrite(_OPENING, text))
    return _rewrite(_CONTRACTIONS, _rewrite(_CLOSING, f" {text} ")).split()


def _rewrite(rules: Iterable[Rule], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


@lru_cache(maxsize=1)
def _punkt() -> Any:
    from redraft.constraints.counting import _punkt as punkt  # noqa: PLC0415  (NLTK takes a while to import)

    return punkt()


# The way back: what EditEval does to inputs, predictions and references before it scores them.

_REJOINED = _rules(
    (r"(?i) ('t)\s(is)\b", r"\1\2"),
    (r"(?i) ('t)\s(was)\b", r"\1\2"),
    *((rf"(?i)\b({first})\s({second})\b", r"\1\2") for first, second in (c.split("|") for c in _CONTRACTED)),
    (r"(?i)\b(wan)\s(na)(?=\s)", r"\1\2"),
    (r"([^' ])\s('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1\2 "),
    (r"([^' ])\s('[sSmMdD]|') ", r"\1\2 "),
    (r"(\S)\s('')", r"\1\2"),
    (r"('')\s([.,:)\]>};%])", r"\1\2"),
    (r"''", '"'),
)
_CLOSED_UP = _rules(
    (r" -- ", "--"),
    (r"([\[({<])\s", r"\1"),
    (r"\s([\])}>])", r"\1"),
    (r"([\])}>])\s([:;,.])", r"\1\2"),
    (r"([^'])\s'\s", r"\1' "),
    (r"\s([?!])", r"\1"),
    (r"""([^.])\s(\.)([\])}>"']*)\s*$""", r"\1\2\3"),
    (r"([#$])\s", r"\1"),
    (r"\s([;%])", r"\1"),
    (r"\s\.\.\.\s", "..."),
    (r"\s([:,])", r"\1"),
    (r"([ (\[{<])\s``", r"\1``"),
    (r"(``)\s", r"\1"),
    (r"``", '"'),
)
_MAY_REJOIN = re.compile(
    r"""\s(?:[\])}>?!;%:,.'`]|--\s|[nN]'[tT]\s|(?<=[NnMmTt]\s)(?i:not|me|na|ta)\b)|[\[({<#$]\s|''|``"""
)


def editeval_normalise(text: str) -> str:
    """A text as EditEval compares it: split at spaces, joined again by the Treebank's rules.

    >>> editeval_normalise("Well , he ca n't ( or wo n't ) .")
    "Well, he can't (or won't)."
    """
    # Nearly every text is joined already, and one look is cheaper than all the rules.
    if not _MAY_REJOIN.search(text):
        return text.strip()
    return _rewrite(_CLOSED_UP, _rewrite(_REJOINED, text).strip()).strip()
