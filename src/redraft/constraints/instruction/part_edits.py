"""Paragraphs to delete, to move, to swap, to join or to divide, and sentences to move.

"Move the last paragraph to the top", "start with the second sentence", "the paragraphs are too long".
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from typing import Final, get_args

from redraft.constraints.kinds import PartEdit
from redraft.constraints.kinds.arrangement import Unit
from redraft.constraints.kinds.part_edits import Edit
from redraft.errors import CallError
from redraft.text import Span

from .clauses import QUOTED, is_demand, spaced
from .lexicon import WORDINGS
from .sentence_edits import (
    COMBINE,
    END,
    IN_ONE,
    LIST,
    MUST,
    NAMED,
    NOT_NEEDED,
    NOT_WANTED,
    NTH,
    ORDER,
    PAIR,
    SWAP,
    TAIL,
    TEXT,
    is_deleted,
    numbers_of,
)

_UNITS: Final[tuple[Unit, ...]] = get_args(Unit)
_HINT: Final = re.compile(
    r"(?i)\bparagraph|\bsentence|\b(?:first|last|top|start|end|beginning|front|bottom|of text)\b"
)
_START: Final = rf"(?P<start>(?:{WORDINGS['at_start']}){TEXT})"
_ENDS: Final = rf"(?P<end>(?:{WORDINGS['at_end']}){TEXT})"
_OTHERS: Final = r"(?:everything|all|the rest|the others?)(?: else| the (?:rest|others))?"
_NTH_ONE: Final = rf"the {NTH}(?: one)?"
_TARGET: Final = rf"(?P<target>{NAMED}|{_NTH_ONE})"
_BESIDE: Final = (
    rf"(?:(?P<before>{WORDINGS['ahead_of']})|(?P<after>{WORDINGS['behind']}))"
    rf" (?:{_TARGET}|(?P<others>{_OTHERS}))"
)
_WHERE: Final = rf"(?:{_START}|{_ENDS}|{_BESIDE})"
_STARTS: Final = (
    r"(?P<opens>start|begin|open|lead|lead off|kick off)(?: (?:it|the text|off|out|things))? with"
)
_CLOSES: Final = r"(?P<closes>end|close|finish|conclude)(?: (?:it|the text|off|up))? with"
_IN_TWO: Final = (
    r"(?: up)?(?: in(?:to)? (?:two|2|half|halves|smaller|shorter)(?: (?:paragraphs|parts|pieces|ones))?)?"
)
_DIVIDE: Final = r"(?:split|break|divide|chop)(?: up)?"
_TOO_LONG: Final = r"(?:is|seems|feels|looks|runs) (?:(?:way|far|much|a bit|just) )?too (?:long|big)"
_STOP: Final = r"(?=\s*(?:[.;:!?)\n]|\Z|[–—]))"
_Way = tuple[Edit, str, str]
"""An edit, words of which one is in every wording, for they spare the long patterns, and the wording."""
_MOVES: Final[tuple[_Way, ...]] = (
    ("move", WORDINGS["move"], rf"(?:{WORDINGS['move']}) {LIST} {_WHERE}{TAIL}{END}"),
    (
        "move",
        r"(?:start|begin|open|lead|kick|end|close|finish|conclude)\b.* with",
        rf"(?:{_STARTS}|{_CLOSES}) {LIST}{TAIL}{END}",
    ),
    (
        "move",
        r"(?:make|let)\b.* (?:first|opening|last|final|closing)",
        rf"(?:make|let) {LIST} (?:(?:be|come|go|into) )?(?:the )?(?:very )?"
        rf"(?:(?P<start>first|opening)|(?P<end>last|final|closing))(?: one| UNIT)?{TAIL}{END}",
    ),
    (
        "move",
        rf"{MUST} (?:come|go|be|stand|move)",
        rf"{LIST} {MUST} (?:come|go|be|stand|be moved|be put|move) {_WHERE}{TAIL}{END}",
    ),
)
_OF_PARAGRAPHS: Final[tuple[_Way, ...]] = (
    # To cut a paragraph may be to make it shorter; to cut it entirely is not.
    ("delete", WORDINGS["delete"], rf"(?!cut (?!out\b))(?:{WORDINGS['delete']}) {LIST}{TEXT}{TAIL}{END}"),
    ("delete", "cut", rf"cut {LIST}{TEXT}(?: (?:entirely|completely|altogether))+{TAIL}{END}"),
    ("delete", "out", rf"(?:take|leave|cut|strike|edit) {LIST} out{TEXT}{TAIL}{END}"),
    (
        "delete",
        rf"{MUST} (?:go|be (?:{WORDINGS['deleted']}))",
        rf"{LIST} {MUST} (?:go|be (?:{WORDINGS['deleted']})){TAIL}{END}",
    ),
    ("delete", WORDINGS["not_needed"], NOT_NEEDED),
    ("delete", "need|want", NOT_WANTED),
    ("swap", rf"{ORDER}|{SWAP}", rf"(?:{ORDER}|{SWAP}) {PAIR}(?: (?:a?round|over))?{TAIL}{END}"),
    ("join", COMBINE, rf"(?:{COMBINE}) {PAIR}{IN_ONE}{TAIL}{END}"),
    ("divide", _DIVIDE, rf"{_DIVIDE} {LIST}{_IN_TWO}{TAIL}{END}"),
    (
        "divide",
        _TOO_LONG,
        rf"{LIST} {_TOO_LONG}[,;.:–—-]* ?(?:(?:and|so|please|pls) )*{_DIVIDE} it{_IN_TWO}{TAIL}{END}",
    ),
)
_SHORTER: Final = (
    rf"(?:{WORDINGS['shorter_paragraphs']})(?:,? (?:break|split) them(?: up)?)?{TAIL}"
    r"(?=\s*(?:[.;:!?)\n,–—]|\Z|(?:and|but|so|because|since|then|with|please)\b))"
    r"(?![^\n]{0,60}\b(?:sentences?|words|lines) (?:each|apiece|per|a piece|in each|in every)\b)"
)
_AFTER: Final = "after|behind|below|following"
_BEFORE: Final = "before|ahead of|above|preceding"
_KEEP: Final = "(?:keep|leave|retain|use)"
_RANGES: Final[tuple[_Way, ...]] = (
    (
        "delete",
        rf"(?:everything|all|anything|rest)(?: \w+)* (?:{_AFTER}|{_BEFORE})",
        rf"(?:{WORDINGS['delete']}) (?:everything|all|anything|the rest|all the (?:text|rest))(?: else)?"
        r"(?: (?:that (?:comes|follows|stands|is)|which (?:comes|follows|stands|is)))?"
        rf" (?:(?P<after>{_AFTER})|(?P<before>{_BEFORE})) {_TARGET}"
        rf"{TAIL}{END}",
    ),
    # What is said to stay alone is not to be mistaken for what is to stay as it is: nothing may follow.
    (
        "delete",
        r"(?:everything|all|anything) (?:else )?(?:but|except|apart|other|besides)",
        rf"(?:{WORDINGS['delete']}) (?:everything|all|anything)(?: else)?"
        rf" (?:but|except(?: for)?|apart from|other than|besides) (?P<others>{LIST}){TAIL}{_STOP}",
    ),
    (
        "delete",
        "only|just",
        rf"(?:{_KEEP} (?:only|just)|(?:only|just) {_KEEP}) (?P<others>{LIST}){TAIL}"
        rf"(?:[,;.:–—]? ?(?:(?:and|please) )*(?:{WORDINGS['delete']})"
        rf" (?:the rest|(?:everything|all) else|the others?))?{_STOP}",
    ),
)
_REST: Final = re.compile(r"(?i)\b(?:rest|remainder|remaining|else|(?:the|all|any) others?)\b")
"""Behind what alone is to be kept: something is to be done to what else there is."""
_STAYS_TOO: Final = re.compile(
    r"(?i)\b(?:except|excluding|apart from|unless|but not)\b|\b(?:keep|leave|retain|spare|preserve)(?:ing)?"
    r" (?!it\b|(?:the|my|this) (?:text|tone|style|length|voice|whole|result|rest|others?|letter|e-?mail)\b)"
)
"""Behind a range that is to go: something else is to stay."""
_BEGIN: Final = (
    r"(?:start|begin|open|make|insert|add|put|use)(?: in)? (?:a|another) (?:new )?(?:paragraph(?: break)?)"
    rf" (?:(?P<after>after|behind|following)|before|with|at|ahead of|from|in front of)"
    rf" (?:{_TARGET}|(?:the word )?(?P<quoted>{QUOTED})){TAIL}{END}",
    rf"(?:make|put|set|turn|give) (?P<own>{NAMED}) (?:in(?:to)? |as )?"
    r"(?:(?:its|their) own paragraph|a (?:separate|new) paragraph|a paragraph (?:of|for) (?:its own|itself))"
    rf"{TAIL}{END}",
)
_IS_ABOUT: Final = "about|mentioning|concerning|that (?:mentions|is about|talks about)"
_THAT_SAYS: Final = rf"(?:(?P<topic>{_IS_ABOUT})|on|with|that (?:has|says))"
_WORDS: Final = r"(?P<about>[a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)"
_PART_ABOUT: Final = (
    rf"(?:the )?(?P<unit>sentence|paragraph) {_THAT_SAYS} (?:the |our |my )?[“\"'‘]?{_WORDS}[”\"'’]?"
)
_BY_WORD: Final[tuple[_Way, ...]] = (
    ("move", WORDINGS["move"], rf"(?:{WORDINGS['move']}) the {_WORDS} (?:{_START}|{_ENDS}){TAIL}{END}"),
    ("move", _THAT_SAYS, rf"(?:{WORDINGS['move']}) {_PART_ABOUT} (?:{_START}|{_ENDS}){TAIL}{END}"),
    ("move", _THAT_SAYS, rf"(?:{_STARTS}|{_CLOSES}) {_PART_ABOUT}{TAIL}{END}"),
    ("delete", _THAT_SAYS, rf"(?:{WORDINGS['delete']}) {_PART_ABOUT}{TEXT}{TAIL}(?!\.\.|…){END}"),
)
_NO_SUBJECT: Final = re.compile(rf"(?i)\b(?:{WORDINGS['no_subject']})\b")
_NO_FEATURE: Final = re.compile(rf"(?i)\b(?:{WORDINGS['no_feature']})\b")


def find_part_edits(text: str) -> Iterator[tuple[Span, PartEdit]]:
    """Every such demand of an instruction, with its place.

    >>> [constraint.call for _, constraint in find_part_edits("Move the last paragraph to the top.")]
    ['part_edit_check("move", "paragraph", [-1], "start")']
    """
    if _HINT.search(text) is None:
        return
    low = text.lower()
    for match in spaced(_SHORTER).finditer(text) if "paragraph" in low or "of text" in low else ():
        if is_demand(text, match.start()):
            yield Span(*match.span()), PartEdit("divide", "paragraph", ())
    for way in _OF_PARAGRAPHS if "paragraph" in low else ():
        yield from _found(text, way, "paragraph")
    for unit in _UNITS:
        for way in (*_MOVES, *_RANGES) if unit in low else ():
            yield from _found(text, way, unit)
    yield from _beginnings(text) if "paragraph" in low else ()
    for way in _BY_WORD:
        yield from _by_word(text, way)


def _matches(text: str, hint: str, wording: str) -> Iterator[re.Match[str]]:
    """Where a wording stands in an instruction as something that is asked for."""
    if spaced(rf"(?:{hint})\b").search(text):
        yield from (match for match in spaced(wording).finditer(text) if is_demand(text, match.start()))


def _by_word(text: str, way: _Way) -> Iterator[tuple[Span, PartEdit]]:
    """The edits of parts that are named by a word in them."""
    edit, hint, wording = way
    for match in _matches(text, hint, wording):
        said = match.groupdict()
        is_asked = edit != "delete" or is_deleted(text, match)
        is_subject = not _NO_SUBJECT.search(match["about"])
        if is_asked and is_subject and (said.get("topic") or not _NO_FEATURE.search(match["about"])):
            unit: Unit = "paragraph" if said.get("unit", "").lower() == "paragraph" else "sentence"
            where = _where(match, unit) if edit == "move" else ""
            yield Span(*match.span()), PartEdit(edit, unit, (), where, match["about"])


def _beginnings(text: str) -> Iterator[tuple[Span, PartEdit]]:
    """The sentences with which a paragraph is to begin."""
    for wording in _BEGIN:
        for match in _matches(text, "paragraph", wording):
            said = match.groupdict()
            about = said.get("quoted") or ""
            numbers = list(numbers_of(said.get("target") or said.get("own") or ""))
            if said.get("own"):
                numbers = [one for number in numbers for one in (number, number + 1) if one not in (0, 1)]
            elif said.get("after"):
                numbers = [number + 1 for number in numbers]
            with contextlib.suppress(CallError):  # "after the last sentence"
                about = about[1:-1].strip(" ,.;…")
                yield Span(*match.span()), PartEdit("divide", "sentence", tuple(numbers), "", about)


def _found(text: str, way: _Way, unit: Unit) -> Iterator[tuple[Span, PartEdit]]:
    edit, hint, wording = way
    for match in _matches(
        text, hint, wording.replace("@", "").replace("sentence", unit).replace("UNIT", unit)
    ):
        said = match.groupdict()
        is_range = edit == "delete" and bool(said.get("target"))
        if edit == "delete" and not _is_deleted(text, match, unit):
            continue
        where = _where(match, unit) if edit == "move" or is_range else ""
        where = "others" if edit == "delete" and said.get("others") else where
        with contextlib.suppress(CallError):  # "join the last paragraph"
            yield (
                Span(*match.span()),
                PartEdit(edit, unit, tuple(numbers_of(said.get("named") or "", unit)), where),
            )


def _is_deleted(text: str, match: re.Match[str], unit: Unit) -> bool:
    """Whether parts, or all but they, are to be deleted, and nothing that is said later speaks against it."""
    behind, said = text[match.end() :], match.groupdict()
    if said.get("others") and _REST.search(behind):
        return False
    is_range = bool(said.get("others") or said.get("target"))
    return is_deleted(text, match, unit) and not (is_range and _STAYS_TOO.search(behind))


def _where(match: re.Match[str], unit: str) -> str:
    """Where something is to go; nowhere is no place."""
    said = {name: value for name, value in match.groupdict().items() if value}
    if said.keys() & {"start", "opens"}:
        return "start"
    if said.keys() & {"end", "closes"}:
        return "end"
    side = "before" if "before" in said else "after"
    if "others" in said:
        return "start" if side == "before" else "end"
    beside = list(numbers_of(said["target"], unit))
    return f"{side} {beside[0 if side == 'before' else -1]}" if beside else ""
