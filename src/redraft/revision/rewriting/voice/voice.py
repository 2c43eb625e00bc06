"""A passive whose agent is named in the active voice, and the other way round."""

from __future__ import annotations

from typing import Final, NamedTuple

from redraft.revision.rewriting.edits import sound
from redraft.text import (
    BY_FORM,
    FINITE,
    FIRST_NAMES,
    NOUN,
    NOUNS,
    PLURALS,
    UNCOUNTED,
    VERB_FORMS,
    Forms,
    Syntax,
    analyse_syntax,
    bases,
    count_words,
    verb_forms,
    word_sets,
    zipf,
)

SETS: Final = word_sets(__package__, "forms.txt")

OBJECTS: Final = {"he": "him", "she": "her", "they": "them", "i": "me", "we": "us"}
_SUBJECTS: Final = {other: one for one, other in OBJECTS.items()} | {"it": "it", "you": "you"}
_PLURAL: Final = frozenset({"NNS", "NNPS"})
_BE: Final = {"is": "VBZ", "are": "VBP", "am": "VBP", "was": "VBD", "were": "VBD"}
_HAVE: Final = frozenset({"has", "have", "had"})
_STAYS: Final = frozenset({"in", "during", "on", "after", "before", "since", "to", "when", "because", "at"})
_OBJECT_OPENS: Final = frozenset({"DT", "PRP$", "NNP", "NNPS", "NNS"})
_OPENS: Final = frozenset({"DT", "PRP$", "NNP", "NNPS", "NNS", "PRP", "JJ", "CD"})
_REFLEXIVE: Final = frozenset({"itself", "himself", "herself", "themselves"})
_LONGEST: Final = 34
_KNOWN: Final = 2.0
"""How often a verb is met at the least."""
_USUAL: Final = 4.0
"""How often a word is met, on Zipf's scale, that is no name at the start of a sentence."""
_RARE: Final = 2.5
"""The same for one that is tagged as a common noun."""


class Passive(NamedTuple):
    """A passive: where its verbs begin, its participle, and the noun phrase after "by", by index.

    Between participle and "by" may stand what goes behind the object: "was sent *to him* by her".
    """

    verb: int
    participle: int
    agent: int
    end: int

    @property
    def by(self) -> int:
        """Where "by" stands."""
        return self.agent - 1


def make_active(sentence: str) -> str | None:
    """A sentence with its passive turned round; None where it has none whose agent is named.

    >>> make_active("The bridge was built by the Romans.")
    'The Romans built the bridge.'
    """
    read = analyse_syntax(sentence)
    if (
        read.quoted
        or not sentence.endswith(".")
        or count_words(sentence) > _LONGEST
        or " by " not in sentence
    ):
        return None
    places = [index for index in range(1, read.stop) if read.low[index] == "by"]
    if len(places) != 1:
        return None
    found = find_passive(read, places[0])
    if found is None:
        return None
    made = _relative(read, found) or _main(read, found)
    return made if made and sound(sentence, made) else None


def make_passive(sentence: str) -> str | None:
    """A simple sentence with a subject, a verb and its object in the passive, its agent named.

    >>> make_passive("The Romans built the bridge in a year.")
    'The bridge was built by the Romans in a year.'
    """
    read = analyse_syntax(sentence)
    main = read.main
    if main is None or read.quoted or not sentence.endswith(".") or count_words(sentence) > _LONGEST:
        return None
    start, forms, tag = read.opening(), BY_FORM.get(read.low[main]), read.tags[main]
    end = read.with_complements(main + 1)
    head = read.noun_phrase(main + 1) - 1
    if forms is None or forms.base in SETS["intransitive"] or tag not in _BE.values() or " by " in sentence:
        return None
    if not start < read.with_complements(start) == main or read.tag(start) in ("EX", "WP", "WDT", "CD"):
        return None
    if end == main + 1 or read.tag(main + 1) not in _OBJECT_OPENS or read.word(head) in SETS["no_agent"]:
        return None
    if read.tag(head) not in NOUN or (end != read.stop and read.word(end) not in _STAYS):
        return None
    many = read.tag(head) in _PLURAL
    be = ("were" if many else "was") if tag == "VBD" else ("are" if many else "is")
    said = read.phrase_text(main + 1, end)
    subject = read.phrase_text(start, main)
    agent = OBJECTS.get(subject.lower(), subject)
    if start == 0:
        said = said[:1].upper() + said[1:]
        agent = agent[:1].lower() + agent[1:] if is_common(read) else agent
    before, after = sentence[: read.words[start].start], sentence[read.words[end - 1].end :]
    return f"{before}{said} {be} {forms.participle} by {agent}{after}"


def forms_of(low: str, tag: str) -> Forms | None:
    """The forms of the verb that a word with that tag is of; of one that is not listed, by rule."""
    if low in BY_FORM:
        return BY_FORM[low]
    known = [verb_forms(base) for base in dict.fromkeys(bases(low, tag)) if zipf(base) >= _KNOWN]
    fitting = [forms for forms in known if forms[VERB_FORMS[tag]] == low]
    if not fitting and "ll" in low:  # British: "cancelled", "labelling"
        doubled = [_doubled(forms) for forms in known if forms.base.endswith("l")]
        fitting = [forms for forms in doubled if forms[VERB_FORMS[tag]] == low]
    return max(fitting, key=lambda forms: zipf(forms.base), default=None)


def _doubled(forms: Forms) -> Forms:
    base = forms.base
    return Forms(base, forms.third, f"{base}led", f"{base}led", f"{base}ling")


def _forms(participle: str) -> Forms:
    return forms_of(participle, "VBN") or Forms("", "", "", "", "")


def says_how_much(read: Syntax, by: int, participle: str) -> bool:
    """Whether a "by" says by how much something was done, and not by whom: "raised by five euros"."""
    head = read.noun_phrase(by + 1) - 1
    amount = range(by + 1, head + 1)
    is_counted = any(read.tag(place) == "CD" or read.word(place) in SETS["numbers"] for place in amount)
    return is_counted and participle in SETS["by_how_much"] and read.word(head) not in SETS["persons"]


def find_passive(read: Syntax, by: int, *, loose: bool = False) -> Passive | None:
    """The passive before a "by" that names who did it; a `loose` one may be denied, or go on."""
    participle = _participle(read, by) if loose else by - 1
    said = read.word(participle)
    if _forms(said).participle != said or said in SETS["loose_no_passive" if loose else "no_passive"]:
        return None
    place = participle - 1
    while read.tag(place) == "RB" and (loose or read.word(place) not in ("not", "n't", "never")):
        place -= 1
    verb = place
    first = place - 1
    while loose and read.tag(first) == "RB":
        first -= 1
    if (read.word(place) in ("been", "being") and read.word(first) in _HAVE | {*_BE}) or (
        read.word(place) == "be" and read.tag(first) == "MD"
    ):
        verb = first
    elif read.word(place) not in _BE:
        return None
    agent = by + 1
    end = read.with_complements(agent)
    head = read.noun_phrase(agent) - 1
    timed = next((at for at in range(agent + 1, head) if _is_duration(read, at)), None)
    if loose and timed is not None:
        head, end = timed - 1, timed
    if loose and read.word(head) in _REFLEXIVE:
        head -= 1
    opens = _OPENS | {"NN"} if loose else _OPENS
    if loose and read.tag(agent) == "RB" and read.tag(agent + 1) == "CD":  # "by only 140 people"
        opens = opens | {"RB"}
    if end == agent or read.tag(agent) not in opens or read.word(head) in SETS["no_agent"]:
        return None
    if says_how_much(read, by, said):
        return None
    if read.tag(head) not in NOUN and read.word(head) not in _SUBJECTS:
        return None
    counts = any(tag == "CD" for tag in read.tags[agent : head + 1])
    if (counts and not (loose and read.word(head) in SETS["persons"])) or any(
        letter.isdigit() for letter in read.words[head].text
    ):
        return None
    if loose and read.word(end) in _REFLEXIVE:
        end += 1
    if not loose and read.word(end) in SETS["after_no_agent"]:
        return None
    tells = loose and said in SETS["telling"] and read.word(end) == "that"
    if read.tag(end) in ("VBG", "VBN", "POS") or (read.word(end) in ("who", "which", "that") and not tells):
        return None
    return Passive(verb, participle, agent, end)


def _is_duration(read: Syntax, place: int) -> bool:
    """Whether "two days later" begins behind a noun: it is no part of who did it."""
    return read.tags[place] == "CD" and read.tag(place - 1) in NOUN and read.word(place + 1) in SETS["times"]


def _participle(read: Syntax, by: int) -> int:
    """The participle before "by", or before a particle or one phrase in between."""
    place = by - 1 - (read.word(by - 1) == "only")
    if read.tag(place) in ("RP", "VBN"):
        return place - (read.tag(place) == "RP")
    if read.tag(place) == "IN" and read.tag(place - 1) == "VBN":  # "was paid for by"
        return place - 1
    start = read.phrase_start(by)
    for at in range(by - 2, max(by - 7, 0), -1):  # "was found at 6 a.m. by"
        if read.word(at) == "by":
            break
        if read.tags[at] == "VBN" and read.tag(at + 1) in ("IN", "TO") and read.word(at - 1) in _BE:
            return at
    if start == by and read.tag(by - 1) == "CD":
        start = by - 1
    return start - 2 if start < by and read.tag(start - 1) in ("IN", "TO") else place


def _relative(read: Syntax, found: Passive) -> str | None:
    """ "the book that was written by him" as "the book that he wrote"."""
    opens = found.verb - 1
    if read.word(opens) not in ("that", "which") or read.tag(opens - 1) not in NOUN:
        return None
    if read.tag(found.end) == "IN":
        return None
    start, stop = read.words[found.verb].start, read.words[found.end - 1].end
    verb = verb_text(read, found)
    return f"{read.text[:start]}{agent_text(read, found)} {verb}{read.text[stop:]}" if verb else None


def _main(read: Syntax, found: Passive) -> str | None:
    """ "The book was written by him" as "He wrote the book"."""
    start = read.opening()
    # The main verb of a short passive is not always known; it is the first, and follows the subject.
    if FINITE & {*read.tags[start : found.verb]} or read.with_complements(start) != found.verb:
        return None
    if read.tag(start) in ("EX", "WP", "WDT") or (
        found.end != read.stop and read.word(found.end) not in _STAYS
    ):
        return None
    # "by a man in a hat": what follows says more of the agent.
    if read.tag(found.end) == "IN" and read.word(found.agent) in ("a", "an"):
        return None
    goes_on = any(read.tags[index] == "CC" for index in range(found.end, read.stop))
    verb = verb_text(read, found)
    if verb is None or goes_on:
        return None
    subject = read.phrase_text(start, found.verb)
    subject = OBJECTS.get(subject.lower(), subject)
    if start == 0 and is_common(read):
        subject = subject[:1].lower() + subject[1:]
    agent = agent_text(read, found)
    if start == 0:
        agent = agent[:1].upper() + agent[1:]
    before, after = read.text[: read.words[start].start], read.text[read.words[found.end - 1].end :]
    return f"{before}{agent} {verb} {subject}{after}"


def object_text(read: Syntax, start: int, end: int) -> str:
    """A subject, from one place up to another, as an object: "he" as "him", "The gate" as "the gate"."""
    said = read.phrase_text(start, end).removesuffix(",")
    said = OBJECTS.get(said.lower(), said)
    if said.lower() in ("it", "this", "that", "you", "nothing"):
        return said.lower()
    return said[:1].lower() + said[1:] if start == 0 and is_common(read) else said


def is_common(read: Syntax) -> bool:
    """Whether the first word has its capital from its place alone."""
    word, tag = read.words[0].text, read.tags[0]
    low = word.lower()
    if word == "I" or word[1:] != low[1:]:
        return False
    if tag in ("DT", "PRP$", "PRP", "PDT", "CD") or (low in read.low[1:] and low in read.text):
        return True
    if tag in ("NNP", "NNPS"):
        described = zipf(low) >= _USUAL and read.tag(1) == "NNS" and read.words[1].text.islower()
        return word not in FIRST_NAMES and (
            described or any(low in words for words in (PLURALS, NOUNS, UNCOUNTED))
        )
    return zipf(low) >= (_RARE if tag in ("NN", "NNS", "JJ", "VBN", "VBG") else _USUAL)


def agent_text(read: Syntax, found: Passive) -> str:
    """Who did it, as a subject."""
    said = read.phrase_text(found.agent, found.end)
    return _SUBJECTS.get(said.lower(), said) if said != "me" else "I"


def verb_text(read: Syntax, found: Passive, *, together: bool = False) -> str | None:
    """The verbs of the active, which agree with the agent; adverbs stay before the last of them."""
    forms = _forms(read.low[found.participle])
    head = read.noun_phrase(found.agent) - 1
    head -= read.word(head) in _REFLEXIVE
    many = together or read.tag(head) in _PLURAL or read.word(head) in ("them", "us", "you", "me")
    first = read.word(found.verb)
    adverbs = [word for word, tag in zip(read.low, read.tags, strict=True)][found.verb + 1 : found.participle]
    said = " ".join(word for word in adverbs if word not in ("be", "been", "being"))
    if "be" in adverbs:
        verbs = [first, said, forms.base]
    elif first in _HAVE:
        verbs = ["had" if first == "had" else "have" if many else "has", said, forms.participle]
    elif "being" in adverbs:
        past = first in ("was", "were")
        be = ("were" if many else "was") if past else ("are" if many else "is")
        verbs = [be, said, forms.gerund]
    elif first not in _BE:
        return None
    elif {"not", "n't"} & {*adverbs}:
        do = "did" if _BE[first] == "VBD" else "do" if many else "does"
        rest = " ".join(word for word in adverbs if word not in ("not", "n't"))
        verbs = [do, "not", rest, forms.base]
    else:
        verbs = [said, forms.past if _BE[first] == "VBD" else forms.base if many else forms.third]
    if not verbs[-1]:
        return None
    return " ".join(filter(None, verbs)).replace(" n't", "n't").replace("can not", "cannot")
