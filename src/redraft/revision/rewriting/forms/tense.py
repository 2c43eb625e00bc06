"""The past and the present tense: every finite verb of a sentence in the other one."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from redraft.revision.rewriting.edits import Edit, applied
from redraft.revision.rewriting.voice.voice import SETS, forms_of
from redraft.text import BY_FORM, FINITE, NOUN, VERBS, Syntax, analyse_syntax, count_words

_TO_PAST: Final = {
    "is": "was", "are": "were", "am": "was", "has": "had", "have": "had", "do": "did", "does": "did",
    "can": "could", "will": "would", "may": "might",
}  # fmt: skip
_TO_PRESENT: Final = {"could": "can", "would": "will"}
_CLITICS: Final = {
    "'s": " was", "'m": " was", "'re": " were", "'ll": "'d", "'ve": "'d", "ca": "could", "wo": "would",
}  # fmt: skip
"""Short forms of the present, and what they are in the past."""
_STAY: Final = frozenset({"could", "would", "might", "should", "'d"})
"""What is the same in the past."""
_NOW: Final = frozenset({"now", "today", "currently", "tonight", "tomorrow", "nowadays", "presently"})
_THEN: Final = frozenset({"yesterday", "ago", "last", "formerly", "previously", "born"})
_PRESENT: Final = frozenset({"VBZ", "VBP"})
_ALIKE: Final = frozenset({"VB", "VBN", "NN"})
"""As what a past may be read: "put", "finished", "rang"."""
_JOINTS: Final = frozenset({"CC", ",", ":", "WDT", "WP", "WRB", "IN", "--"})
_LONGEST: Final = 28
_WATCHING: Final = SETS["watching"]
_WATCHED: Final = 6
"""Words from such a verb to what somebody does, at most."""
_BARE_AFTER: Final = SETS["bare_after"]
_SINGULAR: Final = SETS["singular_subjects"]
_PLURAL: Final = SETS["plural_subjects"]


def _simple(sentence: str, signs: frozenset[str], *, loose: bool) -> Syntax | None:
    """The syntax of a sentence that has nothing in it which ties it to a tense.

    A `loose` one may be long, quote somebody and have short forms.
    """
    read = analyse_syntax(sentence)
    if read.main is None or read.tag(read.main) == "VB" or _own(read) & {*signs, "wish"}:
        return None
    if any(len(word) == 4 and word.isdigit() for word in read.low):
        return None
    if loose:
        return read
    if _own(read) & {"if", "unless"}:
        return None
    clitic = any(word.startswith(("'", "’")) and word != "'" for word in read.low) or "n't" in read.low
    tied = _own(read) & (SETS["months"] | {"would", "should"})
    strict = sentence.endswith(".") and count_words(sentence) <= _LONGEST and not read.quoted
    return read if strict and not clitic and not tied else None


def _own(read: Syntax) -> set[str]:
    """The words that are not quoted."""
    return {low for low, held in zip(read.low, read.held, strict=True) if not held}


def to_past(sentence: str, *, loose: bool = False) -> str | None:
    """A sentence of the present in the past; None where it is not sure how.

    A `loose` change leaves alone what is in the past already, and what is quoted.

    >>> to_past("She walks to the office, and her dog waits at home.")
    'She walked to the office, and her dog waited at home.'
    """
    read = _simple(sentence, _NOW if loose else SETS["now"], loose=loose)
    if read is None or (not loose and "VBD" in read.tags) or _hides_verb(read):
        return None
    edits: list[Edit] = []
    for index, tag in enumerate(read.tags):
        if tag not in FINITE or read.held[index] or tag == "VBD" or read.low[index] in _STAY:
            continue
        if _is_watched(read, index):
            continue
        low, word = read.low[index], read.words[index]
        forms = forms_of(low, tag) if loose and tag != "MD" else BY_FORM.get(low)
        known = forms is not None and low == (forms.third if tag == "VBZ" else forms.base)
        if low in _TO_PAST:
            new = _TO_PAST[low]
        elif low == "'s" and read.tag(index + 1) == "VBN":
            return None  # "is" or "has"
        elif low in _CLITICS:
            new = _CLITICS[low]
        elif tag == "MD" or not known or forms is None or not _has_subject(read, index, loose=loose):
            return None
        else:
            new = forms.past
        if read.low[index : index + 2] == ("can", "not") and word.end == read.words[index + 1].start:
            new = "could "
        edits.append(Edit(word.start, word.end, new))
    return _checked(read, edits, _PRESENT)


def _is_watched(read: Syntax, index: int) -> bool:
    """Whether a verb says what somebody is seen doing, or made to do: "we watch the harbour get smaller"."""
    forms = BY_FORM.get(read.low[index])
    if read.tags[index] != "VBP" or forms is None or forms.base != read.low[index]:
        return False
    starts = (start for start in range(max(index - _WATCHED, 0), index) if read.low[start] in _WATCHING)
    return any(read.noun_phrase(start + 1) == index for start in starts)


def _hides_verb(read: Syntax) -> bool:
    """Whether a verb may be tagged as a noun or as an infinitive that it is not: "the tests that pass"."""
    for index, tag in enumerate(read.tags):
        before = index - 1
        while read.tag(before) == "RB":
            before -= 1
        if (
            tag == "VB"
            and read.tag(before) not in ("TO", "MD", "CC", "VB")
            and not {read.word(before), read.word(before - 1)} & _BARE_AFTER
        ):
            return True
        if read.tag(before) == "CC" and _is_bare(read, index):
            return True
        forms = BY_FORM.get(read.low[index])
        third = forms is not None and forms.third == read.low[index]
        if (
            tag == "NNS"
            and third
            and read.tag(index - 1) in NOUN
            and read.tag(index + 1) in ("DT", "PRP$", "PRP", "PDT")
        ):
            return True
    return any(_lacks_verb(read, start, stop) for start, stop in pairwise(_joints(read)))


def _is_bare(read: Syntax, index: int) -> bool:
    """Whether a verb behind "and" has no "to" or "will" to share: "I sit and count the rings"."""
    if read.tags[index] == "VB":
        return not {"TO", "MD", "VB"} & {*read.tags[:index]}
    listed = read.low[index] in VERBS and read.tags[index] == "NN"
    return listed and read.tag(index + 1) in ("DT", "PRP$", "PRP")


def _joints(read: Syntax) -> list[int]:
    """Where commas and conjunctions stand, and both ends."""
    return [-1, *(at for at in range(read.stop) if read.tags[at] in ("CC", ",", ":")), read.stop]


def _lacks_verb(read: Syntax, start: int, stop: int) -> bool:
    """Whether the only verb between two joints was taken for a plural: "the train leaves"."""
    places = range(start + 1, stop)
    if any(read.tags[at] in FINITE or read.held[at] for at in places):
        return False
    for at in places:
        forms = BY_FORM.get(read.low[at])
        if read.tags[at] == "NNS" and forms is not None and forms.third == read.low[at]:
            return read.tag(at - 1) in ("NN", "NNP") and read.tag(at + 1) not in NOUN
    return False


def _has_subject(read: Syntax, index: int, *, loose: bool) -> bool:
    place = index - 1
    while read.tag(place) == "RB":
        place -= 1
    if loose and place >= 0 and (read.held[place] or (read.tag(place) == "," and _follows_on(read, index))):
        return True  # "'Why?' says the man"; "she stands up, opens the door and leaves"
    return (
        read.tag(place) in NOUN | {"PRP", "WDT", "WP", "DT", "CC", "-RRB-", "EX"} and read.word(place) != "to"
    )


def _follows_on(read: Syntax, index: int) -> bool:
    """Whether a verb behind a comma is one of several: there is one like it before."""
    return read.tags[index] in read.tags[:index]


def to_present(sentence: str, *, loose: bool = False) -> str | None:
    """A sentence of the past in the present; None where it is not sure how.

    >>> to_present("He sat down and took the letters that she had written.")
    'He sits down and takes the letters that she has written.'
    """
    read = _simple(sentence, _THEN if loose else SETS["then"], loose=loose)
    if read is None or (not loose and _PRESENT & {*read.tags}) or any(map(_is_alike, _own(read))):
        return None
    if any(pair == ("CC", "VBN") for pair in pairwise(read.tags)):
        return None  # "tired and wanted": a participle or a past
    edits: list[Edit] = []
    before = ""
    last = -1
    for index, tag in enumerate(read.tags):
        if tag not in FINITE or read.held[index] or tag in _PRESENT:
            continue
        if last >= 0 and not _JOINTS & {*read.tags[last + 1 : index]}:
            return None  # "the man called Tom left": one of the two is a participle
        number = _number(read, index) or (before if read.tag(index - 1) in ("CC", ",", "RB") else "")
        new = _present(read.low[index], tag, number)
        if new is None:
            return None
        edits.append(Edit(read.words[index].start, read.words[index].end, new))
        before, last = number, index
    made = _checked(read, edits, frozenset({"VBD"}))
    return made and made.replace("can not", "cannot")


def _is_alike(low: str) -> bool:
    """Whether the past of a verb is spelt as its base, such as "put"."""
    forms = BY_FORM.get(low)
    return forms is not None and forms.past == low == forms.base


def _present(low: str, tag: str, number: str) -> str | None:
    if low in _TO_PRESENT:
        return _TO_PRESENT[low]
    if low in ("was", "were"):
        return {"i": "am", "1": "is", "2": "are"}.get(number) if number else None
    one = number == "1"
    if not number or tag != "VBD":
        return None
    if low in ("had", "did"):
        return {"had": ("have", "has"), "did": ("do", "does")}[low][one]
    forms = forms_of(low, tag)
    if forms is None or forms.past != low or forms.base == low:
        return None
    return forms.third if one else forms.base


def _number(read: Syntax, index: int) -> str:
    """The number of the subject before a verb: one ("1"), many ("2"), I ("i"), not known ("")."""
    place = index - 1
    while read.tag(place) == "RB" and place > 0:
        place -= 1
    low, tag = read.word(place), read.tag(place)
    if low == "i":
        return "i"
    if low in _SINGULAR or tag == "EX":
        return "" if tag == "EX" or (low == "that" and tag != "DT") else "1"
    if low in _PLURAL:
        return "2"
    if tag in ("WDT", "WP") or low == "that":
        return {"NN": "1", "NNP": "1", "NNS": "2"}.get(read.tag(place - 1), "")
    if tag not in NOUN:
        return ""
    start = read.phrase_start(place + 1)
    while read.word(start - 1) in ("of", "in", "on", "at", "for", "from", "with") and start > 1:
        place = start - 2
        tag = read.tag(place)
        if tag not in NOUN:
            return ""
        start = read.phrase_start(place + 1)
    if read.tag(start - 1) == "CC" or "CC" in read.tags[start:place]:
        return ""
    return "2" if tag in ("NNS", "NNPS") else "1"


def _checked(read: Syntax, edits: list[Edit], gone: frozenset[str]) -> str | None:
    """The sentence with its new verbs, if they are read as such: else a tag was wrong."""
    if not edits:
        return None
    text = applied(read.text, edits)
    again = analyse_syntax(text)
    if len(again) != len(read):
        return None
    places = [place for place, held in enumerate(read.held) if not held]
    changed = {edit.start for edit in edits}
    same = all(
        (read.tags[place] in FINITE) == (again.tags[place] in FINITE)
        for place in places
        if read.words[place].start not in changed or again.tags[place] not in _ALIKE
    )
    return text if same and not gone & {again.tags[place] for place in places} else None
