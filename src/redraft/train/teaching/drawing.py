"""What each control asks of a passage: bounds and words drawn from it, where it is fit for the control."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from redraft.editor import Value
from redraft.revision import synonyms
from redraft.text import WORDY, bases, word_sets, zipf
from redraft.train.teaching.facts import LIGHT
from redraft.train.teaching.passage import Passage

LEAST_WORDS, MOST_WORDS = 8, 90
_SIGNS: Final = word_sets(__package__, "signs.txt")
_OPEN_TAGS: Final = ("NN", "NNS", "VB", "VBD", "VBZ", "VBP", "VBG", "VBN", "JJ", "RB")
_PLAIN_WORD: Final = re.compile(r"[a-z]{4,}\Z")
_COMMON: Final = 3.0
"""The Zipf frequency of a word that a teacher surely knows."""
_WORDY: Final = re.compile(
    r"\b(?:there (?:is|are|was|were)|it (?:is|was|should|must|has)|in order to|the fact that|"
    + "|".join(re.escape(phrase) for phrases in WORDY.values() for phrase in phrases)
    + r")\b",
    re.IGNORECASE,
)
_ORDER_TAGS: Final = ("VB", "VBP")
_HARD_GRADE: Final = 9
_EASIEST_GRADE: Final = 4


def draw_values(task: str, passage: Passage, rng: Random) -> dict[str, Value] | None:
    """What to fill the request with; None where the passage is not fit for the control."""
    if not LEAST_WORDS <= passage.words <= MOST_WORDS or passage.sentences > 3:
        return None
    return _DRAWS[task](passage, rng)


def _shorten(passage: Passage, rng: Random) -> dict[str, Value] | None:
    return {"n": round(passage.words * rng.uniform(0.5, 0.9))} if passage.words >= 12 else None


def _split(passage: Passage, rng: Random) -> dict[str, Value] | None:
    if not 18 <= passage.longest <= 60 or passage.words > 70 or passage.is_quoting:
        return None
    return {"n": max(8, round(passage.longest * rng.uniform(0.42, 0.72)))}


def _merge(passage: Passage, rng: Random) -> dict[str, Value] | None:
    fit = passage.sentences > 1 and passage.words <= 45 and not passage.is_quoting and "?" not in passage.text
    return {} if fit else None


def _without_word(passage: Passage, rng: Random) -> dict[str, Value] | None:
    found = [word.text for word in passage.tagged if _is_open(word.text, word.tag)]
    return {"word": rng.choice(found)} if found else None


def _with_word(passage: Passage, rng: Random) -> dict[str, Value] | None:
    words = [word for word in passage.tagged if _is_open(word.text, word.tag)]
    rng.shuffle(words)
    for word in words:
        known = {base for other in passage.low for base in (other, *bases(other, word.tag))}
        for new in synonyms(word.text, word.tag, wider=False)[:2]:
            if _PLAIN_WORD.match(new) and zipf(new) >= _COMMON and not known & {new, *bases(new, word.tag)}:
                return {"word": new, "instead": word.text}
    return None


def _is_open(word: str, tag: str) -> bool:
    fit = tag in _OPEN_TAGS and word not in LIGHT and _PLAIN_WORD.match(word)
    return bool(fit) and zipf(word) >= _COMMON


def _simpler(passage: Passage, rng: Random) -> dict[str, Value] | None:
    if passage.grade < _HARD_GRADE or passage.is_quoting:
        return None
    return {"n": max(_EASIEST_GRADE, min(12, round(passage.grade) - rng.randint(2, 6)))}


def _plain(passage: Passage, rng: Random) -> dict[str, Value] | None:
    return {} if passage.grade >= _HARD_GRADE and not passage.is_quoting else None


def _active(passage: Passage, rng: Random) -> dict[str, Value] | None:
    return {} if passage.passives and passage.words <= 60 and not passage.is_quoting else None


def _past(passage: Passage, rng: Random) -> dict[str, Value] | None:
    present, past = passage.tenses
    return {} if present and not past and not passage.is_quoting else None


def _present(passage: Passage, rng: Random) -> dict[str, Value] | None:
    present, past = passage.tenses
    return {} if past and not present and not passage.is_quoting else None


def _formal(passage: Passage, rng: Random) -> dict[str, Value] | None:
    casual = passage.is_shortened or passage.low & _SIGNS["casual"]
    return {} if casual and not passage.is_quoting else None


def _friendly(passage: Passage, rng: Random) -> dict[str, Value] | None:
    fit = passage.low & _SIGNS["address"] and not passage.is_shortened
    return {} if fit and passage.words <= 60 and not passage.is_quoting else None


def _polite(passage: Passage, rng: Random) -> dict[str, Value] | None:
    demands = passage.low & _SIGNS["demand"] and passage.low & _SIGNS["address"]
    fit = demands or passage.tagged[0].tag in _ORDER_TAGS
    return {} if fit and passage.words <= 60 and not passage.is_quoting else None


def _concise(passage: Passage, rng: Random) -> dict[str, Value] | None:
    return {} if passage.words >= 14 and (_WORDY.search(passage.text) or rng.random() < 0.2) else None


_DRAWS: Final[Mapping[str, Callable[[Passage, Random], dict[str, Value] | None]]] = {
    "fluency": lambda passage, rng: {},
    "shorten": _shorten,
    "split": _split,
    "merge": _merge,
    "with_word": _with_word,
    "without_word": _without_word,
    "simpler": _simpler,
    "plain": _plain,
    "active": _active,
    "past": _past,
    "present": _present,
    "formal": _formal,
    "friendly": _friendly,
    "polite": _polite,
    "concise": _concise,
}
CONTROLS: Final = tuple(_DRAWS)
"""The controls that a teacher is asked for."""
