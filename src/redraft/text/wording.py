"""Phrases that a writer may want to be rid of, and what can stand in their place.

Each list in `data/wording` has phrases of one sort, such as clichés. A phrase is a regular expression, in
which `~give` stands for every form of a verb, `+ride` for a noun in both numbers, `one's` for a possessive,
`X` for a few words, `^` for the start of a sentence, and a last `{adj}` says that a noun has to follow. What
takes its place has them in the form that was found; `<name>` is a group of the phrase,
`<many>` many or much, and `-` nothing.
Quotations, links, code and names are never touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

import regex

from redraft.text.borrowed import borrowed_spans
from redraft.text.inflection import VERB_FORMS, inflected, verb_forms
from redraft.text.superlatives import find_superlatives
from redraft.text.tagging import tagged
from redraft.text.word_lists import list_lines
from redraft.text.words import Span

WORDING_LISTS: Final = (
    "superlatives", "cliches", "slang", "puffery", "informal", "stiff", "legal", "jargon", "wordy", "hedges",
    "filler", "gendered", "polite",
)  # fmt: skip
"""The lists there are; of superlatives, most are found by rule."""
_BE: Final = r"(?:\b(?:am|is|are|was|were|been|being|be)|(?<=\w)['’](?:s|re|m))"
_POSSESSIVE: Final = r"(?:my|your|his|her|its|our|their|one['’]s|[A-Za-z]+['’]s)"
_START: Final = r"(?<=\A\W*|\n\W*|[.!?…:;]['\"”’)\]]*\s+)"
_FEW: Final = r"(?:[\w'’-]+ ){0,3}?[\w'’-]+"
_SLOT: Final = regex.compile(r"~[a-z]+|(?<![\w)\]])\+[a-z-]+|\bone's\b|\bX\b")
_KINDS: Final = {"~": "verb", "+": "noun", "o": "whose", "X": "few"}
_GROUPED: Final = regex.compile(r"\((?:[^()]|\([^()]*\))*\)\??")
_LOOKS_AHEAD: Final = regex.compile(r"\(\?<?[=!](?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\Z|[\]*?]\Z")
_LITERAL: Final = regex.compile(r"[a-z][a-z-]+")
_PUT: Final = regex.compile(r"~[a-z]+|\bone's\b|\bX\b|<[a-z]+>")
_PERFECT: Final = regex.compile(
    r"(?i)(?:\b(?:have|has|had|having|be|been|being|is|are|was|were|get|got|gets)|['’](?:ve|s|re|m|d)|n['’]t)"
    r"(?: \w+)?\s+\Z"
)
"""What stands before a participle."""
_BE_TAGS: Final = {
    **dict.fromkeys(("is", "'s"), "VBZ"), **dict.fromkeys(("am", "are", "'re", "'m"), "VBP"),
    **dict.fromkeys(("was", "were"), "VBD"), "been": "VBN", "being": "VBG",
}  # fmt: skip
_OPENING: Final = regex.compile(r"(?:\A|\n|[.!?…:]['\"”’)\]]*\s)\W*\Z")
_PLURAL: Final = regex.compile(r"[^su'’]s\Z|men\Z|people\Z|children\Z")
_I: Final = regex.compile(r"I(?!\w)")
_ATTRIBUTIVE: Final = "{adj}"
_BEFORE_NOUN: Final = ("NN", "JJ", "VBG", "VBN", "CD")
_DEGREE: Final = frozenset(["very", "so", "how", "more", "as", "too", "less", "quite", "rather", "really"])


class Hit(NamedTuple):
    """A phrase where it stands, and what may stand there, the best first; the empty text is nothing."""

    span: Span
    ways: tuple[str, ...]


class _Phrase(NamedTuple):
    expression: str
    anchor: str
    """What is in every text that has it: compiling the expression takes far longer than looking for this."""
    ways: tuple[str, ...]
    verb: str
    noun: str
    is_attributive: bool


def find_wording(text: str, lists: Iterable[str]) -> list[Hit]:
    """The phrases of some lists, from left to right; of those that overlap, the longest.

    >>> [hit.ways for hit in find_wording("He gave it 110 per cent.", ["cliches"])]
    [('worked hard',)]
    """
    return list(_found(text, tuple(lists)))


@lru_cache(maxsize=4096)
def _found(text: str, lists: tuple[str, ...]) -> tuple[Hit, ...]:
    held = borrowed_spans(text)
    found = [hit for name in lists for hit in _hits(text, name) if not _touches(hit.span, held)]
    found.sort(key=lambda hit: (hit.span.start - hit.span.end, hit.span.start))
    kept: list[Hit] = []
    for hit in found:
        if not _touches(hit.span, [one.span for one in kept]):
            kept.append(hit)
    return tuple(sorted(kept, key=lambda hit: hit.span.start))


def _touches(span: Span, others: Iterable[Span]) -> bool:
    return any(one.start < span.end and span.start < one.end for one in others)


def _hits(text: str, name: str) -> Iterator[Hit]:
    if name == "superlatives":
        yield from (Hit(*one) for one in find_superlatives(text))
    lowered = text.lower()
    for phrase in _phrases(name):
        if phrase.anchor in lowered:
            for match in _compiled(phrase.expression).finditer(text):
                if not _is_name(text, match) and (not phrase.is_attributive or _is_attributive(text, match)):
                    end = match.start() + len(match[0].rstrip())
                    yield Hit(Span(match.start(), end), tuple(_ways(text, match, phrase)))


@cache
def _phrases(name: str) -> tuple[_Phrase, ...]:
    return tuple(_phrase(line) for line in list_lines(__package__, f"wording/{name}.txt"))


def _phrase(line: str) -> _Phrase:
    written, _, put = (part.strip() for part in line.partition(" | "))
    is_attributive = written.endswith(_ATTRIBUTIVE)
    written = written.removesuffix(_ATTRIBUTIVE).rstrip()
    body = written.removeprefix("^")
    literals = [one for one in _GROUPED.sub(" ", body).split() if _LITERAL.fullmatch(one)]
    slots = {_KINDS[slot[0]]: slot[1:] for slot in reversed(_SLOT.findall(body))}
    start = _START if written[0] == "^" else "" if body.startswith("~be") else r"(?<![\w-])"
    end = "" if _LOOKS_AHEAD.search(body) else r"(?![\w-])"
    ways = tuple("" if one.strip() == "-" else one.strip() for one in put.split(";"))
    anchor = max(literals, key=len, default="") or _common(_SLOT.search(_GROUPED.sub(" ", body)))
    expression = f"{start}{_expression(body)}{end}"
    return _Phrase(expression, anchor, ways, slots.get("verb", ""), slots.get("noun", ""), is_attributive)


@cache
def _compiled(expression: str) -> regex.Pattern[str]:
    return regex.compile(expression, regex.IGNORECASE | regex.VERSION1)


def _common(slot: regex.Match[str] | None) -> str:
    """What all forms of a verb or a noun begin with."""
    if slot is None or slot[0] in ("~be", "one's", "X"):
        return ""
    first, *others = sorted(_forms(slot[0]).split("|"), key=len)
    ends = (at for at in range(len(first), 0, -1) if all(one.startswith(first[:at]) for one in others))
    return first[: next(ends, 0)]


def _expression(written: str) -> str:
    """A phrase as a regular expression; the first slot of each kind is a group of its name."""
    parts: list[str] = []
    named: set[str] = set()
    at = 0
    for slot in _SLOT.finditer(written):
        parts.append(_literal(written[at : slot.start()]))
        kind = _KINDS[slot[0][0]]
        parts.append(f"(?P<{kind}>" if kind not in named else "(?:")
        parts.append(f"{_forms(slot[0])})")
        named.add(kind)
        at = slot.end()
    return "".join([*parts, _literal(written[at:])])


def _literal(written: str) -> str:
    return written.replace("'", "['’]").replace(" ?", r"\s?").replace(" ", r"\s+")


def _forms(slot: str) -> str:
    match slot[0]:
        case "~":
            forms = sorted(set(verb_forms(slot[1:])), key=len, reverse=True)
            return _BE if slot == "~be" else "|".join(forms)
        case "+":
            return f"{_many(slot[1:])}|{slot[1:]}"
        case "X":
            return _FEW
    return _POSSESSIVE


def _many(noun: str) -> str:
    """The plural of a noun: of a phrase, of its noun."""
    return f"{noun[:-2]}en" if noun.endswith("man") else inflected(noun, "NNS")


def _is_name(text: str, match: regex.Match[str]) -> bool:
    """Whether the words have capitals that no sentence gives them."""
    found = match[0]
    for name in match.groupdict():  # a slot may hold a name
        if match[name] and match.start(name) > match.start():
            found = found.replace(match[name], match[name].lower())
    if any(word[:1].isupper() and not _I.match(word) for word in found.split()[1:]):
        return True
    return found[:1].isupper() and not _I.match(found) and not _opens(text, match.start())


def _opens(text: str, start: int) -> bool:
    return _OPENING.search(text[:start]) is not None


def _is_attributive(text: str, match: regex.Match[str]) -> bool:
    """Whether it stands before the noun that it describes, and nothing says to what degree."""
    words = tagged(text)
    before = next((one for one in reversed(words) if one.end <= match.start()), None)
    if before is not None and before.text.lower() in _DEGREE:
        return False
    rest = [one for one in words if one.start >= match.end()]
    while len(rest) > 1 and (rest[0].text in (",", "and", "or")):
        rest = rest[1:]
        if not rest[0].tag.startswith("JJ"):
            return False
    return bool(rest) and rest[0].tag.startswith(_BEFORE_NOUN) and text[match.end() : match.end() + 1] != "."


def _ways(text: str, found: regex.Match[str], phrase: _Phrase) -> Iterator[str]:
    """What may stand there, each in the form that was found."""
    groups = {name: value or "" for name, value in found.groupdict().items()}
    tag = _verb_tag(text, found, phrase.verb) if phrase.verb else ""

    def put(slot: regex.Match[str]) -> str:
        one = slot[0]
        if one == "~be":
            return groups["verb"] if phrase.verb == "be" else _be(text[: found.start("verb")], tag)
        if one[0] == "~":
            return inflected(one[1:], tag)
        if one == "<many>":
            return _quantity(text[found.end() :])
        return groups[one[1:-1] if one[0] == "<" else _KINDS[one[0]]]

    is_first = found[0][:1].isupper() and _opens(text, found.start())
    for way in phrase.ways:
        new = _PUT.sub(put, way)
        if phrase.noun and new and groups["noun"].lower() != phrase.noun:
            new = _many(new)
        if found[0][0] in "'’" and not way.startswith("~be"):
            new = f" {new}"  # "we're like family" is "we get on"
        yield new[:1].upper() + new[1:] if is_first else new


def _quantity(rest: str) -> str:
    """Many of what is counted, and much of what is not."""
    noun = next((one for one in tagged(rest) if one.tag.startswith("NN")), None)
    return "many" if noun is not None and noun.tag in ("NNS", "NNPS") else "much"


def _be(before: str, tag: str) -> str:
    """The form of "be" for that of another verb, by what stands before it."""
    subject = regex.sub(r"(?i)(?:\s+(?:\w+ly|also|always|never|often|just|still))+\s*\Z", "", before).split()
    last = subject[-1].lower() if subject else ""
    if last in (
        "to",
        "will",
        "would",
        "can",
        "could",
        "may",
        "might",
        "must",
        "should",
        "not",
        "gonna",
        "wanna",
        "gotta",
    ):
        return "be"
    is_many = last in ("we", "you", "they", "these", "those", "who") or bool(_PLURAL.search(last))
    if tag == "VBD":
        return "were" if is_many else "was"
    if tag in ("VB", "VBP"):
        return "am" if last == "i" else "are" if is_many else "be"
    # A form that the tagger takes for a noun is one of the present: "that idea sucks".
    return {"VBN": "been", "VBG": "being"}.get(tag, "are" if is_many else "is")


def _verb_tag(text: str, found: regex.Match[str], base: str) -> str:
    """In which form a verb stands; where forms are alike, what stands before tells."""
    form, before = found["verb"].lower(), text[: found.start("verb")]
    if base == "be":
        return _BE_TAGS.get(form.replace("’", "'"), "VB")
    tags = [tag for tag, place in VERB_FORMS.items() if tag != "VBP" and verb_forms(base)[place] == form]
    if len(tags) == 1:
        return tags[0]
    if "VB" in tags:  # put, cut: what the sentence as a whole says of it
        return next((one.tag for one in tagged(text) if one.start == found.start("verb")), "VB")
    return "VBN" if _PERFECT.search(before) else "VBD"
