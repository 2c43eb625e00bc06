"""What an emoji says that stands where a word should: "fans of 🍕", "from 1️⃣ to 5️⃣", "👍 this message"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from redraft.text import NOUNS, Tagged, list_lines, tagged

_KEYCAP: Final = re.compile(r"([0-9#*])\uFE0F?\u20E3")
_NAMED: Final = dict(line.split() for line in list_lines(__package__, "emojis.txt"))
SIGNS: Final = ("€", "$", "£", "¥")
"""What stands close to the figure behind it."""
_LIKED: Final = re.compile(r"(?:this|that|the|it|my|our)\b")
_BEFORE_LIKE: Final = re.compile(r"(?i)(?:\A|[,;]|\b(?:and|or|please|to|then))\Z")
_ENDS: Final = re.compile(r"\s*(?:[.,;:!?)\]”’\"']|\Z)")
_UNNAMED: Final = re.compile(r"(?:\A| )DT(?: JJ)*\Z")
_MONEY: Final = {"€": "euros", "$": "dollars", "£": "pounds", "¥": "yen"}
"""The same behind a figure."""
_DETERMINER: Final = re.compile(r"(?i)\b(?:the|an?|my|your|our|their|its|every)\Z")
_NO_PARTICLE: Final = re.compile(r"(?i)\b(?:of|with|from|at|for|by|to|into|about|without|until)\Z")
_TAKES_OBJECT: Final = re.compile(
    r"(?i)\b(?:(?:love|like|need|want|order|play|enjoy|serve|prefer|adore|crave|hate|miss|use)(?:s|e?d)?|eats?|ate"
    r"|buys?|bought|brings?|brought|gets?|got|gives?|gave|drinks?|drank|sells?|sold|makes?|made|takes?|took|has"
    r"|have|had|try|tries|tried|offers?|offered)\Z"
)
_ASKED_FOR: Final = re.compile(
    r"(?i)\b(?:what|whatever|which|who|whom|that|where|how|all|everything|something|nothing)\b"
)
_OBJECT_AHEAD: Final = re.compile(r"\bNN\w* PRP(?: (?:MD|RB|TO|VB\w?))*(?: IN)?\Z")
"""What a word stands for that would else be lacking: "what we need", "the cake I made"."""
_NEAR: Final = 12
"""So many words on both sides are read."""
_PHRASE: Final = ("NN", "PRP", "DT", "CD", "VBG")


def words_of_emoji(emoji: str, before: str, after: str) -> Iterator[tuple[str, float]]:
    """What may stand for it between two stretches, and how much that costs; nothing where it only adorns.

    An empty word without a cost says that something is lacking without it, and nobody knows what.

    >>> list(words_of_emoji("🍕", "We are fans of", "here."))
    [('pizza', 0.0)]
    """
    name, after = _name_of(emoji), " ".join(after.split(maxsplit=_NEAR)[:_NEAR])
    before = " ".join(before.rsplit(maxsplit=_NEAR)[-_NEAR:])
    if keys := _KEYCAP.findall(emoji):
        yield "".join(keys), 0.0
    elif name in SIGNS:
        if after[:1].isdigit():
            yield name, 0.0
        elif before[-1:].isdigit():
            yield _MONEY[name], 0.0
    elif emoji[:1] == "👍" and _LIKED.match(after) and _BEFORE_LIKE.search(before):
        yield "like", 0.0
    elif before:
        follows = next((word.tag for word in tagged(f"it {after}")[1:]), "") if after else ""
        read = tagged(f"{before} it")[:-1]
        ends = _ENDS.match(after) is not None
        if name and ends and _UNNAMED.search(" ".join(word.tag for word in read)):
            yield name, 0.0  # "you get a free ☕"
        elif _is_lacking(before, read, follows, ends=ends):
            yield name, 0.0
        elif read:
            yield from _between_words(name, read[-1], follows, ends=ends)


def _name_of(run: str) -> str:
    """What emojis in a row are called, each once; nothing where one of them has no name."""
    names = list(dict.fromkeys(_NAMED.get(one, "") for one in run if not (one.isspace() or one == "\ufe0f")))
    if len(names) == 1:
        return names[0]
    if not all(names) or any(name in SIGNS for name in names):
        return ""
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _is_lacking(before: str, read: Sequence[Tagged], follows: str, *, ends: bool) -> bool:
    """Whether the word before an emoji asks for a noun that is nowhere else: "I like", "this is the"."""
    goes_on = follows.startswith(("NN", "JJ", "CD", "VBG", "RB"))
    if _DETERMINER.search(before):
        return ends or not goes_on
    if not (ends or follows in ("CC", "RB", "IN")) or not _is_object_due(before, read):
        return False
    tags = " ".join(word.tag for word in read)
    return not (_ASKED_FOR.search(before) or _OBJECT_AHEAD.search(tags))


def _is_object_due(before: str, read: Sequence[Tagged]) -> bool:
    """Whether the last word is a preposition, and no particle, or a verb that has an object."""
    is_verb = bool(read) and read[-1].tag.startswith("VB") and _TAKES_OBJECT.search(before) is not None
    return is_verb or _NO_PARTICLE.search(before) is not None


def _between_words(name: str, last: Tagged, follows: str, *, ends: bool) -> Iterator[tuple[str, float]]:
    """What its place asks for behind a word and before another one, of which the tag is known."""
    lacks = last.tag in ("IN", "TO")
    adorned = follows.startswith(_PHRASE) or follows == "JJ"
    verb = last.tag in ("VB", "VBP", "VBD") and last.text.lower() not in NOUNS
    named = (last.text == "," and follows == "IN") or (verb and follows == "CC")
    if lacks and ends:  # "I could live on 🍕", "what we waited for 🎉"
        if name:
            yield name, 0.0
            yield "", 0.3
    elif (lacks and not adorned) or (last.tag == "CC" and ends) or (name and named):
        yield name, 0.0  # "fans of 🧿 agree", "tea and 🍰", "bring ☕ and cake"
