"""Clauses and phrases that a sentence can do without, before its main clause and within it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.cutting import Cut, cut
from redraft.revision.rewriting.lists import SETS
from redraft.revision.rewriting.trailing import trailing_cuts
from redraft.text import NOUN, PHRASE_ENDS, RELATIVES, SUBORDINATORS, Syntax

_REPORTING: Final = SETS["clauses.reporting"]
_CONDITIONS: Final = SETS["clauses.conditions"]
_MEASURES: Final = SETS["clauses.measures"]
_ASIDES: Final = frozenset(
    ["however", "therefore", "for example", "for instance", "of course", "in fact", "then", "too", "indeed"]
)
_DASHES: Final = frozenset({"—", "–", "--", "-"})


def clause_cuts(parts: Syntax) -> list[Cut]:
    """The cuts of whole phrases and clauses; the main clause with its verb stays."""
    found = [*_brackets(parts), *_dashes(parts)]
    if parts.main is not None:
        found += [*_opening(parts), *_attribution(parts), *_inserted(parts), *_after_subject(parts)]
        found += trailing_cuts(parts)
    return [one for one in found if one is not None]


def _brackets(parts: Syntax) -> Iterator[Cut | None]:
    for index, word in enumerate(parts.words):
        if (
            word.text == "("
            and not parts.depth[index]
            and parts.text[word.start - 1 : word.start] == " "
            and index
        ):
            end = next((n for n in range(index + 1, len(parts)) if parts.words[n].text == ")"), None)
            free = parts.tag(index - 1) not in ("IN", "TO", "DT", "CC", "VBP", "VBZ", "VBD", "VB", "MD")
            if end and free and parts.depth[end] == parts.depth[index]:
                yield cut(parts, index, end + 1, "without the aside", 0.8)


def _dashes(parts: Syntax) -> Iterator[Cut | None]:
    places = [
        index
        for index, word in enumerate(parts.words)
        if word.text in _DASHES and not parts.depth[index] and not parts.held[index]
        and (word.text != "-" or parts.text[word.start - 1 : word.end + 1] == " - ")
        and 2 < index < parts.stop
    ]  # fmt: skip
    if len(places) == 2:
        yield cut(parts, places[0], places[1] + 1, "without the aside", 1.2)
    elif len(places) == 1 and parts.main is not None and parts.main < places[0]:
        yield cut(parts, places[0], parts.stop, "without the afterthought", 1.8)


def _opening(parts: Syntax) -> Iterator[Cut | None]:
    for joint in parts.clause_ends()[:1]:
        if (parts.main or 0) < joint < parts.stop - 4:
            second = joint + 1 + (parts.tag(joint) == ",")
            yield cut(parts, 0, second, "without the first part", 2.8)
    end = parts.opening()
    first = next((n for n in range(end) if parts.tags[n] != "CC"), end)
    if end - first < 2 or parts.word(first) in ("not", "only", "so", "both", "either"):
        return
    if parts.word(end) == "then":
        end += 1
    if parts.word(end)[:1].isdigit():
        return
    low, tag = parts.word(first), parts.tag(first)
    kind, cost = "the opening phrase", 1.5
    if low in SUBORDINATORS or tag == "WRB":
        kind, cost = "the opening clause", 2.8 if low in _CONDITIONS else 2.0
    elif tag in ("VBG", "VBN", "TO"):
        cost = 1.9
    yield cut(parts, first, end, f"without {kind}", cost)


def _attribution(parts: Syntax) -> Iterator[Cut | None]:
    """ "Studies show that X" as "X"."""
    main = parts.main or 0
    second = main + 1 + (parts.word(main + 1) == "that")
    if parts.word(main) in _REPORTING and parts.subject_and_verb(second):
        first = parts.opening()
        personal = parts.low[first:main] in (("i",), ("we",), ("you",))
        if "not" not in parts.low[first:main] and parts.words[-1].text != "?":
            yield cut(parts, first, second, "without the attribution", 1.0 if personal else 2.2)
    if parts.stop >= 3 and not parts.quoted:
        for index in range(main + 2, parts.stop - 1):
            said = parts.word(parts.stop - 1)
            if (
                parts.tags[index] == ","
                and said in _REPORTING
                and parts.noun_phrase(index + 1) == parts.stop - 1
            ):
                yield cut(parts, index, parts.stop, "without the attribution", 1.6)


def _inserted(parts: Syntax) -> Iterator[Cut | None]:
    """What stands between two commas, before the verb or after the first noun phrase."""
    commas = [
        n for n in range(1, parts.stop) if parts.tags[n] == "," and not parts.depth[n] and not parts.held[n]
    ]
    for place, first in enumerate(commas[:-1]):
        if parts.tag(first - 1) not in NOUN | {"PRP", "CD", "-RRB-"} or first < parts.opening():
            continue
        for end in commas[place + 1 : place + 3]:
            following = end + 1
            if parts.tag(following) == "RB":
                following += 1
            if following == parts.main and _inserts(parts, first + 1, end):
                yield cut(parts, first, end + 1, "without the insertion", 1.2)
        end = commas[place + 1]
        if (
            parts.word(first + 1) in RELATIVES
            and parts.tag(end + 1) == "CC"
            and parts.subject_and_verb(end + 2)
        ):
            yield cut(parts, first, end, "without the relative clause", 1.4)
        if end - first <= 3 and parts.said(first + 1, end).lower() in _ASIDES:
            yield cut(parts, first, end + 1, "without", 0.5)


def _inserts(parts: Syntax, first: int, end: int) -> bool:
    if "and" in parts.low[first - 2 : end + 1] and parts.tag(first) in NOUN:
        return False
    return parts.tag(first) in (
        "WDT",
        "WP",
        "WP$",
        "IN",
        "DT",
        "VBG",
        "VBN",
        "RB",
        "TO",
        "CD",
        "WRB",
        "NN",
        "JJ",
    )


def _after_subject(parts: Syntax) -> Iterator[Cut | None]:
    """What says more of the subject, between it and the verb."""
    main = parts.main or 0
    first = parts.opening()
    head = parts.noun_phrase(first)
    end = main - (parts.tag(main - 1) == "RB")
    if not first < head < end or parts.tag(head - 1) not in NOUN or parts.tag(end - 1) not in PHRASE_ENDS:
        return
    tag, low = parts.tag(head), parts.word(head)
    if low == "of" and (parts.word(head - 1) in _MEASURES or parts.word(first) in ("a", "an")):
        return
    if (
        tag in ("IN", "WDT", "WP", "VBN", "VBG")
        and low not in ("like", "than", "as")
        and "," not in parts.tags[head:end]
    ):
        vague = low in ("that", "who", "which") or parts.tag(head - 1) == "NNS"
        yield cut(parts, head, end, "without", 2.0 + 0.4 * vague)
