"""What a cut is, and what it costs: the more a phrase tells, the dearer it is to lose."""

from __future__ import annotations

from typing import Final, NamedTuple

from redraft.text import NOUN, Syntax

_CONTENT: Final = NOUN | {"JJ", "JJR", "JJS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "CD", "RB"}
_NEGATIONS: Final = frozenset(
    {"not", "n't", "no", "never", "nor", "neither", "nothing", "none", "nobody", "without"}
)
_PER_WORD: Final = 0.1
_NUMBER: Final = 0.8
_NAME: Final = 0.5
_NEGATION: Final = 1.0
_QUOTATION: Final = 1.5


class Cut(NamedTuple):
    """A stretch that may go or be said shorter: what takes its place, why, and how much is lost by it."""

    start: int
    end: int
    new: str
    why: str
    cost: float


def cut(parts: Syntax, first: int, end: int, what: str, cost: float, new: str = "") -> Cut | None:
    """The cut of a phrase, or None where it holds a placeholder or breaks a quotation or bracket."""
    if not 0 <= first < end <= len(parts):
        return None
    lost = 0.0
    names: list[str] = []
    level = parts.depth[first] + (parts.words[first].text in ")]}")
    for index in range(first, end):
        word, tag = parts.words[index], parts.tags[index]
        if word.text.startswith("[[") or (parts.depth[index] < level and index > first):
            return None
        lost += _PER_WORD * (tag in _CONTENT)
        lost += _NEGATION * (parts.low[index] in _NEGATIONS)
        if tag == "CD" or any(letter.isdigit() for letter in word.text):
            lost += _NUMBER
            names.append(word.text)
        elif tag in ("NNP", "NNPS") and word.start:
            lost += _NAME
            names.append(word.text)
    start, stop = parts.words[first].start, parts.words[end - 1].end
    if _between_placeholders(parts.text, start, stop):
        return None
    quotes = [span for span in parts.quoted if span[0] < stop and span[1] > start]
    if any(not start <= opening <= closing <= stop for opening, closing in quotes):
        return None
    if parts.depth[end - 1] + (parts.words[end - 1].text in "([{") != level:
        return None
    lost += _QUOTATION * len(quotes)
    said = parts.text[start:stop].strip(" ,;:")
    told = f'{what} "{said if len(said) <= 40 else said[:18] + "…" + said[-18:]}"'
    if names:
        told += f" with {', '.join(names[:4])}"
    return Cut(start, stop, new, told, cost + lost)


def _between_placeholders(text: str, start: int, stop: int) -> bool:
    """Whether a stretch touches a placeholder, or is all that stands between two of them."""
    before, after = text[:start], text[stop:]
    touches = before.endswith(("]]", "]]-", "~")) or after.startswith(("[[", "-[[", "~"))
    return touches or (before.rstrip().endswith("]]") and after.lstrip().startswith("[["))
