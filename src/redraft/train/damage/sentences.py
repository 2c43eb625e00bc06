"""Errors in sentences: run-ons, fragments, connectives, punctuation, capitals, and word order."""

from __future__ import annotations

import random
from typing import Final

from redraft.text import singular
from redraft.train.damage.reading import Reading, Site, choices, pick, word_set
from redraft.train.damage.rules import by_rules

_STARTS: Final = word_set("sentences.starts")
_LINKS: Final = word_set("sentences.links")
_BROKEN_OFF: Final = word_set("sentences.broken_off")
_CONNECTIVES: Final = choices("connectives.txt")


def run_on(reading: Reading, rng: random.Random) -> list[Site]:
    """Two sentences joined by a comma or by nothing, or two clauses that lost their conjunction."""
    found: list[Site] = []
    text, tokens = reading.text, reading.tokens
    for index, token in enumerate(tokens):
        following = reading.at(index + 1)
        if (
            token.text == "."
            and token.free
            and following.opens
            and following.free
            and following.low in _STARTS
        ):
            if text[token.end : following.start] != " ":
                continue
            first = following.text[0] if following.low == "i" else following.text[0].lower()
            mark = "," if rng.random() < 0.6 else ""
            found += [Site(token.start, following.start + 1, f"{mark} {first}")] * 4
        elif token.text == ";" and token.free and following.low in _STARTS:
            found.append(Site(token.start, token.end, ","))
        elif token.text == "," and token.free and following.low in _LINKS and following.free:
            subject = reading.at(index + 2)
            if (
                subject.tag == "R"
                and reading.at(index + 3).tag in "BMHOVZL"
                and text[token.end : subject.start].count(" ") == 2
            ):
                found.append(Site(token.end, following.end, ""))
    return found


def fragment(reading: Reading, rng: random.Random) -> list[Site]:
    """A subordinate clause broken off as a sentence of its own."""
    found: list[Site] = []
    text, tokens = reading.text, reading.tokens
    since = 0
    for index, token in enumerate(tokens):
        since = 0 if token.opens else since + 1
        if token.low in _BROKEN_OFF and token.free and since >= 4 and index + 4 < len(tokens):
            before = tokens[index - 1]
            if before.text == "," and text[before.end : token.start] == " " and before.free:
                if token.low == "which" and reading.at(index + 1).tag not in "BMHZLV":
                    continue
                if token.low == "so" and reading.at(index + 1).tag != "R":
                    continue
                found.append(Site(before.start, token.start + 1, f". {token.text[0].upper()}"))
            elif token.low == "because" and before.tag in "NQUXA" and text[before.end : token.start] == " ":
                found.append(Site(before.end, token.start + 1, ". B"))
    return found


def connective(reading: Reading, rng: random.Random) -> list[Site]:
    """The word that links a sentence to the one before left out or wrong; two links where one is enough."""
    found: list[Site | None] = []
    text, tokens = reading.text, reading.tokens
    first = -1
    for index, token in enumerate(tokens):
        if token.opens:
            first = index
        following = reading.at(index + 1)
        wrong = _CONNECTIVES.get(token.low)
        if wrong is not None and token.opens and index > 0 and token.free and following.text == ",":
            after = reading.at(index + 2)
            if after.free and after.text[:1].islower() and text[following.end : after.start] == " ":
                found.append(Site(token.start, after.start + 1, after.text[0].upper()))
            found.append(reading.swap(index, pick(wrong, rng)))
        elif token.text == "," and token.free and first >= 0 and index - first > 3 and following.tag == "R":
            opening = tokens[first].low
            first = -1  # only the first comma can end the clause
            if opening in ("although", "though") and following.free:
                found.append(reading.insert(index + 1, "but"))
            elif opening in ("because", "since") and following.free:
                found.append(reading.insert(index + 1, "so"))
    return [site for site in found if site is not None]


_CALENDAR: Final = word_set("marks.calendar")
_COORDINATE: Final = word_set("marks.coordinate")
_CLAUSE: Final = word_set("marks.clause")


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


_turned = by_rules("word_order")


def word_order(reading: Reading, rng: random.Random) -> list[Site]:
    """Adverbs, negations, questions and adjectives out of their order."""
    return [site for site in _turned(reading, rng) if _plain(reading, site)]


def _plain(reading: Reading, site: Site) -> bool:
    """Whether only words and single spaces are moved."""
    return all(letter.isalpha() or letter in " '’" for letter in reading.text[site.start : site.end])
