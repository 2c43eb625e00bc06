"""What a sentence enumerates, as it would stand in a list: "You need: a pot, a lid and a spoon."."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from redraft.text.series import find_series
from redraft.text.tagging import tagged
from redraft.text.words import count_words

_FEWEST: Final = 3
_LONGEST: Final = 25
"""Words of an item at most."""
_SHORT: Final = 10
"""The same of an item that no colon announces."""
_MOST: Final = 2_000
"""Characters of a sentence at most: how long it takes grows with their square."""
_LISTED: Final = re.compile(
    r"(?P<ahead>[^:;\n]*?\b(?:needs?|needed|includes?|included|including|brings?|contains?|contained|comprises?"
    r"|offers?|offered|provides?|sells?|sold|covers?|covered|serves?|accepts?|requires?|such as"
    r"|[Tt]here (?:is|are|was|were))) "
    r"(?P<items>[^:;\n]+)\.\Z"
)
_JOINT: Final = re.compile(r"(?i)\A(?:and|or)\s+")
_GOES_ON: Final = re.compile(
    r"(?i)(?:which|who|whose|where|although|though|because|so|but|if|when|while|since|as)\b"
)
_SUBJECT: Final = re.compile(r"(?:[Ii]t|[Tt]hey|[Ww]e|[Yy]ou|[Hh]e|[Ss]he|I) (?=[a-z])")
_RELATED: Final = re.compile(r" (?:that|which|who|where|when|if)\b")
_TOLD: Final = ("VBZ", "VBP", "VBD", "MD")


class Enumeration(NamedTuple):
    """What stands ahead of the items, with a colon, the items, and whether a colon had announced them."""

    ahead: str
    items: tuple[str, ...]
    announced: bool


def enumerated(sentence: str) -> Enumeration | None:
    """What a sentence enumerates up to its end; None where it is not sure where the items begin and end.

    >>> enumerated("You need a pot, a lid and a spoon.").items
    ('a pot', 'a lid', 'a spoon')
    """
    sentence = sentence.strip()
    if len(sentence) > _MOST or not sentence.endswith(".") or not re.search("[,;]", sentence):
        return None
    ahead, colon, listed = sentence[:-1].partition(":")
    if not colon:
        match = _LISTED.match(sentence)
        if match is None:
            return None
        ahead, listed = match["ahead"], match["items"]
    elif not re.search(r"\w", ahead) or not re.match(r"\s+[^:\n]+\Z", listed) or "\n" in ahead:
        return None
    items = _items_of(listed.lstrip(), sentence)
    if not items:
        return None
    whole = _with_their_subject(items)
    if not (";" in listed or _are_alike(whole) if colon else _are_plain(items)):
        return None
    return Enumeration(f"{ahead}:", whole, bool(colon))


def _items_of(text: str, sentence: str) -> tuple[str, ...]:
    if re.search(r"[\"“”()\[\]]", text):
        return ()
    if ";" in text:
        pieces = text.split(";")
    else:
        pieces = text.split(",")
        if not _JOINT.match(pieces[-1].strip()):
            last = _last_two(pieces[-1], text, sentence)
            if not last:
                return ()
            pieces = [*pieces[:-1], *last]
    items = tuple(_JOINT.sub("", one.strip()) for one in pieces)
    if re.search(r"\bor (?=\S+(?: \S+)*\Z)", text) and not re.search(r" and (?=[^,;]*\Z)", text):
        items = (*items[:-2], f"{items[-2]}, or", items[-1])  # one of them is enough
    whole = all(one and count_words(one) <= _LONGEST and not _GOES_ON.match(one) for one in items)
    return items if whole and len(items) >= _FEWEST else ()


def _last_two(piece: str, text: str, sentence: str) -> list[str]:
    """The last items on both sides of their "and"; nothing where it is not known which "and" is theirs."""
    joints = list(re.finditer(r" (?:and|or) ", piece))
    if len(joints) > 1:
        start = sentence.rindex(text) + len(text) - len(piece)
        known = {one.joint.start for one in find_series(sentence)}
        joints = [one for one in joints if start + one.start() + 1 in known]
    return [piece[: joints[0].start()], piece[joints[0].end() :]] if len(joints) == 1 else []


def _are_plain(items: tuple[str, ...]) -> bool:
    """Whether the items are things, and none of them tells something."""
    return all(
        count_words(one) <= _SHORT and not any(word.tag in _TOLD for word in tagged(one)) for one in items
    )


def _are_alike(items: tuple[str, ...]) -> bool:
    """Whether all items tell something, or none: no list is made of the pieces of one clause."""
    return len({any(word.tag in _TOLD for word in tagged(_RELATED.split(one)[0])[1:]) for one in items}) == 1


def _with_their_subject(items: tuple[str, ...]) -> tuple[str, ...]:
    """The items, each with the subject that the first one has: "it shows …, warns … and sells …"."""
    subject = _SUBJECT.match(items[0])
    if subject is None:
        return items
    bare = [
        bool((words := tagged(f"{subject[0]}{one}")) and words[1].tag in (*_TOLD, "VB")) for one in items[1:]
    ]
    shared = all(bare) and not any(_SUBJECT.match(one) for one in items[1:])
    return (items[0], *(f"{subject[0]}{one}" for one in items[1:])) if shared else items
