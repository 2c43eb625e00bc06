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
from redraft.text import Clauses, list_lines, read_clauses, tagged

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
    pronoun = _pronoun(own, text or f"{before} {sentence}")
    if pronoun is None or pronoun.lower() == own.subject.lower():
        return []
    why = (Reason("replace", own.subject, pronoun),)
    return [Candidate(f"{pronoun} {own.said}", "opening", why)]


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
    return [*relinked(sentence), *reopened(sentence), *without_there(sentence)]


def joined_alike(sentences: Sequence[str]) -> list[Candidate]:
    """Two or three sentences with the same subject as one that says it once, best first.

    >>> joined_alike(["He came.", "He saw.", "He won."])[0].text
    'He came, saw and won.'
    """
    made = [*_of_what_is(sentences), *_of_one_subject(sentences)]
    why = (Reason("merge", detail="by their subject"),)
    return distinct(Candidate(text, "merge", why) for text in made)


def _of_one_subject(sentences: Sequence[str]) -> Iterator[str]:
    read = [_read(one) for one in sentences]
    parts = [one for one in read if one is not None]
    if len(parts) < len(sentences) or any(one.start for one in parts[1:]):
        return
    if len({one.subject.lower() for one in parts}) > 1 or not _agree([one.verb for one in parts]):
        return
    if any(set("UW") & set(one.reading.letters) for one in parts[:-1]):
        return
    if any(_NOT.search(one) for one in sentences[:-1]):
        return  # "She never married and raised three children" denies both
    first, *rest = sentences[0].rstrip("."), *(one.said.rstrip(".") for one in parts[1:])
    if len(rest) == 1:
        joint = _joint(first, rest[0])
        yield f"{first}{joint}{rest[0]}."
        yield from (f"{one.text.rstrip('.')}{joint}{rest[0]}." for one in reopened(sentences[0])[:1])
    elif not any(" and " in one or "," in one for one in (first, *rest[:-1])):
        yield f"{', '.join((first, *rest[:-1]))} and {rest[-1]}."


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


def _agree(tags: Sequence[str]) -> bool:
    """Whether verbs tell of the same time: who kept sheep "and is married" is told of in two sentences."""
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
