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
from typing import Final

from redraft.revision.draft import content_stems
from redraft.revision.omission import FACT, Kind, kind_of_sentence
from redraft.revision.rewriting.compressions import tightened
from redraft.revision.task import Task
from redraft.text import Sentence, mask

_DEEP: Final = 0.7
"""A bound below this share of the words is met by whole sentences."""
_OVER: Final = 1.03
"""The share of the words allowed that may stand for now: cuts within sentences do the rest."""
_JOINED: Final = 1.5
"""Sentences for each one that is allowed, where neighbours can still be joined."""
_FEWEST: Final = 4
"""Sentences of a text that is abridged."""
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
_POINTS_BACK: Final = re.compile(
    r"(?i)\W*(?:(?:this|that|these|those|such|he|she|they|his|her|their|its|both|neither|either|then|but|yet"
    r"|so|however|nevertheless|otherwise|instead|still|thus|therefore|hence|consequently|even so|that is why"
    r"|(?:one|two|some|several|many|most|all|none|each|half|others?) of (?:them|these|those)"
    r"|another|the others?|the (?:latter|former|same)|for (?:this|that) reason|as a result"
    r"|in (?:response|contrast|that case))\b"
    r"|it (?!(?:is|was|will be|seems|would be) (?:not |very |also )?(?:important|possible|impossible|likely"
    r"|unlikely|clear|unclear|hard|easy|difficult|necessary|essential|vital|true|known|believed|hoped|expected"
    r"|estimated|recommended|advisable|best|better|worth|time|unusual|common|good|sad|strange)\b))"
)
"""How a sentence opens that cannot do without the one before it."""
_SPEAKS_OF_IT: Final = re.compile(r"(?i)\W*(?:[\w'’]+ ){0,6}(?:this|that|it|them|so)\W*\Z")
"""A short one that ends with what it is about: "We are sorry about this." """


def spared_sentences(task: Task) -> tuple[int, ...]:
    """The places of the sentences that go first where much has to go; none where cuts within them will do."""
    sentences = task.before.sentences
    if not task.is_english or not _FEWEST <= len(sentences) <= _LONGEST:
        return ()
    words = [task.read(_tight(one.text)).words for one in sentences]
    most_words = task.bounds("words").high
    most_sentences = task.bounds("sentences").high
    is_long = most_words < _DEEP * task.before.words
    is_many = most_sentences < _DEEP * len(task.before.counted)
    if not (is_long or is_many):
        return ()
    is_summary = bool(_SUMMARY.search(task.instruction))
    most = most_sentences if is_summary else math.ceil(_JOINED * most_sentences) if is_many else math.inf
    kept = _chosen(task, words, min(most_words, sum(words)), most)
    return tuple(place for place in range(len(sentences)) if place not in kept)


def _tight(text: str) -> str:
    """A sentence without what nobody misses: so many words of it have to stand."""
    made = tightened(text)
    return made.text if made else text


def _chosen(task: Task, words: Sequence[int], most_words: float, most: float) -> set[int]:
    """The sentences that are worth most together, within the bounds; what points back follows its like."""
    sentences = task.before.sentences
    worth = _worths(task, words)
    fixed = {place for place, one in enumerate(sentences) if _is_fixed(task, one)}
    room = math.floor(_OVER * most_words)
    limit = int(min(most, len(sentences))) + sum(1 for one in sentences if one.aside)
    # The best value for so many words and sentences, and whether the last one stays: what it is made of.
    best: dict[tuple[int, int, bool], tuple[float, tuple[int, ...]]] = {(0, 0, True): (0.0, ())}
    for place, sentence in enumerate(sentences):
        follows = _points_back(sentence.text) and place > 0 and not _opens(sentences, place)
        found: dict[tuple[int, int, bool], tuple[float, tuple[int, ...]]] = {}
        for (used, count, stays), (value, kept) in best.items():
            if place not in fixed:
                _better(found, (used, count, False), value, kept)
            if (stays or not follows) or place in fixed:
                taken = used + words[place]
                if (taken <= room and count < limit) or place in fixed:
                    _better(found, (taken, count + 1, True), value + worth[place], (*kept, place))
        best = found
    least = task.bounds("words").low
    over = (
        (used >= least, value - _OVER_COST * max(used - most_words, 0), kept)
        for (used, _, _), (value, kept) in best.items()
    )
    return set(max(over)[2])


def _points_back(text: str) -> bool:
    return bool(_POINTS_BACK.match(text) or _SPEAKS_OF_IT.fullmatch(text))


def _better(
    found: dict[tuple[int, int, bool], tuple[float, tuple[int, ...]]],
    state: tuple[int, int, bool],
    value: float,
    kept: tuple[int, ...],
) -> None:
    if state not in found or value > found[state][0]:
        found[state] = value, kept


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


def _is_fixed(task: Task, sentence: Sentence) -> bool:
    """Whether a sentence has to stay: a greeting, a heading, mark-up, or what a constraint keeps."""
    if (
        sentence.aside
        or mask(sentence.text, task.format).pieces
        or not re.search(r"[.!?…]\W*\Z", sentence.text)
    ):
        return True
    without = task.original[: sentence.start] + task.original[sentence.end :]
    broken = {one.constraint for one in task.check(without).findings if not one.met}
    return bool(broken - {one.constraint for one in task.check(task.original).findings if not one.met})
