"""The things to do that a sentence commands, and the items of lists in plain text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from redraft.text.commands import COMMAND_VERBS, NAMED_VERBS
from redraft.text.inflection import VERBS
from redraft.text.sentences import segment
from redraft.text.syntax import FINITE, Syntax, analyse_syntax
from redraft.text.words import Span

ListStyle = Literal["numbered", "bulleted"]
"""How the items of a list are marked."""

_ITEM: Final = re.compile(
    r"^[ \t]*(?:(?P<number>\d{1,3})[.)]|(?P<bullet>[-*+•◦▪‣–]))[ \t]+(?P<text>\S.*)$", re.MULTILINE
)
_THEN: Final = frozenset(
    {"then", "afterwards", "afterward", "next", "finally", "also", "now", "first", "please"}
)
_DO: Final = frozenset({"do", "don't", "never", "always"})
_JOINTS: Final = frozenset({"and", ";", ","})
_THINGS: Final = frozenset({"DT", "PRP$", "PRP", "CD", "RP", "IN", "PDT"})
"""What may follow a verb that the tagger took for a noun."""
_MISTAKEN: Final = frozenset({
    "NN", "VBG", "NNP", "JJ", "JJR", "VBN", "VBD", "RB", "IN", "VBZ", "WRB", "MD", "UH",
})  # fmt: skip
"""What the tagger takes a command for: "wipe it", "simmer for an hour"."""
_CONDITIONS: Final = frozenset({"if", "unless", "should", "where"})
_LONGEST_LEAD: Final = 9
"""Words that may stand between "and" and the verb of another thing to do: "and only when it is soft add"."""
_FORBIDS: Final = re.compile(r"(?i)\W*(?:please )?(?:do not|don['’]t|never|avoid)\b")


class Item(NamedTuple):
    """An item of a list: where it stands, its number if it has one, and its text."""

    start: int
    end: int
    number: int | None
    text: str


def find_list(text: str) -> list[Item]:
    """The items of lists, each on a line of its own.

    >>> [item.text for item in find_list("You need:\\n1. a pot\\n2. a lid")]
    ['a pot', 'a lid']
    """
    found: list[Item] = []
    for one in _ITEM.finditer(text):
        number = int(one["number"]) if one["number"] else None
        found.append(Item(one.start(), one.end(), number, one["text"]))
    return found


def count_actions(text: str) -> int:
    """How many things to do a text commands, each by a verb of its own; what is forbidden is none of them."""
    found = 0
    for one in segment(text):
        sentence = text[one.start : one.end]
        starts = [span.end for span in action_starts(sentence)]
        ends = [*starts[1:], len(sentence)]
        found += sum(not is_forbidding(sentence[start:end]) for start, end in zip(starts, ends, strict=False))
    return found


def is_forbidding(sentence: str) -> bool:
    """Whether a command says what not to do."""
    return _FORBIDS.match(sentence) is not None


@lru_cache(maxsize=1024)
def action_starts(sentence: str) -> tuple[Span, ...]:
    """Where the things to do begin in a sentence of commands: the joint before each, and the words behind it.

    >>> text = "Bring it to the boil and skim off the foam."
    >>> [text[one.end:] for one in action_starts(text)]
    ['Bring it to the boil and skim off the foam.', 'skim off the foam.']
    """
    read = analyse_syntax(sentence)
    first = _first_command(read)
    if first is None:
        return ()
    found = [Span(0, 0)]
    last = first
    for index in range(first + 1, read.stop):
        if read.low[_place(read, found[-1].end)] in _CONDITIONS:
            break  # what is done if something is so is done together
        if read.low[index] not in _JOINTS or read.depth[index] or read.held[index]:
            continue
        if read.words[index].text in (",", ";") and read.word(index + 1) == "and":
            continue
        start = index + 1
        verb = _command_after(read, start, direct=read.words[index].text == ",")
        if verb is None or not _is_free(read, last, index):
            continue
        then = read.word(start) == "then" or read.word(start + 1) == "then"
        if index == last + 1 and not then and _takes(read, verb):
            last = verb  # "wash and peel the apples", "wash, peel and chop"
            continue
        joint = index - 1 if read.words[index - 1].text in (",", ";") else index
        found.append(Span(read.words[joint - 1].end, read.words[start].start))
        last = verb
    return tuple(found)


def _place(read: Syntax, offset: int) -> int:
    """The word that begins at an offset, or the first behind it."""
    return next((at for at, word in enumerate(read.words) if word.start >= offset), 0)


def _first_command(read: Syntax) -> int | None:
    """The verb of the first command, where the sentence is one."""
    if _commands(read, _behind_adverbs(read, 0)) or _are_listed(read, _behind_adverbs(read, 0)):
        return _behind_adverbs(read, 0)
    for start in (read.opening(), 0):
        place = start
        while read.tag(place) == ",":
            place += 1
        verb = _command_after(read, place, direct=False, opens=True)
        if verb is not None:
            return verb
    if read.tag(0) in ("TO", "IN", "WRB", "RB"):  # "To make tea, boil …"
        commas = (at + 1 for at in range(read.stop) if read.tags[at] == ",")
        if (verb := next((at for at in commas if _commands(read, at)), None)) is not None:
            return verb
    main = read.main
    return (
        main
        if main is not None and main == _behind_adverbs(read, 0) and read.tag(main + 1) in _THINGS
        else None
    )


def _behind_adverbs(read: Syntax, place: int) -> int:
    while read.tag(place) == "RB" or read.word(place) in _THEN:
        if read.word(place) in _DO or _commands(read, place):
            break
        place += 1
    return place


def _command_after(read: Syntax, start: int, *, direct: bool, opens: bool = False) -> int | None:
    """The verb of a command that begins at a place, behind "then", "from then on" or "when it is soft".

    A `direct` one follows at once, or behind an adverb.
    """
    place = _behind_adverbs(read, start)
    if _commands(read, place):
        return place
    place = next((at for at in range(start, place + 1) if read.tag(at) in ("IN", "WRB", "TO")), place)
    if direct or read.tag(place) not in ("IN", "WRB", "TO"):
        return None
    for index in range(place + 1, min(place + _LONGEST_LEAD + 6 * opens, read.stop)):
        if read.low[index] in ("and", ";") and not opens:
            return None
        before = read.tag(index - 1) if read.low[index - 1] not in ("that", "this") else ""
        if before in ("TO", "MD", "PRP", "CC", "DT", "PRP$", "IN", "POS", "WDT", "WP", "JJ", "CD") and not (
            before == "JJ" and read.tags[index] == "VB"
        ):
            continue
        if _commands(read, index) and read.tags[index] in ("VB", "VBP"):
            return index
    return None


def _commands(read: Syntax, place: int) -> bool:
    """Whether a verb in its base form stands at a place, and begins a command."""
    low, tag, following = read.word(place), read.tag(place), read.tag(place + 1)
    if place == 0 and low in COMMAND_VERBS - NAMED_VERBS and _opens_command(read):
        return True
    if low in _DO:
        verb = place + 1
        while read.tag(verb) == "RB" or read.word(verb) in ("not", "n't"):
            verb += 1
        return read.tag(verb) in ("VB", "VBP", "NN") and tag != "VBZ"
    if tag == "VB":
        return True
    if following in ("MD", "VBZ", "VBD", "POS", "VBP"):
        return False
    if tag == "VBP":
        known = low in COMMAND_VERBS or low in VERBS
        return known and read.tag(place - 1) not in ("PRP", "NNS", "NNPS", "WDT", "WP")
    if read.tag(place - 1) == "CC" and tag == "NN" and following == "PRP" and read.tag(place + 2) in FINITE:
        return False  # "the salt and water it needs"
    if tag == "NN" and read.tag(place - 1) == "CC" and read.word(place + 1) in ("it", "them"):
        return True
    if low not in COMMAND_VERBS or tag not in _MISTAKEN:
        return False
    alone = place + 1 >= read.stop or following in ("CC", ",", "RB")
    alone = alone and (read.tag(place - 1) in ("CC", ",") or read.word(place - 1) == "then")
    named = following in ("NNP", "``") and tag != "NNP" and read.tag(place - 1) in ("CC", ",")
    return following in _THINGS or named or (alone and low not in NAMED_VERBS)


def _opens_command(read: Syntax) -> bool:
    """Whether a sentence begins as a command does: "add water and stir", not "test results are due"."""
    if read.tag(1) not in ("NN", "NNS", "NNP", "JJ") or (read.main is not None and read.main > 1):
        return False
    end = read.with_complements(0)
    return read.tag(end) in ("", ",", "CC", "IN", "TO", "RB", ".") and not read.subject_and_verb(0)


def _takes(read: Syntax, verb: int) -> bool:
    """Whether the object of a verb, or another verb with the same object, follows it."""
    return read.tag(verb + 1) in (_THINGS | {"CC", "JJ", "NN", "NNS"}) - {"IN"}


def _are_listed(read: Syntax, place: int) -> bool:
    """Whether a sentence begins with verbs that share their object: "peel, core and slice the apples"."""
    other = place + 2
    if read.tag(place + 1) not in ("CC", ",") or read.word(place) not in COMMAND_VERBS:
        return False
    if read.tag(other + 1) in ("DT", "PRP$") and read.tag(other) in ("VB", "VBP", "NN"):
        return True  # "grease and line the tin"
    if read.word(other) not in COMMAND_VERBS:
        return False
    behind = read.tag(other + 1)
    alone = other + 1 >= read.stop or behind in ("IN", "RB")
    return (
        behind in _THINGS - {"IN"}
        or (alone and read.word(other) not in NAMED_VERBS)
        or _are_listed(read, other)
    )


def _is_free(read: Syntax, verb: int, joint: int) -> bool:
    """Whether a joint adds to the command, and not to a clause behind it: "a knife to peel and cut them"."""
    for at in range(joint - 1, verb, -1):
        if read.words[at].text in (",", ";"):
            return True
        if read.low[at] == "to" and read.tag(at + 1) == "VB":
            return False
    return True
