"""What a bound is a bound on: the whole text, every sentence, or something that no constraint can name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .chunks import Line
from .relations import Bound

_EVERY = re.compile(r"j?(?:%|[id]ed?s|ed?s(?=[,:&|b]|$)|e(?=[,:&|bi]|$))")
_LIMIT_OF_EACH = re.compile(r"v[dj]*[H{}](?:%|[id]ed?s)")
"""Behind a number: "… is the limit for any sentence"."""
_TOTAL = re.compile(
    r"[,]?(?:in total|overall|total|altogether|in all|in its entirety|all told|for the (?:whole|entire))\b"
)
_REST = re.compile("rest|remain|other|else")
_AVERAGE = re.compile("averag|avg")
_NONE = ("none", "not one", "not a single one")
_FAR = 30
"""A subject stands no more chunks than this before its bound."""
_LONG_SENTENCE = 80
"""Nobody asks for sentences of so many words: such a bound is on the text."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is bounded, and the chunks from its mention to the bound."""

    sentence: bool
    start: int
    end: int


def scope_of(line: Line, at: int, bound: Bound, taken: set[tuple[str, str]]) -> Scope | None:
    """The scope of a bound; None where it is a part of the text that no constraint can name, or an average.

    `taken` holds the per-sentence bounds that the line already has.
    """
    if line.tags.startswith("^", at + 1) or _AVERAGE.search(line.words(at + 1, at + 4)):
        return None
    if match := _EVERY.match(line.tags, at + 1) or _LIMIT_OF_EACH.match(line.tags, at + 1):
        return Scope(True, at, match.end())
    if line.chunks[at].text.startswith("nothing") and (_of(line, at) or line.topic) == "s" and _short(bound):
        return Scope(True, at, at + 1)
    if _TOTAL.match(line.words_after(at)):
        return Scope(False, at, at + 2)
    return _before(line, at, bound, taken)


def _short(bound: Bound) -> bool:
    return bound.unit in ("w", "") and bound.high < _LONG_SENTENCE


def _before(line: Line, at: int, bound: Bound, taken: set[tuple[str, str]]) -> Scope | None:
    separated = False
    index = at - 1
    while index >= max(0, at - _FAR):
        chunk, behind = line.chunks[index], line.tags[index + 1 : at]
        tag = chunk.tag
        if _AVERAGE.search(chunk.text):
            return None
        if tag in ",&|b:":
            separated = separated or tag != ":"
        elif (
            (tag == "R" and not separated)
            or (tag == "P" and not separated)
            or (tag == "g" and _of_parts(line, index))
        ) or (tag == "*" and not separated and _REST.search(chunk.text)):
            return None
        elif tag == "z" and not re.search("s[id]d?$", line.before(index)):
            return Scope(False, index, at + 1)
        elif tag == "B" and not separated and re.fullmatch(r"(?:d|h|hd|e|he|v|hv)?", behind):
            inner = chunk.value
            if isinstance(inner, Bound) and inner.unit == "s" and bound.unit in ("w", ""):
                each = bound.high < _LONG_SENTENCE
                return Scope(each, index + 1 if each else at, at + 1)
            if isinstance(inner, Bound) and inner.unit == "g" and inner.low == inner.high == 1:
                return Scope(False, at, at + 1)  # "one paragraph of at most 100 words"
            if isinstance(inner, Bound) and inner.unit == "g":
                return None
        elif tag == "0" and chunk.text.startswith(_NONE) and not re.match("[de]*[swgPx]", behind):
            return _none(line, index, at, bound)
        elif tag in "s%" or (
            tag == "e" and chunk.text not in ("any", "both") and re.match(r"[dhvmOUxB]|$|[:<>{}=]", behind)
        ):
            if tag == "e" and (re.match("e[d]?[gP]", line.tags[index:at]) or _of(line, index) == "g"):
                return None
            return _sentence(line, index, at, bound, separated, taken)
        elif tag in "wc" and line.tags[index - 1 : index] in ("e", "0"):
            return None
        index -= 1
    return Scope(False, at, at + 1)


def _none(line: Line, index: int, at: int, bound: Bound) -> Scope | None:
    """The scope of "none of them should exceed 20 words": whatever was spoken of last."""
    of_sentences = (_of(line, index) or line.topic) == "s" and bound.unit in ("w", "")
    return Scope(True, index, at + 1) if of_sentences else None


def _of(line: Line, index: int) -> str:
    """The unit that is spoken of last before a place: "four paragraphs, each with …"."""
    for chunk in reversed(line.chunks[max(0, index - _FAR) : index]):
        unit = chunk.value.unit[:1] if isinstance(chunk.value, Bound) else chunk.tag
        if unit in tuple("sgP"):
            return unit
    return ""


def _of_parts(line: Line, index: int) -> bool:
    """Whether a mention of paragraphs means some of them, and not the text that is one."""
    head = line.tags[max(0, index - 2) : index]
    return line.chunks[index].text != "paragraph" or re.search("[eo90]d?$", head) is not None


def _sentence(
    line: Line, index: int, at: int, bound: Bound, separated: bool, taken: set[tuple[str, str]]
) -> Scope | None:
    start = index - len(line.before(index)) + len(line.before(index).rstrip("e0d"))
    firm = line.tags[index] == "e" or re.search("[e0]", line.tags[start:index]) is not None
    if _AVERAGE.search(line.words(start - 2, start)):
        return None
    relations = {relation for _, relation in bound.resolved(False)}
    repeated = (
        separated and line.tags[at - 1] != "|" and bool(taken & {("w", relation) for relation in relations})
    )
    too_long = bound.high >= _LONG_SENTENCE and (separated or not firm)
    if repeated or too_long or bound.unit not in ("w", "", "w%", "c"):
        return Scope(False, at, at + 1)
    return None if bound.unit == "c" else Scope(True, start, at + 1)
