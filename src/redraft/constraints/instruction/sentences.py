"""Sentences named by their numbers: those that must stay, and those that alone may change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from redraft.constraints.instruction.bounds import Range, whole_number
from redraft.constraints.instruction.chunks import WINDOW, Chunk, Found, Line, fold, joined
from redraft.constraints.instruction.governors import before, governor
from redraft.constraints.kinds import SentenceModification

_MOST = 10_000
"""A range of more sentences than this is no range of sentences."""


# "the 1st, 3rd to 5th and last sentences"; "the first three sentences"
_ORDINAL = r"(?:o2d?o|on|9n|o|9)"
_BY_ORDINAL = re.compile(rf"{_ORDINAL}(?:s?[,&|]{{1,2}}[de]{{0,2}}{_ORDINAL}){{0,200}}s")
# "sentences 2, 4-6 and 9", "sentence no. 3"; not "sentences 20 words long at most"
_NUMBER = r"[#N]?[nr](?![\[\]jwgct]|s)"
_BY_NUMBER = re.compile(rf"s{_NUMBER}(?:[,&|]{{1,2}}(?:d?s)?{_NUMBER})*")
# "the first sentence and the third", "all sentences except the 2nd"
_ELLIPTIC = re.compile(
    rf"(?<=[,&|bXd]){_ORDINAL}(?:[,&|]{{1,2}}[de]{{0,2}}{_ORDINAL}){{0,200}}1?(?![a-zA-Z](?<![uvyhim])|[9no])"
)
# "my favourite sentences are 3 and 9"
_PREDICATED = re.compile(r"(?<=v)[nr](?:[,&|]{1,2}[nr])*[&|][nr](?=[,:b]|$)")
# "second to last", "2nd and 3rd last", "third from the end"; "the third sentence from the end"
_BACK_ORDINAL = re.compile(r"(?P<list>(?:o[,&|]{1,2}){0,20})o(?P<back>(?:[2dx]d{0,2})?[9Jx])")
_BACK_REFERENCE = re.compile(r"R[,&]?(?P<back>[2dx]d{0,2}[9JxR]1?|x)")
_FROM_END = re.compile(
    r"(?:from|to|before|through|thru|until|till) (?:the )?(?:very )?(?:end|bottom|back|(?:last|final)"
    r"(?: one| sentence)?)|last|onwards?"
)
# "counting from the end, keep the third sentence"
_BACKWARDS = re.compile(
    r" (?:count|number|start|go|work|read)(?:ing|ed)? (?:back|backwards?|(?:back |backwards? )?from the "
    r"(?:very )?(?:end|bottom|back|last)) |^ from the (?:end|bottom|back) , "
)
_COUNTED = re.compile("R(?P<back>)")
_MERGED = re.compile(r"R(?:[,&|]{1,2}[dei]{0,2}R)+")
# "the second sentence of each paragraph" is counted inside something else
_INSIDE = re.compile(r"R(?:[di]{1,9}|d{0,9}[ie]{1,9}d{0,9})(?:[eo9]{0,9}g|P|^)")


@dataclass(frozen=True, slots=True)
class Named:
    """Sentences that an instruction names."""

    numbers: tuple[int, ...]
    more: bool = False
    """Whether it also names some that have no number without the text: the last one."""


def fold_references(line: Line) -> Line:
    """The line with sentences named by number as one chunk each, lists of them together."""
    line = fold(line, _BACK_ORDINAL, _back_ordinal)
    line = fold(line, _BY_ORDINAL, _by_ordinal)
    line = fold(line, _BY_NUMBER, _by_number)
    if re.search("[Rs6]", line.tags):
        line = fold(line, _ELLIPTIC, _elliptic)
    if "s" in line.tags:
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
        if chunk.tag == "9":
            more = True
            step = 2 if tags[1:2] == "n" else 1
        elif chunk.tag == "r" and isinstance(chunk.value, Range):
            if chunk.value.high - chunk.value.low > _MOST:
                return None
            numbers.update(range(chunk.value.low, chunk.value.high + 1))
        elif chunk.tag in "on":
            low = high = whole_number(chunk.value)
            if chunk.tag == "o" and tags.startswith("on"):
                high = whole_number(line.chunks[at + 1].value)
                if low != 1:
                    return None
                step = 2
            elif ranged := re.match("o2d?o", tags):
                high, step = whole_number(line.chunks[at + ranged.end() - 1].value), ranged.end()
            if low is None or high is None or not 1 <= low <= high or high - low > _MOST:
                return None
            numbers.update(range(low, high + 1))
        at += step
    return Named(tuple(sorted(numbers)), more) if numbers or more else None


def _by_ordinal(line: Line, match: re.Match[str]) -> Chunk | None:
    named = _numbers(line, match.start(), match.end())
    return joined(line, match.start(), match.end(), "R", named) if named else None


def _predicated(line: Line, match: re.Match[str]) -> Chunk | None:
    near = re.search("s[^,:b]{0,8}$", line.before(match.start()))
    return _by_ordinal(line, match) if near else None


_by_number = _elliptic = _by_ordinal


def _inside(line: Line, match: re.Match[str]) -> Chunk | None:
    joint, whole = line.chunks[match.start() + 1], line.chunks[match.end() - 1]
    if joint.text not in ("of", "in", "from", "on", "inside"):
        return None
    first = match.group().endswith("og") and line.chunks[match.end() - 2].value == 1
    if whole.tag == "P" or (match.group()[-2] in "eo9" and not first) or whole.text.startswith("paragraphs"):
        return joined(line, match.start(), match.end(), "P", None)
    return None


def _back_ordinal(line: Line, match: re.Match[str]) -> Chunk | None:
    """An ordinal counted from the end is like "last"; it shares that with those listed before it."""
    if not _FROM_END.fullmatch(line.words(match.start("back"), match.end())):
        return None
    if match["list"] and line.chunks[match.start()].value == 1:
        return None  # "the first and second to last": the first is never counted from the end
    return joined(line, match.start(), match.end(), "9", None)


def _back_reference(line: Line, match: re.Match[str]) -> Chunk | None:
    """Sentences counted from the end have no number without the text."""
    if match["back"] and not _FROM_END.fullmatch(line.words(match.start("back"), match.end())):
        return None
    return joined(line, match.start(), match.end(), "R", Named((), more=True))


def _merged(line: Line, match: re.Match[str]) -> Chunk:
    parts = [
        chunk.value for chunk in line.chunks[match.start() : match.end()] if isinstance(chunk.value, Named)
    ]
    numbers = tuple(sorted({number for part in parts for number in part.numbers}))
    return joined(line, match.start(), match.end(), "R", Named(numbers, any(part.more for part in parts)))


_DET = "[dei2h]{0,4}"
_ALL = r"(?:[d]?\*|ed{0,2}s|d?s)"
_CHANGE = "[AIaVC]"
_BUT = "(?:X|b)"

# Before the sentence: "only change …", "change only …", "limit your edits to …", "no changes outside …"
_ONLY_BEFORE = re.compile(
    rf"L[vm]*{_CHANGE}[x]?{_DET}$"
    rf"|{_CHANGE}[vmdei2h]{{0,4}}L{_DET}$"
    rf"|H[dex]*[aA][dexz]{{0,3}}2{_DET}$"
    rf"|[aA][vmdez]*H2{_DET}$"
    rf"|a[vmxW]{{1,4}}L{_DET}$"
    rf"|Hx?2{_DET}$"
    rf"|L[sP1x]?[vdmx2hi]*[AaI][v:2]*{_DET}$"
    rf"|[0\-!][vmWde]*a[dex]*X{_DET}$"
    rf"|K[de]*{_ALL}[dui]*[,&b]{{1,2}}[vmL]*[AI]{_DET}$"
)
# Behind it: "… only", "… and nothing else", "… is the only sentence that may change"
_ONLY_BEHIND = re.compile(rf"[,]?(?:L(?!{_CHANGE})|[,&b]{{1,2}}Z)|v[de]*L[sP1x]?[vdm2h]*[AaI]|u[vm]+[AI]")
# "polish the text, but only sentence 3"
_ONLY_AFTER_ALL = re.compile(r"^[^KDUHR]*[AIWCx][^KDUHR]*bLd?$"), re.compile(r"(?:$|[,:&]|[id])")
_ONLY_AROUND = re.compile(rf"L{_DET}$"), re.compile(r"u?[vm2U]*[AIa](?![dei]*R)")
_REST = re.compile(
    rf"[^R]{{0,30}}?(?:K[de]*\*|\*[vmd]*(?:y|K|u|!)|![vm]*{_CHANGE}[de]*\*|Z[vm]*{_CHANGE}|{_CHANGE}Z|-[vm]*{_CHANGE}[de]*\*)"
)
# "… nothing but", "no sentence except", "the text, except for"
_NONE = "(?:Z|0d{0,2}[sz])"
_EXCEPT = re.compile(rf"(?:(?P<what>{_NONE}|{_ALL}|e)(?:[id]d?z)?u?,?{_BUT}|,?X|,?b!){_DET}$")
# What is said of the rest: before it ("change nothing but …"), or behind ("nothing but … changes").
_MAIN = re.compile(rf"(?P<negation>(?:[!\-0D]|{_NONE})[vmd2]*)?(?P<verb>[KAIWaV])(?P<none>[2de]*{_NONE})?")
_OBJECT = re.compile(r"[KAIWaV][2dex]*$")
_PREDICATE = re.compile(rf"[vmdeL]{{0,6}}{_MAIN.pattern.replace('KAIWaV', 'KAIWauyV')}")
_PREDICATE_FAR = re.compile(rf"[^R]{{0,12}}?{_PREDICATE.pattern}")
# "apart from sentence 3, nothing …", "except for sentence 3, leave everything …"
_FRONTED = (
    re.compile(r"(?:^|[,:&b])m?d?X[dei2h]*$"),
    re.compile(rf",[vm]*(?:!?[vm]*[KAI][de]*)?(?:{_NONE}|{_ALL})"),
)


def sentence_rules(line: Line) -> Iterator[Found]:
    """Every demand on named sentences in a line."""
    kept: list[Found] = []
    for at, chunk in enumerate(line.chunks):
        if chunk.tag != "R" or not isinstance(chunk.value, Named):
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
    yield from _together(kept)


def _together(kept: list[Found]) -> Iterator[Found]:
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
    found = []
    for at, chunk in enumerate(line.chunks):
        if chunk.tag == "R" and (verb := before(line, at)) and verb.verb in "AIC" and not verb.negated:
            found.append(at)
    return found


def keeps_rest(line: Line) -> bool:
    """Whether a line without sentence numbers says that the rest must stay."""
    return "R" not in line.tags and "X" not in line.tags and _REST.match(line.tags) is not None


Read = tuple[Literal["change", "unchange"], int, int]


def _only(line: Line, at: int) -> Read | None:
    offset = max(0, at - WINDOW)
    left, right = line.before(at), line.after(at)
    if match := _ONLY_BEFORE.search(left):
        if re.match(r"[!\-]", left[match.start() - 1 : match.start()] or " "):
            return None  # "do not only change …"
        return "change", offset + match.start(), at + 1
    if (match := _ONLY_AROUND[0].search(left)) and (behind := _ONLY_AROUND[1].match(right)):
        return "change", offset + match.start(), at + 1 + behind.end()
    if (match := _ONLY_AFTER_ALL[0].search(left)) and _ONLY_AFTER_ALL[1].match(right):
        return "change", at - 2 - left.endswith("d"), at + 1
    if (match := _ONLY_BEHIND.match(right)) and match.group()[0] in "vu":
        return "change", at, at + 1 + match.end()
    changes = re.search("a[vmdei2]*$", left)
    if changes and re.match(",?L", right):
        return "change", offset + changes.start(), at + 2
    verb = before(line, at)
    if verb and verb.verb in "AIC" and not verb.negated:
        behind = _ONLY_BEHIND.match(right) or _REST.match(right) or re.match("u", right)
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
    if re.match("which|that", line.words(at + 2, at + 3)) and re.match(",.{0,3}(?:[yu8]|!v*A)", right):
        return "unchange", start, at + 1
    what = match["what"] or ""
    mains = list(_MAIN.finditer(left[: match.end()]))
    main = mains[-1] if mains else None
    if main is None or (_FRONTED[0].search(left) and _FRONTED[1].match(right)):
        main = behind = _PREDICATE_FAR.match(right)
    elif what and not _OBJECT.search(left[: match.start("what")]) and (behind := _PREDICATE.match(right)):
        main = behind
    else:
        start, behind = offset + main.start(), re.match("u", right)
    if main is None:
        return None
    end = at + 1 + (behind.end() if behind else 0)
    none = re.search(_NONE, what + main.group()) is not None
    stays = _stays(main["verb"], negated=none or main["negation"] is not None)
    if not stays and "b" in main.group():
        return None  # "I like all sentences except the fifth, so fix that one"
    if stays is None or (stays and match.group().lstrip(",").startswith("b!")):
        return None
    return ("change" if stays else "unchange"), start, end


def _stays(verb: str, *, negated: bool) -> bool | None:
    """Whether the rest stays by what is said of it; None where that is not clear."""
    if verb in "Kuy":
        return None if negated else True
    return True if negated else None if verb == "V" else False


def _kept(line: Line, at: int) -> Read | None:
    verb = governor(line, at)
    if verb is None:
        return None
    if verb.verb == "8" or (verb.verb == "K" and not verb.negated) or (verb.verb == "A" and verb.negated):
        return "unchange", verb.start, verb.end
    return None
