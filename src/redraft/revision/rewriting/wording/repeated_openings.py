"""Neighbouring sentences that begin alike: a pronoun for the subject said again, or one sentence for all.

No word is invented: what is said again is said once, or taken up by "it", "he", "she" or "they".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.edits import WORDS, capitalised, distinct
from redraft.revision.rewriting.splits.coordination import Phrase
from redraft.revision.rewriting.splits.splits import lowered
from redraft.revision.rewriting.wording.openings import reopened
from redraft.text import Clauses, list_lines, read_clauses, tagged, wordings

_LINKS: Final = {
    word: tuple(others.split("; "))
    for word, others in (line.split(" | ") for line in list_lines(__package__, "opening-links.txt"))
}
_SUBJECT: Final = (
    r"(?:i|you|he|she|it|we|they|the|an?|this|these|those|there"
    r"|my|your|his|her|its|our|their|all|some|both|nobody|everybody|somebody|no one|nothing|everyone"
    r"|most|many)\b"
)
_LINK: Final = re.compile(rf"(?i)(?P<word>{'|'.join(_LINKS)})(?:, (?=[a-z])| (?={_SUBJECT}))")
"""A link with its comma or before a subject: "Next week" is none."""
_EXISTS: Final = re.compile(r"There (?P<be>is|are|was|were) (?P<no>no )?(?P<rest>.+)[.]\Z")
_THERE_WHO: Final = re.compile(
    r"There (?:is|are|was|were) (?P<thing>[^,;:]{1,60}?) (?:who|that|which) "
    r"(?P<said>(?!(?:I|we|you|he|she|it|they)\b)[^,;:]+)\Z"
)
_VERB: Final = re.compile(
    r"(?:are|were|is|was|has|have|had|can|will|would|must|may|should|do|did|like|want|need|use|love|live|work)\b"
)
_PLACES: Final = (
    r"(?:house|building|station|village|town|school|office|room|hall|garden|shop|hotel|museum|kitchen)s?"
    r"|park|library|centre|center"
)
_HAPPENINGS: Final = (
    r"\b(?:meeting|party|event|concert|problem|delay|increase|drop|risk|chance|need|doubt|fire|change)\b"
)
_THERE_IN: Final = re.compile(
    rf"There (?:is|are) (?P<thing>(?:an?|some|several|many|two|three|four|five|six|\d+) (?!.*{_HAPPENINGS})"
    rf"[^,;:]{{2,60}}?) in (?P<place>(?:the|our|my|your|their|his|her|this) (?:[\w-]+ ){{0,2}}(?:{_PLACES}))"
    r"(?P<end>[.!])\Z"
)
_NO_LINK: Final = re.compile(r"(?i)however [^,]|so (?:many|much|few|little|it is with|there\b[.!])")
"""What begins with a link's word and is none: "however we do it", "so many people"."""
_DENIES: Final = re.compile(r"(?:did|was|were|could|had|would)(?: not\b|n['’]t\b)")
_NOT: Final = re.compile(r"(?i)\b(?:not|no|never|nothing|nobody|none|neither|hardly|cannot)\b|n['’]t\b")
_MARKS: Final = re.compile(r"[“”\"«»;:?()–—]")
_TOO: Final = re.compile(r"(?:was|were) (?P<how>too [\w-]+ to [^,;]+)[.]")
_CALLED: Final = r"(?i:{}) (?:is|was) (?:called|named) (?P<name>[A-Z][a-z]+)\b"
_COUNTED: Final = r"(?:an?|two|three|four|five|six|\d+)"
_COMES_WITH: Final = re.compile(
    rf"(?P<it>It|They) (?P<verb>comes?|came) with (?P<thing>{_COUNTED} (?:[a-z-]+ )?[a-z-]+"
    rf"(?: and {_COUNTED} (?:[a-z-]+ )?[a-z-]+)?)[.]"
)
_THIS: Final = re.compile(r"This (?=(?:study|paper|work|article|report|essay|book|survey|project|thesis) )")
_HAS: Final = re.compile(
    rf"(?P<place>(?:The|Our|My|Their|His|Her|This) (?:[\w-]+ ){{0,2}}(?P<sort>{_PLACES}|city|valley|island))"
    r" (?P<have>has|have|had) (?P<thing>(?:no|an?|some|several|many|only one|one|two|three|four|five|six|\d+)"
    rf" (?:[\w-]+ )?(?:{wordings(__package__)['what_a_place_has']}))[.]"
)
"""A place that has something: "The island has one shop." """
_SOME: Final = re.compile(
    r"(?i)(?:no|not|few|some|many|each|every|several|most|all|both|any|little|much|half|an?|one|two|another)\b"
)
"""What is not the same when it is said again."""
_PLAIN_WORDS: Final = 8
_LONG_JOINT: Final = 32
"""Words of a sentence in which nobody finds the second part."""
_BE: Final = frozenset({"am", "is", "are", "was", "were", "been", "be", "not"})
_ADVERBS: Final = frozenset({"also", "then", "never", "always", "still", "often", "even"})
_PAST: Final = frozenset({"VBD"})
_PRESENT: Final = frozenset({"VBZ", "VBP"})


class _Said(NamedTuple):
    """A plain sentence: its subject, what is said of it, and the reading of it all."""

    subject: str
    said: str
    verb: str
    """The tag of its verb."""
    reading: Clauses
    start: int
    stop: int


def taken_up(before: str, sentence: str, text: str = "") -> list[Candidate]:
    """The sentence with a pronoun for its subject, where the sentence before it has the same one.

    Whether somebody who is only named is "he" or "she" is told by the rest of the `text`.

    >>> taken_up("The firm is old.", "The firm sells pumps.")[0].text
    'It sells pumps.'
    """
    last, own = _read(before), _read(sentence)
    if last is None or own is None or own.start or last.subject.lower() != own.subject.lower():
        return []
    if _SOME.match(own.subject):
        return []  # "No words are sad enough. No words are strong enough."
    whole = text or f"{before} {sentence}"
    called = re.search(_CALLED.format(re.escape(own.subject)), whole)
    pronoun = called["name"] if called and called.end() <= whole.find(sentence) else _pronoun(own, whole)
    if pronoun is None or pronoun.lower() == own.subject.lower():
        return []
    why = (Reason("replace", own.subject, pronoun),)
    return [Candidate(f"{pronoun} {own.said}", "opening", why)]


def named_again(before: Sequence[str], sentence: str) -> list[Candidate]:
    """The sentence with a name for "he" or "she", where those before it tell of nobody else.

    >>> named_again(["My sister plays the cello.", "She has won prizes."], "She lives in Rome.")[0].text
    'My sister lives in Rome.'
    """
    own = _read(sentence)
    if own is None or own.start or own.subject not in ("He", "She"):
        return []
    for place in range(len(before) - 1, -1, -1):
        other = _read(before[place])
        if other is None or other.start or other.subject in ("It", "They", "I", "We", "You"):
            return []
        if other.subject == own.subject:
            continue
        phrase = Phrase(other.reading, other.start, other.stop)
        named = other.reading.tag(other.stop - 1) == "NNP" or phrase.is_person
        definite = re.match(r"(?:My|Our|The|Your|His|Her|Their|[A-Z][a-z]+\Z)", other.subject)
        told = " ".join((*before[place:], sentence))
        if not named or not definite or _names_another(other, told):
            return []
        why = (Reason("replace", own.subject, other.subject),)
        return [Candidate(f"{other.subject} {own.said}", "opening", why)]
    return []


def restated(sentence: str) -> list[Candidate]:
    """The sentence with another subject, its words the same: what a place has, what something comes with.

    >>> restated("The island has one shop.")[0].text
    'There is one shop on the island.'
    >>> restated("It comes with a lamp and a bell.")[0].text
    'A lamp and a bell come with it.'
    """
    made: list[str] = []
    if found := _HAS.fullmatch(sentence):
        plural = found["thing"].endswith("s")
        be = {"had": "were" if plural else "was"}.get(found["have"], "are" if plural else "is")
        place = f"{'on' if found['sort'] == 'island' else 'in'} {lowered(found['place'])}"
        made.append(f"There {be} {found['thing']} {place}.")
    elif found := _COMES_WITH.fullmatch(sentence):
        many = " and " in found["thing"] or not re.match("an? ", found["thing"])
        verb = "came" if found["verb"] == "came" else "come" if many else "comes"
        it = "it" if found["it"] == "It" else "them"
        made.append(f"{capitalised(found['thing'])} {verb} with {it}.")
    elif found := _THIS.match(sentence):
        made.append(f"The {sentence[found.end() :]}")
    return [Candidate(text, "opening", (Reason("replace", sentence.partition(" ")[0], ""),)) for text in made]


def _pronoun(own: _Said, text: str) -> str | None:
    phrase = Phrase(own.reading, own.start, own.stop)
    if phrase.head is None or own.reading.letters[phrase.head] in "PE":
        return None
    made = phrase.pronoun()
    if made in ("It", "They", "He", "She"):
        return made
    if own.reading.tag(phrase.head) != "NNP" and not phrase.is_person:
        return None
    if _names_another(own, text):
        return None
    met = {word.strip(".,;:!?\"“”'").lower() for word in text.split()}
    he, she = bool(met & WORDS.he_forms), bool(met & WORDS.she_forms)
    return ("He" if he else "She") if he != she else None


def _names_another(own: _Said, text: str) -> bool:
    """Whether the text tells of somebody else, whose "he" or "she" it may be."""
    names = {*own.subject.lower().split()}
    people = WORDS.person_nouns | WORDS.male_nouns | WORDS.female_nouns
    return any(
        (one.tag in ("NNP", "NNPS") or one.text.lower() in people) and one.text.lower() not in names
        for one in tagged(text)
    )


def relinked(sentence: str) -> list[Candidate]:
    """The sentence with another link to the one before it, or none: "Then" as "After that," """
    found = _LINK.match(sentence)
    if found is None or _NO_LINK.match(sentence):
        return []
    rest = sentence[found.end() :]
    links = _LINKS[found["word"].lower()]
    texts = [capitalised(rest) if link == "-" else f"{link} {rest}" for link in links]
    why = (Reason("replace", found["word"], ""),)
    return [Candidate(text, "opening", why) for text in texts]


def without_there(sentence: str) -> list[Candidate]:
    """What "there is" says, said of the thing itself.

    >>> without_there("There are many people who like it.")[0].text
    'Many people like it.'
    >>> without_there("There is a lift in the old building.")[0].text
    'The old building has a lift.'
    """
    made: list[str] = []
    if found := _THERE_WHO.match(sentence):
        text = f"{capitalised(found['thing'])} {found['said']}"
        main = read_clauses(text).main()
        if _VERB.match(found["said"]) or (main is not None and main.verb == len(found["thing"].split())):
            made.append(text)
    elif found := _THERE_IN.match(sentence):
        have = "have" if found["place"].endswith("s") else "has"
        made.append(f"{capitalised(found['place'])} {have} {found['thing']}{found['end']}")
    return [Candidate(text, "opening", (Reason("replace", "There", ""),)) for text in made]


def begun_otherwise(sentence: str) -> list[Candidate]:
    """The sentence with another first word: another link, what is moved, or without "there is"."""
    return [*relinked(sentence), *reopened(sentence), *without_there(sentence), *restated(sentence)]


def joined_alike(sentences: Sequence[str]) -> list[Candidate]:
    """Two or three sentences with the same subject as one that says it once, best first.

    >>> joined_alike(["He came.", "He saw.", "He won."])[0].text
    'He came, saw and won.'
    """
    made = [*_of_what_is(sentences), *_of_one_subject(sentences), *_in_a_row(sentences)]
    why = (Reason("merge", detail="by their subject"),)
    return distinct(Candidate(text, "merge", why) for text in made)


def _of_one_subject(sentences: Sequence[str]) -> Iterator[str]:
    read = [_read(one) for one in sentences]
    parts = [one for one in read if one is not None]
    if len(parts) < len(sentences) or any(one.start for one in parts):
        return  # "In winter, Karl repairs nets and keeps sheep" would have him keep them in winter
    if len({one.subject.lower() for one in parts}) > 1 or not _agree([one.verb for one in parts]):
        return
    if any(set("UW") & set(one.reading.letters) for one in parts[:-1]):
        return
    if any(_NOT.search(one) for one in sentences[:-1]):
        return  # "She never married and raised three children" denies both
    if (
        any(one.said.startswith(("'", "’")) for one in parts)
        or len(" ".join(sentences).split()) > _LONG_JOINT
    ):
        return
    if any(_has_more_verbs(one, parts[-1]) for one in parts[:-1]):
        return
    first, *rest = sentences[0].rstrip("."), *(one.said.rstrip(".") for one in parts[1:])
    if len(rest) == 1:
        joint = _joint(first, rest[0])
        yield f"{first}{joint}{rest[0]}."
        yield from _as_a_phrase(parts[0], parts[1])
    elif not any(" and " in one or "," in one for one in (first, *rest[:-1])):
        yield f"{', '.join((first, *rest[:-1]))} and {rest[-1]}."


def _has_more_verbs(one: _Said, last: _Said) -> bool:
    """Whether a verb that follows might be joined to another than the first: "I wish to rest and sleep." """
    reading = one.reading
    verbs = [n for n in range(one.stop, len(reading.words)) if reading.tag(n).startswith("VB")]
    finite = [n for n in verbs if reading.tag(n) in _PAST | _PRESENT]
    taught = any(reading.tag(n) == "VBG" and reading.lower(n - 1) not in _BE for n in verbs)
    told = any(reading.lower(n - 1) == "to" for n in verbs) and last.verb in ("VBP", "MD")
    return taught or told or len(finite) > 1


def _as_a_phrase(first: _Said, second: _Said) -> Iterator[str]:
    """ "We were too tired to eat. We slept." as "Too tired to eat, we slept"; "having" for what was first."""
    if second.verb != "VBD" or second.said.split()[0].lower() in ("was", "were", "had", "did"):
        return
    said = f"{lowered(second.subject)} {second.said}"
    if found := _TOO.fullmatch(first.said):
        yield f"{capitalised(found['how'])}, {said}"
    word, _, rest = first.said.rstrip(".").partition(" ")
    if first.verb == "VBD" and word in WORDS.completing_verbs:
        yield f"Having {word}{' ' * bool(rest)}{rest}, {said}"


def _joint(first: str, said: str) -> str:
    if _DENIES.match(said):
        return " but "  # what was promised, and what came of it
    return ", and " if " and " in first or "," in first else " and "


def _of_what_is(sentences: Sequence[str]) -> Iterator[str]:
    """ "There is a shop. There is no bank." as "There is a shop, but no bank." """
    found = [_EXISTS.fullmatch(one) for one in sentences]
    if len(sentences) != 2 or found[0] is None or found[1] is None:
        return
    first, second = found[0], found[1]
    if second["no"] and not first["no"]:
        again = "" if first["be"] == second["be"] else f"there {second['be']} "
        yield f"{sentences[0].rstrip('.')}, but {again}no {second['rest']}."
    elif first["no"] and not second["no"]:
        yield f"{sentences[0].rstrip('.')}, but {lowered(sentences[1])}"


def _in_a_row(sentences: Sequence[str]) -> Iterator[str]:
    """Three short sentences as one: "The report was late, the figures were wrong, and the client left." """
    parts = [one for one in map(_read, sentences) if one is not None]
    if len(parts) < 3 or len({one.subject.lower() for one in parts}) < 3:
        return
    if any(one.start or set("UW") & set(one.reading.letters) for one in parts):
        return
    if any(len(one.split()) > _PLAIN_WORDS or re.search(r",| (?:and|or|but) ", one) for one in sentences):
        return
    if len(sentences) == 3 and len({one.verb == "VBD" for one in parts}) == 1:
        first, second, third = (one.rstrip(".") for one in (sentences[0], *map(lowered, sentences[1:])))
        yield f"{first}, {second}, and {third}."


def _agree(tags: Sequence[str]) -> bool:
    """Whether verbs tell of the same time: who kept sheep "and is married" is told of in two sentences."""
    if "MD" in tags:
        return len({*tags}) == 1  # "You will sleep better and do not need pills"
    return not (_PAST & {*tags} and _PRESENT & {*tags})


def _read(sentence: str) -> _Said | None:
    """A sentence that states one thing of its subject; None for any other."""
    text = " ".join(sentence.split())
    reading = read_clauses(text)
    main = reading.main()
    if main is None or main.imperative or _MARKS.search(text) or not reading.end.startswith("."):
        return None
    subject = reading.span(main.start, main.stop)
    between = {reading.lower(n) for n in range(main.stop, main.verb)}
    if subject.lower() == "there" or not between <= _ADVERBS or main.stop >= len(reading.words):
        return None
    said = reading.text[reading.words[main.stop].start :]
    said = said if said.endswith(reading.end) else said + reading.end
    return _Said(subject, said, reading.tag(main.verb), reading, main.start, main.stop)
