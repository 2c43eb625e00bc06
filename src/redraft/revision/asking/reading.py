"""What a model answered, read with patience: numbered lines, whole texts, and the habits around them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from redraft.models import Completion

# `[3] text`; in an answer without brackets also `3: text`, `3. text`, `3) text`, `Sentence 3: text`.
_BRACKETED: Final = re.compile(r"[-*•> \t]*(?:sentence[ \t]?)?\[(\d{1,6})\](?!\])[ \t]*:?[ \t]*(.*)", re.I)
_LOOSE: Final = re.compile(
    r"[-*•> \t]*(?:sentence[ \t]?)?[#(]?(\d{1,6})(?:\)[:.]?|[:.])(?!\d)\**[ \t]*(.*)", re.I
)
_FINISHED: Final = tuple(".!?…:;\"'”’)]»")
_PLACEHOLDER: Final = re.compile(r"\[\s*\[\s*([A-Za-z]{1,8})\s*(\d{1,9})\s*\]\s*\]")

_PREFACE: Final = re.compile(
    r"[*_# \t]*(?:(?:sure|certainly|of course|absolutely|okay|ok)\b[,.! \t]*)?"
    r"(?:here(?:['’]s|[ ]is|[ ]are)\b[^\n:]{0,120}"
    r"|(?:the[ ]|my[ ]|your[ ])?(?:final[ ])?"
    r"(?:revised|rewritten|edited|improved|corrected|final|updated|polished|latest)[ ]"
    r"(?:text|version|paragraph|passage|sentence|draft|revision)[^\n:]{0,60}"
    r"|output|answer)[*_]*:[*_ \t]*",
    re.I,
)
_ALONE: Final = re.compile(r"(?:sure|certainly|of course|absolutely|okay|ok)[^\n]{0,80}[.!:]", re.I)
_REMARK: Final = re.compile(
    r"[*_#( \t]*(?:(?:notes?|(?:key |main )?changes(?: made)?|explanations?|word count)[*_ ]*:"
    r"|(?:i hope (?:this|that|it)|let me know|this (?:revised|revision|version))\b"
    r"|i(?:['’]ve| have) (?:made|revised|kept|changed|ensured|removed)\b)",
    re.I,
)

LONGEST_ANSWER: Final = 200_000
"""Characters of an answer in lines that are read; no plan of a section is near it."""

_QUOTES: Final = {'"': '"', "“": "”"}


def whole_lines(completion: Completion) -> str:
    """The answer; without its last line where that was cut off, or where we stop reading."""
    text = completion.text[:LONGEST_ANSWER]
    if completion.finish_reason != "length" and len(text) == len(completion.text):
        return text
    return text.rpartition("\n")[0]


def numbered_lines(answer: str) -> list[tuple[int, str]]:
    """The numbered lines of an answer, in order; a line that is not finished goes on on the next."""
    lines = [line.strip() for line in answer.split("\n") if not _fence(line)]
    pattern = _BRACKETED if any(_BRACKETED.match(line) for line in lines) else _LOOSE
    found: list[tuple[int, list[str]]] = []
    going_on = False
    for line in lines:
        if match := pattern.match(line):
            found.append((int(match[1]), [match[2]] if match[2] else []))
            going_on = True
        elif going_on and line and not (found[-1][1] and found[-1][1][-1].endswith(_FINISHED)):
            found[-1][1].append(line)
        else:
            going_on = False
    return [(number, " ".join(parts).strip()) for number, parts in found]


def whole_text(answer: str, source: str) -> str:
    """A text that was asked for alone, without what was put around it: preface, fence, quotes, remarks."""
    text = answer.strip()
    if "```" not in source:
        text = _unfenced(text).strip()
    text = _without_preface(text, source)
    text = _without_remarks(text, source)
    if "```" not in source:
        text = _unfenced(text).strip()
    closing = _QUOTES.get(text[:1])
    if closing and len(text) > 1 and text.endswith(closing) and not source.lstrip().startswith(text[0]):
        inner = text[1:-1]
        if text[0] not in inner and closing not in inner:
            text = inner.strip()
    return text


def keeps_placeholders(text: str, source: str) -> bool:
    """Whether the placeholders of a text, such as `[[M7]]`, are those of its source, in the same order.

    Some open and close something together: in order, they can never cross.
    """
    return _placeholders(text) == _placeholders(source)


def key(text: str) -> str:
    """What is left of a text when only its letters and digits count: equal for a text and its echo."""
    return "".join(character for character in text.casefold() if character.isalnum())


class Echoes:
    """Finds the sentence that a model means when it repeats its words, whole or only the beginning."""

    _ENOUGH = 20

    def __init__(self, sentences: Mapping[int, str]) -> None:
        self._keys = {number: key(text) for number, text in sentences.items()}
        self._numbers: dict[str, int] = {}
        for number, words in self._keys.items():
            self._numbers.setdefault(words, number)

    def number(self, text: str) -> int | None:
        """The number of the sentence; None where it is none of them."""
        wanted = key(text)
        if wanted in self._numbers:
            return self._numbers[wanted]
        if len(wanted) < self._ENOUGH:
            return None
        return next((number for number, words in self._keys.items() if words.startswith(wanted)), None)

    def echoes(self, number: int, text: str) -> bool:
        """Whether the text is only the sentence again."""
        return self._keys.get(number) == key(text)


def _placeholders(text: str) -> list[tuple[str, int]]:
    return [(match[1].upper(), int(match[2])) for match in _PLACEHOLDER.finditer(text)]


def _fence(line: str) -> bool:
    return line.lstrip().startswith("```")


def _unfenced(text: str) -> str:
    """What stands in the first fence, where there is one."""
    lines = text.split("\n")
    fences = [place for place, line in enumerate(lines) if _fence(line)][:2]
    if not fences:
        return text
    end = fences[1] if len(fences) > 1 else len(lines)
    return "\n".join(lines[fences[0] + 1 : end]) or text


def _without_preface(text: str, source: str) -> str:
    if text.split()[:2] == source.split()[:2]:
        return text
    first, _, rest = text.partition("\n")
    if rest.strip() and _ALONE.fullmatch(first.strip()):
        text = rest.strip()
    match = _PREFACE.match(text)
    left = text[match.end() :].strip() if match else ""
    return left or text


def _without_remarks(text: str, source: str) -> str:
    """The text up to the first paragraph after the first that speaks of the text, and not in it."""
    if any(_REMARK.match(line) for line in source.split("\n")):
        return text
    paragraphs = re.split(r"(\n[ \t]*\n\s*)", text)
    for place in range(2, len(paragraphs), 2):
        if _REMARK.match(paragraphs[place]):
            return "".join(paragraphs[: place - 1])
    return text
