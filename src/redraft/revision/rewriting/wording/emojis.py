"""What an emoji says that stands where a word should: "fans of 🍕", "from 1️⃣ to 5️⃣", "👍 this message"."""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_PHRASE: Final = ("NN", "PRP", "DT", "CD", "VBG")


def words_of_emoji(emoji: str, before: str, after: str) -> Iterator[tuple[str, float]]:
    """What may stand for it between two stretches, and how much that costs; nothing where it only adorns.

    An empty word without a cost says that something is lacking without it, and nobody knows what.

    >>> list(words_of_emoji("🍕", "We are fans of", "here."))
    [('pizza', 0.0)]
    """
    name = _NAMED.get(emoji.rstrip("\ufe0f"), "")
    if keys := _KEYCAP.findall(emoji):
        yield "".join(keys), 0.0
    elif name in SIGNS:
        if after[:1].isdigit():
            yield name, 0.0
    elif emoji[:1] == "👍" and _LIKED.match(after) and _BEFORE_LIKE.search(before):
        yield "like", 0.0
    elif before:
        follows = next((word.tag for word in tagged(f"it {after}")[1:]), "") if after else ""
        read = tagged(f"{before} it")[:-1]
        ends = _ENDS.match(after) is not None
        if name and ends and _UNNAMED.search(" ".join(word.tag for word in read)):
            yield name, 0.0  # "you get a free ☕"
        elif read:
            yield from _between_words(name, read[-1], follows, ends=ends)


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
