"""What may stand in the place of a word or phrase, or be left out with it, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from redraft.revision.rewriting.compressions import cuts
from redraft.revision.rewriting.contractions import opened
from redraft.revision.rewriting.cutting import cut
from redraft.revision.rewriting.edits import Edit
from redraft.revision.rewriting.figures import NUMBER, respelled
from redraft.revision.rewriting.lists import SETS
from redraft.revision.rewriting.synonyms import synonyms
from redraft.text import FINITE, NOUN, EntityKind, RuleFinder, Syntax, list_lines


class Swap(NamedTuple):
    """An edit that does away with a phrase, why it may, and how much is lost by it."""

    edit: Edit
    why: str
    cost: float


_CONTENT: Final = ("NN", "NNS", "JJ", "JJR", "JJS", "RB", "VB", "VBP", "VBZ", "VBD", "VBN", "VBG")
_ALTERNATIVES: Final = {
    line.split(" | ")[0]: tuple(line.split(" | ")[1].split("; "))
    for line in list_lines(__package__, "alternatives.txt")
}
_BE: Final = SETS["swaps.be"]
_PERSONS: Final = SETS["swaps.persons"]
_DEGREE: Final = frozenset({"more", "most", "very", "less", "least", "as", "so", "too", "how"})
_NO_PRONOUN_AFTER: Final = frozenset({"EX", "POS", "RB", "JJ", "VBN", "PRP", "MD", "TO", ",", "CC", "PRP$"})
_DAYS: Final = frozenset({"today", "yesterday", "tomorrow", "tonight"})
_FINDER: Final = RuleFinder()


def swaps(parts: Syntax, first: int, end: int) -> list[Swap]:
    """What can be done to be rid of the words from one index to another, the least harmful first."""
    found = [*_within_cut(parts, first, end)]
    if not any(parts.held[first:end]):
        for rule in (_numbers, _alternatives, _by_synonym, _by_pronoun, _left_out):
            found += rule(parts, first, end)
    return sorted(found, key=lambda swap: swap.cost)


def _span(parts: Syntax, first: int, end: int) -> tuple[int, int]:
    return parts.words[first].start, parts.words[end - 1].end


def _cased(said: str, new: str) -> str:
    return new[:1].upper() + new[1:] if said[:1].isupper() else new


def _numbers(parts: Syntax, first: int, end: int) -> Iterator[Swap]:
    start, stop = _span(parts, first, end)
    for match in NUMBER.finditer(parts.text):
        if match.start() >= stop or match.end() <= start or not _covers(match.span(), start, stop):
            continue
        if match[0].lower() != "one" or parts.tag(first + 1) in NOUN:
            for place, new in enumerate(respelled(match[0])):
                yield Swap(Edit(*match.span(), new), f'"{new}" for "{match[0]}"', 0.5 + 0.2 * place)


def _covers(span: tuple[int, int], start: int, stop: int) -> bool:
    """Whether a number is the phrase, or a part of it."""
    return span[0] <= start or stop >= span[1]


def _alternatives(parts: Syntax, first: int, end: int) -> Iterator[Swap]:
    said = parts.said(first, end)
    low = said.lower().replace("’", "'")
    for place, new in enumerate(_ALTERNATIVES.get(low, ())):
        edit = Edit(*_span(parts, first, end), _cased(said, new))
        yield Swap(edit, f'"{new}" for "{said}"', 0.9 + 0.3 * place)
    for index in range(first, end + 1):
        edit_of = opened(parts, index) if index < len(parts) else None
        if edit_of is not None:
            yield Swap(edit_of, "the contraction opened", 0.4)


def _by_synonym(parts: Syntax, first: int, end: int) -> Iterator[Swap]:
    if end - first == 2:
        said, tag = parts.said(first, end), parts.tags[end - 1]
        tag = parts.tags[first] if parts.tags[first].startswith("VB") else tag
        for place, new in enumerate(synonyms(said, _common(tag))[:4]):
            yield Swap(Edit(*_span(parts, first, end), new), f'"{new}" for "{said}"', 1.0 + 0.2 * place)
    for index in range(first, end):
        word, tag = parts.words[index], parts.tags[index]
        if tag in ("NNP", "NNPS") and not (index == 0 and word.text[1:].islower()):
            continue
        extra = 0.3 * (end - first > 1)
        owns = parts.tag(index + 1) == "POS"
        for place, new in enumerate(synonyms(word.text, _common(tag))[:5]):
            if owns and new.endswith("s"):
                continue
            yield Swap(
                Edit(word.start, word.end, new), f'"{new}" for "{word.text}"', 1.0 + extra + 0.25 * place
            )


def _common(tag: str) -> str:
    """The tag of a word that may only look like a name, at the start of a sentence."""
    return {"NNP": "NN", "NNPS": "NNS"}.get(tag, tag)


@lru_cache(maxsize=256)
def _kinds(text: str) -> dict[tuple[int, int], EntityKind]:
    return {(one.start, one.end): one.kind for one in _FINDER.find(text)}


def _by_pronoun(parts: Syntax, first: int, end: int) -> Iterator[Swap]:
    """A pronoun or a general noun for the noun phrase that holds the words."""
    start = next((n for n in range(max(0, first - 8), first + 1) if parts.noun_phrase(n) >= end), None)
    if start is None:
        return
    stop = parts.noun_phrase(start)
    if any(parts.held[start:stop]) or parts.tags[stop - 1] not in NOUN or parts.low[stop - 1] == "%":
        return
    if parts.depth[start]:
        return
    whole = parts.with_complements(start)
    if not any(parts.held[stop:whole]) and parts.word(start) not in ("a", "an"):
        stop = whole
    joined = parts.tag(stop) in ("VBN", "NN", "NNS", "NNP") and parts.word(stop) not in _DAYS
    if joined or parts.word(stop) in ("that", "who", "which", "whose"):
        return
    edges = _span(parts, start, stop)
    head = parts.noun_phrase(start) - 1
    plural = parts.tags[head] in ("NNS", "NNPS")
    told = f'for "{parts.said(start, stop)}"'
    person = _is_person(parts, head)
    if parts.tag(stop) == "POS":
        new = "their" if plural or person else "its"
        yield Swap(
            Edit(edges[0], parts.words[stop].end, new),
            f'"{new}" {told}',
            2.2,
        )
        return
    before = parts.tag(start - 1)
    after = stop + (parts.tag(stop) == "RB")
    subject = start == parts.opening() or (parts.tag(after) in FINITE and before not in ("IN", "TO"))
    if parts.word(start - 1) in ("in", "at") and parts.tags[head] == "NNP" and not person:
        yield Swap(Edit(parts.words[start - 1].start, edges[1], "there"), f'"there" {told}', 2.1)
    bound = before in _NO_PRONOUN_AFTER or parts.word(start - 1) in _BE
    if subject or not bound:
        new = ("they" if subject else "them") if plural else "it"
        if person:
            new = "these people" if plural else "this person"
        yield Swap(Edit(*edges, new), f'"{new}" {told}', 2.3)
    if (before not in _NO_PRONOUN_AFTER or before in (",", "CC", "EX")) and parts.tag(stop) != "JJ":
        new = ("people" if person else "things") if plural else ("someone" if person else "something")
        yield Swap(Edit(*edges, new), f'"{new}" {told}', 3.6)


def _is_person(parts: Syntax, head: int) -> bool:
    word = parts.words[head]
    if word.tag in ("NNP", "NNPS"):
        kinds = _kinds(parts.text).items()
        return any(kind == "person" and span[0] <= word.start < span[1] for span, kind in kinds)
    one = parts.low[head].removesuffix("s")
    return one in _PERSONS or one.endswith(("ist", "man", "woman", "men", "women", "ician"))


def _left_out(parts: Syntax, first: int, end: int) -> Iterator[Swap]:
    """The words left out, where they only modify others."""
    before, following, last = parts.tag(first - 1), parts.tag(end), parts.tags[end - 1]
    cost = None
    if last in NOUN and following in ("NN", "NNS") and before not in ("POS", "``"):
        cost = 1.9
    elif (
        last in ("JJ", "JJR", "VBN", "VBG", "CD")
        and following in NOUN | {"JJ"}
        and before not in ("RB", "CC")
    ):
        cost = 1.9 if last == "JJ" else 2.4
    elif last in ("RB", "RBR") and parts.low[end - 1] not in ("not", "n't", "never", "no"):
        cost = 1.6
    if cost is None or parts.word(end) == "%" or before in ("RBR", "RBS") or parts.word(first - 1) in _DEGREE:
        return
    one = cut(parts, first, end, "without", cost)
    if one is not None:
        yield Swap(Edit(one.start, one.end, ""), one.why, one.cost)


def _within_cut(parts: Syntax, first: int, end: int) -> Iterator[Swap]:
    start, stop = _span(parts, first, end)
    for one in cuts(parts):
        if one.start <= start and stop <= one.end:
            yield Swap(Edit(*one[:3]), one.why, one.cost + 0.6)
