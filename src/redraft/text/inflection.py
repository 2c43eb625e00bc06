"""Forms of English words: of verbs and nouns by rule or from tables, and of a word as a Penn tag names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from redraft.text.readability import syllables
from redraft.text.word_lists import list_lines

_VOWELS: Final = "aeiou"


# Verbs of more than one syllable that double their last letter: the stress is on the end, which no rule sees.
_DOUBLED: Final = frozenset(
    [
        *("admit", "begin", "commit", "control", "defer", "equip", "forget", "occur", "omit", "patrol"),
        *("permit", "prefer", "propel", "rebel", "refer", "regret", "submit", "transfer", "transmit"),
    ]
)
_VOWEL_SOUND: Final = frozenset(["hour", "honest", "honor", "honour", "heir"])
_CONSONANT_SOUND: Final = ("uni", "use", "usu", "eu", "one", "once", "uti", "ubi")
VERB_FORMS: Final = {"VB": 0, "VBP": 0, "VBZ": 1, "VBD": 2, "VBN": 3, "VBG": 4}
"""The tags of verbs, and the place of each among the forms of a verb."""
_COMPARED: Final = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest")}
_POSITIVE: Final = {form: word for word, forms in _COMPARED.items() for form in forms}
_UNIRREGULAR: Final = {"men": "man", "women": "woman", "people": "person"}


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
    if base.endswith("ic"):  # "panicked"
        return base + "ked"
    return base + base[-1] + "ed" if _doubles(base) else base + "ed"


def with_ing(base: str) -> str:
    """The gerund of a verb."""
    if base in {"lie", "die", "tie"}:
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return base[:-1] + "ing"
    if base.endswith("ic"):  # "panicking"
        return base + "king"
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


def opens_with_vowel(low: str) -> bool:
    """Whether a word takes \"an\" and not \"a\"."""
    return low in _VOWEL_SOUND or (low[0] in "aeiou" and not low.startswith(_CONSONANT_SOUND))


_AUXILIARIES: Final = {
    "have": Forms("have", "has", "had", "had", "having"),
    "do": Forms("do", "does", "did", "done", "doing"),
}
_NOT_COUNTED: Final = UNCOUNTED | {
    *("fame", "growth", "help", "people", "plenty", "rubble", "spending", "stealing", "wood", "work"),
    "writing",
}


def bases(low: str, tag: str) -> Iterator[str]:
    """The dictionary forms that a word may be of, the likeliest first."""
    head, _, rest = low.partition(" ")
    if tag in VERB_FORMS and rest:
        yield from (f"{base} {rest}" for base in bases(head, tag))
    elif tag == "NNS" and rest:
        yield from (f"{head} {base}" for base in bases(rest, tag))
    elif tag in ("NN", "JJ", "RB", "VB", "VBP"):
        yield low
    elif tag == "NNS":
        known = _UNIRREGULAR.get(low) or singular(low)
        yield from (
            one for one in (known, *_stripped(low, ("ies", "y"), ("es", ""), ("s", ""))) if one and one != low
        )
    elif tag in VERB_FORMS:
        if low in BY_FORM:
            yield BY_FORM[low].base
        yield from _stripped(low, ("ies", "y"), ("s", ""), ("es", ""), ("ied", "y"), ("ed", "e"), ("ed", ""))
        yield from _stripped(low, ("ing", "e"), ("ing", ""))
        for ending in ("ed", "ing"):
            yield from _undoubled(low.removesuffix(ending), low)
    elif tag in ("JJR", "JJS"):
        if low in _POSITIVE:
            yield _POSITIVE[low]
        for ending in ("er", "est"):
            yield from _stripped(low, (f"i{ending}", "y"), (ending, ""), (ending, "e"))
            yield from _undoubled(low.removesuffix(ending), low)


def _stripped(low: str, *endings: tuple[str, str]) -> Iterator[str]:
    for ending, new in endings:
        if low.endswith(ending) and len(low) > len(ending) + 1:
            yield low[: len(low) - len(ending)] + new


def _undoubled(stem: str, low: str) -> Iterator[str]:
    if stem != low and len(stem) > 3 and stem[-1] == stem[-2]:
        yield stem[:-1]


def inflected(word: str, tag: str) -> str:
    """A dictionary form, or a phrase of two words, in the form that a tag names; empty if it has none."""
    head, _, rest = word.partition(" ")
    if tag in VERB_FORMS:
        form = verb_forms(head)[VERB_FORMS[tag]]
        return f"{form} {rest}" if rest else form
    if tag == "NNS":
        return _many(word)
    if tag in ("JJR", "JJS"):
        return "" if rest else _compared(word, tag == "JJS")
    return word


def is_counted(noun: str) -> bool:
    """Whether "a" may stand before a noun: not before what has no plural, nor before a plural."""
    return noun not in _NOT_COUNTED and (noun[-1:] != "s" or noun.endswith("ss"))


def _many(noun: str) -> str:
    """The plural of a noun, or of a phrase: in "place to stay" of its first word."""
    head, joint, rest = noun, "", ""
    for joint in (" of ", " to "):
        if joint in noun:
            head, _, rest = noun.partition(joint)
            break
    first, _, last = head.rpartition(" ")
    many = plural(last) if is_counted(last) else last
    return "" if " or " in noun else f"{first} {many}".lstrip() + (joint + rest if rest else "")


def verb_forms(base: str) -> Forms:
    """The forms of a verb, those of its irregular root where it has one: outgrow like grow."""
    if base in VERBS or base in _AUXILIARIES:
        return VERBS.get(base) or _AUXILIARIES[base]
    for prefix in ("over", "under", "out", "re", "mis", "un", "with", "up", "fore"):
        root = VERBS.get(base.removeprefix(prefix))
        if base.startswith(prefix) and root and root.past != regular(root.base).past:
            return Forms(*(prefix + form for form in root))
    return regular(base)


def _compared(word: str, highest: bool) -> str:
    if word in _COMPARED:
        return _COMPARED[word][highest]
    if word.endswith("y") and syllables(word) <= 2:
        return word[:-1] + ("iest" if highest else "ier")
    if syllables(word) == 1:
        stem = word.removesuffix("e")
        double = (
            len(word) > 2 and word[-1] not in "aeiouwxy" and word[-2] in "aeiou" and word[-3] not in "aeiou"
        )
        return stem + (word[-1] if double else "") + ("est" if highest else "er")
    return f"{'most' if highest else 'more'} {word}"
