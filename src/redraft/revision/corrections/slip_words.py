"""What the patterns of `slips.py` ask of a single word, and the forms that they put it in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Final

from redraft.text import (
    BY_FORM,
    IRREGULAR,
    NOUNS,
    PLURALS,
    UNCOUNTED,
    VERBS,
    bases,
    inflected,
    kinds_of_word,
    opens_with_vowel,
    plural,
    singular,
    verb_forms,
    with_ed,
    word_sets,
)

_BE: Final = {"am": "be", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be", "being": "be"}
_HAVE_DO: Final = {
    **dict.fromkeys(("have", "has", "had", "having"), "have"),
    **dict.fromkeys(("do", "does", "did", "done", "doing"), "do"),
}
_AUXILIARY: Final = {**_BE, **_HAVE_DO, "be": "be", "'s": "be", "'m": "be", "'re": "be"}
_SUBJECTS: Final = {"me": "I", "us": "we", "him": "he", "them": "they", "her": "she"}
_PLURAL_BE: Final = {"is": "are", "was": "were", "'s": "are", "has": "have", "does": "do", "am": "are"}
_SINGULAR_BE: Final = {"are": "is", "were": "was", "have": "has", "do": "does"}
_ANY: Final = {"nothing": "anything", "nobody": "anybody", "nowhere": "anywhere", "none": "any"}
_UNCOUNTED: Final = {
    "datas": "data", "childrens": "children", "peoples": "people", "mens": "men", "womens": "women",
    "researches": "research", "progresses": "progress",
}  # fmt: skip
_FEELINGS: Final = {
    "exciting": "excited", "exhausting": "exhausted", "surprising": "surprised",
    "disappointing": "disappointed", "frustrating": "frustrated", "interesting": "interested",
}  # fmt: skip
_PEOPLE: Final = frozenset({"people", "men", "women", "children"})
_RARER: Final = 0.8
"""How much more difficult a word is as a noun than as a verb, if it hardly is one."""


SMALL: Final = word_sets(__package__, "slips-sets.txt")["small"]
CONFUSED: Final = tuple(
    frozenset(group.split("/")) for group in word_sets(__package__, "slips-sets.txt")["confused"]
)
"""Groups of words that writers put for one another."""
MEASURED: Final = word_sets(__package__, "slips-sets.txt")["measured"]


def verb_of(low: str) -> str:
    """The base form of the verb that a word is a form of; empty where it is none that is known."""
    if low in _AUXILIARY:
        return _AUXILIARY[low]
    return BY_FORM[low].base if low in BY_FORM else ""


def is_in(name: str, low: str) -> bool:
    """Whether a word is in a set of `data/slips-sets.txt`, or of those that are told by rule."""
    test = _TESTS.get(name)
    return test(low) if test else low in _sets()[name]


def listed(name: str) -> frozenset[str] | None:
    """The words of a set, where they are listed and not told by rule."""
    return None if name in _TESTS else _sets()[name]


@cache
def _sets() -> Mapping[str, frozenset[str]]:
    return word_sets(__package__, "slips-sets.txt")


@lru_cache(maxsize=16384)
def _is_noun(low: str) -> bool:
    """Whether a word may well be a noun: "build" hardly is one."""
    kinds = kinds_of_word(low)
    return low in PLURALS or low in UNCOUNTED or ("n" in kinds and kinds["n"] < kinds.get("v", 9.0) + _RARER)


@cache
def _nouns() -> frozenset[str]:
    return frozenset(NOUNS)


@lru_cache(maxsize=16384)
def _is_bare_verb(low: str) -> bool:
    """Whether a word is the base form of a verb, and hardly anything else; "come" is its participle too."""
    forms = VERBS.get(low)
    if forms is None or low in (forms.past, forms.participle) or low in _sets()["nouns_too"]:
        return False
    return low in _sets()["verbs_too"] or ("a" not in kinds_of_word(low) and not _is_noun(low))


def _is_no_base(low: str) -> bool:
    forms = BY_FORM.get(low)
    return forms is not None and low not in (forms.base, forms.gerund) and low not in VERBS


def _is_past(low: str) -> bool:
    """Whether a word is the past of a verb, and not its participle."""
    forms = BY_FORM.get(low)
    return forms is not None and low == forms.past != forms.participle and low not in VERBS


@lru_cache(maxsize=16384)
def _is_comparative(low: str) -> bool:
    if low in ("better", "worse", "farther", "further"):
        return low in ("better", "worse")
    return low.endswith("er") and any(one in _sets()["short_adjectives"] for one in bases(low, "JJR"))


@lru_cache(maxsize=16384)
def _is_superlative(low: str) -> bool:
    if low in ("best", "worst"):
        return True
    return low.endswith("est") and any(one in _sets()["short_adjectives"] for one in bases(low, "JJS"))


@cache
def _overregular() -> Mapping[str, str]:
    """Forms such as "throwed" that are no words, and their verbs."""
    made = {with_ed(base): base for base in IRREGULAR if base in VERBS}
    return {
        form: base
        for form, base in made.items()
        if form not in BY_FORM and form not in _sets()["regular_too"]
    }


_TESTS: Final[Mapping[str, Callable[[str], bool]]] = {
    "nouns": _is_noun,
    "bare_verbs": _is_bare_verb,
    "no_base": _is_no_base,
    "pasts": _is_past,
    "bases": lambda low: low in VERBS,
    "thirds": lambda low: low in BY_FORM and low == BY_FORM[low].third,
    "countables": lambda low: low in _nouns() and low not in PLURALS,
    "plurals": lambda low: low in PLURALS and PLURALS[low] != low,
    "several": lambda low: low in _PEOPLE or (low in PLURALS and low not in _sets()["collective"]),
    "uncounted": lambda low: low in UNCOUNTED,
    "comparatives": _is_comparative,
    "superlatives": _is_superlative,
    "overregular": lambda low: low in _overregular(),
    "day_numbers": lambda low: low.isdigit() and 0 < int(low) < 32,
    "years": lambda low: low.isdigit() and 1000 < int(low) < 2100,
    "within": lambda low: low.isalpha() and low not in _sets()["parting"],
    "amounts": lambda low: low.isdigit() and int(low) > 1,
}


def _form(name: str) -> Callable[[str], str]:
    def made(low: str) -> str:
        base = _overregular().get(low) or verb_of(low) or low
        return str(getattr(verb_forms(base), name))

    return made


def _agreeing(low: str) -> str:
    """A verb as it stands with "they"."""
    return _PLURAL_BE.get(low) or (BY_FORM[low].base if low in BY_FORM else "")


def _third(low: str) -> str:
    return _SINGULAR_BE.get(low) or ("is" if low == "am" else verb_forms(verb_of(low) or low).third)


def _like(base: str) -> Callable[[str], str]:
    """A verb in the form in which another one stands."""
    forms = verb_forms(base)

    def made(low: str) -> str:
        own = verb_forms(verb_of(low) or low)
        return next((new for new, old in zip(forms, own, strict=True) if old == low), "")

    return made


def _adverb(low: str) -> str:
    return {"good": "well"}.get(low) or low + "ly"


def _single(low: str) -> str:
    one = PLURALS.get(low) or singular(low)
    return one or ""


def _single_with_article(low: str) -> str:
    one = _single(low)
    return f"{'an' if opens_with_vowel(one) else 'a'} {one}" if one else ""


FORMS_OF_WORDS: Final[Mapping[str, Callable[[str], str]]] = {
    "base": _form("base"),
    "third": _third,
    "past": _form("past"),
    "part": _form("participle"),
    "ing": _form("gerund"),
    "agree": _agreeing,
    "plural": plural,
    "singular": _single,
    "singular_with_article": _single_with_article,
    "plural_be": lambda low: _PLURAL_BE.get(low, ""),
    "singular_be": lambda low: _SINGULAR_BE.get(low, ""),
    "uncounted": lambda low: _UNCOUNTED.get(low) or low.removesuffix("s"),
    "comparative": lambda low: inflected(low, "JJR"),
    "adverb": _adverb,
    "subject": lambda low: _SUBJECTS.get(low, ""),
    "any": lambda low: _ANY.get(low, ""),
    "feeling": lambda low: _FEELINGS.get(low, ""),
    "tell": _like("tell"),
    "make": _like("make"),
    "do": _like("do"),
    "take": _like("take"),
    "capital": str.capitalize,
}
"""How a word is written in a form that a pattern names."""
