"""The voice, the person and the tense that a text is to be told in; what is forbidden is read in `marks`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.bounds import relate
from redraft.constraints.kinds import Keyword, NarrativeTense, PassiveVoice, PersonUse
from redraft.text import Span, late_pattern

from .lexicon import WORDINGS, Tag
from .marks import WHOLE, is_banned, is_followed_by_wish
from .patterns import Found, Line

_HINT: Final = re.compile(
    r" (?:active|tense|(?:past|present) to|person|reader|readers|(?:past|present) simple|simple past) "
)
_BREAK: Final = re.compile(r" (?:,|and|but|;|:|\(|-)(?= )")
_AHEAD: Final = re.compile(rf"(?: (?:{WORDINGS['telling']}))*")
_DENIED: Final = re.compile(r"\b(?:not|never|no|without|avoid|from|instead|than|nor|stop)\b")
_AVOIDED: Final = re.compile(
    r"\b(?:avoid|avoiding|without|(?:not|never) use) (?:(?!use\b|write\b|put\b|keep\b|but\b)[\w-]+ ){1,4}"
    r"(?:, )?(?:and|or)(?: the)?\Z"
)
"""The verb ahead of an "and" says that this is not wanted either: "avoid contractions and the past tense"."""
_LOOSE: Final = re.compile(rf"\b(?:{WORDINGS['loosely']}|{WORDINGS['mark_may']})\b")
_CAN_YOU: Final = re.compile(r"\b(?:can|could) you\b")
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
_VOICES: Final = late_pattern(
    rf" (?:{_ACTIVE}|from {_PASSIVE} (?:to|into) (?:the )?active(?: voice)?"
    rf"|(?:the )?active(?: voice)?(?: ,)? (?:not|rather than|instead of) {_PASSIVE}){_USED}{_TAIL}"
)
_TENSES: Final = late_pattern(
    rf" (?:(?:(?:from )?(?:(?:the|all) )*(?:past|present)(?: tense)?(?: verbs)? (?:to|into) )?{_TENSE}"
    rf"|(?:the )?tense (?:to|into|(?:{WORDINGS['has_to']}) be) (?:the )?(?P<told>past|present)"
    r"|from (?:the )?(?:past|present) tense (?:to|into) (?:the )?(?P<end>past|present)"
    r"(?:(?: ,)? (?:not|rather than|instead of) (?:the )?(?:past|present)(?: tense)?)?"
    r"|(?:the )?(?P<this>past|present) (?:not|rather than|instead of) (?:the )?(?:past|present) tense"
    r"|(?:the )?(?:tense|verbs|narration|narrative) from (?:the )?(?:past|present) to"
    r" (?:the )?(?P<new>past|present))"
    rf"{_USED}{_TAIL}"
)
_PERSONS: Final = late_pattern(
    r"(?: from(?= (?:a |the )?\w+ person (?:perspective|point|pov)))?"
    rf" (?:from (?:the )?(?P<old>first|second)(?: person)?(?P<old_one> singular)? (?:to|into) )?{_PERSON}"
    rf"{_USED}{_TAIL}"
)
_AS_YOU: Final = (
    r"(?: directly)?(?: (?:as|with) (?:you|Q))?"
    r"(?: (?:in|using|with) (?:the )?second person(?: singular| plural)?)?"
)
_READER: Final = late_pattern(
    r" (?:(?:address|addressing|(?:speak|speaking|talk|talking)(?: directly)? to"
    r"|(?P<told>addresses|speaks(?: directly)? to|talks(?: directly)? to))(?: (?:the|your|my|our))?"
    rf" readers?{_AS_YOU}|(?:(?:the|your|my|our) )?readers? (?:{WORDINGS['has_to']})(?P<not> not| never)?"
    rf" be (?:addressed|spoken to){_AS_YOU}){WHOLE}"
)
_PASSIVES: Final = r"passives?(?: (?:sentences?|verbs?|clauses?|constructions?|ones?))?"
_VERBS: Final = rf"(?:sentences?|verbs?|clauses?|{_PASSIVES})"
_EVERY: Final = r"(?: (?:all|every|each|any|of|the|my|our|those|these|single))*"
_TO_ACTIVE: Final = (
    r"(?: (?:to|into|in|as))?(?: (?:the|an))? active"
    r"(?: (?:voice|ones?|N|verbs?|sentences?|form|constructions?))?"
)
_TURNED: Final = (
    r"(?:make|making|turn|turning|rewrite|rewriting|change|changing|convert|converting|put|switch|recast|rephrase"
    r"|get|have)"
)
_MADE: Final = "(?:made|turned|changed|converted|rewritten|recast|put|switched)"
_ACTIVATED: Final = late_pattern(
    rf" (?:{_TURNED}(?:{_EVERY} {_VERBS}|(?P<them>(?: all of| each of| every one of)? (?:them|these|those)))"
    rf"(?: all)?{_TO_ACTIVE}"
    rf"|{_PASSIVES} (?:{WORDINGS['has_to']}) (?:become|be {_MADE}){_TO_ACTIVE}"
    rf"|(?:all|every|each){_EVERY} {_VERBS} (?:{WORDINGS['has_to']}) be{_TO_ACTIVE}){WHOLE}"
)
"""Sentences that are to be made active; those that a pronoun stands for are named before."""
_SINGULAR: Final = frozenset(("i", "me", "my", "mine"))
_PLURAL: Final = frozenset(("we", "us", "our", "ours"))
_SECOND: Final = frozenset(("you", "your", "yours"))
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
            start, end = line.within(match)
            if _is_asked(line.prose, ahead, match) and not is_banned(line, start, end):
                start -= _count_words(ahead)
                more = is_followed_by_wish(line, end)
                for constraint, partial in _constraints(wording, match):
                    yield Found(constraint, max(start, 0), end, partial or more)
    for match in _ACTIVATED.finditer(line.prose):
        ahead = _ahead(line.prose, match)
        named = line.prose[: match.start()] + (line.ahead.prose if line.ahead else "")
        known = not match["them"] or " passive" in named
        if known and not _DENIED.search(ahead) and not _is_loose(ahead):
            yield Found(PassiveVoice(*relate(0, "at most")), *line.within(match))
    for match in _READER.finditer(line.prose):
        ahead = _ahead(line.prose, match)
        denied = match["not"] or _DENIED.search(ahead)
        told = match["told"] and not _ENSURED.search(ahead)
        if (denied or _AHEAD.fullmatch(ahead)) and not told:
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


def _is_loose(ahead: str) -> bool:
    """Whether it is mere leave or a leaning; "can you" is neither."""
    return _LOOSE.search(_CAN_YOU.sub("", ahead)) is not None


def _is_asked(prose: str, ahead: str, match: re.Match[str]) -> bool:
    """Whether the whole text is to be told so, and it is no mere leave or leaning."""
    if _DENIED.search(ahead) or _is_loose(ahead) or not _AHEAD.fullmatch(ahead):
        return False
    if not ahead.strip() and _AVOIDED.search(prose[max(0, match.start() - _NEAR) : match.start()]):
        return False
    told = _TOLD.search(ahead) or (match["used"] or "").startswith((" is", " are"))
    return not told or bool(_ENSURED.search(prose[: match.start()]))


def _constraints(wording: re.Pattern[str], match: re.Match[str]) -> Iterator[tuple[Constraint, bool]]:
    """What is asked for, and whether the words say more than that."""
    if wording is _VOICES:
        yield PassiveVoice(*relate(0, "at most")), False
    elif wording is _TENSES:
        named = (match[name] for name in ("tense", "simple", "plain", "this", "new", "end", "told"))
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


def with_persons(read: dict[Constraint, Span]) -> dict[Constraint, Span]:
    """The same, where "no 'I' or 'we'" is about the person: "my" and "our" are meant too."""
    banned = {
        constraint.keyword.lower(): constraint
        for constraint in read
        if isinstance(constraint, Keyword) and constraint.relation == "remove"
    }
    words = banned.keys()
    meant: dict[Constraint, frozenset[str]] = {}
    if {"i", "we"} <= words:
        meant[PersonUse("first", "none")] = _SINGULAR | _PLURAL
    elif "i" in words and len(words & _SINGULAR) > 1:
        meant[PersonUse("first singular", "none")] = _SINGULAR
    if {"you", "your"} <= words:
        meant[PersonUse("second", "none")] = _SECOND
    for person, named in meant.items():
        spoken = [banned[word] for word in banned if word in named]
        place = read[spoken[0]]
        read = {constraint: span for constraint, span in read.items() if constraint not in spoken}
        read[person] = place
    return read
