"""What of an instruction is understood: its constraints, the wishes that a model acts on, and the rest.

The editor acts on the wishes that it was trained on; any other model reads the whole instruction. What
nothing acts on is said before the work begins, with the nearest thing that is understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from redraft.constraints import (
    LONGEST_READ,
    READER,
    CharacterCount,
    Instruction,
    SentenceCount,
    WordCount,
    find_scope,
    leaves_rest,
    nearest,
    parse,
    read_both,
    read_reading,
    reader_question,
)
from redraft.editor import is_trained_editor, places, read_phrasings, wished_controls
from redraft.errors import InputError, ModelError
from redraft.models import known_adapters
from redraft.revision.wishes.keeping import asks_to_keep
from redraft.revision.wishes.wording import style_controls, wished_wordings
from redraft.settings import Settings
from redraft.text import is_english_request, wordings

SMALL: Final = ("embedded", "torch")
"""Models that revise sentence by sentence with the editor's adapter."""
_WORDINGS: Final = wordings(__package__, "wishes.txt")
_WISH: Final = re.compile(
    "|".join(rf"\b(?:{_WORDINGS[name]})\b" for name in ("correct", "clear", "other", "tone")), re.IGNORECASE
)
_KEPT: Final = re.compile(rf"\b(?:{_WORDINGS['kept']})\b", re.IGNORECASE)
_TURNED: Final = re.compile(rf"(?:\b(?:{_WORDINGS['turned']})|n['’]t)\b", re.IGNORECASE)
_DENIED: Final = re.compile(r"(?:\b(?:not|never|dont)|n['’]t)\s+\Z", re.IGNORECASE)
_EDIT: Final = re.compile(
    rf"(?:\W*\b(?:{_WORDINGS['edit']}|{_WORDINGS['beside']}|{_WORDINGS['courtesy']})\b)+\W*", re.IGNORECASE
)
"""An order to make the text better, or nothing but courtesy."""
_ORDER: Final = re.compile(rf"\b(?:{_WORDINGS['edit']})\b", re.IGNORECASE)
_REASON: Final = re.compile(rf"\W*(?:(?:and|but|so|please)\b\W*)*(?:{_WORDINGS['reason']})\W*", re.IGNORECASE)
_ANEW: Final = re.compile(rf"\b(?:{_WORDINGS['anew']})\b", re.IGNORECASE)
_LENGTH: Final = re.compile(
    rf"\W*(?:(?:please|just|and|but|so)\b\W*)*(?:{_WORDINGS['length']})\W*", re.IGNORECASE
)
_SHORT: Final = 5
_SENTENCE: Final = re.compile(r"(?<=[.;!?…:])\s+|\n+")
_CLAUSE: Final = re.compile(r"(?:,\s+(?:and|but|or)\b|,|\s(?:and|but|or|while)\b)\s+", re.IGNORECASE)
_ASIDE: Final = re.compile(r"\([^()]*\)|[\"“][^\"“”]*[\"”]")
"""What no clause ends in."""


_Sort = Literal["wish", "reason", "unread"]
"""What a clause is: something that is acted on, why that is asked for, or something else."""


@dataclass(frozen=True, slots=True)
class NotUnderstood:
    """Words of an instruction that nothing acts on, and the nearest wording that is understood."""

    words: str
    nearest: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {"words": self.words, "nearest": self.nearest}

    def __str__(self) -> str:
        return f"“{self.words}”" + (f" (nearest: “{self.nearest}”)" if self.nearest else "")


@dataclass(frozen=True, slots=True)
class Understanding:
    """An instruction as it is understood."""

    instruction: Instruction
    wishes: tuple[str, ...] = ()
    """What no constraint says, and a model acts on."""
    not_understood: tuple[NotUnderstood, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """What is no constraint, ready for JSON."""
        unread = [one.to_dict() for one in self.not_understood]
        return {"wishes": list(self.wishes), "not_understood": unread}

    @property
    def is_in_vain(self) -> bool:
        """Whether something is said, and nothing of it is understood."""
        return bool(self.not_understood) and not (self.instruction.constraints or self.wishes)

    def told(self) -> str:
        """What is not understood, a line each."""
        return "\n".join(f"  {one}" for one in self.not_understood)

    def require(self) -> None:
        """InputError where anything is not understood."""
        if self.not_understood:
            raise InputError(f"not understood, and strict, so nothing was done:\n{self.told()}")


def understand(instruction: str | Instruction, *, by_model: bool = False) -> Understanding:
    """What of an instruction is understood; with `by_model`, a model reads all of it that is no constraint.

    >>> found = understand("Under 90 words, make it friendlier, and add a joke.")
    >>> found.wishes, [one.words for one in found.not_understood]
    (('make it friendlier',), ['add a joke'])
    """
    read = parse(instruction) if isinstance(instruction, str) else instruction
    if by_model:
        return Understanding(read, (read.style,) if read.style else ())
    wishes: list[str] = []
    unread: list[str] = []
    reasons: list[str] = []
    lists: dict[_Sort, list[str]] = {"wish": wishes, "unread": unread, "reason": reasons}
    is_english = is_english_request(read.style)
    for sentence in _SENTENCE.split(read.style):
        for words, sort in _stretches(sentence):
            lists[sort if is_english else "unread"].append(words)
    if not (wishes or read.constraints or _asks_for_edit(read.style)):
        unread += reasons
    if any(isinstance(one, WordCount | CharacterCount | SentenceCount) for one in read.constraints):
        unread = [words for words in unread if not _LENGTH.fullmatch(words)]
    told = tuple(NotUnderstood(words, nearest(words, _known_wishes())) for words in unread)
    return Understanding(read, tuple(wishes), told)


def read_instruction(instruction: str, settings: Settings) -> Instruction:
    """An instruction, read by rules; what they leave is read by the embedded model, which was taught to.

    The rules alone read it where the setting `reading` says so, and where the weights cannot be had.
    """
    read = parse(instruction)
    if settings.reading == "rules" or not _is_left_over(read):
        return read
    adapter = known_adapters(settings.weights()).get(READER)
    if adapter is None:
        return read
    try:
        answer, sure = _answer(instruction, adapter, adapter.stat().st_mtime, _Settings(settings))
    except (ModelError, OSError):  # no weights and no network: the rules have read what they can
        return read
    found = read_reading(answer, sure, instruction)
    is_left = bool(understand(read).not_understood) or not read.constraints
    return read_both(read, found, is_left=is_left)


def _is_left_over(read: Instruction) -> bool:
    """Whether the rules leave something that may be a demand: more than a wish of some words."""
    if not read.style or len(read.text) > LONGEST_READ or not is_english_request(read.text):
        return False
    found = understand(read)
    return (
        bool(found.not_understood) or " ".join(found.wishes) != read.style or len(read.style.split()) > _SHORT
    )


class _Settings:
    """Settings as far as a reading of theirs differs from another's."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def __hash__(self) -> int:
        return hash(self.settings.weights())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Settings) and self.settings.weights() == other.settings.weights()


@lru_cache(maxsize=256)
def _answer(instruction: str, adapter: Path, changed: float, by: _Settings) -> tuple[str, tuple[float, ...]]:
    """What the model says of an instruction; a failure is not remembered, nor what another adapter said."""
    from redraft.models import answer_once  # noqa: PLC0415 - its engine is slow to load

    return answer_once(adapter, reader_question(instruction), by.settings)


def understood_by(settings: Settings, instruction: str | Instruction) -> Understanding:
    """An instruction as the model that revises acts on it.

    Our own are asked by their controls, and read nothing else; a larger one without a control for what is
    wished is told of it in the writer's words, and a service reads it all.
    """
    read = read_instruction(instruction, settings) if isinstance(instruction, str) else instruction
    spec = settings.spec_for("reviser")
    by_controls = spec in SMALL or (
        is_trained_editor(spec, settings.weights()) and bool(style_controls(read.style))
    )
    return understand(read, by_model=not by_controls)


@cache
def _known_wishes() -> tuple[str, ...]:
    """Short wordings of what the editor was trained on."""
    ways = [way for parts in read_phrasings().values() for way in parts["training"] if not places(way)]
    return tuple(way for way in ways if len(way.split()) <= _SHORT and _is_wish(way))


def _stretches(sentence: str) -> Iterator[tuple[str, _Sort]]:
    """The clauses of a sentence that say something, those beside each other that are alike as one."""
    found: list[tuple[int, int, _Sort]] = []
    for start, end in _clauses(sentence):
        words = sentence[start:end]
        sort: _Sort = "wish" if _is_wish(words) else "reason" if _REASON.fullmatch(words) else "unread"
        says_nothing = _EDIT.fullmatch(words) or leaves_rest(words) or not re.search(r"\w", words)
        if sort == "unread" and says_nothing:
            continue
        if found and found[-1][2] == sort:
            found[-1] = (found[-1][0], end, sort)
        else:
            found.append((start, end, sort))
    for start, end, sort in found:
        yield sentence[start:end].strip(" .,;:!?…"), sort


def _asks_for_edit(style: str) -> bool:
    """Whether a clause asks for a better text and says no more: "fix it pls"."""
    clauses = (said[start:end] for said in _SENTENCE.split(style) for start, end in _clauses(said))
    return any(_EDIT.fullmatch(words) and _ORDER.search(words) for words in clauses)


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    asides = [one.span() for one in _ASIDE.finditer(sentence)]
    for match in _CLAUSE.finditer(sentence):
        if any(first < match.start() < last for first, last in asides):
            continue
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if sentence[start:].strip(" .,;:!?…"):
        yield start, len(sentence)


def _is_wish(words: str) -> bool:
    """Whether the editor acts on words, and not on their contrary."""
    if wished_controls(words) or wished_wordings(words) or asks_to_keep(words):
        return True
    kept = _KEPT.search(words)
    if kept is not None and not _DENIED.search(words, 0, kept.start()):
        return True
    if _ANEW.search(words) and find_scope(words) is not None:
        return True
    found = _WISH.search(words)
    return found is not None and not _TURNED.search(words, 0, found.start())
