"""Instructions in plain English for constraints, in many wordings, as people and models write them.

The calls that an instruction means are those of its constraints; the wordings stand in data/wordings.txt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from redraft.constraints import (
    CONVENTIONS,
    Constraint,
    Keyword,
    KeywordFrequency,
    SentenceCount,
    SentenceLength,
    WordCount,
    check,
)
from redraft.train.planning.phrases import Phrase, cardinal, choose_wording, phrase_constraints

_CONTEXT, _CLOSING, _COLON = 0.06, 0.12, 0.12
"""How often something stands before or after what is asked, or a colon at its end."""
_WISH = 0.2
"""How often there is a wish besides, that no tool can check."""
_LIST, _FRONTED, _IN_LEAD = 0.1, 0.06, 0.1
"""How often what is wanted is a list, or begins the sentence, or is what the lead asks for."""
_FRONT: Final = re.compile(r"(?!and|to\b|in\b)")


def write_instruction(
    constraints: Sequence[Constraint], choose: Random, asides: float = 0.0
) -> tuple[str, tuple[Constraint, ...]]:
    """An instruction that means the constraints, no more and no less, and they in the order it says them.

    A planner that is to name them in that order learns to read on to the end; in any other order it can only
    learn how many there are. `asides` is how often there are up to three remarks, with numbers and words in
    quotes, that ask for nothing.
    """
    phrases = list(phrase_constraints(constraints, choose))
    choose.shuffle(phrases)
    own = next((one for one in phrases if one.name in ("keep", "change")), None)
    text, own_first = _assembled(list(phrases), own, choose)
    if own_first and own is not None:
        phrases.remove(own)
        phrases.insert(0, own)
    said = tuple(one for phrase in phrases for one in phrase.said)
    if choose.random() < _CONTEXT:
        text = f"{choose_wording('context', {}, choose)} {text}"
    if asides and choose.random() < asides:
        text = _with_asides(text, choose)
    if choose.random() < _CLOSING:
        return text + ("\n" if "\n" in text else " ") + choose_wording("closing", {}, choose), said
    return re.sub(r"[.?]$", ":", text) if choose.random() < _COLON else text, said


def _with_asides(text: str, choose: Random) -> str:
    """The text with remarks before or after it; none among the items of a list."""
    for _ in range(choose.choice((1, 1, 2, 3))):
        number = cardinal(choose.choice((choose.randint(2, 30), choose.randint(30, 900))), choose)
        aside = _capital(choose_wording("aside", {"n": number}, choose))
        text = f"{aside} {text}" if "\n" in text or choose.random() < 0.5 else f"{text} {aside}"
    return text


def _assembled(phrases: list[Phrase], own: Phrase | None, choose: Random) -> tuple[str, bool]:
    """The lead with some of what is wanted, and the rest in sentences of its own.

    Also whether what is said of single sentences (`own`) stands in the lead, before all else.
    """
    layout = choose.random()
    if phrases and layout < _LIST:
        return _as_list(phrases, choose), False
    if phrases and layout < _LIST + _FRONTED and _FRONT.match(first := phrases[0].as_("tail", choose)):
        lead = _closed(f"{first}, {choose_wording('core', {}, choose)}")
        return _in_sentences([lead], phrases[1:], choose), False
    if own is not None and choose.random() < _IN_LEAD:
        phrases.remove(own)
        lead = _closed(choose_wording(f"lead {own.name}", own.values, choose))
        return _in_sentences([lead], phrases, choose), True
    lead, end = _lead(choose)
    taken = choose.choice((0, 0, 1, 1, 1, 2, 2, 3))
    lead = _closed(lead + _attached(phrases[:taken], choose), end)
    return _in_sentences([lead], phrases[taken:], choose), False


def _lead(choose: Random) -> tuple[str, str]:
    """What is asked for in the first place, and the mark that it ends in."""
    kind = choose.choices(("order", "question", "wish"), (75, 13, 12))[0]
    return choose_wording(f"lead {kind}", {}, choose), "?" if kind == "question" else "."


def _attached(phrases: Sequence[Phrase], choose: Random) -> str:
    """What goes on in the sentence of the lead."""
    if not phrases:
        return ""
    form = choose.choice(("tail", "tail", "clause", "clause", "order"))
    if form == "clause":
        return f", {choose_wording('ensuring', {}, choose)} {_clauses(phrases, choose)}"
    parts = [one.as_(form, choose) for one in phrases]
    joints = [", ", ", ", " "] if form == "tail" else [", and ", " and ", ", but ", "; ", " – "]
    if form == "tail" and re.match(r"\w+ing\b", parts[0]):
        joints += [", while ", " while "]
    return (choose.choice(joints) if len(parts) == 1 or form == "tail" else ", ") + _listed(parts, choose)


def _clauses(phrases: Sequence[Phrase], choose: Random) -> str:
    that = choose.choice(("", "that "))
    clauses = [one.as_("clause", choose) for one in phrases]
    return _listed([clauses[0], *(that + clause for clause in clauses[1:])], choose)


def _in_sentences(done: list[str], phrases: Sequence[Phrase], choose: Random) -> str:
    """What was phrases and what is left, in one sentence or several."""
    left = list(phrases)
    while left:
        one = left.pop(0)
        form = choose.choice(("order", "order", "statement", "statement", "clause"))
        if form == "clause":
            taken = choose.choice((0, 0, 1, 2))
            text = f"{choose_wording('ensure', {}, choose)} {_clauses([one, *left[:taken]], choose)}"
            del left[:taken]
        else:
            text = one.as_(form, choose)
            if left and choose.random() < 0.3:
                text += choose.choice((", and ", " and ", "; ")) + left.pop(0).as_(form, choose)
        if len(done) > 1 and not left and choose.random() < 0.15:
            text = f"{choose_wording('lastly', {}, choose)} {text}"
        elif choose.random() < (0.25 if len(done) > 1 else 0.08):
            text = f"{choose_wording('also', {}, choose)} {text}"
        done.append(_closed(text))
    if choose.random() < _WISH:
        done.insert(choose.randint(1, len(done)), _closed(choose_wording("wish", {}, choose)))
    return " ".join(done)


def _as_list(phrases: Sequence[Phrase], choose: Random) -> str:
    """The lead, and what is wanted as a list, in one line or in several."""
    lead, end = _lead(choose)
    form = choose.choice(("order", "statement", "tail", "clause"))
    if form == "clause":
        head = f"{_closed(lead, end)} {_closed(choose_wording('ensure', {}, choose), ':')}"
    elif choose.random() < 0.4:
        head = _closed(f"{lead} {choose_wording('conditions', {}, choose)}", ":")
    else:
        head = f"{_closed(lead, end)} {_closed(choose_wording('requirements', {}, choose))}"
    mark = choose.choice(("-", "*", "{}."))
    items = [one.as_(form, choose) for one in phrases]
    if choose.random() < 0.6:
        return "\n".join([head, *(f"{mark.format(n)} {_capital(item)}" for n, item in enumerate(items, 1))])
    if choose.random() < 0.3:
        items = [f"({number}) {item}" for number, item in enumerate(items, 1)]
    return f"{head} {'; '.join(items)}."


def _listed(items: Sequence[str], choose: Random) -> str:
    if len(items) == 1:
        return items[0]
    return f"{', '.join(items[:-1])}{choose.choice((' and ', ', and '))}{items[-1]}"


def _closed(text: str, end: str = ".") -> str:
    return _capital(text if text[-1] in ":?" else text + end)


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


_SHIFTED: Final = 0.35
"""How often the last number that a bound allows is the round one: "at most 300"."""
_RENAMED: Final = 0.35
"""How often another word is named than a content word: any word, or a phrase."""
_PHRASE: Final = re.compile(r"(?<![\w'’-])[A-Za-z]{2,}(?: [A-Za-z]{2,}){0,2}(?![\w'’-])")
_SHORTEST: Final = 3
_MOST: Final = 9
"""Occurrences of a word that an instruction asks for."""
_TRIES: Final = 8
_LOOSER: Final = {"less than": 1, "more than": -1}


def vary_constraints(
    constraints: Sequence[Constraint], source: str, final: str, choose: Random
) -> tuple[Constraint, ...]:
    """The constraints, or others of their kinds that the final text obeys too."""
    return tuple(_shifted(_renamed(one, source, final, choose), choose) for one in constraints)


def meets_all(final: str, constraints: Sequence[Constraint], source: str) -> bool:
    """Whether a text obeys, whichever form it is counted."""
    return all(check(final, constraints, original=source, counting=counting).met for counting in CONVENTIONS)


def _shifted(one: Constraint, choose: Random) -> Constraint:
    if not isinstance(one, WordCount | SentenceCount | SentenceLength) or choose.random() > _SHIFTED:
        return one
    shift = _LOOSER.get(one.relation, 0)
    if isinstance(one, SentenceLength):
        return replace(one, length=one.length + shift)
    return replace(one, count=one.count + shift)


def _renamed(one: Constraint, source: str, final: str, choose: Random) -> Constraint:
    if not isinstance(one, Keyword | KeywordFrequency) or choose.random() > _RENAMED:
        return one
    removed = isinstance(one, Keyword) and one.relation == "remove"
    for keyword in _keywords(source, choose):
        if removed and keyword in final:
            continue
        other: Constraint = replace(one, keyword=keyword)
        if isinstance(one, KeywordFrequency):
            count = final.lower().count(keyword.lower())
            if not 2 <= count <= _MOST:
                continue
            other = KeywordFrequency(keyword, count + _LOOSER.get(one.relation, 0), one.relation)
        if meets_all(final, [other], source):
            return other
    return one


def _keywords(text: str, choose: Random) -> Iterator[str]:
    """Some of the words and phrases of a text."""
    found = [match for match in _PHRASE.findall(text) if len(match) >= _SHORTEST]
    for phrase in choose.sample(found, min(_TRIES, len(found))):
        words = phrase.split()
        start = choose.randrange(len(words))
        keyword = " ".join(words[start : start + choose.choice((1, 1, 1, 2, 3))])
        if len(keyword) >= _SHORTEST:
            yield keyword
