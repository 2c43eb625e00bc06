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
_NAMES: Final = {
    **WORDINGS,
    "thing": "|".join(WORDINGS[name] for name in _THINGS),
    "the": r"(?:(?:all|any|every|each|the|my|our|your|those|these|of|single) )*",
    "number": rf"\d{{1,5}}|{'|'.join(CARDINALS)}",
    "ordinal": rf"{'|'.join(ORDINALS)}|\d{{1,3}}(?:st|nd|rd|th)",
    "text": r"(?:this|these|that|my|our|your|the|an?|its) (?:[^\W\d][\w’'-]* ){0,2}"
    rf"(?:{WORDINGS['written_text']})",
    "replaced": rf"(?!(?:{_NO_NAME})\b)[A-Za-z][\w’'-]*",
    "start": r"(?:(?<=[.,;:!?(\n]\s)|(?<=\A)|(?<=\bplease\s)|(?<=\band\s)|(?<=\bbut\s))",
    "opening": r"(?:(?<=[.;:!?\n]\s)|(?<=\A))",
    "end": r"(?=\s*(?:[.,;:!?)(\n–—]|\Z|-\s|(?:please|thanks|thank you|and|but|so)\b))",
}
_THING: Final = late_pattern(rf"!!|\(\)|short form|\b(?:{_NAMES['thing']})\b", re.IGNORECASE)
_NAME: Final = re.compile(r"\{([a-zé_]+)\}")
_TOLERANCE: Final = re.compile(
    r"\b(?:(?:about|around|roughly|approximately|approx\.|exactly) )?"
    r"(?P<count>\d{1,6}) (?P<unit>words|characters|sentences),? \(?"
    r"(?:give or take|plus or minus|plus/minus|\+/-|\+-|±) ?(?:about |a )?"
    r"(?P<off>\d{1,4})(?P<percent> ?%| percent\b)?(?: (?P=unit))?\)?",
    re.IGNORECASE,
)

_MOST: Final = 60
"""Passages that are put in other words, or looked at for it."""


def reword(text: str) -> Mended:
    """The text in words that the rules know, and what stood there.

    >>> reword("Emojis out, please!").text
    'no Emojis, please!'
    """
    done = _with_ranges(Mended(text))
    named = _THING.search(text) is not None
    left = _MOST
    for wording, new, names_thing in _rewordings():
        if names_thing and not named:
            continue
        match = _find(wording, done.text, 0)
        while match is not None and left:
            left -= 1
            if _is_quoted(done.text, match):
                match = _find(wording, done.text, match.end())
                continue
            put = " ".join(match.expand(new).split())
            done = _put(done, match, put)
            match = _find(wording, done.text, match.start() + len(put))
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
def _rewordings() -> tuple[tuple[re.Pattern[str], str, bool], ...]:
    """What is looked for, what stands in its place, and whether it names a mark or the like."""
    found = []
    for line in list_lines("redraft.constraints", "rewordings.txt"):
        wording, _, new = line.rpartition(" =>")
        names_thing = "{thing}" in wording
        wording = _NAME.sub(lambda name: f"(?:{_NAMES[name[1]]})", wording)
        found.append((late_pattern(wording.replace(" ", r"\s"), re.IGNORECASE), new, names_thing))
    return tuple(found)
