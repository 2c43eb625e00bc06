"""How many syllables an English word has."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from redraft.text.word_lists import word_sets
from redraft.text.words import LETTERS

_GROUP: Final = re.compile(r"[aeiouyàáâäãåæèéêëìíîïòóôöõøùúûü]+")

# Vowels that stand together and are spoken apart: one syllable more each.
_SPOKEN_APART: Final = re.compile(
    r"(?<![cstg])ia(?!ge)|[cstg]ia(?![ln])"
    r"|io(?!n|us)|(?<=[bdhnprv])ious|iu|(?<![ct])ie(?:t|n(?!d))"
    r"|(?<![gqs])u[ao]|(?<![gq])ue[lt]\b"
    r"|eo(?!us|n|p)|(?<!g)eon|(?<=[nrt])eous|ea(?=l(?:it|iz|is)|te|ti(?:on|ve)|ct)"
    r"|oet|oic\b|oical|ois[mt]|aic\b"
    r"|[aeou]y[aeiou]|(?<=[^aeiou])ying\b|[eiou]ing\b"
    r"|i[sz]ms?\b|asms?\b|thms?\b"
)
# Written and not spoken: one syllable less each.
_UNSPOKEN: Final = re.compile(
    r"(?<=[aeiouy])[^aeiouyl]{1,2}e(?:ly|ments?|less|ness|ful(?:ly)?|work|time|some)\b"
    r"|(?<=[gq])ue(?:s|d)?\b"
    r"|(?<![aeiouy])(?:(?<![^aeiouylr]l)e|(?<![^aeiouylr]l)(?<![sxzcg])(?<![cs]h)es|(?<![^aeiouylr]l)(?<![td])ed)\b"
)
_KNOWN: Final = {
    word: int(count) for count, words in word_sets(__package__, "syllables.txt").items() for word in words
}


@lru_cache(maxsize=65536)
def syllables(word: str) -> int:
    """About how many syllables an English word has when it is spoken; at least one."""
    lowered = word.lower().replace("’", "'")
    if lowered in _KNOWN:
        return _KNOWN[lowered]
    parts = LETTERS.findall(lowered.removesuffix("'s"))
    if not parts:
        # A number is read aloud: about three syllables for two digits.
        return max(1, sum(character.isdigit() for character in lowered) * 3 // 2)
    if "'" in lowered:
        parts = parts[:1] if len(parts) == 2 else parts  # "o'clock" is rare, "we'd" is not
    return sum(_spoken(part) for part in parts)


def _spoken(word: str) -> int:
    if word in _KNOWN:
        return _KNOWN[word]
    groups = len(_GROUP.findall(word))
    if groups <= 1:
        return max(1, len(_SPOKEN_APART.findall(word)) + groups)
    return max(1, groups + len(_SPOKEN_APART.findall(word)) - len(_UNSPOKEN.findall(word)))
