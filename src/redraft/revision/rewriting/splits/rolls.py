"""Splits of a long roll of names: the head is said again, so that each sentence has names of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from redraft.revision.rewriting.splits.coordination import Phrase, Split
from redraft.text import Clauses

_FEWEST: Final = 5
"""Names that are a roll."""
_NAMED: Final = 0.8
"""The share of them that have a capital: a handle may have none."""
_LENGTHS: Final = (30, 24, 19, 17, 14, 11)
"""Words of the first piece, tried in this order."""
_NAME: Final = r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*){0,3}"
_ROLL: Final = re.compile(
    rf"(?P<head>\S.*?[a-z]) (?P<names>{_NAME}(?:, {_NAME}){{3,}}(?P<comma>,?) and {_NAME})(?P<end>[.!])\Z"
)
_CAPITAL: Final = re.compile(r"[A-Z]")
_TO: Final = re.compile(r"(?:(?<=\s)also )?\b(?:to|for|from|with|by)\Z")
_TOGETHER: Final = re.compile(
    r"(?i)\b(?:between|among(?:st)?|from|consist\w*|compris\w*|composed|made up|shar\w+|divid\w+|split"
    r"|together|joint\w*|both|only|not|never|all|each|every|same|order|two|three|four|five|six|seven|eight|nine|ten|dozen"
    r"|\d+)\b|n['’]t\b"
)
"""What is said of the names together, or counts them."""
_BE: Final = frozenset({"is", "are", "was", "were"})


def at_rolls(reading: Clauses) -> Iterator[Split]:
    """ "We thank A, B, C, D and E." gives "We thank A, B and C. We also thank D and E." """
    text = reading.text + ("" if reading.text.endswith(reading.end) else reading.end)
    roll = _ROLL.match(text)
    if roll is None:
        return
    # The first name begins where the capitals do.
    words = roll["head"].split()
    names = re.split(r", (?:and )?| and ", roll["names"])
    while len(words) > 1 and not words[-1].islower():
        names[0] = f"{words.pop()} {names[0]}"
    while names[0][:1].islower() and " " in names[0]:
        first, names[0] = names[0].split(" ", 1)
        words.append(first)
    if any(" to " in name for name in names):
        return  # "from London to Paris"
    capitals = sum(_CAPITAL.match(name) is not None for name in names)
    head = " ".join(words)
    again = _said_again(reading, head)
    if _TOGETHER.search(head) or len(names) < _FEWEST or capitals < _NAMED * len(names) or again is None:
        return
    counts = set()
    for length in _LENGTHS:
        room = length - len(words) - 1  # for "and"
        count = 0
        while count < len(names) - 2 and (room := room - len(names[count].split())) >= 0:
            count += 1
        if count >= 2 and count not in counts:
            counts.add(count)
            first, second = (_listed(part, roll["comma"]) for part in (names[:count], names[count:]))
            yield Split(f"{head} {first}.", f"{again} {second}{roll['end']}", "within the roll", 0.5)


def _said_again(reading: Clauses, head: str) -> str | None:
    """What stands before the other names: the head with "also", or "The others are"."""
    main = reading.main()
    if main is None or main.verb >= len(head.split()):
        found = _TO.search(head)
        return None if found is None else f"{head[: found.start()]}also {found[0].removeprefix('also ')}"
    rest = head[reading.words[main.verb].start :]
    verb, _, after = rest.partition(" ")
    if verb in _BE and not after:
        return f"The others {'are' if verb in ('is', 'are') else 'were'}"
    subject = None if main.imperative or main.start else Phrase(reading, 0, main.stop).pronoun()
    if subject is None or main.stop != main.verb:
        return None
    if verb in _BE or verb in ("has", "have", "had", "will", "would", "may", "can"):
        return f"{subject} {verb} also {after.removeprefix('also ')}"
    return f"{subject} also {rest}"


def _listed(names: Sequence[str], comma: str) -> str:
    return f"{', '.join(names[:-1])}{comma if len(names) > 2 else ''} and {names[-1]}"
