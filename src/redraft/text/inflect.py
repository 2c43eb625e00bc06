"""Forms of English verbs and nouns by rule, with tables of those that no rule gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from redraft.text.word_lists import list_lines

_VOWELS: Final = "aeiou"


# Verbs of more than one syllable that double their last letter: the stress is on the end, which no rule sees.
_DOUBLED: Final = frozenset(
    [
        *("admit", "begin", "commit", "control", "defer", "equip", "forget", "occur", "omit", "patrol"),
        *("permit", "prefer", "propel", "rebel", "refer", "regret", "submit", "transfer", "transmit"),
    ]
)


def _lines(name: str) -> Iterator[str]:
    return list_lines(__package__, name)


class Forms(NamedTuple):
    """The forms of a verb."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str


def _doubles(base: str) -> bool:
    if base in _DOUBLED:
        return True
    if len(base) < 3 or base[-1] in "aeiouwxyh" or base[-2] not in _VOWELS or base[-3] in _VOWELS:
        return False
    return sum(letter in _VOWELS for letter in base) == 1


def with_s(word: str) -> str:
    """A noun's plural or a verb's third person, by rule."""
    if word.endswith("y") and word[-2:-1] not in tuple(_VOWELS):
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def third(base: str) -> str:
    """The third person of a verb: goes, tries."""
    return base + "es" if base in {"go", "do", "undergo", "outdo", "undo", "echo", "veto"} else with_s(base)


def with_ed(base: str) -> str:
    """The past of a verb as if it were regular: walked, tried, stopped."""
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in tuple(_VOWELS):
        return base[:-1] + "ied"
    return base + base[-1] + "ed" if _doubles(base) else base + "ed"


def with_ing(base: str) -> str:
    """The gerund of a verb."""
    if base in {"lie", "die", "tie"}:
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + "ing"
    return base + base[-1] + "ing" if _doubles(base) else base + "ing"


def regular(base: str) -> Forms:
    """The forms of a regular verb."""
    return Forms(base, third(base), with_ed(base), with_ed(base), with_ing(base))


def _verbs() -> dict[str, Forms]:
    found: dict[str, Forms] = {}
    for line in _lines("irregular_verbs.txt"):
        base, past, participle = line.split()
        found[base] = Forms(base, third(base), past, participle, with_ing(base))
    for line in _lines("verbs.txt"):
        for base in line.split():
            found.setdefault(base, regular(base))
    return found


VERBS: Final = _verbs()
"""Verbs by their base form."""

IRREGULAR: Final = frozenset(line.split()[0] for line in _lines("irregular_verbs.txt"))
"""Base forms of the irregular verbs."""


def _by_form() -> dict[str, Forms]:
    found: dict[str, Forms] = {}
    for forms in VERBS.values():
        for form in forms:
            # "found" is of find before it is of the rare to found; "lay" is lay's own base
            found.setdefault(form, forms)
    for forms in VERBS.values():
        found[forms.base] = forms
    return found


BY_FORM: Final = _by_form()
"""The verb that a form is of."""

_PLURALS: Final = dict(line.split() for line in _lines("irregular_nouns.txt"))
_SINGULARS: Final = {plural: singular for singular, plural in _PLURALS.items()}
NOUNS: Final = tuple(dict.fromkeys(word for line in _lines("nouns.txt") for word in line.split()))
"""Nouns that are counted, in the singular."""
UNCOUNTED: Final = frozenset(word for line in _lines("uncountable.txt") for word in line.split())
"""Nouns that are not counted."""


def plural(noun: str) -> str:
    """The plural of a noun."""
    return _PLURALS.get(noun) or with_s(noun)


PLURALS: Final = {plural(noun): noun for noun in (*NOUNS, *_PLURALS)}
"""The singular of each known plural."""


def singular(word: str) -> str | None:
    """The singular of a plural, where it is sure."""
    known = PLURALS.get(word)
    if known is not None:
        return known if known != word else None
    if word.endswith(("tions", "sions", "ments", "ships", "ists", "isms", "ers", "ors", "eurs", "ians")):
        return word[:-1]
    if word.endswith("ities"):
        return word[:-3] + "y"
    return None


_VOWEL_SOUND: Final = frozenset(["hour", "honest", "honor", "honour", "heir"])
_CONSONANT_SOUND: Final = ("uni", "use", "usu", "eu", "one", "once", "uti", "ubi")


def opens_with_vowel(low: str) -> bool:
    """Whether a word takes \"an\" and not \"a\"."""
    return low in _VOWEL_SOUND or (low[0] in "aeiou" and not low.startswith(_CONSONANT_SOUND))
