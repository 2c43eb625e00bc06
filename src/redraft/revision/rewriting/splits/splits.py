"""One long sentence as two or more shorter ones, and two neighbouring sentences as one.

Where a sentence can be cut is found in `coordination.py`, `subordination.py`, `conditions.py`, `orders.py`,
`nested.py`, `rolls.py` and `last_resort.py`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.rewriting.cuts.reductions import has_stray_that
from redraft.revision.rewriting.edits import distinct, is_balanced
from redraft.revision.rewriting.splits import (
    conditions,
    coordination,
    last_resort,
    nested,
    orders,
    rolls,
    subordination,
)
from redraft.revision.rewriting.splits.conditions import with_conditions
from redraft.revision.rewriting.splits.coordination import Split, at_questions
from redraft.revision.rewriting.splits.joining import by_contrast, by_relation
from redraft.revision.rewriting.splits.orders import drags_order
from redraft.text import (
    BY_FORM,
    FIRST_NAMES,
    NO_NAMES,
    NOUNS,
    OPENERS,
    PLACEHOLDER,
    PLACES,
    PLURALS,
    UNCOUNTED,
    list_lines,
    read_clauses,
)

MOST_SPLITS: Final = 16
"""Candidates at most."""

_USUAL: Final = (
    *(*coordination.RULES, *subordination.RULES, *conditions.RULES, *orders.RULES, *nested.RULES),
    rolls.at_rolls,
)
_TIGHT_COST: Final = 0.1
_LENGTHS: Final = (24, 19, 14, 11)
_WIDTH: Final = 6
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_UNENDED: Final = re.compile(
    r"(?i)\b(?:and|but|or|nor|of|the|an?|which|who|because|than|he|she|they|we|i)\.$"
)
_PAIRS: Final = (("(", ")"), ("“", "”"))
_DASH: Final = re.compile(r"\s[-–]\s|—|--")
_DENIAL: Final = re.compile(r"(?i)\b(?:not|no|never|none|nor|neither|without|cannot)\b|n['’]t\b")

_SINGULAR: Final = re.compile(r"(?:It|He|She|This) (?P<verb>[a-z]+)\b")

MOST_MERGES: Final = 6
"""Candidates at most."""
_END: Final = re.compile(r"(?<![.!?])[.!?]$")
_ENDED: Final = re.compile(r"[.!?…][\"'”’)\]]*$")
_LINES: Final = [line.split(" | ") for line in list_lines(__package__, "joints.txt")]
_JOINTS: Final = {words: joint for words, joint, *_ in _LINES}
_NEED_COMMA: Final = frozenset(words for words, _, *needs in _LINES if needs)
_OPENER: Final = re.compile(
    rf"(?P<words>{'|'.join(_JOINTS)})\b(?P<comma>,?)\s+".replace(" ", r"\s"), re.IGNORECASE
)
_BRACKETS: Final = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))
_QUOTES: Final = tuple("\"'“‘«„")
_NOUNS: Final = frozenset(NOUNS) | UNCOUNTED
_ENDINGS: Final = ("ly", "ing", "tion", "tions", "ment", "ments", "ness", "ity", "ities", "ed")


class _Pieces(NamedTuple):
    """A sentence in pieces: how many words too many they have, what the cuts cost, and why they were made."""

    over: int
    cost: float
    texts: tuple[str, ...]
    whys: tuple[str, ...]


def splits(sentence: str, longest: int | None = None) -> list[Candidate]:
    """Ways to write a sentence as two or more, best first; pieces of at most `longest` words are wanted.

    >>> splits("He was old, but he ran.")[0].text
    'He was old. However, he ran.'
    """
    return _candidates(sentence, longest, last=False)


def breaks(sentence: str, longest: int | None = None) -> list[Candidate]:
    """The same for bounds that must hold: pieces that a writer would not choose are among them."""
    return _candidates(sentence, longest, last=True)


def _candidates(sentence: str, longest: int | None, *, last: bool) -> list[Candidate]:
    once = [
        _Pieces(_over((one.first, one.second), longest or 0), one.cost, (one.first, one.second), (one.why,))
        for one in single_splits(" ".join(sentence.split()), last)
    ]
    lengths = _LENGTHS if longest is None else (longest, *(n for n in _LENGTHS if n < longest))
    fitted = [_fitted(" ".join(sentence.split()), length, last) for length in lengths]
    if longest is None:
        found = sorted([*once[: MOST_SPLITS - len(_LENGTHS)], *fitted], key=lambda one: one.cost)
    else:
        found = sorted([*fitted, *once], key=lambda one: (_over(one.texts, longest), one.cost))
    return distinct(_candidate(one) for one in found if len(one.texts) > 1)[:MOST_SPLITS]


def _candidate(pieces: _Pieces) -> Candidate:
    reason = Reason("split", detail=", ".join(dict.fromkeys(pieces.whys)))
    return Candidate(" ".join(pieces.texts), "split", (reason,))


@lru_cache(maxsize=8192)
def single_splits(sentence: str, last: bool) -> tuple[Split, ...]:
    """The ways to cut a sentence once, best first: nothing is lost, and each piece is whole."""
    reading = read_clauses(sentence)
    patterns = (at_questions,) if "?" in reading.end else _USUAL + last_resort.RULES * last
    found = {
        (one.first, one.second): one
        for pattern in patterns
        for one in pattern(reading)
        if _sound(sentence, one)
    }
    return tuple(sorted(found.values(), key=lambda one: one.cost))


@lru_cache(maxsize=8192)
def _fitted(sentence: str, longest: int, last: bool) -> _Pieces:
    """The sentence in pieces of at most so many words, as far as that can be had, at the least cost."""
    whole = _Pieces(_over((sentence,), longest), 0.0, (sentence,), ())
    if not whole.over:
        return whole
    if (tight := tightened(sentence)) and not _over((tight.text,), longest):
        return _Pieces(0, _TIGHT_COST, (tight.text,), ("in fewer words",))
    best = whole
    for one in single_splits(sentence, last)[: _WIDTH * (1 + last)]:
        if not best.over and one.cost >= best.cost:
            break
        first, second = (_fitted(part, longest, last) for part in (one.first, one.second))
        pieces = _Pieces(
            first.over + second.over,
            one.cost + first.cost + second.cost,
            first.texts + second.texts,
            (one.why, *first.whys, *second.whys),
        )
        if pieces[:2] < best[:2]:
            best = pieces
    return best


def _over(texts: tuple[str, ...], longest: int) -> int:
    return sum(max(len(text.split()) - longest, 0) for text in texts)


_UNFINISHED: Final = re.compile(
    r"(?i)(?:\A(?:(?:dear|hi|hello|hey)\b[^,]{0,40}, )?|[,;] (?:so|and|but) )"
    r"(?:if|because|although|though|unless|while|whenever|since) [^,;]*\.\Z"
    r"|, (?:so|and|but|or)\.\Z"
)
"""A piece that ends before the clause that it is a condition or a reason of: "so if you need a meal." """


def _sound(sentence: str, one: Split) -> bool:
    """Whether the two pieces keep what the sentence says, and every mark its other half."""
    text = f"{one.first} {one.second}"
    return (
        PLACEHOLDER.findall(text) == PLACEHOLDER.findall(sentence)
        and Counter(_NUMBER.findall(text)) == Counter(_NUMBER.findall(sentence))
        and len(_DENIAL.findall(with_conditions(text))) == len(_DENIAL.findall(sentence))
        and all(is_balanced(piece, _PAIRS) for piece in (one.first, one.second))
        and not _UNENDED.search(one.first)
        and not _UNFINISHED.search(one.first)
        and not drags_order(one.first, one.second)
        and not _disagrees(one.second)
        and not _lacks_verb(one.first)
        and not has_stray_that(one.second)
        and not (len(_DASH.findall(sentence)) == 2 and len(_DASH.findall(one.first)) == 1)
        and not any(piece[:1].islower() for piece in (one.first, one.second))
        and max(len(one.first.split()), len(one.second.split())) < len(sentence.split())
    )


def _disagrees(piece: str) -> bool:
    """Whether its verb is that of another subject: "It unscrew the valve." """
    found = _SINGULAR.match(piece)
    if found is None or found["verb"].endswith(("s", "ed", "ly")):
        return False
    forms, tag = BY_FORM.get(found["verb"]), read_clauses(piece).tag(1)
    if forms is not None:
        return found["verb"] == forms.base != forms.past and tag != "VBD"
    return tag in ("VB", "VBP", "VBD", "NN")


def _lacks_verb(piece: str) -> bool:
    """Whether what "shall" or "may" was said of is missing: "He shall, at his choice." """
    tags = [word.tag for word in read_clauses(piece).words]
    last = max((n for n, tag in enumerate(tags) if tag == "MD"), default=len(tags))
    return last < len(tags) and "VB" not in tags[last:] and tags[last + 1 : last + 2] == [","]


def merges(first: str, second: str) -> list[Candidate]:
    """Ways to write two sentences as one, best first; none where a question or a quotation stands against it.

    >>> merges("He came.", "He saw.")[0].text
    'He came and saw.'
    """
    first, second = first.strip(), second.strip()
    end = _END.search(first)
    if not end or not _ENDED.search(second) or second.startswith(_QUOTES):
        return []
    if not all(is_balanced(one, _BRACKETS) and "\n\n" not in one for one in (first, second)):
        return []
    if ("?" in end[0]) != second.endswith("?"):
        return []
    # What ends in an abbreviation keeps its full stop.
    opened = first[: end.start()] if read_clauses(first).end else first
    joined = _ways_to_join(opened, second)
    found = distinct(Candidate(text, "merge", (Reason("merge", detail=how),)) for text, how in joined)
    return found[:MOST_MERGES]


def lowered(sentence: str) -> str:
    """The sentence with a small first letter, unless its first word is a name, "I", or in capitals."""
    words = read_clauses(sentence).words
    if not words or not sentence[:1].isupper():
        return sentence
    word, tag = words[0].text, words[0].tag
    if word in NO_NAMES or (len(word) > 1 and not word[1:].replace("-", "").replace("'", "").islower()):
        return sentence
    named = tag in ("NNP", "NNPS", "FW") or word in FIRST_NAMES or word in PLACES
    return sentence if named and not _is_common(word.lower()) else sentence[0].lower() + sentence[1:]


def _is_common(word: str) -> bool:
    """Whether the word is one that the language has, and no name; the tagger is misled by capitals."""
    known = word in BY_FORM or word in PLURALS or word in _NOUNS or word.capitalize() in OPENERS
    return known or (len(word) > 5 and word.endswith(_ENDINGS))


def _ways_to_join(first: str, second: str) -> Iterator[tuple[str, str]]:
    small = lowered(second)
    opener = _OPENER.match(second)
    words = " ".join(opener["words"].lower().split()) if opener else ""
    if opener and (opener["comma"] or words not in _NEED_COMMA) and not second.endswith("?"):
        yield from _by_opener(first, words, second[opener.end() :], small)
    else:
        yield from _by_subject(first, second)
        yield from by_relation(first, second)
        yield from by_contrast(first, second, small)
        yield f"{first}, and {small}", 'by "and"'
    yield f"{first}; {small}", "by a semicolon"
    yield f"{first} – {small}", "by a dash"


def _by_opener(first: str, words: str, rest: str, small: str) -> Iterator[tuple[str, str]]:
    """By what stands for the opening of the second sentence; after a colon it keeps that."""
    joint = _JOINTS[words]
    if joint == ":":
        yield f"{first}: {small}", "by a colon"
        return
    comma, word = ("," if joint.startswith(",") else ""), joint.removeprefix(", ")
    yield f"{first}{comma} {word} {rest}", f'by "{word}"'
    if words == "yet":
        yield f"{first}, yet {rest}", 'by "yet"'


def _by_subject(first: str, second: str) -> Iterator[tuple[str, str]]:
    """With one subject for both: "He came. He saw." gives "He came and saw." """
    one, two = read_clauses(f"{first}."), read_clauses(second)
    main, other = one.main(), two.main()
    if main is None or other is None or not (main.plain and other.plain) or other.start or main.imperative:
        return
    if other.imperative or other.verb != other.stop or "U" in one.letters or "W" in one.letters:
        return
    subject, again = one.span(main.start, main.stop).lower(), two.span(other.start, other.stop).lower()
    if subject != again or two.lower(other.verb).startswith(("'", "’")):
        return
    verb = two.text[two.words[other.verb].start :] + two.end
    comma = "," if "&" in one.letters[main.verb :] else ""
    yield f"{first}{comma} and {verb}", "by their subject"
