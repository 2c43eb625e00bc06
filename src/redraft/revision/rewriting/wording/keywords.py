"""A keyword taken out of a sentence, put into it, or used once less."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Final

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import (
    WORDS,
    Replacement,
    capitalised,
    cased_like,
    offer,
    opened,
)
from redraft.revision.rewriting.wording.replacements import replacements, synonyms
from redraft.text import FINITE, NOUNS, RuleFinder, Syntax, analyse_syntax, tagged

_MOST_WITHOUT: Final = 12
_MOST_WITH: Final = 6
_FEW: Final = {1: 16, 2: 6, 3: 3}
"""How many ways are tried at each place, by the number of places."""
_OPENERS: Final = ("When it comes to {}, ", "In terms of {}, ", "As for {}, ", "With regard to {}, ")


def without(sentence: str, keyword: str, *, anywhere: bool = True) -> list[Candidate]:
    """Versions that no longer hold a keyword, the least harmful first.

    It is gone as it is given, also within longer words; with `anywhere`, as a word of its own in any case.
    """
    read = analyse_syntax(sentence)
    places = _places(read, keyword, anywhere)
    if not places:
        return []
    few = _FEW.get(len(places), 2)
    choices = [replacements(read, *place)[:few] for place in places[:6]]
    tried = sorted(product(*choices), key=lambda chosen: sum(swap.cost for swap in chosen))
    return offer(sentence, tried, "keyword", lambda text: not _found(text, keyword, anywhere))[:_MOST_WITHOUT]


def fewer(sentence: str, keyword: str) -> list[Candidate]:
    """Versions in which a keyword occurs once less, in whatever case; a repetition goes first."""
    read = analyse_syntax(sentence)
    times = _times(sentence, keyword)
    places = _places(read, keyword, anywhere=True, every_case=True)
    tried = [
        (swap._replace(cost=swap.cost + 0.5 * (place == places[0] and len(places) > 1)),)
        for place in places
        for swap in replacements(read, *place)
    ]
    tried.sort(key=lambda chosen: chosen[0].cost)
    return offer(sentence, tried, "keyword", lambda text: _times(text, keyword) == times - 1)[:_MOST_WITHOUT]


def with_keyword(sentence: str, keyword: str) -> list[Candidate]:
    """Versions in which a keyword occurs once more: for a word that means the same, or as an opening."""
    read = analyse_syntax(sentence)
    if read.stop < 2 or not keyword.strip():
        return []
    times = _times(sentence, keyword)
    tried = [(swap,) for swap in sorted(_insertions(read, keyword), key=lambda swap: swap.cost)]
    return offer(sentence, tried, "keyword", lambda text: _times(text, keyword) == times + 1)[:_MOST_WITH]


def _times(text: str, keyword: str) -> int:
    return text.lower().count(keyword.lower()) if keyword else 0


def _found(text: str, keyword: str, anywhere: bool) -> bool:
    whole = rf"(?<!\w){re.escape(keyword)}(?!\w)"
    return keyword in text or (anywhere and re.search(whole, text, re.IGNORECASE) is not None)


def _places(read: Syntax, keyword: str, anywhere: bool, *, every_case: bool = False) -> list[tuple[int, int]]:
    """The words that hold a keyword, as pairs of indices."""
    if not keyword.strip():
        return []
    spans = {match.span() for match in re.finditer(re.escape(keyword), read.text, re.IGNORECASE * every_case)}
    if anywhere:
        whole = rf"(?<!\w){re.escape(keyword)}(?!\w)"
        spans |= {match.span() for match in re.finditer(whole, read.text, re.IGNORECASE)}
    found: dict[tuple[int, int], None] = {}
    for start, stop in sorted(spans):
        inside = [n for n, word in enumerate(read.words) if word.start < stop and word.end > start]
        if inside:
            found.setdefault((inside[0], inside[-1] + 1))
    return list(found)


def _insertions(read: Syntax, keyword: str) -> Iterator[Replacement]:
    tag = _tag_of(keyword)
    yield from _for_synonyms(read, keyword, tag)
    if tag.startswith("NN") or tag == "VBG":
        named = _with_article(keyword, tag)
        yield from _for_pronouns(read, named, tag)
        for place, opener in enumerate(_OPENERS):
            yield opened(read, opener.format(named), 2.0 + 0.2 * place)
    elif tag == "CD" and re.fullmatch(r"1[5-9]\d\d|20\d\d", keyword):
        yield opened(read, f"In {keyword}, ", 3.0)
    elif tag == "RB" and keyword.endswith("ly"):
        verb = read.main or 0
        if verb and read.tags[verb] in ("VBD", "VBZ", "VBP") and read.low[verb] not in WORDS.light_verbs:
            start = read.words[verb].start
            why = Reason("insert", after=keyword, detail="before the verb")
            yield Replacement(start, start, f"{keyword} ", why, 1.6)
        yield opened(read, f"{capitalised(keyword)}, ", 2.2)
    elif keyword.lower() in WORDS.closing_adverbs:
        yield from _behind_verbs(read, keyword)
    elif tag == "JJ":
        yield opened(read, f"In {'an' if keyword[0] in 'aeiou' else 'a'} {keyword} sense, ", 2.6)
    elif tag == "VB":
        yield opened(read, f"When you {keyword}, ", 3.0)


def _behind_verbs(read: Syntax, keyword: str) -> Iterator[Replacement]:
    """ "Let us eat, and dance." gives "Let us eat together, and dance." """
    for index in range(1, read.stop):
        bare = read.tags[index] == "VB" and read.low[index - 1] in ("us", "we", "to", "can", "will", "must")
        if bare and read.tag(index + 1) in (",", ".", "CC") and not read.held[index]:
            why = Reason("insert", after=keyword, detail="behind the verb")
            yield Replacement(read.words[index].end, read.words[index].end, f" {keyword}", why, 0.7)


def _tag_of(keyword: str) -> str:
    words = tagged(keyword)
    tag = words[-1].tag
    if len(words) == 1 and keyword[:1].isupper() and tag.startswith("NN"):
        return "NNP"
    if len(words) > 1 and words[0].tag in ("VB", "VBD", "VBZ", "VBP", "VBN"):
        return words[0].tag
    if any(word.tag in ("IN", "CC", "MD", "DT") for word in words[1:]) and not tag.startswith("NN"):
        return ""
    return tag


def _with_article(keyword: str, tag: str) -> str:
    first = keyword.split(maxsplit=1)[0].lower()
    counted = tag == "NN" and keyword.lower() in NOUNS
    has_one = first in ("the", "a", "an", "my", "your", "our", "their", "this", "that")
    return f"the {keyword}" if counted and not has_one else keyword


def _for_synonyms(read: Syntax, keyword: str, tag: str) -> Iterator[Replacement]:
    low = keyword.lower()
    for index, word in enumerate(read.words[: read.stop]):
        if read.held[index] or read.tags[index] in ("NNP", "NNPS", "PRP", "DT", "IN"):
            continue
        near = synonyms(word.text.lower(), read.tags[index])
        back = synonyms(low, tag) if read.tags[index] == tag else ()
        if low in near or word.text.lower() in back:
            cost = 0.8 + 0.2 * (near.index(low) if low in near else 2)
            why = Reason("replace", word.text, keyword)
            yield Replacement(word.start, word.end, cased_like(word.text, keyword), why, cost)


def _for_pronouns(read: Syntax, named: str, tag: str) -> Iterator[Replacement]:
    plural = tag in ("NNS", "NNPS")
    person = tag == "NNP" and any(one.kind == "person" for one in RuleFinder().find(f"We saw {named} there."))
    pronouns = ("they", "them") if plural else ("he", "she", "him") if person else ("it",)
    for index, word in enumerate(read.words[: read.stop]):
        if read.low[index] not in pronouns or read.tags[index] != "PRP" or read.held[index]:
            continue
        after = read.tag(index + 2 + (read.tag(index + 2) == "RB"))
        if read.low[index] == "it" and read.tag(index + 1) in FINITE and after in ("TO", "IN", "JJ", "VBN"):
            continue
        new = capitalised(named) if index == 0 else named
        yield Replacement(word.start, word.end, new, Reason("replace", word.text, named), 1.5)
