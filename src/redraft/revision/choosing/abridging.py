"""A text that must become much shorter: whole sentences are chosen first, and only then is any of them cut.

A few words less are found within sentences. Where a third of the text has to go, that leaves stumps: a reader
would rather have the sentences that matter, whole. Which of them matter is told by what kind they are, by how
much the rest of the text speaks of the same things, and by where they stand.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from redraft.constraints import Bounds, Constraint
from redraft.revision.draft import content_stems
from redraft.revision.judging.omission import FACT, Kind, kind_of_sentence, points_back
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.task import Task
from redraft.text import Sentence, mask

_DEEP: Final = 0.7
"""A bound below this share of the words is met by whole sentences."""
_OVER: Final = 1.03
_OVER_FEW: Final = 1.35
"""The share of the words allowed that may stand for now, and where sentences are few: cuts do the rest."""
_JOINED: Final = 1.5
"""Sentences for each one that is allowed, where neighbours can still be joined."""
_FEWEST: Final = 4
"""Sentences of a text that is abridged."""
_FEW, _LONG = 8, 18
"""Fewer sentences than this, of so many words or more, are cut one by one: each says several things."""
_NEARLY: Final = 1.2
"""By so much a few sentences without what nobody misses may still be too long to be cut one by one."""
_LEAST_LEFT: Final = 0.4
"""The share of a text's words down to which its few sentences are cut."""
_STEPS: Final = 250
"""Amounts of words that are told apart."""
_LONGEST: Final = 400
"""Sentences of a text in which they are weighed against one another."""
_ENDS: Final = re.compile(r"[.!?…]\W*\Z")
_SUMMARY: Final = re.compile(
    r"(?i)\b(?:summar\w+|sum(?:ming)? up|sum (?:it|this) up|abstract|gist|key points)\b"
)
_WORTH: Final[dict[Kind, float]] = {
    "repetition": 0.1,
    "ceremony": 0.3,
    "example": 0.5,
    "attribution": 0.8,
    "other": 1.0,
    "claim": 1.5,
    "step": 2.5,
    "rule": 2.5,
}
"""What a sentence is worth to a short version, by its kind."""
_FIRST, _OPENS, _LAST, _QUOTED = 2.0, 1.3, 1.3, 0.4
"""By what it counts more to be the text's first or last, or to open a paragraph; and less, to be speech."""
_FACT_WORTH, _MOST_FACTS = 0.15, 4
"""By what each number, day or condition counts more, up to so many."""
_OVER_COST: Final = 0.25
"""What a word beyond the bound costs: what is cut from a sentence may be what it was about."""
_CONCLUDES: Final = re.compile(
    r"(?i)(?:(?:conclusions?|results?|findings|interpretation|decision|action)\s*:"
    r"|in (?:conclusion|short|summary)\b|(?:[^.]* )?recommend(?:s|ed)?\b"
    r"|(?:we|the (?:council|committee|board|court|authors?|team))"
    r" (?:found|find|show|showed|conclude|concluded|decided|agreed|voted|ruled)\b)"
)
_CONCLUDING: Final = 1.6
"""By what a sentence counts more that says what came of it all."""


def spared_sentences(task: Task) -> tuple[int, ...]:
    """The places of the sentences that go first where much has to go; none where cuts within them will do."""
    sentences = task.before.sentences
    if not task.is_english or not _FEWEST <= len(sentences) <= _LONGEST:
        return ()
    most_words = task.bounds("words").high
    most_sentences = task.bounds("sentences").high
    is_long = most_words < _DEEP * task.before.words
    is_many = most_sentences < _DEEP * len(task.before.counted)
    if not (is_long or is_many):
        return ()
    is_wordy = len(sentences) < _FEW and task.before.words >= _LONG * len(sentences)
    if is_wordy and not is_many and most_words >= _LEAST_LEFT * task.before.words:
        return ()
    kinds = Counter(kind_of_sentence(one.text) for one in sentences if not one.aside)
    if 2 * (kinds["step"] + kinds["rule"]) > kinds.total() and not is_many:
        return ()  # who follows steps needs each of them
    words = [task.read(_tight(one.text)).words for one in sentences]
    if is_long and not is_many and len(sentences) < _FEW and sum(words) <= _NEARLY * most_words:
        return ()  # what nobody misses is nearly enough
    is_summary = bool(_SUMMARY.search(task.instruction))
    most = most_sentences if is_summary else math.ceil(_JOINED * most_sentences) if is_many else math.inf
    kept = _chosen(task, words, min(most_words, sum(words)), most)
    said = {place for place, one in enumerate(sentences) if not one.aside}
    if len(kept) < task.bounds("sentences").low or not kept & said:
        return ()  # so few would have to be split again, or nothing would be said
    return tuple(place for place in range(len(sentences)) if place not in kept)


def _tight(text: str) -> str:
    """A sentence without what nobody misses: so many words of it have to stand."""
    made = tightened(text)
    return made.text if made else text


def _chosen(task: Task, words: Sequence[int], most_words: float, most: float) -> set[int]:
    """The sentences that are worth most together, within the bounds; what points back follows its like."""
    sentences = task.before.sentences
    worth = _worths(task, words)
    fixed = _fixed(task)
    room = math.floor((_OVER_FEW if len(sentences) < _FEW else _OVER) * most_words)
    limit = most + sum(1 for one in sentences if one.aside)
    # In a long text it is enough to know about how many words there are, and nobody asks where all fit.
    steps = _STEPS if limit == math.inf else max(_STEPS // int(limit + 1), 1) * 8
    grain = max(1, room // steps) if room < sum(words) else room + 1
    best: dict[_State, _Kept] = {_State(0, 0, True): _Kept(0.0, 0, None)}
    for place, sentence in enumerate(sentences):
        follows = points_back(sentence.text) and place > 0 and not _opens(sentences, place)
        found: dict[_State, _Kept] = {}
        for state, kept in best.items():
            if place not in fixed:
                _better(found, state._replace(stays=False), kept)
            words_then = kept.words + words[place]
            fits = words_then <= room and state.sentences < limit and (state.stays or not follows)
            if fits or place in fixed:
                many = state.sentences + (limit < math.inf)
                then = _Kept(kept.value + worth[place], words_then, (place, kept))
                _better(found, _State(words_then // grain, many, True), then)
        best = found
    least = task.bounds("words").low
    chosen = max(
        best.values(),
        key=lambda kept: (kept.words >= least, kept.value - _OVER_COST * max(kept.words - most_words, 0)),
    )
    return set(_places(chosen))


class _State(NamedTuple):
    """How far the words and the sentences go that stay so far, and whether the last one does."""

    words: int
    sentences: int
    stays: bool


class _Kept(NamedTuple):
    """Sentences that stay: what they are worth, their words, and the last with those before it."""

    value: float
    words: int
    last: tuple[int, _Kept] | None


def _places(kept: _Kept) -> Iterator[int]:
    while kept.last is not None:
        place, kept = kept.last
        yield place


def _better(found: dict[_State, _Kept], state: _State, kept: _Kept) -> None:
    if state not in found or kept.value > found[state].value:
        found[state] = kept


def _worths(task: Task, words: Sequence[int]) -> list[float]:
    sentences = task.before.sentences
    stems = [content_stems(one.text) for one in sentences]
    spread = Counter(stem for own in stems for stem in own)
    central = [sum(spread[stem] > 1 for stem in own) / max(len(own), 1) for own in stems]
    texts = [one.text for one in sentences]
    said = [place for place, one in enumerate(sentences) if not one.aside]
    found = []
    for place, sentence in enumerate(sentences):
        others = (*texts[:place], *texts[place + 1 :])
        value = _WORTH[kind_of_sentence(sentence.text, others)] * (0.6 + 0.8 * central[place])
        value *= math.prod(_factors(sentence, sentences, place, said))
        found.append(value * math.sqrt(words[place]))
    return found


def _factors(
    sentence: Sentence, sentences: Sequence[Sentence], place: int, said: Sequence[int]
) -> Iterator[float]:
    if said and place == said[0]:
        yield _FIRST
    elif _opens(sentences, place):
        yield _OPENS
    elif said and place == said[-1]:
        yield _LAST
    yield 1 + _FACT_WORTH * min(sum(1 for _ in FACT.finditer(sentence.text)), _MOST_FACTS)
    if _CONCLUDES.match(sentence.text):
        yield _CONCLUDING
    if sentence.text.lstrip().startswith(('"', "“", "‘")):
        yield _QUOTED


def _opens(sentences: Sequence[Sentence], place: int) -> bool:
    """Whether a sentence is the first of its paragraph."""
    return place == 0 or sentences[place].paragraph != sentences[place - 1].paragraph


def _fixed(task: Task) -> set[int]:
    """The places of sentences that have to stay: greetings, headings, mark-up, what a constraint keeps."""
    sentences = task.before.sentences
    found = {
        place
        for place, one in enumerate(sentences)
        if one.aside or mask(one.text, task.format).pieces or not _ENDS.search(one.text)
    }
    if all(isinstance(demand, Bounds) for demand in task.demands):
        return found
    broken = _unmet(task, task.original)
    for place in set(range(len(sentences))) - found:
        one = sentences[place]
        if _unmet(task, task.original[: one.start] + task.original[one.end :]) - broken:
            found.add(place)
    return found


def _unmet(task: Task, text: str) -> set[Constraint]:
    return {one.constraint for one in task.check(text) if not one.met}
