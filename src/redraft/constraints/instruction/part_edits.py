"""Paragraphs to delete, to move, to swap, to join or to divide, and sentences to move.

"Move the last paragraph to the top", "start with the second sentence", "the paragraphs are too long".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, get_args

from redraft.constraints.kinds import PartEdit
from redraft.constraints.kinds.part_edits import Edit, Unit
from redraft.errors import CallError
from redraft.text import Span

from .clauses import is_demand, spaced
from .lexicon import WORDINGS
from .sentence_edits import (
    COMBINE,
    END,
    IN_ONE,
    LIST,
    MUST,
    NAMED,
    NTH,
    ORDER,
    PAIR,
    SWAP,
    TAIL,
    TEXT,
    numbers_of,
)

_UNITS: Final[tuple[Unit, ...]] = get_args(Unit)
_HINT: Final = re.compile(r"(?i)\bparagraph|\bsentence|\b(?:first|last|top|start|end|beginning|of text)\b")
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
)
_ABOUT: Final = r"the (?P<about>[a-z][a-z-]{2,}(?: [a-z][a-z-]{2,})?)"
_BY_WORD: Final = (
    rf"(?:{WORDINGS['move']}) {_ABOUT} (?:{_START}|{_ENDS}){TAIL}{END}",
    rf"(?:{WORDINGS['move']}) (?:the )?sentence (?:about|with|that (?:mentions|has))"
    rf" (?:the )?[“\"']?{_ABOUT.removeprefix('the ')}[”\"']? (?:{_START}|{_ENDS}){TAIL}{END}",
)
_NO_SUBJECT: Final = re.compile(
    r"(?i)\b(?:points?|messages?|ideas?|news|information|info|things?|conclusions?|results?|sentences?|paragraphs?"
    r"|titles?|headings?|sections?|parts?|summary|bit|line|ones?|text|words?|verbs?|subjects?|most|main|best|key"
    r"|commas?|periods?|quotes?|marks?|numbers?|list|bullets?|rest|intro\w*|answer|takeaways?|gist)\b"
)


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
        for way in _MOVES if unit in low else ():
            yield from _found(text, way, unit)
    for wording in _BY_WORD:
        for match in spaced(wording).finditer(text):
            about = match["about"]
            if is_demand(text, match.start()) and not _NO_SUBJECT.search(about):
                where = "start" if match["start"] else "end"
                yield Span(*match.span()), PartEdit("move", "sentence", (), where, about)


def _found(text: str, way: _Way, unit: Unit) -> Iterator[tuple[Span, PartEdit]]:
    edit, hint, wording = way
    if not spaced(rf"(?:{hint})\b").search(text):
        return
    for match in spaced(wording.replace("sentence", unit).replace("UNIT", unit)).finditer(text):
        if not is_demand(text, match.start()):
            continue
        where = _where(match, unit) if edit == "move" else ""
        try:
            yield Span(*match.span()), PartEdit(edit, unit, tuple(numbers_of(match["named"], unit)), where)
        except CallError:
            continue  # "join the last paragraph"


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
