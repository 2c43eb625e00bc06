"""Clean text damaged in ways that can be undone, the advice that undoes each, and the thought before a plan.

A planner learns to write the advice. It is concrete (“a” → “b”), in the form that `redraft.revision` carries
out to the letter, and begins with words that the embedded editor knows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final

from redraft.constraints import (
    Constraint,
    Finding,
    Keyword,
    KeywordFrequency,
    SentenceCount,
    SentenceLength,
    SentenceModification,
    WordCount,
    wording,
)
from redraft.revision import lowered
from redraft.text import Document, Sentence, list_lines, segment, tagged
from redraft.train.damage.profile import InsertedError, Profile, damage, load_profile
from redraft.train.synthesise import is_clean_target

BEFORE: Final = "{before}"
"""Stands in an advice for the number of the sentence before."""

_HEADS: Final = {"wordiness": "Make this more concise", "repetition": "Make this more concise"}
_GRAMMAR: Final = "Fix the grammar"
_UNFIT: Final = ("stop", "run_on", "fragment", "spacing")
"""Errors that move the ends of sentences: those are made here, where their inverse is known."""
_DENSITY: Final = 9.0
_JOINTS: Final = (", and ", "; ", ", ", ", while ", ", so ")
_WAYS: Final = (("errors", 46), ("wordy", 22), ("word", 12), ("merged", 8), ("broken", 6), ("filled", 6))
_BREAK: Final = re.compile(r", (and|but|because|while|which|although|so) (?=\w+ \w+ \w+ \w+)")
_MARKS: Final = re.compile('[“”"]')
_OPENERS: Final = ("the", "this", "these", "its", "their", "of", "our")
_LEAST: Final = 5
_MOST_EDITS: Final = 5
_BEFORE_SPACE: Final = (",", ";", ":", ".")
"""Marks that no words begin with: the place was not found."""
_IN_WORD: Final = re.compile(r"[\w'’-]")
_NEXT_WORD: Final = re.compile(r"\W*[\w'’-]+")


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of a text, clean and as it was damaged, and the advice for its damaged sentences in order.

    `gap` is the white space after it; `errors` are the mistakes of grammar among what was damaged.
    """

    clean: str
    damaged: str
    gap: str
    advice: tuple[str, ...] = ()
    errors: int = 0

    @property
    def spoilt(self) -> bool:
        """Whether there is something to undo."""
        return self.damaged != self.clean


def damage_sentences(text: str, share: float, choose: Random) -> list[Unit]:
    """The text in units, a share of its sentences damaged; joined, the clean ones are the text."""
    document = Document(text)
    units: list[Unit] = []
    buzz = choose.sample(_listed("buzzwords.txt"), 2)
    sentences = list(zip(document.sentences, document.gaps[1:], strict=True))
    place = 0
    while place < len(sentences):
        sentence, gap = sentences[place]
        following = sentences[place + 1] if place + 1 < len(sentences) else None
        made = None
        if choose.random() < share and is_clean_target(sentence.text):
            way = choose.choices([name for name, _ in _WAYS], [weight for _, weight in _WAYS])[0]
            if way == "merged" and following is not None:
                made = _merged(sentence, gap, following[0], choose)
                if made is not None:
                    units.append(replace(made, gap=following[1]))
                    place += 2
                    continue
            made = _one(sentence.text, way, buzz, choose)
        units.append(replace(made, gap=gap) if made is not None else Unit(sentence.text, sentence.text, gap))
        place += 1
    return units


def _one(text: str, way: str, buzz: Sequence[str], choose: Random) -> Unit | None:
    """A sentence damaged in one way; by errors, where that way finds no place."""
    if way == "word":
        made = _with_word(text, buzz, choose)
    elif way == "broken":
        made = _broken(text)
    elif way == "filled":
        filler = text if choose.random() < 0.15 else choose.choice(_listed("fillers.txt"))
        made = Unit(text, f"{text} {filler}", "", ("", "Leave it out"))
    else:
        made = _with_errors(text, "wordy" if way == "wordy" else "learner", choose)
    if made is None and way != "errors":
        made = _with_errors(text, "learner", choose)
    return made if made is not None and len(segment(made.damaged)) == len(made.advice) else None


def _with_errors(text: str, profile: str, choose: Random) -> Unit | None:
    done = damage(text, _profile(profile), choose)
    if not 0 < len(done.edits) <= _MOST_EDITS or _MARKS.search(
        "".join(e.before + e.after for e in done.edits)
    ):
        return None
    by_head: dict[str, list[str]] = {}
    end = 0
    for edit in done.edits:
        place = _widened(done.text, edit, end)
        if place is None:
            return None
        start, end = place
        new = done.text[start : edit.start] + edit.before + done.text[edit.end : end]
        if new[:1] in _BEFORE_SPACE:
            return None
        by_head.setdefault(_HEADS.get(edit.kind, _GRAMMAR), []).append(f"“{done.text[start:end]}” → “{new}”")
    advice = "; ".join(f"{head}: {', '.join(found)}" for head, found in sorted(by_head.items()))
    errors = sum(edit.kind not in _HEADS for edit in done.edits)
    return Unit(text, done.text, "", (advice,), errors)


def _widened(text: str, edit: InsertedError, least: int) -> tuple[int, int] | None:
    """The place of an error in whole words that stand in the text once; None where it would touch another."""
    start, end = edit.start, edit.end
    while start > 0 and _IN_WORD.match(text[start - 1]) and not edit.before.startswith(" "):
        start -= 1
    while end < len(text) and _IN_WORD.match(text[end]):
        end += 1
    while not text[start:end].strip() or len(_found(text[start:end], text)) != 1:
        following = _NEXT_WORD.match(text, end)
        if following is None:
            return None
        end = following.end()
    start += len(text[start:end]) - len(text[start:end].lstrip())
    return (start, end) if start >= least and not _MARKS.search(text[start:end]) else None


def _found(words: str, text: str) -> list[str]:
    return re.findall(rf"(?<!\w){re.escape(words)}(?!\w)", text)


def _with_word(text: str, buzz: Sequence[str], choose: Random) -> Unit | None:
    """A word that says little before a noun."""
    word = choose.choice(buzz)
    tokens = tagged(text)
    found = [
        two.start
        for one, two in pairwise(tokens)
        if one.text.lower() in _OPENERS and two.tag in ("NN", "NNS")
    ]
    if not found or word in text.lower():
        return None
    place = choose.choice(found)
    return Unit(text, f"{text[:place]}{word} {text[place:]}", "", (f"Remove “{word}”",))


def _merged(first: Sentence, gap: str, second: Sentence, choose: Random) -> Unit | None:
    """Two sentences run together."""
    if (
        first.paragraph != second.paragraph
        or gap != " "
        or not is_clean_target(second.text)
        or first.text[-1] != "."
    ):
        return None
    joint = choose.choice(_JOINTS)
    low = lowered(second.text)
    if low == second.text:
        return None
    made = first.text[:-1] + joint + low
    tail, head = first.text[:-1].rpartition(" ")[2], second.text.partition(" ")[0]
    old, new = f"{tail}{joint}{low.partition(' ')[0]}", f"{tail}. {head}"
    if len(segment(made)) != 1 or made.count(old) != 1 or _MARKS.search(old):
        return None
    return Unit(
        f"{first.text}{gap}{second.text}", made, "", (f"Split this long sentence: “{old}” → “{new}”",)
    )


def _broken(text: str) -> Unit | None:
    """A sentence broken in two."""
    found = [match for match in _BREAK.finditer(text) if len(text[: match.start()].split()) >= _LEAST]
    if not found or _MARKS.search(text):
        return None
    match = found[len(found) // 2]
    made = f"{text[: match.start()]}. {match[1].capitalize()} {text[match.end() :]}"
    return Unit(text, made, "", ("", f"Join it with sentence {BEFORE}: “, {match[1]}”"))


@cache
def _profile(name: str) -> Profile:
    found = load_profile(name)
    rates = {kind: rate for kind, rate in found.rates.items() if kind not in _UNFIT}
    return replace(found, rates=rates, clean=0.0, density=_DENSITY)


@cache
def _listed(name: str) -> tuple[str, ...]:
    return tuple(list_lines(__package__, name))


_MOST: Final = 45
"""Words of a thought."""


def write_thought(
    constraints: Sequence[Constraint], findings: Sequence[Finding] | None = None, *, busy: bool = True
) -> str:
    """The thought before a plan; `findings` are those of the text, where the tools looked at it."""
    asked = "; ".join(_asked(one) for one in constraints) or "a better text, with no constraint"
    parts = [f"Wanted: {asked}."]
    if findings is not None:
        wrong = [finding.message.partition(";")[0] for finding in findings if not finding.met]
        if wrong:
            parts.append(f"Not met yet: {', '.join(wrong)}.")
        elif findings:
            parts.append("All of it is met.")
    parts.append("Mend what reads badly." if busy else "Nothing is left to do.")
    while len(" ".join(parts).split()) > _MOST and len(parts) > 1:
        parts.pop()
    return " ".join(parts)


def _asked(constraint: Constraint) -> str:
    match constraint:
        case WordCount(number, relation):
            return wording(number, relation, "word")
        case SentenceCount(number, relation):
            return wording(number, relation, "sentence")
        case SentenceLength(number, relation):
            return f"{wording(number, relation, 'word')} in every sentence"
        case Keyword(keyword, "keep"):
            return f"“{keyword}” kept"
        case Keyword(keyword):
            return f"no “{keyword}”"
        case KeywordFrequency(keyword, number, relation):
            return f"“{keyword}” {wording(number, relation, 'time')}"
        case SentenceModification(sentences, relation):
            named = f"sentence {', '.join(map(str, sentences))}"
            return f"{named} unchanged" if relation == "unchange" else f"only {named} changed"
    return constraint.call
