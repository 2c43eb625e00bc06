"""A single change to a sentence, and where changes come from that need no model."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from redraft.editor import EditorAnswer
from redraft.revision import Reason, cuts, splits, synonyms
from redraft.simplification import tuning
from redraft.simplification.policy import Operation
from redraft.simplification.verdicts import WORD_SETS
from redraft.text import (
    LEVELS,
    VERB_FORMS,
    Document,
    Syntax,
    Tagged,
    analyse_syntax,
    bases,
    difficulty,
    inflected,
    is_counted,
    level,
    list_lines,
    spellings,
)

QUANTITIES: Final = WORD_SETS["quantities"]
"""Words that tell how many, or whether at all."""
_JOINING: Final = WORD_SETS["joining"]
_OPENING: Final = WORD_SETS["opening"]
"""What says what "however" and "thus" say at the beginning of a sentence, and not within one."""
_PAST: Final = ("VBD", "VBN")
_PARTICLES: Final = WORD_SETS["particles"]
_OF_ONE: Final = WORD_SETS["of_one"]
_BEFORE_NOUNS: Final = frozenset({"DT", "PRP$", "POS"})
_MANY: Final = frozenset({"many", "several"})
_MUCH: Final = frozenset({"more", "most", "enough", "some", "too much", "not enough"})
_KINDS: Final = {
    "NN": "n",
    "NNS": "n",
    "JJ": "a",
    "JJR": "a",
    "JJS": "a",
    "RB": "r",
    **dict.fromkeys(VERB_FORMS, "v"),
}
_NAMES: Final = frozenset({"NNP", "NNPS", "CD"})
_CONTENT: Final = ("NN", "NNS", "JJ", "JJR", "JJS", "RB", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
_MARKS: Final = frozenset({".", ",", ":", "``", "''", "-LRB-", "-RRB-", "--", "..."})
_QUALIFIERS: Final = WORD_SETS["qualifiers"]
"""Words that make another thing of what they stand with, or tell how sure it is, and how often."""


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a sentence, and what may stand there instead."""

    start: int
    end: int
    old: str
    new: str
    operation: Operation
    by: str
    """`list`, `thesaurus`, `editor` or `rules`."""
    why: Reason
    votes: float = 0.0
    """The share of the editor's answers that have it."""


def from_list(parts: Syntax) -> Iterator[Change]:
    """Words and phrases that a list has simpler ones for, whatever their level."""
    for first in range(len(parts)):
        for end in range(min(first + tuning.LIST_PHRASE_WORDS, len(parts)), first, -1):
            if any(parts.held[first:end]):
                continue
            found = list(_list_entries(parts, first, end))
            yield from found
            if found:
                break


def _list_entries(parts: Syntax, first: int, end: int) -> Iterator[Change]:
    old, tag = parts.phrase_text(first, end), parts.tags[first]
    low = old.lower().replace("’", "'")
    known = _simpler()
    for new in known.get((low, "w"), ()):
        whole = low.endswith(" of") and new in _MANY | _MUCH and parts.tag(end) in ("DT", "PRP", "PRP$")
        yield _change(parts, first, end, f"{new} of" if whole else new)
    kind = _KINDS.get(tag)
    # A verb before a preposition is one with it: "consist of".
    if kind is None or (end - first > 1 and kind != "v"):
        return
    for base in bases(low, tag):
        if (base, kind) in known:
            # "commenced" may be taken for either form, and "began" and "begun" are two: both are weighed.
            other_past = [one for one in _PAST if tag in _PAST and low == inflected(base, one)]
            tags = dict.fromkeys([tag, *other_past])
            forms = (inflected(other, one) for other in known[base, kind] for one in tags)
            for form in dict.fromkeys(forms):
                if form and _fits(parts, first, end, form):
                    yield _change(parts, first, end, form)
            return


def _fits(parts: Syntax, first: int, end: int, new: str) -> bool:
    """Whether a word suits what stands around it: there is no "an enough", "a laws" or "give up it"."""
    before, tag = parts.word(first - 1), parts.tag(first - 1)
    if new in _OPENING:
        return first == 0
    if new in _MUCH:
        return tag not in _BEFORE_NOUNS or before in ("any", "no", "some")
    if parts.tag(end) == "PRP" and " " in new:
        return new.rpartition(" ")[2] not in _PARTICLES
    if parts.tags[end - 1] != "NN":
        return before not in _OF_ONE or new not in _MANY
    while tag in ("JJ", "NN", "RB"):
        first -= 1
        before, tag = parts.word(first - 1), parts.tag(first - 1)
    if is_counted(new):
        return True
    singular = before in ("this", "that") or parts.tag(end) == "VBZ" or parts.word(end) == "was"
    return before not in _OF_ONE and not (singular and (new[-1] == "s" or new == "people"))


def _change(parts: Syntax, first: int, end: int, new: str) -> Change:
    start, stop = parts.words[first].start, parts.words[end - 1].end
    old = parts.text[start:stop]
    if new in _JOINING and parts.word(end) == ",":
        stop = parts.words[end].end  # "However, it" is "But it"
    new = _written_like(old, new)
    return Change(start, stop, old, new, "replace", "list", easier(old, parts.tags[first], new))


def _written_like(old: str, new: str) -> str:
    """The new words in capitals, or with one, where what they stand for is."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def from_thesaurus(parts: Syntax, above: float) -> Iterator[Change]:
    """Easier synonyms of the words that are above a level."""
    for index, word in enumerate(parts.words):
        tag = parts.tags[index]
        hard = difficulty(word.text, tag)
        if parts.held[index] or hard < above:
            continue
        found = [
            new
            for new in synonyms(word.text, tag, wider=False)
            if hardest(new, tag) <= hard - tuning.THESAURUS_EASIER and _fits(parts, index, index + 1, new)
        ]
        for new in (_written_like(word.text, one) for one in found[: tuning.THESAURUS_WORDS]):
            why = easier(word.text, tag, new)
            yield Change(word.start, word.end, word.text, new, "replace", "thesaurus", why)


def hardest(phrase: str, tag: str) -> float:
    """How difficult the hardest word of a phrase is, if its words are what the tag says."""
    return max((difficulty(word, tag) for word in phrase.split()), default=1.0)


def easier(old: str, tag: str, new: str) -> Reason:
    """Why a word or phrase may stand for another: with the levels of both, where they differ."""
    before = level(old, tag) if " " not in old else None
    after = LEVELS[int(hardest(new, tag) + 0.5) - 1]
    return Reason("replace", old, new, f"{before} → {after}" if before and before != after else "")


@lru_cache(maxsize=1)
def _simpler() -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for line in list_lines("redraft.simplification", "simpler.txt"):
        old, _, new = line.partition(" | ")
        phrase, _, kind = old.rpartition(" ")
        found[phrase, kind] = tuple(new.split("; "))
    return found


def from_answers(source: Syntax, answers: Sequence[EditorAnswer]) -> list[Change]:
    """The changes that the answers make to a sentence, each with the share of them that have it."""
    total = sum(answer.votes for answer in answers)
    votes: defaultdict[tuple[int, int, str], int] = defaultdict(int)
    for answer in answers:
        for change in _steps(source, analyse_syntax(answer.text)):
            votes[change] += answer.votes
    return [
        Change(start, end, old, new, "replace", "editor", Reason("replace", old, new), count / total)
        for (start, end, new), count in votes.items()
        for old in (source.text[start:end],)
    ]


def _steps(source: Syntax, answer: Syntax) -> Iterator[tuple[int, int, str]]:
    """Words replaced by others that say as much; what is only added, or left out, is passed over."""
    matcher = SequenceMatcher(None, source.low, answer.low, autojunk=False)
    for step, i, k, j, m in matcher.get_opcodes():
        if step != "replace" or max(k - i, m - j) > tuning.EDITOR_STRETCH_WORDS:
            continue
        if any(source.held[i:k]) or _fixed(source.words[i:k]) or _fixed(answer.words[j:m]):
            continue
        if _instead(source.words[i:k], answer.words[j:m]):
            yield source.words[i].start, source.words[k - 1].end, answer.phrase_text(j, m)


def _instead(old: Sequence[Tagged], new: Sequence[Tagged]) -> bool:
    """Whether new words may stand for old ones: telling as much, or nearly, and not just in other forms."""
    before, after = ([word for word in words if word.tag in _CONTENT] for words in (old, new))
    if {word.text.lower() for word in new} & QUANTITIES - {word.text.lower() for word in old}:
        return False
    if {old[-1].tag, new[-1].tag} == {"NN", "NNS"}:
        return False  # "a snippet" is no "features"
    stems = [{word.text[: tuning.EDITOR_STEM].lower() for word in words} for words in (before, after)]
    return len(after) >= min(len(before), max(len(before) - 1, 1)) and (not before or stems[0] != stems[1])


def _fixed(words: Sequence[Tagged]) -> bool:
    """Whether there are names, numbers or marks among the words: no small model is to change those."""
    return any(word.tag in _NAMES | _MARKS or not word.text[:1].isalpha() for word in words)


def deletions(parts: Syntax, answers: Sequence[EditorAnswer], *, phrases: bool) -> Iterator[Change]:
    """Words without names or numbers that the sentence can do without: of little weight, or voted for.

    Whole phrases only where they are asked for: without them the sentence is built otherwise.
    """
    total = sum(answer.votes for answer in answers)
    kept = [(answer.votes, frozenset(word.lower() for word in spellings(answer.text))) for answer in answers]
    for one in cuts(parts):
        old = parts.text[one.start : one.end]
        words = [word.lower() for word in spellings(old)]
        inner = [n for n, word in enumerate(parts.words) if one.start <= word.start < one.end]
        if not words or any(parts.tags[n] in ("NNP", "NNPS", "CD") or parts.held[n] for n in inner):
            continue
        if (
            _QUALIFIERS & set(words)
            or "non-" in old.lower()
            or one.cost > tuning.CUT_DEAR
            or (len(words) > 1 and not one.new and not phrases)
        ):
            continue
        without = sum(
            votes
            for votes, there in kept
            if sum(word not in there for word in words) >= tuning.CUT_GONE * len(words)
        )
        votes = without / total if total else 0.0
        if one.cost <= tuning.CUT_CHEAP or (one.cost <= tuning.CUT_DEAR and votes >= tuning.CUT_VOTES):
            operation: Operation = "replace" if one.new else "delete"
            yield Change(one.start, one.end, old, one.new, operation, "rules", one.why, votes)


def divided(source: str, sentence: str, answers: Sequence[EditorAnswer]) -> list[str]:
    """Ways to write a sentence as two or more, best first; none for one that is short enough.

    Each is a way to split its source too: new words may be taken for what they are not.
    """
    words = len(sentence.split())
    total = sum(answer.votes for answer in answers)
    several = sum(answer.votes for answer in answers if len(Document(answer.text, "text").sentences) > 1)
    wanted = several / total if total else 0.5
    if words < tuning.SPLIT_WORDS * (1.3 - 0.6 * wanted):
        return []
    sound = {one.why for one in splits(source)}
    ways = [one.text for one in splits(sentence) if one.why in sound]
    return [way for way in ways if len(Document(way, "text").sentences) <= tuning.SPLIT_PIECES][:4]
