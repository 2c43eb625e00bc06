"""Words in the wrong order."""

from __future__ import annotations

import random
from typing import Final

from redraft.train.damage.lexicon import ADVERBS
from redraft.train.damage.lists import word_set
from redraft.train.damage.reading import Reading, Site

_MOVING: Final = word_set("order.moving")
_SIZE: Final = word_set("order.size")
_KIND: Final = word_set("order.kind")
_ASKING: Final = frozenset(["what", "why", "how", "when", "where", "which", "who"])
_KNOWING: Final = word_set("order.knowing")


def word_order(reading: Reading, rng: random.Random) -> list[Site]:
    """Adverbs, negations, questions and adjectives out of their order."""
    found: list[Site] = []
    tokens = reading.tokens
    for index, token in enumerate(tokens):
        if not token.free:
            continue
        one, two = reading.at(index + 1), reading.at(index + 2)
        low = token.low
        if token.tag == "M" and one.low in _MOVING and one.free and two.tag == "V" and not token.opens:
            if two.free and reading.at(index + 3).tag in "DE":
                found.append(_turned(reading, index + 1))  # "can remove also the child"
        elif (
            (low in _MOVING or low in ADVERBS)
            and one.tag in "VZL"
            and one.free
            and two.tag in "DE"
            and not token.opens
        ):
            found.append(_turned(reading, index))  # "he reads always the paper"
        elif (low in _SIZE and one.low in _KIND and one.free and two.tag in "NQ" and not token.opens) or (
            one.low == "enough" and one.free and token.tag in "A" and not token.opens
        ):
            found += [_turned(reading, index)] * 3
        elif low in _ASKING and token.opens and one.tag in "MBO" and one.free and two.tag == "R" and two.free:
            if tokens[-1].text == "?":
                if one.tag == "O":
                    found += [Site(one.start, two.start, "")] * 2  # "Why you went"
                else:
                    found += [_turned(reading, index + 1)] * 3  # "What they are"
        elif low in _ASKING and reading.at(index - 1).low in _KNOWING and one.tag == "R" and one.free:
            if two.tag in "BM" and two.free and not two.low.startswith("be"):
                found += [_turned(reading, index + 1)] * 3  # "I know what is it"
        elif token.tag in "VZL" and one.tag in "DE" and two.tag in "NUQ" and two.free:
            manner = reading.at(index + 3)
            if manner.free and (manner.low in ADVERBS or manner.low in ("well", "again")):
                found += [
                    Site(one.start, manner.end, f"{manner.text} {reading.text[one.start : two.end]}")
                ] * 3
        elif (
            low == "more"
            and one.tag == "A"
            and two.tag in "NQU"
            and one.free
            and two.free
            and reading.at(index - 1).tag in "DP"
        ):
            found.append(Site(one.start, two.end, f"{two.text} {one.text}"))
    return [site for site in found if _plain(reading, site)]


def _turned(reading: Reading, index: int) -> Site:
    """The word at an index and the next one, in turned order."""
    one, two = reading.tokens[index], reading.tokens[index + 1]
    between = reading.text[one.end : two.start]
    return Site(one.start, two.end, f"{two.text}{between}{one.text}")


def _plain(reading: Reading, site: Site) -> bool:
    """Whether only words and single spaces are moved."""
    return all(letter.isalpha() or letter in " '’" for letter in reading.text[site.start : site.end])
