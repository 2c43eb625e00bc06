"""Longer versions of a sentence that say the same, for a count that must be reached."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final
from zlib import crc32

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import WORDS, Edit, Replacement, cased_like, offer, opened
from redraft.revision.rewriting.wording.replacements import NUMBER, expanded_contraction, respelled
from redraft.text import FINITE, NOUN, WORDY, Syntax, analyse_syntax, count_words, list_lines

_MOST_VERSIONS: Final = 8
_MOST_WORDS: Final = 6
_TAKES_TO: Final = WORDS.infinitive_verbs | {"for", "first", "only", "last"}
_YEAR: Final = re.compile(r"1[5-9]\d\d|20\d\d")
_LINKED: Final = ("RB", "IN", "CC", "WRB", "UH", "``", "-LRB-", "VBG", "VBN", "TO")
_LINKS_BY_LENGTH: Final = [line.split(" | ") for line in list_lines(__package__, "links.txt")]
_LINKS: Final = tuple(f"{link} " for length, link in _LINKS_BY_LENGTH if length == "short")
_LONG_LINKS: Final = tuple(f"{link} " for length, link in _LINKS_BY_LENGTH if length == "long")
_EACH: Final = 3
"""Links of a sort for one sentence; which ones depends on its words, so that they differ in a text."""


def extensions(sentence: str) -> list[Candidate]:
    """Versions that are one to six words longer and tell nothing new, the least noticeable first."""
    read = analyse_syntax(sentence)
    if read.stop < 3:
        return []
    before = count_words(sentence)
    tried = [(one,) for one in (*_in_place(read), *_with_link(read))]
    found = offer(sentence, tried, "extension", lambda text: 1 <= count_words(text) - before <= _MOST_WORDS)
    return found[:_MOST_VERSIONS]


def _in_place(read: Syntax) -> Iterator[Replacement]:
    for rule in (expanded_contraction, _that, _in_order_to, _small, _that_is, _wordy):
        for index in range(read.stop):
            new = rule(read, index)
            if new is not None and not read.held[index]:
                said = read.words[index].text
                kind = "replace" if new.end > new.start else "add"
                yield Replacement(*new, Reason(kind, said, new.new.strip()), 0.0)
    for match in NUMBER.finditer(read.text):
        if match[0].endswith("%") or "/" in match[0]:
            for spelled in respelled(match[0])[:1]:
                yield Replacement(*match.span(), spelled, Reason("replace", match[0], spelled), 0.0)


def _before(read: Syntax, index: int, new: str) -> Edit:
    start = read.words[index].start
    return Edit(start, start, f"{new} ")


def _for(read: Syntax, index: int, new: str) -> Edit:
    word = read.words[index]
    return Edit(word.start, word.end, cased_like(word.text, new))


def _that(read: Syntax, index: int) -> Edit | None:
    """ "that" restored, before what is reported and before a clause about a noun."""
    before, low, tag = read.tag(index - 1), read.low[index], read.tags[index]
    if not index or tag not in ("PRP", "DT", "NNP") or not read.subject_and_verb(index):
        return None
    if before in ("NN", "NNS") and low in WORDS.persons_as_subjects and read.tag(index + 1) in FINITE:
        opening = read.tag(0) == "IN" and FINITE.isdisjoint(read.tags[:index])
        return None if opening or "," in read.tags[index : index + 4] else _before(read, index, "that")
    if read.low[index - 1] not in WORDS.that_verbs or before not in ("VBD", "VBZ", "VBP", "VB", "JJ"):
        return None
    simple = low not in ("that", "this", "it") and read.tag(index + 1) != "CC"
    return _before(read, index, "that") if simple else None


def _in_order_to(read: Syntax, index: int) -> Edit | None:
    if read.low[index] != "to" or read.tag(index + 1) != "VB":
        return None
    if index == 0:
        return _for(read, index, "in order to")
    near = read.low[max(0, index - 12) : index]
    free = read.tag(index - 1) in NOUN | {"PRP", ","} and near[-1] not in WORDS.infinitive_nouns
    is_be = read.main is not None and read.low[read.main] in ("is", "are", "was", "were", "'s")
    return _for(read, index, "in order to") if free and not is_be and _TAKES_TO.isdisjoint(near) else None


def _small(read: Syntax, index: int) -> Edit | None:
    """Small words that may be said: in the year 2014, help to do, all of the, both a and b."""
    low, before, following = read.low[index], read.word(index - 1), read.tag(index + 1)
    if _YEAR.fullmatch(low) and before in WORDS.year_prepositions and following not in NOUN:
        return _before(read, index, "the year")
    if read.tags[index] == "VB" and before in ("help", "helps", "helped"):
        return _before(read, index, "to")
    if low == "all" and read.word(index + 1) in WORDS.after_all:
        return _for(read, index, "all of")
    if low == "over" and following == "CD":
        return _for(read, index, "more than")
    subject = read.tag(index - 1) in ("PRP", "NNS") and before != "i"
    if low == "can" and subject and following == "VB" and read.word(index + 1) != "be":
        return _for(read, index, f"{'is' if before in ('he', 'she', 'it') else 'are'} able to")
    if low == "should" and following == "VB" and "if" not in read.low[:index]:
        return _for(read, index, "ought to")
    if low == "so" and before == "," and read.subject_and_verb(index + 1):
        return _before(read, index, "and")
    return _both(read, index)


def _both(read: Syntax, index: int) -> Edit | None:
    """ "both" before two nouns that "and" joins."""
    end = read.noun_phrase(index)
    after = read.tag(index - 1) in ("IN", "VB", "VBZ", "VBD", "VBP", "TO")
    if end == index or not after or read.word(end) != "and":
        return None
    second = read.noun_phrase(end + 1)
    alike = read.tag(end - 1) == read.tag(second - 1) and read.tag(end - 1) in ("NNS", "NN")
    if second == end + 1 or not alike or read.word(index - 1) in ("between", "of", "both"):
        return None
    closed = read.tag(second) in (".", ",", "IN", "") and read.word(index) not in ("all", "both", "any", "no")
    return _before(read, index, "both") if closed and read.word(second) != "," else None


def _that_is(read: Syntax, index: int) -> Edit | None:
    """ "the paint used here" as "the paint that is used here", where the sentence is in the present."""
    noun = read.tag(index - 1)
    if read.tags[index] != "VBN" or noun not in ("NN", "NNS") or read.tag(index + 1) != "IN" or index < 2:
        return None
    if read.main is None or read.tags[read.main] not in ("VBZ", "VBP", "MD"):
        return None
    if {"have", "has", "had", "get", "be", "with"} & {*read.low[max(0, index - 4) : index]}:
        return None
    return _before(read, index, f"that {'are' if noun == 'NNS' else 'is'}")


def _wordy(read: Syntax, index: int) -> Edit | None:
    low, before, following = read.low[index], read.word(index - 1), read.tag(index + 1)
    if low not in WORDY:
        return None
    new = WORDY[low][0]
    if low in WORDS.wordy_conjunctions:
        fits = read.subject_and_verb(index + 1) and before not in ("even", "as", "only", "just", "not")
    elif low in WORDS.wordy_plurals:
        noun = read.tag(read.noun_phrase(index + 1) - 1)
        free = read.tag(index - 1) in ("", "IN", "VBD", "VBZ", "VBP", "VB", ",", "CC", "TO")
        free = free and before not in ("not", "as")
        fits = noun == "NNS" and free and following in ("NNS", "JJ", "NN", "VBN")
    elif low in ("every", "each"):
        fits = following in ("NN", "JJ") and read.word(index + 1) != "other"
    elif low in ("during", "despite"):
        fits = following in ("DT", "PRP$")
    elif low in ("by", "for"):
        objects = read.tag(index + 2) in ("DT", "NNS", "PRP$")
        fits = following == "VBG" and read.tag(index - 1) in NOUN and objects
    elif low in ("soon", "later", "today", "now"):
        fits = following in (".", "") and read.tag(index - 1) not in ("RB", "CD", "NNS", "IN")
    elif low in WORDS.wordy_verbs:
        noun_use = read.tag(index - 1) in ("DT", "JJ", "PRP$", "IN", "NN", "RB")
        fits = read.tags[index].startswith("VB") and following in ("DT", "PRP$", "NNS", "JJ") and not noun_use
        fits = fits and read.tags[index] != "VBN"
    else:
        fits = index == 0 and following == ","
    return _for(read, index, new) if fits else None


def _with_link(read: Syntax) -> Iterator[Replacement]:
    first = read.words[0]
    if read.tags[0] in _LINKED or read.held[0] or read.text.rstrip().endswith(("?", ":")):
        return
    if not first.text[0].isupper() or read.main is None or read.stop == len(read):
        return
    start = crc32(read.text.encode())
    for link in (*_some(_LINKS, start), *_some(_LONG_LINKS, start)):
        if read.main or not link.endswith("that "):
            yield opened(read, link, 0.0)


def _some(links: tuple[str, ...], start: int) -> tuple[str, ...]:
    first = start % len(links)
    return (*links, *links)[first : first + _EACH]
