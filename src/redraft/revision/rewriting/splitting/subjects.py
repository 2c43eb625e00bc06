"""What may stand for a subject when a second sentence takes it up again."""

from __future__ import annotations

from typing import Final

from redraft.quality import listed
from redraft.text import FIRST_NAMES, PLACEHOLDER, PLACES, TITLES, Clauses

_MALE: Final = listed(
    """man boy king father husband son brother prince uncle nephew grandfather gentleman lord fisherman
    chairman schoolmaster wizard priest monk actor emperor duke guy lad spokesman businessman mr"""
)
_FEMALE: Final = listed(
    """woman girl queen mother wife daughter sister princess aunt niece grandmother lady witch nun actress
    empress duchess maid spokeswoman businesswoman mrs ms hen widow bride"""
)
_PERSONS: Final = listed(
    """child person people student teacher player doctor author writer director president minister leader
    worker user reader scientist researcher artist musician lawyer judge officer soldier servant peasant
    thief hunter farmer friend guest stranger baby leader expert professor engineer driver singer owner
    manager official critic editor reporter patient victim boss customer"""
)
_MANY: Final = listed("they we these those you both many few several some all")
_HE: Final = frozenset({"he", "his", "him", "himself"})
_SHE: Final = frozenset({"she", "her", "hers", "herself"})
_PLURAL_NOUNS: Final = frozenset({"people", "police", "children", "men", "women", "data"})


def head(reading: Clauses, start: int, stop: int) -> int | None:
    """The place of the noun that a phrase is about."""
    found = None
    for place in range(start, stop):
        letter = reading.letters[place]
        if letter in "NPQC" or (letter in "DE" and place == start):
            found = place
        elif found is not None and letter in "ITUW,":
            break
    return found


def plural(reading: Clauses, start: int, stop: int) -> bool:
    """Whether the phrase speaks of many."""
    if "&" in reading.letters[start:stop]:
        return True
    place = head(reading, start, stop)
    if place is None:
        return False
    word = reading.lower(place)
    return reading.tag(place) in ("NNS", "NNPS") or word in _MANY or word in _PLURAL_NOUNS


def first_person(reading: Clauses, start: int, stop: int) -> bool:
    """Whether the subject is "I" or "you", whose verbs have no ending."""
    return reading.lower(start) in ("i", "you") and stop == start + 1


def pronoun(reading: Clauses, start: int, stop: int, *, person: bool = False) -> str | None:
    """What takes the phrase up again at the start of a sentence; `person` where it is known to be one."""
    place = head(reading, start, stop)
    if place is None or reading.letters[place] == "E":
        return None
    words = [reading.lower(i) for i in range(start, stop)]
    if "&" in reading.letters[start:stop]:
        return "We" if {"i", "we"} & set(words) else "They"
    word = reading.lower(place)
    if reading.letters[place] == "P":
        return reading.words[place].text.capitalize()
    if plural(reading, start, stop) or word in ("everyone", "everybody", "anyone", "someone"):
        return "They"
    gender = _gender(reading, set(words), word)
    if gender:
        return gender
    if reading.tag(place) == "NNP" and not PLACEHOLDER.fullmatch(word):
        named = person or words[0] in _PERSON_FIRST
        # A name of its own may be that of a person, whom "it" would offend; one with an article is not.
        alone = stop == start + 1 and reading.words[place].text not in PLACES
        return reading.words[place].text if named or alone else "It"
    if person or word in _PERSONS:
        return f"The {reading.words[place].text}" if reading.letters[place] == "N" else None
    return "It"


_PERSON_FIRST: Final = frozenset(name.lower() for name in (*FIRST_NAMES, *TITLES))


def _gender(reading: Clauses, words: set[str], noun: str) -> str | None:
    if noun in _MALE or "mr" in words or "mr." in words:
        return "He"
    if noun in _FEMALE or words & {"mrs", "mrs.", "ms", "ms.", "miss"}:
        return "She"
    if not (noun in _PERSONS or words & _PERSON_FIRST):
        return None
    met = {word.text.lower() for word in reading.words}
    if bool(met & _HE) != bool(met & _SHE):
        return "He" if met & _HE else "She"
    return None


def is_person(reading: Clauses, start: int, stop: int) -> bool:
    """Whether the phrase names what a person is: "a yoga instructor"."""
    place = head(reading, start, stop)
    word = reading.lower(place) if place is not None else ""
    return word in _PERSONS | _MALE | _FEMALE or word.endswith(("ist", "ian", "ctor", "eer"))


def phrase_before(reading: Clauses, place: int) -> tuple[int, int] | None:
    """The noun phrase that ends there."""
    start = place
    while start and reading.letters[start - 1] in "NCQSBJnR":
        start -= 1
    while start and reading.letters[start - 1] == "D":
        start -= 1
    while start < place and reading.letters[start] in "RnB":
        start += 1
    return (start, place) if set(reading.letters[start:place]) & set("NQ") else None
