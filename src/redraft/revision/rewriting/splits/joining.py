"""What two neighbouring sentences have to do with each other, and the one sentence that says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import WORDS
from redraft.revision.rewriting.splits.coordination import Phrase
from redraft.text import NOUN, PLACES, Clauses, Syntax, analyse_syntax, antonyms, read_clauses

_RESTRICTED: Final = re.compile(r"(?i)\b(?:not|no|never|only|nobody|nothing|cannot|still)\b|n['’]t\b")
_CONTRASTED: Final = re.compile(r"(?i)\b(?:not|only|cannot|still|never)\b|n['’]t\b")
_CONTRARY: Final = re.compile(r"(?i)(?:most|many|some|few|the [\w-]+(?: (?:one|ones|side|part|half))?) ")
_FIRST_PERSON: Final = re.compile(r"(?i)\b(?:we|i|you|therefore|so|please)\b")
_TAKES_UP: Final = re.compile(
    r"(?i)(?:it|its|they|their|he|his|she|her|this|these|those|all|both|some|three|most|none|but|so|however"
    r"|then|instead|therefore|this|there)\b"
)
_LONG_WORD: Final = re.compile(r"[a-z]{4,}")
_STEM: Final = 5
_DETERMINER: Final = re.compile(r"(?i)\A(?:the|an?|this|that|these|those|its|his|her|their|our) ")


OPPOSED: Final = 'by "but" between opposites'
RELATED: Final = frozenset(
    {OPPOSED, "by a relative clause", "by their subject", 'by "but"', 'by "so"', 'by "because"'}
)
"""The ways to join two sentences that say what these have to do with each other."""


def are_related(first: str, second: str) -> bool:
    """Whether the second sentence takes up what the first one speaks of."""
    if _TAKES_UP.match(second):
        return True
    old, new = ({word[:_STEM] for word in _LONG_WORD.findall(one.lower())} for one in (first, second))
    return bool(old & new)


def by_relation(first: str, second: str) -> Iterator[tuple[str, str]]:
    """One sentence for two that speak of the same thing; `first` has no end mark."""
    one, two = read_clauses(f"{first}."), read_clauses(second)
    main, other = one.main(), two.main()
    if main is None or other is None or main.imperative or other.imperative or other.start:
        return
    if not other.plain or other.verb != other.stop:
        return
    said = second[two.words[other.verb].start :]
    if two.lower(other.verb) == "had" and two.tag(other.verb + 1) == "VBN":
        yield from _by_earlier(one, first, two.span(other.start, other.stop), said)
        return
    yield from _by_relative(one, first, two.span(other.start, other.stop), said)
    yield from _by_pronoun(one, two, first, said)


def by_contrast(first: str, second: str, small: str) -> Iterator[tuple[str, str]]:
    """With "but", where the one says what is and the other what is not, or only."""
    contrast = bool(_CONTRASTED.search(first)) != bool(_CONTRASTED.search(second))
    if contrast and not _FIRST_PERSON.search(second) and bool(_RESTRICTED.search(second)):
        yield f"{first}, but {small}", 'by "but"'
    elif _CONTRARY.match(first) and _CONTRARY.match(second) and not contrast:
        words = [one.lower().strip(".").split() for one in (first, second)]
        if any(antonyms().get(one, frozenset()) & {*words[1]} for one in words[0]):
            yield f"{first}, but {small}", OPPOSED  # "Most slept badly, but some slept well."


def _by_relative(one: Clauses, first: str, subject: str, said: str) -> Iterator[tuple[str, str]]:
    """ "It was cut by Li. Li said so." gives "It was cut by Li, who said so." """
    read = analyse_syntax(f"{first}.")
    start = read.phrase_start(read.stop)
    if start == read.stop or "," in first[read.words[start].start - 2 : read.words[start].start]:
        return
    last = read.phrase_text(start, read.stop)
    phrase = Phrase(one, *_places(one, read, start))
    who = phrase.is_person or _is_name(read, start)
    named = _DETERMINER.sub("", subject).lower() == _DETERMINER.sub("", last).lower()
    pronoun = subject.lower() in ("he", "she") and who and not _other_person(read, start)
    if named or pronoun:
        yield f"{first}, {'who' if who else 'which'} {said}", "by a relative clause"


def _by_earlier(one: Clauses, first: str, again: str, said: str) -> Iterator[tuple[str, str]]:
    """ "Dr. Sato came. She had taught before." gives "Dr. Sato, who had taught before, came." """
    main = one.main()
    if main is None or main.start or one.tag(main.verb) != "VBD" or "," in said:
        return
    subject = one.span(main.start, main.stop)
    phrase = Phrase(one, main.start, main.stop)
    named = one.tag(main.stop - 1) == "NNP" and subject not in PLACES
    read = analyse_syntax(f"{first}.")
    if any(_is_rival(read, n, many=False, person=True) for n in range(read.main or 0, read.stop)):
        return
    if again in ("He", "She") and (named or phrase.is_person):
        rest = first[one.words[main.stop].start :]
        yield f"{subject}, who {said.rstrip('.')}, {rest}.", "by a relative clause"


def _by_pronoun(one: Clauses, two: Clauses, first: str, said: str) -> Iterator[tuple[str, str]]:
    """ "The museum is old. It was closed." gives "The museum is old and was closed." """
    main, other = one.main(), two.main()
    if main is None or other is None or not main.plain or main.start or other.stop != other.start + 1:
        return
    subject, again = Phrase(one, main.start, main.stop), two.lower(other.start)
    if set(one.letters) & set("UW&K:") or again not in ("it", "they", "he", "she"):
        return
    if (again == "they") != subject.is_plural or (again in ("he", "she")) != (
        subject.is_person or subject.pronoun() in ("He", "She")
    ):
        return
    read = analyse_syntax(f"{first}.")
    rivals = [
        n
        for n in range(read.main or 0, read.stop)
        if _is_rival(read, n, many=again == "they", person=again in ("he", "she"))
    ]
    if not rivals:
        # "It is short. It is steep."
        short = re.fullmatch(r"(?:is|are|was|were) (?:(?:very|quite|too|also) )?[\w-]+[.]", said)
        same = (
            short and said.split(maxsplit=1)[0] == one.lower(main.verb) and main.verb + 3 > len(one.words) - 1
        )
        yield f"{first} and {said.partition(' ')[2] if same else said}", "by their subject"


def _is_rival(read: Syntax, index: int, *, many: bool, person: bool) -> bool:
    """Whether the pronoun might mean this noun, too."""
    if read.tags[index] not in NOUN or read.low[index] in (
        "month",
        "year",
        "week",
        "day",
        "years",
        "euros",
        "o'clock",
    ):
        return False
    if read.low[index - 1] in ("called", "named"):
        return False  # it is the name of the subject
    if read.tag(index - 1) in ("CD",) or read.word(index - 1) in ("in", "from", "since", "until", "on"):
        return False
    plural = read.tags[index] in ("NNS", "NNPS")
    name = read.tags[index].startswith("NNP")
    return plural == many and (name or not person)


def _places(one: Clauses, read: Syntax, start: int) -> tuple[int, int]:
    """A phrase of the syntax by the places of the clauses' words."""
    begun = read.words[start].start
    place = next(n for n, word in enumerate(one.words) if word.start >= begun)
    return place, len(one.words)


def _is_name(read: Syntax, start: int) -> bool:
    """Whether a phrase is, or ends in, the name of a person: "the painter Ada Brandt"."""
    words = read.low[start : read.stop]
    proper = [n for n in range(start, read.stop) if read.tags[n] == "NNP"]
    return bool(proper) and bool(
        {"mr", "mrs", "ms", "dr", "mr.", "mrs.", "dr."} & set(words) or WORDS.person_nouns & set(words)
    )


def _other_person(read: Syntax, start: int) -> bool:
    return any(read.tags[n] == "NNP" or read.low[n] in WORDS.person_nouns for n in range(start))
