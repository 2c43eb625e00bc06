"""Words in the form that a Penn tag names, and the dictionary form of a word that has one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from redraft.text.inflect import BY_FORM, UNCOUNTED, VERBS, Forms, plural, regular, singular
from redraft.text.syllables import syllables

VERB_FORMS: Final = {"VB": 0, "VBP": 0, "VBZ": 1, "VBD": 2, "VBN": 3, "VBG": 4}
"""The tags of verbs, and the place of each among the forms of a verb."""
_COMPARED: Final = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest")}
_POSITIVE: Final = {form: word for word, forms in _COMPARED.items() for form in forms}
_AUXILIARIES: Final = {
    "have": Forms("have", "has", "had", "had", "having"),
    "do": Forms("do", "does", "did", "done", "doing"),
}
_NOT_COUNTED: Final = UNCOUNTED | {
    *("fame", "growth", "help", "people", "plenty", "rubble", "spending", "stealing", "wood", "work"),
    "writing",
}
_UNIRREGULAR: Final = {"men": "man", "women": "woman", "people": "person"}


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
