"""Whether an answer obeys its control, and which bounds it keeps to."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from redraft.editor import Value
from redraft.text import analyse_syntax, word_sets
from redraft.train.teaching.facts import content, stem
from redraft.train.teaching.passage import Passage
from redraft.train.teaching.requests import TeacherRequest

_SIGNS: Final = word_sets(__package__, "signs.txt")
_BY: Final = re.compile(r"ed by |n by |t by ")
_DOERS: Final = frozenset({"we", "they", "people", "someone", "somebody", "you", "one"})
_HARDEST_GRADE: Final = 12
_DEMAND: Final = re.compile(r"(?i)\b(?:you|authors?)(?: \w+)? (?:must|should|need|have to|cannot)\b")
_READER: Final = frozenset({"you", "your"})
_SLACK: Final = (0, 0, 1, 2)
"""What a bound may leave unused."""


def fitted_values(request: TeacherRequest, before: Passage, after: Passage) -> Mapping[str, Value] | None:
    """The values that the answer obeys, with bounds drawn close to it; None where it does not obey."""
    return _HOLDS[request.task](request, before, after)


def _slack(request: TeacherRequest, after: Passage) -> int:
    return Random(f"{request.id}/{after.text}").choice(_SLACK)


_Held = Mapping[str, Value] | None
_MOST_CHANGED: Final = 0.5
"""Words that a correction may take away or put in, as a share of the words."""
_MOST_LEFT: Final = 0.4
"""The share of the errors that a correction may leave."""
_MOST_LACKING: Final = 0.5
"""The share of the right words that a correction may say in its own way."""
_Tokens = Counter[str]


def _fluency(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    """Most errors are mended, where it is known what was right; else not much is changed."""
    if request.reference:
        mended = _mends(_tokens(before.text), _tokens(after.text), _tokens(request.reference))
        return {} if mended else None
    changed = _distance(Counter(before.spelt), Counter(after.spelt))
    return {} if changed <= max(4, _MOST_CHANGED * before.words) else None


def _mends(source: _Tokens, text: _Tokens, right: _Tokens) -> bool:
    """Whether most of what was wrong is gone, half of what was right is back, and no more is changed."""
    wrong, missing, errors = source - right, right - source, _distance(source, right)
    left, lacking = wrong & (text - right), missing - text
    lost = ((source & right) - text).total()
    return (
        left.total() <= _MOST_LEFT * wrong.total()
        and lacking.total() <= _MOST_LACKING * missing.total()
        and lost <= _MOST_LEFT * errors
        and _distance(text, right) <= errors
    )


def _tokens(text: str) -> _Tokens:
    """The words and marks."""
    return Counter(re.findall(r"\w+|[^\w\s]", text))


def _distance(one: _Tokens, other: _Tokens) -> int:
    """How many words and marks stand in one text and not in the other."""
    return ((one - other) + (other - one)).total()


def _shorten(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    bound = after.words + _slack(request, after)
    return {"n": bound} if bound < before.words and _is_whole(after) else None


def _concise(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    return {} if after.words < before.words and _is_whole(after) else None


def _split(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    bound = after.longest + _slack(request, after)
    fit = after.sentences > before.sentences and bound <= 0.85 * before.longest and _is_whole(after)
    return {"n": bound} if fit and not _repeats(before.text, after.text) else None


def _merge(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    return {} if after.sentences == 1 and ";" not in after.text and _is_whole(after) else None


def _with_word(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    """The teacher found a place for the word: to put it where its synonym stood takes no skill, nor sense."""
    word, instead = str(request.values["word"]), str(request.values.get("instead", ""))
    swapped = Counter(after.spelt) - Counter(before.spelt) == Counter([word]) and instead not in after.low
    fit = after.spelt.count(word) == 1 and word not in before.low
    return {"word": word} if fit and not (instead and swapped) else None


def _without_word(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    """The word is replaced: where it is only left out, what it said is lost."""
    word = str(request.values["word"])
    fit = word in before.low and not _has_form(word, after) and set(content(after)) - set(content(before))
    return {"word": word} if fit else None


def _simpler(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    bound = max(3, math.ceil(after.grade)) + min(1, _slack(request, after))
    return {"n": bound} if bound <= min(_HARDEST_GRADE, before.grade - 1) and _is_whole(after) else None


def _plain(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    return {} if after.grade < before.grade and _is_whole(after) else None


def _active(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    """Whoever did it is named, or it is a report of what "we" did: others are not made up."""
    if not before.passives or after.passives or not _is_whole(after):
        return None
    named = _BY.search(before.text) is not None
    came = _DOERS & after.low - before.low
    reports = came == {"we"} and not named and {"was", "were", "been"} & before.low
    return {} if not came or reports else None


def _past(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    present, past = after.tenses
    return {} if past and not present else None


def _present(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    present, past = after.tenses
    return {} if present and not past else None


def _formal(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    fewer = before.is_shortened or (_SIGNS["casual"] & before.low) - after.low
    fit = fewer and not after.is_shortened and not _has_new("thanks", before, after)
    return {} if fit else None


def _polite(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    """A demand stays one, and is made of the same people."""
    order = analyse_syntax(before.text).main == 0 and "?" not in before.text and "let" not in before.low
    demand = order or _DEMAND.search(before.text)
    asked = _READER & after.low and not _READER & before.low
    fit = demand and (order or not asked) and _has_new("courteous", before, after)
    return {} if fit and not _has_new("thanks", before, after) else None


def _friendly(request: TeacherRequest, before: Passage, after: Passage) -> _Held:
    """Warmer, but with no thanks that nobody gave, and "please" only where something is asked."""
    warmer = _has_new("warm", before, after) or "!" in after.text
    pleads = "please" in after.low - before.low and not _SIGNS["demand"] & before.low
    fit = warmer and after.text.count("!") <= 1 and not _has_new("thanks", before, after)
    return {} if fit and (not pleads or analyse_syntax(before.text).main == 0) else None


def _has_new(sign: str, before: Passage, after: Passage) -> bool:
    return bool(_SIGNS[sign] & after.low - before.low)


_HOLDS: Final[Mapping[str, Callable[[TeacherRequest, Passage, Passage], _Held]]] = {
    "fluency": _fluency,
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
_LEAST_SENTENCE: Final = 3
_LEAST_ROOT: Final = 4
_LONGEST_ENDING: Final = 4


def _is_whole(passage: Passage) -> bool:
    """Whether each sentence has a main verb, or asks something."""
    return all(
        passage.document.word_counts[sentence.number - 1] >= _LEAST_SENTENCE
        and not sentence.text[0].islower()
        and (analyse_syntax(sentence.text).main is not None or sentence.text.endswith("?"))
        for sentence in passage.document.sentences
    )


def _has_form(word: str, passage: Passage) -> bool:
    """Whether a word occurs, or another of its forms; at times one that only begins like it."""
    root = stem(word) if len(stem(word)) >= _LEAST_ROOT else word
    return any(
        other == word or (other.startswith(root) and len(other) <= len(root) + _LONGEST_ENDING)
        for other in passage.low
    )


def _repeats(source: str, text: str) -> bool:
    """Whether four words in a row stand twice, and more often than in the source."""
    known = _runs(source)
    return any(count > max(1, known[run]) for run, count in _runs(text).items())


def _runs(text: str) -> Counter[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return Counter(zip(*(words[at:] for at in range(4)), strict=False))
