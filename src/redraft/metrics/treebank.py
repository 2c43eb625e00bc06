"""Words as EditEval's metrics see them, and the way back from words to a text, with NLTK 3.7's rules.

EditEval tokenises for GLEU and iBLEU with NLTK's `word_tokenize`, and normalises what it scores with NLTK's
detokeniser, both of release 3.7. Later releases changed the rules for apostrophes, dashes and full stops,
which moves GLEU in the second decimal; so the rules of that release are written out, here and in
`redraft.text.treebank`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from redraft.constraints import english_punkt
from redraft.text import CONTRACTED, NLTK_3_7

_TEXTS = 2**14

_MAY_END_SENTENCE = re.compile(r"""[.!?](?=[\s)";}\]*:@'({\[!?])""")

Rule = tuple[re.Pattern[str], str]


@lru_cache(maxsize=_TEXTS)
def treebank_words(text: str) -> tuple[str, ...]:
    """The words and marks of a text, sentence by sentence.

    >>> treebank_words("He can't, can he? I'd say so.")
    ('He', 'ca', "n't", ',', 'can', 'he', '?', 'I', "'d", 'say', 'so', '.')
    """
    if not _MAY_END_SENTENCE.search(text):
        return tuple(NLTK_3_7.words(text))
    sentences = english_punkt().spans(text)
    return tuple(word for start, end in sentences for word in NLTK_3_7.words(text[start:end]))


# The way back: what EditEval does to inputs, predictions and references before it scores them.


def _rules(*pairs: tuple[str, str]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern), replacement) for pattern, replacement in pairs)


_REJOINED = _rules(
    (r"(?i) ('t)\s(is)\b", r"\1\2"),
    (r"(?i) ('t)\s(was)\b", r"\1\2"),
    *((rf"(?i)\b({first})\s({second})\b", r"\1\2") for first, second in (c.split("|") for c in CONTRACTED)),
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


def _rewrite(rules: Iterable[Rule], text: str) -> str:
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text
