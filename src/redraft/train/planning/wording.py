"""Instructions in plain English for constraints, in very many wordings, as people and models write them.

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
from redraft.train.planning.phrases import Said, say, sayings

_CONTEXT, _CLOSING, _COLON = 0.06, 0.12, 0.12
"""How often something stands before or after what is asked, or a colon at its end."""
_WISH = 0.2
"""How often there is a wish besides, that no tool can check."""
_LIST, _FRONTED, _IN_LEAD = 0.1, 0.06, 0.1
"""How often what is wanted is a list, or begins the sentence, or is what the lead asks for."""
_FRONT: Final = re.compile(r"(?!and|to\b|in\b)")


def instruction(constraints: Sequence[Constraint], choose: Random) -> str:
    """An instruction that means the constraints, no more and no less."""
    said = list(sayings(constraints, choose))
    choose.shuffle(said)
    text = _assembled(said, choose)
    if choose.random() < _CONTEXT:
        text = f"{say('context', {}, choose)} {text}"
    if choose.random() < _CLOSING:
        return text + ("\n" if "\n" in text else " ") + say("closing", {}, choose)
    return re.sub(r"[.?]$", ":", text) if choose.random() < _COLON else text


def _assembled(said: list[Said], choose: Random) -> str:
    """The lead with some of what is wanted, and the rest in sentences of its own."""
    shape = choose.random()
    if said and shape < _LIST:
        return _as_list(said, choose)
    if said and shape < _LIST + _FRONTED and _FRONT.match(first := said[0].as_("tail", choose)):
        return _in_sentences([_closed(f"{first}, {say('core', {}, choose)}")], said[1:], choose)
    own = next((one for one in said if one.name in ("keep", "change")), None)
    if own is not None and choose.random() < _IN_LEAD:
        said.remove(own)
        return _in_sentences([_closed(say(f"lead {own.name}", own.values, choose))], said, choose)
    lead, end = _lead(choose)
    taken = choose.choice((0, 0, 1, 1, 1, 2, 2, 3))
    return _in_sentences([_closed(lead + _attached(said[:taken], choose), end)], said[taken:], choose)


def _lead(choose: Random) -> tuple[str, str]:
    """What is asked for in the first place, and the mark that it ends in."""
    kind = choose.choices(("order", "question", "wish"), (75, 13, 12))[0]
    return say(f"lead {kind}", {}, choose), "?" if kind == "question" else "."


def _attached(said: Sequence[Said], choose: Random) -> str:
    """What goes on in the sentence of the lead."""
    if not said:
        return ""
    way = choose.choice(("tail", "tail", "clause", "clause", "order"))
    if way == "clause":
        return f", {say('ensuring', {}, choose)} {_clauses(said, choose)}"
    parts = [one.as_(way, choose) for one in said]
    joints = [", ", ", ", " "] if way == "tail" else [", and ", " and ", ", but ", "; ", " – "]
    if way == "tail" and re.match(r"\w+ing\b", parts[0]):
        joints += [", while ", " while "]
    return (choose.choice(joints) if len(parts) == 1 or way == "tail" else ", ") + _listed(parts, choose)


def _clauses(said: Sequence[Said], choose: Random) -> str:
    that = choose.choice(("", "that "))
    clauses = [one.as_("clause", choose) for one in said]
    return _listed([clauses[0], *(that + clause for clause in clauses[1:])], choose)


def _in_sentences(done: list[str], said: Sequence[Said], choose: Random) -> str:
    """What was said and what is left, in one sentence or several."""
    left = list(said)
    while left:
        one = left.pop(0)
        form = choose.choice(("order", "order", "statement", "statement", "clause"))
        if form == "clause":
            taken = choose.choice((0, 0, 1, 2))
            text = f"{say('ensure', {}, choose)} {_clauses([one, *left[:taken]], choose)}"
            del left[:taken]
        else:
            text = one.as_(form, choose)
            if left and choose.random() < 0.3:
                text += choose.choice((", and ", " and ", "; ")) + left.pop(0).as_(form, choose)
        if len(done) > 1 and not left and choose.random() < 0.15:
            text = f"{say('lastly', {}, choose)} {text}"
        elif choose.random() < (0.25 if len(done) > 1 else 0.08):
            text = f"{say('also', {}, choose)} {text}"
        done.append(_closed(text))
    if choose.random() < _WISH:
        done.insert(choose.randint(1, len(done)), _closed(say("wish", {}, choose)))
    return " ".join(done)


def _as_list(said: Sequence[Said], choose: Random) -> str:
    """The lead, and what is wanted as a list, in one line or in several."""
    lead, end = _lead(choose)
    form = choose.choice(("order", "statement", "tail", "clause"))
    if form == "clause":
        head = f"{_closed(lead, end)} {_closed(say('ensure', {}, choose), ':')}"
    elif choose.random() < 0.4:
        head = _closed(f"{lead} {say('conditions', {}, choose)}", ":")
    else:
        head = f"{_closed(lead, end)} {_closed(say('requirements', {}, choose))}"
    mark = choose.choice(("-", "*", "{}."))
    items = [one.as_(form, choose) for one in said]
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


def varied(
    constraints: Sequence[Constraint], source: str, final: str, choose: Random
) -> tuple[Constraint, ...]:
    """The constraints, or others of their kinds that the final text obeys too."""
    return tuple(_shifted(_renamed(one, source, final, choose), choose) for one in constraints)


def obeys(final: str, constraints: Sequence[Constraint], source: str) -> bool:
    """Whether a text obeys, whichever way it is counted."""
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
        if obeys(final, [other], source):
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
