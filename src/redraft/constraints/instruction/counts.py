"""What a bound is a bound on: the whole text, every sentence, or something that no constraint can name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from redraft.constraints.base import Constraint
from redraft.constraints.instruction.bounds import (
    Bound,
    delta,
    demanded,
    described,
    negation,
    opposite,
    quantity,
    remarked,
    said,
)
from redraft.constraints.instruction.chunks import Chunk, Found, Line, fold, joined
from redraft.constraints.kinds import CharacterCount, ParagraphCount, SentenceCount, SentenceLength, WordCount

_EVERY = re.compile(r"j?(?:%|[id]ed?s|ed?s(?=[,:&|b]|$)|e(?=[,:&|bi]|$))")
_LIMIT_OF_EACH = re.compile(r"v[dj]*[H{}](?:%|[id]ed?s)")
"""Behind a number: "… is the limit for any sentence"."""
_TOTAL = re.compile(
    r"[,]?(?:in total|overall|total|altogether|in all|in its entirety|all told|for the (?:whole|entire))\b"
)
_REST = re.compile("rest|remain|other|else")
_AVERAGE = re.compile("averag|avg")
_NONE = ("none", "not one", "not a single one")
_FAR = 30
"""A subject stands no more chunks than this before its bound."""
_LONG_SENTENCE = 80
"""Nobody asks for sentences of so many words: such a bound is on the text."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What is bounded, and the chunks from its mention to the bound."""

    sentence: bool
    start: int
    end: int


def scope_of(line: Line, at: int, bound: Bound, taken: set[tuple[str, str]]) -> Scope | None:
    """The scope of a bound; None where it is a part of the text that no constraint can name, or an average.

    `taken` holds the per-sentence bounds that the line already has.
    """
    if line.tags.startswith("^", at + 1) or _AVERAGE.search(line.words(at + 1, at + 4)):
        return None
    if match := _EVERY.match(line.tags, at + 1) or _LIMIT_OF_EACH.match(line.tags, at + 1):
        return Scope(True, at, match.end())
    if line.chunks[at].text.startswith("nothing") and (_of(line, at) or line.topic) == "s" and _short(bound):
        return Scope(True, at, at + 1)
    if _TOTAL.match(line.words_after(at)):
        return Scope(False, at, at + 2)
    return _before(line, at, bound, taken)


def _short(bound: Bound) -> bool:
    return bound.unit in ("w", "") and bound.high < _LONG_SENTENCE


def _before(line: Line, at: int, bound: Bound, taken: set[tuple[str, str]]) -> Scope | None:
    separated = False
    index = at - 1
    while index >= max(0, at - _FAR):
        chunk, behind = line.chunks[index], line.tags[index + 1 : at]
        tag = chunk.tag
        if _AVERAGE.search(chunk.text):
            return None
        if tag in ",&|b:":
            separated = separated or tag != ":"
        elif (
            (tag == "R" and not separated)
            or (tag == "P" and not separated)
            or (tag == "g" and _of_parts(line, index))
        ) or (tag == "*" and not separated and _REST.search(chunk.text)):
            return None
        elif tag == "z" and not re.search("s[id]d?$", line.before(index)):
            return Scope(False, index, at + 1)
        elif tag == "B" and not separated and re.fullmatch(r"(?:d|h|hd|e|he|v|hv)?", behind):
            inner = chunk.value
            if isinstance(inner, Bound) and inner.unit == "s" and bound.unit in ("w", ""):
                each = bound.high < _LONG_SENTENCE
                return Scope(each, index + 1 if each else at, at + 1)
            if isinstance(inner, Bound) and inner.unit == "g" and inner.low == inner.high == 1:
                return Scope(False, at, at + 1)  # "one paragraph of at most 100 words"
            if isinstance(inner, Bound) and inner.unit == "g":
                return None
        elif tag == "0" and chunk.text.startswith(_NONE) and not re.match("[de]*[swgPx]", behind):
            return _none(line, index, at, bound)
        elif tag in "s%" or (
            tag == "e" and chunk.text not in ("any", "both") and re.match(r"[dhvmOUxB]|$|[:<>{}=]", behind)
        ):
            if tag == "e" and (re.match("e[d]?[gP]", line.tags[index:at]) or _of(line, index) == "g"):
                return None
            return _sentence(line, index, at, bound, separated, taken)
        elif tag in "wc" and line.tags[index - 1 : index] in ("e", "0"):
            return None
        index -= 1
    return Scope(False, at, at + 1)


def _none(line: Line, index: int, at: int, bound: Bound) -> Scope | None:
    """The scope of "none of them should exceed 20 words": whatever was spoken of last."""
    of_sentences = (_of(line, index) or line.topic) == "s" and bound.unit in ("w", "")
    return Scope(True, index, at + 1) if of_sentences else None


def _of(line: Line, index: int) -> str:
    """The unit that is spoken of last before a place: "four paragraphs, each with …"."""
    for chunk in reversed(line.chunks[max(0, index - _FAR) : index]):
        unit = chunk.value.unit[:1] if isinstance(chunk.value, Bound) else chunk.tag
        if unit in tuple("sgP"):
            return unit
    return ""


def _of_parts(line: Line, index: int) -> bool:
    """Whether a mention of paragraphs means some of them, and not the text that is one."""
    head = line.tags[max(0, index - 2) : index]
    return line.chunks[index].text != "paragraph" or re.search("[eo90]d?$", head) is not None


def _sentence(
    line: Line, index: int, at: int, bound: Bound, separated: bool, taken: set[tuple[str, str]]
) -> Scope | None:
    start = index - len(line.before(index)) + len(line.before(index).rstrip("e0d"))
    firm = line.tags[index] == "e" or re.search("[e0]", line.tags[start:index]) is not None
    if _AVERAGE.search(line.words(start - 2, start)):
        return None
    relations = {relation for _, relation in bound.resolved(False)}
    repeated = (
        separated and line.tags[at - 1] != "|" and bool(taken & {("w", relation) for relation in relations})
    )
    too_long = bound.high >= _LONG_SENTENCE and (separated or not firm)
    if repeated or too_long or bound.unit not in ("w", "", "w%", "c"):
        return Scope(False, at, at + 1)
    return None if bound.unit == "c" else Scope(True, start, at + 1)


_JOINT = re.compile(r"([,&|b]{1,2}[dhm]{0,2})B")


def elided(line: Line, at: int, last: int | None) -> str:
    """The unit that a bound shares with the next one: "more than 5 but fewer than 10 sentences".

    Empty where it shares that of the `last` one: "fewer than 10 sentences but more than 5, under 90 words".
    """
    behind = _JOINT.match(line.tags, at + 1)
    following = line.chunks[behind.end() - 1].value if behind else None
    if behind is None or not isinstance(following, Bound):
        return ""
    if last is None:
        return following.unit[:1]
    after = _width(line, at, behind.end() - 1)
    ahead = _JOINT.fullmatch(line.tags, last + 1, at + 1)
    before = _width(line, last, at) if ahead else 0
    if after <= 1:
        return ""
    if ahead is None or before <= 1 or ("b" in behind[1] and "b" not in ahead[1]) or after < before:
        return following.unit[:1]
    return ""


def excludes(line: Line, at: int, last: int) -> bool:
    """Whether a bound and the `last` one, which it is joined to, leave no number if they share a unit."""
    return _JOINT.fullmatch(line.tags, last + 1, at + 1) is not None and 0 < _width(line, last, at) <= 1


def _width(line: Line, one: int, other: int) -> float:
    """How many times the lower of two bounds the upper is; nothing where both are lower or both upper."""
    ends: dict[str, int] = {}
    for at in (one, other):
        bound = line.chunks[at].value
        if isinstance(bound, Bound):
            ends |= {relation: count for count, relation in bound.resolved(negation(line, at)[0])}
    low, high = ends.get("more than"), ends.get("less than")
    return 0 if low is None or high is None else high / max(low, 1)


_AROUND = r"[<>{}=~]"
# "no more than about exactly": nobody says twenty of them in a row, and a row without end takes no more time.
_AROUND_MORE = rf"(?:[dkjeL:]{{0,2}}{_AROUND}){{0,20}}+"
_NO_NUMBER = r"(?![dL:]{0,2}[nrRf])"
# "no more than 300 words", "300 words or fewer", "300-word limit", "300+ words"; "over 200, under 300, words"
_WITH_UNIT = re.compile(
    rf"(?:(?P<pre>{_AROUND}{_AROUND_MORE})[dL:]{{0,2}})?(?P<number>[nr])(?P<mid>[\[\]{{}}=~])?"
    rf"(?:[jde]{{0,2}}|,(?=[wsgc](?:[,:&|b]|$)))(?P<unit>[wsgc])(?![:]?[qQ])(?P<each>%(?=,?[{{}}\[\]]))?"
    rf"(?P<post>[\[\]]|j?,?[{{}}=~]{_NO_NUMBER}|[{{}}=](?=d[<>{{}}=]?[nr])|j?k?H(?!2))?j?"
)
# "word limit: 250", "word count under 300", "max sentences: 12", "number of words: 200-250"
_UNIT_FIRST = re.compile(
    rf"(?P<first>[{{}}=])?d?(?:(?P<unit>[wsgc])|(?P<number_of>k)d?(?P<counted>[wsgc]))(?P<noun>%?[kH]{{1,2}}%?|%)?(?P<per>dd?ed?s)?"
    rf"[:dvm2iy,Cz]{{0,6}}(?P<negation>![vmC]*)?(?P<pre>(?:{_AROUND}[dL:]{{0,2}}){{0,20}}+)"
    r"(?P<number>[nr])(?P<post>[\[\]{}=~])?(?![jde]{0,2}[wsgctxfN#zP])"
)
_PAIRED = rf"(?:{_AROUND}[dL:]{{0,2}}[nr][\[\]]?[,&|b]{{1,2}})?"
# "keep it under 300", "fewer than 380 words but more than 360"
_WITHOUT_UNIT = re.compile(
    rf"(?P<pre>{_AROUND}{_AROUND_MORE})[dL:]{{0,2}}(?P<number>[nr])(?P<post>[\[\]{{}}~])?(?=[,:&|bhi%mv2]|$)"
    rf"|(?P<of>{_AROUND})(?P<some>[nr])d[vd]"
    rf"|(?<=2)(?P<bare>[nr])(?P<most>[\[\]{{}}~])?(?=[,:&|b]|$)"
    rf"|(?<=B[,&|b])(?P<late>[nr])(?P<latest>[\[\]{{}}])(?=[,:&|b]|$)"
)
_KINDS: dict[str, type[WordCount | SentenceCount | ParagraphCount | CharacterCount]] = {
    "w": WordCount,
    "s": SentenceCount,
    "g": ParagraphCount,
    "c": CharacterCount,
}
_KNOWN = ("the", "these", "those", "this", "that", "my", "our", "your")
# "I can only use 75 words", "we only have 90 words", "you get 100 words"
_SCARCE = re.compile(
    r"\b(?:only|just) (?:has|have|got|get|gets|allows?|accepts?|permits?|room|space|fits?|takes?|"
    r"lets?|holds?|gives?|given|afford)(?: (?:to|you|us|me|for|of|room|space|use|have|spend|got)){0,3}$"
    r"|\b(?:can|may|could|have|has|got|get|gets) only "
    r"(?:(?:be|have|use|take|fit|hold|run|to|spend|accept|contain|got) ?){1,3}$"
    r"|\b(?:allows?|permits?|accepts?|gives|holds?|fits?|affords?|grants?|got)"
    r"(?: (?:you|us|me|for|only|just))*$"
)
_FEWEST = 10
"""A text of fewer words than this is not asked for without saying "words"."""


def fold_bounds(line: Line) -> Line:
    """The line with every number that is bound to a unit as one chunk."""
    line = fold(line, _WITH_UNIT, _with_unit)
    line = fold(line, _UNIT_FIRST, _unit_first)
    return fold(line, _WITHOUT_UNIT, _without_unit)


def _with_unit(line: Line, match: re.Match[str]) -> Chunk | None:
    middle = line.tags[match.end("number") : match.start("unit")]
    if "e" in middle:
        return None  # "2 of every sentence"
    post = "{" if match["post"] and "H" in match["post"] else match["post"]
    if line.tags[match.start() - 1 : match.start()] in ("o", "9") and not match["pre"]:
        return None
    # "a total of 9 sentences at most"
    pre = "" if match["pre"] == "=" and said(post, match["mid"]) in tuple("{}") else match["pre"]
    bound = quantity(
        line.chunks[match.start("number")],
        said(post, match["mid"], pre),
        match["unit"] + (match["each"] or ""),
    )
    return joined(line, match.start(), match.end(), "B", bound) if bound else None


def _unit_first(line: Line, match: re.Match[str]) -> Chunk | None:
    unit = match["unit"] or match["counted"]
    noun = match["noun"] or ""
    words = line.words(match.start(), match.start("number"))
    if unit == "s" and "length" in words:
        unit = "w%"
    named = bool(match["number_of"] or match["first"] or re.search("[kH%]", noun) or ":" in match.group())
    if not named and unit != "w":
        return None
    if not named and not match["pre"]:
        return None
    relation = said(match["first"], match["post"], match["pre"])
    if not relation and ("H" in noun or re.search("H[de]*$", line.before(match.start()))):
        relation = "{"
    if match["negation"]:
        relation = opposite(relation)
        if not relation:
            return None
    if ("%" in noun or match["per"]) and not unit.endswith("%"):
        unit += "%"
    bound = quantity(line.chunks[match.start("number")], relation or "=", unit)
    return joined(line, match.start(), match.end(), "B", bound) if bound else None


def _without_unit(line: Line, match: re.Match[str]) -> Chunk | None:
    if match["some"]:
        return _of_them(line, match)
    where = next(group for group in ("bare", "late", "number") if match[group])
    relation = said(match["latest"], match["post"], match["most"], match["pre"])
    number = line.chunks[match.start(where)]
    bound = quantity(number, relation)
    if number.text == "one" or (
        bound and bound.high < _FEWEST and "B" not in line.tags and "s" not in line.tags
    ):
        return None
    if bound and _opens_range(line, match.end(), bound):
        return joined(line, match.start(), match.end(), "B", bound)
    left = line.tags[max(0, match.start() - 12) : match.start()]
    # A number of nothing is a length only where something that has a length is kept, cut or so long.
    if match["bare"]:
        if not re.search(r"(?:[CGHK]|W)[zdevxhk]{0,4}2$", left):
            return None
    elif not match["late"] and not re.search(
        rf"(?:(?:[KCGHWUzsk]|B[,&|b]{{1,2}})[zdevhk2ymi:s!L0O]{{0,6}}|^[s0evm]*){_PAIRED}$", left
    ):
        return None
    return joined(line, match.start(), match.end(), "B", bound) if bound else None


def _opens_range(line: Line, end: int, bound: Bound) -> bool:
    """Whether a bound of nothing is one end, and the bound that it is joined to the other."""
    joint = re.match("[,&|b]{1,2}d?B", line.after(end - 1))
    other = line.chunks[end + joint.end() - 1].value if joint else None
    if not isinstance(other, Bound) or not other.unit:
        return False
    rising = bound.relation in tuple(">}") and other.relation in tuple("<{") and bound.high < other.low
    falling = bound.relation in tuple("<{") and other.relation in tuple(">}") and bound.low > other.high
    return rising or falling


def _of_them(line: Line, match: re.Match[str]) -> Chunk | None:
    """ "There shouldn't be more than 15 of them": of what was spoken of last."""
    if not re.search("of (?:them|these|those)$", line.words(match.start(), match.end())):
        return None
    spoken = line.before(match.start()) if re.search("[sg]", line.before(match.start())) else line.topic
    unit = next((tag for tag in reversed(spoken) if tag in "sg"), "")
    bound = quantity(line.chunks[match.start("some")], match["of"], unit) if unit else None
    return joined(line, match.start(), match.end(), "B", bound) if bound else None


def count_rules(line: Line) -> Iterator[Found]:
    """Every bound in a line that is a demand."""
    last: int | None = None
    unit, each = "", False
    taken: set[tuple[str, str]] = set()
    for at, chunk in enumerate(line.chunks):
        if chunk.tag != "B" or not isinstance(chunk.value, Bound):
            continue
        bound = chunk.value
        scope = scope_of(line, at, bound, taken)
        of_sentence = scope is not None and scope.sentence
        shared = bound.unit[:1] or elided(line, at, last)
        if not shared and last is not None and each == of_sentence and excludes(line, at, last):
            unit = ""
            continue  # "at most 4 paragraphs but over 200" is not of paragraphs
        scope_unit = shared or unit or "w"
        last, unit, each = at, scope_unit, of_sentence
        bare = "=" if bound.relation else _bare(line, at, bound, of_sentence)
        if scope is None or not bare or delta(line, at) or described(line, at):
            continue
        negated, start = negation(line, at)
        if remarked(line, at) and not negated:
            continue
        per_sentence = of_sentence or bound.unit.endswith("%")
        found = list(_constraints(bound, scope_unit, per_sentence, negated, bare))
        # A subject further off ("make it friendlier, under 300 words") is no part of what is said.
        subject = at if re.search("[x,&|bKVAIR]", line.tags[scope.start : at]) else min(scope.start, at)
        for constraint in found:
            yield Found(constraint, min(start, subject), max(at + 1, scope.end))
        taken |= {(scope_unit, relation) for _, relation in bound.resolved(negated, bare) if per_sentence}


def _constraints(
    bound: Bound, unit: str, per_sentence: bool, negated: bool, bare: str
) -> Iterator[Constraint]:
    if per_sentence and unit not in "w":
        if unit != "s":
            return
        per_sentence = False
    if unit == "g" and bound.low == bound.high == 1 and not bound.relation:
        bare = "="  # nobody means "no paragraph, or one"
    for count, relation in bound.resolved(negated, bare):
        yield SentenceLength(count, relation) if per_sentence else _KINDS[unit](count, relation)


def _bare(line: Line, at: int, bound: Bound, of_sentence: bool) -> str:
    """The relation that a number has where none is said: at most after "cut to", exactly after "in"."""
    left = line.before(at)
    if bound.low != bound.high:
        return "" if line.words(at - 1, at) in _KNOWN and line.words(at + 1, at + 2) != "range" else "="
    if re.search(r"[!\-0][a-zA-Z2]{0,4}$", left) or line.words(at - 1, at) in _KNOWN:
        return ""
    if limit := re.match("v[dj]*([H{}])", line.after(at)):
        return "}" if limit[1] == "}" else "{"  # "150 words is the limit"
    if _SCARCE.search(line.words_before(at)):
        return "{"
    if re.search(r"[CHKDy][^,b]{0,6}[2i]d?$", left):
        return "{"
    if re.search(r"G[^,b]{0,6}2d?$", left):
        return "}"
    if re.search(r"H[^,b]{0,5}d$|[{H][dzkws]{0,3}[:v][vd]*$", left) or (
        left.endswith("z2") and re.search("[CHK]", left)
    ):
        return "{"
    if re.search(r"K[dzk]{1,3}d$", left):
        return "="
    if re.search(r"\}[dzkws]{0,3}[:v][vd]*$", left):
        return "}"
    if re.search(r"[vOUyh][dL]{0,2}$", left) and demanded(line.words_before(at)):
        return "="
    if re.search(r"(?:^|[,:&bmvL])[WUOYACI]z?[dLv]{0,2}$|(?:^|[,:&bvxz])m[dL]{0,2}$", left):
        return "="
    if re.search(r"(?:[WAIVCYUG+T][^,b]{0,8}|^|z|B[,&]{1,2})[ih2]d{0,2}$", left) and not re.search(
        "[R9]", left
    ):
        return "="
    if re.search(r"W[dj]*[zgx]d$", left):
        return "="
    if of_sentence and re.search(r"(?:[vhO:]|es)d?$", left):
        return "="
    left, right = left.rstrip("L"), line.tags[at + 1 : at + 3].lstrip("L")[:1]
    alone = (not left or left[-1] in ",:&") and (not right or right in ",:&b%h")
    if alone and (
        not left.strip("xzkj,:&m") or ":" in left[-1:] or re.search("[BQ]", left + line.tags[at + 2 : at + 4])
    ):
        return "="
    return ""
