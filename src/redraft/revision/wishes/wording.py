"""How people wish for another wording, and the lists of phrases that each wish is about."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from redraft.editor import kind_of, wished_controls, without_what_stays
from redraft.text import is_english_request, wordings

_WISHES: Final = {
    name: re.compile(rf"(?i)\b(?:{words})\b") for name, words in wordings(__package__, "wording.txt").items()
}
_TURNED: Final = re.compile(
    r"(?i)(?:\b(?:not|never|without being|without sounding|without making it|rather than|instead of"
    r"|no need|dont|doesnt|didnt|isnt|shouldnt|cant|wont)|n['’]t)\b[^.,;:!?]{0,25}\Z"
    r"|\b(?:less|too|as)\s+\Z"
)
"""What turns a wish round when it stands ahead of it: "don't make it formal"."""
_SO: Final = re.compile(r"(?i)\bso\s+\Z")
_WANTED: Final = re.compile(r"(?i)\s+(?:tone|style|language|wording|register|voice)\b")
"""What follows a wish that "so" stands before: "it goes to the board, so formal language"."""


class Way(NamedTuple):
    lists: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    """Rules of form in `rewriting/wording/tone.py`."""


WAYS: Final = {
    "superlatives": Way(("superlatives",)),
    "cliches": Way(("cliches",)),
    "slang": Way(("slang",)),
    "neutral": Way(("superlatives", "puffery", "loaded"), ("exclamation mark",)),
    "flowery": Way(("purple", "puffery", "superlatives")),
    "formal": Way(("slang", "informal"), ("contraction", "exclamation mark"), ("formal",)),
    "friendly": Way(("stiff", "simple", "legal"), ("full form",), ("ours", "friendly")),
    "polite": Way(("polite",), (), ("polite",)),
    "apologetic": Way(("polite",), (), ("apologetic",)),
    "blameless": Way(("polite", "loaded"), (), ("polite",)),
    "plain": Way(("legal", "stiff", "jargon", "simple"), (), ("verbal",)),
    "simple": Way(("simple", "legal", "stiff", "jargon"), (), ("verbal",)),
    "jargon": Way(("jargon",)),
    "concise": Way(("wordy", "filler"), (), ("verbal",)),
    "verbal": Way((), (), ("verbal",)),
    "inclusive": Way(("gendered",), (), ("generic",)),
    "hedges": Way(("hedges",)),
    "filler": Way(("filler",)),
    "address": Way((), (), ("address",)),
}
"""The lists of each wish, and the marks and the rules that go with what it is about."""


_KINDS: Final = {"correct": "fluency", "simplify": "simplification", "neutralise": "neutralization"}
"""The control for a kind of edit."""
_CONTROLS: Final = {
    "neutral": "neutralization",
    "blameless": "polite",
    "apologetic": "polite",
    "slang": "formal",
    "simple": "simplification",
    "jargon": "plain",
    "filler": "concise",
    "hedges": "confident",
    **{name: name for name in ("formal", "friendly", "polite", "plain", "concise")},
}
"""The control for a wish about wording."""
BY_RULE: Final = frozenset({
    "superlatives", "cliches", "slang", "neutral", "flowery", "blameless", "inclusive", "hedges", "filler",
    "address", "verbal",
})  # fmt: skip
"""What the editor was not taught: lists and rules do all that is done of it."""
_PARTS: Final = re.compile(r"[.,;:!?]+\s*|\s+(?:and|but)\s+")
_NO_WISH: Final = re.compile(r"(?i)\W*(?:(?:please|thanks|thank you|just|make it|keep it|it'?s|for me)\W*)*")


def is_by_rule(style: str) -> bool:
    """Whether all that is wished is done by lists and rules, and nothing is left for the editor.

    >>> is_by_rule("neutral tone, please"), is_by_rule("neutral, and fix the grammar")
    (True, False)
    """
    parts = [one for one in _PARTS.split(style) if not _NO_WISH.fullmatch(one)]
    found = [set(wished_wordings(one)) for one in parts]
    return bool(found) and all(found) and set().union(*found) <= BY_RULE


def wished_wordings(style: str) -> tuple[str, ...]:
    """The wishes about wording in the style part of an instruction.

    >>> wished_wordings("Make it less salesy and more formal, but don't make it longer")
    ('neutral', 'formal')
    """
    if not is_english_request(style):
        return ()
    wanted = without_what_stays(style)
    return tuple(name for name, words in _WISHES.items() if _is_wished(name, words, wanted))


def _is_wished(name: str, words: re.Pattern[str], style: str) -> bool:
    forbids = name in (
        "jargon",
        "hedges",
        "filler",
        "inclusive",
        "blameless",
        "flowery",
        "verbal",
    )  # "don't hedge" asks for the same
    return any(forbids or not _is_turned(style, one) for one in words.finditer(style))


def _is_turned(style: str, wish: re.Match[str]) -> bool:
    if _SO.search(style, 0, wish.start()):
        return not _WANTED.match(style, wish.end())
    return _TURNED.search(style, 0, wish.start()) is not None


def style_controls(style: str) -> tuple[str, ...]:
    """The controls by which a model that was taught to edit does what is wished, errors first.

    >>> style_controls("Make it polite and fix the grammar")
    ('fluency', 'polite')
    >>> style_controls("in normal words please"), style_controls("make it kinder")
    (('plain',), ('polite',))
    """
    kind = _KINDS.get(kind_of(style))
    said = wished_controls(style)
    wordings = [_CONTROLS.get(name) for name in wished_wordings(style)]
    if "polite" in wordings and "friendly" not in said:  # "kinder" says both, and once is enough
        wordings = [name for name in wordings if name != "friendly"]
    return tuple(dict.fromkeys(name for name in (kind, *said, *wordings) if name))
