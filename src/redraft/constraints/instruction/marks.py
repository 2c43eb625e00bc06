"""Marks of punctuation that are forbidden or counted ("no semicolons"), and forms of words likewise."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from redraft.constraints.base import Constraint
from redraft.constraints.bounds import relate
from redraft.constraints.kinds import Contractions, PassiveVoice, PersonUse, Punctuation, Wording
from redraft.text import MARKS, late_pattern

from .bounds import Bound, demanded
from .lexicon import WORDINGS, Tag
from .patterns import BREAKS, Found, Line, pattern

_BANS: Final[dict[str, Constraint]] = {
    **{mark: Punctuation(mark, *relate(0, "at most")) for mark in MARKS},
    "contraction": Contractions("none"),
    "passive": PassiveVoice(*relate(0, "at most")),
    "first person singular": PersonUse("first singular", "none"),
    "first person": PersonUse("first", "none"),
    "second person": PersonUse("second", "none"),
    "superlative": Wording("superlatives"),
    "cliché": Wording("clichés"),
    "slang word": Wording("slang"),
}
"""What forbidding each of them is."""
_NAMES: Final = {mark: re.compile(rf"\b(?:{WORDINGS[mark.replace(' ', '_')]})\b") for mark in _BANS}
_NAME: Final = "|".join(WORDINGS[mark.replace(" ", "_")] for mark in _BANS)
_KNOWN: Final = re.compile(rf" (?:{_NAME})(?= )")
_FILLER: Final = rf"(?: (?:{WORDINGS['mark_filler']})){{0,4}}"
_LIST: Final = (
    rf"{_FILLER} (?P<marks>(?:{_NAME})(?:(?: ,)?(?: (?:and|or|nor|/|&))?{_FILLER} (?:{_NAME})){{0,8}}+)"
)
_TEXT: Final = (
    r"(?: (?:in|from|within|throughout|across|anywhere in|of|at|for|per(?! paragraph))"
    r"(?: (?:the|this|my|your|our|that|a|an|any|whole|entire|full|complete|all of)){0,3}"
    rf"(?: (?:{WORDINGS['text_manner']}))? (?:{WORDINGS['whole_text']}))"
)
# What may follow so that the whole text is meant: not "no emojis in the title", "no semicolons before 'and'".
WHOLE: Final = (
    rf"{_TEXT}?(?: (?:at all|please|anywhere|whatsoever|throughout|altogether|entirely|completely|either|out"
    r"|too|as well|allowed|permitted|wanted|used|are used|in total|in all|overall|ever|thanks|here"
    r"|(?:is|are|may be|can be|should be) (?:allowed|permitted|wanted|welcome|ok|okay|acceptable)"
    rf"|{WORDINGS['all_through']})){{0,4}}"
    r"(?= (?:$|[,:()–—-]|(?:and|or|but|so|while|because|since|as|then|also|keep|make|use|which|they"
    r"|it is|its|i am|we|my|our|this is|according to)\b))"
)
_AWAY: Final = late_pattern(
    rf" (?:{WORDINGS['mark_away']})(?! (?:it |them |this )?(?:with|by|for) ){_LIST}"
    rf"(?:(?P<for> (?:with|by|for|into|to) .*)|{WHOLE})"
)
_OUT: Final = late_pattern(rf" (?:take|leave|edit|cut|strip|keep|weed){_LIST} out{WHOLE}")
_TURNED: Final = late_pattern(
    rf" (?:chang|turn|convert|mak|rewrit|rephras)(?:e|ing)?{_LIST}(?P<for> (?:to|into|as) .*)"
)
_NONE: Final = late_pattern(rf" (?:{WORDINGS['mark_none']}){_LIST}{WHOLE}")
_INSTEAD: Final = late_pattern(
    r" (?:use|using|with|write|prefer|put|choose)(?P<for>(?: [\w&,]+){1,5})"
    rf" (?:instead of|rather than|in place of){_LIST}{WHOLE}"
)
_GONE: Final = late_pattern(rf"{_LIST} (?:{WORDINGS['mark_gone']}){WHOLE}")
_BARRED: Final = late_pattern(rf" (?:{WORDINGS['mark_barred']}){_LIST}{WHOLE}")
_LIKEWISE: Final = late_pattern(
    r" (?:(?:neither|nor|so) (?:is|are|do|does|must|should|may|can|have to|has to)"
    rf"|(?:the )?same (?:goes|applies|holds|is true) (?:for|to|of)|nor)"
    rf"{_LIST}(?: (?:go|be used))?{WHOLE}"
    rf"|{_LIST.replace('<marks>', '<others>')} (?:(?:is|are) not )?(?:too|as well|either){WHOLE}"
)
"""Behind what is forbidden: this is forbidden as well."""
_SUPPOSED: Final = re.compile(
    r"\b(?:if|whether|unless|nobody|who)(?! possible| you can| needed| necessary)\b[^,]*$"
)
_FREE: Final = late_pattern(rf"{_LIST} free{WHOLE}")
_OPENED: Final = late_pattern(
    rf" (?:spell|spelling|write|writing) out{_LIST}{WHOLE}"
    rf"| (?:expand|expanding|unpack|open up|undo){_LIST.replace('<marks>', '<others>')}{WHOLE}"
    rf"|{_LIST.replace('<marks>', '<last>')} (?:{WORDINGS['modal']})(?: all)?(?: be)?"
    r" (?:spelled out|spelt out|written out|expanded)"
)
_USE: Final = late_pattern(
    r" (?:use|using|with|include|prefer|favou?r|employ|go for|add|adopt)"
    r"(?: (?:more|the|natural|common|everyday|usual|some|normal|plenty of|lots of))*"
    rf" (?:{WORDINGS['contraction']})"
    r"(?: (?:wherever|where|whenever|when) (?:possible|natural|you can|(?:it|they) sounds? natural))?"
    rf"{WHOLE}"
)
_USED: Final = late_pattern(
    rf" (?:{WORDINGS['contraction']}) (?:should|must|have to|need to|are to|ought to|are)(?: be)?"
    rf" (?:used|preferred){WHOLE}"
)
_DENIED: Final = re.compile(
    r"\b(?:not|never|no need to|nor|rather than|instead of|avoid|without|stop|no|neither)"
    r"(?: (?!and\b|but\b|,)\S+){0,3}$"
)
_NOT_MORE: Final = re.compile(r"\b(?:not|never|no|without|avoid)(?: (?!and\b|but\b|,)\S+){0,3}$")
_ACTIVE: Final = re.compile(r"\A(?: (?:with|by|for|in|into|to|as|the|an?))* active(?: \w+)?\W*\Z")
_MAY: Final = late_pattern(rf"\b(?:{WORDINGS['mark_may']})(?: \S+)?$")
_COUNTED: Final = late_pattern(
    rf"(?P<only> only| just)? (?:(?P<number>N)|a|an|one)(?: single)? (?P<marks>{_NAME})"
    rf"{_TEXT}?(?P<fine> (?:{WORDINGS['is_fine']}))?"
    rf"(?: ,)?(?: (?P<behind>{WORDINGS['count_behind']}))?"
    rf"{WHOLE}"
)
_WISH: Final = pattern("JOINT{1,2} [DET EACH]* ADJ UNIT")
_RELATIONS: Final = {
    Tag.AT_MOST: "at most", Tag.FEWER: "less than", Tag.AT_LEAST: "at least", Tag.MORE: "more than",
    Tag.EXACTLY: "equal",
}  # fmt: skip
_OPPOSITES: Final = {"more than": "at most", "less than": "at least"}
_LIMITED: Final = late_pattern(
    rf" (?P<marks>{_NAME})"
    r"(?: (?:should|must|may|can|to|be|kept|limited|restricted|number|appear|used|:|at|are|is)){0,6}"
    r" (?P<relation>to|:|at most|max|no more than|not more than|up to|(?:a )?maximum(?: of)?) (?:a )?N"
    rf"(?: (?P<behind>{WORDINGS['count_behind']}|times))?{WHOLE}"
)
_FREQUENT: Final = late_pattern(
    rf" (?P<marks>{_NAME})(?P<verb>(?: (?:{WORDINGS['is_used']})){{0,6}}){_TEXT}? $"
)
_ENDED: Final = late_pattern(WHOLE)
_IS: Final = re.compile(
    r"^ (?:is|are|appears?|occurs?|comes? up|shows? up)\b(?! (?:to|allowed|permitted|ok|okay|fine)\b)"
)
_BEHIND: Final = {
    **dict.fromkeys(("at least", "at the least", "or more", "minimum", "min"), "at least"),
    "exactly": "equal",
}
_NEAR: Final = 20
"""So many chunks before a number of times are looked at."""
_NOT_USED: Final = late_pattern(
    r"\b(?:do not|should not|must not|may not|cannot|can not|never|not|avoid|without)"
    r"(?: (?:use|using|have|write|put|include|employ|slip into|resort to|rely on|see|want|want to see|like))?"
    r"(?: (?:the|any|a|an|more|to|of))*$"
)
_USING: Final = re.compile(
    r"\b(?:use|using|with|have|include|put|employ|keep|allow|permit)"
    r"(?: (?:the|any|a|an|of|only|for|your|my))*$|^(?:the|an?|any)?$|[,:]$"
)
_TO_LIMIT: Final = re.compile(
    r"\b(?:limit|keep|restrict|reduce|confine|hold|cap|cut)"
    r"(?: (?:the|any|use|uses|of|your|my|all|number|down|yourself|to))*$"
)
_LIMIT: Final = re.compile(r"\b(?:limit|keep|restrict|cut|reduce|hold|confine)(?: \S+){0,3} to$")
_TOLD: Final = re.compile(
    r"(?<!sure)(?<!that)(?<!until)(?<!ensure) (?:it|text|draft|this)(?: already| now)?"
    r" (?:has|had|contains|uses|does|did)(?: no| not)?$|\b(?:not|never|no need to)(?: to)? \w+$"
)
"""It is told how the text is, or what would be forbidden is not."""


def mark_rules(line: Line) -> Iterator[Found]:
    """Every demand on marks of punctuation and contractions in a line, and every ban of voice and person."""
    if _KNOWN.search(line.prose) is None:
        return
    taken: set[int] = set()
    for constraints, (start, end), partial in (*_bounds(line), *_bans(line), *_uses(line)):
        # What one wording has read, another does not read again.
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            more = partial or is_followed_by_wish(line, end)
            yield from (Found(constraint, start, end, more) for constraint in constraints)


def is_followed_by_wish(line: Line, end: int) -> bool:
    """Whether the same verb asks for something else that is no constraint: "… and short sentences"."""
    return _WISH.match(line.tags, end) is not None


def is_banned(line: Line, start: int, end: int) -> bool:
    """Whether what stands at a place is forbidden, as in "avoid slang and the first person"."""
    return any(first < end and start < last for _, (first, last), _ in _bans(line))


_Read = tuple[list[Constraint], tuple[int, int], bool]
"""Constraints, the chunks that say them, and whether these say more."""


def _bans(line: Line) -> Iterator[_Read]:
    """What may not be there; "replace them with commas" says more than that."""
    found = list(_plain_bans(line))
    ends = [end for _, (_, end), _ in found]
    if line.ahead and next(_plain_bans(line.ahead), None):
        ends.append(0)
    for match in _LIKEWISE.finditer(line.prose):
        start, end = line.within(match)
        if any(last <= start and set(line.tags[last:start]) <= set(BREAKS) for last in ends):
            found.append((_forbidden(match["marks"] or match["others"]), (start, end), False))
            ends.append(end)
    yield from found


def _plain_bans(line: Line) -> Iterator[_Read]:
    """What is forbidden by words of its own."""
    for wording in (_NONE, _BARRED, _INSTEAD, _OUT, _OPENED, _AWAY, _TURNED, _GONE, _FREE):
        for match in wording.finditer(line.prose):
            groups = match.groupdict()
            named = next(filter(None, (groups.get(name) for name in ("marks", "others", "last"))))
            constraints = _forbidden(named)
            if wording is _OPENED:
                constraints = [one for one in constraints if isinstance(one, Contractions)]
            before = line.prose[: match.start()].rstrip()
            if wording in (_BARRED, _GONE) and _SUPPOSED.search(before):
                continue
            if wording is _GONE and before.endswith((" neither", " no", " none of", " none of the")):
                continue  # "neither contractions nor emojis are forbidden"
            if wording in (_NONE, _GONE, _BARRED):
                denied = _TOLD.search(f"{before} {match.group().split()[0]}")
            else:
                denied = _DENIED.search(before)
            if constraints and not denied:
                says_more = groups.get("for") and not _ACTIVE.search(groups["for"])
                start, end = line.within(match)
                yield constraints, (start, end), bool(says_more)


def _forbidden(named: str) -> list[Constraint]:
    found = [(match.start(), _BANS[mark]) for mark, name in _NAMES.items() if (match := name.search(named))]
    return [constraint for _, constraint in sorted(found, key=lambda item: item[0])]


def _bounds(line: Line) -> Iterator[_Read]:
    """How many there may be: "at most one exclamation mark"."""
    for match in _COUNTED.finditer(line.prose):
        mark = next(mark for mark, name in _NAMES.items() if name.search(match["marks"]))
        start, end = line.within(match)
        number = line.chunks[start + bool(match["only"])].value if match["number"] else 1
        banned = _BANS[mark]
        if not isinstance(banned, Punctuation | PassiveVoice) or not isinstance(number, int | float):
            continue
        if match["behind"] or match["only"]:
            relation: str | None = _BEHIND.get(match["behind"] or "", "at most")
            start -= bool(
                start and _RELATIONS.get(line.tags[start - 1]) == relation
            )  # "up to two …, not more"
        else:
            relation, start = _relation(line, start)
        if match["fine"] and relation not in ("at most", "less than"):
            continue  # "more than two passives are fine" asks for nothing
        if relation is not None:
            count, known = relate(int(number), relation)
            yield [replace(banned, count=count, relation=known)], (start, end), False
    yield from _limits(line)
    yield from _frequencies(line)


def _limits(line: Line) -> Iterator[_Read]:
    """ "Limit exclamation marks to two", "passives: three at most"."""
    for match in _LIMITED.finditer(line.prose):
        start, end = line.within(match)
        number = next(chunk.value for chunk in line.chunks[start:end] if chunk.tag == Tag.NUMBER)
        before = line.words_before(start)
        limit = _TO_LIMIT.search(before)
        bounded = match["relation"] not in ("to", ":") or match["behind"] or limit
        asked = bounded or re.search(r" (?:limited|restricted|kept) ", match[0])
        if not asked or _DENIED.search(before[: limit.start()].rstrip() if limit else before):
            continue
        start -= len(limit.group().split()) if limit else 0
        relation = _BEHIND.get(match["behind"] or "", "at most")
        if relation == "at most":
            yield from _counted(match["marks"], number, relation, (start, end))


def _frequencies(line: Line) -> Iterator[_Read]:
    """ "Do not use the passive more than three times", "exclamation marks may appear twice at most"."""
    for at, chunk in enumerate(line.chunks):
        bound = chunk.value
        if chunk.tag != Tag.FREQUENCY or not isinstance(bound, Bound) or bound.low != bound.high:
            continue
        ahead = Line(line.chunks[max(0, at - _NEAR) : at])
        match = _FREQUENT.search(ahead.prose)
        if match is None or not _ENDED.match(_prose_behind(line, at)):
            continue
        start, _ = ahead.within(match)
        start += max(0, at - _NEAR)
        words = line.words_before(start)
        if _IS.search(match["verb"]) and not demanded(f"{words} "):
            continue  # "the passive is used more than twice"
        denied = _NOT_USED.search(words) or re.search(r"\b(?:not|never|no)\b", match["verb"])
        only = re.search(r"\bonly\b", chunk.text) and not denied
        relation = Tag.AT_MOST if only and not bound.relation else bound.relation
        allowed = _MAY.search(words) or _USING.search(words) or match["verb"] or only
        if relation not in _RELATIONS or not (denied or allowed):
            continue
        named = _RELATIONS[relation]
        way = _OPPOSITES.get(named) if denied else named
        lead = _NOT_USED.search(words) or _USING.search(words)
        if way is not None:
            first = start - len(lead.group().split()) if lead else start
            yield from _counted(match["marks"], bound.low, way, (max(first, 0), at + 1))


def _prose_behind(line: Line, at: int) -> str:
    return Line(line.chunks[at + 1 :]).prose if at + 1 < len(line.chunks) else " "


def _counted(marks: str, number: object, relation: str, place: tuple[int, int]) -> Iterator[_Read]:
    mark = next(mark for mark, name in _NAMES.items() if name.search(marks))
    banned = _BANS[mark]
    if isinstance(banned, Punctuation | PassiveVoice) and isinstance(number, int | float):
        count, known = relate(int(number), relation)
        if count >= 0:
            yield [replace(banned, count=count, relation=known)], place, False


def _relation(line: Line, at: int) -> tuple[str | None, int]:
    """What is said of a number before it, and where that begins."""
    if limit := _LIMIT.search(line.words_before(at)):
        return "at most", at - len(limit.group().split())
    relation = _RELATIONS.get(line.tags[at - 1]) if at else None
    denied = _NOT_MORE.search(line.words_before(at - 1))
    if relation in _OPPOSITES and denied:
        return _OPPOSITES[relation], max(at - 1 - len(denied.group().split()), 0)
    return relation, at - 1


def _uses(line: Line) -> Iterator[_Read]:
    """That contractions are wanted, where it is no mere leave to use them."""
    for wording in (_USE, _USED):
        for match in wording.finditer(line.prose):
            before = line.prose[: match.start()].rstrip()
            if not _DENIED.search(before) and not _MAY.search(before):
                yield [Contractions("use")], line.within(match), False
