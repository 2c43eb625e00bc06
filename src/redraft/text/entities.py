"""Named entities in English text, by rules: no weights, and the same answer every time.

A name is a run of capitalised words. What it is a name of is told by the words in it ("University") and
before it ("Dr.", "in"), by short lists of places and first names, and by its other places in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from redraft.text.sentences import OPENERS, segment
from redraft.text.word_lists import word_sets, wordings

_NUMBER: Final = re.compile(
    r"(?:(?<![\w)\]])[-−])?"
    r"(?:(?<![0-9])[0-9]{1,3}(?:[,\u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:\.[0-9]+)?"
    r"|(?:(?<![\w.])\.)?[0-9]+(?:[.:/][0-9]+)*)"
    r"(?:[eE][-+]?[0-9]+\b)?"
)
# An apostrophe opens these words; unless it closes them too, it is no quotation mark.
_NOT_SHORTENED: Final = r"(?!(?i:tis|twas|twere|twill|em|till?|cause|cos|bout|n|\d\ds?)\b(?!['’]))"
_QUOTATION: Final = re.compile(
    r"(?<![0-9])\"(?P<straight>[^\"“”]{1,3000})\""
    r"|“(?P<curly>[^“”]{1,3000})”"
    r"|„(?P<low>[^„“”]{1,3000})[“”]"
    r"|«(?P<guillemets>[^«»]{1,3000})»"
    r"|「(?P<corner>[^「」]{1,3000})」"
    rf"|‘{_NOT_SHORTENED}(?P<single>[^‘]{{1,1000}}?)’(?!\w)"
    # Speech, with apostrophes of its own, ends behind a mark.
    rf"|(?<![\w'])'{_NOT_SHORTENED}(?P<spoken>[A-Z](?:[^'\n]|'(?=\w)){{0,600}}?[.,!?…])'(?![\w'])"
    rf"|(?<![\w'])'{_NOT_SHORTENED}(?P<plain>[^\s'](?:[^'\n]{{0,300}}[^\s'])?)'(?![\w'])"
)
_SURNAME: Final = r"(?:(?:van|von|de|der|den|la|le|di|da|du|el|al|ter|bin)[ ]){0,2}[A-Z][\w'’-]{1,30}+"
_AUTHORS: Final = (
    rf"{_SURNAME}(?:(?:,[ ]|[ ]and[ ]|[ ]&[ ]|,[ ]and[ ]|,[ ]&[ ]){_SURNAME}){{0,6}}"
    r"(?:,?[ ]et[ ]al\.?)?(?:['’]s)?"
)
_YEAR: Final = r"(?:(?:1[5-9]|20)\d\d(?:[a-z](?:,[ ]?[a-z](?![\w.])){0,9})?|n\.d\.|in press|forthcoming)"
# An institution as the author: "World Health Organization".
_BODY: Final = (
    r"(?!(?:In|On|At|By|From|Since|Until|After|Before|During)[ ])[A-Z][\w&'’-]{0,30}+"
    r"(?:[ ](?:(?:of|for|and|on|the)[ ]){0,2}[A-Z][\w&'’-]{0,30}+){1,7}"
)
# Much can be read both ways: once it is read, it stays so, or twenty of them could be read in a million ways.
_SOURCE: Final = rf"(?>(?:{_AUTHORS},?[ ]|{_BODY},[ ]){_YEAR})"
_KEY: Final = r"[A-Z][A-Za-z+]{1,20}\d\d[a-z]?"
_CITATION: Final = re.compile(
    rf"\((?:(?:see|see also|e\.g\.,?|cf\.|i\.e\.,?|for example,?)[ ])?{_SOURCE}"
    rf"(?:,[ ]{_YEAR}|,[ ]pp?\.[ ]?[\d–-]{{1,12}}|[;,][ ](?:see[ ]also[ ])?{_SOURCE}){{0,20}}\)"
    rf"|{_AUTHORS}[ ]\({_YEAR}(?:,[ ]{_YEAR}|,[ ]pp?\.[ ]?[\d–-]{{1,12}}){{0,9}}\)"
    r"|\[\d{1,4}(?:[ ]?[,;–-][ ]?\d{1,4}){0,20}\](?:[–-]\[\d{1,4}\])?"
    rf"|\[{_KEY}(?:[,;][ ]?{_KEY}){{0,20}}\](?!\()"
    r"|\[-?@[^\]\[\n]{1,300}\]"
    r"|\\(?:[Cc]ite[A-Za-z]{0,20}|(?:paren|text|auto|foot|super|smart|full)cite)\*?"
    r"(?:\[[^\]\n]{0,200}\]){0,2}\{[^{}]{1,500}\}"
)
_LINK: Final = re.compile(
    r"(?:https?|ftp)://[^\s<>\"“”{}|\\^`。，、）]+|www\.[^\s<>\"“”{}|\\^`。，、）]+"
    r"|\bdoi:[ ]?10\.\d{4,9}/[^\s<>\"]{1,200}"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}"
    # "analytics.usa.gov", but nothing that a space forgotten after a full stop could make
    r"|(?<![\w.@/-])(?:[a-z0-9-]{1,63}\.){1,4}(?-i:com|org|net|gov|edu|info|int|io|dev|(?:co|ac|org|gov)\.uk)\b"
    r"(?:/[^\s<>\"“”{}|\\^`。，、）]*)?",
    re.IGNORECASE,
)
_STRAIGHT: Final = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "−": "-"})


@dataclass(frozen=True, slots=True)
class Extract:
    """A stretch of a text, and the value by which two of them are the same."""

    text: str
    start: int
    end: int
    value: str


def numbers(text: str) -> list[Extract]:
    """Every number written in digits; `1,000` and `1000` have the same value."""
    return [
        Extract(
            match[0],
            match.start(),
            match.end(),
            re.sub("[,\u00a0\u202f\u2009]", "", match[0]).replace("−", "-"),
        )
        for match in _NUMBER.finditer(text)
    ]


def quotations(text: str) -> list[Extract]:
    """Every quotation, in straight, curly, angle or corner quotes; its value is what is quoted.

    Quotation marks differ between styles, and so does the comma or full stop before the closing one: neither
    is part of the value.
    """
    found = []
    for match in _QUOTATION.finditer(text):
        inner = " ".join((match[match.lastgroup or 0]).translate(_STRAIGHT).split())
        if any(map(str.isalnum, inner)):
            found.append(Extract(match[0], match.start(), match.end(), inner.rstrip(".,")))
    return found


def citations(text: str) -> list[Extract]:
    """Every citation: `(Smith, 2020)`, `Smith et al. (2020)`, `[12]`, `[@smith]`, `\\cite{smith}`."""
    return [
        Extract(match[0], match.start(), match.end(), " ".join(match[0].translate(_STRAIGHT).split()))
        for match in _CITATION.finditer(text)
    ]


def links(text: str) -> list[Extract]:
    """Every web address, DOI and e-mail address."""
    found = []
    for match in _LINK.finditer(text):
        address = match[0].rstrip(".,;:!?'*_~")
        while address.endswith((")", "]")) and address.count(address[-1]) > address.count(
            "(["[address[-1] == "]"]
        ):
            address = address[:-1].rstrip(".,;:!?'*_~")
        found.append(Extract(address, match.start(), match.start() + len(address), address))
    return found


_LISTS: Final = word_sets(__package__, "names.txt", separator=",")
LANDS: Final = _LISTS["lands"]
"""Countries, their parts, and parts of the world."""
PLACES: Final = LANDS | _LISTS["places"]
FIRST_NAMES: Final = _LISTS["first_names"]
TITLES: Final = _LISTS["titles"]
ORGANISATION_WORDS: Final = _LISTS["organisation_words"]
PLACE_WORDS: Final = _LISTS["place_words"]
ORGANISATIONS: Final = _LISTS["organisations"]
NO_NAMES: Final = _LISTS["no_names"]
PEOPLES: Final = _LISTS["peoples"]
TOWNS: Final = _LISTS["towns"]
"""More names that keep their capital: of peoples and languages, and of places."""
PRODUCTS: Final = _LISTS["products"]

EntityKind = Literal["person", "organisation", "place", "date", "number", "citation"]
_WORDINGS: Final = wordings(__package__)
_MONTH: Final = f"(?:{_WORDINGS['month']})"
_WEEKDAY: Final = f"(?:{_WORDINGS['weekday']})"
_DATED: Final = r"(?:1[0-9]|20)\d\d"
_DATE: Final = re.compile(
    rf"\b(?:{_WEEKDAY},?[ ])?(?:the[ ])?\d{{1,2}}(?:st|nd|rd|th)?[ ](?:of[ ])?{_MONTH}(?:,?[ ]{_DATED})?\b"
    rf"|\b(?:{_WEEKDAY},?[ ])?{_MONTH}[ ]\d{{1,2}}(?:st|nd|rd|th)?(?:,?[ ]{_DATED})?\b"
    rf"|\b{_MONTH},?[ ](?:of[ ])?{_DATED}\b"
    r"|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}/\d{1,2}/(?:\d{4}|\d{2})\b|\b\d{1,2}\.\d{1,2}\.\d{4}\b"
    r"|\b(?:early[ ]|mid-|late[ ])?(?:1[0-9]|20)\d0s\b"
    rf"|\b(?:January|February|April|June|July|August|September|October|November|December|{_WEEKDAY})\b"
    r"|(?<=[Ii]n )May\b|(?<=[Ii]n )March\b"
    r"|(?<=[Ii]n )(?:1[0-9]|20)\d\d\b(?![-.,]?\d|%)"
    r"|(?<=[Ss]ince )(?:1[0-9]|20)\d\d\b|(?<=[Bb]y )(?:1[0-9]|20)\d\d\b(?! [a-z]+s\b)"
    r"|(?<=[Uu]ntil )(?:1[0-9]|20)\d\d\b"
    r"|\b(?:1[0-9]|20)\d\d[–-](?:1[0-9]|20)?\d\d\b|(?<=\()(?:1[0-9]|20)\d\d(?=\))"
    r"|(?<=[Ff]rom )(?:1[5-9]|20)\d\d(?= to)|(?<=\d\d to )(?:1[5-9]|20)\d\d\b"
    r"|(?<=[Aa]fter )(?:1[5-9]|20)\d\d\b"
    r"|(?<=[Bb]etween )(?:1[5-9]|20)\d\d\b(?= and)|(?<=[Bb]etween \d{4} and )(?:1[5-9]|20)\d\d\b"
)
_UNIT: Final = f"(?:{_WORDINGS['unit']})"
# Read whole or not at all: "48m" is no "4". One letter may be anything ("412p", "12b").
_DIGITS: Final = r"(?>\d+(?:,\d{3})*(?:\.\d+)*(?:[eE][-+]?\d+)?)"
_AMOUNT: Final = re.compile(
    rf"(?:(?:US|A|C|NZ)?[$€£¥₹][ ]?)?(?<![\w.])(?:[-−](?=\d))?{_DIGITS}"
    rf"(?:[ -]?{_UNIT}(?![A-Za-z])|(?:{_WORDINGS['behind_digits']}|[A-Za-z])(?!\w)|(?![A-Za-z]))"
    rf"(?:[ ]?(?:%|‰)|(?:[ -](?:million|billion|trillion))?(?:[ -]?{_UNIT}(?![A-Za-z]))?)?"
    rf"|\b(?:{_WORDINGS['amount']})(?:[ -](?:{_WORDINGS['amount_goes_on']}))*"
    rf"(?:[ -]{_UNIT}(?![A-Za-z]))?\b",
)
_WORD: Final = r"[A-ZÀ-ÖØ-Þ][\w&’'-]*"
_NAME: Final = re.compile(
    rf"(?<![\w@#/.-])(?:(?:[A-Z]\.){{2,4}}|{_WORD})"
    rf"(?:\.?[ ](?:(?:of|for|de|la|van|von|der|den|di|da|del|bin|al)[ ](?:the[ ])?"
    r"|and[ ](?=[A-Z]\w+[ ](?:University|Institute|Company|Administration|Services|Sons|Technology"
    r"|Medicine))|&[ ])?"
    rf"(?:(?:[A-Z]\.[ ]?){{1,6}}{_WORD}|(?:[A-Z]\.){{2,4}}|(?:d['’])?{_WORD})){{0,39}}"  # no name is longer
)
_PLACE_BEFORE: Final = re.compile(
    r"\b(?:in|near|at|throughout|across|outside|around|between|towards?|visited|to|from)(?: the)? \Z"
)
_PERSON_DOES: Final = re.compile(rf"[ ](?:{_WORDINGS['person_does']})\b")
# First names that are verbs too: "Mark it."
_VERBS: Final = frozenset({"Mark", "Bill", "Frank", "Grace", "Jack", "Max"})
_OBJECT: Final = re.compile(rf"[ ](?:{_WORDINGS['object']})\b")
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_REACH: Final = 40


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing in a text: `text[start:end]`."""

    text: str
    kind: EntityKind
    start: int
    end: int


class EntityFinder(Protocol):
    """Finds named entities; ours goes by rules, and a model may take its place."""

    def find(self, text: str) -> list[Entity]:
        """The entities of a text, in order and apart from one another."""
        ...


class RuleFinder:
    """The finder that comes with redraft: English, by rules."""

    def find(self, text: str) -> list[Entity]:
        """The entities of a text, in order and apart from one another."""
        found = [Entity(cited.text, "citation", cited.start, cited.end) for cited in citations(text)]
        kinds: tuple[tuple[EntityKind, re.Pattern[str]], ...] = (("date", _DATE), ("number", _AMOUNT))
        for kind, pattern in kinds:
            found += (Entity(match[0], kind, *match.span()) for match in pattern.finditer(text))
        taken = _apart(found)
        return _apart([*taken, *_names(text, taken)])


def _apart(entities: list[Entity]) -> list[Entity]:
    """In order, without those that overlap one listed before them."""
    rank = {id(entity): place for place, entity in enumerate(entities)}
    kept: list[Entity] = []
    for entity in sorted(entities, key=lambda entity: (entity.start, rank[id(entity)])):
        if kept and entity.start < kept[-1].end:
            if rank[id(entity)] < rank[id(kept[-1])] and (len(kept) < 2 or kept[-2].end <= entity.start):
                kept[-1] = entity
        else:
            kept.append(entity)
    return kept


def _names(text: str, taken: list[Entity]) -> Iterator[Entity]:
    """People, organisations and places."""
    stretches = list(segment(text))
    openings = {_first_letter(text, stretch.start, stretch.end) for stretch in stretches}
    blanked = list(text)
    for entity in taken:
        blanked[entity.start : entity.end] = "\x00" * (entity.end - entity.start)
    searched = "".join(blanked)
    # Sentence by sentence: "… in Paris. Sales rose …" has no name with a full stop in it.
    matches = [
        (match.start(), match[0])
        for stretch in stretches
        for match in _NAME.finditer(searched, stretch.start, stretch.end)
    ]
    inside = {name.split()[0] for start, name in matches if start not in openings}
    for start, name in matches:
        yield from _classified(text, start, name, start in openings, inside)


def _first_letter(text: str, start: int, end: int) -> int:
    while start < end and not text[start].isalnum():
        start += 1
    return start


def _classified(text: str, start: int, name: str, opening: bool, inside: set[str]) -> Iterator[Entity]:
    """The entity that a run of capitalised words is, if any."""
    words = [(start + match.start(), match[0]) for match in re.finditer(r"\S+", name)]
    titled = False
    while words and (_plain(words[0][1]) in TITLES or (words[0][1] in OPENERS and name != "The Hague")):
        titled = _plain(words[0][1]) in TITLES
        opening = False
        words = words[1:]
    # "President of the United States": of a place, and no one's name.
    while words and words[0][1] in {"of", "for", "the"}:
        titled = False
        words = words[1:]
    while len(words) > 1 and words[0][1] in NO_NAMES and _plain(words[1][1]) not in ORGANISATION_WORDS:
        words = words[1:]
    if not words:
        return
    # A person may be "of the Lagos office", but that is not part of the name.
    spelt = [word for _, word in words]
    if (titled or _plain(spelt[0]) in FIRST_NAMES) and "of" in spelt[1:]:
        cut = spelt.index("of", 1)
        rest = words[cut + 1 + (spelt[cut + 1 : cut + 2] == ["the"]) :]
        words = words[:cut]
        if rest:
            yield from _classified(text, rest[0][0], name[rest[0][0] - start :], False, inside)
    begin, end = words[0][0], words[-1][0] + len(words[-1][1])
    covered = text[begin:end]
    if _straight(covered) not in ORGANISATIONS:
        covered = _POSSESSIVE.sub("", covered).rstrip("-’' ")
    kind = _kind(text, begin, covered, titled=titled, opening=opening and words[0][1] not in inside)
    if kind:
        yield Entity(covered, kind, begin, begin + len(covered))


def _plain(word: str) -> str:
    return word.rstrip(".")


def _straight(name: str) -> str:
    return name.replace("’", "'")


def _kind(text: str, start: int, name: str, *, titled: bool, opening: bool) -> EntityKind | None:
    """What a name is of; None where a capital only opens the sentence."""
    words = [_plain(word) for word in name.split()]
    if titled and not set(words) & ORGANISATION_WORDS:
        return "person"
    if _straight(name) in PLACES or name.rstrip(".") in PLACES:
        return "place"
    if _straight(name) in ORGANISATIONS or (len(words) > 1 and set(words) & ORGANISATION_WORDS):
        return "organisation"
    if len(words) > 1 and set(words) & PLACE_WORDS:
        return "place"
    if name in {"Senate", "Congress", "Parliament", "Navy", "Army"}:
        return "organisation"
    if opening and name in _VERBS and _OBJECT.match(text, start + len(name)):
        return None
    if words[0] in FIRST_NAMES:
        return "person"
    if name in NO_NAMES or len(name) < 2:
        return None
    if len(words) == 1 and name.isupper() and name.isalpha():
        return "organisation" if len(name) <= 6 else None
    if opening and len(words) == 1:
        return "person" if _PERSON_DOES.match(text, start + len(name)) and name not in OPENERS else None
    if _PLACE_BEFORE.search(text, max(0, start - _REACH), start) and len(words) <= 2:
        return "place"
    if "of" in words or "for" in words or "&" in words:
        return "organisation"
    return "person"
