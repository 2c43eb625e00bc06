"""The voice, the person and the tense that a text is to be told in; what is forbidden is read in `marks`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.bounds import relate
from redraft.constraints.kinds import NarrativeTense, PassiveVoice, PersonUse

from .lexicon import WORDINGS, Tag
from .marks import WHOLE, is_followed_by_wish
from .patterns import Found, Line

_HINT: Final = re.compile(r" (?:active|tense|person|reader|readers|(?:past|present) simple|simple past) ")
_BREAK: Final = re.compile(r" (?:,|and|but|;|:|\(|-)(?= )")
_AHEAD: Final = re.compile(rf"(?: (?:{WORDINGS['telling']}))*")
_DENIED: Final = re.compile(r"\b(?:not|never|no|without|avoid|from|instead|than|nor|stop)\b")
_LOOSE: Final = re.compile(rf"\b(?:{WORDINGS['loosely']}|{WORDINGS['mark_may']})\b")
_ENSURED: Final = re.compile(r"\b(?:sure|ensure|that|should|must|needs?|want|so)\b")
_TOLD: Final = re.compile(r"\b(?:is|are|was|were|uses)\b")
_ACTIVE: Final = r"(?:the |an )?active (?:voice|verbs?|constructions?|sentences?|form)"
_PASSIVE: Final = r"(?:the )?passive(?: (?:voice|verbs?|constructions?|sentences?|form))?"
_TENSE: Final = (
    r"(?:the )?(?:(?P<tense>past|present) tense(?: verbs)?|simple (?P<simple>past|present)(?: tense)?"
    r"|(?P<plain>past|present) simple(?: tense)?)"
)
_PERSON: Final = (
    r"(?:the |a )?(?P<person>first|second|third) person(?P<one> singular)?"
    r"(?: (?:plural|voice|perspective|point of view|pov|narration|narrative|narrator|pronouns|form))?"
)
_USED: Final = r"(?P<used> (?:is|are|should be|must be|has to be|needs to be) used)?"
_TAIL: Final = rf"(?: (?:only|throughout|consistently))?{WHOLE}"
_VOICES: Final = re.compile(
    rf" (?:{_ACTIVE}|from {_PASSIVE} (?:to|into) (?:the )?active(?: voice)?"
    rf"|(?:the )?active(?: voice)?(?: ,)? (?:not|rather than|instead of) {_PASSIVE}){_USED}{_TAIL}"
)
_TENSES: Final = re.compile(
    rf" (?:(?:from (?:the )?(?:past|present)(?: tense)? (?:to|into) )?{_TENSE}"
    r"(?:(?: ,)? (?:not|rather than|instead of) (?:the )?(?:past|present)(?: tense)?)?"
    r"|(?:the )?(?P<this>past|present) (?:not|rather than|instead of) (?:the )?(?:past|present) tense"
    r"|(?:the )?tense from (?:the )?(?:past|present) to (?:the )?(?P<new>past|present))"
    rf"{_USED}{_TAIL}"
)
_PERSONS: Final = re.compile(
    r"(?: from(?= (?:a |the )?\w+ person (?:perspective|point|pov)))?"
    rf" (?:from (?:the )?(?P<old>first|second)(?: person)?(?P<old_one> singular)? (?:to|into) )?{_PERSON}"
    rf"{_USED}{_TAIL}"
)
_READER: Final = re.compile(
    r" (?:address|addressing|speak to|speaking to|talk to|talking to)(?: (?:the|your|my|our))?"
    rf" readers?(?: directly| as you)?{WHOLE}"
)
_ORDINALS: Final[dict[object, str]] = {1: "first", 2: "second", 3: "third"}
_NEAR: Final = 150
"""So many characters before a wording can bear on it."""


def fold_persons(line: Line) -> Line:
    """The line with the "first" of "first person" as a word: it numbers nothing."""
    chunks = list(line.chunks)
    for at, chunk in enumerate(chunks):
        name = _ORDINALS.get(chunk.value) if chunk.tag == Tag.ORDINAL else None
        if name and "person" in [one.text for one in chunks[at + 1 : at + 4]]:
            chunks[at] = replace(chunk, tag=Tag.OTHER, text=name, value=None)
    return replace(line, chunks=tuple(chunks))


def voice_rules(line: Line) -> Iterator[Found]:
    """The voice, the persons and the tense that a line asks for."""
    if _HINT.search(line.prose) is None:
        return
    for wording in (_VOICES, _TENSES, _PERSONS):
        for match in wording.finditer(line.prose):
            ahead = _ahead(line.prose, match)
            if _is_asked(line.prose, ahead, match):
                start, end = line.within(match)
                start -= _count_words(ahead)
                more = is_followed_by_wish(line, end)
                for constraint, partial in _constraints(match):
                    yield Found(constraint, max(start, 0), end, partial or more)
    for match in _READER.finditer(line.prose):
        ahead = _ahead(line.prose, match)
        denied = _DENIED.search(ahead)
        if denied or _AHEAD.fullmatch(ahead):
            start, end = line.within(match)
            start -= _count_words(ahead)
            yield Found(PersonUse("second", "none" if denied else "use"), max(start, 0), end)


def _ahead(prose: str, match: re.Match[str]) -> str:
    """What stands before it in its clause."""
    before = prose[max(0, match.start() - _NEAR) : match.start()]
    breaks = list(_BREAK.finditer(before + " "))
    return before[breaks[-1].end() :] if breaks else before


def _count_words(ahead: str) -> int:
    return len(ahead.split())


def _is_asked(prose: str, ahead: str, match: re.Match[str]) -> bool:
    """Whether the whole text is to be told so, and it is no mere leave or leaning."""
    if _DENIED.search(ahead) or _LOOSE.search(ahead) or not _AHEAD.fullmatch(ahead):
        return False
    told = _TOLD.search(ahead) or (match["used"] or "").startswith((" is", " are"))
    return not told or bool(_ENSURED.search(prose[: match.start()]))


def _constraints(match: re.Match[str]) -> Iterator[tuple[Constraint, bool]]:
    """What is asked for, and whether the words say more than that."""
    if match.re is _VOICES:
        yield PassiveVoice(*relate(0, "at most")), False
    elif match.re is _TENSES:
        named = (match[name] for name in ("tense", "simple", "plain", "this", "new"))
        yield NarrativeTense("past" if "past" in named else "present"), False
    elif match["person"] == "third":
        if match["old"] != "second":
            yield PersonUse("first singular" if match["old_one"] else "first", "none"), True
        if match["old"] != "first":
            yield PersonUse("second", "none"), True
    elif match["person"] == "second":
        yield PersonUse("second", "use"), False
    else:
        yield PersonUse("first singular" if match["one"] else "first", "use"), False
