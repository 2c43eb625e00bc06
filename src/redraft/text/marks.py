"""Where a text has a semicolon, an em dash, an emoji …, a contraction, a passive, a first person."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, Literal, get_args

import regex

from redraft.text.borrowed import CODE, borrowed_spans
from redraft.text.commands import find_told
from redraft.text.entities import PEOPLES, citations, links, quotations
from redraft.text.levels import zipf
from redraft.text.persons import find_person
from redraft.text.tagging import Tagged, tagged
from redraft.text.tenses import find_tense
from redraft.text.voice import find_passives
from redraft.text.wording import find_wording
from redraft.text.words import Span

Mark = Literal[
    "semicolon",
    "em dash",
    "exclamation mark",
    "question mark",
    "bracket",
    "ellipsis",
    "emoji",
    "word in capitals",
]
"""The marks that are known by name."""
MARKS: Final[tuple[Mark, ...]] = get_args(Mark)

_PLAIN_EMOJI: Final = r"\p{Emoji_Presentation}|\p{RI}{2}|\p{Extended_Pictographic}\uFE0F|[0-9#*]\uFE0F?\u20E3"
_EMOJI: Final = rf"(?:{_PLAIN_EMOJI}|[\u2600-\u27BF--[\u2701-\u2704\u2713-\u2718\u2756-\u2763\u2776-\u2793]])"
_EMOTICON: Final = r"(?<![\w:;=])[:;=]['’]?-?[)(DPp](?![\w)])"
_FIRST: Final = r"(?:I|you|we|they)"
_THIRD: Final = r"(?:he|she|it|that|there|what|who|here|where)"
_AFTER_HAVE: Final = r"(?:been|never|always|already|just|seen|done|made|found)"
_DONE: Final = (
    r"(?:taken|given|written|left|lost|made|found|bought|brought|sent|lent|told|put|set|paid|sold|kept|won"
    r"|built|done)"
)
"""Participles before which "'s" is "has" where an object follows: "Ann's taken the key"."""
_THINGS_IN_ED: Final = (
    r"(?:red|bed|shed|seed|feed|fed|weed|deed|need|speed|breed|greed|reed|creed|steed|sled|hundred|hatred)\b"
)
_NO_DEED: Final = r"(?:limited|combined|united|called|named|given)\b"
"""Words that look like participles, and those before an object that are no deed of the one who is named."""
_PATTERNS: Final = {
    # No entity of HTML (&amp;) and no winking face.
    "semicolon": r"(?<!&\#?\w{2,8});(?!-?[)DP](?!\w))",
    # A dash alone in its line is a rule, and one between two figures means "to".
    "em dash": r"[—―]|(?<=\S )(?:–|---?)(?= \S)(?<!\d –(?= \d))|(?<=\w)---?(?=\w)",
    "exclamation mark": r"!(?!=)",
    "question mark": r"\?",
    "bracket": r"\([^()\n]*\)|(?<!\[)\[(?!\[)[^\[\]\n]*\](?!\])",
    "ellipsis": r"…|\.{3,}|\.(?: \.){2,}",
    "emoji": rf"{_EMOJI}(?:[\uFE0F\u200D\U0001F3FB-\U0001F3FF]|(?<=\u200D){_EMOJI})*|{_EMOTICON}",
    "word in capitals": r"(?<![\w'’.@#/-])[A-Z]{4,}(?![\w'’@/-])",
    "contraction": (
        r"\b\w+n['’]t\b|\b\w+['’](?:m|re|ve|ll)\b|\blet['’]s\b"
        r"|\b(?:he|she|it|that|there|here|what|who|where|when|how|why)['’]s\b"
        r"|\b(?!(?:ok|ko|od|id|cc|pm|dm)['’]|(?-i:\p{Lu}{2,}['’]d))\p{L}+['’]d\b"
        r"|\b\p{L}{2,}['’]s\b(?= (?:what|where|how|who|why|when)\b)"
        # Behind a noun it may say whose something is; not before these words.
        r"|\b\p{L}{2,}['’]s\b(?= (?:(?:not|no|an?|the|my|your|our|his|her|their|gone|been|being|got|had"
        r"|become|always|never|already|still|(?:so|too)(?= \p{L})|going(?! rate| concern))\b"
        rf"|(?!{_THINGS_IN_ED})(?:\p{{L}}+ed(?:[.,;!?]|\Z| (?:and|but|by|to)\b)"
        rf"|(?!{_NO_DEED})(?:\p{{L}}+ed|{_DONE}) (?:(?:the|an?|my|your|our|his|her|their|its|it|them|us|me"
        r"|him|this|that|these|those|everything|nothing)\b|(?:one|some|any)(?=[.,;!?]|\Z)))))"
    ),
    # In full it stays where it ends a clause, or where something before it asks for it ("what it is").
    "full form": (
        r"\b(?:do|does|did|is|are|was|were|has|have|had|would|could|should|will|can|must|(?:I|we) shall)"
        r" not\b"
        r"(?! (?:only|just)\b)|\bcannot\b"
        r"|(?<!\bonly )\b(?:do|does|did|is|are|was|were|has|have|had|would|could|should|will)"
        r" (?:I|you|he|she|it|we|they) not\b"
        r"(?! (?:only|just)\b)"
        r"|(?<!\b(?:what|how|who|where|than|as)(?: \w+){0,3} )\b(?:"
        rf"I am|(?:you|we|they) are|{_THIRD} is|(?:I|you|he|she|it|we|they) will"
        rf"|(?:I|you|he|she|we|they) would|{_FIRST} have(?= {_AFTER_HAVE}\b)"
        r")\b(?= \w)(?! (?:not|that|and|or|but|to)\b)"
    ),
    # It is short before a participle alone: "I've tried it", and not "they've a boat".
    "perfect": (rf"\b(?:{_FIRST} have|{_THIRD} has)\b(?= \p{{L}})"),
}
_IN_SUBJECT: Final = ("NN", "NNP", "JJ", "CD", "DT", "PRP$", "VBG", "VBN")
_OPENS_CLAUSE: Final = frozenset(
    [*["while", "when", "if", "because", "although", "though", "unless", "whose"], *'.!?;:,—–"“‘(', "``"]
)
"""What stands before a clause: "while the light's on", and not "she helps the world's poor"."""
_STATES: Final = frozenset(
    ["on", "off", "over", "out", "back", "up", "down", "here", "there", "away", "ready"]
)
_PLACED: Final = frozenset(["in", "on", "at", "under", "behind", "near", "from"])
_NO_STATES: Final = frozenset(["own", "other", "same", "poor", "rich", "young", "old", "dead", "few"])
"""What is said of something like an adjective ("the light's on"), and what may be what somebody has."""
_OBJECTS: Final = ("DT", "PRP", "PRP$")
_WHEN: Final = frozenset(["again", "now", "today", "tonight", "already", "too"])
_FINITE: Final = ("VBZ", "VBP", "VBD", "MD")
_COMMON: Final = 4.4
_LONG: Final = 8
_RARE: Final = 2.0
"""How common a word is that is no abbreviation (Zipf's scale), and how long one is that need not be."""
_ABBREVIATED: Final = frozenset(["http", "https", "aids", "html", "html5"])


def _listed(text: str, name: str) -> list[Span]:
    return [hit.span for hit in find_wording(text, [name])]


WORDINGS: Final = {"superlative": "superlatives", "cliché": "cliches", "slang word": "slang"}
"""Sorts of wording that are looked for like marks, and the lists that they stand in."""
_FINDERS: Final[dict[str, Callable[[str], list[Span]]]] = {
    "told instruction": find_told,
    "passive": find_passives,
    "first person": partial(find_person, person="first"),
    "first person singular": partial(find_person, person="first singular"),
    "second person": partial(find_person, person="second"),
    "past tense": partial(find_tense, tense="past"),
    "present tense": partial(find_tense, tense="present"),
    **{sort: partial(_listed, name=name) for sort, name in WORDINGS.items()},
}
FORMS: Final = tuple(_FINDERS)
"""Forms of words that are looked for like marks."""
_ANY_CASE: Final = ("contraction", "full form", "perfect")
_COMPILED: Final = {
    name: regex.compile(pattern, regex.VERSION1 | (regex.IGNORECASE if name in _ANY_CASE else 0))
    for name, pattern in _PATTERNS.items()
}


def find_marks(text: str, mark: str) -> list[Span]:
    """Where a mark stands, from left to right; a bracket is its pair, and what an address or code holds is no
    mark.

    `contraction` finds "don't" and "it's", `full form` the words that could be contracted ("do not"). What is
    quoted has none of the `FORMS`: they are its speaker's.
    """
    outside = [Span(one.start, one.end) for one in links(text)]
    outside += [Span(*match.span()) for match in CODE.finditer(text)]
    if mark == "full form":
        outside += [Span(one.start, one.end) for one in quotations(text)]
    if mark in FORMS:
        outside += borrowed_spans(text)
        found = _FINDERS[mark](text)
    else:
        found = [Span(*match.span()) for match in _COMPILED[mark].finditer(text)]
    if mark == "full form":
        found = sorted({*found, *_perfects(text)}, key=lambda one: one.start)
    if mark == "contraction":
        found = sorted({*found, *_said_of_nouns(text)}, key=lambda one: one.start)
    if mark == "word in capitals":
        found = [one for one in found if _is_shouted(text[one.start : one.end])]
    if mark == "full form":  # what is said with all force
        found = [one for one in found if not text[one.start : one.end].isupper()]
    return [one for one in found if not _inside(one, outside)]


def _perfects(text: str) -> Iterator[Span]:
    """Where "have" may be short before a participle and what comes behind it: "I have tried it"."""
    matches = list(_COMPILED["perfect"].finditer(text))
    read = tagged(text) if matches else []
    starts = [one.start for one in read]
    for match in matches:
        verb = match[0].split()[1].lower()
        following = bisect_left(starts, match.end())
        words = read[following : following + 3]
        if words and words[0].tag == "RB" and words[0].text.lower() != "not":
            words = words[1:]
        if len(words) < 2 or words[0].tag not in ("VBN", "VBD"):
            continue
        said, follows = words[0].text.lower(), words[1]
        if said in ("got", "been"):
            yield Span(*match.span())
            continue
        is_thing = follows.tag.startswith(("NN", "JJ", "CC", "CD", "VBN"))
        if is_thing and not follows.text.endswith("ing"):  # "we have limited time"
            continue
        if verb == "has" and follows.tag not in _OBJECTS:  # "it's broken" is "it is broken"
            continue
        yield Span(*match.span())


def _said_of_nouns(text: str) -> Iterator[Span]:
    """Where "'s" behind a noun is a verb, since its clause has no other: "the light's on"."""
    if not regex.search(r"\p{L}['’]s ", text):
        return
    words = tagged(text)
    for at in range(1, len(words) - 1):
        if words[at].text.lower() in ("'s", "’s") and words[at - 1].tag in ("NN", "NNP"):
            opening = _clause_opening(words, at - 1)
            if opening is not None and _is_said(words, at + 1, opening):
                yield Span(words[at - 1].start, words[at].end)


def _clause_opening(words: Sequence[Tagged], at: int) -> str | None:
    """The word before the clause whose subject ends here; None where that is no opening of a clause."""
    while at >= 0 and words[at].tag in _IN_SUBJECT:
        at -= 1
    opening = words[at].text.lower() if at >= 0 else ""
    return opening if not opening or opening in _OPENS_CLAUSE else None


def _is_said(words: Sequence[Tagged], at: int, opening: str) -> bool:
    """Whether the words at a place are a state, and the clause ends behind them with no verb of its own."""
    low = words[at].text.lower()
    stop = at + 1
    if low in _PLACED and words[stop : stop + 1] and words[stop].tag in ("DT", "PRP$", "NN", "NNP"):
        while stop < len(words) and words[stop].tag in _IN_SUBJECT:
            stop += 1
    elif low in _NO_STATES or not (
        low in _STATES or words[at].tag in ("JJ", "VBN") or words[at].text in PEOPLES
    ):
        return False
    if stop < len(words) and words[stop].text.lower() in _WHEN:
        stop += 1
    if stop == len(words) or words[stop].text in ".!?;":
        return True
    if opening == "whose":
        return words[stop].tag in _FINITE
    if words[stop].text == ",":
        if opening.isalpha():  # "if the road's icy, drive slowly"
            return True
        stop += 1
    rest = words[stop : stop + 8]
    joined = (
        len(rest) > 2
        and (rest[0].tag == "CC" or rest[0].text == "so")
        and rest[1].tag in ("PRP", "EX", "DT", "PRP$")
    )
    return joined and any(one.tag in (*_FINITE, "POS") for one in rest[2:])


def _is_shouted(word: str) -> bool:
    """Whether a word in capitals is a common word, and so no abbreviation such as NASA."""
    common = zipf(word.lower())
    return word.lower() not in _ABBREVIATED and (
        common >= _COMMON or (len(word) >= _LONG and common >= _RARE)
    )


def free_marks(text: str, mark: str, *, quoted: bool = False) -> list[Span]:
    """Those that a writer may change: no citation, and what is quoted only where that is said."""
    finders = (citations,) if quoted else (quotations, citations)
    held = [Span(one.start, one.end) for finder in finders for one in finder(text)]
    return [one for one in find_marks(text, mark) if not _inside(one, held)]


def _inside(one: Span, spans: list[Span]) -> bool:
    return any(span.start <= one.start and one.end <= span.end for span in spans)
