"""A sentence that begins with another word: what says when, where or how is moved, and no word is new."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import WORDS, distinct, is_balanced
from redraft.revision.rewriting.splits.splits import lowered
from redraft.text import Clauses, as_sentence, opening_word, read_clauses, wordings

_WORDINGS: Final = wordings(__package__)
_TIME: Final = re.compile(rf"(?P<main>.+?\S),? (?P<moved>(?:{_WORDINGS['time_phrase']}))(?P<end>[.!])\Z")
_PLACE: Final = re.compile(
    r"(?P<main>\S+ \S+ .+\S) (?P<moved>(?:in|at|on|near|behind|beside|above|below|outside) "
    rf"(?:the|my|his|her|our|their|this) (?:[\w-]+ ){{0,2}}(?:{_WORDINGS['place_noun']})s?)"
    r"(?P<end>[.!])\Z"
)
_PUT: Final = re.compile(
    r"(?i)\b(?:puts?|plac\w+|lays?|laid|leaves?|left|stor\w+|hid\w*|hangs?|hung|sets?|and|or|to|of|between)\b"
)
"""What has its place in the verb, or ends in more than one thing that may be there."""
_FRONT: Final = re.compile(
    rf"(?P<moved>(?:{_WORDINGS['front_opens']})\b[^,;:“”\"()]{{0,90}}),"
    r" (?P<main>[^;:“”\"()]+?)(?P<end>[.!])\Z"
)
_PERIOD_FRONT: Final = re.compile(
    rf"(?:Last|Next|This|Every|Each) (?:{_WORDINGS['period']})\Z|(?!(?:Last|Next|This|Every|Each) )"
)
"""What begins with "this" and stands in front is a time, or no phrase."""
_TAKES_UP: Final = re.compile(r"(?i)\b(?:he|she|it|they|him|her|them|his|its|their)\b")
_LONG_MAIN: Final = 12
"""Words behind which nobody would look for what has stood in front."""
_JOINS: Final = re.compile(r"(?i)\b(?:and|or|but|if|when|once|because|although|until|unless|while|that)\b")
_ASKED: Final = re.compile(
    r"(?i)\b(?:see|sees|saw|know|knows|knew|tell|tells|told|ask|asks|asked|check|decide|decides|decided|describes?"
    r"|described|says?|said|shows?|showed|explains?|explained|understand|determines?|wonder\w*|learn\w*|out|sure"
    r"|consider\w*|remember\w*|forget|forgot|defines?|tests?|tested|specif\w+|of|about|on|like|as|than|even|only"
    r"|just|especially|is|was|are|were|(?:ask|asks|asked|tell|tells|told|show|showed) [\w.'’-]+)\Z"
)
"""Ahead of "if" and "when" in a question that is told; and what belongs to them."""
_BARE_FRONT: Final = re.compile(
    r"(?P<moved>(?:In|On|At|During) (?:the )?[\w-]+(?: [\w-]+)?) "
    r"(?P<main>(?:we|I|you|he|she|they|it)\b[^,;:“”\"()]+?)(?P<end>[.!])\Z"
)
_MIDDLE: Final = re.compile(
    rf"(?P<one>\S+ .+\S) (?P<moved>(?:on|in) (?:{_WORDINGS['period']}))"
    r" (?P<two>(?:without|with|by|from|to|for)\b[^,;:]+?)(?P<end>[.!])\Z"
)
"""What says when, ahead of what says how: "I called on Monday without success." """
_A_THING: Final = re.compile(r"\b(?:an?|some|no|any|the|two|three|four|\w+s) (?:[\w-]+ ){0,2}[\w-]+\Z")
_NOT_YET: Final = re.compile(r"(?P<main>.+\b(?:have|has) not\b.+\S) yet(?P<end>[.!])\Z")
_BESIDE: Final = ("near ", "behind ", "beside ", "above ", "below ", "outside ")
_PROMISED: Final = re.compile(
    r"(?i)\b(?:promis|ask|agree|offer|want|expect|need|request|plan|order|demand|undertak|undertook)\w*\b"
)
"""By when it was to be is not when it was promised."""
_UNFINISHED: Final = re.compile(
    r"(?i)\b(?:only|just|even|not|never|also|mainly|mostly|largely|especially|already|still|about|around"
    r"|almost|nearly|exactly|at least|at most|all|both|and|or|but|than|as|of|in|on|at|by|to|for|from|with"
    r"|until|since|before|after|between|the|an?|this|that|every|each|late|early|long|shortly|soon|right"
    r"|(?:was|were) done)\Z"
)
"""What no phrase is moved away from: "only in 1750", "by the end of next week"."""
_HANGS: Final = re.compile(
    r"(?i)\b(?:glad|grateful|happy|pleased|delighted|thankful|eager|keen"
    r"|would (?:like|love|prefer|appreciate))\b"
    r"|\b(?!(?:try|tries|tried|start\w*|began|begins?|manag\w*|went|came|go|goes|had|has|have|used|able) )"
    r"[a-z]+ to (?!(?:the|an?|my|your|his|her|its|our|their|this|that|these|those|all|some|any|no|one|two|me"
    r"|you|him|it|us|them|be|[a-z]+s|work|school|bed|church|town|market|court|sea|sleep)\b)[a-z]+"
)
"""When is it that one would be glad, or that one wants to go? What says so stays where it is."""
_FIXED: Final = re.compile(rf"(?i)(?:{_WORDINGS['front_stays']})\b")
"""What joins a sentence to the text, and stays in front; and what is no phrase of its own."""
_MARKS: Final = re.compile(r"[“”\"«»;:?()–—]|--")


def reopened(sentence: str) -> list[Candidate]:
    """The sentence with another first word, best first; none where nothing can be moved.

    >>> reopened("We met him in May.")[0].text
    'In May, we met him.'
    """
    text = " ".join(sentence.split())
    reading = read_clauses(text)
    if _MARKS.search(text) or not reading.end.startswith((".", "!")) or reading.main() is None:
        return []
    if opening_word(text) in WORDS.opening_links:
        return []  # "For a minute, then they are fried."
    moved = [*_to_the_front(reading), *_from_the_middle(text), *_to_the_end(text), *_adverb(reading)]
    return distinct(
        Candidate(new, "opening", (Reason("move", before=what),))
        for new, what in moved
        if opening_word(new) != opening_word(text) and is_balanced(new, (("(", ")"),))
    )


def _to_the_front(reading: Clauses) -> Iterator[tuple[str, str]]:
    """What stands at the end: a clause ("when it rained"), a time, a place."""
    for place in range(2, len(reading.letters) - 1):
        word, comma = reading.lower(place), reading.letters[place - 1] == ","
        if word not in WORDS.opening_conjunctions or reading.letters[place] not in "UIRW":
            continue
        main = reading.main(place - comma)
        if main is None or reading.clause(place + 1) is None or "," in reading.letters[place:]:
            continue
        if set("UW,") & set(reading.letters[: place - comma]) or _ASKED.search(reading.span(0, place)):
            continue  # another clause stands between, or it is what somebody asks
        moved = reading.span(place, len(reading.letters))
        yield _fronted(moved, reading.span(0, place - comma), reading.end), moved
    whole = reading.text
    for pattern in (_TIME, _PLACE):
        found = pattern.match(whole if whole.endswith(reading.end) else whole + reading.end)
        clause = read_clauses(f"{found['main']}." if found else "")
        if found and not set("UW,") & set(clause.letters) and clause.letters.count("V") == 1:
            main = clause.main()
            # Where somebody lives is part of the verb: "In the house, she lives."
            if pattern is _PLACE and (_PUT.search(found["main"]) or _is_part_of_thing(found)):
                continue
            apart = pattern is _TIME or found["moved"].startswith(_BESIDE)
            if found["moved"].startswith(("by ", "within ")) and _PROMISED.search(found["main"]):
                continue
            if found["moved"].startswith("until ") and " from " in found["main"]:
                continue
            if _UNFINISHED.search(found["main"]) or _HANGS.search(found["main"]):
                continue
            if main is not None and not main.start and (apart or main.verb < len(clause.letters) - 1):
                yield _fronted(found["moved"], found["main"], found["end"]), found["moved"]


def _is_part_of_thing(found: re.Match[str]) -> bool:
    """Whether a place may be said of the thing before it: "a flat near the harbour"."""
    return found["moved"].startswith(_BESIDE) and bool(_A_THING.search(found["main"]))


def _from_the_middle(text: str) -> Iterator[tuple[str, str]]:
    """What stands ahead of another phrase, and "yet", which is "so far" in front."""
    if set("UW,") & set(read_clauses(text).letters):
        return
    if (found := _MIDDLE.match(text)) and not _UNFINISHED.search(found["one"]):
        yield _fronted(found["moved"], f"{found['one']} {found['two']}", found["end"]), found["moved"]
    if found := _NOT_YET.match(text):
        yield _fronted("so far", found["main"], found["end"]), "yet"


def _fronted(moved: str, main: str, end: str) -> str:
    first = main.split(maxsplit=1)[0]
    named = re.search(rf"\s{re.escape(first)}\b", f" {moved}{main[len(first) :]}")  # "if Customer agrees"
    return f"{moved[0].upper()}{moved[1:]}, {main + end if named and first != 'The' else lowered(main + end)}"


def _to_the_end(text: str) -> Iterator[tuple[str, str]]:
    """What stands in front: "In May, we met him." """
    found = _FRONT.match(text) or _BARE_FRONT.match(text)
    if found is None or _FIXED.match(text) or "," in found["main"] or not _PERIOD_FRONT.match(found["moved"]):
        return
    if len(found["main"].split()) > _LONG_MAIN or _JOINS.search(found["main"]):
        return
    if _TAKES_UP.search(found["moved"]) and not _TAKES_UP.match(found["main"]):
        return  # "If it fails, the pod will fail."
    clause = read_clauses(found["main"] + ".")
    if clause.main() is None or set("UW") & set(clause.letters):
        return
    yield as_sentence(f"{found['main']} {lowered(found['moved'])}", found["end"]), found["moved"]


def _adverb(reading: Clauses) -> Iterator[tuple[str, str]]:
    """ "He slowly rose." gives "Slowly, he rose." """
    main = reading.main()
    if main is None or main.start or main.stop >= len(reading.words):
        return
    adverb = reading.words[main.stop]
    if adverb.text in ("then", "now", "later", "soon") and main.verb == main.stop + 1:
        rest = reading.text[adverb.end :].lstrip()
        subject = lowered(reading.span(main.start, main.stop))
        yield f"{adverb.text.capitalize()} {subject} {rest}{reading.end}", adverb.text
        return
    if adverb.text in WORDS.movable_adverbs and main.verb == main.stop + 1:
        rest = reading.text[adverb.end :].lstrip()
        subject = lowered(reading.text + reading.end)[: reading.words[main.stop - 1].end]
        yield f"{adverb.text.capitalize()}, {subject} {rest}{reading.end}", adverb.text
