"""What "it", "they" or "those two" stand for: the sentences, keywords or things that were named before.

"Sentence 2 is a quotation. Please leave it as it is." names in one line and demands in the next. A pronoun
is taken for such a mention only where the mention has no demand of its own, agrees in number, and the words
around the pronoun say something that can be demanded of it; everywhere else "it" is the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .chunks import WINDOW, Chunk, Line, joined
from .governors import Governor, before, behind, governor
from .keywords import Keywords
from .references import Named

_ONE = frozenset(["it", "this", "that", "one"])
_MANY = frozenset(["they", "them", "those", "these", "both", "both of", "the two"])
_HEADS = {"R": "s1n", "Q": "wl1n", "E": "N"}
"""The nouns that may follow a pronoun: "that sentence", "this one", "those two"."""
_NOUNS = ("word", "phrase", "term", "expression", "name", "hashtag")
_DONE = re.compile(r"[e]?(?:[,]?u|[,:&|bXF]|i[zdvg]*(?:$|[,&b])|d+(?:$|[,&b])|y|[vm]*F|$)")
_ALONE = re.compile("[,&b]{1,2}Z|,?L(?![AI])")
"""Behind a sentence to change: "… and nothing else", "… only"."""
_CLAUSE = re.compile(r"(?:^|[,:&|bmSi])[dL]?$")


def resolve(line: Line) -> Line:
    """The line with the pronouns that stand for something named in it, or in the line ahead of it."""
    chunks = list(line.chunks)
    at = 0
    while at < len(chunks):
        if size := _pronoun(chunks, at):
            # Only what stands near bears on it: a line without end is not read again for each of them.
            start = max(0, at - 4 * WINDOW)
            near = replace(line, chunks=tuple(chunks[start : at + 2 * WINDOW]))
            if put := _named(near, at - start, size):
                chunks[at : at + size] = [put]
        at += 1
    return replace(line, chunks=tuple(chunks))


def _pronoun(chunks: Sequence[Chunk], at: int) -> int:
    """How many chunks the pronoun at a place takes; none where there is no pronoun."""
    text = chunks[at].text
    if text not in _ONE and text not in _MANY and text != "the":
        return 0
    following = chunks[at + 1].tag if at + 1 < len(chunks) else ""
    behind = chunks[at + 1].text if following else ""
    if text == "that":
        return 2 if following in tuple("s1wl") else 0
    if text == "the":  # "cut the word altogether"
        return 2 if behind in _NOUNS else 0
    if text in ("this", "those", "these", "both", "both of") and following in tuple("snwl1v"):
        return 2 if following != "v" or behind == "them" else 1
    return 1


def _named(line: Line, at: int, size: int) -> Chunk | None:
    """What the pronoun at a place stands for, as a chunk in its place."""
    antecedent = _antecedent(line, at)
    if antecedent is None:
        return None
    put = replace(joined(line, at, at + size, antecedent.tag, antecedent.value), text=line.chunks[at].text)
    changed = replace(line, chunks=(*line.chunks[:at], put, *line.chunks[at + size :]))
    return put if _demanded(changed, at) else None


def _antecedent(line: Line, at: int) -> Chunk | None:
    """What was named last, if nothing is said of it there and it agrees with the pronoun."""
    text, head = line.chunks[at].text, line.tags[at + 1 : at + 2]
    for place, where in _mentions(line, at):
        chunk = place.chunks[where]
        if text in ("the", "that", "this") and head in tuple("swl") and head not in _HEADS[chunk.tag]:
            return None
        if _many(chunk) != (text in _MANY):
            return None
        if (verb := governor(place, where)) and _possible(verb, chunk.tag):
            return None
        return chunk
    return None


def _mentions(line: Line, at: int) -> Iterator[tuple[Line, int]]:
    for place, end in ((line, at), (line.ahead, len(line.ahead.chunks) if line.ahead else 0)):
        if place is None:
            continue
        for where in range(end - 1, max(-1, end - 30), -1):
            if place.tags[where] in "RQE":
                yield place, where


def _many(chunk: Chunk) -> bool:
    if isinstance(chunk.value, Named):
        return len(chunk.value.numbers) > 1
    return len(chunk.value.texts) > 1 if isinstance(chunk.value, Keywords) else True


def _demanded(line: Line, at: int) -> bool:
    """Whether what stands around the item at a place is a whole demand on it."""
    ahead, after = before(line, at), behind(line, at)
    orders = ahead and not re.search("[es]d$|s$", line.chunks[at - 1].text)
    if ahead and orders and _possible(ahead, line.tags[at]) and _DONE.match(line.after(at)):
        return True
    if ahead and ahead.verb in "AI" and line.tags[at] == "R" and _ALONE.match(line.after(at)):
        return True
    return bool(
        after
        and _possible(after, line.tags[at])
        and _CLAUSE.search(line.before(at))
        and _DONE.match(line.after(after.end - 1))
    )


def _possible(verb: Governor, item: str) -> bool:
    if verb.verb in "K8":
        return True
    if verb.verb == "A":
        return verb.negated
    return item == "Q" and (verb.verb in "DU+" or (verb.verb == "Y" and verb.negated))
