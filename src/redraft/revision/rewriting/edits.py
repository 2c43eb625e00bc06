"""Edits of a sentence that leave it a sentence: spaces, commas, capitals and articles are put right.

A rule finds what may be replaced, and `offer` makes candidates of that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Final, NamedTuple

from redraft.revision.records import Candidate, Reason
from redraft.text import BY_FORM, PLACEHOLDER, Syntax, count_words, opens_with_vowel, word_sets

_NO_SPACE_BEFORE: Final = tuple(",.;:!?)]}”’…%")
_NO_SPACE_AFTER: Final = tuple("([{“‘")
_LETTER_NAMES: Final = frozenset("AEFHILMNORSX")
_ARTICLE: Final = re.compile(r"\b(an?)(\s+)\Z", re.IGNORECASE)
_FOLLOWING: Final = re.compile(r"[\"“‘'(]*(\w[\w-]*)")
_BEFORE_WORD: Final = re.compile(r"\ban?(?= (\w[\w-]*))")
_SEAM: Final = "\0"
_DANGLING: Final = re.compile(
    r"(?i)\b(?:a|an|the|of|and|or|but|nor|with|from|into|because|although|if|than|that|which|who|whose|my|our"
    r"|your|their|very|as|to|for|at|be|is|are|was|were)[\"”’']?[.!?…]+[\"”’')\]]*\Z"
)
_UP: Final = re.compile(r"\bup(?=\W*\Z)")
"""What is left of "up to three weeks"."""
_OF_THEM: Final = re.compile(r"(?i)\A\W*(?:[\w-]+ ){0,3}of (?:them|these|those)\b")
"""A sentence that opens with a share of what was named in what is gone."""
_SEVERAL: Final = re.compile(
    r"(?i)\d|\b(?!thus|this|does|always|perhaps|towards)[a-z]{3,}s\b(?=.*\bof (?:them|these|those)\b)"
)
"""What "them" may stand for: a number or a plural ahead of it."""
_LAST: Final = re.compile(r"([\w'’-]+)[.!?]+\W*\Z")
_WITH_PARTICLE: Final = re.compile(
    r"\b([\w'’-]+) (?:in|out|up|off|down|over|away|back)"
    r" (?:at|by|before|with|for|from|on|to|until|after|when|and)\b"
)
_IT_IS: Final = r"(?i)\bit (?:is|was|will be|would be|may be|might be) ((?:[\w-]+ ){0,4}[\w-]+)"
_IT_IS_SO: Final = re.compile(rf"{_IT_IS}[.!]\W*\Z")
_IT_IS_TO: Final = re.compile(rf"{_IT_IS} (?:to|that|for)\b")
_DOUBLED: Final = re.compile(r"(?i)\b(\w+)\s+\1\b")
_BROKEN: Final = re.compile(r",\s*[,.;:!?]|[;:]\s*[,.;:]|\A\W*[,;:]|[(\[]\s*[,;]|\(\s*\)|\s,|  +[.,]")
_BRACKETS: Final = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


class WordSets(SimpleNamespace):
    """Sets of words by name."""

    def __getattr__(self, name: str) -> frozenset[str]:
        """A set that is not there; type checkers learn from this what the others are."""
        raise AttributeError(f"data/sets.txt has no set of words called {name}")


WORDS: Final = WordSets(**word_sets(__package__))
"""The sets in data/sets.txt."""


class Edit(NamedTuple):
    """A stretch of a text, and what stands there instead."""

    start: int
    end: int
    new: str


class Replacement(NamedTuple):
    """An edit that a rule offers, why it may be made, and how much is lost by it; a cut has nothing new."""

    start: int
    end: int
    new: str
    why: Reason
    cost: float


def replace_words(parts: Syntax, first: int, end: int, new: str, cost: float) -> Replacement:
    """Other words for those from one index to another."""
    said = parts.phrase_text(first, end)
    span = parts.words[first].start, parts.words[end - 1].end
    return Replacement(*span, new, Reason("replace", said, new), cost)


def offer(
    sentence: str, choices: Iterable[Sequence[Replacement]], by: str, wanted: Callable[[str], bool]
) -> list[Candidate]:
    """What comes of each choice of replacements, where it is a sentence and as wanted; each text once.

    A replacement inside another is made with it; a choice with others that overlap is left out.
    """
    found: dict[str, Candidate] = {}
    for chosen in choices:
        edits = sorted({Edit(*one[:3]) for one in chosen})
        outer = [one for one in edits if not any(_holds(other, one) for other in edits if other != one)]
        if any(one.end > other.start for one, other in pairwise(outer)):
            continue
        text = applied(sentence, outer)
        if text not in found and wanted(text) and sound(sentence, text) and count_words(text) > 1:
            found[text] = Candidate(text, by, tuple(dict.fromkeys(one.why for one in chosen)))
    return list(found.values())


def _holds(outer: Edit, inner: Edit) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each text once, as it came first."""
    found: dict[str, Candidate] = {}
    for candidate in candidates:
        found.setdefault(candidate.text, candidate)
    return list(found.values())


def applied(text: str, edits: Iterable[Edit | Replacement]) -> str:
    """The text after edits that do not overlap, its seams mended."""
    done, position = "", 0
    for edit in sorted(edits, key=lambda edit: edit[:3]):
        left = done + text[position : edit.start]
        if edit.new:
            opens = edit.start == _first_letter(text) and text[edit.start].isupper()
            done = _with_article(left, edit.new) + (capitalised(edit.new) if opens else edit.new)
        else:
            done = left.rstrip(" ") + _SEAM
        position = edit.end
    return _recapitalised(text, _mended(done + text[position:]))


def _mended(text: str) -> str:
    while _SEAM in text:
        text = _joined(*text.split(_SEAM, 1))
    return text


def _joined(left: str, right: str) -> str:
    """Two ends joined where something was cut."""
    gap = right[: len(right) - len(right.lstrip())]
    left, right = left.rstrip(), right.lstrip()
    if not left:
        return right.lstrip(",;: ")
    if left.endswith((",", ";", ":", "–", "—")) and right.startswith((",", ".", ";", ":", "!", "?", ")")):
        left = left[:-1].rstrip()
    if left.endswith(",") and right.startswith("that "):  # what stood between the commas is gone
        left = left[:-1]
    if left.endswith(_NO_SPACE_AFTER):
        return left + right.lstrip(", ")
    if right.startswith(_NO_SPACE_BEFORE) or (right[:1] in ('"', "'", _SEAM) and not right[1:2].isalnum()):
        return left + right
    gap = "\n" if "\n" in gap else " "
    return _with_article(left + gap, right) + right


def _with_article(left: str, right: str) -> str:
    """What stands before a word, a last "a" or "an" fitted to it."""
    found = _ARTICLE.search(left)
    following = _FOLLOWING.match(right)
    if not found or not following:
        return left
    wanted = "an" if takes_an(following[1]) else "a"
    if found[1].lower() == wanted:
        return left
    return left[: found.start(1)] + cased_like(found[1], wanted) + found[2]


def with_fitting_articles(text: str) -> str:
    """A text with "a" and "an" as the words behind them call for.

    >>> with_fitting_articles("It is a inconvenience for an university, and a hour is lost.")
    'It is an inconvenience for a university, and an hour is lost.'
    """
    return _BEFORE_WORD.sub(lambda found: "an" if takes_an(found[1]) else "a", text)


def takes_an(word: str) -> bool:
    """Whether the article before a word is "an"."""
    if word[0].isdigit():
        return word[0] == "8" or re.match(r"(?:11|18)(?:\D|\Z|\d{3}\b)", word) is not None
    if len(word) > 1 and word.isupper():
        return word[0] in _LETTER_NAMES
    return opens_with_vowel(word.lower())


def is_balanced(text: str, brackets: Iterable[tuple[str, str]]) -> bool:
    """Whether every bracket and quotation mark has its other half."""
    return text.count('"') % 2 == 0 and all(text.count(one) == text.count(other) for one, other in brackets)


def _first_letter(text: str) -> int:
    return next((index for index, letter in enumerate(text) if letter.isalnum()), 0)


def capitalised(text: str) -> str:
    """The text with a capital at its start, and the rest as it is."""
    return text[:1].upper() + text[1:]


def cased_like(said: str, new: str) -> str:
    """A word with a capital where the one that it stands for has one."""
    return capitalised(new) if said[:1].isupper() else new


def _recapitalised(text: str, after: str) -> str:
    """A capital at the start, where the sentence had one."""
    start = _first_letter(after)
    was_capital = text[_first_letter(text) :][:1].isupper()
    if was_capital and not after[:start].endswith(("[[", "@", "#")):
        return after[:start] + capitalised(after[start:])
    return after


def uncapital(text: str, tag: str) -> str:
    """The first word in small letters, as it stands within a sentence; names and "I" keep their capital."""
    first = re.match(r"[\w'’-]+", text)
    if tag in ("NNP", "NNPS") or not first or first[0] in ("I", "I'm", "I've", "I'll", "I'd"):
        return text
    if len(first[0]) > 1 and not first[0][1:].islower():
        return text
    return text[:1].lower() + text[1:]


def opened(read: Syntax, opener: str, cost: float) -> Replacement:
    """The sentence after an opening phrase, with a subject if it has none: "Weighs 310 g." """
    first = read.words[0]
    subject = _lacking_subject(read)
    lowered = uncapital(first.text, "VB" if subject or read.main == 0 else read.tags[0])
    why = Reason("open", after=opener.strip(" ,"))
    return Replacement(first.start, first.end, opener + subject + lowered, why, cost)


def _lacking_subject(read: Syntax) -> str:
    """What a sentence in the style of a label lacks before its first word; nothing for any other."""
    forms = BY_FORM.get(read.low[0])
    if forms is None or read.main not in (None, 0) or read.word(1) == "of":
        return ""
    if read.low[0] == forms.third:
        return "it "
    return "it is " if read.tags[0] == "VBN" and read.main is None else ""


def sound(before: str, after: str) -> bool:
    """Whether a version is still a sentence with every placeholder in its place."""
    if PLACEHOLDER.findall(before) != PLACEHOLDER.findall(after) or not after.strip():
        return False
    if _ending(before) != _ending(after) or before[:1].isspace() != after[:1].isspace():
        return False
    for opening, closing in _BRACKETS:
        if before.count(opening) - before.count(closing) != after.count(opening) - after.count(closing):
            return False
    if (before.count('"') - after.count('"')) % 2:
        return False
    if any(_new(pattern, before, after) for pattern in (_BROKEN, _DOUBLED, _DANGLING, _UP)):
        return False
    return not _breaks_off(before, after)


def _breaks_off(before: str, after: str) -> bool:
    """Whether the last word lacks what belongs to it: "all staff sign" (in), "it is a good idea" (to go)."""
    if _OF_THEM.match(after) and not _OF_THEM.match(before) and _SEVERAL.search(before):
        return True
    last, old = _LAST.search(after), _LAST.search(before)
    if last is None or (old is not None and old[1] == last[1]):
        return False
    word = last[1].lower()
    if any(found[1].lower() == word for found in _WITH_PARTICLE.finditer(before)):
        return True
    ends = _IT_IS_SO.search(after)
    return ends is not None and any(ends[1] == found[1] for found in _IT_IS_TO.finditer(before))


def _ending(text: str) -> str:
    found = re.search(r"[^\w\s)\]\"”’'%]*[)\]\"”’']*\s*\Z", text)
    return found[0] if found else ""


def _new(pattern: re.Pattern[str], before: str, after: str) -> bool:
    return len(pattern.findall(after)) > len(pattern.findall(before))
