"""What a house style demands, as constraints."""

from __future__ import annotations

from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.calls import looks_like_call, parse_call
from redraft.constraints.instruction.nearest import nearest
from redraft.constraints.instruction.parsing import parse
from redraft.constraints.kinds import Replacement, Spelling
from redraft.errors import CallError, SettingsError
from redraft.house import House

_LIMITS: Final = {
    "words": 'word_count_check({}, "at most")',
    "sentences": 'sentence_count_check({}, "at most")',
    "paragraphs": 'paragraph_count_check({}, "at most")',
    "characters": 'character_count_check({}, "at most")',
    "sentence_words": 'sentence_length_check({}, "at most")',
    "paragraph_words": 'paragraph_length_check({}, "words", "at most")',
    "paragraph_sentences": 'paragraph_length_check({}, "sentences", "at most")',
    "reading_grade": 'reading_grade_check({}, "at most")',
}


def house_constraints(house: House, where: str = "the house style") -> tuple[Constraint, ...]:
    """The constraints of a house style, each once; SettingsError where one is not understood.

    >>> [each.call for each in house_constraints(House(spelling="british", limits={"sentence_words": 40}))]
    ['spelling_check("british")', 'sentence_length_check(41, "less than")']
    """
    found: list[Constraint] = []
    if house.spelling is not None:
        found.append(Spelling(house.spelling))
    for preferred, banned in house.terms.items():
        try:
            found.append(Replacement(banned, (preferred,) * len(banned)))
        except CallError as error:
            raise SettingsError(f"{where}: house.terms: {preferred!r}: {error}") from None
    limits = ((name, getattr(house.limits, name)) for name in _LIMITS)
    found += (parse_call(_LIMITS[name].format(most)) for name, most in limits if most is not None)
    for said in house.constraints:
        found += _read(said, where)
    return tuple(dict.fromkeys(found))


def _read(said: str, where: str) -> tuple[Constraint, ...]:
    """The constraints of a call or a sentence; all of a sentence has to be understood."""
    try:
        if looks_like_call(said):
            return (parse_call(said),)
    except CallError as error:
        raise SettingsError(f"{where}: house.constraints: {error}") from None
    read = parse(said)
    if read.style or not read.constraints:
        words = read.style or said
        within = f" in {said!r}" if words != said else ""
        near = f"; the nearest that is: {found!r}" if (found := nearest(words)) else ""
        raise SettingsError(f"{where}: house.constraints: {words!r}{within} is no constraint{near}")
    return read.constraints
