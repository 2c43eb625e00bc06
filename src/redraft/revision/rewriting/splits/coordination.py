"""Splits at conjunctions and punctuation marks, and the subject that the second sentence takes up."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from redraft.revision.rewriting.edits import WORDS
from redraft.text import FIRST_NAMES, PLACEHOLDER, PLACES, TITLES, Clauses, MainClause

_PERSON_FIRST: Final = frozenset(name.lower() for name in (*FIRST_NAMES, *TITLES))
LEAST: Final = 3
"""Words that a piece must have."""
_LEADS: Final = {"and": ("",), "but": ("However,", "But"), "so": ("So", "As a result,"), "yet": ("Yet",)}
_PAIRED: Final = re.compile(r"(?i)\b(?:not only|either|neither|whether|both)\b")
_PAIRS: Final = re.compile(r"(?i)\beither\b[^,;]+\bor\b|\bboth\b[^,;]+\band\b|\bneither\b[^,;]+\bnor\b")
"""Pairs of which both halves are there: what follows is no half of them."""


@dataclass(frozen=True, slots=True)
class Split:
    """One sentence as two: the pieces, why in plain words, and how far it is from what a writer would do."""

    first: str
    second: str
    why: str
    cost: float


def split_at(
    reading: Clauses, place: int, lead: str, why: str, cost: float, *, skip: int = 0
) -> Iterator[Split]:
    """The cut before that word, if both sides are long enough; `skip` words are left out there."""
    first, second = reading.before(place), reading.after(place + skip, lead)
    if min(len(first.split()), len(second.split())) >= LEAST:
        yield Split(first, second, why, cost)


def at_conjunctions(reading: Clauses) -> Iterator[Split]:
    """Main clauses joined by and, but, so, yet: "He came, and she left." """
    for place, letter in enumerate(reading.letters):
        if letter not in "&KRI" or reading.lower(place) not in _LEADS:
            continue
        word, comma = reading.lower(place), reading.letters[place - 1 : place] == ","
        if letter not in "&K" and not (word == "so" and comma):
            continue
        if word == "so" and reading.lower(place + 1) == "that":
            continue
        if not reading.begins(place + 1) or not reading.whole(place - comma):
            continue
        if (_PAIRED.search(_PAIRS.sub("", reading.span(0, place))) and word != "so") or _series(
            reading, place - comma
        ):
            continue
        cost = 0.2 + 0.6 * _open(reading, place)
        if not comma:
            found = reading.clause(place + 1, opening=False)
            if found is None or any(rule(reading, place) for rule in (_open, _reports, _headless)):
                continue
            cost += 0.3 if found["subject"] in ("P", "E") or word == "but" else 0.8
        leads, skip = _LEADS[word], 1
        if reading.lower(place + 1) in WORDS.continuing_adverbs:
            leads = ("",)
        elif reading.lower(place + 1) in WORDS.concluding_adverbs and reading.letters[place + 2] != ",":
            leads, skip = (f"{reading.lower(place + 1)},",), 2
        for rank, lead in enumerate(leads):
            yield from split_at(reading, place, lead, f'before "{word}"', cost + 0.1 * rank, skip=skip)


def at_series(reading: Clauses) -> Iterator[Split]:
    """Three clauses or more in a row: "He came, she left, and they stayed." """
    first = _series(reading, len(reading.letters))
    if first and "," in reading.letters[first + 1 :] and "&" in reading.letters[first + 1 :]:
        yield from split_at(reading, first, "", "at the comma", 0.5, skip=1)


def at_marks(reading: Clauses) -> Iterator[Split]:
    """Main clauses joined by a semicolon, a colon or a dash."""
    for place, word in enumerate(reading.words):
        if reading.letters[place] != ":" or not 0 < place < len(reading.words) - 1:
            continue
        start = place + 1
        lead = ""
        if reading.letters[start] in "&K":
            if reading.lower(start) not in _LEADS:
                continue
            lead, start = _LEADS[reading.lower(start)][0], start + 1
        if not (reading.begins(start) or reading.orders(start)) or not reading.whole(place):
            continue
        if reading.lower(start) == "of" or (word.text == ";" and _listing(reading)):
            continue
        if word.text == ":" and reading.lower(place - 1) in WORDS.announcing_words:
            continue
        dashes = sum(other.text == word.text for other in reading.words)
        hyphen = word.text == "-" and word.start == reading.words[place - 1].end
        if word.text not in (";", ":") and (dashes > 1 or hyphen):
            continue
        name, cost = {";": ("semicolon", 0.0), ":": ("colon", 0.5)}.get(word.text, ("dash", 0.4))
        yield from split_at(reading, place, lead, f"at the {name}", cost, skip=start - place)


def at_shared_subjects(reading: Clauses) -> Iterator[Split]:
    """Verbs with one subject: "He came and took it." """
    main = reading.main()
    if main is None or _reports(reading, len(reading.letters)):
        return
    subject = "" if main.imperative else Phrase(reading, main.start, main.stop).pronoun()
    if subject is None:
        return
    last, kind = _verbs(reading, main)
    for place in range(last + 2, len(reading.letters)):
        if reading.letters[place] in "&K," and reading.clause(place + 1, opening=False):
            break
        joined = reading.letters[place] in "&K" and reading.lower(place) in ("and", "but")
        listed = reading.letters[place] == "," and "&" in reading.letters[place + 2 :]
        comma = reading.letters[place - 1] == ","
        apart = _open(reading, place)
        if not (joined or listed) or not (main.plain or comma) or (apart and not (comma or listed)):
            continue
        verb = after_adverbs(reading, place + 1)
        if reading.lower(place + 1) in ("here", "there", "so", "nor", "neither", "never"):
            continue
        found = reading.letters[verb : verb + 1]
        same = reading.orders(verb) if main.imperative else reading.tag(verb) == kind or found == "V"
        # After "was" or "has", what looks like the past is a participle.
        found = "n" if kind == "VBN" and reading.tag(verb) == "VBD" else found
        if not same or _PAIRED.search(reading.span(main.verb, place)):
            continue
        if found == "n" and reading.letters[verb + 1 : verb + 2] in ("&", "N", "J"):
            continue
        if not _list_begins(reading, place, kind, last):
            continue
        helping = _helping(reading, main, last) if found in "vng" and not main.imperative else ""
        named = subject.split(" ")[0] not in WORDS.lowered_subjects
        again = subject if named else subject[:1].lower() + subject[1:]
        opened = f"But {again}" if reading.lower(place) == "but" else subject
        if apart and reading.tag(verb) != reading.tag(main.verb):
            continue
        if listed and reading.lower(verb) in WORDS.reporting_verbs:
            continue
        cost = 0.5 + 0.3 * listed + 0.3 * (joined and not comma) + 0.4 * apart
        lead = f"{opened} {helping}".strip()
        yield from split_at(reading, place, lead, "each verb with its subject", cost, skip=1)


def at_questions(reading: Clauses) -> Iterator[Split]:
    """Two questions, or a statement and a question: "It rains, and what shall we do?" """
    for place in range(2, len(reading.letters) - 2):
        comma = reading.letters[place - 1] == ","
        if reading.letters[place] not in "&K" or reading.letters[place + 1] not in "VW":
            continue
        asks = reading.letters[0] in "VW"
        allowed = reading.letters[place + 1] == "W" if asks else reading.whole(place - 1) is not None
        if not comma or not allowed:
            continue
        lead = "But" if reading.lower(place) == "but" else "And"
        yield from split_at(reading, place, lead, "before the question", 0.6, skip=1)


def _verbs(reading: Clauses, main: MainClause) -> tuple[int, str]:
    """The place and the tag of the verb that carries the meaning, after its auxiliaries."""
    last = main.verb
    for place in range(main.verb + 1, len(reading.letters)):
        if reading.letters[place] in "vng":
            last = place
            if reading.lower(place) not in ("be", "been", "being", "have"):
                break
        elif reading.letters[place] != "R":
            break
    helps = reading.tag(main.verb) == "MD" or reading.lower(main.verb) in WORDS.auxiliaries
    return (last, reading.tag(last)) if last > main.verb and helps else (main.verb, reading.tag(main.verb))


def _helping(reading: Clauses, main: MainClause, last: int) -> str:
    """The auxiliaries, without adverbs other than "not"."""
    words = [
        reading.words[i].text
        for i in range(main.verb, last)
        if reading.letters[i] != "R" or reading.lower(i) in ("not", "never", "n't", "n’t")
    ]
    return " ".join(words).replace(" n't", "n't").replace(" n’t", "n’t")


def _list_begins(reading: Clauses, place: int, kind: str, last: int) -> bool:
    """Whether no comma before that place has begun a list of such verbs."""
    return not any(
        reading.letters[i] == ","
        and (kind in (reading.tag(i + 1), reading.tag(i + 2)) or reading.orders(i + 1))
        for i in range(last, place - 1)
    )


def _listing(reading: Clauses) -> bool:
    """Whether semicolons part the things of a list."""
    starts = [i + 1 for i, word in enumerate(reading.words) if word.text == ";" and reading.letters[i] == ":"]
    starts = [start + (reading.letters[start : start + 1] in ("&", "K")) for start in starts]
    return not all(reading.begins(start) or reading.orders(start) for start in starts)


def _series(reading: Clauses, stop: int) -> int | None:
    """The comma where a second main clause follows the first with no word to join them."""
    main = reading.main(stop)
    if main is None or main.imperative or not main.plain:
        return None
    for place in range(main.verb, stop):
        found = reading.clause(place + 1, opening=False) if reading.letters[place] == "," else None
        if found and "," not in found["subject"]:
            return None if {"U", "W"} & set(reading.letters[main.verb : place]) else place
    return None


def _headless(reading: Clauses, stop: int) -> bool:
    """Whether no verb stands between that place and the conjunction or comma before it."""
    begun = max(reading.letters.rfind(mark, 0, stop) for mark in "&K,:")
    return "V" not in reading.letters[begun + 1 : stop] and begun > 0


def _reports(reading: Clauses, stop: int) -> bool:
    """Whether the main verb may have a clause for its object, without "that"."""
    main = reading.main(stop)
    return main is not None and reading.lower(main.verb) in WORDS.reporting_verbs


def _open(reading: Clauses, stop: int) -> bool:
    """Whether a clause that began before that place may still go on there."""
    begun = max(reading.letters.rfind("U", 0, stop), reading.letters.rfind("W", 0, stop))
    main = reading.main(stop)
    return begun > (main.verb if main else -1)


def after_adverbs(reading: Clauses, place: int) -> int:
    """The place of the first word from there on that is no adverb."""
    while reading.letters[place : place + 1] == "R":
        place += 1
    return place


def preceded(reading: Clauses, place: int, width: int, words: Container[str]) -> bool:
    """Whether one of these words is among the last few before that place."""
    return any(reading.lower(i) in words for i in range(max(place - width, 0), place))


@dataclass(frozen=True)
class Phrase:
    """A noun phrase of a sentence, from the place of its first word up to `stop`."""

    reading: Clauses
    start: int
    stop: int

    @cached_property
    def head(self) -> int | None:
        """The place of the noun that the phrase is about."""
        found = None
        for place in range(self.start, self.stop):
            letter = self.reading.letters[place]
            if letter in "NPQC" or (letter in "DE" and place == self.start):
                found = place
            elif found is not None and letter in "ITUW,":
                break
        return found

    @cached_property
    def noun(self) -> str:
        """That noun in small letters."""
        return "" if self.head is None else self.reading.lower(self.head)

    @property
    def is_plural(self) -> bool:
        """Whether the phrase speaks of many."""
        if "&" in self.reading.letters[self.start : self.stop]:
            return True
        if self.head is None:
            return False
        return self.reading.tag(self.head) in ("NNS", "NNPS") or self.noun in WORDS.plurals

    @property
    def is_first_person(self) -> bool:
        """Whether it is "I" or "you", whose verbs have no ending."""
        return self.reading.lower(self.start) in ("i", "you") and self.stop == self.start + 1

    @property
    def is_person(self) -> bool:
        """Whether it names what a person is: "a yoga instructor"."""
        person = self.noun in WORDS.person_nouns | WORDS.male_nouns | WORDS.female_nouns
        return person or self.noun.endswith(("ist", "ian", "ctor", "eer"))

    def pronoun(self, *, person: bool = False) -> str | None:
        """What takes it up again at the start of a sentence; `person` where it is known to be one."""
        reading, place = self.reading, self.head
        if place is None or reading.letters[place] == "E":
            return None
        words = [reading.lower(i) for i in range(self.start, self.stop)]
        if "&" in reading.letters[self.start : self.stop]:
            return "We" if {"i", "we"} & set(words) else "They"
        text = reading.words[place].text
        if reading.letters[place] == "P":
            return text.capitalize()
        if self.is_plural or self.noun in ("everyone", "everybody", "anyone", "someone"):
            return "They"
        if gender := self._gender(set(words)):
            return gender
        if text[:1].isupper() and words[0] == "the" and self.stop == self.start + 2:
            return f"The {text}"  # a party to a contract, or a river: neither is "it" two sentences later
        if reading.tag(place) == "NNP" and not PLACEHOLDER.fullmatch(self.noun):
            named = person or words[0] in _PERSON_FIRST
            # A name of its own may be that of a person, whom "it" would offend; one with an article is not.
            alone = self.stop == self.start + 1 and text not in PLACES
            if named or alone:
                return text
            whole = all(reading.tag(i) == "NNP" for i in range(self.start, self.stop))
            name = reading.span(self.start, self.stop)
            return name if whole and name not in PLACES else "It"
        if person or self.noun in WORDS.person_nouns:
            return f"The {text}" if reading.letters[place] == "N" else None
        return "It"

    def _gender(self, words: set[str]) -> str | None:
        if self.noun in WORDS.male_nouns or words & {"mr", "mr."}:
            return "He"
        if self.noun in WORDS.female_nouns or words & {"mrs", "mrs.", "ms", "ms.", "miss"}:
            return "She"
        if not (self.noun in WORDS.person_nouns or words & _PERSON_FIRST):
            return None
        met = {word.text.lower() for word in self.reading.words}
        if bool(met & WORDS.he_forms) != bool(met & WORDS.she_forms):
            return "He" if met & WORDS.he_forms else "She"
        return None


def phrase_before(reading: Clauses, place: int) -> Phrase | None:
    """The noun phrase that ends there."""
    start = place
    while start and reading.letters[start - 1] in "NCQSBJnR":
        start -= 1
    while start and reading.letters[start - 1] == "D":
        start -= 1
    while start < place and reading.letters[start] in "RnB":
        start += 1
    return Phrase(reading, start, place) if set(reading.letters[start:place]) & set("NQ") else None


RULES: Final = (at_conjunctions, at_marks, at_series, at_shared_subjects)
"""In the order in which they are tried."""
