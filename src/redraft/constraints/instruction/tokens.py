"""Words, numbers, quotations and punctuation marks of an instruction, with their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from redraft.constraints.bounds import LARGEST
from redraft.text import CARDINALS, ORDINALS, is_letter_line

from .lexicon import WORDINGS

_SCALES = {"dozen": 12, "dozens": 12, "hundred": 100, "thousand": 1000, "million": 10**6}
_ORDINALS = ORDINALS | {"opening": 1, "initial": 1}
_LONGEST_NUMBER = 12
"""A number has at most so many words; it bounds the work on hostile input."""

NUMBER_WORDS = frozenset([*CARDINALS, *_SCALES, *_ORDINALS, "hundredth"])


def figure(text: str) -> float | None:
    """The value of digits: `1,200`, `3.5`; nothing where it is too large to be meant."""
    digits = text.replace(",", "")
    if len(digits) > 10:
        return None
    with suppress(ValueError):  # "12.03.2024" is no number
        value = float(digits)
        return value if value <= LARGEST else None
    return None


def spelled(words: Sequence[str]) -> tuple[float, int, bool] | None:
    """The number that a sequence begins with: its value, how many words it took, whether it is an ordinal.

    Articles belong to it ("a hundred", "half a dozen"), and so does "and" between hundreds and the rest.
    """
    head = list(words[:_LONGEST_NUMBER])
    for prefix, few in (("half a dozen", 6), ("a couple of", 2), ("a couple", 2)):
        parts = prefix.split()
        if head[: len(parts)] == parts:
            dozens = int(head[len(parts) : len(parts) + 1] == ["dozen"])
            return few * 12**dozens, len(parts) + dozens, False
    article = int(len(head) > 1 and head[0] in ("a", "an", "one") and head[1] in _SCALES)
    total, group, used, ordinal = 0, article, article, False
    last = ""
    for index in range(article, len(head)):
        word = head[index]
        value = CARDINALS.get(word, _ORDINALS.get(word))
        if value is not None and (last in ("", "scale", "and") or (last == "tens" and 0 < value < 10)):
            group += value
            ordinal = word in _ORDINALS
            last = "tens" if value >= 20 else "unit"
        elif word in _SCALES and group:
            if word in ("thousand", "million"):
                total, group = total + group * _SCALES[word], 0
            else:
                group *= _SCALES[word]
            last = "scale"
        elif word == "and" and last == "scale" and _continues(head[index + 1 : index + 4]):
            last = "and"
            continue
        elif word == "hundredth":
            group, ordinal = max(group, 1) * 100, True
        else:
            break
        used = index + 1
        if ordinal:
            break
    if used <= article or total + group > LARGEST:
        return None
    return total + group, used, ordinal


def _continues(rest: Sequence[str]) -> bool:
    """Whether an "and" inside a number goes on with it, and does not join a second one ("100 and 200")."""
    return (
        bool(rest) and rest[0] in NUMBER_WORDS and not any(word in ("hundred", "dozen") for word in rest[1:])
    )


# Opening mark → what may close it. Straight and curly are mixed in real typing ("“synergy\"").
_CLOSERS = {
    mark: re.compile(closer)
    for mark, closer in {
        '"': '["”“]',
        "“": '["”“]',
        "„": "[“”]",
        "«": "»",
        "‹": "›",
        "»": "«",
        # An apostrophe inside a word closes nothing.
        "'": r"(?<!\s)['’](?![^\W_])",
        "‘": r"(?<!\s)['’](?![^\W_])",
        "‚": r"(?<!\s)[‘’](?![^\W_])",
        "`": "`",
        "``": "''|``",
    }.items()
}
_LONGEST_QUOTATION = 300
"""What is longer between two marks is no keyword: one of the marks is an apostrophe, or was never closed."""
_OPENER = re.compile(r"``|[\"“„«‹'‘‚`»]|(?<![\w/])/(?=[^/])")
_PATTERN_BEFORE = re.compile(
    r"\b(?:match(?:es|ing)?|patterns?|regex(?:es|ps?)?|expressions?|match of|matches of)\b[\s:(]*$",
    re.IGNORECASE,
)
_CALLED_PATTERN = re.compile(r"\b(?:pattern|regex|regexp|regular expression)[\s:]*$", re.IGNORECASE)
_AFFIX_BEFORE = re.compile(WORDINGS["affix"], re.IGNORECASE)
# No comma stands before these; one inside the marks is the keyword's own.
_PREDICATE = re.compile(rf"(?:{WORDINGS['predicate']})\b", re.IGNORECASE)
_PATTERN = re.compile(r"/((?:\\.|[^/\\])+)/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Quoted:
    """Something between marks: where it stands with them, and what is inside."""

    start: int
    end: int
    text: str
    kind: Literal["quotation", "pattern"] = "quotation"
    ends_sentence: bool = False
    """Whether the sentence's own full stop stands inside the marks, as in American typing."""


def quoted(text: str) -> list[Quoted]:
    """Every quotation and pattern, from left to right, none inside another."""
    found: list[Quoted] = []
    at = 0
    while opener := _OPENER.search(text, at):
        item = _slashed(text, opener.start()) if opener.group() == "/" else _quotation(text, opener)
        if item:
            found.append(item)
        at = item.end if item else opener.end()
    return found


def _slashed(text: str, start: int) -> Quoted | None:
    if not _PATTERN_BEFORE.search(text[max(0, start - 40) : start]):
        return None
    match = _PATTERN.match(text, start)
    if match is None:
        return None
    return Quoted(start, match.end(), match.group(1).replace(r"\/", "/"), "pattern")


def _quotation(text: str, opener: re.Match[str]) -> Quoted | None:
    mark, start, inside = opener.group(), opener.start(), opener.end()
    before, after = text[max(0, start - 1) : start], text[inside : inside + 1]
    if not after or after.isspace() or (before.isalnum() and mark in "\"'’‘`"):
        return None
    end = _closing(text, mark, inside)
    if end is None:
        return None
    content = text[inside:end]
    closed = end + (2 if mark == "``" else 1)
    if not content.strip():
        return None
    if _CALLED_PATTERN.search(text[max(0, start - 30) : start]):
        return Quoted(start, closed, content, "pattern")
    tail = text[closed : closed + 40]
    keyword, ends_sentence = _without_stop(content.strip(), tail)
    if _AFFIX_BEFORE.search(text[max(0, start - 60) : start]) and (
        # What a text ends with has its full stop, and a letter opens with a comma.
        ends_sentence or not tail.strip(" .") or is_letter_line(content.strip())
    ):
        keyword = content.strip()
    return Quoted(start, closed, keyword, ends_sentence=ends_sentence)


def _closing(text: str, mark: str, inside: int) -> int | None:
    """Where the closing mark stands, on the same line."""
    limit = min(len(text), inside + _LONGEST_QUOTATION)
    newline = text.find("\n", inside, limit)
    closed = _CLOSERS[mark].search(text, inside, limit if newline < 0 else newline)
    return closed.start() if closed else None


def _without_stop(content: str, tail: str) -> tuple[str, bool]:
    """Take off punctuation that belongs to the sentence and not to the keyword: 'there.' → there."""
    follows = tail.lstrip(" ")
    if content[-1] in ".!?…":
        if follows and not (follows[0].isupper() or follows[0] in "\n\r)" or not tail[0].isspace()):
            return content, False
        if follows[:1] in tuple(".,;:!?") and follows:
            return content, False
        inner = content.rstrip(".!?…")
        if not inner or "." in inner or (" " in inner.strip() and content[-1] in "!?"):
            return content, bool(inner)
        return inner.rstrip(), True
    if content[-1] == "," and (not follows or tail[0].isspace()) and not _PREDICATE.match(follows):
        return content.rstrip(",") or content, False
    return content, False


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
_SHORTHAND = {"u": "you", "pls": "please", "plz": "please", "thx": "thanks"}
_ORDINAL_SUFFIXES = ("st", "nd", "rd", "th", "sts", "ths")
_GLUED = {"w": "words", "words": "words", "chars": "characters", "x": "times"}
_BEFORE_ONE = frozenset(["each", "every", "any", "that", "this", "which", "no", "not", "only"])
_BEFORE_SINGLE = frozenset(
    [*",;:.-–—(", "and", "as", "in", "into", "to", "only", "just", "please", "but", "with"]
)
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
            yield _quotation_token(items[index])
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


def _quotation_token(item: Quoted) -> Token:
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
    return (_SHORTHAND.get(word, word),)


def _pronoun(before: Token) -> bool:
    """Whether "one" behind a token is no number: "each one", "the second one"."""
    number = spelled([before.text])
    return before.kind == "ordinal" or before.text in _BEFORE_ONE or (number is not None and number[2])


def _unit_alone(tokens: list[Token], at: int) -> bool:
    """Whether "a single" at a place counts: "in a single paragraph", "as a single sentence"."""
    counted = [token.text for token in tokens[at + 2 : at + 5]]
    return "paragraph" in counted or (at > 0 and tokens[at - 1].text in ("as", "into"))


def _stands_for_one(tokens: list[Token], at: int) -> bool:
    """Whether "single" counts without an article: "single paragraph", not "every single paragraph"."""
    following = tokens[at + 1].text if at + 1 < len(tokens) else ""
    before = tokens[at - 1].text if at else ","
    return following in ("paragraph", "sentence") and before in _BEFORE_SINGLE


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
        if token.text == "single" and _stands_for_one(tokens, at):
            read = (1, 1, False)
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
