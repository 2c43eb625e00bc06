"""Constraints put into words: the notation of data/wordings.txt, numbers in words, and single phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from redraft.constraints import (
    Constraint,
    Keyword,
    KeywordFrequency,
    SentenceCount,
    SentenceLength,
    SentenceModification,
    WordCount,
)
from redraft.errors import InputError
from redraft.text import list_lines

_PIECE: Final = re.compile(r"\{[^}]*\}|[\[\]()|]|[^{}\[\]()|]+")


def choose_wording(name: str, values: Mapping[str, str], choose: Random) -> str:
    """One of the wordings of that name."""
    return fill_wording(choose.choice(_wordings()[name]), values, choose)


def fill_wording(line: str, values: Mapping[str, str], choose: Random) -> str:
    """A wording with its choices made, and its names filled in: by values, or by wordings."""
    text, _ = _read(_PIECE.findall(line), 0, values, choose)
    return " ".join(text.split())


@cache
def wordings(name: str, relation: str) -> tuple[str, ...]:
    """What can be said by that name whatever the relation, and, twice as likely, for that relation alone."""
    own = _wordings().get(f"{name} {relation}", ())
    return (*_wordings()[name], *own, *own)


@cache
def _wordings() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    name = ""
    for line in list_lines(__package__, "wordings.txt"):
        if line.startswith("== "):
            name = line.removeprefix("== ")
        else:
            found.setdefault(name, []).append(line)
    return {name: tuple(lines) for name, lines in found.items()}


def _read(pieces: Sequence[str], place: int, values: Mapping[str, str], choose: Random) -> tuple[str, int]:
    """One of the alternatives from a place up to the bracket that closes them, and where that stands."""
    alternatives = [""]
    while place < len(pieces) and pieces[place] not in ")]":
        piece = pieces[place]
        if piece == "|":
            alternatives.append("")
        elif piece in "([":
            inner, place = _read(pieces, place + 1, values, choose)
            alternatives[-1] += inner if piece == "(" or choose.random() < 0.5 else ""
        elif piece[0] == "{":
            name = piece[1:-1]
            alternatives[-1] += values[name] if name in values else choose_wording(name, values, choose)
        else:
            alternatives[-1] += piece
        place += 1
    return choose.choice(alternatives), place


_SMALL, _TENS, _IRREGULAR = (line.split() for line in list_lines(__package__, "numbers.txt"))
_ORDINALS: Final = dict(pair.split("=") for pair in _IRREGULAR)


def cardinal(number: int, choose: Random) -> str:
    """A number, the smaller the more often spelt."""
    share = 0.45 if number <= 12 else 0.2 if number <= 100 else 0.1
    if choose.random() < share:
        return spell_number(number, british=choose.random() < 0.5)
    return f"{number:,}" if number >= 1000 and choose.random() < 0.7 else str(number)


def spell_number(number: int, *, british: bool = True) -> str:
    """A number below a million in words."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        rest = f"-{_SMALL[number % 10]}" if number % 10 else ""
        return _TENS[number // 10 - 2] + rest
    unit, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    head = f"{spell_number(number // unit, british=british)} {name}"
    if not number % unit:
        return head
    joint = " and " if british and number % unit < 100 else " "
    return head + joint + spell_number(number % unit, british=british)


def ordinal(number: int, spelt: bool) -> str:
    """The place of a sentence."""
    if not spelt:
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending}"
    words = spell_number(number)
    last = words.replace("-", " ").rpartition(" ")[2]
    plain = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return words.removesuffix(last) + _ORDINALS.get(last, plain)


_QUOTES: Final = ('"{}"', "'{}'", "“{}”", "‘{}’", "{}")
_INCLUSIVE: Final = {"less": ("most", -1), "more": ("least", 1)}
_RANGE: Final = ("more than", "less than")
_TIMES: Final = {1: "once", 2: "twice"}
_JOINABLE: Final = (("words", "sentences"), ("sentences", "words"), ("sentences", "each"))
"""Sizes of a text that can be said in one breath."""
_TOKENS: Final = 0.3
"""How often words are called tokens."""
_SINGULAR: Final = {"s": "s", "es": "es", "is": "is", "it": "it", "its": "its", "sentence": "sentence"}
_PLURAL: Final = {"s": "", "es": "", "is": "are", "it": "they", "its": "their", "sentence": "sentences"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """What is said in one breath: the wordings that say it, their relation, and the values in them."""

    name: str
    relation: str
    values: Mapping[str, str]
    said: tuple[Constraint, ...]
    """The constraints that it says, in its order."""

    def as_(self, form: str, choose: Random) -> str:
        """As an order, a statement, a clause after "make sure that", or a tail after a comma."""
        return fill_wording(
            choose.choice(wordings(f"{self.name} {form}", self.relation)), self.values, choose
        )


@dataclass(frozen=True, slots=True)
class _Bound:
    """A bound as it is worded: inclusive or not, of one number or two."""

    relation: str
    numbers: tuple[int, ...]
    said: tuple[str, ...]
    """The relations of the constraints that it says, in its order."""


def phrase_constraints(constraints: Sequence[Constraint], choose: Random) -> Iterator[Phrase]:
    """The constraints one by one; bounds on one thing, or on the size of the text, at times together."""
    tokens = choose.random() < _TOKENS
    ends: dict[str, dict[str, int]] = {}
    meant: dict[tuple[str, str], Constraint] = {}
    for constraint in dict.fromkeys(constraints):
        match constraint:
            case WordCount(number, relation):
                ends.setdefault("words", {})[relation] = number
                meant["words", relation] = constraint
            case SentenceCount(number, relation):
                ends.setdefault("sentences", {})[relation] = number
                meant["sentences", relation] = constraint
            case SentenceLength(number, relation):
                ends.setdefault("each", {})[relation] = number
                meant["each", relation] = constraint
            case _:
                yield _other(constraint, choose)
    found = {
        name: [
            Phrase(
                name,
                bound.relation,
                _bound_values(name, bound, tokens, choose),
                tuple(meant[name, relation] for relation in bound.said),
            )
            for bound in _bounds(own, choose)
        ]
        for name, own in ends.items()
    }
    joinable = [pair for pair in _JOINABLE if all(len(found.get(name, ())) == 1 for name in pair)]
    if joinable and choose.random() < 0.4:
        pair = choose.choice(joinable)
        one, other = (found.pop(name)[0] for name in pair)
        name, key = ("size", "each bound") if pair[1] == "each" else ("both", "other")
        yield Phrase(name, "", {**one.values, key: other.values["bound"]}, one.said + other.said)
    for bounds in found.values():
        yield from bounds


def _bounds(ends: Mapping[str, int], choose: Random) -> list[_Bound]:
    """Two bounds that leave room between them are mostly said as one."""
    if ends.keys() == {"less than", "more than"} and choose.random() < 0.8:
        low, high = ends["more than"], ends["less than"]
        if high - low > 2:
            if choose.random() < _inclusive_share(high, -1):
                return [_Bound("within", (low + 1, high - 1), _RANGE)]
            return [_Bound("between", (low, high), _RANGE)]
    return [_bound(number, relation, choose) for relation, number in ends.items()]


def _bound(number: int, relation: str, choose: Random) -> _Bound:
    word = relation.split(maxsplit=1)[0]
    if word in _INCLUSIVE:
        inclusive, shift = _INCLUSIVE[word]
        if number + shift > 0 and choose.random() < _inclusive_share(number, shift):
            return _Bound(inclusive, (number + shift,), (relation,))
    return _Bound(word, (number,), (relation,))


def _inclusive_share(number: int, shift: int) -> float:
    """How often a bound is worded with the last number that is allowed: people say round ones."""
    if number < 15:
        return 0.5
    return 0.1 if number % 5 == 0 else 0.9 if (number + shift) % 5 == 0 else 0.35


def _bound_values(name: str, bound: _Bound, tokens: bool, choose: Random) -> dict[str, str]:
    unit = "sentence" if name == "sentences" else "token" if tokens else "word"
    units = unit if bound.numbers[-1] == 1 else f"{unit}s"
    low, *_, high = [cardinal(number, choose) for number in bound.numbers] * 2
    values = {"n": low, "count": f"{low} {units}", "a": low, "b": high, "u": units}
    values["bound"] = choose_wording(f"bound {bound.relation}", {**values, "q": values["count"]}, choose)
    values["bare"] = choose_wording(f"bound {bound.relation}", {**values, "q": low, "u": ""}, choose)
    return values


def _other(constraint: Constraint, choose: Random) -> Phrase:
    match constraint:
        case SentenceModification(sentences, relation):
            name = "keep" if relation == "unchange" else "change"
            return Phrase(name, "", _referred(sentences, choose), (constraint,))
        case Keyword(keyword, relation):
            return Phrase(f"{relation}_word", "", _term(keyword, choose), (constraint,))
        case KeywordFrequency(keyword, frequency, relation):
            bound = _bound(frequency, relation, choose)
            values = {**_term(keyword, choose), **_often(bound, choose)}
            return Phrase("times", bound.relation, values, (constraint,))
    raise InputError(f"there is no wording for {constraint.call}")


def _often(bound: _Bound, choose: Random) -> dict[str, str]:
    (number,) = bound.numbers
    digits = cardinal(number, choose)
    count = f"{digits} {'time' if number == 1 else 'times'}"
    # "Fewer than twice" is no English.
    if number in _TIMES and bound.relation != "less" and choose.random() < 0.7:
        count = _TIMES[number]
    return {
        "often": choose_wording(f"often {bound.relation}", {"q": count}, choose),
        "bare": choose_wording(f"number {bound.relation}", {"q": digits}, choose),
        "use": choose.choice(("occurrence", "mention", "instance", "use")) + "s" * (number != 1),
        "count": count,
    }


def _term(keyword: str, choose: Random) -> dict[str, str]:
    single = " " not in keyword
    # A word without marks is told from the rest by what it is called.
    marks = choose.choices(_QUOTES, (36, 36, 14, 6, 8 if single and len(keyword) > 4 else 0))[0]
    kinds = (
        ["word", "word", "term", "keyword"] if single else ["phrase", "phrase", "expression", "words", "term"]
    )
    if all(part[0].isupper() for part in keyword.split()):
        kinds.append("name")
    values = {"kind of word": choose.choice(kinds), "x": marks.format(keyword)}
    return {**values, "term": f"the {values['kind of word']} {keyword}"} if marks == "{}" else values


def _referred(sentences: Sequence[int], choose: Random) -> dict[str, str]:
    values, have = (_SINGULAR, "has to") if len(sentences) == 1 else (_PLURAL, "have to")
    modals = ("must", "must", "should", "should", "shall", have)
    return {**values, "must s": choose.choice(modals), "ref": _reference(sentences, choose)}


def _reference(sentences: Sequence[int], choose: Random) -> str:
    """The sentences by their numbers, or by their places."""
    several = len(sentences) > 1
    if choose.random() < 0.45:
        spelt = choose.random() < 0.4
        places = [ordinal(number, spelt) for number in sentences]
        if several and choose.random() < 0.2:
            return f"{_enumerated([f'the {place}' for place in places], choose)} sentences"
        return f"the {_enumerated(places, choose)} sentence{'s' * several}"
    way = choose.choices(("{}", "#{}", "number {}", "no. {}"), (88, 4, 4 * (not several), 4 * (not several)))[
        0
    ]
    spelt = way == "{}" and choose.random() < 0.12
    numbers = [way.format(spell_number(number) if spelt else number) for number in sentences]
    if several and choose.random() < 0.15:
        return _enumerated([f"sentence {number}" for number in numbers], choose)
    return f"sentence{'s' * several} {_enumerated(numbers, choose)}"


def _enumerated(items: Sequence[str], choose: Random) -> str:
    if len(items) == 1:
        return items[0]
    comma = "," if len(items) > 2 and choose.random() < 0.5 else ""
    return f"{', '.join(items[:-1])}{comma} {choose.choice(('and', 'and', 'and', 'and', '&'))} {items[-1]}"
