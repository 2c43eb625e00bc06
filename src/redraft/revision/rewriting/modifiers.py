"""Cuts of single words and joined phrases: adverbs, adjectives, one of two or more items."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.clauses import cut
from redraft.revision.rewriting.edits import SETS, Replacement
from redraft.text import FINITE, NOUN, Syntax

_ADVERBS: Final = SETS["modifiers.adverbs"]
_NOT_ADVERBS: Final = SETS["modifiers.not_adverbs"]
_MANNER: Final = SETS["modifiers.manner"]
_KEPT: Final = SETS["modifiers.kept"]
_HOLLOW_NOUNS: Final = SETS["modifiers.hollow_nouns"]
_MEASURES: Final = SETS["clauses.measures"]
_DEGREE: Final = SETS["modifiers.degree"]
_VERB: Final = FINITE | {"VB", "VBG", "VBN"}
_AFTER_ADVERBS: Final = frozenset({"IN", ".", ",", "", "CC", "DT", "PRP$", "TO"})
_PAIRED: Final = frozenset({"both", "either", "neither", "between", "nor", "from"})


def modifier_cuts(parts: Syntax) -> list[Replacement]:
    """The cuts of single words and of what "and" joins."""
    rules = (_adverbs, _adjectives, _joined_words, _joined_nouns, _lists, _verb_lists, _complements)
    return [one for rule in rules for one in rule(parts) if one is not None]


def _free(parts: Syntax, index: int) -> bool:
    word = parts.words[index]
    return not parts.held[index] and parts.text[word.end : word.end + 1] != "-"


def _adverbs(parts: Syntax) -> Iterator[Replacement | None]:
    for index in range(parts.stop):
        low, tag = parts.low[index], parts.tags[index]
        before, following = parts.tag(index - 1), parts.tag(index + 1)
        if tag != "RB" or low in _NOT_ADVERBS or not (low.endswith("ly") or low in _ADVERBS):
            continue
        if not _free(parts, index) or parts.word(index - 1) in _DEGREE or following in ("CD", "$", "RB"):
            continue
        if parts.word(index + 1) in ("as", "and", "or", "but", "after", "before", "if", "so", "that", "when"):
            continue
        if index == 0:
            if following in ("PRP", "DT", "NNP", "PRP$", "EX", "NNS"):
                yield cut(parts, 0, 1, "", 0.7)
        elif following in _VERB | {"JJ", "MD"} and before not in ("DT",) and parts.word(index + 1) != "than":
            yield cut(parts, index, index + 1, "", 0.5 if low == "also" else 0.8)
        elif before == "DT" and following in ("JJ", "VBN"):
            yield cut(parts, index, index + 1, "", 0.8)
        elif before in _VERB | NOUN | {"PRP", "RP"} and following in _AFTER_ADVERBS:
            if parts.word(index - 1) not in _MANNER | {"be", "is", "are", "was", "were"}:
                yield cut(parts, index, index + 1, "", 1.1)
        elif before == "," and following in (".", "") and low in ("too", "however", "though"):
            yield cut(parts, index - 1, index + 1, "", 0.5)


def _adjectives(parts: Syntax) -> Iterator[Replacement | None]:
    for index in range(parts.stop):
        word = parts.words[index]
        if parts.tags[index] != "JJ" or parts.low[index] in _KEPT or not _free(parts, index):
            continue
        if word.text[0].isupper() or any(letter.isdigit() for letter in word.text):
            continue
        before, following = parts.tag(index - 1), parts.tag(index + 1)
        bound = before in ("RB", "RBR", "RBS", "POS", "CC")
        if bound or parts.word(index - 1) in _DEGREE | {"non", "pre", "multi"}:
            continue
        if following in ("NN", "NNS") and parts.word(index + 1) not in _HOLLOW_NOUNS:
            stacked = before in ("JJ", ",", "CD") or following == "JJ"
            if before == "," and parts.tag(index - 2) != "JJ":
                continue
            first = index - (before == ",")
            yield cut(parts, first, index + 1, "", 1.2 if stacked else 1.7)
        elif following == "JJ" and parts.tag(index + 2) in NOUN:
            yield cut(parts, index, index + 1, "", 1.2)
        elif following == "," and parts.tag(index + 2) == "JJ" and parts.tag(index + 3) in NOUN:
            yield cut(parts, index, index + 2, "", 1.2)


def _joined_words(parts: Syntax) -> Iterator[Replacement | None]:
    """ "clear and simple" as "clear"; "collect and check data" as "collect data"."""
    for index in range(1, parts.stop - 1):
        if parts.low[index] not in ("and", "or") or not _free(parts, index):
            continue
        before, following = parts.tag(index - 1), parts.tag(index + 1)
        if before == following and before in ("JJ", "RB", "VB", "VBD", "VBN", "VBG", "VBP", "VBZ"):
            if parts.tag(index - 2) == "," or _PAIRED & {*parts.low[max(0, index - 4) : index]}:
                continue
            verb = before.startswith("VB")
            if verb and parts.tag(index + 2) not in ("DT", "PRP", "PRP$", "NN", "NNS", "JJ"):
                continue
            yield cut(parts, index, index + 2, "", 1.3 if not verb else 1.6)


def _joined_nouns(parts: Syntax) -> Iterator[Replacement | None]:
    """ "a pen and some paper" as "a pen", where no verb has to agree with both."""
    for index in range(2, parts.stop - 1):
        if parts.low[index] not in ("and", "or") or parts.tag(index - 1) not in NOUN or parts.held[index]:
            continue
        end = parts.with_complements(index + 1)
        if end == index + 1 or parts.tag(end - 1) not in NOUN:
            continue
        if _PAIRED & {*parts.low[max(0, index - 7) : index]} or _has_comma_before(parts, index):
            continue
        if _subject(parts, end) or parts.main is None or index < parts.main or _described(parts, end):
            continue
        if parts.tag(index - 1).startswith("NNP") != parts.tag(end - 1).startswith("NNP"):
            continue
        if parts.tag(index + 1) == "NN" and end > index + 2:
            continue
        if parts.tag(index - 1).startswith("NNP") and parts.tag(index + 1) not in ("NNP", "DT"):
            continue
        yield cut(parts, index, end, "", 1.6)


def _subject(parts: Syntax, end: int) -> bool:
    """Whether a verb follows a noun phrase, so that the phrase is, or belongs to, its subject."""
    while parts.tag(end) == "RB":
        end += 1
    return parts.tag(end) in FINITE


def _described(parts: Syntax, end: int) -> bool:
    """Whether more is said of a noun phrase right after it."""
    comma = parts.tag(end) == ","
    return parts.tag(end + comma) in ("WDT", "WP", "WP$", "DT", "NNP", "VBN", "VBG", "WRB") or (
        not comma and parts.tag(end) in ("IN", "POS", "TO")
    )


def _has_comma_before(parts: Syntax, index: int) -> bool:
    """Whether "and" ends a list of three or more."""
    start = parts.phrase_start(index)
    return parts.tag(index - 1) == "," or parts.tag(start - 1) == ","


def _lists(parts: Syntax) -> Iterator[Replacement | None]:
    """ "a pen, some paper and ink" as "a pen and ink"."""
    for index in range(4, parts.stop - 1):
        if parts.low[index] not in ("and", "or") or parts.held[index] or parts.depth[index]:
            continue
        last = index - (parts.tags[index - 1] == ",")
        end = parts.with_complements(index + 1)
        if end == index + 1 or (_subject(parts, end) and last == index):
            continue
        place, first = last, parts.phrase_start(last)
        while first < place and parts.tag(first - 1) == ",":
            place, first = first - 1, parts.phrase_start(first - 1)
        if place in (last, first) or parts.subject_and_verb(index + 1):
            continue
        yield cut(parts, place, index, "the middle of the list", 1.4)


def _verb_lists(parts: Syntax) -> Iterator[Replacement | None]:
    """ "He sat down, read the paper and slept" as "He sat down and slept"."""
    for index in range(4, parts.stop - 1):
        tag = parts.tag(index + 1)
        if parts.low[index] != "and" or tag not in ("VB", "VBD", "VBZ", "VBP") or parts.depth[index]:
            continue
        commas = [
            n
            for n in range(parts.main or 0, index - 1)
            if parts.tags[n] == "," and parts.tags[n + 1] == tag and not parts.depth[n] and not parts.held[n]
        ]
        if commas:
            yield cut(parts, commas[0], index, "the middle of the list", 1.8)


def _complements(parts: Syntax) -> Iterator[Replacement | None]:
    """ "the results of the study" as "the results"."""
    for index in range(2, parts.stop - 1):
        if parts.low[index] != "of" or parts.tag(index - 1) not in ("NN", "NNS") or parts.held[index]:
            continue
        start = parts.phrase_start(index)
        end = parts.noun_phrase(index + 1)
        if end == index + 1 or parts.word(start) not in ("the", "this", "these", "their", "our", "its"):
            continue
        if parts.word(index - 1) in _MEASURES or parts.word(end) in ("of", "and", "or", "'s"):
            continue
        if _described(parts, end):
            continue
        yield cut(parts, index, end, "", 2.0)
