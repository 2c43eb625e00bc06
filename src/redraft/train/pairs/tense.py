"""Pairs for the past and the present tense: every finite verb of a simple sentence in the other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random
from typing import Final

from redraft.revision import Edit, applied
from redraft.text import BY_FORM, FINITE, NOUN, Syntax, analyse_syntax, count_words
from redraft.train.pairs.material import Pair, Record, passages
from redraft.train.pairs.sets import SETS

_TO_PAST: Final = {
    "is": "was", "are": "were", "am": "was", "has": "had", "have": "had", "do": "did", "does": "did",
    "can": "could", "will": "would", "may": "might",
}  # fmt: skip
_TO_PRESENT: Final = {"could": "can", "would": "will"}
_PRESENT: Final = frozenset({"VBZ", "VBP"})
_JOINTS: Final = frozenset({"CC", ",", ":", "WDT", "WP", "WRB", "IN", "--"})
_LONGEST: Final = 28
_BARE_AFTER: Final = SETS["bare_after"]
_SINGULAR: Final = SETS["singular_subjects"]
_PLURAL: Final = SETS["plural_subjects"]


def tense_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Passages of one or two sentences in the present put into the past, and the other way round."""
    for passage in passages(records, (1, 1, 2)):
        for task, change in (("past", to_past), ("present", to_present)):
            made = [change(sentence) for sentence in passage.sentences]
            if all(made):
                yield passage.pair(task, " ".join(filter(None, made)))


def _simple(sentence: str, signs: frozenset[str]) -> Syntax | None:
    """The syntax of a sentence that has nothing in it which ties it to a tense."""
    if not sentence.endswith(".") or count_words(sentence) > _LONGEST:
        return None
    read = analyse_syntax(sentence)
    if read.quoted or read.main is None or read.tag(read.main) == "VB" or signs & {*read.low}:
        return None
    clitic = any(word.startswith(("'", "’")) and word != "'" for word in read.low)
    year = any(len(word) == 4 and word.isdigit() for word in read.low)
    wishes = {"if", "unless", "would", "should", "wish"} & {*read.low}
    return None if clitic or year or wishes or SETS["months"] & {*read.low} or "n't" in read.low else read


def to_past(sentence: str) -> str | None:
    """A sentence of the present in the past.

    >>> to_past("She walks to the office, and her dog waits at home.")
    'She walked to the office, and her dog waited at home.'
    """
    read = _simple(sentence, SETS["now"])
    if read is None or "VBD" in read.tags or _hides_verb(read):
        return None
    edits: list[Edit] = []
    for index, tag in enumerate(read.tags):
        if tag not in FINITE:
            continue
        low, word = read.low[index], read.words[index]
        forms = BY_FORM.get(low)
        known = forms is not None and low in (forms.third if tag == "VBZ" else forms.base)
        if low in _TO_PAST:
            new = _TO_PAST[low]
        elif tag == "MD" or not known or forms is None or not _has_subject(read, index):
            return None
        else:
            new = forms.past
        edits.append(Edit(word.start, word.end, new))
    return _checked(read, edits, _PRESENT)


def _hides_verb(read: Syntax) -> bool:
    """Whether a verb may be tagged as a noun or as an infinitive that it is not: "the tests that pass"."""
    for index, tag in enumerate(read.tags):
        before = index - 1
        while read.tag(before) == "RB":
            before -= 1
        if (
            tag == "VB"
            and read.tag(before) not in ("TO", "MD", "CC", "VB")
            and read.word(before) not in _BARE_AFTER
        ):
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
    return False


def _has_subject(read: Syntax, index: int) -> bool:
    place = index - 1
    while read.tag(place) == "RB":
        place -= 1
    return (
        read.tag(place) in NOUN | {"PRP", "WDT", "WP", "DT", "CC", "-RRB-", "EX"} and read.word(place) != "to"
    )


def to_present(sentence: str) -> str | None:
    """A sentence of the past in the present.

    >>> to_present("He sat down and took the letters that she had written.")
    'He sits down and takes the letters that she has written.'
    """
    read = _simple(sentence, SETS["then"])
    if read is None or _PRESENT & {*read.tags} or any(map(_is_alike, read.low)):
        return None
    if any(pair == ("CC", "VBN") for pair in pairwise(read.tags)):
        return None  # "tired and wanted": a participle or a past
    edits: list[Edit] = []
    before = ""
    last = -1
    for index, tag in enumerate(read.tags):
        if tag not in FINITE:
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
    forms = BY_FORM.get(low)
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
    same = all((was in FINITE) == (now in FINITE) for was, now in zip(read.tags, again.tags, strict=True))
    return text if same and not gone & {*again.tags} else None
