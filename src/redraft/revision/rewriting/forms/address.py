"""People whom a text speaks of, such as "the applicant", spoken to as "you", their verbs with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from redraft.revision.rewriting.edits import WORDS, Edit, applied, capitalised
from redraft.revision.rewriting.voice.voice import forms_of
from redraft.text import Syntax, analyse_syntax, bases, plural, verb_forms

ROLES: Final = WORDS.reader_roles
"""Whom a text may be written for, in the singular."""
_PLURALS: Final[dict[str, str]] = {plural(one): one for one in ROLES}
_BE: Final = {"is": "are", "was": "were", "has": "have", "does": "do", "am": "are"}
_TAKEN_UP: Final = {
    "they": "you",
    "he": "you",
    "she": "you",
    "them": "you",
    "him": "you",
    "themselves": "yourself",
}
_OWN: Final = {"their": "your", "his": "your", "her": "your", "theirs": "yours"}
_DETERMINERS: Final = frozenset({"the", "a", "an", "each", "every", "any", "all"})
_BEFORE_MANY: Final = _DETERMINERS | {
    ",",
    "if",
    "when",
    "that",
    "and",
    "to",
    "for",
    "by",
    "from",
    "of",
    "with",
}
"""What may stand before several of them."""
_BY_YOU: Final = re.compile(
    r"(?<!\w)(?P<what>(?!is|are|was|were|be|been|being)[A-Za-z]+) (?P<done>[a-z]+(?:ed|en|t"
    r"|de))(?P<with> in| out| up)? by you\b"
)


def addressed_roles(sentences: Sequence[str]) -> frozenset[str]:
    """Whom a text speaks of and can speak to."""
    reads = map(analyse_syntax, sentences)
    found = (_role(read, at) for read in reads for at in range(len(read.words)))
    return frozenset(filter(None, found))


def to_reader(sentence: str, roles: frozenset[str]) -> str | None:
    """The sentence with "you" for whom it speaks of; None where it speaks of nobody, or a verb is in doubt.

    >>> to_reader("The applicant must sign both pages of his form.", frozenset({"applicant"}))
    'You must sign both pages of your form.'
    """
    read = analyse_syntax(sentence)
    edits: list[Edit] = []
    others = any(tag in ("NNP", "NNPS") and _role(read, at) == "" for at, tag in enumerate(read.tags) if at)
    seen = False
    at = 0
    while at < len(read.words):
        role = _role(read, at)
        word = read.words[at]
        if role in roles and not read.held[at]:
            end = at + 1
            start = at - 1 if at and read.low[at - 1] in _DETERMINERS else at
            new = "you"
            if read.tag(end) == "POS" or read.word(end) in ("'s", "'", "’s", "’"):
                new, end = "your", end + 1
            elif read.word(end) == "who":
                given = _given(read, end)
                if given is None:
                    return None
                verb, main = given
                edits.append(Edit(read.words[start].start, read.words[verb].start, "if you "))
                edits += [one] if (one := _second(read, verb)) else []
                return _finished(sentence, edits, read, main)
            elif read.tag(end) in ("NN", "NNS") and not _is_verb(read, end):
                return None  # "the customer service"
            elif read.tag(end) in ("IN", "TO") and start == 0:
                return _visiting(read, end, role)  # "members of the board" are left
            edits.append(Edit(read.words[start].start, read.words[end - 1].end, new))
            if new == "you":
                edits += _agreeing(read, end)
            seen = True
            at = end
            continue
        if read.low[at : at + 3] in (("he", "or", "she"), ("she", "or", "he")) and seen:
            edits.append(Edit(word.start, read.words[at + 2].end, "you"))
            at += 3
            continue
        if read.low[at] in _TAKEN_UP and seen and not others and not _plural_between(read, at):
            edits.append(Edit(word.start, word.end, _TAKEN_UP[read.low[at]]))
            edits += _agreeing(read, at + 1) if read.low[at] in ("he", "she") else []
        elif read.low[at] in _OWN and seen and not others and not _plural_between(read, at):
            edits.append(Edit(word.start, word.end, _OWN[read.low[at]]))
        at += 1
    if not edits:
        return None
    made = applied(sentence, edits)
    made = _BY_YOU.sub(_done_by_you, made)
    made = re.sub(r"\bits (?=(?:possession|behalf|expense|own)\b)", "your ", made)
    return capitalised(made) if sentence[:1].isupper() else made


def _done_by_you(found: re.Match[str]) -> str:
    """ "forms sent by you" as "forms you have sent"."""
    forms = forms_of(found["done"], "VBN")
    return f"{found['what']} you have {found['done']}{found['with'] or ''}" if forms else found[0]


def _visiting(read: Syntax, at: int, role: str) -> str | None:
    """ "Visitors to the museum should pay" as "when you visit the museum, you should pay"; with, as if."""
    end = read.noun_phrase(at + 1)
    when = "If you have" if read.low[at] == "with" else "When you visit" if role == "visitor" else ""
    if end == at + 1 or read.tag(end) != "MD" or not when:
        return None
    rest = re.sub(r"\btheir\b", "your", read.text[read.words[end].start :])
    return f"{when} {read.phrase_text(at + 1, end)}, you {rest}"


def _role(read: Syntax, at: int) -> str:
    """The role that a word names, in the singular; empty where it is none."""
    low = read.low[at]
    if low in ROLES and at and read.low[at - 1] in _DETERMINERS:
        return low
    if low in _PLURALS and read.tag(at).startswith("NN"):
        before = read.low[at - 1] if at else ""
        if not at or before in _BEFORE_MANY:
            return _PLURALS[low]
    return ""


def _is_verb(read: Syntax, at: int) -> bool:
    """Whether what looks like a noun is the verb of a role: "a user logs in"."""
    forms = forms_of(read.low[at], "VBZ") if read.low[at].endswith("s") else None
    if (
        forms is not None
        and at > 2
        and read.low[at - 3] in ("if", "when")
        and read.low[at - 2] in ("a", "an")
    ):
        return True
    return forms is not None and read.tag(at + 1) in ("IN", "DT", "RP", "TO", "PRP$", "PRP", "RB")


def _plural_between(read: Syntax, at: int) -> bool:
    """Whether other people or things stand nearer, of whom "they" may be said."""
    back = range(at - 1, -1, -1)
    for place in back:
        if _role(read, place):
            return False
        if read.tags[place] in ("NNS", "NNPS"):
            return True
    return False


def _agreeing(read: Syntax, at: int) -> list[Edit]:
    """The verb behind "you" in its form: "is" as "are", "pays" as "pay"; and those that share it."""
    while read.tag(at).startswith("RB") and read.word(at) not in ("not",):
        at += 1
    edits: list[Edit] = []
    new = _second(read, at)
    if new is None:
        return edits
    edits.append(new)
    for place in range(at + 1, len(read.words) - 1):
        joins = read.tags[place] == "CC" and read.low[place + 1].endswith("s")
        if joins and (read.tag(place + 1) == "VBZ" or read.tag(place + 2) in ("DT", "PRP$")):
            further = _second(read, place + 1)
            edits += [further] if further else []
        elif read.tags[place] in (",", ":", "WDT", "WP", "IN") and read.low[place] not in (
            "of",
            "for",
            "by",
            "in",
            "on",
        ):
            break
    return edits


def _second(read: Syntax, at: int) -> Edit | None:
    low = read.word(at)
    new = _BE.get(low)
    if new is None and read.tag(at) in ("VBZ", "NNS") and low.endswith("s"):
        new = next((one for one in bases(low, "VBZ") if verb_forms(one).third == low), None)
    return Edit(read.words[at].start, read.words[at].end, new) if new else None


def _given(read: Syntax, who: int) -> tuple[int, int] | None:
    """The verbs of "applicants who are late may …", where the main clause is a rule about them."""
    verb = who + 1
    if who > 2 or not read.tag(verb).startswith(("VB", "MD")):
        return None
    rest = range(verb + 1, len(read.words) - 1)
    finite = [
        at
        for at in rest
        if read.tags[at] in ("MD", "VBZ", "VBP") and read.tag(at - 1) not in ("TO", "MD", "WDT", "WP", "PRP")
    ]
    return (verb, finite[0]) if finite else None


def _finished(sentence: str, edits: list[Edit], read: Syntax, main: int) -> str:
    """ "Applicants who are late may wait" as "if you are late, you may wait"."""
    word = read.words[main]
    second = _second(read, main)
    verb = second.new if second else read.low[main]
    edits.append(Edit(read.words[main - 1].end, word.end, f", you {verb}"))
    made = applied(sentence, edits)
    return capitalised(re.sub(r"\b(?:their|they)\b", lambda one: _OWN.get(one[0], "you"), made))
