"""Words to put in the place of others, read before anything else: "replace 'a' with 'b' and 'c' with 'd'".

Their wordings are few, and hold two keywords each that mean opposite things. So they are looked for in the
text itself and taken out of it, and the rules for single keywords never see one of a pair without the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from redraft.constraints.kinds import Replacement
from redraft.errors import CallError
from redraft.text import Span, late_pattern

from .clauses import AHEAD, DENIED, NEAR, NOTHING_ELSE, QUOTED, blanked, spaced, without_rest
from .sentence_edits import NAMED, numbers_of

_MOST: Final = 50
"""Runs of pairs that are read in one instruction."""
# Full stops that end no name: "Mr. Brown", "J. K. Rowling", "John F. Kennedy", "Acme Ltd. everywhere"
_TITLED: Final = (
    r"(?:Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Fr|Sr|Hon|Gen|Col|Maj|Capt|Lt|Sgt|Cpl|Gov|Sen|Rep|Pres|St|Ste|Mt|Ft|No|Nr"
    r"|Messrs|Mme|Mlle|[A-Z](?:\.[A-Z])*)\.(?=\ ?[A-Z0-9])"
)
# Not "change it to Group B. Keep the rest."
_INITIAL: Final = (
    r"[A-Z]\.(?=\ (?!(?:Thanks|Please|Thx|Cheers|Proofread|Shorten|Simplify|Improve|Correct|Edit|Polish"
    r"|No)\b)"
    r"[A-Z][\w’'-]+(?:\W*\Z|[.,;!?)]|\ (?:with|by|for|to|into|as|and|in|instead|rather|please|throughout"
    r"|everywhere)\b))"
)
_CLOSED: Final = r"(?:Inc|Ltd|Co|Corp|Bros|Jr|Sr|Esq|Ave|Rd|Blvd|Dept|Univ|St)\.(?=\ [a-z(]|[,;:]|\Z)"
_CAPITAL: Final = (
    r"(?!(?:Mr|Mrs|Ms|Mx|Dr|Prof|Rev|Capt|Lt|Sgt|Messrs|Mme|Mlle)\.\ [A-Z])[A-Z][\w&.’'-]*[\w&](?![\w&])"
)
_NAME: Final = (
    r"(?:(?:[Tt]he|[Aa]n?)\ )?"
    r"(?!(?:American|British|Oxford|Canadian|Australian|US|UK|English|Arabic|Roman|Markdown|LaTeX|APA|MLA)\b)"
    rf"(?:{_TITLED}\ ?)*(?:{_CAPITAL}|(?<=\bNo\.\ )\d+\b)"
    rf"(?:\ (?:(?:of|for|and\ the)\ )?(?:{_INITIAL}|{_CLOSED}|{_CAPITAL}|&(?=\ [A-Z])|[A-HJ-Z]\b)){{0,5}}"
)
_LABEL: Final = (
    r"(?:(?:all|every|each|any|the|both|both\ the|all\ the)\ )?"
    r"(?:(?:single\ )?(?:mentions?|occurrences?|instances?|uses?|appearances?)\ of\ )?"
    r"(?:(?:the\ )?(?:words?|phrases?|terms?|names?|expressions?|abbreviations?)\ )?"
)
_TERM: Final = rf"(?:{_LABEL}(?:{QUOTED})|(?:{_LABEL})?(?:{_NAME})|(?:the\ )?(?:word|term)\ [a-z’'-]+)"
_AND: Final = r"(?:\s*,\s*(?:and|or)\s+|\s*,\s*|\s+(?:and|or|&)\s+)"
_WITH: Final = r"\s+(?:with|by|for)\s+"
_TO: Final = r"\s*(?:\bto\b|\binto\b|->|→|=>)\s*"


def _list_of(name: str, parted: str = "(?!)") -> str:
    """A list of keywords; one that such words follow belongs to the next pair."""
    return rf"(?P<{name}>{_TERM}(?:{_AND}{_TERM}(?!{parted})){{0,9}})"


_OLDS: Final = _list_of("old")
_NEWS: Final = _list_of(
    "new", r"\s*(?:(?:with|by|for|to|into|must|should|has|have|is|are|stays?|remains?)\b|->|→|=>)"
)
_OLDS_BEHIND: Final = _list_of("old", r"\s*,?\s*(?:instead|rather|in|not|for|wherever|whenever|where|when)\b")
_PLACE: Final = (
    r"(?:\s+(?:(?:throughout|across|in|all\ over|all\ through)\ (?:the\ |my\ |this\ )?(?:whole\ |entire\ )?"
    r"(?:text|document|letter|email|contract|piece|draft|agreement|report|article|story)"
    r"|throughout|everywhere|wherever\ (?:it|they)\ (?:appears?|occurs?|stands?|comes?\ up|is|are)"
    r"|(?:each|every)\ time|consistently|too|as\ well|please|respectively|always|globally"
    r"|all\ the\ way\ through|in\ (?:every\ (?:place|sentence|paragraph)|all\ places)))*"
)


def _verbs(*verbs: str) -> str:
    """Verbs, with and without a capital: the case of everything else tells names from other words."""
    return "(?:" + "|".join(f"[{verb[0].upper()}{verb[0]}]{verb[1:]}" for verb in verbs) + r")\s+"


_BEHIND_NAME: Final = r"(?!\ (?:spellings?|english|tense|voice|style|numerals|quotes|marks|format)\b)"
_GO_ON: Final = r"(?:\s*(?:[,;]\s*)?(?:and|then|also|as\ well\ as|plus)?\s+|\s*[,;]\s*(?:and\s+)?)"
# Each form has its hints: one of them is in every wording; they spare the long patterns.
_OLD_TO_NEW: Final = (
    (
        ("replace", "swap", "exchange", "switch"),
        _verbs("replace", r"swap(?:\ out)?", "exchange", r"switch(?:\ out)?"),
        _WITH,
    ),
    (("substitute",), _verbs("substitute"), r"\s+(?:with|by)\s+"),
    (
        ("change", "rename", "alter", "correct", "amend", "update"),
        _verbs("change", "rename", "alter", "correct", "amend", "update"),
        _TO,
    ),
    (("refer to",), _verbs(r"refer\ to"), r"\s+as\s+"),
    (("call", "rename"), _verbs("call", "rename"), rf"\s+(?=[Tt]he\ |{QUOTED})"),
)
_QUOTED_ONLY: Final = (
    (("turn", "convert", "make"), _verbs("turn", "convert", "make"), _TO),
    (
        ("become", "be replaced", "be changed", "be called", "→", "->", "=>"),
        "",
        r"\s+(?:(?:should|must|has\ to|needs\ to|is\ to|ought\ to)\ "
        r"(?:become|be\ (?:replaced\ (?:with|by)|changed\ (?:in)?to|called))|becomes)\s+|\s*(?:→|->|=>)\s*",
    ),
)
_NEW_TO_OLD: Final = (
    (("substitute",), _verbs("substitute"), r"\s+for\s+"),
    (
        (
            "instead of",
            "rather than",
            "in place of",
            "in lieu of",
            "not",
            "it sa",
            "i say",
            "i wrote",
            "i have",
            "text says",
        ),
        _verbs("use", "write", "say", "put", "prefer", "have"),
        r"\s*,?\s+(?:instead\ of|rather\ than|in\ place\ of|in\ lieu\ of|not"
        r"|(?:wherever|whenever|where|when|every\ time|each\ time)"
        r"\ (?:it\ sa(?:ys|id)|I\ (?:say|wrote|have)|the\ text\ says))\s+",
    ),
)
_INSTEAD: Final = (("instead of",), r"[Ii]nstead\ of\s+", r"\s*,\s*(?:please\s+)?(?:use|write|say|put)\s+")
_SWAPPED: Final = late_pattern(rf"[Ss]wap\s+(?P<old>{_TERM})\s+and\s+(?P<new>{_TERM})", re.VERBOSE)
_SCOPED: Final = re.compile(
    r"\s*,?\s*(?:but\s+(?:not|only)\s+|only\s+)?"
    r"(?:in|within|inside|except|apart from|unless|if|where|when|once|twice)\b[^.;\n]*",
    re.IGNORECASE,
)
_SCOPED_AHEAD: Final = re.compile(
    r"\bin (?:[\w'’]+ ){0,4}(?:sentence|paragraph|section|line|title|heading|chapter|part|list|introduction"
    r"|conclusion|table|figure|row|column|cell|caption|quote|quotation|example|footnote|greeting|signature"
    r"|bullet|item|clause|half|appendix|summary|abstract|intro|opening|ending|body|headline|subtitle)s?"
    r"(?: \d+)?\s*,?\s*(?:please\s+)?\Z",
    re.IGNORECASE,
)
_ONLY: Final = re.compile(r"\bonly\s+\Z", re.IGNORECASE)
_PARTS: Final = "|".join(
    f"(?P<{unit}s>{NAMED.replace('sentence', unit)})" for unit in ("sentence", "paragraph")
)
_PART: Final = rf"(?:{_PARTS}|(?P<title>(?:the |my |its )?title\b(?! (?:case|page))))"
_NOWHERE_ELSE: Final = (
    r"(?:,? (?:but|and)? ?(?:nowhere else|not (?:anywhere else|elsewhere|in the (?:others?|rest))"
    r"|leave (?:the (?:others?|rest)|(?:it|them) elsewhere)"
    r"(?: alone| as (?:it|they) (?:is|are)| unchanged)?))?"
)
_WITHIN_BEHIND: Final = (
    rf",? ?(?:but )?(?:only )?(?:in|within|inside) {_PART}(?: (?:only|alone|please))*{_NOWHERE_ELSE}"
    r"(?=\s*(?:[.;,!?)\n]|\Z|(?:and|but|then|please|while)\b))"
)
_WITHIN_AHEAD: Final = rf"(?:only )?in {_PART},?(?: only,?)? ?(?:please )?"
_IN_PART: Final = re.compile(
    r"\bin\b.*\b(?:sentence|paragraph|title)|\b(?:sentence|paragraph|title)", re.IGNORECASE
)


@dataclass(frozen=True)
class Replacements:
    """What was read, where, and the instruction without it, character for character."""

    constraint: Replacement | None
    span: Span
    rest: str
    unread: str = ""
    """What asks for a replacement in some places only, which no constraint says."""
    within: tuple[tuple[Span, Replacement], ...] = ()
    """Those in some parts alone."""


def take_replacements(text: str) -> Replacements:
    """Read every replacement of an instruction, and blank it out there."""
    found = list(islice(_all(text), _MOST))
    rest, unread = text, []
    within: list[tuple[Span, Replacement]] = []
    pairs: dict[str, str] = {}
    spans: list[Span] = []
    only = False
    for place, read in found:
        if part := _part_of(text, place):
            whole, parts = part
            try:
                within.append((whole, Replacement(tuple(read), tuple(read.values()), within=parts)))
            except CallError:
                unread.append(text[whole.start : whole.end])  # "in paragraph 0"
            rest = blanked(rest, whole.start, whole.end)
            continue
        behind, ahead = (
            _SCOPED.match(text, place.end),
            _SCOPED_AHEAD.search(text, max(0, place.start - NEAR), place.start),
        )
        span = Span(ahead.start() if ahead else place.start, behind.end() if behind else place.end)
        if span != place:
            unread.append(text[span.start : span.end])
        else:
            pairs.update(read)
            spans.append(span)
            only = only or _ONLY.search(text, max(0, span.start - NEAR), span.start) is not None
        rest = blanked(rest, span.start, span.end)
    alone, left = without_rest(rest)
    kept = not unread and bool(NOTHING_ELSE.fullmatch(alone)) and (left or only)
    in_parts = tuple(
        (span, replace(one, rest="kept" if kept and len(found) == 1 else "free")) for span, one in within
    )
    if in_parts and NOTHING_ELSE.fullmatch(alone):
        rest = " " * len(text)
    if not pairs:
        return Replacements(None, Span(0, 0), rest, " ".join(unread), in_parts)
    try:
        constraint = Replacement(tuple(pairs), tuple(pairs.values()), "kept" if kept else "free")
    except CallError:
        return Replacements(None, Span(0, 0), text)  # the same words twice
    span = Span(spans[0].start, spans[-1].end)
    if NOTHING_ELSE.fullmatch(alone):
        rest = " " * len(text)
    return Replacements(constraint, span, rest, " ".join(unread), in_parts)


def _part_of(text: str, place: Span) -> tuple[Span, tuple[str, ...]] | None:
    """The parts in which alone words are to be replaced, and where all of that is said."""
    if _IN_PART.search(text) is None:
        return None
    start = max(0, place.start - NEAR)
    ahead = spaced(rf"{_WITHIN_AHEAD}\Z").search(text[start : place.start])
    behind = None if ahead else spaced(_WITHIN_BEHIND).match(text, place.end)
    said = ahead or behind
    if said is None:
        return None
    parts = tuple(_named(said))
    whole = Span(start + ahead.start(), place.end) if ahead else Span(place.start, said.end())
    return (whole, parts) if parts else None


def _named(said: re.Match[str]) -> Iterator[str]:
    """The parts that a wording names; none where one has no name in a call."""
    units = [unit for unit in ("sentence", "paragraph") if said[f"{unit}s"]]
    names = [
        _LAST.get((unit, number), f"{unit} {number}")
        for unit in units
        for number in numbers_of(said[f"{unit}s"], unit)
    ]
    yield from [] if any("-" in name.split()[-1] for name in names) else names
    if said["title"]:
        yield "title"


_LAST: Final = {
    ("sentence", -1): "last sentence",
    ("sentence", -2): "second-to-last sentence",
    ("paragraph", -1): "last paragraph",
}


def _all(text: str) -> Iterator[tuple[Span, dict[str, str]]]:
    """Every run of pairs in a text, with its place."""
    at, low = 0, text.lower()
    forms = [form for form in _FORMS if any(hint in low for hint in form[0])]
    while at < len(text):
        places = filter(None, (_first(text, at, *form[1:]) for form in forms))
        first = min(places, key=lambda place: (place[0], -place[1]), default=None)
        if first is None:
            return
        start, end, pairs = first
        yield Span(start, end), dict(pairs)
        at = end


Pairs = tuple[tuple[str, str], ...]


def _first(
    text: str, at: int, pattern: re.Pattern[str], further: re.Pattern[str], turned: bool
) -> tuple[int, int, Pairs] | None:
    """The first place from `at` on where a form stands, with the pairs that follow in the same form."""
    for match in pattern.finditer(text, at):
        ahead = text[max(0, match.start() - NEAR) : match.start()]
        if _IN_PART.search(ahead):
            ahead = spaced(rf"{_WITHIN_AHEAD}\Z").sub("", ahead)
        if DENIED.search(ahead) or not AHEAD.search(ahead):
            continue
        found = _pairs(match, turned)
        if not found:
            continue
        end = match.end()
        while more := further.match(text, end):
            found += _pairs(more, turned)
            end = more.end()
        if pattern is _SWAPPED:
            found += [(new, old) for old, new in found]
        return match.start(), end, tuple(found)
    return None


def _pairs(match: re.Match[str], turned: bool) -> list[tuple[str, str]]:
    old, new = _terms(match["old"]), _terms(match["new"])
    if turned:
        new = new[:1]
    if len(new) != len(old):
        new = new[:1] * len(old)
    return [(one, other) for one, other in zip(old, new, strict=True) if one != other]


_ONE: Final = re.compile(rf"{_LABEL}(?P<quoted>{QUOTED})|{_TERM}", re.VERBOSE)
_LABELLED: Final = re.compile(
    r"(?:all|every|each|any|both)\ |(?:the\ )?(?:single\ )?(?:mentions?|occurrences?|instances?|uses?)\ of\ "
    r"|(?:the\ )?(?:words?|phrases?|terms?|names?|expressions?|abbreviations?)\ (?=\S)",
    re.VERBOSE,
)


def _terms(text: str) -> list[str]:
    """The keywords of a list, without marks and labels."""
    found: list[str] = []
    for match in _ONE.finditer(text):
        if match["quoted"]:
            found.append(match["quoted"][1:-1].strip(" ,.;") or match["quoted"][1:-1])
        else:
            bare = match.group()
            while label := _LABELLED.match(bare):
                bare = bare[label.end() :]
            found.append(bare.strip())
    return found


_Form = tuple[tuple[str, ...], re.Pattern[str], re.Pattern[str], bool]
"""Hints, a wording of pairs, the same behind another pair, and whether the new words come first."""


def _form(hints: tuple[str, ...], verb: str, joint: str, *, turned: bool = False) -> _Form:
    first, second = (_NEWS, _OLDS_BEHIND) if turned else (_OLDS, _NEWS)
    whole = rf"{first}(?:{joint}){second}{_BEHIND_NAME}{_PLACE}"
    further = late_pattern(f"{_GO_ON}(?:{verb})?{whole}", re.VERBOSE)
    return hints, late_pattern(verb + whole, re.VERBOSE), further, turned


_FORMS: Final[tuple[_Form, ...]] = (
    *(_form(*way, turned=True) for way in _NEW_TO_OLD),
    *(_form(*way) for way in _OLD_TO_NEW),
    _form(*_INSTEAD),
    *(_form(hints, verb, rf"(?<=[\"'”’»`›])(?:{joint})") for hints, verb, joint in _QUOTED_ONLY),
    (("swap",), _SWAPPED, re.compile(r"(?!)"), False),
)
