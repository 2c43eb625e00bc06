"""Corrections of a sentence: what Harper suggests, and words that writers mix up.

A language model decides which of them are made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Final, Literal

from redraft.models import LogProbs, Scorer
from redraft.quality import WEIGHTS, grammar_findings
from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import cased_like, distinct
from redraft.text import BY_FORM, PLURALS, UNCOUNTED, Tagged, list_lines, plural, singular, tagged

CorrectionKind = Literal[
    "article", "preposition", "agreement", "verb", "number", "word", "joined", "spelling", "rule"
]
"""What an edit touches. `spelling` and `rule` are Harper's; the others are found here."""


@dataclass(frozen=True, slots=True)
class Correction:
    """An edit of one place: `after` stands for `text[start:end]`."""

    start: int
    end: int
    after: str
    kind: CorrectionKind

    def apply(self, text: str) -> str:
        """The text with the edit made."""
        return text[: self.start] + self.after + text[self.end :]


_ARTICLES: Final = ("a", "an", "the")
_PREPOSITIONS: Final = ("in", "on", "at", "to", "for", "of", "with", "by", "from", "about")
_INSERTED: Final = ("to", "of", "in", "for")
_BE: Final = (("is", "are", "am"), ("was", "were"), ("be", "been", "being", "is", "are"))
_DETERMINERS: Final = frozenset({"DT", "PRP$", "CD", "POS", "WDT", "WP$", "PDT"})
_NOUNS: Final = frozenset({"NN", "NNS"})
_VERBS: Final = frozenset({"VB", "VBP", "VBZ", "VBD", "VBN", "VBG"})
_OPENERS: Final = frozenset({"NN", "NNS", "JJ", "JJS", "RBS"})
_PHRASE: Final = 4
"""Words that a phrase of the list may have."""
BY: Final = "correction"
MARGINS: Final[Mapping[CorrectionKind, float]] = {
    "spelling": 0.0,
    "rule": 0.0,
    "joined": 1.5,
    "agreement": 4.0,
    "verb": 5.0,
    "number": 6.0,
    "article": 6.0,
    "word": 6.0,
    "preposition": 9.0,
}
"""How much likelier (a logarithm) an edit must make the whole sentence; found by `benchmarks/polish.py`."""
USUAL_CAUTION: Final = 1.5
"""What margins are multiplied by: with 1.5, confusions change one clean sentence in sixty; with 1, one in
twenty-five; 0.6 is for who is known to make errors."""
MOST: Final = 25
"""Edits of a sentence that are scored, beside Harper's."""
_SUGGESTIONS: Final = 5
_SPELLING: Final = frozenset({"Spelling", "Typo"})


def corrections(sentence: str) -> list[Candidate]:
    """What Harper suggests: the first suggestions all together, then each one alone."""
    found = suggested(sentence)
    firsts = sorted(_apart(found), key=lambda swap: swap.start)
    chosen = [firsts, *([swap] for swap in found)]
    made = (Candidate(_made(sentence, some), BY, _why(sentence, some)) for some in chosen)
    return [one for one in distinct(made) if one.text != sentence]


async def corrected(sentence: str, scorer: Scorer, *, caution: float = USUAL_CAUTION) -> list[Candidate]:
    """The sentence with the edits that make it clearly likelier, the most corrected one first.

    Harper's suggestions come first, then the confusions of what they leave, each where it gains more than its
    margin times `caution`. A sentence in which nothing gains as much has no correction.
    """
    spelt, first = await _improved(sentence, scorer, lambda text, _: suggested(text), caution)
    whole, second = await _improved(spelt, scorer, _confused_there, caution)
    why = _why(sentence, first)
    found = [Candidate(whole, BY, (*why, *_why(spelt, second))), Candidate(spelt, BY, why)]
    return [one for one in distinct(found) if one.text != sentence]


def suggested(sentence: str) -> list[Correction]:
    """Harper's suggestions for what it takes for errors, those of matters of taste left out."""
    return [
        Correction(found.start, found.end, other, "spelling" if found.kind in _SPELLING else "rule")
        for found in grammar_findings(sentence)
        if found.kind in WEIGHTS
        and not (found.kind in _SPELLING and _is_name(sentence, found.start, found.end))
        for other in found.suggestions[:_SUGGESTIONS]
    ]


def _is_name(sentence: str, start: int, end: int) -> bool:
    """Whether a word with a capital is a name: it opens no sentence, or another such word follows."""
    opens = not sentence[:start].strip(" \"“‘'(*_")
    return sentence[start].isupper() and (not opens or sentence[end:].lstrip(" ")[:1].isupper())


async def _improved(
    text: str, scorer: Scorer, edits: Callable[[str, LogProbs], list[Correction]], caution: float
) -> tuple[str, list[Correction]]:
    """The text with the edits that gain enough, and these."""
    if not text.strip():
        return text, []
    (before,) = await scorer.log_probs([text])
    tried = edits(text, before)
    if not tried:
        return text, []
    after = await scorer.log_probs([swap.apply(text) for swap in tried])
    gains = {
        swap: scores.total - before.total - caution * MARGINS[swap.kind]
        for swap, scores in zip(tried, after, strict=True)
    }
    gaining = sorted((swap for swap in gains if gains[swap] > 0), key=gains.__getitem__, reverse=True)
    picked: list[Correction] = []
    total = before.total
    for swap in _apart(gaining):
        # "scientist have": either word may be changed, and not both.
        both = sorted([*picked, swap], key=lambda edit: edit.start)
        (scores,) = await scorer.log_probs([_made(text, both)])
        if scores.total > total + caution * MARGINS[swap.kind]:
            picked, total = both, scores.total
    return _made(text, picked), picked


def _confused_there(text: str, before: LogProbs) -> list[Correction]:
    """The confusions at words that surprise: an edit can hardly gain more than its place costs now."""
    ends = list(accumulate(len(token) for token in before.tokens))
    places = [(end - len(token), end) for token, end in zip(before.tokens, ends, strict=True)]

    def possible_gain(swap: Correction) -> float:
        values = zip(places, before.values, strict=True)
        surprise = -sum(value for (start, end), value in values if end > swap.start and start < swap.end)
        return surprise - MARGINS[swap.kind]

    return sorted(confusions(text), key=possible_gain, reverse=True)[:MOST]


def _apart(found: Iterable[Correction]) -> list[Correction]:
    """Those that do not touch one that comes before them."""
    taken: list[Correction] = []
    for swap in found:
        if all(swap.end < other.start or swap.start > other.end for other in taken):
            taken.append(swap)
    return taken


def _made(text: str, edits: Sequence[Correction]) -> str:
    """The text with edits that are apart, in the order of their places."""
    for swap in reversed(edits):
        text = swap.apply(text)
    return text


def _why(text: str, edits: Iterable[Correction]) -> tuple[Reason, ...]:
    return tuple(Reason("correct", text[swap.start : swap.end], swap.after) for swap in edits)


def confusions(sentence: str) -> list[Correction]:
    """The edits of one word, or of none (something put in), that may mend a sentence; each once."""
    found = dict.fromkeys(_found(sentence, tagged(sentence)))
    return [swap for swap in found if swap.apply(sentence) != sentence]


def _found(sentence: str, words: Sequence[Tagged]) -> Iterator[Correction]:
    for at, word in enumerate(words):
        before = words[at - 1] if at else None
        after = words[at + 1] if at + 1 < len(words) else None
        low = word.text.lower()
        yield from _forms(word, low)
        # A name keeps its article and its preposition, and so does the head of a sentence.
        if before is None:
            continue
        if low in _ARTICLES and after is not None and after.text.islower():
            yield from _instead(word, [_indefinite(after.text)] if low != "the" else [], "article")
            yield from _left_out(word, after, "article")
        elif low in _PREPOSITIONS and word.tag in ("IN", "TO", "RP") and after and after.text.islower():
            yield from _instead(word, _PREPOSITIONS, "preposition")
            yield from _left_out(word, after, "preposition")
        elif word.text.islower() and before.end < word.start:
            if word.tag in _OPENERS and before.tag not in _DETERMINERS | _OPENERS:
                yield from _put_in(word, _articles_for(low), "article")
            if before.tag in _VERBS and word.tag not in ("IN", "TO", "RP", "VBN", "VBG"):
                yield from _put_in(word, ("to",) if word.tag in _VERBS else _INSERTED, "preposition")
    yield from _listed(sentence, words)


def _articles_for(low: str) -> tuple[str, ...]:
    return ("the",) if low in PLURALS or low in UNCOUNTED else (_indefinite(low), "the")


def _indefinite(low: str) -> str:
    return "an" if low[:1] in tuple("aeiou") else "a"


def _forms(word: Tagged, low: str) -> Iterator[Correction]:
    for group in _BE:
        if low in group:
            yield from _instead(word, group, "agreement")
    if low in ("has", "have", "had"):
        yield from _instead(word, ("has", "have", "had"), "agreement")
    elif low in ("do", "does", "did", "don't", "doesn't", "didn't"):
        ending = "n't" if low.endswith("n't") else ""
        yield from _instead(word, [form + ending for form in ("do", "does", "did")], "agreement")
    elif low in BY_FORM and word.tag in _VERBS:
        forms = BY_FORM[low]
        bare = {forms.base, forms.third}
        for form in dict.fromkeys(forms):
            yield from _instead(word, [form], "agreement" if {low, form} <= bare else "verb")
    if word.tag in _NOUNS and low.isalpha() and len(low) > 2:
        other = singular(low) or (plural(low) if low not in PLURALS else None)
        if other is not None:
            yield from _instead(word, [other], "number")


def _listed(sentence: str, words: Sequence[Tagged]) -> Iterator[Correction]:
    """What the list of confusions has for each run of words."""
    known = _confusions()
    for at, first in enumerate(words):
        for last in words[at : at + _PHRASE]:
            found = sentence[first.start : last.end]
            for other in known.get(found.lower(), ()):
                several = " " in other or " " in found
                yield Correction(
                    first.start, last.end, cased_like(found, other), "joined" if several else "word"
                )


@cache
def _confusions() -> Mapping[str, tuple[str, ...]]:
    known: dict[str, list[str]] = defaultdict(list)
    for line in list_lines(__package__, "confusions-words.txt"):
        group = line.split(";") if ";" in line else line.split()
        for one in group:
            known[one] += [other for other in group if other != one]
    return {one: tuple(dict.fromkeys(others)) for one, others in known.items()}


def _instead(word: Tagged, others: Iterable[str], kind: CorrectionKind) -> Iterator[Correction]:
    for other in others:
        if other != word.text.lower():
            yield Correction(word.start, word.end, cased_like(word.text, other), kind)


def _left_out(word: Tagged, after: Tagged, kind: CorrectionKind) -> Iterator[Correction]:
    if after.start > word.end:
        yield Correction(word.start, after.end, after.text, kind)


def _put_in(word: Tagged, others: Iterable[str], kind: CorrectionKind) -> Iterator[Correction]:
    for other in others:
        yield Correction(word.start, word.end, f"{other} {word.text}", kind)
