"""Bounds on words, sentences, paragraphs and characters: of the whole text, or words of every sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redraft.constraints.base import Constraint
from redraft.constraints.kinds import CharacterCount, ParagraphCount, SentenceCount, SentenceLength, WordCount

from .chunks import Chunk, Found, Line, fold, joined
from .descriptions import demanded, described
from .elisions import elided, excludes
from .negations import delta, negation, remarked
from .relations import Bound, opposite, quantity, said
from .scope import scope_of

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
