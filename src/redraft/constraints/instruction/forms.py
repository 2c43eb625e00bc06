"""How numbers are written, the case of headings, and how sentences begin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from redraft.constraints.kinds import HeadingCase, Numbers, Openings, SentenceStarts
from redraft.text import HeadingStyle, NumberStyle, late_pattern

from .conventions import asked_for, found_in
from .keywords import Keywords
from .lexicon import WORDINGS, Tag
from .patterns import Found, Line, Read, joined

_HUNDRED: Final = 101
"""Who spells numbers out without saying which, spells out those up to a hundred."""

_NUMBERS: Final = rf"(?:{WORDINGS['all_numbers']})"
_LIMIT: Final = (
    rf"(?: (?:that are )?(?:(?P<under>{WORDINGS['number_under']}) N"
    rf"|(?:(?:from|between) )?(?:N )?(?:{WORDINGS['number_up_to']}) N|N (?:{WORDINGS['number_or_less']})))?"
)
_WORDS, _DIGITS, _BE, _TURN = (
    rf"(?:{WORDINGS[name]})" for name in ("as_words", "as_digits", "number_be", "number_turn")
)
# Not "numerals for ten and above"
_END: Final = rf"(?: (?:{WORDINGS['number_tail']}))*(?= (?:$|[,:()–—-]|(?:{WORDINGS['goes_on']})\b))"
_WORDED: Final[tuple[tuple[NumberStyle, str], ...]] = (
    ("words", rf"(?:no|without|avoid|avoid using|do not use|never use) (?P<none>{WORDINGS['numerals']})"),
    ("words", rf"(?:spell|spelling|write|writing) out {_NUMBERS}{_LIMIT}"),
    ("words", rf"{_TURN} {_NUMBERS}{_LIMIT}(?: out)? {_WORDS}"),
    ("words", rf"(?:spell|write) {_NUMBERS}{_LIMIT} out"),
    ("words", rf"(?:use|write) (?:number )?words for {_NUMBERS}{_LIMIT}"),
    ("words", rf"{_NUMBERS}{_LIMIT}(?: {_BE}){{0,5}} {_WORDS}"),
    ("digits", rf"{_TURN} {_NUMBERS}{_LIMIT} {_DIGITS}"),
    ("digits", rf"(?:use|write|prefer) (?:{WORDINGS['numerals']})(?: for {_NUMBERS}{_LIMIT})?"),
    ("digits", rf"(?:use|prefer) figures for {_NUMBERS}{_LIMIT}"),
    ("digits", rf"{_NUMBERS}{_LIMIT}(?: {_BE}){{0,5}} {_DIGITS}"),
)
_STYLES: Final = tuple((style, late_pattern(rf" (?:{wording}){_END}")) for style, wording in _WORDED)
_ALL: Final = re.compile(r"\b(?:all|every|each|any)\b")
_DENIED: Final = re.compile(rf"\b(?:{WORDINGS['denies']})(?: \w+)? ?\Z")
_LEFT: Final = re.compile(rf"\b(?:{WORDINGS['leaves_open']})(?: \w+){{0,2}} ?\Z")
_TOLD: Final = re.compile(r" (?:is|are|was|were) ")
_ENSURED: Final = re.compile(r"\b(?:that|sure|ensure|ensuring|so|certain|until)(?: all| the)?\s*\Z")
_HINT: Final = re.compile(r"number|numeral|digit")

_HEADINGS: Final = rf"(?:{WORDINGS['headings']})"
_CASE: Final = rf"(?P<case>title|titles|sentence|headline|heading) ?(?:{WORDINGS['case']})"
_EVERY: Final = r"(?: (?:all|the|every|each|my|our|your|any|of)){0,4}"
_CASED: Final = late_pattern(
    rf" {_CASE}(?: (?:for|in|on|to|throughout|across|with))?{_EVERY}(?: {_HEADINGS})?(?= )"
)
_CASED_HEADINGS: Final = late_pattern(
    rf"(?: {_TURN})?{_EVERY} {_HEADINGS}(?: (?:{WORDINGS['heading_be']})){{1,6}} {_CASE}(?= )"
)
_LIKE_SENTENCES: Final = late_pattern(
    rf" (?:capitali[sz]e|write|set){_EVERY} {_HEADINGS} (?:like|as) sentences(?= )"
)

_VARIED: Final = late_pattern(
    rf" (?:{WORDINGS['openings_vary']})(?: (?:please|throughout|as the (?:last|previous) one))?(?= )"
)
_BEGINS: Final = re.compile(r"\b(?:begin|start|open)")
_ONE_WORD: Final = rf"(?:Q|{WORDINGS['start_word']})"
_START_WORDS: Final = (
    rf"(?:the (?=Q )|the words? |words like |an? |either )?"
    rf"(?P<words>{_ONE_WORD}(?: (?:, )?(?:or|and|nor|/|,) (?:with )?{_ONE_WORD})*)"
)
_LISTED: Final = re.compile(rf"(?:\A| (?:, )?(?:or|and|nor|/|,) (?:with )?)({_ONE_WORD})(?= |\Z)")
_AFTER_STARTS: Final = r"(?= (?:$|[,:()–—-]|(?:please|and|but|or end|at|any\w*)\b))"
_STARTS: Final = tuple(
    late_pattern(wording)
    for wording in (
        rf" (?:{WORDINGS['starts_not']}) {_START_WORDS}{_AFTER_STARTS}",
        rf" (?:{WORDINGS['not_there']}) {_START_WORDS} (?:{WORDINGS['of_sentences']})(?= )",
    )
)


def fold_number_styles(line: Line) -> Line:
    """The line with "spell out numbers under ten" as one chunk, so that ten is not taken for a length."""
    if _HINT.search(line.prose) is None:
        return line
    found: dict[tuple[int, int], Numbers] = {}
    taken: set[int] = set()
    for style, wording in _STYLES:
        for match in wording.finditer(line.prose):
            start, end = line.within(match)
            read, start = _number_style(line, match, style, start, end)
            # What one wording has read, another does not read again.
            if read is not None and taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                found[start, end] = read
    chunks = list(line.chunks)
    for (start, end), read in sorted(found.items(), reverse=True):
        chunks[start:end] = [joined(line, start, end, Tag.GRADE, Read((read,)))]
    return replace(line, chunks=tuple(chunks))


def _number_style(
    line: Line, match: re.Match[str], style: NumberStyle, start: int, end: int
) -> tuple[Numbers | None, int]:
    groups = match.groupdict()
    if groups.get("none"):
        return Numbers("words", 0), start
    ahead = match.string[: match.start()]
    if _LEFT.search(ahead) or (_TOLD.search(match[0]) and not _ENSURED.search(ahead)):
        return None, start
    numbers = [chunk.value for chunk in line.chunks[start:end] if chunk.tag == Tag.NUMBER]
    last = numbers[-1] if numbers else None
    if last is not None and (not isinstance(last, int | float) or last != int(last) or not 0 < last < 10**6):
        return None, start
    denied = _DENIED.search(ahead)
    if denied:
        style = "digits" if style == "words" else "words"
        start -= len(denied[0].split())
    if isinstance(last, int | float):
        return Numbers(style, int(last) + (not groups.get("under"))), start
    if "single digit" in match[0]:
        return Numbers(style, 10), start
    every = style == "digits" or _ALL.search(match[0]) is not None
    return Numbers(style, 0 if every else _HUNDRED), start


def heading_rules(line: Line) -> Iterator[Found]:
    """The case of headings that a line asks for."""
    prose = line.prose
    if "cas" not in prose and "capital" not in prose and "caps" not in prose:
        return
    if match := _LIKE_SENTENCES.search(prose):
        yield Found(HeadingCase("sentence"), *line.within(match))
    elif match := _CASED_HEADINGS.search(prose):
        said = prose[: match.start()]
        told = re.search(r" (?:is|are) ", match[0]) and not _ENSURED.search(said)
        if not told and not _LEFT.search(said):
            denied = re.search(r" (?:not|never) ", match[0]) or _DENIED.search(said)
            yield Found(HeadingCase(_case(match["case"], bool(denied))), *line.within(match))
    elif (match := _CASED.search(prose)) and (way := asked_for(prose, match)):
        yield found_in(line, match, HeadingCase(_case(match["case"], way == "other")))


def _case(named: str, denied: bool) -> HeadingStyle:
    return "sentence" if (named == "sentence") is not denied else "title"


def fold_sentence_starts(line: Line) -> Line:
    """The line with "no sentence may begin with 'But'" as one chunk, so that 'But' may stand elsewhere."""
    if "sentence" not in line.prose or _BEGINS.search(line.prose) is None:
        return line
    for wording in _STARTS:
        for match in reversed([*wording.finditer(line.prose)]):
            if _LEFT.search(match.string[: match.start()]):
                continue
            start, end = line.within(match)
            if words := _start_words(line, start, end, match["words"]):
                read = Read((SentenceStarts(words),))
                folded = joined(line, start, end, Tag.GRADE, read)
                line = replace(line, chunks=(*line.chunks[:start], folded, *line.chunks[end:]))
    return line


def _start_words(line: Line, start: int, end: int, said: str) -> tuple[str, ...]:
    quoted = [
        text
        for chunk in line.chunks[start:end]
        if isinstance(chunk.value, Keywords)
        for text in chunk.value.texts
    ]
    plain = [one[1] for one in _LISTED.finditer(said) if one[1] != "Q"]
    named = any(isinstance(chunk.value, Keywords) for chunk in line.chunks[:start])
    if named and not quoted and plain in (["it"], ["this"], ["that"]):
        return ()  # "use 'but' once, and never start a sentence with it"
    return (*(one for one in quoted if one[:1].isalnum()), *(one.capitalize() for one in plain))


def opening_rules(line: Line) -> Iterator[Found]:
    """The demand that no two sentences in a row begin alike."""
    if "sentence" not in line.prose:
        return
    for match in _VARIED.finditer(line.prose):
        ahead = line.prose[: match.start()]
        if not _LEFT.search(ahead) and not _DENIED.search(ahead):
            yield Found(Openings(), *line.within(match))
