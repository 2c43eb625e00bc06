"""Sentences run together or broken off, and the words that link them."""

from __future__ import annotations

import random
from typing import Final

from redraft.train.damage.chance import pick
from redraft.train.damage.lists import word_set
from redraft.train.damage.reading import Reading, Site

_STARTS: Final = word_set("sentences.starts")
_LINKS: Final = frozenset(["and", "but", "so"])
_BROKEN_OFF: Final = frozenset(["because", "although", "which", "while", "whereas", "so"])
_CONNECTIVES: Final = {
    "however": ("therefore", "moreover", "for example"),
    "therefore": ("however", "on the other hand", "besides"),
    "thus": ("however", "nevertheless"),
    "moreover": ("however", "therefore"),
    "furthermore": ("however", "therefore"),
    "nevertheless": ("therefore", "moreover"),
    "consequently": ("however", "nevertheless"),
    "meanwhile": ("therefore", "for example"),
    "instead": ("therefore", "moreover"),
    "additionally": ("however", "therefore"),
}


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
