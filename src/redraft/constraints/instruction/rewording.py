"""Ways to ask that the rules do not read, put into those that they do (`data/rewordings.txt`).

People ask for one thing in many ways: "emojis out!", "I don't want semicolons in my cover letter", "numbered,
please". What such wordings mean is a line of a list, and no rule needs to know of them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from redraft.text import CARDINALS, ORDINALS, Span, late_pattern, list_lines

from .lexicon import WORDINGS
from .slips import Mended
from .tokens import quoted

_THINGS: Final = (
    "semicolon", "em_dash", "exclamation_mark", "question_mark", "bracket", "ellipsis", "emoji",
    "contraction", "word_in_capitals", "first_person_singular", "first_person", "second_person",
    "passive", "superlative", "cliché", "slang_word",
)  # fmt: skip
_NO_NAME: Final = (
    r"the|it|this|that|them|all|my|our|any|every|passive|active|voice|tense|past|present|person"
    r"|tone|length|spelling|commas?|semicolons?|dash(?:es)?|hyphens?|numbers?|digits?|headings?"
    r"|titles?|lists?|bullets?|sentences?|paragraphs?|lines?|words?|ones?|keep|write|make|look"
    r"|reply|fix|cut|bold|italics?|formal|informal|\w*\d"
)
"""Words that speak of the text, and are not replaced by another one themselves."""
_NUMBERS: Final = rf"\d{{1,5}}|{'|'.join(CARDINALS)}"
_ORDINALS: Final = rf"{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)|last|final|opening|closing"
_NTH: Final = (
    rf"(?:very )?(?:{_ORDINALS})(?:(?:,|,? and|,? or) (?:the )?(?:{_ORDINALS})){{0,5}}+(?: (?:{_NUMBERS}))?"
    r" (?:sentences?|paragraphs?)"
)
_NUMBERED: Final = (
    rf"(?:sentences?|paragraphs?) (?:no\.? ?|number |#)?(?:{_NUMBERS})\b"
    rf"(?:(?:, ?| ?& ?|,? and | ?[-–] ?| to | or )(?:{_NUMBERS})\b){{0,9}}+"
)
_KINDS: Final = (
    r"title|headings|bullets|bullet points|dialogue|quotes|quotations|code|code blocks|equations|greeting"
    r"|signature|introduction|intro|conclusion"
)
_SECTION: Final = r"(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z])[\w-]*)? section"
_NAMES: Final = {
    **WORDINGS,
    "thing": "|".join(WORDINGS[name] for name in _THINGS).replace(" ", "[ -]"),
    "the": r"(?:(?:all|any|every|each|the|my|our|your|those|these|of|single) )*",
    "number": _NUMBERS,
    "nth": _NTH,
    "numbered": _NUMBERED,
    "part": rf"(?:the|my|our) (?:{_NTH}|{_KINDS}|{_SECTION})|{_NUMBERED}",
    "mark": "|".join(WORDINGS[name] for name in _THINGS[:7]).replace(" ", "[ -]"),
    "quoted": r"\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|(?<!\w)['‘](?:[^'’\n]|['’](?=\w)){1,60}['’](?!\w)",
    "short": r"[\"“'‘]?\w+['’]\w+(?: \w+)?[\"”'’]?",
    "ordinal": rf"{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)",
    "text": r"(?:this|these|that|my|our|your|the|an?|its) (?:[^\W\d][\w’'-]* ){0,2}"
    rf"(?:{WORDINGS['written_text']})",
    "replaced": rf"(?!(?:{_NO_NAME})\b)[A-Za-z][\w’'-]*",
    "start": r"(?:(?<=[.,;:!?(\n]\s)|(?<=\A)|(?<=\bplease\s)|(?<=\band\s)|(?<=\bbut\s))",
    "clause": r"(?:(?<=[.,;:!?(\n]\s)|(?<=\A)|(?<=\bplease\s)|(?<=,\s(?:and|but)\s)|(?<=\n[-*•]\s))",
    "opening": r"(?:(?<=[.;:!?\n]\s)|(?<=\A))",
    "end": r"(?=\s*(?:[.,;:!?)(\n–—]|\Z|-\s|(?:please|thanks|thank you|and|but|so)\b))",
}
_THING: Final = late_pattern(rf"!!|\(\)|short form|\b(?:{_NAMES['thing']})\b", re.IGNORECASE)
_PART: Final = re.compile(
    "sentence|para|section|title|heading|bullet|dialogue|quot|code|equation|greeting|signature|intro"
    "|conclusion",
    re.IGNORECASE,
)
_HINTS: Final = {
    "thing": _THING,
    "mark": _THING,
    "quoted": re.compile("[\"“'‘]"),
    **dict.fromkeys(("part", "nth", "numbered"), _PART),
}
"""What stands in every text that has such a thing: it spares the long patterns."""
_NAME: Final = re.compile(r"\{([a-zé_]+)\}")
_TOLERANCE: Final = re.compile(
    r"\b(?:(?:about|around|roughly|approximately|approx\.|exactly) )?"
    r"(?P<count>\d{1,6}) (?P<unit>words|characters|sentences),? \(?"
    r"(?:give or take|plus or minus|plus/minus|\+/-|\+-|±) ?(?:about |a )?"
    r"(?P<off>\d{1,4})(?P<percent> ?%| percent\b)?(?: (?P=unit))?\)?",
    re.IGNORECASE,
)
_FIRST_NUMBER: Final = re.compile(r"(?:\A|[:.!?]\s)\s*\(?([1a])([.)])(?=\s+\w)")
"""The number ahead of the first of several demands."""

_MOST: Final = 60
"""Passages that are put in other words, or looked at for it."""


def reword(text: str) -> Mended:
    """The text in words that the rules know, and what stood there.

    >>> reword("Emojis out, please!").text
    'no Emojis, please!'
    """
    done = _with_ranges(_without_numbering(Mended(text)))
    lacking = {name for name, hint in _HINTS.items() if hint.search(done.text) is None}
    left = _MOST
    for wording, new, needed in _rewordings():
        if not needed.isdisjoint(lacking):
            continue
        match = _find(wording, done.text, 0)
        while match is not None and left:
            left -= 1
            if _is_quoted(done.text, match):
                match = _find(wording, done.text, match.end())
                continue
            put = _spaced_like(match[0], " ".join(match.expand(new).split()))
            done = _put(done, match, put)
            match = _find(wording, done.text, match.start() + len(put))
    return done


def _spaced_like(old: str, new: str) -> str:
    """New words with a space where the old ones begin or end with one."""
    if not new:
        return new
    return f"{' ' * old[:1].isspace()}{new}{' ' * old[-1:].isspace()}"


def _without_numbering(done: Mended) -> Mended:
    """Demands that are numbered in one line as clauses: "1) no emojis 2) under 80 words"."""
    first = _FIRST_NUMBER.search(done.text)
    if first is None:
        return done
    at, count = first.start(1), ord(first[1])
    match: re.Match[str] | None = first
    for _ in range(_MOST):
        match = re.compile(rf"(?<=\S)[ \t]+\(?{chr(count + 1)}{re.escape(first[2])}(?=\s+\w)").search(
            done.text, at
        )
        if match is None or count == ord("9"):
            break
        stop = "" if done.text[match.start() - 1] in ".;!?:," else ";"
        done = _put(done, match, stop)
        at, count = match.start() + len(stop), count + 1
    return done


def _with_ranges(done: Mended) -> Mended:
    """What may be off by so much as a range: "400 words, give or take 20" is from 380 to 420 words."""
    match = _TOLERANCE.search(done.text)
    for _ in range(_MOST):
        if match is None:
            break
        count, off = int(match["count"]), int(match["off"])
        off = round(count * off / 100) if match["percent"] else off
        put = f"from {max(count - off, 0)} to {count + off} {match['unit']}"
        done = _put(done, match, put)
        match = _TOLERANCE.search(done.text, match.start() + len(put))
    return done


def _find(wording: re.Pattern[str], text: str, start: int) -> re.Match[str] | None:
    """Where a wording stands, whatever its apostrophes: the list has straight ones."""
    return wording.search(text.replace("’", "'") if "'" not in text else text, start)


def _put(done: Mended, match: re.Match[str], new: str) -> Mended:
    """With a further passage in other words; what it swallows of earlier ones goes with them."""
    start, end = match.span()
    before = done.original(Span(start, end))
    kept = [(span, word) for span, word in done.slips if span.end <= before.start or before.end <= span.start]
    return Mended(
        done.text[:start] + new + done.text[end:], tuple(sorted([*kept, (before, new)], key=_start))
    )


def _start(slip: tuple[Span, str]) -> int:
    return slip[0].start


def _is_quoted(text: str, match: re.Match[str]) -> bool:
    """Whether it begins or ends inside a quotation."""
    inside = (match.start(), match.end() - 1)
    return any(one.start < at < one.end - 1 for one in quoted(text) for at in inside)


@cache
def _rewordings() -> tuple[tuple[re.Pattern[str], str, frozenset[str]], ...]:
    """What is looked for, what stands in its place, and the sorts of things that it names in every case."""
    found = []
    for line in list_lines("redraft.constraints", "rewordings.txt"):
        wording, _, new = line.rpartition(" =>")
        needed = frozenset(name for name in _NAME.findall(wording) if name in _HINTS)
        wording = _NAME.sub(lambda name: f"(?:{_NAMES[name[1]]})", wording)
        found.append((late_pattern(wording.replace(" ", r"\s"), re.IGNORECASE), new, needed))
    return tuple(found)
