"""Phrases that a writer may want to be rid of, and what can stand in their place.

Each list in `data/wording` has phrases of one sort, such as clichés. A phrase is a regular expression, in
which `~give` stands for every form of a verb, `+ride` for a noun in both numbers, `one's` for a possessive,
`X` for a few words, and `^` for the start of a sentence. A last `{a}`, `{n}` or `{r}` says that it is an
adjective, a noun or an adverb, and `{adj}` that a noun has to follow. What takes its place has them in the
form that was found; `<name>` is a group of the phrase, `<many>` many or much, and `-` nothing.
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
from redraft.text.wording_tags import PARTS, is_before_noun, is_part, verb_form
from redraft.text.words import Span

WORDING_LISTS: Final = (
    "superlatives", "cliches", "slang", "puffery", "informal", "stiff", "legal", "jargon", "wordy", "hedges",
    "filler", "gendered", "polite", "simple", "loaded", "purple",
)  # fmt: skip
"""The lists there are; of superlatives, most are found by rule."""
_BE: Final = r"(?:\b(?:am|is|are|was|were|been|being|be)|(?<=\w)['’](?:s|re|m))"
_POSSESSIVE: Final = r"(?:my|your|his|her|its|our|their|one['’]s|[A-Za-z]+['’]s)"
_START: Final = r"(?<=\A\W*|\n\W*|[.!?…:;]['\"”’)\]]*\s+)"
_FEW: Final = r"(?:[\w'’-]+ ){0,3}?[\w'’-]+"
_SLOT: Final = regex.compile(r"~[a-z]+|(?<![\w)\]])\+[a-z-]+|\bone's\b|\bX\b")
_SPELT: Final = regex.compile(r"(?P<word>[~+][a-z]+?)(?:\[(?P<one>s)z\]|(?<=o)u\?(?=r))")
"""~utili[sz]e, ~endeavou?r"""
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
_PARTICLES: Final = frozenset(["up", "out", "off", "down", "back", "away", "apart", "together", "over"])
_PRONOUN: Final = regex.compile(
    r"\s+(?:it|them|him|me|us|you|her(?!\s+(?!(?:out|away|up|off|down|back|in|on|to|from|for|with|at|by|and|or"
    r"|but|when|if|as|that|because|again|too|so|now|then)\b)[A-Za-z]))(?!\w)"
)


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
    part: str
    """The part of speech that is meant, if the list says so."""


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
                if not _is_name(text, match, phrase) and (
                    not phrase.part or is_part(text, match, phrase.part)
                ):
                    end = match.start() + len(match[0].rstrip())
                    yield _with_object(text, Hit(Span(match.start(), end), tuple(_ways(text, match, phrase))))


def _with_object(text: str, hit: Hit) -> Hit:
    """Two words of a verb stand around a pronoun: "find it out"."""
    pronoun = _PRONOUN.match(text, hit.span.end)
    if pronoun is None or not any(way.rpartition(" ")[2] in _PARTICLES for way in hit.ways):
        return hit
    said = pronoun[0]
    ways = (
        f"{verb}{said} {particle}" if particle in _PARTICLES and verb else f"{way}{said}"
        for way in hit.ways
        for verb, _, particle in [way.rpartition(" ")]
    )
    return Hit(Span(hit.span.start, pronoun.end()), tuple(ways))


@cache
def _phrases(name: str) -> tuple[_Phrase, ...]:
    return tuple(
        _phrase(spelt) for line in list_lines(__package__, f"wording/{name}.txt") for spelt in _spelt(line)
    )


def _spelt(line: str) -> Iterator[str]:
    """A line with a verb or a noun that has two spellings, as two lines."""
    if (found := _SPELT.search(line)) is None:
        yield line
        return
    for letter in found["one"] or "u", "z" if found["one"] else "":
        put = letter[:1] if found["one"] else letter
        yield from _spelt(f"{line[: found.start()]}{found['word']}{put}{line[found.end() :]}")


def _phrase(line: str) -> _Phrase:
    written, _, put = (part.strip() for part in line.partition(" | "))
    part = next((name for end, name in PARTS.items() if written.endswith(end)), "")
    written = written.rpartition("{")[0].rstrip() if part else written
    body = written.removeprefix("^")
    if not part and body.startswith("~") and not body.startswith("~be"):
        part = "verb"
    literals = [one for one in _GROUPED.sub(" ", body).split() if _LITERAL.fullmatch(one)]
    slots = {_KINDS[slot[0]]: slot[1:] for slot in reversed(_SLOT.findall(body))}
    start = _START if written[0] == "^" else "" if body.startswith(("~be", ",")) else r"(?<![\w-])"
    end = r"(?![\w-])"
    if looks_ahead := _LOOKS_AHEAD.search(body):
        end = ""
        if looks_ahead[0][0] == "(" and body[looks_ahead.start() - 1].isalnum():  # a word ends there
            body = f"{body[: looks_ahead.start()]}(?!\\w){looks_ahead[0]}"
    ways = tuple("" if one.strip() == "-" else one.strip() for one in put.split(";"))
    anchor = max(literals, key=len, default="") or _common(_SLOT.search(_GROUPED.sub(" ", body)))
    expression = f"{start}{_expression(body)}{end}"
    return _Phrase(expression, anchor, ways, slots.get("verb", ""), slots.get("noun", ""), part)


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


def _is_name(text: str, match: regex.Match[str], phrase: _Phrase) -> bool:
    """Whether the words have capitals that no sentence and no list gives them."""
    found = " ".join(word.lower() if word in phrase.expression else word for word in match[0].split())
    for name in match.groupdict():  # a slot may hold a name
        if match[name] and (match.start(name) > match.start() or name == "name"):
            found = found.replace(match[name], match[name].lower())
    if any(word[:1].isupper() and not _I.match(word) for word in found.split()[1:]):
        return True
    return found[:1].isupper() and not _I.match(found) and not _opens(text, match.start())


def _opens(text: str, start: int) -> bool:
    return _OPENING.search(text[:start]) is not None


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
    if is_first:  # what opened the sentence may stand inside it now
        groups |= {
            name: value[:1].lower() + value[1:]
            for name, value in groups.items()
            if value and name != "name" and found.start(name) == found.start() and not _I.match(value)
        }
    is_adjective = phrase.part == "adjective"
    describes = (is_adjective or (phrase.part == "verb" and tag == "VBN")) and is_before_noun(
        text, found.start(), found.end(), bare=is_adjective
    )
    for way in phrase.ways:
        if (describes and " " in way and not way.startswith("very ")) or (tag == "VBN" and way == "~get"):
            continue  # "the asked for form", "it can be got"
        new = " ".join(_PUT.sub(put, way).split())
        if phrase.noun and new and groups["noun"].lower() != phrase.noun:
            new = _many(new)
        if found[0][0] in "'’" and not way.startswith("~be") and text[: found.start()][-1:].isalnum():
            new = f" {new}"  # "we're like family" is "we get on"
        if found[0][0] == "," and new[:1].isalnum():
            new = f" {new}"
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
        words = tagged(text)
        at = next((place for place, one in enumerate(words) if one.start == found.start("verb")), 0)
        tag = words[at].tag
        if any(
            one.tag == "MD" and (not place or not words[place - 1].text.isalpha())
            for place, one in enumerate(words[:at])
            if place >= at - 5
        ):
            return "VB"  # "could the team hit it"
        if tag in ("VB", "VBP") and at and words[at - 1].tag in ("NN", "NNP"):
            return "VBD"  # "the printer let us down"
        return tag if tag in VERB_FORMS else "VB"
    if _PERFECT.search(before) or verb_form(text, found.start("verb")) == "VBN":
        return "VBN"
    return "VBD"
