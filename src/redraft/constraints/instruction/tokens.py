"""Words, numbers, quotations and marks of an instruction, with their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from .numbers import NUMBER_WORDS, figure, spelled
from .quotes import Quoted, quoted

_FOLD = str.maketrans("’‘ʼ\u00a0\u202f\u2009−‑‐", "'''   ---")

_TOKEN = re.compile(
    r"""
    (?P<figure> (?:\d{1,3}(?:,\d{3})+(?!\d) | \d+(?:\.\d+)?) (?P<suffix> [^\W\d_]+ | % )? )
  | (?P<abbreviation> (?:e\.g|i\.e|approx|max|min|no|nos|incl|vs|sent|para) \. (?=\s*[\da-z#]) )
  | (?P<tag> (?<!\w)[#@][^\W\d_]\w+ )
  | (?P<word> [^\W\d_]+ (?: '[^\W\d_]+ )* )
  | (?P<mark> <=|>=|=<|=>|--+|\.\.\.+|(?P<row> [^\s\w] )(?P=row){7,}|==|[^\s\w] )
  | (?P<newline> \r?\n\s* )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BULLET = re.compile(r"\s*(?:[-*•‣◦–—+]\s+|\(?\d{1,2}[.)]\s+|\(?[a-h]\)\s+|\[[ x]?\]\s+)+", re.IGNORECASE)
_CONTRACTIONS = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
    "it's": ("it", "is"),
    "that's": ("that", "is"),
}
_BARE_CONTRACTIONS = {
    word.replace("'", ""): (word[:-3], "not")
    for word in ("don't", "doesn't", "shouldn't", "mustn't", "isn't", "aren't", "needn't", "couldn't")
} | {"cant": ("can", "not")}
_ORDINAL_SUFFIXES = ("st", "nd", "rd", "th", "sts", "ths")
_GLUED = {"w": "words", "words": "words", "chars": "characters", "x": "times"}
_BEFORE_ONE = frozenset(["each", "every", "any", "that", "this", "which", "no", "not", "only"])
_LONGEST_WORD = 100
"""Rules look at no more of a word: what is longer is none that they know."""
_WRAPPED = 60
"""A line at least so long that ends without punctuation was wrapped; a shorter one was ended on purpose."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, quotation or mark; `text` is in lower case, `value` what it stands for."""

    kind: str  # word, number, ordinal, quotation, pattern, mark, end
    text: str
    start: int
    end: int
    value: float | str | None = None
    ends_sentence: bool = False


def tokenize(text: str) -> list[list[Token]]:
    """The lines of an instruction: its sentences, list items and clauses between semicolons."""
    lines: list[list[Token]] = [[]]
    for token in _joined_numbers(list(_tokens(text))):
        if token.kind == "end":
            lines.append([])
            continue
        lines[-1].append(token)
        if token.ends_sentence:
            lines.append([])
    return [line for line in lines if line]


def bullets(text: str) -> frozenset[int]:
    """Where the list items of the text begin, behind their bullets."""
    found: list[int] = [0]
    for start in (0, *(match.end() for match in re.finditer(r"\n\s*", text))):
        # A bullet takes those in the lines behind it along, where nothing stands between.
        if start >= found[-1] and (match := _BULLET.match(text, start)):
            found.append(match.end())
    return frozenset(found[1:])


def _tokens(text: str) -> Iterator[Token]:
    folded = text.translate(_FOLD)
    items = quoted(text)
    starts = [item.start for item in items]
    bullet = _BULLET.match(folded)
    at = bullet.end() if bullet else 0
    line_start = 0
    while at < len(text):
        index = bisect_right(starts, at) - 1
        if index >= 0 and starts[index] == at:
            yield _quotation(items[index])
            at = items[index].end
            continue
        limit = starts[index + 1] if index + 1 < len(starts) else len(text)
        match = _TOKEN.search(folded, at, limit)
        if match is None:
            at = limit
            continue
        at = match.end()
        if match.lastgroup == "newline":
            bullet = _BULLET.match(folded, at)
            if bullet or _ended(folded, line_start, match):
                yield Token("end", "\n", match.start(), match.end())
            line_start = at
            at = bullet.end() if bullet else at
            continue
        yield from _token(match, folded)


def _ended(text: str, line_start: int, newline: re.Match[str]) -> bool:
    line = text[line_start : newline.start()]
    following = text[newline.end() : newline.end() + 1]
    return (
        len(line) < _WRAPPED
        or newline.group().count("\n") > 1
        or line.rstrip().endswith((".", ":", ";", "!", "?"))
        or following.isupper()
    )


def _quotation(item: Quoted) -> Token:
    return Token(item.kind, '"', item.start, item.end, item.text, item.ends_sentence)


def _token(match: re.Match[str], text: str) -> Iterator[Token]:
    start, end, raw = match.start(), match.end(), (match["row"] or match.group()[:_LONGEST_WORD]).lower()
    if match["figure"]:
        yield from _figure(match)
    elif match["abbreviation"]:
        yield Token("word", raw, start, end)
    elif match["tag"]:
        yield Token("quotation", '"', start, end, match.group())
    elif match["word"]:
        for part in _parts(raw):
            yield Token("word", part, start, end)
    elif raw == "-" and start and text[start - 1].isalnum() and text[end : end + 1].isalpha():
        return  # inside a compound: "300-word", "word-for-word"
    elif raw in (";", "!", "?", "...") or (raw == "." and not text[end : end + 1].isalnum()):
        yield Token("end", raw, start, end)
    elif raw not in "*_":
        yield Token("mark", raw, start, end)


def _figure(match: re.Match[str]) -> Iterator[Token]:
    start, end, raw = match.start(), match.end(), match.group().lower()
    suffix = (match["suffix"] or "").lower()
    value = figure(raw.removesuffix(suffix) if suffix else raw)
    if value is None:
        yield Token("word", raw, start, end)
    elif suffix in _ORDINAL_SUFFIXES and value == int(value):
        yield Token("ordinal", raw, start, end, value)
    elif suffix == "k":
        yield Token("number", raw, start, end, value * 1000)
    elif suffix in _GLUED:
        yield Token("number", raw, start, end - len(suffix), value)
        yield Token("word", _GLUED[suffix], end - len(suffix), end)
    else:
        yield Token("word" if suffix else "number", raw, start, end, value)


def _parts(word: str) -> tuple[str, ...]:
    if word in _CONTRACTIONS:
        return _CONTRACTIONS[word]
    if word.endswith("n't"):
        return word[:-3], "not"
    if word in _BARE_CONTRACTIONS:
        return _BARE_CONTRACTIONS[word]
    for suffix, full in (("'re", "are"), ("'ll", "will"), ("'d", "would"), ("'ve", "have")):
        if word.endswith(suffix):
            return word.removesuffix(suffix), full
    return (word,)


def _pronoun(before: Token) -> bool:
    """Whether "one" behind a token is no number: "each one", "the second one"."""
    number = spelled([before.text])
    return before.kind == "ordinal" or before.text in _BEFORE_ONE or (number is not None and number[2])


def _unit_alone(tokens: list[Token], at: int) -> bool:
    """Whether "a single" at a place counts: "in a single paragraph", "as a single sentence"."""
    counted = [token.text for token in tokens[at + 2 : at + 5]]
    return "paragraph" in counted or (at > 0 and tokens[at - 1].text in ("as", "into"))


def _joined_numbers(tokens: list[Token]) -> Iterator[Token]:
    """The tokens with spelled-out numbers as one token each."""
    at = 0
    while at < len(tokens):
        token = tokens[at]
        read = None
        if token.kind == "word" and (token.text in NUMBER_WORDS or token.text in ("a", "an", "half")):
            ahead = []
            for following in tokens[at : at + 12]:
                if following.kind != "word":
                    break
                ahead.append(following.text)
            read = spelled(ahead)
            if ahead[1:2] == ["single"] and ahead[0] in ("a", "one") and _unit_alone(tokens, at):
                read = (1, 2, False)
        if token.text == "one" and at and _pronoun(tokens[at - 1]):
            read = None
        if read is None:
            yield token
            at += 1
            continue
        value, used, ordinal = read
        last = tokens[at + used - 1]
        words = " ".join(token.text for token in tokens[at : at + used])
        yield Token("ordinal" if ordinal else "number", words, token.start, last.end, value)
        at += used
