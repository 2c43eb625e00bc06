"""Splits of orders: each thing to do is a sentence, and so is what has to happen before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import WORDS
from redraft.revision.rewriting.splits.coordination import Split
from redraft.text import BY_FORM, FINITE, NOUN, SUBORDINATORS, Clauses, Syntax, analyse_syntax, as_sentence

_ADVISED: Final = re.compile(r"(?i)\Ayou (?:should|must|need to|have to|can) (?:first |then )?(?=[a-z])")
_BEFORE: Final = re.compile(
    r"(?i)\Abefore (?P<clause>you [^,;]+?|[a-z]+ing [^,;]+?),? you (?:should|must|need to|have to) "
    r"(?P<rest>[a-z].+)"
)
_BEFORE_ORDER: Final = re.compile(r"(?i)\Abefore (?P<clause>[^,;]+), (?P<rest>[a-z].+)")
_WHEN: Final = re.compile(
    r"(?i)\A(?:when|once|as soon as|after) (?P<clause>[^,;]+?\b(?:has|have|is|are) [^,;]+)"
    r"(?P<aside>, which [^,;]+)?, (?:you (?:should|must|can) )?(?:then )?(?P<rest>[a-z].+)"
)
_AFTER_VERB: Final = frozenset(
    {"DT", "PRP", "PRP$", "CD", "RP", "IN", "TO", "NNS", "WRB", "JJ", "NN", "NNP", "RB"}
)
_SUBORDINATE: Final = frozenset({"WDT", "WP", "WRB"})
_PARTICLES: Final = frozenset({"off", "up", "out", "down", "away"})
_FREE_ADVERBS: Final = frozenset(
    {"then", "finally", "now", "never", "always", "also", "carefully", "gently", "immediately"}
)


def at_orders(reading: Clauses) -> Iterator[Split]:
    """ "Wash it, dry it and put it away." gives "Wash it. Dry it and put it away." """
    read = analyse_syntax(reading.text + reading.end)
    start = first_order(read)
    if start is None or "?" in reading.end:
        return
    for index in range(start + 1, read.stop - 1):
        if read.depth[index] or read.held[index]:
            continue
        comma = read.tags[index] == ","
        joint = index + 1 if comma and read.tag(index + 1) == "CC" else index
        conjunction = read.word(joint) if read.tag(joint) == "CC" else ""
        if (not comma and conjunction not in ("and", "but")) or (comma and conjunction == "or"):
            continue
        if not comma and read.tag(index - 1) == ",":
            continue
        if not _is_order(read, joint + 1) or (not comma and _is_open(read, start, index)):
            continue
        first = reading.text[: read.words[index].start]
        second = reading.text[read.words[joint + 1].start :]
        if conjunction == "but":
            lead = "Instead, " if re.search(r"(?i)\b(?:not|never)\b|n['’]t\b", first) else "But "
            second = second if read.word(joint + 1) in ("do", "never") else lead + second
        yield Split(
            as_sentence(first, "."), as_sentence(second, reading.end), "one thing to do at a time", 0.15
        )
        if comma and not conjunction:
            return  # what follows is a list that goes on


def drags_order(first: str, second: str) -> bool:
    """Whether a thing to do hangs on what is none: "It damages the seals, and replace the filter." """
    read = analyse_syntax(second)
    if first_order(analyse_syntax(first)) is None or first_order(read) is not None:
        return False
    return any(
        read.tags[n] == "," and read.word(n + 1) in ("and", "but") and _is_order(read, n + 2)
        for n in range(2, read.stop - 3)
    )


def at_preparations(reading: Clauses) -> Iterator[Split]:
    """ "When it has cooled, open it." gives "Wait until it has cooled. Then open it." """
    text, end = reading.text, reading.end
    found = _BEFORE.match(text) or _BEFORE_ORDER.match(text)
    if found and len(found["rest"].split()) > 6 and first_order(analyse_syntax(found["rest"] + end)) == 0:
        first = f"Do the following before {found['clause']}"
        yield Split(as_sentence(first, "."), as_sentence(found["rest"], end), 'at "before"', 0.9)
    found = _WHEN.match(text)
    if found and first_order(analyse_syntax(found["rest"] + end)) == 0:
        first = f"Wait until {found['clause']}{found['aside'] or ''}"
        yield Split(as_sentence(first, "."), as_sentence(f"Then {found['rest']}", end), 'at "when"', 0.6)


def at_asides(reading: Clauses) -> Iterator[Split]:
    """ "See whether the tank, which is new, leaks." gives "See whether the tank leaks. The tank is new." """
    read = analyse_syntax(reading.text + reading.end)
    for index in range(2, read.stop - 3):
        if read.tags[index] != "," or read.word(index + 1) not in ("which", "who") or read.depth[index]:
            continue
        end = next((n for n in range(index + 2, read.stop) if read.tags[n] == ","), None)
        verb = index + 2 + (read.tag(index + 2) == "RB")
        if (
            end is None
            or read.tag(verb) not in FINITE
            or read.tag(end + 1) not in FINITE | {"VBN", "IN", "TO"}
        ):
            continue
        noun = read.phrase_start(index)
        if noun == index or read.tag(index - 1) not in ("NN", "NNS") or not noun:
            continue
        first_word = noun + (read.tag(noun) in ("DT", "PRP$", "PDT"))
        words = read.phrase_text(first_word, index)
        owner = read.phrase_text(noun, noun + 1) if read.tag(noun) == "PRP$" else "The"
        first = reading.text[: read.words[index].start] + reading.text[read.words[end].end :]
        second = f"{owner} {words} {read.phrase_text(index + 2, end)}"
        yield Split(as_sentence(first, reading.end), as_sentence(second, "."), "at the aside", 0.8)


def at_places(reading: Clauses) -> Iterator[Split]:
    """ "Put a bowl that holds a litre under it." gives "Put a bowl under it. The bowl must hold a litre." """
    read = analyse_syntax(reading.text + reading.end)
    start = first_order(read)
    if start is None or read.word(start) not in WORDS.placing_verbs:
        return
    noun = read.noun_phrase(start + 1)
    forms = BY_FORM.get(read.word(noun + 1))
    place = max(
        (
            n
            for n in range(noun + 2, read.stop)
            if read.tags[n] == "IN" and read.low[n] in WORDS.long_prepositions | {"in", "on", "at", "into"}
        ),
        default=0,
    )
    if (
        read.word(noun) not in ("that", "which")
        or forms is None
        or read.tag(noun + 1) != "VBZ"
        or place < noun + 3
    ):
        return
    first = f"{reading.text[: read.words[noun - 1].end]} {reading.text[read.words[place].start :]}"
    described = reading.text[read.words[noun + 1].end : read.words[place].start]
    second = f"The {read.words[noun - 1].text} must {forms.base}{described}"
    yield Split(as_sentence(first, reading.end), as_sentence(second, "."), "where it is put", 0.7)


def first_order(read: Syntax) -> int | None:
    """Where the first thing to do begins, after what goes before it."""
    start = read.opening()
    if advised := _ADVISED.match(read.text[read.words[start].start :] if start < read.stop else ""):
        return start + len(advised[0].split())
    while read.word(start) in _FREE_ADVERBS | {"please", "first", "instead", ","} and start < read.stop:
        start += 1
    return start if _is_order(read, start) else None


def _is_order(read: Syntax, place: int) -> bool:
    """Whether a thing to do begins at an index: a verb as in a dictionary, and what it is done to."""
    while read.word(place) in _FREE_ADVERBS and place < read.stop:
        place += 1
    if read.low[place : place + 2] == ("do", "not"):
        return True
    word, tag, following = read.word(place), read.tag(place), read.tag(place + 1)
    if word in BY_FORM:
        if BY_FORM[word].base != word or tag in ("MD", "PRP", "IN", "DT"):
            return False
    elif not _may_be_verb(word, tag) or _done_to(read, place + 1) not in ("DT", "PRP", "PRP$"):
        return False
    if place + 1 >= read.stop:
        return tag == "VB"
    is_noun = tag in NOUN | {"JJ"} and following in NOUN | {"JJ", "RB", "TO"}
    return following in _AFTER_VERB and not is_noun


def _done_to(read: Syntax, place: int) -> str:
    """The tag of what follows a verb, and the "off" or "up" that belongs to it."""
    return read.tag(place + (read.word(place) in _PARTICLES))


def _may_be_verb(word: str, tag: str) -> bool:
    """Whether a word that no list of verbs has may be one: the tagger takes "unplug" for a preposition."""
    if word in WORDS.phrase_openers or word in SUBORDINATORS or word.endswith(("ed", "ing", "ly", "s")):
        return False
    return tag in ("VB", "NN", "NNP", "VBP", "VBD") or (
        tag == "IN" and len(word) > 5 and word not in WORDS.long_prepositions
    )


def _is_open(read: Syntax, start: int, stop: int) -> bool:
    """Whether a clause began on the way that may go on: "until it is soft and add"."""
    return any(
        read.tags[n] in _SUBORDINATE
        or read.low[n] in ("until", "if", "because", "that", "so", "while", "unless")
        for n in range(start, stop)
    )


def at_modals(reading: Clauses) -> Iterator[Split]:
    """ "Samples are kept, and may be used." gives "Samples are kept. They may be used." """
    read = analyse_syntax(reading.text + reading.end)
    first = read.opening()
    end = read.noun_phrase(first)
    if read.main is None or end == first or read.tag(end - 1) not in NOUN or "?" in reading.end:
        return
    for index in range(read.main + 2, read.stop - 3):
        if read.low[index : index + 2] != (",", "and") or read.tag(index + 2) != "MD" or read.depth[index]:
            continue
        many = read.tag(end - 1) in ("NNS", "NNPS") or "and" in read.low[first:end]
        again = "They" if many else read.phrase_text(first, end)
        second = f"{again} {reading.text[read.words[index + 2].start :]}"
        first_part = as_sentence(reading.text[: read.words[index].start], ".")
        yield Split(first_part, as_sentence(second, reading.end), "each verb with its subject", 0.5)


RULES: Final = (at_modals, at_orders, at_preparations, at_places, at_asides)
