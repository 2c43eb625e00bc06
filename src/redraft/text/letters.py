"""The greeting and the signature of a letter: lines of their own, which nobody counts as sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

from redraft.text.sentences import Stretch
from redraft.text.word_lists import wordings

Aside = Literal["greeting", "signature"]

_HEAD: Final = 5
"""A greeting is among the first lines: above it there may be an address or a subject."""
_TAIL: Final = 12
"""A signature begins among the last lines."""
_SIGNED_BY: Final = 6
"""Lines of a signature, at most: a name, an office, an address."""
_W: Final = wordings(__package__)
_WHOM: Final = r"(?:[^\n,:;!?.]|\b(?:[Pp]rof|[Dd]r|[Mm]rs?|[Mm]s|[Mm]x|[Ss]t|[A-Z])\.){0,60}"
_GREETING: Final = re.compile(
    rf"(?:{_W['greets_surely']}){_WHOM}(?:[,:!]|[ ]?[—–-])?|(?:{_W['greets']})\b{_WHOM}(?:[,:!]|[ ]?[—–-])"
)
_NAME: Final = r"(?:[^\W\d_a-z][\w.'’-]*[ ]?){1,4}"
_CLOSING: Final = re.compile(
    rf"(?:{_W['closes_surely']})[,!]?|(?:{_W['closes']})(?:,|!|[ ]?[—–-])"
    rf"|(?P<signed>(?:{_W['closes']})(?:,|[ ]?[—–-])\s*{_NAME})"
)
_SIGNER: Final = re.compile(
    r"(?!P\.? ?S\b)(?:[^.!?;\n]|\.(?=\S|\Z)|(?<=\b[A-Z])\.|(?<=\b[DM][rs])\.|(?<=\bProf)\.){1,60}"
)


def find_asides(text: str, lines: Sequence[Stretch]) -> dict[int, Aside]:
    """Which of the sentences of a text are its greeting and its signature, by their index.

    There is none of them where nothing else would be left, or where a line has more than that on it.
    """
    found: dict[int, Aside] = {}
    for index, line in enumerate(lines[:_HEAD]):
        if _stands_alone(text, line) and _GREETING.fullmatch(text, line.start, line.end):
            found[index] = "greeting"
            break
    for index in range(max(1, len(lines) - _TAIL), len(lines)):
        line = lines[index]
        closing = _stands_alone(text, line) and _CLOSING.fullmatch(text, line.start, line.end)
        if closing and index not in found:
            signers = 0 if closing["signed"] else _count_signers(text, lines[index + 1 :])
            if signers or closing["signed"] or index + 1 == len(lines):
                found |= dict.fromkeys(range(index, index + signers + 1), "signature")
                break
    return found if len(found) < len(lines) else {}


def _count_signers(text: str, lines: Sequence[Stretch]) -> int:
    """How many lines behind a closing sign: short ones of one paragraph, with no sentence in it."""
    signed = [line for line in lines[: _SIGNED_BY + 1] if line.paragraph == lines[0].paragraph]
    if len(signed) > _SIGNED_BY:
        return 0
    signs = all(_stands_alone(text, one) and _SIGNER.fullmatch(text, one.start, one.end) for one in signed)
    return len(signed) if signs else 0


def _stands_alone(text: str, line: Stretch) -> bool:
    """Whether nothing else stands on the line, not even the mark of a heading or an item."""
    start = text.rfind("\n", 0, line.start) + 1
    end = text.find("\n", line.end)
    return (
        not text[start : line.start].strip(" \t") and not text[line.end : end if end >= 0 else None].strip()
    )
