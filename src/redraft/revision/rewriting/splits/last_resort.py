"""Splits for bounds that must hold: grammatical, but not what a writer would choose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import WORDS
from redraft.revision.rewriting.splits.coordination import (
    Phrase,
    Split,
    phrase_before,
    preceded,
    split_at,
)
from redraft.revision.rewriting.splits.subordination import be_form, finite, is_third, tense
from redraft.text import BY_FORM, Clauses, MainClause, as_sentence

_CITED: Final = re.compile(r"\b(?:1[89]|20)\d\d[a-z]?\b|^see ")
_EXAMPLE: Final = re.compile(r"(?i)(?:for example|for instance|e\.g\.|such as|including),? ")
_PAIRS: Final = re.compile(r"(?i)\b(?:between|both|either|neither|from)\b")
_POINTS_BACK: Final = re.compile(r"\b(?:it|its|they|them|their|he|him|she|such|those)\b")
_LETTER: Final = re.compile(r"[^\W\d_]")


def at_reports(reading: Clauses) -> Iterator[Split]:
    """ "We show that it works." gives "We show the following. It works." """
    for place in range(2, len(reading.letters) - 2):
        if reading.lower(place) != "that" or reading.letters[place] != "U":
            continue
        verb = reading.letters[place - 1] in "Vvng"
        main = reading.main(place)
        if reading.letters[place - 1] == "n" and reading.lower(place - 2) not in WORDS.have_forms:
            continue
        if not verb or main is None or not reading.begins(place + 1) or _denied(reading, main.verb, place):
            continue
        first = f"{reading.span(0, place)} the following."
        yield Split(first, reading.after(place + 1), "what is said, for itself", 1.9)


def at_judgements(reading: Clauses) -> Iterator[Split]:
    """ "It is clear that we won." gives "One thing is clear. We won." """
    found = re.match(r"R?,?PVR*[Jn](?=U)", reading.letters)
    if not found or "it" not in (reading.lower(0), reading.lower(1), reading.lower(2)):
        return
    that, subject = found.end(), reading.letters.index("P")
    if reading.lower(that) != "that" or not reading.begins(that + 1) or _denied(reading, 0, that):
        return
    thing = "One thing" if subject == 0 else f"{reading.text[: reading.words[subject].start]}one thing"
    first = as_sentence(f"{thing} {reading.span(subject + 1, that)}", ".")
    yield Split(first, reading.after(that + 1), "what is judged, for itself", 1.9)


def at_brackets(reading: Clauses) -> Iterator[Split]:
    """ "It works well (Smith et al., 2002)." gives "It works well. See Smith et al., 2002." """
    start = len(reading.letters.rstrip("B"))
    if reading.text[-1:] != ")" or not 2 < start < len(reading.letters) - 3 or reading.main(start) is None:
        return
    inside = reading.text[reading.words[start].end : -1].strip()
    if reading.words[start].text != "(" or "(" in inside or not _LETTER.match(inside):
        return
    if _CITED.search(inside) and (inside[0].isupper() or inside.startswith("see ")):
        said = inside if inside.lower().startswith("see ") else f"See {inside}"
    elif example := _EXAMPLE.match(inside):
        said = f"Examples are {inside[example.end() :]}"
    else:
        return
    yield Split(reading.before(start), as_sentence(said, "."), "at the brackets", 1.6)


def at_noun_clauses(reading: Clauses) -> Iterator[Split]:
    """ "We saw the dogs that bark." gives "We saw the dogs. They bark." """
    for place in range(3, len(reading.letters) - 2):
        if reading.letters[place] not in "WUng":
            continue
        main, phrase = reading.whole(place), phrase_before(reading, place)
        if main is None or phrase is None or phrase.start <= main.verb:
            continue
        if preceded(reading, place, 7, ("so", "such", "same")):
            continue
        letter, follows = reading.letters[place], reading.letters[place + 1]
        again = phrase.pronoun(person=reading.lower(place) == "who")
        if again is None or again in ("I", "You", "We") or reading.returns(place + 2):
            continue
        be = be_form(reading, main, phrase.is_plural or again == "They")
        if letter in "WU" and reading.lower(place) in ("that", "which", "who") and follows == "V":
            if not (again == "They" and is_third(reading, place + 1)):
                yield from split_at(reading, place, again, f'at "{reading.lower(place)}"', 1.6, skip=1)
        elif letter == "n" and follows in "ITR":
            yield from split_at(reading, place, f"{again} {be}", "at the participle", 1.7)
        elif letter == "g" and follows in "ITRDCNJ":
            yield from split_at(reading, place, f"{again} {be}", "at the participle", 1.9)


def at_times(reading: Clauses) -> Iterator[Split]:
    """ "We left when it rained." gives "We left. This happened when it rained." """
    for place in range(2, len(reading.letters) - 2):
        word, main = reading.lower(place), reading.main(place)
        clause = reading.clause(place + 1, opening=False)
        if word not in WORDS.time_conjunctions or main is None or clause is None:
            continue
        bound = reading.letters[place - 1] == "C" or reading.lower(place - 1) in WORDS.focusing_adverbs
        if bound or reading.returns(place + 1):
            continue
        if word == "as" and preceded(reading, place, 5, ("as", "so", "such", "same")):
            continue
        if main.imperative:
            lead = "Do this"
        elif word in ("if", "unless"):
            lead = "This is the case"
        else:
            lead = _happens(reading, main, clause.start("verb"))
        yield from split_at(reading, place, lead, f'at "{word}"', 2.0 if word in ("as", "where") else 1.6)


def at_phrases(reading: Clauses) -> Iterator[Split]:
    """ "We met them in the old town." gives "We met them. This was in the old town." """
    for place in range(3, len(reading.letters) - 2):
        if reading.letters[place - 1] not in "NORQCB," or reading.letters[place] not in "ITngRJUD":
            continue
        main, word = reading.whole(place), reading.lower(place)
        if main is None or place <= main.verb + 1 or reading.returns(place):
            continue
        letter, follows = reading.letters[place], reading.letters[place + 1]
        if follows == "." or reading.lower(place - 1) in WORDS.focusing_adverbs:
            continue
        comma = reading.letters[place - 1] == ","
        near = bool(reading.clause(place) or reading.clause(place + 1))
        said = _does_so(reading, main) or f"This {be_form(reading, main)}"
        lead, skip = "Do this" if main.imperative else said, 0
        if word == "such" and reading.lower(place + 1) == "as" and "V" not in reading.letters[place:]:
            lead, why, cost, skip = "One example is", "at the example", 1.4, 2
        elif word == "including":
            lead, why, cost, skip = "This includes", "at the example", 1.3, 1
        elif comma and word == "the" and "," not in reading.letters[place:] and not near:
            lead, why, cost = said, "at the apposition", 1.9
        elif word in ("while", "until", "since") and not reading.clause(place + 1):
            why, cost = "at the phrase", 2.0
        elif word == "according":
            lead, why, cost = said, "at the phrase", 1.4
        elif letter == "T" and follows == "v" and preceded(reading, place, 5, WORDS.infinitive_verbs):
            continue  # "asked him to come"
        elif letter == "T" and follows == "v" and reading.lower(place + 1).isalpha():
            why, cost = "at the purpose", 2.0
        elif comma and letter == "n" and follows in "IT":
            lead, why, cost = said, "at the participle", 1.9
        elif word in WORDS.means_prepositions and letter in "Ig" and follows != "C":
            lead += " done" * (follows == "g" and not main.imperative)
            why, cost = "at the phrase", 2.1 - 0.3 * comma
        elif letter == "I" and word in WORDS.split_prepositions and not near:
            why, cost = "at the phrase", 2.2 - 0.3 * comma
        else:
            continue
        yield from split_at(reading, place, lead, why, cost, skip=skip)


def at_listed(reading: Clauses) -> Iterator[Split]:
    """ "We saw dogs and the old cats." gives "We saw dogs. The same goes for the old cats." """
    for place in range(3, len(reading.letters) - 2):
        if reading.letters[place] not in "&,":
            continue
        main = reading.whole(place)
        joined = reading.lower(place) in ("and", "or") and reading.letters[place] == "&"
        listed = reading.letters[place] == "," and "&" in reading.letters[place + 1 :]
        if main is None or place <= main.verb + 1 or not (joined or listed):
            continue
        if "," in reading.letters[main.verb : place] or _PAIRS.search(reading.span(main.verb, place)):
            continue
        start = place + 1
        if reading.clause(start) or reading.clause(start + 1):
            continue
        if reading.letters[start] in "IT" and reading.lower(start) not in WORDS.tied_prepositions:
            lead = "Also do this" if main.imperative else f"This {be_form(reading, main)} also"
            yield from split_at(reading, place, lead, "at the next phrase", 2.1, skip=1)
        elif reading.letters[start] in "DJCNQOP" and "V" not in reading.letters[start:]:
            yield from split_at(reading, place, "The same goes for", "at the next thing", 2.6, skip=1)


def at_openings(reading: Clauses) -> Iterator[Split]:
    """ "If it rains, we stay." gives "Suppose it rains. Then we stay." """
    commas = (place for place, letter in enumerate(reading.letters) if letter == ",")
    comma = next((place for place in commas if reading.main_at(place + 1)), None)
    main = reading.main_at(comma + 1) if comma else None
    if comma is None or main is None:
        return
    opening, clause = reading.letters[0], reading.clause(1, opening=False)
    moved = reading.text[0].lower() + reading.span(0, comma)[1:]
    then = "" if reading.lower(comma + 1) == "then" else "Then"
    is_phrase = opening == "T" or reading.lower(0) in WORDS.split_prepositions | WORDS.means_prepositions
    if reading.lower(0) == "if" and clause:
        first = as_sentence(f"Suppose {reading.span(1, comma)}", ".")
        yield Split(first, reading.after(comma + 1, then), 'at "if"', 2.3)
    elif opening == "g" and not main.imperative and main.plain and "," not in reading.letters[:comma]:
        yield from _taken_up(reading, comma, main)
    elif reading.lower(0) in WORDS.time_conjunctions and clause and clause.start("verb") < comma:
        if _POINTS_BACK.search(reading.span(comma + 1, len(reading.words))):
            return  # "where goods are late, the buyer may reject them"
        lead = "Do this" if main.imperative else _happens(reading, main, clause.start("verb"))
        second = as_sentence(f"{lead} {moved}", ".")
        yield Split(reading.after(comma + 1), second, f'after "{reading.lower(0)}"', 1.9)
    elif is_phrase and "V" not in reading.letters[:comma]:
        lead = "Do this" if main.imperative else f"This {be_form(reading, main)}"
        second = as_sentence(f"{lead} {moved}", ".")
        yield Split(reading.after(comma + 1), second, "after the opening phrase", 2.0)


def _taken_up(reading: Clauses, comma: int, main: MainClause) -> Iterator[Split]:
    """ "Seeing it, the king left." gives "The king saw it. He left." """
    subject, named = Phrase(reading, main.start, main.stop), reading.span(main.start, main.stop)
    forms, again = BY_FORM.get(reading.lower(0)), subject.pronoun()
    if forms is None or again is None or main.start != comma + 1 or "[[" in named:
        return
    many = subject.is_plural or subject.is_first_person
    said = finite(reading, main, forms.base, many or again in ("We", "They"))
    first = as_sentence(f"{named} {said} {reading.span(1, comma)}", ".")
    yield Split(first, reading.after(main.stop, again), "at the participle", 2.0)


def _does_so(reading: Clauses, main: MainClause) -> str:
    """ "The Buyer may do so", where somebody may, shall or will do a thing."""
    again = None if main.imperative else Phrase(reading, main.start, main.stop).pronoun()
    acts = reading.tag(main.verb) == "MD" and reading.tag(main.verb + 1) == "VB"
    if again is None or not acts or reading.lower(main.verb + 1) in ("be", "have"):
        return ""
    return f"{again} {reading.lower(main.verb)} do so"


def _happens(reading: Clauses, main: MainClause, verb: int) -> str:
    if reading.tag(main.verb) == "MD":
        return "This applies"
    past = "past" in (tense(reading, main), tense(reading, MainClause(verb, verb, verb)))
    return "This happened" if past else "This happens"


def _denied(reading: Clauses, start: int, stop: int) -> bool:
    return bool({"not", "n't", "never"} & {reading.lower(i) for i in range(start, stop)})


WHYS: Final = frozenset(
    {"what is said, for itself", "what is judged, for itself", "at the phrase", "at the purpose"}
    | {"at the next phrase", "at the next thing", "after the opening phrase", 'at "if"', "at the brackets"}
)
"""What a split is called that only these rules make."""

RULES: Final = (
    *(at_reports, at_judgements, at_brackets, at_noun_clauses),
    *(at_times, at_phrases, at_listed, at_openings),
)
"""In the order in which they are tried."""
