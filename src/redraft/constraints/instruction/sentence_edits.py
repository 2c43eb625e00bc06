"""Named sentences to delete, to combine or to swap: "cut the second sentence", "merge sentences 2 and 3"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from redraft.constraints.kinds import SentenceEdit
from redraft.errors import CallError
from redraft.text import CARDINALS, ORDINALS, Span

from .clauses import NOTHING_ELSE, is_demand, spaced
from .lexicon import WORDINGS

_Edit = Literal["delete", "combine", "swap", "split"]
_LARGEST: Final = 5000
"""No text has a sentence with a larger number."""
_CARDINAL: Final = "|".join(word for word in CARDINALS if word != "zero")
_NUMBER: Final = rf"(?:\d{{1,4}}|{_CARDINAL})\b"
_ORDINAL: Final = rf"(?:{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th))"
NTH: Final = (
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
_BY_ORDINAL: Final = rf"{NTH}(?:{_AND}(?:the )?{NTH}){{0,20}}+ (?:{_SENTENCE}|ones?\b)"
NAMED: Final = rf"{_THE}(?:very )?(?:{_BY_NUMBER}|{_SEVERAL}|{_BY_ORDINAL})"
_WITH: Final = r"(?:, (?:and )?| and (?:with )?| & | with | into | to | for )"
LIST: Final = rf"(?P<named>{NAMED}(?:{_AND}(?:{NAMED}|the {NTH})){{0,8}}+)"
PAIR: Final = rf"(?P<named>{NAMED}(?:{_WITH}(?:{NAMED}|the {NTH})){{0,8}}+)"
TEXT: Final = (
    r"(?: (?:of|from|in) (?:it|(?:the|my|this|our) (?:whole )?"
    r"(?:text|letter|e-?mail|draft|document|piece|message|post|abstract|story)))?"
)
TAIL: Final = (
    r"(?: (?:entirely|completely|altogether|please|pls|plz|thx|thanks|thank you|for me|too|as well|instead"
    r"|ok|okay|lol))*"
)
# Not "… to 20 words", "… of the second paragraph", "… if it repeats the first", "… and the heading"
END: Final = (
    r"(?=\s*(?:[.;:!?)\n]|\Z|[–—]|,(?! (?:the|my|our|its|which|that|if|unless|where) )"
    r"|(?:and|but)\b(?! (?:the|my|our|its|all|any|one|two|both|everything|anything|move|put)\b)"
    r"|(?:then|so|while|because|since|as|without)\b))"
    rf"(?:,? (?:because|since|as) [^.;!?\n]{{1,120}}|[,;–—] ?(?:it|they|that|this)(?:['’](?:s|re)| is| are)"
    rf"(?: (?:just|really|quite|totally|completely|so|only|all))* (?:{WORDINGS['not_needed']})\b)?"
)
_SINGLE: Final = r"(?:just )?(?:one|1|a single(?: one)?)\b(?: (?:longer |single )?sentence)?"
IN_ONE: Final = rf"(?: together)?(?: (?:(?:in)?to|as|to (?:make|form)) {_SINGLE})?"
_IN_TWO: Final = (
    r"(?: in(?:to)? (?:two|2|half|halves|several|shorter|smaller)"
    r"(?: (?:shorter|smaller|separate|simpler|short|smaller))?(?: (?:sentences|ones|parts|pieces))?)?"
)
MUST: Final = rf"(?:{WORDINGS['has_to']})"
COMBINE: Final = WORDINGS["combine"]
ORDER: Final = r"(?:swap|switch|reverse|change|flip) the (?:order|places|positions) of"
SWAP: Final = "swap|switch|exchange|transpose|flip|interchange"
_WITHIN: Final = rf"(?: (?:of|in|from) (?P<within>{NAMED.replace('sentence', 'paragraph')}))?"
"""The paragraph whose sentences are counted; it stands for the @ where the instruction speaks of one."""
_ORDERS: Final[tuple[tuple[_Edit, str], ...]] = (
    ("delete", rf"(?:{WORDINGS['delete']}) {LIST}@{TEXT}{TAIL}{END}"),
    ("delete", rf"(?:take|leave|cut|strike|edit) {LIST}@ out{TEXT}{TAIL}{END}"),
    ("combine", rf"(?:{COMBINE}) {PAIR}@{IN_ONE}{TAIL}{END}"),
    ("combine", rf"(?:turn|make|put|rewrite) {PAIR}@ (?:in)?to {_SINGLE}{TAIL}{END}"),
    ("split", rf"(?:split|break|divide|chop)(?: up)? {LIST}@(?: up| apart)?{_IN_TWO}{TAIL}{END}"),
    ("swap", rf"(?:{ORDER}|{SWAP}) {PAIR}@(?: (?:a?round|over))?{TAIL}{END}"),
)
_JOINED: Final = "combined|merged|joined|fused"
_ORDERED: Final = (
    r"[,;.:–—]? ?(?:(?:and|so|please|pls|just|(?:can|could|would|will) you) )*(?:"
    rf"(?:{WORDINGS['delete']}) (?:it|them)(?: out)?|(?:take|cut|leave) (?:it|them) out"
    rf"|(?:it |they )?(?:can|could|may|{MUST}) (?:go|be (?:{WORDINGS['deleted']}))){TAIL}{END}"
)
_STOP: Final = r"(?=\s*(?:[.;:!)\n]|\Z|[–—]))"
# What somebody thinks of a part is no order to delete it, unless that is said too or nothing else is said.
NOT_NEEDED: Final = (
    rf"{LIST}@ (?:is|are|seems?|feels?|looks?)(?: (?:just|really|quite|totally|completely|a bit|rather))*"
    rf" (?:{WORDINGS['not_needed']})\b(?:{_ORDERED}|{TAIL}{_STOP}(?P<opinion>))"
)
NOT_WANTED: Final = (
    rf"(?:i|we) (?:do not|don['’]?t) (?:need|want) {LIST}@(?: any ?more| any longer)?"
    rf"(?:{_ORDERED}|{TAIL}{_STOP}(?P<unwanted>))"
)
_AROUND: Final = 400
"""Characters on either side of what is thought of a part in which something else may be said of it."""
_SAID_OF_IT: Final = re.compile(
    r"(?i)\b(?:it|its|they|them|their|this|that|these|those|ones?|both|the (?:paragraph|sentence)s?)\b"
    r"|\A\W*(?:please |just )*(?!thanks|thx|cheers)\w+(?: please)?\W*(?:\Z|[.!?\n])"
)
_BUT_NOT_ALL: Final = re.compile(
    r"(?i)[\s,;(–—-]*(?:but )?(?:except|excluding|apart from|other than|save for|not (?:its|their|the)\b"
    r"|or\b|(?:(?:and|then) )*(?:replace|rewrite|rephrase|reword|redo|move|put) (?:it|them)\b)"
    r"|[^.;!?\n]*\bunless\b"
    r"|[^\n]{0,80}\b(?:keep|leave|retain|spare|save|preserve)(?:ing)?\b[^.;!?\n]*"
    r"\b(?:its|their|(?:of|from|in) (?:it|them))\b"
)
"""Behind an order to delete a part: it, or something of it, is to stay after all."""
_FORMS: Final[tuple[tuple[_Edit, str], ...]] = (
    *_ORDERS,
    ("delete", NOT_NEEDED),
    ("delete", NOT_WANTED),
    ("delete", rf"{LIST}@ {MUST} (?:go|be (?:{WORDINGS['deleted']})){TAIL}{END}"),
    ("combine", rf"{PAIR}@ {MUST} be(?:come)? (?:{_JOINED}|{_SINGLE}){IN_ONE}{TAIL}{END}"),
    ("swap", rf"{PAIR}@ {MUST} (?:be swapped|(?:swap|change|switch) places){TAIL}{END}"),
)
_SAID_BEHIND: Final = re.compile(
    rf"(?i)\b(?:go|need|want|{WORDINGS['not_needed']}|{WORDINGS['deleted']}|"
    rf"{_JOINED}|swapped|places|be(?:come)? (?:just )?(?:one|a single))\b"
)
"""One of these is in every wording that begins with the sentences; it spares the long patterns."""
_ONE: Final = rf"{NAMED}|the {NTH}"
_RANGE: Final = rf"(?P<low>{_NUMBER})(?:{_TO}(?P<high>{_NUMBER}))?"


def find_sentence_edits(text: str) -> Iterator[tuple[Span, SentenceEdit]]:
    """Every such demand of an instruction, with its place."""
    if "sentence" not in text.lower():
        return
    within = _WITHIN if "paragraph" in text.lower() else ""
    for edit, wording in _FORMS if _SAID_BEHIND.search(text) else _ORDERS:
        for match in spaced(wording.replace("@", within)).finditer(text):
            if not is_demand(text, match.start()) or (edit == "delete" and not is_deleted(text, match)):
                continue
            part = _paragraph(match.groupdict().get("within"))
            if part is None:
                continue
            try:
                yield Span(*match.span()), SentenceEdit(edit, tuple(numbers_of(match["named"])), part)
            except CallError:
                continue  # "combine the last sentence"


def is_deleted(text: str, match: re.Match[str], unit: str = "sentence") -> bool:
    """Whether what reads like an order to delete a part is one, beside all else that is said.

    >>> text = "Sentence 3 is redundant. Can you tighten it?"
    >>> is_deleted(text, next(spaced(NOT_NEEDED.replace("@", "")).finditer(text)))
    False
    """
    behind, said = text[match.end() :], match.groupdict()
    if _BUT_NOT_ALL.match(behind):
        return False
    is_opinion, is_unwanted = said.get("opinion") is not None, said.get("unwanted") is not None
    if not (is_opinion or is_unwanted):
        return True
    if NOTHING_ELSE.fullmatch(behind) is None and (is_opinion or _SAID_OF_IT.search(behind)):
        return False
    ahead = text[max(0, match.start() - _AROUND) : match.start()]
    elsewhere = {*numbers_of(ahead, unit), *numbers_of(behind[:_AROUND], unit)}
    return elsewhere.isdisjoint(numbers_of(match["named"], unit))


def _paragraph(said: str | None) -> str | None:
    """The name of a paragraph; empty where none is named, and None where there is no name for it."""
    if said is None:
        return ""
    numbers = list(numbers_of(said, "paragraph"))
    if len(numbers) != 1 or numbers[0] < -1:
        return None
    return "last paragraph" if numbers[0] < 0 else f"paragraph {numbers[0]}"


def numbers_of(said: str, unit: str = "sentence") -> Iterator[int]:
    """The numbers of all the parts that are named in a list of them, those from the end below zero."""
    for one in spaced(_ONE).finditer(said.lower().replace(unit, "sentence")):
        yield from _numbers(one.group())


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
        yield from (_place(part.group()) for part in spaced(NTH).finditer(low))


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
