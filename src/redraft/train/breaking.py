"""Sentences broken as a careless split or cut breaks them, made by rule: what the judge has to call unsound.

"This is in which the temperatures rise.", "It destroy all copies.", "Which is the rule.", a subject or an end
that is gone. A rule answers with None where its pattern is not there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from redraft.text import BY_FORM, Tagged, as_sentence, read_clauses, tagged, word_sets

_POINTERS: Final = ("This is", "This was", "It is", "They are", "It was", "These are")
_SINGULAR: Final = ("It", "This", "He", "She", "It also", "The first one", "The company", "Each side")
_SELDOM: Final = 0.3
_PLURAL: Final = ("They", "These", "Both", "The others", "The two sides")
_OPEN_ENDS: Final = word_sets("redraft.train")["breaking.open_ends"]
_NEEDY: Final = word_sets("redraft.train")["breaking.needy"]
_NO_POINT: Final = frozenset({"that", "of", "because", "despite"})
"""What may follow "This is", or stands with the noun before it."""
_WH: Final = ("which", "who", "whose", "whom", "where")
_OTHER_NUMBER: Final = {
    "is": "are", "are": "is", "was": "were", "were": "was", "has": "have", "have": "has", "does": "do",
}  # fmt: skip

Rule = Callable[[str, Sequence[Tagged], random.Random], str | None]


def breakages(sentence: str, rng: random.Random, most: int = 2) -> Iterator[tuple[str, str]]:
    """At most so many broken versions of a sentence, with the name of the rule, by chance."""
    words = tagged(sentence)
    if len(words) < 7 or sentence[-1:] not in (".", "!"):
        return
    made = 0
    for rule in rng.sample(_RULES, len(_RULES)):
        broken = rule(sentence, words, rng)
        if broken and broken != sentence:
            made += 1
            yield rule.__name__.strip("_"), broken
        if made == most:
            return


def _split(first: str, second: str) -> str:
    return f"{as_sentence(first, '.')} {as_sentence(second, '')}"


def _chosen(places: Sequence[int], rng: random.Random) -> int | None:
    return rng.choice(places) if places else None


def _pointing_phrase(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    """ "… phenomenon. This is in which the temperatures …"."""
    found = [
        at for at in range(4, len(words) - 3) if words[at].tag == "IN" and words[at].text not in _NO_POINT
    ]
    place = _chosen([at for at in found if words[at - 1].tag[:2] in ("NN", "VB")], rng)
    if place is None:
        return None
    cut = words[place].start
    return _split(sentence[:cut], f"{rng.choice(_POINTERS)} {sentence[cut:]}")


def _pointing_participle(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    """ "… mapped. This was using STAR."."""
    found = [
        at
        for at in range(4, len(words) - 2)
        if words[at].tag in ("VBG", "TO") and words[at - 1].tag[:2] == "NN"
    ]
    place = _chosen(found, rng)
    if place is None:
        return None
    cut = words[place].start
    return _split(sentence[:cut], f"{rng.choice(_POINTERS)} {sentence[cut:]}")


def _relative_alone(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    place = _chosen([at for at in range(3, len(words) - 3) if words[at].text in _WH], rng)
    if place is None:
        return None
    if words[place - 1].tag in ("IN", "TO") and rng.random() < 0.7:
        cut = words[place - 1].start
        return _split(sentence[:cut], f"{rng.choice(_POINTERS)} {sentence[cut:]}")
    cut = words[place].start
    lead = rng.choice(("", "", f"{rng.choice(_POINTERS)} "))
    return _split(sentence[:cut], f"{lead}{sentence[cut:]}")


def _relative_without_end(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    """A relative clause of which a word or two are left, and the sentence ends or goes on."""
    place = _chosen([at for at in range(2, len(words) - 5) if words[at].text in (*_WH, "that")], rng)
    if place is None:
        return None
    last = place + rng.choice((0, 1, 1))
    if rng.random() < 0.5:
        return as_sentence(sentence[: words[last].end], ".")
    after = words[min(last + rng.choice((3, 4, 5)), len(words) - 2)].start
    return f"{sentence[: words[last].end]} {sentence[after:]}"


def _verb_without_its_modal(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    """ "It shall, within fourteen days. It destroy all copies."."""
    found = [at for at in range(2, len(words) - 2) if words[at].tag == "VB" and words[at].text in BY_FORM]
    found = [at for at in found if any(word.tag in ("MD", "TO") for word in words[max(0, at - 5) : at])]
    place = _chosen(found, rng)
    if place is None or words[place].text == "be":
        return None
    cut = words[place].start
    return _split(sentence[:cut], f"{rng.choice(_SINGULAR)} {sentence[cut:]}")


def _disagreeing_second(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    """A second verb as a sentence of its own, under a subject that does not agree with it."""
    found = [
        at
        for at in range(3, len(words) - 2)
        if words[at].tag in ("VBZ", "VBP") and words[at - 1].tag in ("CC", "WDT", "WP", "RB")
    ]
    place = _chosen(found, rng)
    if place is None:
        return None
    lead = rng.choice(_PLURAL if words[place].tag == "VBZ" else _SINGULAR)
    return _split(sentence[: words[place - 1].start], f"{lead} {sentence[words[place].start :]}")


def _lost_subject(sentence: str, _: Sequence[Tagged], rng: random.Random) -> str | None:
    clauses = read_clauses(sentence)
    main = clauses.main()
    if main is None or main.imperative or clauses.tag(main.verb) not in ("VBZ", "VBD", "MD"):
        return None
    start = clauses.words[main.start].start
    stop = clauses.words[main.verb].start
    return as_sentence(f"{clauses.text[:start]}{clauses.text[stop:]}", clauses.end)


def _lost_verb(sentence: str, _: Sequence[Tagged], rng: random.Random) -> str | None:
    clauses = read_clauses(sentence)
    main = clauses.main()
    if main is None or main.imperative or clauses.tag(main.verb + 1)[:1] in ("V", "R"):
        return None
    verb = clauses.words[main.verb]
    rest = clauses.text[verb.end :].lstrip()
    return as_sentence(f"{clauses.text[: verb.start]}{rest}", clauses.end)


def _open_end(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    place = _chosen([at for at in range(3, len(words) - 2) if words[at].text in _OPEN_ENDS], rng)
    return None if place is None else as_sentence(sentence[: words[place].end], ".")


def _complement_gone(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    """ "… several plugins managed.", "… stage updates prior.", "… is not enriched, possibly."."""
    found = [
        at
        for at in range(3, len(words) - 3)
        if words[at].text in _NEEDY
        or (words[at].tag == "VBN" and words[at - 1].tag[:2] == "NN" and words[at + 1].tag in ("IN", "TO"))
    ]
    place = _chosen(found, rng)
    return None if place is None else as_sentence(sentence[: words[place].end], ".")


def _wrong_mark(sentence: str, _: Sequence[Tagged], rng: random.Random) -> str | None:
    """A statement with a question mark."""
    main = read_clauses(sentence).main()
    is_statement = main is not None and main.start == 0 and main.plain and not main.imperative
    return f"{sentence[:-1]}?" if is_statement and rng.random() < _SELDOM else None


def _opened_middle(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    """What should follow a preposition or an article is cut, and the sentence goes on."""
    found = [at for at in range(2, len(words) - 5) if words[at].tag in ("IN", "DT", "TO", "PRP$")]
    place = _chosen(found, rng)
    if place is None:
        return None
    near = range(place + 2, min(place + 6, len(words) - 1))
    goes_on = [at for at in near if words[at].tag in ("VBZ", "VBD", "MD", ",", "CC", "IN")]
    if not goes_on:
        return None
    return f"{sentence[: words[place].end]} {sentence[words[goes_on[0]].start :]}".replace(" ,", ",")


def _doubled(sentence: str, words: Sequence[Tagged], rng: random.Random) -> str | None:
    size = rng.choice((1, 1, 2, 3))
    place = rng.randrange(1, len(words) - size - 1)
    if any(not word.text.isalpha() for word in words[place : place + size]) or words[place].text in (
        "that",
        "had",
    ):
        return None
    part = sentence[words[place].start : words[place + size - 1].end]
    return f"{sentence[: words[place].start]}{part} {sentence[words[place].start :]}"


def _disagreement(sentence: str, _: Sequence[Tagged], rng: random.Random) -> str | None:
    """The main verb in the wrong number, whatever stands between it and its subject."""
    clauses = read_clauses(sentence)
    main = clauses.main()
    if (
        main is None
        or main.imperative
        or not main.plain
        or clauses.lower(main.start) in ("i", "you", "there")
    ):
        return None
    if clauses.tag(main.verb) == "VBD" and clauses.lower(main.verb) not in _OTHER_NUMBER:
        return None
    verb = clauses.words[main.verb]
    forms = BY_FORM.get(verb.text)
    other = _OTHER_NUMBER.get(verb.text)
    if other is None and forms is not None and verb.tag in ("VBZ", "VBP"):
        other = forms.base if verb.text == forms.third else forms.third
    return f"{sentence[: verb.start]}{other}{sentence[verb.end :]}" if other and other != verb.text else None


_RULES: Final[Sequence[Rule]] = (
    _pointing_phrase,
    _pointing_participle,
    _relative_alone,
    _relative_without_end,
    _verb_without_its_modal,
    _disagreeing_second,
    _lost_subject,
    _lost_verb,
    _open_end,
    _complement_gone,
    _wrong_mark,
    _opened_middle,
    _doubled,
    _disagreement,
)
