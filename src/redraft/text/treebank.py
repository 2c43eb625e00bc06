"""Words as the Penn Treebank splits them, by the rules of two releases of NLTK.

Published numbers rest on NLTK's word splitter, whose rules have changed: 3.7 is what EditEval scores with,
and 3.10 what `word_tokenize` does today. The two differ in three rules and in what they call a letter or a
space: 3.10 parts an opening apostrophe from any word and not only from a single letter, parts dashes off, and
takes any white space for a space where it looks for clitics.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import regex

CONTRACTED = ("can|not", "d|'ye", "gim|me", "gon|na", "got|ta", "lem|me", "more|'n")
"""Words that are two, and where they part; "wanna", "'tis" and "'twas" have rules of their own."""

_CONTRACTIONS = (
    *(re.compile(rf"(?i)\b({first})({second})\b") for first, second in (c.split("|") for c in CONTRACTED)),
    re.compile(r"(?i)\b(wan)(na)(?=\s)"),
    re.compile(r"(?i) ('t)(is|was)\b"),
)
_MAY_CONTRACT = re.compile(rf"(?i){'|'.join(c.replace('|', '') for c in CONTRACTED)}|wanna|'tis|'twas")
_CLOSERS = frozenset("])}>\"'»”’")

_WORDS = 2**17
_LONG = 64


class _Rule(NamedTuple):
    """A pattern and what replaces it, for texts that have one of the characters it needs."""

    needs: frozenset[str]
    pattern: re.Pattern[str]
    replacement: str


class _Remembered(dict[str, tuple[str, ...]]):
    """Words that were split before; long ones seldom come back, and are not kept."""

    def __init__(self, split: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self._split = split

    def __missing__(self, word: str) -> tuple[str, ...]:
        found = self._split(word)
        if len(word) <= _LONG:
            if len(self) >= _WORDS:
                self.clear()
            self[word] = found
        return found


class Treebank:
    """The rules of one release, and the words that they have split so far."""

    def __init__(
        self,
        engine: Callable[[str], Any],
        *,
        apostrophe: tuple[str, str],
        symbols: str,
        whole: str,
        clitic_spaces: Iterable[tuple[str, str, str]] = (),
    ) -> None:
        """The rules in which releases differ.

        `engine` compiles the patterns; `apostrophe` is the rule for opening apostrophes; `symbols` are the
        characters that stand alone; a sentence with a match of `whole` cannot be split word by word;
        `clitic_spaces` are rules for white space that come before those for clitics.
        """
        self._whole = re.compile(whole)
        self._marks = _rules(
            engine,
            ("«“‘„`", r"([«“‘„]|`+)", r" \1 "),
            ('"', r'^"', "``"),
            ('`"', r"(``)", r" \1 "),
            ("\"'", r"""([ (\[{<])("|'')""", r"\1 `` "),
            ("'", *apostrophe),
            # Possessive: giving spaces back one by one to the white space after them would be quadratic.
            (".", r"""([^.])(\.)([\])}>"'»”’ ]*+)\s*$""", r"\1 \2 \3 "),
            (":,", r"([:,])([^\d])", r" \1 \2"),
            (":,", r"([:,])$", r" \1 "),
            (".", r"\.{2,}", r" \g<0> "),
            (symbols, rf"[{symbols}]", r" \g<0> "),
            (".", r"""([^.])(\.)([\])}>"']*+)\s*$""", r"\1 \2\3 "),
            ("?!", r"[?!]", r" \g<0> "),
            ("'", r"([^'])' ", r"\1 ' "),
            ("*", r"\*", r" \g<0> "),
            ("()[]{}<>", r"[\]\[(){}<>]", r" \g<0> "),
            ("-", r"--", " -- "),
        )
        self._clitics = _rules(
            engine,
            ("»”’", r"([»”’])", r" \1 "),
            ("'", r"''", " '' "),
            ('"', r'"', " '' "),
            *clitic_spaces,
            ("'", r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
            ("'", r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
        )
        self._only = _Remembered(self._split_only)
        self._first = _Remembered(self._split_first)
        self._inner = _Remembered(self._split_inner)
        self._last = _Remembered(self._split_last)

    def words(self, sentence: str) -> list[str]:
        """The words and marks of one sentence.

        But for the first and the last word, no rule sees more of its neighbours than a space: inner words are
        split once and remembered. A sentence that ends in closing marks alone, which reach back to a full
        stop before them, goes through the rules as a whole; so do some with white space other than spaces.

        >>> NLTK_3_10.words("He can't, can he?")
        ['He', 'ca', "n't", ',', 'can', 'he', '?']
        """
        words = sentence.split()
        if len(words) < 2:
            return [*self._only[sentence]]
        if _CLOSERS.issuperset(words[-1]) or self._whole.search(sentence):
            return self.by_rules(sentence)
        inner = self._inner
        found = [*(inner if sentence[0].isspace() else self._first)[words[0]]]
        for word in words[1:-1]:
            found += inner[word]
        found += self._last[words[-1]]
        return found

    def by_rules(self, sentence: str) -> list[str]:
        """The same words, by all rules applied to the sentence at once."""
        met = set(sentence)
        text = _rewrite(self._clitics, f" {_rewrite(self._marks, sentence, met)} ", met)
        if _MAY_CONTRACT.search(text):
            for pattern in _CONTRACTIONS:
                text = pattern.sub(r" \1 \2 ", text)
        return text.split()

    def forget(self) -> None:
        """Drop the words remembered."""
        for words in (self._only, self._first, self._inner, self._last):
            words.clear()

    def _split_only(self, sentence: str) -> tuple[str, ...]:
        return (sentence,) if _is_plain(sentence) else tuple(self.by_rules(sentence))

    def _split_first(self, word: str) -> tuple[str, ...]:
        return tuple(self.by_rules(f"{word} a")[:-1]) if word[0] in "\"'`" else self._inner[word]

    def _split_inner(self, word: str) -> tuple[str, ...]:
        if _is_plain(word):
            return (word,)
        if word[-1] in ".," and _is_plain(word[:-1]):
            return (word[:-1], ",") if word[-1] == "," else (word,)
        return tuple(self.by_rules(f"a {word} a")[1:-1])

    def _split_last(self, word: str) -> tuple[str, ...]:
        if word[-1] == "." and _is_plain(word[:-1]):
            return (word[:-1], ".")
        return tuple(self.by_rules(f"a {word}")[1:])


def _rules(engine: Callable[[str], Any], *rules: tuple[str, str, str]) -> tuple[_Rule, ...]:
    return tuple(_Rule(frozenset(needs), engine(pattern), new) for needs, pattern, new in rules)


def _rewrite(rules: Iterable[_Rule], text: str, met: set[str]) -> str:
    for needs, pattern, replacement in rules:
        if not needs.isdisjoint(met):
            text = pattern.sub(replacement, text)
    return text


def _is_plain(word: str) -> bool:
    return word.isalnum() and not _MAY_CONTRACT.fullmatch(word)


NLTK_3_7 = Treebank(
    re.compile,
    apostrophe=(r"(?i)(')(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"\1 \2"),
    symbols=";@#$%&",
    whole=r"[^\S ]",
)
# Release 3.10 looks through `regex`, which knows other letters, digits and spaces than Python's `re`; only
# the contractions have stayed with `re`. Four separators are white space to `re` alone.
NLTK_3_10 = Treebank(
    regex.compile,
    apostrophe=(r"(?i)(?<!\w)(')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"\1 "),
    symbols=";@#$%&‒–—―",
    whole=r"""[\x1c-\x1f]|[^\S ](?=["'])""",
    clitic_spaces=[("'", r"\s+", " ")],
)
