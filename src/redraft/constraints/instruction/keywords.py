"""Words and phrases that must stay, must go or must occur so often; what the text starts and ends with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from redraft.constraints.kinds import EndsWith, Keyword, KeywordFrequency, StartsWith

from .chunks import WINDOW, Chunk, Found, Line, fold, joined
from .governors import Governor, governor
from .relations import Bound, opposite, quantity, said

# "the words 'a', 'b' and the phrase 'c'"
# and not the second in "avoid 'a', and the word 'b' must stay"
_FURTHER_WORD = r"[,&|]{0,2}(?:[deA]{0,2}[wl][d:]?)?q"
_OWN_CLAUSE = r"(?:[vm]+!?[vm]*[KDUAVY8y]|U[dL]?F|y)"
_GROUP = re.compile(
    r"(?P<governed>(?<=[KDUFAV])|(?<=[KDUFAV]d)|(?<=[KDUFAV]dd))?(?:(?<![nr\[\]j])[wl][d:,]{0,2}|s[d:]{0,2})?q"
    rf"(?:(?(governed)(?!{_FURTHER_WORD}{_OWN_CLAUSE})){_FURTHER_WORD})*"
)
# "the number of times 'x' appears must be at least 3"
_COUNTED = re.compile(
    r"(?<=Q)(?:v?U)?[vmy2]*(?P<negation>![vm]*)?(?P<pre>[<>{}=~])?d?(?P<number>[nr])(?P<post>[\[\]{}])?"
)
_NUMBER_OF = re.compile("kt[de]*$")
_LIMITED = re.compile("[HKC][de]*k?t[de]*$")
_MENTIONS = ("mentions of", "occurrences of", "instances of", "appearances of", "uses of")
_FREQUENCY_BEHIND = re.compile(
    r"(?:[,&|]{1,2}[dei]*Q)*[:,]?[vmdeiL2]*+(?:(?P<negation>!)[vmdeiL]*+)?[UYy]?[vdeiL]{0,3}[xz]{0,1}[i2d]{0,2}[zdi]{0,2}F"
)
_FURTHER = re.compile(r"[,&|b]{1,2}[vmU]{0,2}F(?![de]{0,2}Q)")
_TIMES_AHEAD = re.compile(r"Q[vmdeiL2!UYy]{0,8}F[,&|]{1,2}[de]{0,2}$")
_FREQUENCY_BEFORE = re.compile(r"F[deiU2wl]{0,4}$")
_AFFIX = re.compile(
    r"(?P<negation>[!\-0D][vmd2]*)?(?P<verb>[TJ])(?P<object>[dzxegsR]{0,4})[hdi]{1,2}[dewl]{0,3}$"
)
_FIRST = re.compile(r"(?:o|9)[wlP][vmd]*$")
# "make 'x' the first words", "'x' should be the last thing one reads"
_FIRST_BEHIND = re.compile(r"[vmid]{0,5}(?:o|9)(?=[wlsz])")
_SWAP = re.compile(
    r"[VA][de]{0,3}Q[dix]{0,2}(?P<joint>[hd2i])[de]{0,2}Q|Q[vm]*(?P<passive>V)(?P<by>[hd])[de]{0,2}Q"
)
_EXCHANGED = re.compile("replac|swap|substitut")
_SOMEHOW = re.compile("(?:with|by|for) |everywhere|throughout|wherever|whenever|each time|every time")
_PAST = re.compile(r"\b(?:was|were|been|being)\b")
_TOUCHED = re.compile("touch|hands off")
_INSTEAD = re.compile(r"\b(?:instead|rather than)\b")
_OUT = re.compile(r"out\b")
_MUST_SAY = re.compile(
    r"\b(?:must|should(?! i\b| we\b)|shall|has to|have to|needs to|need to|ought to|is to|to it"
    r"|want (?:it|this|the \w+)(?: to)?)(?: \w+){0,2} (?:say|state|spell out|print|display|read)$"
    r"|\b(?:like|love|want|wants|need|hope|expect) to (?:see|read|hear)$"
    r"|\b(?:make|have|let) (?:sure )?(?:it|this|the \w+) (?:say|says|states?)$"
)
_HEDGED = re.compile(
    r"(?:too (?:often|much|many)|sparingly|carefully|less|more\b|to a minimum|as the|as an?\b)"
)


@dataclass(frozen=True, slots=True)
class Keywords:
    """A list of keywords."""

    texts: tuple[str, ...]


def fold_keywords(line: Line) -> Line:
    """The line with each list of keywords as one chunk."""
    return fold(fold(line, _GROUP, _group), _COUNTED, _counted)


def _group(line: Line, match: re.Match[str]) -> Chunk:
    quotations = [chunk for chunk in line.chunks[match.start() : match.end()] if chunk.tag == "q"]
    return joined(
        line, match.start(), match.end(), "Q", Keywords(tuple(str(chunk.value) for chunk in quotations))
    )


def _counted(line: Line, match: re.Match[str]) -> Chunk | None:
    at = match.start() - 1
    if not _NUMBER_OF.search(line.before(at)) and not line.words_before(at).endswith(_MENTIONS):
        return None
    relation = said(match["post"], match["pre"])
    if match["negation"]:
        relation = opposite(relation)
        if not relation:
            return None
    elif "2" in match.group():  # "limit the number of times 'x' appears to 3"
        if not _LIMITED.search(line.before(at)):
            return None
        relation = relation or "{"
    bound = quantity(line.chunks[match.start("number")], relation)
    return joined(line, match.start(), match.end(), "F", bound) if bound else None


def keyword_rules(line: Line) -> Iterator[Found]:
    """Every demand on keywords in a line."""
    swapped: set[int] = set()
    for match in _SWAP.finditer(line.tags):
        first, second = match.group().index("Q") + match.start(), match.end() - 1
        verb = line.chunks[match.start("passive") if match["passive"] else match.start()].text
        joint = line.chunks[match.start("by") if match["passive"] else match.start("joint")].text
        if not _swaps(verb, joint) or re.search(r"[!\-][vmd2]*$", line.before(match.start())):
            continue
        # Substitute the new for the old, but replace the old with the new.
        old, new = (second, first) if verb == "substitute" and joint == "for" else (first, second)
        swapped |= {first, second}
        yield from _all(line, old, match.start(), match.end(), "remove")
        yield from _all(line, new, match.start(), match.end(), "keep")
    for at, chunk in enumerate(line.chunks):
        if chunk.tag != "Q" or at in swapped:
            continue
        yield from _affix(line, at) or _frequency(line, at) or _kept(line, at)


def _swaps(verb: str, joint: str) -> bool:
    if verb.startswith(("replac", "substitut")):
        return joint in ("with", "by", "for")
    if verb.startswith("swap"):
        return joint in ("for", "with")
    return verb.startswith(("chang", "convert")) and joint in ("to", "into")


def _texts(line: Line, at: int) -> tuple[str, ...]:
    value = line.chunks[at].value
    return value.texts if isinstance(value, Keywords) else ()


def _all(line: Line, at: int, start: int, end: int, relation: Literal["keep", "remove"]) -> list[Found]:
    return [Found(Keyword(text, relation), start, end) for text in _texts(line, at)]


def _affix(line: Line, at: int) -> list[Found]:
    offset = max(0, at - WINDOW)
    left = line.before(at)
    kind: type[StartsWith | EndsWith] = StartsWith
    if match := _AFFIX.search(left):
        subject = re.split("[,&b]", left[max(0, match.start() - 8) : match.end()])[-1]
        if match["negation"] or re.search("e[d]*[sgP%]|[RPg]", subject):
            return []
        kind = StartsWith if match["verb"] == "T" else EndsWith
    elif match := _FIRST.search(left):
        chunk, noun = line.chunks[offset + match.start()], line.chunks[offset + match.start() + 1]
        if noun.tag == "P" and not noun.text.startswith("line"):
            return []
        if not (chunk.tag == "9" or chunk.value == 1):
            return []
        kind = EndsWith if chunk.tag == "9" else StartsWith
    elif behind := _FIRST_BEHIND.match(line.after(at)):
        chunk = line.chunks[at + behind.end()]
        if not (chunk.tag == "9" or chunk.value == 1):
            return []
        kind = EndsWith if chunk.tag == "9" else StartsWith
        return [Found(kind(text), at, at + 2 + behind.end()) for text in _texts(line, at)[:1]]
    else:
        return []
    return [Found(kind(text), offset + match.start(), at + 1) for text in _texts(line, at)[:1]]


def _frequency(line: Line, at: int) -> list[Found]:
    offset = max(0, at - WINDOW)
    right = line.after(at)
    verb = governor(line, at)
    start, end = (min(verb.start, at), verb.end) if verb else (at, at + 1)
    negated = bool(verb and verb.negated and verb.verb in "UYKW+" and verb.start < at)
    before = _FREQUENCY_BEFORE.search(line.before(at))
    match = _FREQUENCY_BEHIND.match(right)
    if match and "Q" in match.group() and (before or (verb and verb.start < at)):
        match = None  # "avoid 'a', and 'b' should occur twice"
    if match:
        where = at + match.end()
        negated = negated or bool(match["negation"])
        end = where + 1
    elif before:
        where = offset + before.start()
        start = min(start, where)
        negated = re.search(r"[!\-D][vUYW]*$", line.before(where)) is not None
        if verb and verb.verb == "D" and not negated:
            return []
    else:
        return []
    bound = line.chunks[where].value
    if not isinstance(bound, Bound):
        return []
    if verb is None and bound.relation in ("<", ">"):
        negated = negated or _negated_ahead(line, at)
    further = _FURTHER.match(line.after(where)) if where > at else None
    second = line.chunks[where + further.end()].value if further else None
    if where < at and (post := re.match(r",?([{}\[\]])", right)):
        bound = replace(bound, relation=said(post[1]))  # "two mentions of 'x' at most"
    if negated and not bound.relation and bound.low == bound.high > 1:
        negated, bound = False, replace(bound, relation="<")  # "don't say it twice"
    if bound.relation == "{":
        negated = False  # "try not to use it, twice at most"
    limited = bool(verb and verb.verb == "H")
    found = bound.resolved(negated, bare="{" if limited else "=")
    if further and isinstance(second, Bound):
        found += second.resolved(negated)  # "at least five times but no more than eight times"
        end = max(end, where + further.end() + 1)
    return [
        Found(KeywordFrequency(text, count, relation), start, end)
        for text in _texts(line, at)
        for count, relation in found
    ]


def _negated_ahead(line: Line, at: int) -> bool:
    """Whether a "not" is shared: "do not use 'a' more than twice, or 'b' more than once"."""
    match = _TIMES_AHEAD.search(line.before(at))
    if match is None:
        return False
    verb = governor(line, at - len(match.group()))
    return "!" in match.group() or bool(verb and verb.negated)


def _kept(line: Line, at: int) -> list[Found]:
    verb = governor(line, at)
    if verb is None or _NUMBER_OF.search(line.before(at)):
        return []
    behind = line.words_after(at)
    if _HEDGED.match(behind):
        return []
    relation = _relation(verb, out=_OUT.match(behind) is not None)
    if verb.verb in "YW" and not verb.negated and _INSTEAD.search(f"{line.words_before(at)} {behind}"):
        relation = "keep"
    if verb.verb == "V" and not verb.negated and _EXCHANGED.search(line.words(verb.start, verb.end)):
        passive = verb.end > at + 1 and not _PAST.search(line.words(at + 1, verb.end))
        relation = "remove" if passive or _SOMEHOW.match(behind) else None
    if verb.verb == "8" and _TOUCHED.search(line.words(verb.start, verb.end)):
        relation = "keep"
    if verb.verb == "Y" and not verb.negated and _states(line, verb):
        relation = "keep"
    return _all(line, at, verb.start, verb.end, relation) if relation else []


def _states(line: Line, verb: Governor) -> bool:
    """Whether "say" is a demand on the text: "it has to say 'x'"; not "a customer says 'x'"."""
    return _MUST_SAY.search(line.words_before(verb.start + 1)) is not None and "Q" not in line.before(
        verb.start
    )


def _relation(verb: Governor, *, out: bool) -> Literal["keep", "remove"] | None:
    if verb.verb in "KU+":
        return "remove" if verb.negated or out else "keep"
    if verb.verb in "DC8":
        return "keep" if verb.negated else "remove"
    if verb.verb in "AIV":
        return "keep" if verb.negated else None
    if verb.verb in "YW" and verb.negated:
        return "remove"
    return None
