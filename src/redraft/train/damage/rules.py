"""Errors that a rule of data/rules.txt describes: what stands around a word, and what is done to it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from redraft.text import BY_FORM, plural
from redraft.train.damage.reading import ADVERBS, COLLECTIVE, Reading, Site, lines, pick, word_set

Test = Callable[[Reading, int], bool]
"""Asks something of the word at an index."""


_SINGULAR_SUBJECTS: Final = word_set("verbs.singular_subjects")
_PLURAL_SUBJECTS: Final = word_set("verbs.plural_subjects")
_BARE_AFTER: Final = word_set("verbs.bare_after")


def subject_number(reading: Reading, index: int) -> str:
    """Whether the subject before a verb is one ("1"), many ("2"), I ("i"), or not known ("")."""
    place = index - 1
    while reading.at(place).tag in "YF" and place > 0:
        place -= 1
    token = reading.at(place)
    if token.low in _SINGULAR_SUBJECTS and token.low != "that":
        return "1"
    if token.low == "i":
        return "i"
    if token.low in _PLURAL_SUBJECTS:
        return "2"
    before = reading.at(place - 1)
    if token.tag in "NUn" and token.low not in COLLECTIVE and reading.at(place - 1).tag in "DEANU":
        # "the cost of the books is": the noun next to the verb is not its subject
        start = place - 1
        while reading.at(start).tag in "DEANUn" and start >= 0:
            start -= 1
        return _of(reading, start, "1")
    if token.tag == "Q" and before.tag in "DEA.SCK^":
        start = place - 1
        while reading.at(start).tag in "DEAKNU" and start >= 0:
            start -= 1
        return "2" if reading.at(start).tag == "C" else _of(reading, start, "2")
    return ""


def _of(reading: Reading, start: int, number: str) -> str:
    """The number of a subject whose words begin after `start`; that of "the cost of books" is cost's."""
    before = reading.at(start)
    if before.low in ("of", "in", "for") and reading.at(start - 1).tag in "NUQn":
        return subject_number(reading, start)
    return number if before.tag in ".S" or start < 0 else ""


def follows_bare_verb(reading: Reading, index: int) -> bool:
    """Whether the pronoun before a verb stands after one that takes a bare infinitive: "let him go"."""
    return reading.at(index - 2).low in _BARE_AFTER


def _is_distinct_participle(reading: Reading, index: int) -> bool:
    forms = BY_FORM.get(reading.at(index).low)
    return forms is not None and forms.past != reading.at(index).low


_TESTS: Final[Mapping[str, Test]] = {
    "opens": lambda reading, index: reading.at(index).opens,
    "free": lambda reading, index: reading.at(index).free,
    "adverb": lambda reading, index: reading.at(index).low in ADVERBS,
    "year": lambda reading, index: len(reading.at(index).text) == 4,
    "long": lambda reading, index: len(reading.at(index).low) > 2,
    "question": lambda reading, index: reading.tokens[-1].text == "?",
    "after_bare_verb": follows_bare_verb,
    "distinct_participle": _is_distinct_participle,
    "of_one": lambda reading, index: subject_number(reading, index) == "1",
    "of_some": lambda reading, index: subject_number(reading, index) != "",
}
"""What a rule can ask for by name; `of_one` says that the subject of a verb is one."""


class _Edit(NamedTuple):
    verb: str
    offset: int
    choices: tuple[str, ...]
    times: int

    def site(self, reading: Reading, index: int, rng: random.Random) -> Site | None:
        place = index + self.offset
        token = reading.tokens[place]
        new = pick(self.choices, rng) if len(self.choices) > 1 else self.choices[0]
        match self.verb:
            case "drop":
                return reading.drop(place)
            case "insert":
                return reading.insert(place, new)
            case "after":
                return Site(token.end, token.end, f" {new or token.text}")
            case "turn":
                return reading.turn(place)
            case "carry":
                return reading.carry(place)
            case "plural":
                return reading.swap(place, plural(token.low))
        return reading.swap(place, new)


class _Rule(NamedTuple):
    tests: tuple[tuple[int, Test], ...]
    edits: tuple[_Edit, ...]


def _read_test(text: str) -> Test:
    if text.startswith("!"):
        opposite = _read_test(text[1:])
        return lambda reading, index: not opposite(reading, index)
    if text.startswith("<"):
        tags = text[1:-1]
        return lambda reading, index: reading.at(index).tag in tags
    if text.startswith("?"):
        return _TESTS[text[1:]]
    words = word_set(text[1:]) if text.startswith("@") else frozenset(text.split("|"))
    return lambda reading, index: reading.at(index).low in words


def _read_edit(text: str) -> _Edit:
    text, _, times = text.partition(" *")
    verb, _, choices = text.partition(" ")
    verb, _, offset = verb.partition("@")
    return _Edit(verb, int(offset or 0), tuple(choices.split("/")), int(times or 1))


def _read_rules() -> dict[str, list[_Rule]]:
    found: dict[str, list[_Rule]] = {}
    for line in lines("rules.txt"):
        kind, _, rest = line.partition(": ")
        context, _, edits = rest.partition("->")
        cells = context.split()
        middle = next(place for place, cell in enumerate(cells) if cell.startswith("="))
        tests = [
            (place - middle, _read_test(part))
            for place, cell in enumerate(cells)
            for part in cell.removeprefix("=").split("&")
            if part != "_"
        ]
        # The word itself is asked about first, which settles most cases.
        tests.sort(key=lambda test: test[0] != 0)
        made = tuple(_read_edit(edit.strip()) for edit in edits.split(",") if edit.strip())
        found.setdefault(kind, []).append(_Rule(tuple(tests), made))
    return found


_RULES: Final = _read_rules()


def rule_sites(kind: str, reading: Reading, index: int, rng: random.Random) -> Iterator[Site]:
    """What the first rule of a kind that fits the word at an index makes of it."""
    for rule in _RULES[kind]:
        if all(test(reading, index + offset) for offset, test in rule.tests):
            for edit in rule.edits:
                site = edit.site(reading, index, rng)
                if site is not None:
                    yield from [site] * edit.times
            return


def by_rules(kind: str) -> Callable[[Reading, random.Random], list[Site]]:
    """What finds the places for a kind of error that rules describe wholly."""

    def find(reading: Reading, rng: random.Random) -> list[Site]:
        return [
            site
            for index, token in enumerate(reading.tokens)
            if token.free
            for site in rule_sites(kind, reading, index, rng)
        ]

    return find
