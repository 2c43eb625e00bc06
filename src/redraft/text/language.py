"""Which language a text is in: well enough to warn that a part of redraft does not know it."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import Final

from redraft.text.word_lists import list_lines, word_sets
from redraft.text.words import LETTERS

_SAMPLE: Final = 20_000
_SCRIPTS: Final = (
    ("ja", "\u3041-\u3096\u30a1-\u30fa"),
    ("zh", "\u3400-\u4dbf\u4e00-\u9fff"),
    ("ko", "\uac00-\ud7a3\u1100-\u11ff"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff\u1f00-\u1fff"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff\u0750-\u077f"),
    ("hi", "\u0900-\u097f"),
    ("bn", "\u0980-\u09ff"),
    ("ta", "\u0b80-\u0bff"),
    ("th", "\u0e00-\u0e7f"),
    ("ka", "\u10a0-\u10ff"),
    ("hy", "\u0530-\u058f"),
)
_SCRIPT: Final = re.compile("|".join(f"(?P<{code}>[{characters}])" for code, characters in _SCRIPTS))
_SCRIPT_ENOUGH: Final = 4
_WORDS_ENOUGH: Final = 4
_FEW_WORDS: Final = 30
"""Words of a text in which one word more tells nothing."""
_FOREIGN_FROM: Final = 10
"""Words of a text of which it can be told that it is not English, in whatever language it is."""

_QUOTED: Final = re.compile(r"[\"“„«][^\"”“»\n]*[\"”“»]")
_REQUESTS: Final = frozenset(
    word for line in list_lines(__package__, "requests.txt") for word in line.split()
)
"""Words of short requests in other languages that no English one has."""
_PROFILES: Final = word_sets(__package__, "languages.txt")
"""The commonest words of each language, by its code."""


def is_english(text: str) -> bool:
    """Whether a text may be taken for English: it is, or nobody can tell what it is.

    A longer text with hardly an English word, in letters that English has not, is in some other language.
    """
    found = language(text)
    return found == "en" or (found is None and not _is_foreign(text[:_SAMPLE]))


@lru_cache(maxsize=256)
def is_english_request(request: str) -> bool:
    """Whether a request of a few words may be taken for English; what it quotes tells nothing.

    >>> is_english_request("Make it formal"), is_english_request("Bitte nicht so formal")
    (True, False)
    """
    said = _QUOTED.sub(" ", request)
    words = LETTERS.findall(said.lower())
    foreign = sum(word in _REQUESTS for word in words)
    return is_english(said) and foreign * 3 < max(len(words), 1)


def _is_foreign(sample: str) -> bool:
    found = LETTERS.findall(sample.lower())
    common = sum(word in _PROFILES["en"] for word in found)
    accented = sum(any(letter > "\u007f" and letter != "’" for letter in word) for word in found)
    return len(found) >= _FOREIGN_FROM and common * 10 < len(found) and accented * 20 > len(found)


def language(text: str) -> str | None:
    """The ISO 639-1 code of a text's language; None where it is too short, or none that is known."""
    sample = text[:_SAMPLE]
    scripts = Counter(match.lastgroup for match in _SCRIPT.finditer(sample))
    found = LETTERS.findall(sample.lower())
    latin = sum(len(word) for word in found if word[0] < "\u0250")
    if scripts:
        if scripts["ja"] * 10 > scripts["zh"]:
            scripts["ja"] += scripts["zh"]  # Japanese is written with Chinese characters too
        code, count = scripts.most_common(1)[0]
        if count >= _SCRIPT_ENOUGH and count * 3 > latin:  # a Chinese word says more in fewer characters
            return _cyrillic(sample) if code == "ru" else code
    if len(found) < _WORDS_ENOUGH:
        return None
    scores = sorted(((sum(word in common for word in found), code) for code, common in _PROFILES.items()))
    (second, _), (best, code) = scores[-2:]
    if best * 8 < len(found) or best < 2 or best == second:
        return None
    if len(found) < _FEW_WORDS and best - next(count for count, one in scores if one == "en") == 1:
        return None  # "me" and "a" are Spanish too
    return code


def _cyrillic(sample: str) -> str:
    return "uk" if re.search("[іїєґ]", sample.lower()) and not re.search("[ыэъ]", sample.lower()) else "ru"
