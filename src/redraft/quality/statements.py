"""The statements of a sentence: its clauses with a finite verb, and who is said to have made them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from redraft.quality.reading import SETS
from redraft.quality.roles import lemma
from redraft.text import FINITE, Syntax, analyse_syntax

_OPENERS: Final = SETS["statements.openers"]
_REPORTING: Final = SETS["statements.reporting"]
_EXAMPLES: Final = SETS["statements.examples"]
_SHORT: Final = 5
"""Words on each side of the verb that who said something takes at most."""
_LEAST: Final = 2
"""Words that a statement has at least."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A part of a sentence that says something: its words from `start` to `stop`."""

    text: str
    start: int
    stop: int
    is_attribution: bool = False
    """It only says who said the rest."""
    is_example: bool = False


@lru_cache(maxsize=1024)
def statements(sentence: str) -> tuple[Statement, ...]:
    """The statements of a sentence in order; the sentence as one where it cannot be divided."""
    syntax = analyse_syntax(sentence)
    cuts = {0, syntax.stop, *(place for place in range(1, syntax.stop) if _opens(syntax, place))}
    said = _attribution(syntax)
    if said:
        cuts = {place for place in cuts if not said[0] < place < said[1]} | set(said)
    spans: list[tuple[int, int]] = []
    for start, stop in pairwise(sorted(cuts)):
        if spans and not (_stands(syntax, (start, stop), said) and _stands(syntax, spans[-1], said)):
            spans[-1] = (spans[-1][0], stop)
        else:
            spans.append((start, stop))
    return tuple(_statement(syntax, span, said) for span in spans if span[0] < span[1])


def _statement(syntax: Syntax, span: tuple[int, int], said: tuple[int, int] | None) -> Statement:
    first, last = span
    while first < last - 1 and (syntax.tags[first] in (",", ":", "CC") or not syntax.low[first][0].isalnum()):
        first += 1
    while last > first + 1 and syntax.tags[last - 1] in (",", ":", "CC"):
        last -= 1
    is_example = bool(_EXAMPLES & set(syntax.low[first : first + 3]))
    is_attribution = said is not None and span[0] == said[0]
    return Statement(syntax.phrase_text(first, last), *span, is_attribution, is_example)


def _stands(syntax: Syntax, span: tuple[int, int], said: tuple[int, int] | None) -> bool:
    return (said is not None and span[0] == said[0]) or _says_something(syntax, *span)


def _says_something(syntax: Syntax, start: int, stop: int) -> bool:
    return stop - start >= _LEAST and any(syntax.tags[place] in FINITE for place in range(start, stop))


def _opens(syntax: Syntax, place: int) -> bool:
    """Whether a clause begins at a place: after a semicolon, with a conjunction, or with "which"."""
    if syntax.depth[place] or syntax.held[place]:
        return False
    before, low, tag = syntax.tag(place - 1), syntax.low[place], syntax.tags[place]
    if syntax.word(place - 1) == ";" or place == syntax.opening():
        return True
    if before == "," and tag in ("WDT", "WP", "WP$"):
        return True
    if low in _OPENERS and tag in ("IN", "WRB", "RB"):
        return True
    return tag == "CC" and (syntax.subject_and_verb(place + 1) or syntax.tag(place + 1) in FINITE)


def _attribution(syntax: Syntax) -> tuple[int, int] | None:
    """Where a sentence only says who said the rest: "she said that", "according to her"."""
    end = _opening_attribution(syntax)
    return (0, end) if end else _inserted_attribution(syntax)


def _opening_attribution(syntax: Syntax) -> int:
    """Where the statement begins that somebody is said to have made; 0 for none."""
    if syntax.low[:2] == ("according", "to"):
        return next((place + 1 for place in range(2, syntax.stop) if syntax.tags[place] == ","), 0)
    main = syntax.main
    if main is None or lemma(syntax, main) not in _REPORTING:
        return 0
    follows = main + 1
    if syntax.word(follows) == "that" and follows + 1 < syntax.stop:
        return follows + 1
    return follows if syntax.subject_and_verb(follows) else 0


def _inserted_attribution(syntax: Syntax) -> tuple[int, int] | None:
    """Where "she said" or "said Ms. Roy" stands after a quotation or a comma."""
    for place in range(1, syntax.stop):
        if syntax.tags[place] in FINITE and lemma(syntax, place) in _REPORTING and not syntax.held[place]:
            start, stop = place, place + 1
            while start and place - start < _SHORT and not _parts_speech(syntax, start - 1):
                start -= 1
            while stop < syntax.stop and stop - place < _SHORT and syntax.tags[stop] not in (",", ":", "CC"):
                stop += 1
            if start and _parts_speech(syntax, start - 1) and (stop == syntax.stop or stop - place < _SHORT):
                return start, stop
    return None


def _parts_speech(syntax: Syntax, place: int) -> bool:
    return syntax.tags[place] in (",", "''") or (syntax.held[place] and not syntax.held[place + 1])
