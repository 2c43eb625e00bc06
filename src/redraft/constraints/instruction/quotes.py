"""Quoted keywords and slashed patterns in an instruction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

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
_LONGEST = 300
_OPENER = re.compile(r"``|[\"“„«‹'‘‚`»]|(?<![\w/])/(?=[^/])")
_PATTERN_BEFORE = re.compile(
    r"\b(?:match(?:es|ing)?|patterns?|regex(?:es|ps?)?|expressions?|match of|matches of)\b[\s:(]*$",
    re.IGNORECASE,
)
_CALLED_PATTERN = re.compile(r"\b(?:pattern|regex|regexp|regular expression)[\s:]*$", re.IGNORECASE)
_AFFIX_BEFORE = re.compile(
    r"\b(?:start|begin|open|lead|kick|end|finish|clos|conclud|sign|wrap)\w*"
    r"(?: it| this| the \w+| things)?(?: off| up| out)? (?:with|on|in|by saying|by writing)"
    r"(?: the| this| these| exact| following| words?| sentence| line| phrase)*[\s:,]*$"
    r"|\b(?:first|last|final|opening|closing) (?:words?|sentence|line)(?: \w+){0,3}[\s:]*$",
    re.IGNORECASE,
)
# No comma stands before these; one inside the marks is the keyword's own.
_PREDICATE = re.compile(
    r"(?:unchanged|as (?:it|is)|must|should|stays?|remains?|appears?|occurs?|fewer|less|under|below|more"
    r"|over|above|at (?:most|least)|no (?:more|fewer|less)|not (?:more|less|fewer)|up to|exactly"
    r"|precisely|a (?:max|min)imum|greater|\d+)\b",
    re.IGNORECASE,
)
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
    if ends_sentence and _AFFIX_BEFORE.search(text[max(0, start - 60) : start]):
        keyword = content.strip()  # what a text ends with has its full stop
    return Quoted(start, closed, keyword, ends_sentence=ends_sentence)


def _closing(text: str, mark: str, inside: int) -> int | None:
    """Where the closing mark stands, on the same line."""
    limit = min(len(text), inside + _LONGEST)
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
