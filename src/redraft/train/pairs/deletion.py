"""Pairs for shortening: sentences without their adjuncts, asides, relative clauses and filler."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

from redraft.revision import Replacement, applied, cuts, sound
from redraft.text import Syntax, analyse_syntax, count_words
from redraft.train.pairs.material import Pair, Record, passages
from redraft.train.pairs.sets import SETS

_NOT_SPARED: Final = frozenset({"as soon as", "so", "enter into", "on", "in the course of", "the fact that"})
_FREE: Final = 0.55
"""What costs no more is filler."""
_WHOLE: Final = frozenset({"the addition", "the aside", "the examples", "the insertion", "the apposition"})
_AFTER_COMMA: Final = frozenset({"the relative clause", "the participle", "the phrase", "the clause"})
_CLAUSES: Final = SETS["cut_clauses"]
_ADVERBS_KEPT: Final = SETS["kept_adverbs"]
_PERSONAL: Final = re.compile(r"(?:I|We) (?:think|believe|feel|know|find|note)(?: that)?\b|Note that\b")
_SHARE_OF_FILLER: Final = 0.25
_TAKEN: Final = 0.85
_SPARE: Final = (0, 0, 0, 1, 1, 2, 3)
_LEAST: Final = 6
_FILLER: Final = 2


def cut_pairs(records: Iterable[Record], rng: Random) -> Iterator[Pair]:
    """Passages with what can go taken out: shorten with the number of words, or concise for filler alone."""
    for passage in passages(records, (1, 1, 1, 2, 3)):
        made = [_shortened(sentence, rng) for sentence in passage.sentences]
        target = " ".join(text for text, _ in made)
        before, after = count_words(str(passage)), count_words(target)
        if after > before - 1 or after < _LEAST or after < 0.4 * before:
            continue
        if all(filler for _, filler in made):
            if before - after >= max(_FILLER, before / 12):
                yield passage.pair("concise", target)
        elif before - after >= 3:
            yield passage.pair("shorten", target, n=min(before - 1, after + rng.choice(_SPARE)))


def _shortened(sentence: str, rng: Random) -> tuple[str, bool]:
    """A sentence without some of what can go, and whether that is no more than filler."""
    read = analyse_syntax(sentence)
    if read.main is None or read.quoted:
        return sentence, True
    chosen = _chosen(read, rng)
    text = applied(sentence, chosen)
    if not chosen or not sound(sentence, text) or analyse_syntax(text).main is None:
        return sentence, True
    return text, all(one.cost <= _FREE for one in chosen)


def _chosen(read: Syntax, rng: Random) -> list[Replacement]:
    """Cuts that do not touch one another, the larger ones first; now and then only the filler."""
    found = [one for one in cuts(read) if _reads_well(read, one)]
    if rng.random() < _SHARE_OF_FILLER:
        found = [one for one in found if one.cost <= _FREE]
    kept: list[Replacement] = []
    for one in sorted(found, key=lambda one: one.start - one.end):
        if all(one.end < other.start or one.start > other.end for other in kept) and rng.random() < _TAKEN:
            kept.append(one)
    return kept


def _reads_well(read: Syntax, one: Replacement) -> bool:
    """Whether a cut leaves good English nearly always; bare phrases and second clauses do not."""
    said = read.text[one.start : one.end]
    words = said.strip(" ,").lower().split()
    kind = one.why.detail
    if one.cost <= _FREE:
        going = read.text[one.end : one.end + 7] == " going "
        return said.lower() not in _NOT_SPARED and not going
    if one.new or not words:
        return False
    if kind in _WHOLE:
        return "," not in said.strip(", ")[1:-1] or said.startswith("(")
    if kind == "the opening phrase":
        return words[0] not in SETS["kept_openings"] and len(words) > 1
    if kind == "the opening clause":
        return words[0] in _CLAUSES
    if kind == "the attribution":
        return _PERSONAL.fullmatch(said) is not None
    if kind == "the afterthought":
        return len(words) > 2 and ":" not in said and "—" not in said[1:]
    if kind in _AFTER_COMMA:
        opens = words[0] in _CLAUSES if kind == "the clause" else said.startswith(",")
        return opens and said.count(",") <= 1
    return _is_spare_word(words)


def _is_spare_word(words: Sequence[str]) -> bool:
    """Whether a cut is of an adverb that adds little, or of the second of two adjectives."""
    if len(words) == 1:
        return words[0] == "also" or (words[0].endswith("ly") and words[0] not in _ADVERBS_KEPT)
    return len(words) == 2 and words[0] == "and" and analyse_syntax(words[1]).tags == ("JJ",)
