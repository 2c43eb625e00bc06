"""Misspelt words, and what was meant by them: "vecation" is "vacation", and "frend" no "fend".

Harper tells which words there are not. What was meant is the word that is near, by the slips that writers
make (a letter doubled or not, one vowel for another, letters that sound alike), and common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from redraft.quality import grammar_findings
from redraft.revision.rewriting.edits import cased_like
from redraft.text import (
    MISSPELT,
    borrowed_spans,
    common_words,
    is_in_dictionary,
    kinds_of_word,
    word_sets,
    zipf,
)

_KINDS: Final = frozenset({"Spelling", "Typo"})
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
_VOWELS: Final = frozenset("aeiou")
_SOUNDS: Final = ("sz", "cs", "ck", "td", "vw", "bv", "bp", "gj", "mn", "fv", "cz", "kq", "iy", "lr")
"""Letters that sound alike."""
_ALIKE: Final = frozenset(pair for one, other in _SOUNDS for pair in ((one, other), (other, one)))
_DOUBLED: Final = 0.35
_ALIKE_COST: Final = 0.6
_SWAPPED: Final = 0.6
_VOWEL: Final = 0.75
_LETTER: Final = 1.0
_FIRST: Final = 0.5
"""What is added where the first letter is another one."""
_NEAR: Final = {3: 0.8, 4: 1.0, 5: 1.3}
"""How far off what was meant may be, by the letters of the word."""
_FARTHEST: Final = 1.5
_ONE_SLIP: Final = 0.75
_TWO_SLIPS: Final = 1.3
_PER_LETTER: Final = 0.16
"""How far off it is with one slip, and with two, that writers make often; and the letters that takes."""
_COMMON: Final = 3.0
_VERY_COMMON: Final = 5.5
_REAL: Final = 2.0
"""How common (Zipf) a word is that is meant, one that is meant in most places, and a rare real one."""
_MORE_COMMON: Final = 2.0
_FAR_MORE_COMMON: Final = 3.0
"""By how much commoner what is meant must be, and to be clear, where what stands there is met at times."""
_DISTANCE_WORTH: Final = 5.0
_COMMONNESS_WORTH: Final = 1.4
_CLEAR: Final = 2.5
"""By how much the best is ahead of the second where nothing else need be asked."""
_SAME_SOUND: Final = 0.4
"""How much nearer a word is that sounds alike."""
_SPELT: Final = tuple(
    (re.compile(spelt), sounds)
    for spelt, sounds in (
        (r"ph", "f"), (r"gh(?=t)|(?<=[aeiou])gh", ""), (r"^kn", "n"), (r"^wr", "r"),
        (r"[cq]k?u?(?![eiyh])|ck", "k"), (r"c(?=[eiy])|z", "s"), (r"tch", "ch"), (r"x", "ks"), (r"dg", "g"),
        (r"(?<=.)e\b", ""), (r"(.)\1+", r"\1"),
    )
)  # fmt: skip
_SILENT: Final = re.compile(r"[aeiouyhw]|(.)(?=[aeiouyhw]*\1)")
"""What is left out: vowels, and of a letter that sounds twice the first."""
_LONGEST: Final = 40
_SHORTEST: Final = 3
_SHORT: Final = 4
"""A word of so few letters may be many others."""
_WORD: Final = re.compile(r"[a-z]+(?:['’][a-z]+)?", re.IGNORECASE)
_SHORTENED: Final = re.compile(
    r"\b(?P<verb>(?i:is|are|was|were|do|does|did|has|have|had|could|would|should|must|need|ca|wo))"
    r"(?:(?P<mark>['’])nt|(?<!\bca)(?<!\bwo)(?<!\bneed)(?<!\bmust)nt)\b"
)
"""A "not" that is shortened with its apostrophe in the wrong place, or without it: "was'nt", "dont"."""
_RIGHT: Final = {wrong.lower(): word for word, all_wrong in MISSPELT.items() for wrong in all_wrong}
_PARTS: Final = word_sets(__package__, "spelling-parts.txt")
"""Beginnings and endings that words are made with."""


@dataclass(frozen=True, slots=True)
class Misspelling:
    """A word that there is not, at `text[start:end]`, and what may be meant by it, the best first."""

    start: int
    end: int
    meant: tuple[str, ...]
    is_clear: bool
    """Whether it is near, and far ahead of the others: nothing else need be asked."""


def misspellings(
    sentence: str, quoted: Sequence[str] = (), used: Mapping[str, int] | None = None
) -> Iterator[Misspelling]:
    """The words of a sentence that are misspelt, what is quoted left out.

    `used` says how often words stand in the whole text: what stands there again may be a term.
    """
    kept = [(span.start, span.end) for span in borrowed_spans(sentence)]
    kept += [
        (found.start(), found.end()) for words in quoted for found in re.finditer(re.escape(words), sentence)
    ]
    for start, end, word, suggestions in _odd_words(sentence):
        if any(one < end and start < other for one, other in kept):
            continue
        opens = not sentence[:start].strip(" \"“‘'(*_")
        known = _RIGHT.get(word.lower(), "")
        if not (word.islower() or (word[1:].islower() and (opens or known.istitle()))):
            continue
        if known:
            yield Misspelling(
                start, end, (known if known.istitle() else cased_like(word, known),), is_clear=True
            )
            continue
        meant = meant_by(word.lower(), suggestions)
        if not meant:
            continue
        best = meant[0]
        ahead = best.worth - meant[1].worth if len(meant) > 1 else _CLEAR
        again = (used or {}).get(word.lower(), 0) > 1
        ahead_of_it = best.common - zipf(word)
        if _is_derived(word.lower()) and (best.far > _ONE_SLIP or ahead_of_it < _VERY_COMMON - 1):
            continue
        is_rare = zipf(word) >= _REAL and ahead_of_it < _FAR_MORE_COMMON
        if again and (best.far > _ONE_SLIP or best.common < _COMMON + 1 or is_rare):
            continue
        near = _ONE_SLIP if best.common < _COMMON + 1 else min(_TWO_SLIPS, _PER_LETTER * len(word))
        is_clear = (
            len(word) > _SHORT
            and not is_rare
            and ahead >= _CLEAR
            and best.far <= near
            and (word.islower() or best.word.endswith("ly") or best.common >= _VERY_COMMON)
        )
        yield Misspelling(start, end, tuple(cased_like(word, one.word) for one in meant), is_clear)


def _odd_words(sentence: str) -> Iterator[tuple[int, int, str, tuple[str, ...]]]:
    """Words that are often misspelt so, or that Harper does not know, with what it suggests."""
    listed = {
        (found.start(), found.end()): () for found in _WORD.finditer(sentence) if found[0].lower() in _RIGHT
    }
    unknown = {
        (found.start, found.end): found.suggestions
        for found in grammar_findings(sentence)
        if found.kind in _KINDS
    }
    for (start, end), suggestions in sorted({**unknown, **listed}.items()):
        word = sentence[start:end]
        if _WORD.fullmatch(word) and len(word) >= _SHORTEST:
            yield start, end, word, suggestions


def without_misspellings(
    sentence: str, quoted: Sequence[str] = (), used: Mapping[str, int] | None = None
) -> str:
    """A sentence with the words that were clearly meant.

    >>> without_misspellings("My frend is writting about a beautifull vecation.")
    'My friend is writing about a beautiful vacation.'
    """
    if not quoted:
        sentence = _SHORTENED.sub(lambda found: f"{found['verb']}n{found['mark'] or chr(39)}t", sentence)
    for found in reversed(list(misspellings(sentence, quoted, used))):
        if found.is_clear:
            sentence = sentence[: found.start] + found.meant[0] + sentence[found.end :]
    return sentence


@dataclass(frozen=True, slots=True)
class Meant:
    """A word that may be meant: how far off it is, and how common."""

    word: str
    far: float
    common: float

    @property
    def worth(self) -> float:
        """What speaks for it."""
        return _COMMONNESS_WORTH * self.common - _DISTANCE_WORTH * self.far


@lru_cache(maxsize=4096)
def meant_by(word: str, suggestions: tuple[str, ...] = ()) -> tuple[Meant, ...]:
    """What may be meant by a word that there is not, the best first."""
    met = zipf(word)
    if kinds_of_word(word):
        return ()
    farthest = _NEAR.get(len(word), _FARTHEST)
    least = _COMMON
    if met >= _REAL:  # a common misspelling, or a rare word
        farthest, least = min(_LETTER, farthest), max(_COMMON + 1, met + _MORE_COMMON)
    alike = _by_sound().get(sound(word), ())
    found = []
    for other in {*(one.lower() for one in suggestions), *_one_off(word), *alike} - {word}:
        common = zipf(other.replace("'", ""))
        if common < least or not _WORD.fullmatch(other) or other.endswith("'s"):
            continue
        if ("'" in other or is_in_dictionary(other)) and (far := distance(word, other)) <= farthest:
            found.append(Meant(other, far, common))
    return tuple(sorted(found, key=lambda one: -one.worth)[:4])


def _one_off(word: str) -> Iterator[str]:
    """The words that are one letter off."""
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        for letter in _LETTERS:
            yield from (head + letter + tail, head + letter + tail[1:])
        yield head + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]


@lru_cache(maxsize=16384)
def distance(word: str, other: str) -> float:
    """How far a misspelling is from a word: the slips between them, each by how often it is made.

    >>> distance("writting", "writing") < distance("writting", "writhing")
    True
    """
    other = other.replace("'", "").replace("’", "")
    word = word.replace("'", "").replace("’", "")
    if max(len(word), len(other)) > _LONGEST:
        return float(len(word) + len(other))
    rows = [[0.0] * (len(other) + 1) for _ in range(len(word) + 1)]
    for at in range(1, len(word) + 1):
        rows[at][0] = rows[at - 1][0] + _one_letter(word, at - 1)
    for place in range(1, len(other) + 1):
        rows[0][place] = rows[0][place - 1] + _one_letter(other, place - 1)
    for at in range(1, len(word) + 1):
        for place in range(1, len(other) + 1):
            one, two = word[at - 1], other[place - 1]
            best = rows[at - 1][place - 1] + _changed(one, two)
            best = min(best, rows[at - 1][place] + _one_letter(word, at - 1))
            best = min(best, rows[at][place - 1] + _one_letter(other, place - 1))
            if at > 1 and place > 1 and word[at - 2] == two and one == other[place - 2] and one != two:
                best = min(best, rows[at - 2][place - 2] + _SWAPPED)
            rows[at][place] = best
    same = _SAME_SOUND if sound(word) == sound(other) else 0.0
    return max(rows[-1][-1] - same, _DOUBLED) + _FIRST * (word[:1] != other[:1])


def _one_letter(word: str, at: int) -> float:
    """What it costs that a letter is there or not: little for one that is doubled."""
    doubled = (at and word[at - 1] == word[at]) or word[at + 1 : at + 2] == word[at]
    return _DOUBLED if doubled else _VOWEL if word[at] in "aeiouh" else _LETTER


def _changed(one: str, two: str) -> float:
    if one == two:
        return 0.0
    if (one in _VOWELS and two in _VOWELS) or (one, two) in _ALIKE:
        return _ALIKE_COST
    return _LETTER


@lru_cache(maxsize=65536)
def sound(word: str) -> str:
    """The consonants of a word as they sound: "complane" and "complain" have the same."""
    for letters, other in _SPELT:
        word = letters.sub(other, word)
    return word[:1] + _SILENT.sub("", word[1:])


@cache
def _by_sound() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word in common_words(_COMMON):
        if len(word) > _SHORT and word.isalpha():
            found.setdefault(sound(word), []).append(word)
    return {key: tuple(words) for key, words in found.items()}


def _is_derived(word: str) -> bool:
    """Whether a word is made of others that there are: "backend", "rehydrate", "unboxed"."""
    for ending in _PARTS["endings"]:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) > _SHORTEST and (is_known(stem) or is_known(stem + "e")):
            return True
    for beginning in _PARTS["beginnings"]:
        rest = word.removeprefix(beginning)
        if rest != word and len(rest) > _SHORTEST and is_known(rest):
            return True
    return any(_is_part(word[:at]) and _is_part(word[at:]) for at in range(4, len(word) - 3))


def _is_part(word: str) -> bool:
    return is_known(word) and zipf(word) >= _COMMON + 1


def is_known(word: str) -> bool:
    """Whether there is a word, and not only a rare name that is written so."""
    return is_in_dictionary(word) and zipf(word) >= _COMMON
