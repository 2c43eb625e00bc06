"""Misspellings: by sound, by slips of the fingers, and by splitting or joining words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import accumulate
from typing import Final

from redraft.text import IRREGULAR, MISSPELT, VERBS, with_ed
from redraft.train.damage.reading import LEXICON, Reading, Site, lines, pick, weighted, word_set

# A vowel of a later syllable is dull, and its letter is guessed.
_LATER: Final = r"(?:(?<=[aeiouy][bcdfghklmnprstv])|(?<=[aeiouy][bcdfghklmnprst][bcdfghklmnprstv]))"


def _sound_rules() -> Iterator[tuple[re.Pattern[str], str, int]]:
    """Words as one hears and half remembers them: pattern, replacement, weight."""
    for line in lines("sounds.txt"):
        pattern, new, weight = line.split()
        yield re.compile(pattern.replace("@", _LATER)), "" if new == "-" else new, int(weight)


_SOUND_RULES: Final = tuple(_sound_rules())
_NEIGHBOURS: Final = {
    "q": "wa", "w": "qes", "e": "wrd", "r": "etf", "t": "ryg", "y": "tuh", "u": "yij", "i": "uok", "o": "ipl",
    "p": "ol", "a": "sqz", "s": "adwx", "d": "sfec", "f": "dgrv", "g": "fhtb", "h": "gjyn", "j": "hkum",
    "k": "jlim", "l": "kop", "z": "xas", "x": "zcsd", "c": "xvdf", "v": "cbfg", "b": "vngh", "n": "bmhj",
    "m": "njk",
}  # fmt: skip
_JOINED: Final = frozenset(
    tuple(pair.split()) for line in lines("joined.txt") for pair in line.split(",") if pair.strip()
)
_PARTS: Final = {
    pair.strip().replace(" ", ""): pair.strip()
    for line in lines("compounds.txt")
    for pair in line.split(",")
    if pair.strip()
}


def _fit(word: str, made: str) -> bool:
    return made != word and len(made) > 1 and made not in LEXICON


@lru_cache(maxsize=65536)
def _rules(word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The rules that fit a word, and their weights added up."""
    fitting = tuple(number for number, (pattern, _, _) in enumerate(_SOUND_RULES) if pattern.search(word))
    return fitting, tuple(accumulate(_SOUND_RULES[number][2] for number in fitting))


def misheard(word: str, rng: random.Random) -> str | None:
    """A word in lower case as a learner may spell it."""
    rules, heaped = _rules(word)
    if not rules:
        return None
    number = weighted(rules, heaped, rng)
    pattern, new, _ = _SOUND_RULES[number]
    found = list(pattern.finditer(word))
    one = pick(found, rng)
    made = word[: one.start()] + one.expand(new) + word[one.end() :]
    return (
        made
        if (_fit(word, made) and made[0] == word[0]) or (word.startswith(("kn", "ps")) and made)
        else None
    )


def mistyped(word: str, rng: random.Random) -> str | None:
    """A word in lower case with a slip of the fingers in it."""
    sort = rng.random()
    place = 1 + int(rng.random() * (len(word) - 1))
    if sort < 0.3:  # two letters in the wrong order
        place = min(place, len(word) - 2)
        made = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    elif sort < 0.58:
        made = word[:place] + word[place + 1 :]
    elif sort < 0.76:
        made = word[:place] + word[place] + word[place:]
    elif sort < 0.9:
        made = word[:place] + pick(_NEIGHBOURS[word[place]], rng) + word[place + 1 :]
    else:
        made = word[:place] + pick(_NEIGHBOURS[word[place]], rng) + word[place:]
    return made if _fit(word, made) else None


def _sites(
    reading: Reading, rng: random.Random, make: Callable[[str, random.Random], str | None], least: int
) -> list[Site]:
    """Some of the words that can be misspelt, the longer ones rather."""
    places: list[int] = []
    for index, token in enumerate(reading.tokens):
        if (
            token.free
            and token.tag not in ".#I"
            and len(token.low) >= least
            and token.low.isalpha()
            and token.low.isascii()
        ):
            places.extend([index] * (1 + (len(token.low) > 6) * 2 + (token.low in MISSPELT) * 2))
    found: list[Site] = []
    for _ in range(min(6, len(places))):
        index = pick(places, rng)
        made = make(reading.tokens[index].low, rng)
        if made is not None:
            found.append(reading.swap(index, made))
    return found


def _learnt(word: str, rng: random.Random) -> str | None:
    if word in MISSPELT and rng.random() < 0.75:
        return pick(MISSPELT[word], rng)
    if len(word) < 5:
        return None
    made = misheard(word, rng)
    if made is not None and len(word) > 8 and rng.random() < 0.15:
        made = misheard(made, rng) or made  # some are spelt quite wrong
    return made


def spelling(reading: Reading, rng: random.Random) -> list[Site]:
    """Words spelt as they sound."""
    found = _sites(reading, rng, _learnt, 4)
    for index, token in enumerate(reading.tokens):
        if token.free and token.tag in "LT" and rng.random() < 0.3:
            regular = _REGULAR.get(token.low)
            if regular is not None:
                found.append(reading.swap(index, regular))
    return found


_OTHER_WORDS: Final = word_set("spelling.other_words")


def _regularised() -> dict[str, str]:
    found: dict[str, str] = {}
    for base in sorted(IRREGULAR):
        forms = VERBS[base]
        for form in (forms.past, forms.participle):
            if form != base and with_ed(base) not in LEXICON and with_ed(base) not in _OTHER_WORDS:
                found.setdefault(form, with_ed(base))
    return found


_REGULAR: Final = _regularised()


def typo(reading: Reading, rng: random.Random) -> list[Site]:
    """Words mistyped."""
    return _sites(reading, rng, mistyped, 4)


def compound(reading: Reading, rng: random.Random) -> list[Site]:
    """Words parted ("with out"), joined ("alot"), or without their hyphen ("well known")."""
    found: list[Site] = []
    tokens = reading.tokens
    for index, token in enumerate(tokens):
        if token.tag == ".":
            continue
        parts = _PARTS.get(token.low)
        if token.free and parts is not None:
            found.append(reading.swap(index, parts))
        following = reading.at(index + 1)
        if token.free and following.free and (token.low, following.low) in _JOINED:
            found.append(reading.span(index, index + 1, token.low + following.low))
        if "-" in token.text and _HYPHENATED.fullmatch(token.text) and not reading.protected(token.start):
            found.append(Site(token.start, token.end, token.text.replace("-", " ", 1)))
    return found


_HYPHENATED: Final = re.compile(r"[a-z]{3,}-[a-z]{3,}")
