"""Sentences named by their numbers: those that must stay, and those that alone may change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeGuard

from redraft.constraints.kinds import SentenceModification

from .bounds import Range, whole_number
from .governors import Governor, before, governor
from .lexicon import Tag
from .patterns import WINDOW, Chunk, Found, Line, fold, joined, pattern

_MOST_SENTENCES = 10_000
"""A range of more sentences than this is no range of sentences."""

_NTH = "ORDINAL TO DET? ORDINAL | ORDINAL NUMBER | LAST NUMBER | ORDINAL | LAST"
# "the 1st, 3rd to 5th and last sentences"; "the first three sentences"
_BY_ORDINAL = pattern("NTH (SENTENCE? JOINT{1,2} [DET EACH]{0,2} NTH){0,200} SENTENCE", NTH=_NTH)
# "sentences 2, 4-6 and 9", "sentence no. 3"; not "sentences 20 words long at most"
_BY_NUMBER = pattern(
    "SENTENCE NUMBERED (JOINT{1,2} (DET? SENTENCE)? NUMBERED)*",
    NUMBERED="[NUMBER_SIGN DETAIL]? AMOUNT (?![OR_MORE OR_FEWER ADJ UNIT TIMES])",
)
# "the first sentence and the third", "all sentences except the 2nd"
_ELLIPTIC = pattern(
    """
    (?<=[BUT EXCEPT DET JOINT]) NTH (JOINT{1,2} [DET EACH]{0,2} NTH){0,200} ONE?
    (?![^MARKER UNCHANGED AUX REMAIN WITH IN ENSURE] | LAST)
    """,
    NTH=_NTH,
)
# "my favourite sentences are 3 and 9"
_PREDICATED = pattern("(?<=AUX) AMOUNT (JOINT{1,2} AMOUNT)* [AND OR] AMOUNT (?=[COMMA COLON BUT] | $)")
# "second to last", "2nd and 3rd last", "third from the end"; "the third sentence from the end"
_BACK_ORDINAL = pattern("""
    (list: (ORDINAL JOINT{1,2}){0,20}) ORDINAL (back: ([TO DET OTHER] DET{0,2})? [LAST END OTHER])
    """)
_BACK_REFERENCE = pattern("""
    REFERENCE [COMMA AND]? (back: [TO DET OTHER] DET{0,2} [LAST END OTHER REFERENCE] ONE? | OTHER)
    """)
_FROM_END = re.compile(
    r"(?:from|to|before|through|thru|until|till) (?:the )?(?:very )?(?:end|bottom|back|(?:last|final)"
    r"(?: one| sentence)?)|last|onwards?"
)
# "counting from the end, keep the third sentence"
_BACKWARDS = re.compile(
    r" (?:count|number|start|go|work|read)(?:ing|ed)? (?:back|backwards?|(?:back |backwards? )?from the "
    r"(?:very )?(?:end|bottom|back|last)) |^ from the (?:end|bottom|back) , "
)
_COUNTED = pattern("REFERENCE (back:)")
_MERGED = pattern("REFERENCE (JOINT{1,2} [DET EACH IN]{0,2} REFERENCE)+")
# "the second sentence of each paragraph" is counted inside something else
_INSIDE = pattern("""
    REFERENCE ([DET IN]{1,9} | DET{0,9} [IN EACH]{1,9} DET{0,9}) ([EACH ORDINAL LAST]{0,9} PARAGRAPH | PART)
    """)


@dataclass(frozen=True, slots=True)
class Named:
    """Sentences that an instruction names."""

    numbers: tuple[int, ...]
    more: bool = False
    """Whether it also names some that have no number without the text: the last one."""


def fold_references(line: Line) -> Line:
    """The line with sentences named by number as one chunk each, lists of them together."""
    line = fold(line, _BACK_ORDINAL, _back_ordinal)
    line = fold(line, _BY_ORDINAL, _numbered)
    line = fold(line, _BY_NUMBER, _numbered)
    if pattern("[REFERENCE SENTENCE LIKEWISE]").search(line.tags):
        line = fold(line, _ELLIPTIC, _numbered)
    if Tag.SENTENCE in line.tags:
        line = fold(line, _PREDICATED, _predicated)
    line = fold(line, _INSIDE, _inside)
    line = fold(line, _COUNTED if _BACKWARDS.search(line.prose) else _BACK_REFERENCE, _back_reference)
    return fold(line, _MERGED, _merged)


def _numbers(line: Line, start: int, end: int) -> Named | None:
    """The numbers among some chunks."""
    numbers: set[int] = set()
    more = False
    at = start
    while at < end:
        chunk = line.chunks[at]
        tags = line.tags[at : min(at + 4, end)]
        step = 1
        if chunk.tag == Tag.LAST:
            more = True
            step = 2 if tags[1:2] == Tag.NUMBER else 1
        elif chunk.tag == Tag.RANGE and isinstance(chunk.value, Range):
            if chunk.value.high - chunk.value.low > _MOST_SENTENCES:
                return None
            numbers.update(range(chunk.value.low, chunk.value.high + 1))
        elif chunk.tag in (Tag.ORDINAL, Tag.NUMBER):
            low = high = whole_number(chunk.value)
            if tags.startswith(Tag.ORDINAL + Tag.NUMBER):
                high = whole_number(line.chunks[at + 1].value)
                if low != 1:
                    return None
                step = 2
            elif ranged := pattern("ORDINAL TO DET? ORDINAL").match(tags):
                high, step = whole_number(line.chunks[at + ranged.end() - 1].value), ranged.end()
            if low is None or high is None or not 1 <= low <= high or high - low > _MOST_SENTENCES:
                return None
            numbers.update(range(low, high + 1))
        at += step
    return Named(tuple(sorted(numbers)), more) if numbers or more else None


def _numbered(line: Line, match: re.Match[str]) -> Chunk | None:
    named = _numbers(line, match.start(), match.end())
    return joined(line, match.start(), match.end(), Tag.REFERENCE, named) if named else None


def _predicated(line: Line, match: re.Match[str]) -> Chunk | None:
    near = pattern("SENTENCE [^COMMA COLON BUT]{0,8} $").search(line.before(match.start()))
    return _numbered(line, match) if near else None


def _inside(line: Line, match: re.Match[str]) -> Chunk | None:
    joint, whole = line.chunks[match.start() + 1], line.chunks[match.end() - 1]
    if joint.text not in ("of", "in", "from", "on", "inside"):
        return None
    if whole.tag == Tag.PARAGRAPH and not whole.text.startswith("paragraphs"):
        which = line.chunks[match.end() - 2]
        first = which.tag == Tag.ORDINAL and which.value == 1
        if first or which.tag not in (Tag.EACH, Tag.ORDINAL, Tag.LAST):
            return None  # in the first paragraph sentences have the numbers that they have in the text
    return joined(line, match.start(), match.end(), Tag.PART, None)


def _back_ordinal(line: Line, match: re.Match[str]) -> Chunk | None:
    """An ordinal counted from the end is like "last"; it shares that with those listed before it."""
    if not _FROM_END.fullmatch(line.words(match.start("back"), match.end())):
        return None
    if match["list"] and line.chunks[match.start()].value == 1:
        return None  # "the first and second to last": the first is never counted from the end
    return joined(line, match.start(), match.end(), Tag.LAST, None)


def _back_reference(line: Line, match: re.Match[str]) -> Chunk | None:
    """Sentences counted from the end have no number without the text."""
    if match["back"] and not _FROM_END.fullmatch(line.words(match.start("back"), match.end())):
        return None
    return joined(line, match.start(), match.end(), Tag.REFERENCE, Named((), more=True))


def _merged(line: Line, match: re.Match[str]) -> Chunk:
    parts = [
        chunk.value for chunk in line.chunks[match.start() : match.end()] if isinstance(chunk.value, Named)
    ]
    numbers = tuple(sorted({number for part in parts for number in part.numbers}))
    named = Named(numbers, any(part.more for part in parts))
    return joined(line, match.start(), match.end(), Tag.REFERENCE, named)


_PARTS = {
    "DETERMINERS": "[DET EACH IN TO WITH]{0,4}",
    "ALL": "DET? EVERYTHING | EACH DET{0,2} SENTENCE | DET? SENTENCE",
    "NONE": "NOTHING | NO DET{0,2} [SENTENCE TEXT]",
    "ANY_CHANGE": "[CHANGE IMPROVE EDITS OTHER_VERB CUT]",
    "SAID": """
        (negation: ([NOT WITHOUT NO AVOID] | NONE) [AUX ENSURE DET TO]*)? (verb: VERB)
        (none: [TO DET EACH]* NONE)?
    """,
}


# Before the sentence: "only change …", "change only …", "limit your edits to …", "no changes outside …"
_ONLY_BEFORE = pattern(
    """
      ONLY [AUX ENSURE]* ANY_CHANGE OTHER? DETERMINERS $
    | ANY_CHANGE [AUX ENSURE DET EACH IN TO WITH]{0,4} ONLY DETERMINERS $
    | LIMIT [DET EACH OTHER]* [EDITS CHANGE] [DET EACH OTHER TEXT]{0,3} TO DETERMINERS $
    | [EDITS CHANGE] [AUX ENSURE DET EACH TEXT]* LIMIT TO DETERMINERS $
    | EDITS [AUX ENSURE OTHER WRITE]{1,4} ONLY DETERMINERS $
    | LIMIT OTHER? TO DETERMINERS $
    | ONLY [SENTENCE PART ONE OTHER]? [AUX DET ENSURE OTHER TO WITH IN]* [CHANGE EDITS IMPROVE]
      [AUX COLON TO]* DETERMINERS $
    | [NO WITHOUT NOT] [AUX ENSURE WRITE DET EACH]* EDITS [DET EACH OTHER]* EXCEPT DETERMINERS $
    | KEEP [DET EACH]* ALL [DET UNCHANGED IN]* [COMMA AND BUT]{1,2} [AUX ENSURE ONLY]* [CHANGE IMPROVE]
      DETERMINERS $
    """,
    **_PARTS,
)
# Behind it: "… only", "… and nothing else", "… is the only sentence that may change"
_ONLY_BEHIND = pattern(
    """
      COMMA? (ONLY (?!ANY_CHANGE) | [COMMA AND BUT]{1,2} NOTHING)
    | AUX [DET EACH]* ONLY [SENTENCE PART ONE OTHER]? [AUX DET ENSURE TO WITH]* [CHANGE EDITS IMPROVE]
    | UNCHANGED [AUX ENSURE]+ [CHANGE IMPROVE]
    """,
    **_PARTS,
)
# "polish the text, but only sentence 3": before the sentence, and behind it
_ONLY_AFTER_ALL = (
    pattern(
        "^ OTHERS* [CHANGE IMPROVE WRITE CUT OTHER] OTHERS* (only: BUT ONLY DET?) $",
        OTHERS="[^KEEP AVOID USE LIMIT REFERENCE]",
    ),
    pattern("$ | [COMMA COLON AND IN DET]"),
)
# "only sentence 3 may be changed"
_ONLY_AROUND = (
    pattern("ONLY DETERMINERS $", **_PARTS),
    pattern("UNCHANGED? [AUX ENSURE TO USE]* [CHANGE IMPROVE EDITS] (?![DET EACH IN]* REFERENCE)"),
)
_REST = pattern(
    """
    [^REFERENCE]{0,30}?
    (
          KEEP [DET EACH]* EVERYTHING
        | EVERYTHING [AUX ENSURE DET]* (REMAIN | KEEP | UNCHANGED | NOT)
        | NOT [AUX ENSURE]* ANY_CHANGE [DET EACH]* EVERYTHING
        | NOTHING [AUX ENSURE]* ANY_CHANGE
        | ANY_CHANGE NOTHING
        | WITHOUT [AUX ENSURE]* ANY_CHANGE [DET EACH]* EVERYTHING
    )
    """,
    **_PARTS,
)
# "… nothing but", "no sentence except", "the text, except for"
_EXCEPT = pattern(
    """
    (
          (what: NONE | ALL | EACH) ([IN DET] DET? TEXT)? UNCHANGED? COMMA? [EXCEPT BUT]
        | COMMA? EXCEPT
        | COMMA? BUT NOT
    )
    DETERMINERS $
    """,
    **_PARTS,
)
# What is said of the rest: before it ("change nothing but …"), or behind ("nothing but … changes").
_MAIN_VERB = "[KEEP CHANGE IMPROVE WRITE EDITS OTHER_VERB]"
_PREDICATE_VERB = "[KEEP CHANGE IMPROVE WRITE EDITS UNCHANGED REMAIN OTHER_VERB]"
_NONE = pattern("NONE", **_PARTS)
_MAIN = pattern("SAID", VERB=_MAIN_VERB, **_PARTS)
_OBJECT = pattern("VERB [TO DET EACH OTHER]* $", VERB=_MAIN_VERB)
_PREDICATE = pattern("[AUX ENSURE DET EACH ONLY]{0,6} SAID", VERB=_PREDICATE_VERB, **_PARTS)
_PREDICATE_FAR = pattern(
    "[^REFERENCE]{0,12}? [AUX ENSURE DET EACH ONLY]{0,6} SAID", VERB=_PREDICATE_VERB, **_PARTS
)
# "apart from sentence 3, nothing …", "except for sentence 3, leave everything …"
_FRONTED = (
    pattern("(^ | [COMMA COLON AND BUT]) ENSURE? DET? EXCEPT [DET EACH IN TO WITH]* $"),
    pattern(
        "COMMA [AUX ENSURE]* (NOT? [AUX ENSURE]* [KEEP CHANGE IMPROVE] [DET EACH]*)? (NONE | ALL)", **_PARTS
    ),
)


def sentence_rules(line: Line) -> Iterator[Found]:
    """Every demand on named sentences in a line."""
    kept: list[Found] = []
    for at, chunk in enumerate(line.chunks):
        if chunk.tag != Tag.REFERENCE or not isinstance(chunk.value, Named):
            continue
        read = _only(line, at) or _excepted(line, at) or _kept(line, at)
        if read is None:
            continue
        relation, start, end = read
        if not chunk.value.numbers or (chunk.value.more and relation == "change"):
            continue
        found = Found(SentenceModification(chunk.value.numbers, relation), start, end, chunk.value.more)
        if relation == "unchange":
            kept.append(found)
        else:
            yield found
    yield from _one_demand(kept)


def _one_demand(kept: list[Found]) -> Iterator[Found]:
    """What one line keeps is one demand: "the first sentence must stay, and so must the third"."""
    numbers: set[int] = set()
    for found in kept:
        assert isinstance(found.constraint, SentenceModification)
        numbers.update(found.constraint.sentences)
    if kept:
        whole = SentenceModification(tuple(sorted(numbers)), "unchange")
        yield from (replace(found, constraint=whole) for found in kept)


def rewrites(line: Line) -> list[int]:
    """The places of sentences that the line says to change, without saying that only they may."""
    return [at for at, tag in enumerate(line.tags) if tag == Tag.REFERENCE and _changes(before(line, at))]


def _changes(verb: Governor | None) -> TypeGuard[Governor]:
    return verb is not None and verb.verb in (Tag.CHANGE, Tag.IMPROVE, Tag.CUT) and not verb.negated


def keeps_rest(line: Line) -> bool:
    """Whether a line without sentence numbers says that the rest must stay."""
    if Tag.REFERENCE in line.tags or Tag.EXCEPT in line.tags:
        return False
    return _REST.match(line.tags) is not None


Read = tuple[Literal["change", "unchange"], int, int]


def _only(line: Line, at: int) -> Read | None:
    offset = max(0, at - WINDOW)
    left, right = line.before(at), line.after(at)
    if match := _ONLY_BEFORE.search(left):
        if pattern("[NOT WITHOUT]").match(left[match.start() - 1 : match.start()] or " "):
            return None  # "do not only change …"
        return "change", offset + match.start(), at + 1
    if (match := _ONLY_AROUND[0].search(left)) and (behind := _ONLY_AROUND[1].match(right)):
        return "change", offset + match.start(), at + 1 + behind.end()
    if (match := _ONLY_AFTER_ALL[0].search(left)) and _ONLY_AFTER_ALL[1].match(right):
        return "change", offset + match.start("only"), at + 1
    if (match := _ONLY_BEHIND.match(right)) and match.group()[0] in (Tag.AUX, Tag.UNCHANGED):
        return "change", at, at + 1 + match.end()
    changes = pattern("EDITS [AUX ENSURE DET EACH IN TO]* $").search(left)
    if changes and pattern("COMMA? ONLY").match(right):
        return "change", offset + changes.start(), at + 2
    verb = before(line, at)
    if _changes(verb):
        behind = _ONLY_BEHIND.match(right) or _REST.match(right) or pattern("UNCHANGED").match(right)
        if behind:
            return "change", verb.start, at + 1 + behind.end()
    return None


def _excepted(line: Line, at: int) -> Read | None:
    """ "Everything but this one": the opposite of what is said of the rest."""
    offset = max(0, at - WINDOW)
    left, right = line.before(at), line.after(at)
    match = _EXCEPT.search(left)
    if match is None:
        return None
    start = offset + match.start()
    stays_itself = pattern("COMMA .{0,3} ([REMAIN UNCHANGED OFF_LIMITS] | NOT AUX* CHANGE)")
    if line.words(at + 2, at + 3).startswith(("which", "that")) and stays_itself.match(right):
        return "unchange", start, at + 1
    what = match["what"] or ""
    mains = list(_MAIN.finditer(left[: match.end()]))
    main = mains[-1] if mains else None
    if main is None or (_FRONTED[0].search(left) and _FRONTED[1].match(right)):
        main = behind = _PREDICATE_FAR.match(right)
    elif what and not _OBJECT.search(left[: match.start("what")]) and (behind := _PREDICATE.match(right)):
        main = behind
    else:
        start, behind = offset + main.start(), pattern("UNCHANGED").match(right)
    if main is None:
        return None
    end = at + 1 + (behind.end() if behind else 0)
    none = _NONE.search(what + main.group()) is not None
    stays = _stays(main["verb"], negated=none or main["negation"] is not None)
    if not stays and Tag.BUT in main.group():
        return None  # "I like all sentences except the fifth, so fix that one"
    if stays is None or (stays and pattern("COMMA* BUT NOT").match(match.group())):
        return None
    return ("change" if stays else "unchange"), start, end


def _stays(verb: str, *, negated: bool) -> bool | None:
    """Whether the rest stays by what is said of it; None where that is not clear."""
    if verb in (Tag.KEEP, Tag.UNCHANGED, Tag.REMAIN):
        return None if negated else True
    return True if negated else None if verb == Tag.OTHER_VERB else False


def _kept(line: Line, at: int) -> Read | None:
    verb = governor(line, at)
    if verb is None:
        return None
    stays = verb.verb == Tag.CHANGE if verb.negated else verb.verb == Tag.KEEP
    return ("unchange", verb.start, verb.end) if stays or verb.verb == Tag.OFF_LIMITS else None
