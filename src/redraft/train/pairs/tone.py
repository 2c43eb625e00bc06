"""Pairs for tone: formal, friendly, polite; by rule, by phrase list and by template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from redraft.revision import Edit, applied, sound
from redraft.text import VERBS, Syntax, analyse_syntax, count_words, list_lines
from redraft.train.pairs.material import Pair, Record, passages
from redraft.train.pairs.phrases import Phrases
from redraft.train.pairs.sets import SETS
from redraft.train.synthesise import is_clean_target

_INFORMAL: Final = Phrases("informal.txt")
_FULL: Final = {"n't": " not", "'re": " are", "'ve": " have", "'ll": " will", "'m": " am"}
_STEMS: Final = {"ca": "can", "wo": "will", "sha": "shall"}
_IS: Final = frozenset({"it", "he", "she", "that", "there", "what", "here", "who", "where", "this", "how"})


def formal_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Passages with contractions written out and informal phrases replaced."""
    for passage in passages(records, (1, 2, 1)):
        text = str(passage)
        read = analyse_syntax(text)
        written_out = expansions(read)
        if written_out is None:
            continue
        edits = [*_INFORMAL.edits(read), *written_out]
        target = applied(text, edits)
        if edits and target != text and sound(text, target):
            yield passage.pair("formal", target)


def expansions(read: Syntax) -> list[Edit] | None:
    """The contractions of a text in full; None where one of them could be read in two ways."""
    found: list[Edit] = []
    for index in range(1, len(read)):
        low, word, before = read.low[index], read.words[index], read.word(index - 1)
        if read.held[index] or not low.startswith(("'", "n'")) or word.start != read.words[index - 1].end:
            continue
        if low == "'d" or (low == "n't" and read.tag(index + 1) in ("PRP", "EX")):
            return None
        if low in _FULL:
            start = word.start
            new = _FULL[low]
            if before in _STEMS:
                start, stem = read.words[index - 1].start, _STEMS[before]
                upper = read.words[index - 1].text[0].isupper()
                new = (stem.capitalize() if upper else stem) + ("not" if stem == "can" else new)
            found.append(Edit(start, word.end, new))
        elif low == "'s" and before in _IS and read.tag(index) != "POS":
            found.append(Edit(word.start, word.end, " has" if _is_perfect(read, index) else " is"))
    return found


def _is_perfect(read: Syntax, index: int) -> bool:
    place = index + 1 + (read.tag(index + 1) == "RB")
    return read.word(place) in ("been", "got", "had", "become", "gone", "done", "come")


_MUST: Final = re.compile(r"You (?:must|have to|need to|are required to) (?!not\b|be\b|have\b)(\w+)(.*)\.")
_CANNOT: Final = re.compile(r"(We|I) (?:cannot|can't|can’t|are unable to|am unable to) (\w+)(.*)\.")
_AUTHORS: Final = re.compile(
    r"(The authors?) (?:should|must|need to|have to) (?!not\b|be\b|have\b)(\w+)(.*)\."
)
_TO_READER: Final = re.compile(r"\b(?:you|your|requests?|orders?|applications?)\b")
_ASKING: Final = (
    "Could you please {}?",
    "Would you please {}?",
    "We would ask you to {}.",
    "Please {}.",
    "I would be grateful if you could {}.",
    "Would you mind taking a moment to {}?",
)
_AUTHORS_ASKED: Final = (
    "We would ask the {} to {}.", "It would be helpful if the {} could {}.", "Could the {} please {}?",
    "We would be grateful if the {} could {}.",
)  # fmt: skip
_REFUSED: Final = (
    "Unfortunately, {} not able to {}.",
    "{} sorry, but {} not able to {}.",
    "{} afraid that {} not able to {}.",
)
_NO_REQUEST: Final = SETS["no_request"]


_NO_ORDER: Final = re.compile(r"[\"“;:—–]|, and |\bI’ll\b|\bI'll\b|\bsee (?:page|above|below)\b")


def polite_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Orders, demands and refusals of prose, asked for or said in a polite way."""
    for passage in passages(records):
        text = str(passage)
        if count_words(text) > 32 or text.count(",") > 1 or _NO_ORDER.search(text):
            continue
        target = make_polite(text, rng)
        if target and is_clean_target(target):
            yield passage.pair("polite", target)


def make_polite(sentence: str, rng: Random) -> str | None:
    """A demand made polite; None where a sentence is none."""
    if found := _AUTHORS.fullmatch(sentence):
        if found[2] in VERBS and ". " not in sentence:
            return rng.choice(_AUTHORS_ASKED).format(found[1].split()[1], found[2] + found[3])
        return None
    if found := _MUST.fullmatch(sentence):
        return _asked(found[1] + found[2], rng) if found[1] in VERBS else None
    if found := _CANNOT.fullmatch(sentence):
        if found[2] not in VERBS or not _TO_READER.search(found[3]):
            return None
        we = found[1] == "We"
        said = rng.choice(_REFUSED)
        sorry, can = ("We are" if we else "I am"), ("we are" if we else "I am")
        parts = (sorry, can) if said.startswith("{}") else (can,)
        return said.format(*parts, found[2] + found[3])
    read = analyse_syntax(sentence)
    first = read.word(0)
    if read.main != 0 or first not in VERBS or first in _NO_REQUEST or not sentence.endswith("."):
        return None
    if read.tag(1) not in ("DT", "PRP$", "PRP", "NNS", "JJ", "CD", "RP") or " you will " in sentence:
        return None
    return _asked(sentence[0].lower() + sentence[1:-1], rng)


def _asked(order: str, rng: Random) -> str:
    return rng.choice(_ASKING).format(order)


def _letters() -> dict[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for line in list_lines(__package__, "letters.txt"):
        task, before, after = line.split(" | ")
        found.setdefault(task, []).append((before, after))
    return found


def _slots() -> dict[str, tuple[str, ...]]:
    lines = (line.split(": ", 1) for line in list_lines(__package__, "slots.txt"))
    return {name: tuple(one.strip() for one in rest.split(";")) for name, rest in lines}


_SLOT: Final = re.compile(r"\{(\w+)\}")
_LETTERS_EACH: Final = 1500


def letter_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Lines of letters from our templates, one to three of them to a passage; the records are not used."""
    slots = _slots()
    for task, templates in _letters().items():
        for _ in range(_LETTERS_EACH):
            chosen = rng.sample(templates, rng.choice((1, 1, 2, 3)))
            filled = [_filled(template, slots, rng) for template in chosen]
            before, after = (" ".join(side) for side in zip(*filled, strict=True))
            yield Pair(task, before, after, "templates", " ".join(one for one, _ in chosen) + before[:1])


def _filled(template: tuple[str, str], slots: dict[str, tuple[str, ...]], rng: Random) -> tuple[str, str]:
    drawn: dict[str, str] = {}

    def fill(match: re.Match[str]) -> str:
        name = match[1].lower()
        if name not in drawn:
            drawn[name] = rng.choice(slots[name])
        said = drawn[name]
        return said[:1].upper() + said[1:] if match[1][0].isupper() else said

    before, after = (_SLOT.sub(fill, side) for side in template)
    return before, after
