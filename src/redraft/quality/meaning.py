"""What a revision says otherwise than its source, names above all: what sentence embeddings do not see."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from redraft.quality.amounts import amount_changes
from redraft.quality.base import MeaningChange
from redraft.quality.numerals import number_changes, numerals
from redraft.quality.persons import asked_of_reader, person_changes
from redraft.quality.polarity import polarity_changes
from redraft.quality.roles import swapped_persons, swapped_roles
from redraft.quality.verbs import verb_changes
from redraft.text import Document, Entity, EntityFinder, RuleFinder, align, is_english, list_lines, word_sets

_NAMES: Final = frozenset({"person", "organisation", "place"})
_PRONOUN: Final = re.compile(
    r"\b(?:he|she|they|it|him|her|them|his|hers|theirs?|its|who|whom|whose|which|we|us|our|this|these|there|here)\b",
    re.IGNORECASE,
)
_SMALL: Final = word_sets("redraft.quality")["meaning.small"]
_WORD: Final = re.compile(r"[^\W_]+(?:[.&](?=[^\W_]))?[^\W_]*(?:[-'’][^\W_]+)*")
# What the same place, or its people, is called by words that do not begin alike.
_ALIASES: Final = tuple(frozenset(line.split()) for line in list_lines("redraft.quality", "aliases.txt"))
_STEM: Final = 4
_SPELLED_ALIKE: Final = 0.8
_TITLE_CASE: Final = 0.7


def name_changes(source: str, text: str, finder: EntityFinder) -> Iterator[MeaningChange]:
    """The names that a revision has changed, lost or added."""
    if _in_title_case(source) or _in_title_case(text):
        return
    lost = missing_names(source, text, finder)
    added = missing_names(text, source, finder)
    for one, other in zip(lost, added, strict=False):
        if one != other:
            yield MeaningChange("name", one, other)
    # A pronoun may stand for a name, and a name for a pronoun, but not one in brackets.
    pronouns = len(_PRONOUN.findall(text)) - len(_PRONOUN.findall(source))
    come = sorted(added[len(lost) :], key=lambda name: f"({name})" in text)
    plain = sum(f"({name})" not in text for name in come)
    yield from (MeaningChange("name", before=name) for name in lost[len(added) + max(pronouns, 0) :])
    yield from (MeaningChange("name", after=name) for name in come[min(max(-pronouns, 0), plain) :])


def kept_share(source: str, text: str, finder: EntityFinder) -> float:
    """The share of the source's named entities, each counted once, that the text has too; 1 for none."""
    entities = {entity.text: entity for entity in finder.find(source)}.values()
    if not entities:
        return 1.0
    words, values = _words(text), {number.value for number in numerals(text)}
    return sum(_kept(entity, text, words, values) for entity in entities) / len(entities)


def _kept(entity: Entity, text: str, words: frozenset[str], values: set[float | str]) -> bool:
    if entity.text in text:
        return True
    if entity.kind in _NAMES:
        return _has_name(entity.text, words)
    if entity.kind == "citation":
        return False
    found = {number.value for number in numerals(entity.text)}
    months = re.findall(r"[a-z]{3,}", entity.text.lower()) if entity.kind == "date" else []
    return found <= values and all(
        any(word[:3] == other[:3] for other in words) for word in months if word not in _SMALL
    )


def mentions(text: str, name: str) -> bool:
    """Whether a text has a name, or a part of it by which it is known."""
    return _has_name(name, _words(text))


def missing_names(text: str, other: str, finder: EntityFinder) -> list[str]:
    """The names of a text of which no part is in the other."""
    words = _words(other)
    names = dict.fromkeys(entity.text for entity in finder.find(text) if entity.kind in _NAMES)
    return [name for name in names if not _has_name(name, words) and not _is_initial(name, text, other)]


def _is_initial(name: str, text: str, other: str) -> bool:
    """Whether the other text has only the initial of a name: "C. elegans"."""
    follows = re.search(rf"\b{re.escape(name)} (\w+)", text)
    return follows is not None and f"{name[0]}. {follows[1]}" in other


def _words(text: str) -> frozenset[str]:
    found = [re.sub(r"['’]s?\Z", "", word.lower()) for word in _WORD.findall(text)]
    parts = [part for word in found for part in re.split(r"[-'’]", word)]
    starts = "".join(word[0] for word in found)
    initials = {starts[i : i + n] for n in (2, 3, 4) for i in range(len(starts) - n + 1)}
    capitals = {word.lower().replace(".", "") for word in re.findall(r"\b[A-Z][A-Z.]+\b", text)}
    return frozenset({*found, *parts, *(f"={letters}" for letters in initials), *capitals})


def _has_name(name: str, words: frozenset[str]) -> bool:
    """Whether a part of the name is there: "Obama" for "Barack Obama", "French" for "France"."""
    parts = re.findall(r"[^\W_]+(?:\.[^\W_]+)*", name.lower())
    telling = [part for part in parts if part not in _SMALL and len(part) > 1] or parts
    letters = name.lower().replace(".", "")
    if {f"={letters}", f"={letters.removesuffix('s')}", letters} & words:
        return True
    if len(parts) > 1 and "".join(part[0] for part in parts) in words:
        return True
    return any(_has_part(part, words) for part in telling)


def _has_part(part: str, words: frozenset[str]) -> bool:
    if words & {part, f"{part}s", part.removesuffix("s")}:
        return True
    if any(part in group and group & words for group in _ALIASES):
        return True
    stem = part[: max(_STEM, len(part) - 3)]
    return len(part) >= _STEM and any(
        word.startswith(stem)
        or (
            word[0] == part[0]
            and abs(len(word) - len(part)) <= 2
            and SequenceMatcher(None, word, part).ratio() >= _SPELLED_ALIKE
        )
        for word in words
    )


def _in_title_case(text: str) -> bool:
    """Whether nearly every word has a capital, as in a headline: then capitals tell nothing."""
    words = [word for word in text.split() if word.isalpha() and len(word) > 3][1:]
    return len(words) > 2 and sum(word[0].isupper() for word in words) > _TITLE_CASE * len(words)


_RULES: Final = RuleFinder()


def meaning_changes(source: str, text: str, finder: EntityFinder | None = None) -> tuple[str, ...]:
    """In plain words, what `compare_meaning` finds."""
    return tuple(map(str, compare_meaning(source, text, finder)))


def compare_meaning(source: str, text: str, finder: EntityFinder | None = None) -> tuple[MeaningChange, ...]:
    """The numbers, names, negations, quantifiers and the like that a revision has changed.

    English only, but for the numbers in digits.
    """
    if source.split() == text.split() or not source.strip():
        return ()
    if not text.strip():
        return (MeaningChange("all", before=source),)
    return _changes(source, text) if finder is None else tuple(_found(source, text, finder))


@lru_cache(maxsize=4096)
def _changes(source: str, text: str) -> tuple[MeaningChange, ...]:
    return tuple(dict.fromkeys(_found(source, text, _RULES)))


def _found(source: str, text: str, finder: EntityFinder) -> Iterator[MeaningChange]:
    yield from number_changes(source, text)
    if not is_english(source):
        return
    yield from name_changes(source, text, finder)
    yield from amount_changes(source, text)
    for before, after in _passages(source, text):
        yield from polarity_changes(before, after)
        swapped = dict.fromkeys((*swapped_roles(before, after), *swapped_persons(before, after)))
        yield from (MeaningChange("role", *pair) for pair in swapped)
        yield from verb_changes(before, after)
        yield from person_changes(before, after)
        yield from asked_of_reader(before, after)
    yield from person_changes(source, text)  # somebody may be spoken to in a sentence of its own


def _passages(source: str, text: str) -> Iterator[tuple[str, str]]:
    """Sentences beside what became of them; those that were kept, left out or put in say nothing."""
    left, right = Document(source), Document(text)
    if len(left.sentences) == len(right.sentences) == 1:
        yield source, text
        return
    for link in align(left, right):
        if link.kind != "kept" and link.original and link.revised:
            yield (
                " ".join(left.sentence(number).text for number in link.original),
                " ".join(right.sentence(number).text for number in link.revised),
            )
