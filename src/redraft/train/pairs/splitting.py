"""Pairs for splitting a sentence and for merging two, from human splits and from joints of prose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from redraft.text import Syntax, analyse_syntax, count_words, segment
from redraft.train.pairs.material import Pair, Passage, Record, passages
from redraft.train.pairs.sets import SETS
from redraft.train.pairs.wording import content_words, values
from redraft.train.synthesise import is_clean_target

_JOINTS: Final = {"and": "", "but": "However, ", "so": "So "}
_LEAST: Final = 5
"""Words of each part."""
_LOOSE: Final = frozenset({"one", "neither", "both", "each", "either"})
_SPARE: Final = (0, 0, 1, 2)
_SPLICE: Final = re.compile(
    r"(?:, |--)(?:[Ii]ts?|[Hh]e|[Ss]he|[Tt]hey|[Tt]h(?:is|ese)|[Hh]is|[Hh]er|however|And|But)\b"
)


def sentences_of(text: str) -> list[str]:
    """The sentences of a passage."""
    return [text[found.start : found.end] for found in segment(text)]


def split_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Split and merge from rows whose input is one sentence, and whose target several that say the same."""
    for record in records:
        whole, parts = record.fields.get("input"), record.fields.get("target")
        if isinstance(whole, str) and isinstance(parts, str) and _says_the_same(whole, parts):
            yield from _both_ways(whole, parts, record.source, record.text, rng)


def joint_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """The same from sentences of prose with two main clauses, parted where the second begins."""
    for passage in passages(records):
        parts = part_clauses(passage)
        if parts is not None:
            yield from _both_ways(str(passage), parts, passage.source, passage.text, rng)


def _both_ways(whole: str, parts: str, source: str, text: str, rng: Random) -> Iterator[Pair]:
    longest = max(map(count_words, sentences_of(parts)))
    bound = longest + rng.choice(_SPARE)
    if bound < count_words(whole):
        yield Pair("split", whole, parts, source, text, {"n": bound})
    # Merged, nothing may be lost, and two clauses need more than a comma between them.
    gone = content_words(parts) - content_words(whole)
    if len(gone) <= 0.05 * len(content_words(parts)) and not _SPLICE.search(whole):
        yield Pair("merge", parts, whole, source, text)


def _says_the_same(whole: str, parts: str) -> bool:
    found = sentences_of(parts)
    if len(sentences_of(whole)) != 1 or len(found) < 2 or not all(map(is_sentence, (whole, *found))):
        return False
    had, has = content_words(whole), content_words(parts)
    same = len(had - has) <= 0.05 * len(had) and len(has - had) <= 1
    return same and values(whole) == values(parts)


def is_sentence(text: str) -> bool:
    """Whether a text is one clean sentence with a verb of its own."""
    read = analyse_syntax(text)
    return is_clean_target(text) and read.main is not None and read.tag(0) not in ("VBG", "VBN", "CC", "WDT")


def part_clauses(passage: Passage) -> str | None:
    """A sentence parted before its second main clause; None where that is not plain."""
    sentence = str(passage)
    read = analyse_syntax(sentence)
    if (
        sentence.count(";") > 1
        or read.main is None
        or read.quoted
        or not sentence.endswith(".")
        or "WDT" in read.tags[:1]
    ):
        return None
    for end in read.clause_ends()[:-1]:
        joint = end + (read.tags[end] in (",", ":"))
        if read.main < end and (parted := _parted(read, end, joint)):
            return parted
    return None


def _parted(read: Syntax, end: int, joint: int) -> str | None:
    word, text = read.word(joint), read.text
    semicolon = read.words[end].text == ";"
    if not semicolon and (word not in _JOINTS or read.tags[end] != ","):
        return None
    second = joint if semicolon else joint + 1
    opener = "" if semicolon else _JOINTS[word]
    if semicolon and read.word(second) in ("and", "but", "or"):
        return None
    first, rest = text[: read.words[end].start], text[read.words[second].start :]
    if read.word(second) in _LOOSE or read.tag(second) in ("IN", "RB", "VBG", "VBN", "CC"):
        return None
    if not opener:
        rest = rest[:1].upper() + rest[1:]
    parted = f"{first.rstrip(' ,')}. {opener}{rest}"
    parts = sentences_of(parted)
    if len(parts) != 2 or not all(map(is_sentence, parts)) or min(map(count_words, parts)) < _LEAST:
        return None
    return parted if _first_is_whole(read, end) else None


def _first_is_whole(read: Syntax, end: int) -> bool:
    """Whether what comes before stands alone: no clause that only leads up to the second."""
    begun = {*read.low[: read.main or 0]}
    return not SETS["leading"] & begun and read.low[:1] != ("let",) and end > (read.main or 0) + 1
