"""Named sentences to delete, to combine or to swap: "cut the second sentence", "merge sentences 2 and 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from redraft.constraints.kinds import SentenceEdit
from redraft.errors import CallError
from redraft.text import CARDINALS, ORDINALS, Span

from .clauses import is_demand, spaced
from .lexicon import WORDINGS

_Edit = Literal["delete", "combine", "swap"]
_LARGEST: Final = 5000
"""No text has a sentence with a larger number."""
_CARDINAL: Final = "|".join(word for word in CARDINALS if word != "zero")
_NUMBER: Final = rf"(?:\d{{1,4}}|{_CARDINAL})\b"
_ORDINAL: Final = rf"(?:{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))"
_NTH: Final = (
    rf"(?:{_ORDINAL}[ -](?:to|from)[ -](?:the[ -])?(?:last|end)|penultimate|next[ -]to[ -]last|{_ORDINAL}"
    r"|very last|last|final|closing|opening)\b"
)
_THE: Final = r"(?:(?:the|my|our|your|its) )?"
_AND: Final = r"(?:, (?:and )?| and | & |, ?)"
_SENTENCE: Final = r"sentences?\b(?!['’])"
_TO: Final = r"(?: ?[-–—] ?| to | through )"
_BY_NUMBER: Final = (
    rf"{_SENTENCE} (?:no\.? |number |nr\.? |# ?)?{_NUMBER}(?:{_TO}{_NUMBER})?"
    rf"(?:{_AND}(?:sentence )?{_NUMBER}(?:{_TO}{_NUMBER})?(?! ?(?:words|%|percent))){{0,20}}+"
)
_SEVERAL: Final = rf"(?:first|opening|last|final|closing) {_NUMBER} {_SENTENCE}"
_BY_ORDINAL: Final = rf"{_NTH}(?:{_AND}(?:the )?{_NTH}){{0,20}}+ (?:{_SENTENCE}|ones?\b)"
_NAMED: Final = rf"{_THE}(?:very )?(?:{_BY_NUMBER}|{_SEVERAL}|{_BY_ORDINAL})"
_WITH: Final = r"(?:, (?:and )?| and (?:with )?| & | with | into | to | for )"
_LIST: Final = rf"(?P<named>{_NAMED}(?:{_AND}(?:{_NAMED}|the {_NTH})){{0,8}}+)"
_PAIR: Final = rf"(?P<named>{_NAMED}(?:{_WITH}(?:{_NAMED}|the {_NTH})){{0,8}}+)"
_TEXT: Final = (
    r"(?: (?:of|from|in) (?:it|(?:the|my|this|our) (?:whole )?"
    r"(?:text|letter|e-?mail|draft|document|piece|message|post|abstract|story)))?"
)
_TAIL: Final = (
    r"(?: (?:entirely|completely|altogether|please|pls|plz|thx|thanks|thank you|for me|too|as well|instead"
    r"|ok|okay|lol))*"
)
# Not "… to 20 words", "… of the second paragraph", "… if it repeats the first", "… and the heading"
_END: Final = (
    r"(?=\s*(?:[.;:!?)\n]|\Z|[–—]|,(?! (?:the|my|our|its|which|that|if|unless|where) )"
    r"|(?:and|but)\b(?! (?:the|my|our|its|all|any|one|two|both|everything|anything|move|put)\b)"
    r"|(?:then|so|while|because|since|as|without)\b))"
    r"(?:,? (?:because|since|as) [^.;!?\n]{1,120})?"
)
_SINGLE: Final = r"(?:just )?(?:one|1|a single(?: one)?)\b(?: (?:longer |single )?sentence)?"
_IN_ONE: Final = rf"(?: together)?(?: (?:(?:in)?to|as|to (?:make|form)) {_SINGLE})?"
_MUST: Final = rf"(?:{WORDINGS['has_to']})"
_ORDER: Final = r"(?:swap|switch|reverse|change|flip) the (?:order|places|positions) of"
_SWAP: Final = "swap|switch|exchange|transpose|flip|interchange"
_ORDERS: Final[tuple[tuple[_Edit, str], ...]] = (
    ("delete", rf"(?:{WORDINGS['delete']}) {_LIST}{_TEXT}{_TAIL}{_END}"),
    ("delete", rf"(?:take|leave|cut|strike|edit) {_LIST} out{_TEXT}{_TAIL}{_END}"),
    ("combine", rf"(?:{WORDINGS['combine']}) {_PAIR}{_IN_ONE}{_TAIL}{_END}"),
    ("combine", rf"(?:turn|make|put|rewrite) {_PAIR} (?:in)?to {_SINGLE}{_TAIL}{_END}"),
    ("swap", rf"(?:{_ORDER}|{_SWAP}) {_PAIR}(?: (?:a?round|over))?{_TAIL}{_END}"),
)
_JOINED: Final = "combined|merged|joined|fused"
_FORMS: Final[tuple[tuple[_Edit, str], ...]] = (
    *_ORDERS,
    ("delete", rf"{_LIST} {_MUST} (?:go|be (?:{WORDINGS['deleted']})){_TAIL}{_END}"),
    ("combine", rf"{_PAIR} {_MUST} be(?:come)? (?:{_JOINED}|{_SINGLE}){_IN_ONE}{_TAIL}{_END}"),
    ("swap", rf"{_PAIR} {_MUST} (?:be swapped|(?:swap|change|switch) places){_TAIL}{_END}"),
)
_SAID_BEHIND: Final = re.compile(
    rf"(?i)\b(?:go|{WORDINGS['deleted']}|{_JOINED}|swapped|places|be(?:come)? (?:just )?(?:one|a single))\b"
)
"""One of these is in every wording that begins with the sentences; it spares the long patterns."""
_ONE: Final = rf"{_NAMED}|the {_NTH}"
_RANGE: Final = rf"(?P<low>{_NUMBER})(?:{_TO}(?P<high>{_NUMBER}))?"


def find_sentence_edits(text: str) -> Iterator[tuple[Span, SentenceEdit]]:
    """Every such demand of an instruction, with its place."""
    if "sentence" not in text.lower():
        return
    for edit, wording in _FORMS if _SAID_BEHIND.search(text) else _ORDERS:
        for match in spaced(wording).finditer(text):
            if not is_demand(text, match.start()):
                continue
            numbers = [
                number for one in spaced(_ONE).finditer(match["named"]) for number in _numbers(one.group())
            ]
            try:
                yield Span(*match.span()), SentenceEdit(edit, tuple(numbers))
            except CallError:
                continue  # "combine the last sentence"


def _numbers(said: str) -> Iterator[int]:
    """The numbers of the sentences that one name says, those from the end below zero."""
    low = " ".join(said.lower().replace("very ", "").split())
    several = re.search(rf"\b(first|opening|last|final|closing) ({_NUMBER}) sentence", low)
    if several:
        count = _value(several[2])
        if count <= _LARGEST:
            yield from range(1, count + 1) if several[1] in ("first", "opening") else range(-count, 0)
    elif re.match(r"(?:\w+ )?sentences? ", low):
        for part in spaced(_RANGE).finditer(low[low.index("sentence") :]):
            first, last = _value(part["low"]), _value(part["high"] or part["low"])
            yield from range(first, min(last, _LARGEST) + 1)
    else:
        yield from (_place(part.group()) for part in spaced(_NTH).finditer(low))


def _place(said: str) -> int:
    if said in ("last", "final", "closing"):
        return -1
    if said == "penultimate" or said.startswith("next"):
        return -2
    first = re.split("[ -]", said)[0]
    number = 1 if first == "opening" else ORDINALS.get(first) or int(first[:-2])
    return number if said == first else -number


def _value(said: str) -> int:
    return int(said) if said.isdigit() else CARDINALS[said]
