"""Cuts at subordinate clauses: although, because, while, so that, after, when."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.splitting.coordination import LEAST, Cut, cut
from redraft.text import Clauses, as_sentence

_AT_FIRST: Final = {
    "although": ("However,", "Still,"),
    "though": ("However,", "Still,"),
    "whereas": ("By contrast,",),
    "while": ("However,",),
    "because": ("So", "As a result,"),
    "since": ("So",),
    "once": ("Then",),
    "after": ("Then",),
    "when": ("Then",),
    "if": (),
}
_OF_TIME: Final = frozenset({"once", "after", "when"})
_AT_LAST: Final = {
    "because": ("This is because", 0.3),
    "whereas": ("By contrast,", 0.3),
    "while": ("Meanwhile,", 0.4),
    "although": ("However,", 0.5),
    "though": ("However,", 0.5),
    "since": ("This is because", 0.7),
    "for": ("This is because", 0.6),
    "before": ("Then", 0.6),
    "until": ("Then", 0.9),
}
_BEFORE: Final = frozenset(
    {"even", "just", "simply", "only", "largely", "mostly", "mainly", "partly", "chiefly", "primarily"}
)
"""What may stand before such a word, and belongs to it."""
# Only after a comma do these join two clauses as "and" would.
_WITH_COMMA: Final = frozenset({"while", "since", "for", "although", "though", "whereas"})


def at_first(reading: Clauses) -> Iterator[Cut]:
    """ "Although it rained, we went." gives "It rained. However, we went." """
    start = 1 if reading.lower(0) == "even" else 0
    word = reading.lower(start)
    if word not in _AT_FIRST or reading.letters[start] not in "UIWR" or "?" in reading.end:
        return
    clause = reading.clause(start + 1, opening=False)
    comma = _comma(reading, start + 1)
    if clause is None or comma is None:
        return
    if word in _OF_TIME and not _told(reading, clause.start("verb"), comma):
        return
    first = as_sentence(reading.span(start + 1, comma), ".")
    for rank, lead in enumerate(_AT_FIRST[word]):
        cost = 0.6 + 0.1 * rank + 0.5 * (word in _OF_TIME) + 0.3 * (word == "since")
        second = reading.after(comma + 1, "" if reading.lower(comma + 1) == "then" else lead)
        if min(len(first.split()), len(second.split())) >= LEAST:
            yield Cut(first, second, f'at "{word}"', cost)


def at_last(reading: Clauses) -> Iterator[Cut]:
    """ "We went because it rained." gives "We went. This is because it rained." """
    if "?" in reading.end:
        return
    for place in range(2, len(reading.letters) - 2):
        word = reading.lower(place)
        if word not in _AT_LAST or reading.letters[place] not in "UIR":
            continue
        comma = reading.letters[place - 1] == ","
        start = place - 1 if reading.lower(place - 1) in _BEFORE else place
        main = reading.main(start - comma)
        clause = reading.clause(place + 1)
        if main is None or clause is None or (word in _WITH_COMMA and not comma) or _comma(reading, place):
            continue
        if start < place and reading.lower(start) != "even":
            continue
        if _enclosed(reading, main.verb, start - comma):
            continue
        if word in ("before", "until") and not (
            reading.tag(main.verb) == "VBD" and reading.tag(clause.start("verb")) == "VBD"
        ):
            continue
        if main.imperative and word in ("before", "until"):
            continue
        lead, cost = _AT_LAST[word]
        if lead == "This is because" and reading.tag(main.verb) in ("VBD", "VBN"):
            lead = "This was because"
        yield from cut(reading, start, lead, f'at "{word}"', cost, skip=place + 1 - start)


def at_purposes(reading: Clauses) -> Iterator[Cut]:
    """ "Hold it so that we can see." gives "Hold it. That way, we can see." """
    for place in range(2, len(reading.letters) - 3):
        if reading.lower(place) != "so" or reading.lower(place + 1) != "that":
            continue
        clause = reading.clause(place + 2, opening=False)
        comma = reading.letters[place - 1] == ","
        if clause is None or reading.main(place - comma) is None or "?" in reading.end:
            continue
        purpose = reading.tag(clause.start("verb")) == "MD" and not comma
        yield from cut(
            reading, place, "That way," if purpose else "As a result,", 'at "so that"', 0.5, skip=2
        )


def _comma(reading: Clauses, start: int) -> int | None:
    """The comma that ends an opening clause: a whole clause follows it, and none before it does."""
    for place in range(start, len(reading.letters)):
        if reading.letters[place] == "," and (found := reading.main_at(place + 1)) and not found.imperative:
            return place
    return None


def _told(reading: Clauses, verb: int, comma: int) -> bool:
    """Whether both clauses tell of the past, one after the other."""
    main = reading.main_at(comma + 1)
    return main is not None and reading.tag(verb) == reading.tag(main.verb) == "VBD"


def _enclosed(reading: Clauses, verb: int, stop: int) -> bool:
    """Whether the words before that place are themselves inside a clause that reports or sets a condition."""
    return "U" in reading.letters[verb + 1 : stop] or "U" in reading.letters[:1]
