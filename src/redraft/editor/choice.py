"""The choice among the editor's answers: a weighted sum of features that need no reference.

The weights depend on the kind of edit. Agreement with the other answers is minimum-Bayes-risk decoding: what
is like most of the samples is what the model would defend, and a slip stands alone.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import chain, pairwise
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from redraft.editor.phrasings import without_what_stays
from redraft.metrics import Sample, load_metric, sample_scores, tokens_13a, words_13a
from redraft.quality import Quality, QualityScorer
from redraft.text import is_english_request

Kind = Literal["correct", "simplify", "paraphrase", "neutralise", "update", "improve"]
KINDS: tuple[Kind, ...] = get_args(Kind)
_THINGS = (
    r"(?:it|this|these|them|everything|all of it|whatever|what(?:['’]s| is) \w+"
    r"|(?:(?:the|my|our|this|these|all|any) )*(?:\w+ )?(?:text|e?-?mails?|message|letter|essay|paragraphs?"
    r"|sentences?|report|article|draft|story|translation|post|paper|abstract|speech|page|note|commas?"
    r"|apostrophes?|capitals?|capitali[sz]ation|tenses?|articles|prepositions|plurals))"
    r"(?! (?:tone|length|style|title|so that|to (?:be|make|fit)|is\b|has\b"
    r"|that (?!(?:is|are) (?:wrong|broken))))"
)
"""What is corrected as a whole; "fix the tone" is something else."""
# The first that matches; whatever else an instruction says is some improvement.
_SIGNS: Mapping[Kind, str] = {
    "correct": (
        r"gramma|spelling|typo|error|mistake|proof-?read|punctuation|copy-?edit|fix (?:only )?(?:my english"
        r"|what(?:['’]s| is) (?:wrong|broken))|correct (?:it|this|them"
        r"|my (?:english|text|writing|e?-?mail|letter|essay))\b"
        r"|spell-?\s?check|(?:in|make (?:it|this) )?(?:correct|proper)(?: and \w+)? english|native speaker"
        r"|make (?:the |my |our |this |its |it )?(?:english |language |text )?(?:\w+ and )?correct\b"
        r"|(?:fix|correct|check|repair|mend|clean up|tidy(?: up)?|polish|revise|review|sort out|brush up"
        r"|go over|look over|(?:have|take) a (?:quick |good |close )?look at|straighten out)"
        r" (?:up )?(?:all |of |the |my |our |his |her |their |this |its )*"
        r"(?:bad |poor |broken |clumsy )?(?:english|language)\b(?! barrier)"
        r"|(?:english|language) (?:is|isn['’]t|was)[^.;]{0,30}(?:fix|repair|correct|mend|check)"
        r"|(?:not|n['’]t|nt) my (?:first|native|mother) (?:language|tongue)|proof[ -]?re[ae]d"
        r"|corrections?\b|correcting\b|correctness"
        r"|native (?:check|wrote|level)|(?:like|as) a native|(?:sound|make it) native|error-free"
        r"|(?:improve|better|good|proper) (?:the |my |our )?english"
        r"|english (?:is|['’]s) (?:\w+ )?(?:bad|poor|weak)"
        r"|help (?:me )?(?:with )?(?:my|the) english"
        rf"|(?:fix|correct|check|repair|mend|clean|tidy|proof|sort) (?:up )?(?:{_THINGS})\b"
        r"|(?:clean|tidy|sort)(?:ed|ing)? (?:it |this |that |them |things )?(?:up|out)\b"
        r"|review (?:it |this )?for (?:the )?(?:language|english)"
    ),
    "update": r"updat|(?:new|missing|recent) information",
    "simplify": r"simpl|less complex|easier|plain",
    "neutralise": r"neutral|points? of view|pov\b|bias|opinion",
    "paraphrase": r"paraphras|rephras|reword|re-?write|(?:different|other) (?:words|wording)",
}
_NOT_WANTED = re.compile(
    r"\b(?:do not|don['’]t|without|no|never) (?:re-?writ|reword|rephras|paraphras)\w*", re.I
)

_ALONE = re.compile(
    r"(?:\A|[.;!?,:)]\s*|\b(?:please|pls|plz|kindly|just|you|and|only)\s+)(?:correct|check)"
    r"(?=\s*(?:\Z|[.,;!?(])"
    r"|\s+(?:please|pls|plz|thx|thanks|but|only|everything|all|what|whatever|where|if|and)\b)",
    re.I,
)
"""A wish for corrections that does not say of what: "please correct, it's for my boss"."""


def kind_of(instruction: str) -> Kind:
    """The kind of edit that an instruction asks for, by its words."""
    if not is_english_request(instruction):
        return "improve"
    asked = _NOT_WANTED.sub("", without_what_stays(instruction))
    if _ALONE.search(asked):
        return "correct"
    found = (kind for kind, words in _SIGNS.items() if re.search(rf"\b(?:{words})", asked, re.I))
    return next(found, "improve")


Column = NDArray[np.float64]
_CHARACTERS = 4
Features = NDArray[np.float64]
_LARGEST_FEATURE = 100.0


@dataclass(frozen=True, slots=True)
class EditorAnswer:
    """An edit that a model gave: how often it was sampled, and whether it is what greedy decoding gives."""

    text: str
    drawn: int = 0
    greedy: bool = False

    @property
    def votes(self) -> int:
        """How often the model gave it, one way or the other."""
        return self.drawn + self.greedy


@dataclass(frozen=True, slots=True)
class Weights:
    """What each feature counts for; the features are made so that more is better, as a rule."""

    overlap: float = 0.5
    """Mean n-gram overlap with the other votes, 0 to 1."""
    sari: float = 1.0
    """SARI against the other votes, 0 to 1."""
    greedy: float = 0.0
    """1 for what greedy decoding gives."""
    shorter: float = 0.0
    """The logarithm of the source's length over the candidate's, in words."""
    copy: float = 0.3
    """-1 for the source unchanged; under `correct` only where the source has an error."""
    perplexity: float = 0.1
    """The logarithm of the source's perplexity over the candidate's."""
    likelihood: float = 0.05
    """The mean log-probability of a token, given the source."""
    grammar: float = 0.02
    """Minus the errors per 100 words."""
    similarity: float = 0.3
    """How near the meaning is to the source's."""
    changes: float = 0.1
    """Minus the number of changes of meaning."""

    @property
    def judging(self) -> bool:
        """Whether any feature counts that takes a quality scorer."""
        return any(getattr(self, name) for name in JUDGED)


NAMES: tuple[str, ...] = tuple(field.name for field in fields(Weights))
"""The features, in the order of their columns."""
JUDGED = ("perplexity", "likelihood", "grammar", "similarity", "changes")
"""The features that a quality scorer is needed for; without one they are zero."""
# In the order of NAMES; found by `benchmarks/editor.py tune` on the development set of the editor that ships.
WEIGHTS: Mapping[Kind, Weights] = {
    "correct": Weights(26.7, 0.0, -0.501, -2.0, 1.29, 3.57, 0.0, 0.05, 1.0, 1.0),
    "simplify": Weights(0.0, 14.2, -0.282, 0.0, 0.0, 0.0, 0.0, 0.05, 1.0, 1.0),
    "paraphrase": Weights(0.0, 2.41, -0.265, -0.646, 1.13, 0.277, 1.35, 0.05, 2.84, 1.0),
    "neutralise": Weights(9.64, 0.0, 0.0, -2.0, 0.3, 0.1, 1.17, 0.0876, 15.8, 1.0),
    "update": Weights(),  # there is no development set for it
    "improve": Weights(14.4, 28.6, 0.0, 0.0, 0.0, 0.0, 0.0, 1.82, 1.0, 1.0),
}


async def choose(
    source: str,
    candidates: Sequence[EditorAnswer],
    quality: QualityScorer | None = None,
    weights: Weights | None = None,
    kind: Kind = "improve",
) -> EditorAnswer:
    """The best of the candidates; of two that are equally good, the first."""
    if not candidates:
        raise ValueError("there is nothing to choose from")
    weights = weights or WEIGHTS[kind]
    if len(candidates) == 1:
        return candidates[0]
    judged: Mapping[str, Quality] = {}
    if quality is not None and weights.judging:
        texts = list(dict.fromkeys([source, *(candidate.text for candidate in candidates)]))
        scores = await quality.score(texts, [source] * len(texts))
        judged = dict(zip(texts, scores, strict=True))
    return candidates[best(features(source, candidates, judged, kind), weights)]


def features(
    source: str,
    candidates: Sequence[EditorAnswer],
    qualities: Mapping[str, Quality] | None = None,
    kind: Kind = "improve",
) -> Features:
    """A row for each candidate and a column for each of NAMES.

    `qualities` has the scores of the source and of every candidate, by text; without them JUDGED are zero.
    """
    texts = [candidate.text for candidate in candidates]
    votes = [candidate.votes for candidate in candidates]
    words = source.split()
    judged = qualities or {}
    # A text without an error is best left alone, where nothing but errors is asked about.
    alone = kind == "correct" and not (judged and judged[source].grammar > 0)
    columns: dict[str, Features | list[float]] = {
        "overlap": overlap(texts, votes),
        "sari": agreed_sari(source, texts, votes),
        "greedy": [float(candidate.greedy) for candidate in candidates],
        "shorter": [math.log((len(words) + 1) / (len(text.split()) + 1)) for text in texts],
        "copy": [-float(text.split() == words and not alone) for text in texts],
    }
    rows = np.zeros((len(candidates), len(NAMES)))
    for name, column in columns.items():
        rows[:, NAMES.index(name)] = column
    if judged:
        found = np.array([_judged(judged[text], judged[source]) for text in texts])
        # A text without words is infinitely unlikely, and no weight could say how little that counts.
        found = np.nan_to_num(found.clip(-_LARGEST_FEATURE, _LARGEST_FEATURE))
        rows[:, [NAMES.index(name) for name in JUDGED]] = found
    return rows


def _judged(own: Quality, source: Quality) -> tuple[float, ...]:
    """The columns JUDGED of one candidate."""
    return (
        math.log(source.perplexity) - math.log(own.perplexity),
        own.likelihood if own.likelihood is not None else 0.0,
        -own.grammar,
        own.meaning.similarity if own.meaning is not None else 0.0,
        -len(own.meaning.changes) if own.meaning is not None else 0.0,
    )


def best(rows: Features, weights: Weights) -> int:
    """The row with the largest weighted sum; the first of equals."""
    # Rounded, for sums of the same numbers in another order are not quite the same.
    return int(np.argmax((rows * astuple(weights)).sum(axis=-1).round(9)))


def overlap(texts: Sequence[str], votes: Sequence[int]) -> Column:
    """The mean overlap (0 to 1) of each text with every other vote: F1 of words, word pairs and 4-grams.

    A text with several votes stands beside itself as often as that, less one.
    """
    counts = _counts(texts)
    shared = np.minimum(counts[:, None], counts[None]).sum(axis=-1)
    sizes = np.maximum(counts.sum(axis=-1), 1)
    alike = 2 * shared / (sizes[:, None] + sizes[None])
    others = np.asarray(votes) - np.eye(len(texts))
    total = sum(votes) - 1
    agreed: Column = (alike * others).sum(axis=-1) / total if total else np.ones(len(texts))
    return agreed


def agreed_sari(source: str, texts: Sequence[str], votes: Sequence[int]) -> Column:
    """SARI (0 to 1) of each text, with every other vote for a reference."""
    if sum(votes) < 2:
        return np.ones(len(texts))
    cast = [[text] * count for text, count in zip(texts, votes, strict=True)]
    samples = [
        Sample(source, text, tuple(chain(*cast[:at], cast[at][1:], *cast[at + 1 :])))
        for at, text in enumerate(texts)
    ]
    return sample_scores(load_metric("sari"), samples) / 100


def _counts(texts: Sequence[str]) -> NDArray[np.int64]:
    """How often each n-gram that occurs stands in each text."""
    numbers: dict[tuple[str, ...] | str, int] = {}
    counted = [Counter(_grams(text)) for text in texts]
    for gram in chain(*counted):
        numbers.setdefault(gram, len(numbers))
    counts = np.zeros((len(texts), len(numbers)), dtype=np.int64)
    for row, grams in zip(counts, counted, strict=True):
        row[[numbers[gram] for gram in grams]] = list(grams.values())
    return counts


def _grams(text: str) -> list[tuple[str, ...] | str]:
    words = [token for word in words_13a(text) for token in tokens_13a(word)]
    joined = " ".join(words)
    pieces = [joined[at : at + _CHARACTERS] for at in range(len(joined) - _CHARACTERS + 1)]
    return [*((word,) for word in words), *pairwise(words), *pieces]
