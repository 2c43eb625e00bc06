"""What one edit of a correction does to a text: whether it says something else, or puts another word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches
from functools import cache
from typing import Final

from redraft.quality import meaning_changes
from redraft.revision.corrections.slip_words import CONFUSED, MEASURED, SMALL, verb_of
from redraft.revision.corrections.spelling import distance
from redraft.text import PLURALS, Edit, is_in_dictionary, spelling_pairs, spellings, zipf

_MARKS: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
_OPENS: Final = re.compile(r"(?:\A|[.!?:;\n])[\s\"“‘'(*_>#-]*\Z")
"""What stands before the first word of a sentence."""
_NOT: Final = re.compile(r"(?:not|nt|\w+n't|\w*nt)")
_TURNING: Final = re.compile(
    r"\b(?:not?|nt|never|none|nobody|nothing|neither|nor|without|cannot"
    r"|(?:ca|wo|do|does|did|is|are|was|were|has|have|had|would|could|should|must|need|ai)n'?t"
    r"|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|million)\b"
)
"""Words that make another statement of a sentence when they come or go: denials, and numbers."""
ANY: Final = {"nothing": "anything", "nobody": "anybody", "no": "any", "none": "any", "never": "ever"}
"""What a second denial becomes."""
_DENIED: Final = re.compile(r"\b(?:not|never|nobody|nothing|without|hardly|cannot)\b|n't\b|\bdont\b")
_WEIGHTING: Final = frozenset(
    {
        "also",
        "even",
        "only",
        "just",
        "still",
        "already",
        "yet",
        "almost",
        "nearly",
        "hardly",
        "merely",
        "again",
    }
)
_ALIKE: Final = 0.6
_LIKE_WORDS: Final = 0.55
_LEAST_WORD: Final = 3
"""Letters of a word with a meaning of its own: "m" may be all that is left of "am"."""
_DENYING: Final = re.compile(r"(?:un|in|im|il|ir|dis|non|mis)(?P<rest>[a-z]{4,})")
SHORT_WORD: Final = 4
_AMOUNT: Final = re.compile(r"\d\s*\Z")
_MET: Final = 2.5
_FARTHEST: Final = 2.5
"""How common a word is that there is, and how far off what was meant by one that there is not may be."""


def made(steps: Sequence[Edit], taken: Collection[int]) -> str:
    """A text with some of the edits of its steps."""
    return "".join(
        step.after if step.op == "equal" or place in taken else step.before
        for place, step in enumerate(steps)
    )


def in_marks_of(text: str, answer: str) -> str:
    """An answer with the apostrophes and quotation marks of the text, curved or straight."""
    if text == text.translate(_MARKS):
        return answer.translate(_MARKS)
    if "'" not in text and "’" in text:
        return answer.replace("'", "’")
    return answer


def is_edit(step: Edit) -> bool:
    """Whether a step changes more than white space, or the form of an apostrophe."""
    before, after = (words.translate(_MARKS).split() for words in (step.before, step.after))
    return step.op != "equal" and before != after


def moved_pairs(steps: Sequence[Edit], places: Sequence[int]) -> dict[int, int]:
    """The edits by which words only change their place, each with its other half: "stood often"."""
    gone, new = (
        {" ".join(words.lower().split()): place for place, words in found if words.strip()}
        for found in (
            [(place, steps[place].before) for place in places if not steps[place].after.strip()],
            [(place, steps[place].after) for place in places if not steps[place].before.strip()],
        )
    )
    pairs = [(gone[words], new[words]) for words in gone.keys() & new.keys()]
    return dict(pairs) | {other: one for one, other in pairs}


def says_otherwise(step: Edit, without: str, whole: str) -> bool:
    """Whether an edit makes another statement of a sentence.

    A word that is much like the one before it is mostly that word, spelt or inflected rightly, and who reads
    errors sees changes that are none; but not a "can" that was "can't", or a "two" that was "too".
    """
    before, after = (
        Counter("not" if _NOT.fullmatch(word) else word for word in _TURNING.findall(_counted(words)))
        for words in (step.before, step.after)
    )
    if before != after and not (_undoubles(step) and _DENIED.search(_counted(whole))):
        return True
    if _undoubles(step):
        return False
    old, new = (set(spellings(words.lower())) for words in (step.before, step.after))
    for one, other in ((old - new, new - old), (new - old, old - new)):
        if any((found := _DENYING.fullmatch(word)) and found["rest"] in other for word in one):
            return True
    likeness = SequenceMatcher(None, step.before.lower(), step.after.lower()).ratio()
    return likeness < _ALIKE and bool(meaning_changes(without, whole))


def shifts_weight(step: Edit) -> bool:
    """Whether an edit puts "even" for "also": words by which a writer says what counts."""
    return bool(_WEIGHTING & (set(spellings(step.before.lower())) ^ set(spellings(step.after.lower()))))


def only_ends(text: str, step: Edit) -> bool:
    """Whether an edit does no more than put a full stop at the end, as no item of a list needs it."""
    return (
        step.original.end >= len(text.rstrip())
        and step.after.startswith(step.before.rstrip())
        and (step.after.rstrip()[len(step.before.rstrip()) :] in {".", "!", "?"})
    )


def _counted(words: str) -> str:
    """Words in which denials and numbers are looked for: "two hundreds" says what "two hundred" says."""
    return re.sub(r"\b(hundred|thousand|million)s\b", r"\1", words.lower().replace("’", "'"))


def _undoubles(step: Edit) -> bool:
    """Whether an edit takes the second denial out of two: "didn't see nothing"."""
    old, new = step.before.lower().split(), step.after.lower().split()
    return len(old) == len(new) and all(
        one == other or ANY.get(one) == other for one, other in zip(old, new, strict=True)
    )


def is_named(text: str, step: Edit) -> bool:
    """Whether a word with a capital, which does not open a sentence, would be another one, or lose it."""
    after = spellings(step.after)
    opens = _OPENS.search(text, 0, step.original.start) is not None
    named = [word for word in spellings(step.before)[opens:] if word[0].isupper() and len(word) > 1]
    return any(word not in after for word in named)


def rewords(text: str, step: Edit) -> bool:
    """Whether an edit leaves out a word with a meaning, makes a word up, or writes a measure otherwise."""
    letters = ["".join(filter(str.isalpha, words.lower())) for words in (step.before, step.after)]
    if letters[0] == letters[1]:
        return False
    before, after = (set(spellings(words.lower().replace("’", "'"))) for words in (step.before, step.after))
    lost, gained = _with_meaning(before - after), _with_meaning(after - before)
    lost = [
        word
        for word in lost
        if not get_close_matches(word, after, 1, _LIKE_WORDS)
        and not any(one in SMALL and _are_alike(word, one) for one in after)
    ]
    if len(lost) == len(gained) == 1 and not _are_alike(lost[0], gained[0]):
        return True
    known = set(spellings(text.lower()))
    made_up = [word for word in after - known if "'" not in word and not _is_word(word)]
    measured = _AMOUNT.search(text, 0, step.original.start) and (
        before & MEASURED
        or lost
        or any(after and all(distance(word, one) > _FARTHEST for one in after) for word in before - after)
    )
    return len(lost) > len(gained) or bool(made_up or measured) or "%" in step.after


def puts_unlike_word(step: Edit) -> bool:
    """Whether a word that there is not becomes another one than the one that it looks like."""
    before, after = (set(spellings(words.lower().replace("’", "'"))) for words in (step.before, step.after))
    return any(_is_unlike(word, after) for word in before - after)


def _with_meaning(words: Collection[str]) -> list[str]:
    """Those of the words that have a meaning of their own."""
    return [
        word for word in words if len(word) >= _LEAST_WORD and word not in SMALL and is_in_dictionary(word)
    ]


def _is_unlike(word: str, after: Collection[str]) -> bool:
    """Whether a word that there is not became another one than the one that it looks like."""
    if len(word) <= SHORT_WORD or not word.isalpha() or is_in_dictionary(word) or zipf(word) >= _MET:
        return False
    forms = _forms_of(word)
    return all(distance(word, other) > _FARTHEST and not forms & _forms_of(other) for other in after)


def _is_word(word: str) -> bool:
    """Whether there is such a word: the dictionary has no "to" and no "which"."""
    return is_in_dictionary(word) or zipf(word) >= _MET


def _are_alike(one: str, other: str) -> bool:
    """Whether two words are forms of one word, or are often put for one another."""
    old, new = _forms_of(one), _forms_of(other)
    return bool(old & new) or any(old & group and new & group for group in CONFUSED)


def _forms_of(word: str) -> set[str]:
    """A word, and what it is a form of."""
    return {word, verb_of(word), PLURALS.get(word, "")} - {""}


def is_variant(before: str, after: str) -> bool:
    """Whether only British spelling became American, or the other way round."""
    left, right = before.lower().split(), after.lower().split()
    return (
        len(left) == len(right)
        and left != right
        and all(
            one == other or other in _variants().get(one, ()) for one, other in zip(left, right, strict=True)
        )
    )


@cache
def _variants() -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for british, american, _ in spelling_pairs():
        found.setdefault(british, set()).add(american)
        found.setdefault(american, set()).add(british)
    return found
