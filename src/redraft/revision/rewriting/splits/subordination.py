"""Splits at subordinate clauses (although, because, when) and at what is said of a noun (which, appositions).

A reader of the second sentence must know what it is about: its subject is named again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.revision.rewriting.edits import WORDS
from redraft.revision.rewriting.splits.coordination import (
    LEAST,
    Phrase,
    Split,
    after_adverbs,
    phrase_before,
    preceded,
    split_at,
)
from redraft.text import BY_FORM, NOUNS, PLURALS, Clauses, MainClause, as_sentence, list_lines

_LEADS: Final = [line.split(" | ") for line in list_lines(__package__, "leads.txt")]
_AT_FIRST: Final = {word: leads.split("; ") for place, word, leads, *_ in _LEADS if place == "first"}
_AT_LAST: Final = {word: (lead, float(cost[0])) for place, word, lead, *cost in _LEADS if place == "last"}
# The clause around the relative one goes on after it, or a second relative clause is joined to it.
_RETURNS: Final = re.compile(r",R*V|[&K]W")
_MORE: Final = re.compile(r"[,&]R?g")
_CONTRACTED_MODALS: Final = {"'ll": "will", "ca": "can", "wo": "will"}


def at_first(reading: Clauses) -> Iterator[Split]:
    """ "Although it rained, we went." gives "It rained. However, we went." """
    start = 1 if reading.lower(0) == "even" else 0
    word = reading.lower(start)
    if word not in _AT_FIRST or reading.letters[start] not in "UIWR" or "?" in reading.end:
        return
    clause = reading.clause(start + 1, opening=False)
    comma = _comma(reading, start + 1)
    if clause is None or comma is None:
        return
    if word in WORDS.opening_times and not _told(reading, clause.start("verb"), comma):
        return
    first = as_sentence(reading.span(start + 1, comma), ".")
    for rank, lead in enumerate(_AT_FIRST[word]):
        cost = 0.6 + 0.1 * rank + 0.5 * (word in WORDS.opening_times) + 0.3 * (word == "since")
        second = reading.after(comma + 1, "" if reading.lower(comma + 1) == "then" else lead)
        if min(len(first.split()), len(second.split())) >= LEAST:
            yield Split(first, second, f'at "{word}"', cost)


def at_last(reading: Clauses) -> Iterator[Split]:
    """ "We went because it rained." gives "We went. This is because it rained." """
    if "?" in reading.end:
        return
    for place in range(2, len(reading.letters) - 2):
        word = reading.lower(place)
        if word not in _AT_LAST or reading.letters[place] not in "UIR":
            continue
        comma = reading.letters[place - 1] == ","
        start = place - 1 if reading.lower(place - 1) in WORDS.before_conjunctions else place
        main = reading.main(start - comma)
        clause = reading.clause(place + 1)
        if main is None or clause is None or (word in WORDS.only_after_comma and not comma):
            continue
        if _comma(reading, place) or (start < place and reading.lower(start) != "even"):
            continue
        # The words before it are themselves inside a clause that reports or sets a condition.
        if "U" in reading.letters[main.verb + 1 : start - comma] or "U" in reading.letters[:1]:
            continue
        past = reading.tag(main.verb) == reading.tag(clause.start("verb")) == "VBD"
        if word in ("before", "until") and (main.imperative or not past):
            continue
        lead, cost = _AT_LAST[word]
        if lead == "This is because" and reading.tag(main.verb) in ("VBD", "VBN"):
            lead = "This was because"
        yield from split_at(reading, start, lead, f'at "{word}"', cost, skip=place + 1 - start)


def at_purposes(reading: Clauses) -> Iterator[Split]:
    """ "Hold it so that we can see." gives "Hold it. That way, we can see." """
    for place in range(2, len(reading.letters) - 3):
        if reading.lower(place) != "so" or reading.lower(place + 1) != "that":
            continue
        clause = reading.clause(place + 2, opening=False)
        comma = reading.letters[place - 1] == ","
        main = reading.main(place - comma)
        if clause is None or main is None or "?" in reading.end:
            continue
        purpose = reading.tag(clause.start("verb")) == "MD" and not comma
        if not purpose and main.imperative:
            continue  # "flush once so that it is empty"
        lead = "That way," if purpose else "As a result,"
        yield from split_at(reading, place, lead, 'at "so that"', 0.5, skip=2)


def _comma(reading: Clauses, start: int) -> int | None:
    """The comma that ends an opening clause: a whole clause follows it, and none before it does."""
    for place in range(start, len(reading.letters)):
        if reading.letters[place] == "," and (found := reading.main_at(place + 1)) and not found.imperative:
            return place
    return None


def _told(reading: Clauses, verb: int, comma: int) -> bool:
    """Whether both clauses tell of the past, one after the other."""
    main = reading.main_at(comma + 1)
    return main is not None and reading.tag(verb) == reading.tag(main.verb) == "VBD"


_OF_A_THING: Final = re.compile(r"(?i) of (?:the|this|that|an?|our|its|their|his|her|my|your)\b")
_ALSO_RELATIVE: Final = re.compile(r"(?<= )(and|or|but) (?:who|which)\b")


def at_relatives(reading: Clauses) -> Iterator[Split]:
    """ "We met the king, who was old." gives "We met the king. He was old." """
    for place in range(2, len(reading.letters) - 2):
        if reading.letters[place - 1 : place + 1] != ",W" or reading.main(place - 1) is None:
            continue
        if _RETURNS.search(reading.letters, place + 1):
            continue
        phrase = phrase_before(reading, place - 1)
        word = reading.lower(place)
        if word in ("which", "who", "that") and _verb_after(reading, place):
            for said, cost in _said_of(reading, place, phrase):
                yield from split_at(reading, place, said, f'at "{word}"', cost, skip=1)
        elif word == "where" and reading.clause(place + 1):
            near = reading.lower(phrase.start - 1) in WORDS.place_prepositions if phrase else False
            named = phrase is not None and reading.tag(place - 2) == "NNP"
            lead = "There," if near or named else "Here,"
            yield from split_at(reading, place, lead, 'at "where"', 0.5 if near else 0.9, skip=1)
        elif word == "whose" and phrase and reading.clause(place + 1):
            who = phrase.pronoun()
            owner = {"They": "Their", "He": "His", "She": "Her", "It": "Its"}.get(who or "")
            if owner:
                yield from split_at(reading, place, owner, 'at "whose"', 0.5, skip=1)


def at_quantified_relatives(reading: Clauses) -> Iterator[Split]:
    """ "It has tools, many of which are old." gives "It has tools. Many of them are old." """
    for place in range(3, len(reading.letters) - 2):
        if reading.lower(place) not in ("which", "whom") or reading.letters[place - 1] != "I":
            continue
        start = place - 1
        while start and reading.letters[start - 1] in "DCJNR":
            start -= 1
        if not start or reading.letters[start - 1] != "," or reading.main(start - 1) is None:
            continue
        phrase = phrase_before(reading, start - 1)
        if phrase is None:
            continue
        preposition, many = reading.lower(place - 1), phrase.is_plural
        follows = reading.clause(place + 1) if start == place - 1 else _verb_after(reading, place)
        if not follows or (start < place - 1 and preposition != "of"):
            continue
        it = "them" if many or reading.lower(place - 2) in WORDS.quantities else "it"
        if start == place - 1 and (phrase.noun in NOUNS or phrase.noun in PLURALS):
            it = f"{'these' if many else 'this'} {phrase.noun}"
        opened = f"{reading.span(start, place)} {it}{',' if start == place - 1 else ''}"
        why = f'at "{reading.span(start, place + 1)}"'
        yield from split_at(reading, start, opened, why, 0.7, skip=place + 1 - start)


def at_inner_relatives(reading: Clauses) -> Iterator[Split]:
    """ "The king, who was old, died." gives "The king was old. He died." """
    main = reading.main()
    if main is None or main.plain or main.imperative or reading.letters[main.stop : main.stop + 2] != ",W":
        return
    opener = main.stop + 1
    close = reading.letters.rfind(",", opener, main.verb + 1)
    if reading.lower(opener) not in ("which", "who") or not _verb_after(reading, opener) or close <= opener:
        return
    subject = Phrase(reading, main.start, main.stop)
    again = subject.pronoun(person=reading.lower(opener) == "who")
    if again is None:
        return
    if reading.lower(opener) == "which" and _OF_A_THING.search(reading.span(main.start, main.stop)):
        return  # "the study of the form, which was filled in by ten people": which of the two?
    why = f'at "{reading.lower(opener)}"'
    named, said = reading.span(0, main.stop), _ALSO_RELATIVE.sub(r"\1", reading.span(opener + 1, close))
    if any(reading.lower(place) in ("it", "them") for place in range(opener + 1, close)):
        # What "it" is stands behind the clause.
        yield Split(reading.after(close + 1, named), as_sentence(f"{again} {said}", "."), why, 0.9)
    else:
        yield Split(as_sentence(f"{named} {said}", "."), reading.after(close + 1, again), why, 0.9)


def at_tails(reading: Clauses) -> Iterator[Split]:
    """ "It rained, making us wet." gives "It rained. This made us wet." """
    for place in range(3, len(reading.letters) - 2):
        start = place + (reading.letters[place] == "R")
        if reading.letters[place - 1] != "," or reading.letters[start] != "g":
            continue
        main = reading.main(place - 1)
        forms = BY_FORM.get(reading.lower(start))
        if main is None or forms is None or reading.lower(start) in WORDS.no_participles:
            continue
        # The participle is one of several things in a row.
        if reading.letters[place - 2] == "g" or _MORE.search(reading.letters, place):
            continue
        adverb, base = reading.span(place, start), forms.base
        cost = 0.7
        if main.imperative:
            lead = f"{adverb} {base}"
        elif base in WORDS.verbs_of_noun:
            phrase = phrase_before(reading, place - 1)
            again = phrase.pronoun() if phrase and phrase.start > main.verb else None
            if not again or not phrase or again in ("I", "You", "We"):
                continue
            lead = f"{again} {finite(reading, main, base, phrase.is_plural)}"
            cost = 0.8
        else:
            apart = set("UW:") & set(reading.letters[main.verb : place])
            subject = Phrase(reading, main.start, main.stop)
            again = "This" if base in WORDS.verbs_of_all or apart else subject.pronoun()
            if again is None:
                continue
            many = subject.is_plural or again in ("We", "They") or subject.is_first_person
            lead = f"{again} {adverb} {finite(reading, main, base, again != 'This' and many)}"
            cost = (0.5 if again == "This" else 0.7) + 0.5 * bool(apart)
        lead = " ".join(lead.split())
        yield from split_at(reading, place, lead, "at the participle", cost, skip=start + 1 - place)


def at_examples(reading: Clauses) -> Iterator[Split]:
    """ "We saw birds, including a rare owl." gives "We saw birds. These included a rare owl." """
    for place in range(3, len(reading.letters) - 1):
        if reading.letters[place - 1] != "," or reading.lower(place) != "including":
            continue
        main, phrase = reading.main(place - 1), phrase_before(reading, place - 1)
        if main is None or phrase is None or phrase.start < main.verb:
            continue
        if _RETURNS.search(reading.letters, place):
            continue
        again = "These" if phrase.is_plural else "This"
        said = f"{again} {finite(reading, main, 'include', again == 'These')}"
        yield from split_at(reading, place, said, "at the examples", 0.8, skip=1)


def at_appositions(reading: Clauses) -> Iterator[Split]:
    """ "She met Bo, a young king of Mali." gives "She met Bo. He is a young king of Mali." """
    main = reading.main()
    for place in range(3, len(reading.letters) - 3):
        if reading.letters[place - 1] != "," or reading.lower(place) not in ("a", "an", "one"):
            continue
        if "," in reading.letters[place:] or "&" in reading.letters[main.verb if main else 0 : place]:
            continue
        phrase = phrase_before(reading, place - 1)
        if phrase is None or main is None or phrase.start <= main.verb or reading.clause(place):
            continue
        again = phrase.pronoun(person=Phrase(reading, place, len(reading.letters)).is_person)
        if again is None or phrase.is_plural:
            continue
        lead = f"{'This' if again == 'It' else again} {be_form(reading, main)}"
        yield from split_at(reading, place, lead, "at the apposition", 0.8)


def at_inner_appositions(reading: Clauses) -> Iterator[Split]:
    """ "Bo, a young king, met her." gives "Bo is a young king. He met her." """
    main = reading.main()
    if main is None or main.plain or reading.letters[main.stop : main.stop + 1] != ",":
        return
    close = reading.letters.rfind(",", main.stop, main.verb + 1)
    inner = reading.letters[main.stop + 1 : close]
    if len(inner) < 2 or set(inner) & set("VUW&K,:v"):
        return
    subject = Phrase(reading, main.start, main.stop)
    again = subject.pronoun(person=Phrase(reading, main.stop + 1, close).is_person)
    if again is None or reading.lower(main.stop + 1) not in ("a", "an", "the"):
        return
    be = be_form(reading, main, subject.is_plural)
    first = as_sentence(f"{reading.span(0, main.stop)} {be} {reading.span(main.stop + 1, close)}", ".")
    yield Split(first, reading.after(close + 1, again), "at the apposition", 1.0)


def at_restrictive_relatives(reading: Clauses) -> Iterator[Split]:
    """ "He has a dog that barks a lot." gives "He has a dog. It barks a lot." """
    for place in range(4, len(reading.letters) - 3):
        if reading.lower(place) not in ("that", "which", "who") or reading.letters[place] not in "WU":
            continue
        phrase = phrase_before(reading, place)
        if phrase is None or not _verb_after(reading, place) or reading.main(phrase.start) is None:
            continue
        if reading.lower(phrase.start) not in ("a", "an", "some", "several", "many"):
            continue
        if preceded(reading, place, 7, ("so", "such", "same")):
            continue
        if "U" in reading.letters[:place] or reading.lower(place - 1) in WORDS.manner_nouns:
            continue
        main = reading.main(phrase.start)
        # What stands at the end may be where the thing is put: "a tray that holds a litre under the drain".
        if main is not None and (main.imperative or reading.lower(main.verb) in WORDS.placing_verbs):
            continue
        if _RETURNS.search(reading.letters, place + 1):
            continue
        for said, cost in _said_of(reading, place, phrase):
            if said != "This":
                yield from split_at(reading, place, said, f'at "{reading.lower(place)}"', cost + 0.5, skip=1)


def finite(reading: Clauses, main: MainClause, base: str, many: bool) -> str:
    """A verb in the tense of the main clause, for a subject of one or of many."""
    forms = BY_FORM[base]
    modal = reading.lower(main.verb)
    if reading.tag(main.verb) == "MD" and modal != "'d":
        return f"{_CONTRACTED_MODALS.get(modal, modal)} {forms.base}"
    if tense(reading, main) == "past":
        return forms.past
    return forms.base if many else forms.third


def is_third(reading: Clauses, verb: int) -> bool:
    """Whether the verb has the form for one: "opens", "was"."""
    word = reading.lower(verb)
    if reading.tag(verb) == "VBZ" or word == "was":
        return True
    return word in BY_FORM and word == BY_FORM[word].third != BY_FORM[word].base


def tense(reading: Clauses, main: MainClause) -> str:
    """Whether the main clause tells of the past or of the present."""
    past = reading.tag(main.verb) in ("VBD", "VBN") or reading.lower(main.verb) == "'d"
    return "past" if past else "present"


def be_form(reading: Clauses, main: MainClause, many: bool = False) -> str:
    """The form of "be" in the tense of the main clause, for a subject of one or of many."""
    forms = ("was", "were") if tense(reading, main) == "past" else ("is", "are")
    return forms[many]


def _verb_after(reading: Clauses, place: int) -> bool:
    """Whether a finite verb follows, an adverb or an insertion between commas apart."""
    verb = after_adverbs(reading, place + 1)
    return reading.letters[verb : verb + 1] == "V"


def _said_of(reading: Clauses, place: int, phrase: Phrase | None) -> Iterator[tuple[str, float]]:
    """What may stand for the noun before a relative clause, and what that costs."""
    verb = after_adverbs(reading, place + 1)
    forms = BY_FORM.get(reading.lower(verb))
    person = reading.lower(place) == "who"
    again = phrase.pronoun(person=person) if phrase else None
    one = is_third(reading, verb)
    many = reading.tag(verb) == "VBP" or reading.lower(verb) == "were"
    if person:
        if again and not (one and again == "They") and again != "It":
            yield ("They" if many else again), 0.4
        return
    of_all = forms is not None and forms.base in WORDS.verbs_of_all
    if many:
        yield "They", 0.4
    elif again == "They":
        yield ("This", 0.5) if one else ("They", 0.5)
    elif of_all or again is None:
        yield "This", 0.4
    else:
        yield ("It" if again.startswith("The ") else again), 0.4


RULES: Final = (
    *(at_relatives, at_quantified_relatives, at_inner_relatives, at_tails, at_examples, at_appositions),
    *(at_inner_appositions, at_restrictive_relatives, at_first, at_last, at_purposes),
)
"""In the order in which they are tried."""
