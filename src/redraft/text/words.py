"""Words as a reader counts them.

One word: `state-of-the-art`, `don't`, `3.5`, `1,000`, `10:30`, `and/or`, `AT&T`, `50%`, `C++`, an e-mail
address, a URL, a range of numbers (`1990–2000`), each Chinese or Japanese character.
Two words: `word—word`, `word--word`, `word,word`.
No word: `—`, `&`, `=`, `*`, an emoji, any mark that stands alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from redraft.text.late import late_pattern

# Scripts written without spaces, where a reader counts characters. Korean has spaces; so it is not here.
CJK: Final = (
    r"\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
# Python's \w has no combining marks. U+2060 stands for mark-up that a reader does not see (see `formats.py`):
# like a mark, it neither makes nor parts a word.
_MARKS: Final = (
    r"\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    r"\u0711\u0730-\u074a\u0900-\u0963\u0970-\u0dff\u0e31-\u0e4e\u0eb1-\u0ecd\u0f71-\u0fbc\u102b-\u103e"
    r"\u17b4-\u17d3\u1ab0-\u1aff\u1dc0-\u1dff\u200c\u200d\u2060\u20d0-\u20ff"
    r"\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
)
LETTERS: Final = re.compile(r"[^\W\d_]+")
"""A run of letters of any script."""
_LETTER: Final = rf"[^\W_{CJK}]"
_JOINER: Final = rf"(?:['’ʼ\-‐‑./_@&](?=\u2060*+{_LETTER})|[,:–](?<=\d[,:–])(?=\d))"
_URL: Final = r"(?:https?://|www\.)[^\s<>\"“”。！？，、；：（）「」]+"
_WORD: Final = late_pattern(
    rf"{_URL}|[{CJK}]|{_LETTER}++(?:(?:[{_MARKS}]++|{_JOINER}){_LETTER}*+)*+",
    re.IGNORECASE,
)
_ASCII_WORD: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"]+"
    r"|[A-Za-z0-9]++(?:(?:['\-./_@&](?=[A-Za-z0-9])|[,:](?<=[0-9][,:])(?=[0-9]))[A-Za-z0-9]++)*+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of offsets into a string."""

    start: int
    end: int


def words(text: str) -> list[Span]:
    """The words of a plain text, in order."""
    pattern = _ASCII_WORD if text.isascii() else _WORD
    return [Span(*match.span()) for match in pattern.finditer(text)]


def spellings(text: str) -> list[str]:
    """The words of a plain text as they are written, in order."""
    pattern = _ASCII_WORD if text.isascii() else _WORD
    return pattern.findall(text)


def count_words(text: str) -> int:
    """How many words a reader counts in a plain text."""
    pattern = _ASCII_WORD if text.isascii() else _WORD
    return sum(1 for _ in pattern.finditer(text))
