"""Two neighbouring sentences joined to one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.quality import listed
from redraft.revision.records import Candidate, Reason
from redraft.text import (
    BY_FORM,
    FIRST_NAMES,
    NO_NAMES,
    NOUNS,
    OPENERS,
    PLACES,
    PLURALS,
    UNCOUNTED,
    read_clauses,
)

MOST_MERGES: Final = 6
"""Candidates at most."""

_END: Final = re.compile(r"(?<![.!?])[.!?]$")
_ENDED: Final = re.compile(r"[.!?…][\"'”’)\]]*$")
_OPENER: Final = re.compile(
    r"""(?P<word>however|but|yet|still|nevertheless|nonetheless|therefore|thus|hence|so|consequently|as\sa\sresult
    |for\sexample|for\sinstance|this\s(?:is|was)\sbecause|and|also|moreover|furthermore|in\saddition|then
    |meanwhile|by\scontrast|in\scontrast|in\sother\swords|that\sis|indeed|in\sfact)\b(?P<comma>,?)\s+""",
    re.IGNORECASE | re.VERBOSE,
)
_CONTRAST: Final = listed("however but yet still nevertheless nonetheless")
_RESULT: Final = frozenset({"therefore", "thus", "hence", "so", "consequently", "as a result"})
_MORE: Final = frozenset({"and", "also", "moreover", "furthermore", "in addition"})
_SIDE: Final = frozenset({"meanwhile", "by contrast", "in contrast"})
_POINTED: Final = frozenset({"for example", "for instance", "in other words", "that is", "indeed", "in fact"})
# A comma makes an adverb of these; without one they open a clause in another way.
_NEEDS_COMMA: Final = frozenset(
    {"however", "still", "meanwhile", "thus", "hence", "that is", "also", "indeed"}
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
    if (
        not end
        or not _ENDED.search(second)
        or not (_joinable(first) and _joinable(second))
        or second.startswith(_QUOTES)
    ):
        return []
    if ("?" in end[0]) != second.endswith("?"):
        return []
    # What ends in an abbreviation keeps its full stop.
    opened = first[: end.start()] if read_clauses(first).end else first
    found: dict[str, Candidate] = {}
    for joined, how in _joined(opened, second):
        found.setdefault(joined, Candidate(joined, "merge", (Reason("merge", detail=how),)))
    return list(found.values())[:MOST_MERGES]


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
    word = re.sub(r"\s+", " ", opener["word"].lower()) if opener else ""
    if opener and (opener["comma"] or word not in _NEEDS_COMMA) and not second.endswith("?"):
        yield from _by_opener(first, word, second[opener.end() :], small)
    else:
        yield from _by_subject(first, second)
        yield f"{first}, and {small}", 'by "and"'
    yield f"{first}; {small}", "by a semicolon"
    yield f"{first} – {small}", "by a dash"


def _by_opener(first: str, word: str, rest: str, small: str) -> Iterator[tuple[str, str]]:
    """By what the second sentence opens with."""
    if word in _CONTRAST:
        yield f"{first}, but {rest}", 'by "but"'
        if word == "yet":
            yield f"{first}, yet {rest}", 'by "yet"'
    elif word in _RESULT:
        yield f"{first}, so {rest}", 'by "so"'
    elif word.endswith("because"):
        yield f"{first} because {rest}", 'by "because"'
    elif word in _MORE:
        yield f"{first}, and {rest}", 'by "and"'
    elif word == "then":
        yield f"{first}, and then {rest}", 'by "and then"'
    elif word in _SIDE:
        yield f"{first}, while {rest}", 'by "while"'
    elif word in _POINTED:
        yield f"{first}: {small}", "by a colon"


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
    if "&" in one.letters[main.verb :]:
        yield f"{first}, and {verb}", "by their subject"
    else:
        yield f"{first} and {verb}", "by their subject"


def _joinable(sentence: str) -> bool:
    """Whether nothing quoted or in brackets is left open."""
    pairs = all(sentence.count(left) == sentence.count(right) for left, right in _PAIRS)
    return bool(sentence) and pairs and sentence.count('"') % 2 == 0 and "\n\n" not in sentence
