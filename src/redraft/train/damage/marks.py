"""Punctuation, apostrophes, spacing and capitals."""

from __future__ import annotations

import random
from typing import Final

from redraft.text import singular
from redraft.train.damage.lists import word_set
from redraft.train.damage.reading import Reading, Site

_CALENDAR: Final = word_set("marks.calendar")
_COORDINATE: Final = word_set("marks.coordinate")
_CLAUSE: Final = frozenset(["because", "that", "if", "when"])


def comma(reading: Reading, rng: random.Random) -> list[Site]:
    """Commas left out, or put between words that none parts."""
    found: list[Site] = []
    text, tokens = reading.text, reading.tokens
    first = -1
    for index, token in enumerate(tokens):
        if token.opens:
            first = index
        if token.text == "," and token.free:
            if text[token.end : token.end + 1] != " " or token.start == 0 or text[token.start - 1] == " ":
                continue
            following, before = reading.at(index + 1), reading.at(index - 1)
            if following.tag in "#I" and before.tag in "#I":
                continue  # dates, places and lists of names
            weight = 3 if index - first <= 4 or following.low in _COORDINATE else 1
            found += [Site(token.start, token.end, "")] * weight
        elif token.free and not token.opens and index > 1:
            before = reading.at(index - 1)
            if before.tag == "." or text[token.start - 1] != " ":
                continue
            after = reading.at(index + 1).tag
            needless = (
                (token.low in _CLAUSE and before.tag in "VZLTNQU" and token.tag in "SY")
                or (
                    token.tag == "B"
                    and token.low != "being"
                    and before.tag in "NQUn"
                    and reading.at(index - 2).tag in "ANDP"
                )
                or (token.low == "and" and before.tag in "NQUA" and after in "NQUA")
                or (token.tag in "Pt" and before.tag in "VZL" and rng.random() < 0.2)
            )
            if needless:
                found += [Site(before.end, before.end, ",")] * 2
    return found


def apostrophe(reading: Reading, rng: random.Random) -> list[Site]:
    """Apostrophes left out or put into plurals; its and it's."""
    found: list[Site] = []
    for index, token in enumerate(reading.tokens):
        if not token.free or token.tag == ".":
            continue
        if token.low in ("its", "it's"):
            found += [reading.swap(index, "it's" if token.low == "its" else "its")] * 2
        elif "'" in token.low and token.low[-1] != "'":
            bare = token.text.replace("'", "").replace("’", "")
            if bare.lower() not in ("ill", "were", "well", "shell", "hell", "id", "wed"):
                found += [Site(token.start, token.end, bare)] * 2
        elif token.tag == "Q" and singular(token.low) == token.low[:-1] and rng.random() < 0.15:
            found.append(Site(token.start, token.end, token.text[:-1] + "'s"))
    return found


def stop(reading: Reading, rng: random.Random) -> list[Site]:
    """The last stop left out, or a question without its mark."""
    if not reading.tokens or not reading.tokens[-1].free:
        return []
    last = reading.tokens[-1]
    if last.text == ".":
        return [Site(last.start, last.end, "")]
    if last.text == "?":
        return [Site(last.start, last.end, ".")]
    return []


def spacing(reading: Reading, rng: random.Random) -> list[Site]:
    """A space before a mark, or none after it."""
    found: list[Site] = []
    text = reading.text
    for index, token in enumerate(reading.tokens):
        if token.text not in (",", ".", ";", ":", "?", "!", "(", ")") or not token.free:
            continue
        before, following = reading.at(index - 1), reading.at(index + 1)
        if before.tag in ".#" or before.start < 0 or following.tag == "#":
            continue
        spaced = text[token.end : token.end + 1] == " "
        if token.text == "." and spaced and not following.opens:
            continue  # "Mr. Smith"
        if token.text == "(":
            if text[token.start - 1 : token.start] == " ":
                found.append(Site(token.start - 1, token.start, ""))
            continue
        if token.text == ")":
            continue
        if before.end == token.start and (spaced or token.end == len(text)):
            found.append(Site(token.start, token.start, " "))
        if spaced and following.tag != "." and before.end == token.start and token.text in ",.?":
            found += [Site(token.end, token.end + 1, "")] * (2 if token.text != "," else 1)
    return found


def capital(reading: Reading, rng: random.Random) -> list[Site]:
    """Capitals left out where they belong and put where they do not."""
    found: list[Site] = []
    for index, token in enumerate(reading.tokens):
        if token.tag in ".#":
            continue
        if token.text[0].isupper():
            if token.text in ("I", "I'm", "I've"):
                if reading.at(index - 1).tag != "I":  # "King William I"
                    found += [Site(token.start, token.start + 1, "i")] * 2
            elif token.opens and token.free:
                found += [Site(token.start, token.start + 1, token.text[0].lower())] * 2
            elif token.low in _CALENDAR and not reading.protected(token.start):
                found.append(Site(token.start, token.start + 1, token.text[0].lower()))
        elif token.free and token.tag in "NUQn" and len(token.low) > 4 and rng.random() < 0.2:
            found.append(Site(token.start, token.start + 1, token.text[0].upper()))
    return found
