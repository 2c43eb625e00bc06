"""Pairs from revisions that authors and copy-editors made: corrections, clearer and shorter wordings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from itertools import zip_longest
from random import Random
from typing import Final

from redraft.revision import synonyms
from redraft.text import count_words, diff_words, spellings
from redraft.train.pairs.material import Pair, Record
from redraft.train.pairs.wording import content_words, lemma, values
from redraft.train.synthesise import is_clean_target

_ALIKE: Final = 0.7
_NAME: Final = re.compile(r"(?<=[\w,;:)] )[A-Z]\w*|\b\w*[a-z\d][A-Z]\w*|\b[A-Z]{2,}\w*|\b\w*\d\w*")
_REFERENCE: Final = re.compile(r"\b(?:Fig(?:ure)?s?|Tables?|Eqn?s?|Supplementary|et al)\b|\[\d|\(\d{4}\)")
_ACRONYM: Final = re.compile(r"\([A-Z]\w*\)")
_PLAIN_QUOTES: Final = re.compile('[‘’“”"–−-]')
_STYLED: Final = re.compile("[‘’“”\"',–− -]")
_MEASURED: Final = re.compile(r"[\dµμ°%℃=×]")
_SHORTER: Final = 0.85
_SPELT_ALIKE: Final = 0.75
_VARIANTS: Final = (
    ("our", "or"),
    ("is", "iz"),
    ("ys", "yz"),
    ("ll", "l"),
    ("ae", "e"),
    ("oe", "e"),
    ("tre", "ter"),
    ("towards", "toward"),
    ("ence", "ense"),
    ("amme", "am"),
    ("ogue", "og"),
    ("whilst", "while"),
)
_TAGS: Final = ("NN", "VB", "JJ", "RB")


def revision_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Fluency, clarity, concise and shorten, from `source` and `target` of a sentence each.

    Only rewordings count: both sides have the same numbers and names, and little that the other has not.
    """
    for record in records:
        before, after = _clean(record.fields.get("source")), _clean(record.fields.get("target"))
        if float(record.fields.get("sim", 1)) < _ALIKE or before == after or not _reworded(before, after):
            continue
        had, has = content_words(before), content_words(after)
        lost, added = had - has, has - had
        shorter = count_words(after) <= _SHORTER * count_words(before)
        source = record.source
        if shorter and len(added) <= 1:
            yield Pair("shorten", before, after, source, record.text, {"n": count_words(after)})
        if shorter and len(lost) <= 1 + len(added) and len(lost) <= 0.1 * len(had):
            yield Pair("concise", before, after, source, record.text)
        elif _is_correction(before, after):
            yield Pair("fluency", before, after, source, record.text)
        elif len(added) <= 2 and len(lost) <= 3 and _is_wording(lost, added, record):
            yield Pair("clarity", before, after, source, record.text)


def _is_wording(lost: frozenset[str], added: frozenset[str], record: Record) -> bool:
    """Whether words gave way to synonyms; a copy-editor is trusted, an author may mean another thing."""
    if "abstract" in record.source:
        return len(added) <= len(lost)
    if len(lost) != len(added):
        return False
    return all(any(other in lost for tag in _TAGS for other in synonyms(word, tag)) for word in added)


def _clean(text: object) -> str:
    return " ".join(text.split()) if isinstance(text, str) else ""


def _reworded(before: str, after: str) -> bool:
    """Whether nothing but wording differs, as far as numbers, names and references tell."""
    if (
        not is_clean_target(after)
        or len(before) < 0.5 * len(after)
        or _house_style(before) == _house_style(after)
    ):
        return False
    if values(before) != values(after) or _REFERENCE.search(before + after):
        return False
    names = [Counter(name.lower() for name in _NAME.findall(side)) for side in (before, after)]
    return set(names[0]) == set(names[1]) and _ACRONYM.findall(before) == _ACRONYM.findall(after)


def _house_style(text: str) -> str:
    """A text without what journals differ in: commas, hyphens, quotation marks, British spelling."""
    return _variant(_STYLED.sub("", text.lower()))


def _is_correction(before: str, after: str) -> bool:
    """Whether every edit is small: a mark, a small word, another form or spelling of the same word."""
    edits = [edit for edit in diff_words(before, after) if edit.op != "equal"]
    return 0 < len(edits) <= 3 and all(_is_small(edit.before, edit.after) for edit in edits)


def _is_small(before: str, after: str) -> bool:
    if _PLAIN_QUOTES.sub("'", before) == _PLAIN_QUOTES.sub("'", after) or _MEASURED.search(before + after):
        return False
    old, new = spellings(before.lower()), spellings(after.lower())
    if max(len(old), len(new)) > 2:
        return False
    return all(_same_word(one, other) for one, other in zip_longest(old, new, fillvalue=""))


def _same_word(one: str, other: str) -> bool:
    """Whether a word is the other put right; another tense or the other side's spelling is no correction."""
    if not content_words(one) and not content_words(other):
        return "also" not in (one, other)
    if not one or not other or one.endswith("ed") != other.endswith("ed") or _variant(one) == _variant(other):
        return False
    return lemma(one) == lemma(other) or SequenceMatcher(None, one, other).ratio() >= _SPELT_ALIKE


def _variant(word: str) -> str:
    """A spelling that British and American English share."""
    for british, american in _VARIANTS:
        word = word.replace(british, american)
    return word
