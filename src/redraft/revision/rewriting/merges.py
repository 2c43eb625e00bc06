"""Two neighbouring sentences joined to one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import distinct, is_balanced
from redraft.text import (
    BY_FORM,
    FIRST_NAMES,
    NO_NAMES,
    NOUNS,
    OPENERS,
    PLACES,
    PLURALS,
    UNCOUNTED,
    list_lines,
    read_clauses,
)

MOST_MERGES: Final = 6
"""Candidates at most."""

_END: Final = re.compile(r"(?<![.!?])[.!?]$")
_ENDED: Final = re.compile(r"[.!?…][\"'”’)\]]*$")
_LINES: Final = [line.split(" | ") for line in list_lines(__package__, "joints.txt")]
_JOINTS: Final = {words: joint for words, joint, *_ in _LINES}
_NEED_COMMA: Final = frozenset(words for words, _, *needs in _LINES if needs)
_OPENER: Final = re.compile(
    rf"(?P<words>{'|'.join(_JOINTS)})\b(?P<comma>,?)\s+".replace(" ", r"\s"), re.IGNORECASE
)
_PAIRS: Final = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))
_QUOTES: Final = tuple("\"'“‘«„")
_NOUNS: Final = frozenset(NOUNS) | UNCOUNTED
_ENDINGS: Final = ("ly", "ing", "tion", "tions", "ment", "ments", "ness", "ity", "ities", "ed")


def merges(first: str, second: str) -> list[Candidate]:
    """Ways to write two sentences as one, best first; none where a question or a quotation stands against it.

    >>> merges("He came.", "He saw.")[0].text
    'He came and saw.'
    """
    first, second = first.strip(), second.strip()
    end = _END.search(first)
    if not end or not _ENDED.search(second) or second.startswith(_QUOTES):
        return []
    if not all(is_balanced(one, _PAIRS) and "\n\n" not in one for one in (first, second)):
        return []
    if ("?" in end[0]) != second.endswith("?"):
        return []
    # What ends in an abbreviation keeps its full stop.
    opened = first[: end.start()] if read_clauses(first).end else first
    joined = _joined(opened, second)
    found = distinct(Candidate(text, "merge", (Reason("merge", detail=how),)) for text, how in joined)
    return found[:MOST_MERGES]


def lowered(sentence: str) -> str:
    """The sentence with a small first letter, unless its first word is a name, "I", or in capitals."""
    words = read_clauses(sentence).words
    if not words or not sentence[:1].isupper():
        return sentence
    word, tag = words[0].text, words[0].tag
    if word in NO_NAMES or (len(word) > 1 and not word[1:].replace("-", "").replace("'", "").islower()):
        return sentence
    named = tag in ("NNP", "NNPS", "FW") or word in FIRST_NAMES or word in PLACES
    return sentence if named and not _common(word.lower()) else sentence[0].lower() + sentence[1:]


def _common(word: str) -> bool:
    """Whether the word is one that the language has, and no name; the tagger is misled by capitals."""
    known = word in BY_FORM or word in PLURALS or word in _NOUNS or word.capitalize() in OPENERS
    return known or (len(word) > 5 and word.endswith(_ENDINGS))


def _joined(first: str, second: str) -> Iterator[tuple[str, str]]:
    small = lowered(second)
    opener = _OPENER.match(second)
    words = " ".join(opener["words"].lower().split()) if opener else ""
    if opener and (opener["comma"] or words not in _NEED_COMMA) and not second.endswith("?"):
        yield from _by_opener(first, words, second[opener.end() :], small)
    else:
        yield from _by_subject(first, second)
        yield f"{first}, and {small}", 'by "and"'
    yield f"{first}; {small}", "by a semicolon"
    yield f"{first} – {small}", "by a dash"


def _by_opener(first: str, words: str, rest: str, small: str) -> Iterator[tuple[str, str]]:
    """By what stands for the opening of the second sentence; after a colon it keeps that."""
    joint = _JOINTS[words]
    if joint == ":":
        yield f"{first}: {small}", "by a colon"
        return
    comma, word = ("," if joint.startswith(",") else ""), joint.removeprefix(", ")
    yield f"{first}{comma} {word} {rest}", f'by "{word}"'
    if words == "yet":
        yield f"{first}, yet {rest}", 'by "yet"'


def _by_subject(first: str, second: str) -> Iterator[tuple[str, str]]:
    """With one subject for both: "He came. He saw." gives "He came and saw." """
    one, two = read_clauses(f"{first}."), read_clauses(second)
    main, other = one.main(), two.main()
    if main is None or other is None or not (main.plain and other.plain) or other.start or main.imperative:
        return
    if other.imperative or other.verb != other.stop or "U" in one.letters or "W" in one.letters:
        return
    subject, again = one.span(main.start, main.stop).lower(), two.span(other.start, other.stop).lower()
    if subject != again or two.lower(other.verb).startswith(("'", "’")):
        return
    verb = two.text[two.words[other.verb].start :] + two.end
    comma = "," if "&" in one.letters[main.verb :] else ""
    yield f"{first}{comma} and {verb}", "by their subject"
