"""Sentences that say one thing otherwise, made by rule: what the judge must not let pass.

Each rule does what a careless rewrite does: a verb becomes "was", a party becomes the other one, an exception
or a negation is gone, "may" becomes "must". A rule answers with None where its pattern is not there.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from redraft.quality import numerals
from redraft.text import (
    CARDINALS,
    RuleFinder,
    Tagged,
    antonyms,
    as_sentence,
    list_lines,
    opens_with_vowel,
    plural,
    read_clauses,
    tagged,
    word_sets,
)
from redraft.train.restating import lowered

_PACKAGE: Final = "redraft.train"
_LIGHT: Final = {
    "VBD": ("was", "had", "did", "got"),
    "VBZ": ("is", "has", "does"),
    "VBP": ("are", "have", "do"),
}
_IS_LIGHT: Final = word_sets(_PACKAGE)["misstating.light"]
_MIXED: Final = frozenset({"NN", "NNS", "NNP", "VBD", "VBN", "JJ"})
_EXCEPTION: Final = re.compile(
    r",? (?:except|unless|other than|apart from|provided that|as long as|only if|only when|until|excluding"
    r"|not including|even if|but not|without|rather than|instead of)\b[^,;:.]{3,}(?:,(?! and| or)|(?=[.!?]$))"
)
_CONDITION: Final = re.compile(r"(?:If|Unless|Except|When|Where|Only if|Until|Even if)\b[^,;:.]{6,}, ")
_NEGATION: Final = re.compile(
    r"\b(?:(?P<verb>is|are|was|were|do|does|did|can|could|will|would|should|must|may|might|has|have|had"
    r"|shall) not"
    r"|(?P<joined>is|are|was|were|could|would|should|has|have|had|did|does|do)n['’]t"
    r"|(?P<can>can)not|(?P<no>no|never|not|neither|hardly|nor))\b",
)
_AUXILIARY: Final = re.compile(
    r"\b(is|are|was|were|can|could|will|would|should|must|may|has|have|shall)\b"
    r"(?! not|n['’]t| [A-Z])(?= [a-z])"
)
_REPORT: Final = re.compile(
    r"(?P<by>[^,;:]{3,60}? (?:said|says|argued|argues?|reported|reports?|explained|explains?|noted|notes?"
    r"|stated|states?|found|showed|shows?|suggests?|suggested|concluded|believes?|believed|claims?|claimed"
    r"|announced|revealed|reveals?)) that (?P<told>.+)(?P<mark>[.!])$"
)
_EMPTY: Final = ("so", "this", "it", "a number of things", "their view", "the result")
_NAMED: Final = ("person", "organisation", "place")
_COUNTS: Final = tuple(name for name, value in CARDINALS.items() if 1 < value <= 20)
_FINDER: Final = RuleFinder()

Rule = Callable[[str, random.Random], str | None]


def _counterparts() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in list_lines(_PACKAGE, "counterparts.txt"):
        one, other = (side.strip() for side in line.split("|"))
        for left, right in ((one, other), (other, one)):
            found.setdefault(left, right)
            found.setdefault(plural(left), plural(right))
    return found


def _turned_words() -> dict[str, tuple[str, ...]]:
    pairs = (line.split("|") for line in list_lines(_PACKAGE, "turned.txt"))
    return {left.strip(): tuple(one.strip() for one in right.split(";")) for left, right in pairs}


_OTHER_PARTY: Final = _counterparts()
_TURNED: Final = _turned_words()
_TURNING: Final = re.compile(rf"\b(?:{'|'.join(sorted(_TURNED, key=len, reverse=True))})\b")


def misstatements(sentence: str, rng: random.Random, most: int = 2) -> Iterator[tuple[str, str]]:
    """At most so many sentences that say one thing otherwise, with the name of the rule, by chance."""
    made = 0
    telling = rng.sample(_TELLING, len(_TELLING))
    common = rng.sample(_COMMON, len(_COMMON))
    # What fits any sentence would else leave no room for what few have: a party, an exception, a report.
    for rule in rng.choice(((*telling, *common), (*telling, *common), (*common, *telling))):
        changed = rule(sentence, rng)
        if changed is not None and changed != sentence:
            made += 1
            yield rule.__name__.strip("_"), changed
        if made == most:
            return


def put(sentence: str, word: Tagged, other: str) -> str:
    """The sentence with something else for a word, in its capitals; "a" becomes "an" where it must."""
    if word.text.isupper() and len(word.text) > 1:
        other = other.upper()
    elif word.text[:1].isupper():
        other = other[:1].upper() + other[1:]
    before = sentence[: word.start]
    if article := re.search(r"\b([Aa])n? $", before):
        before = f"{before[: article.start()]}{article[1]}{'n' if opens_with_vowel(other) else ''} "
    return f"{before}{other}{sentence[word.end :]}"


def _lighter_verb(sentence: str, rng: random.Random) -> str | None:
    """ "explained 41 %" as "was 41 %"."""
    words = tagged(sentence)
    found = [
        place
        for place, word in enumerate(words[:-1])
        if word.tag in _LIGHT
        and word.text.lower() not in _IS_LIGHT
        and words[place + 1].tag != "TO"
        and place
    ]
    if not found:
        return None
    place = rng.choice(found)
    word = words[place]
    before = words[place - 1]
    light = _LIGHT[word.tag]
    if before.tag in ("NNS", "NNPS") or before.text.lower() in ("we", "they"):
        light = ("were", "had") if word.tag == "VBD" else ("are", "have")
    return put(sentence, word, rng.choice(light))


def _other_party(sentence: str, rng: random.Random) -> str | None:
    found = [word for word in tagged(sentence) if word.text.lower() in _OTHER_PARTY]
    if not found:
        return None
    word = rng.choice(found)
    return put(sentence, word, _OTHER_PARTY[word.text.lower()])


def _other_of_the_passage(sentence: str, rng: random.Random) -> str | None:
    """One noun, name or verb of the sentence in the place of another, as a careless rewrite mixes them."""
    by_tag: dict[str, list[Tagged]] = {}
    for word in tagged(sentence):
        if (
            word.text.isalpha()
            and len(word.text) > 2
            and word.tag in ("NN", "NNS", "NNP", "VBD", "VBN", "JJ")
        ):
            by_tag.setdefault(word.tag, []).append(word)
    shared = [words for words in by_tag.values() if len({word.text.lower() for word in words}) > 1]
    if not shared:
        return None
    words = rng.choice(shared)
    word = rng.choice(words)
    other = rng.choice([one.text for one in words if one.text.lower() != word.text.lower()])
    return put(sentence, word, other if word.tag == "NNP" else other.lower())


def _turned(sentence: str, rng: random.Random) -> str | None:
    """A quantifier, a modal, a preposition or another small word that turns the statement."""
    found = list(_TURNING.finditer(sentence))
    if not found:
        return None
    # The rarer words are the ones that are missed: "to" and "for" stand in every sentence.
    telling = [match for match in found if match[0] not in ("to", "from", "for", "I", "we", "they")]
    match = rng.choice(telling or found)
    return f"{sentence[: match.start()]}{rng.choice(_TURNED[match[0]])}{sentence[match.end() :]}"


def _lost_negation(sentence: str, rng: random.Random) -> str | None:
    found = list(_NEGATION.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    left = match["verb"] or match["joined"] or match["can"] or ""
    return as_sentence(" ".join(f"{sentence[: match.start()]}{left}{sentence[match.end() :]}".split()), "")


def _new_negation(sentence: str, rng: random.Random) -> str | None:
    found = list(_AUXILIARY.finditer(sentence))
    if not found:
        return None
    match = rng.choice(found)
    return f"{sentence[: match.end()]} not{sentence[match.end() :]}"


def _lost_exception(sentence: str, _: random.Random) -> str | None:
    if match := _EXCEPTION.search(sentence):
        return as_sentence(f"{sentence[: match.start()]}{sentence[match.end() :]}", "")
    match = _CONDITION.match(sentence)
    return as_sentence(sentence[match.end() :], "") if match else None


def _lost_claim(sentence: str, rng: random.Random) -> str | None:
    """Who said it stays, and what was said goes, or half of it."""
    match = _REPORT.match(sentence)
    if not match:
        return None
    told = re.split(r",? (?:because|when|if|and|but|while|although|unless|so that)\b ", match["told"])
    if len(told) > 1 and rng.random() < 0.5:
        return as_sentence(f"{match['by']} that {rng.choice(told)}", match["mark"])
    return f"{match['by']} {rng.choice(_EMPTY)}{match['mark']}"


def _other_number(sentence: str, rng: random.Random) -> str | None:
    found = list(re.finditer(r"(?<![\w.,])\d{1,4}(?![\w]|[.,]\d)", sentence))
    if found and numerals(sentence):
        match = rng.choice(found)
        other = str(max(0, int(match[0]) + rng.choice((-10, -3, -2, -1, 1, 2, 3, 10, 100))))
        return sentence[: match.start()] + other + sentence[match.end() :]
    words = [
        word for word in tagged(sentence) if word.text.lower() in CARDINALS and word.text.lower() != "one"
    ]
    if not words:
        return None
    word = rng.choice(words)
    return put(sentence, word, rng.choice([name for name in CARDINALS if name != word.text.lower()][2:20]))


def _opposite(sentence: str, rng: random.Random) -> str | None:
    known = antonyms()
    found = [word for word in tagged(sentence) if word.tag in ("JJ", "RB", "NN") and known.get(word.text)]
    if not found:
        return None
    word = rng.choice(found)
    return put(sentence, word, rng.choice(sorted(known[word.text])))


def _swapped_names(sentence: str, rng: random.Random) -> str | None:
    names = sorted({entity.text for entity in _FINDER.find(sentence) if entity.kind in _NAMED})
    return _swapped(sentence, *rng.sample(names, 2)) if len(names) > 1 else None


def _swapped_words(sentence: str, rng: random.Random) -> str | None:
    """Two nouns, or two adjectives, in each other's place, as in PAWS."""
    words = [word for word in tagged(sentence) if word.text.isalpha() and len(word.text) > 2]
    tag = rng.choice(("NN", "NNS", "JJ"))
    found = sorted({word.text for word in words if word.tag == tag})
    return _swapped(sentence, *rng.sample(found, 2)) if len(found) > 1 else None


def _swapped(sentence: str, one: str, other: str) -> str | None:
    """The sentence with two of its words in each other's place, unless they are joined by "and"."""
    joined = r"\W+(?:(?:and|or)\W+)?"
    first, second = re.escape(one), re.escape(other)
    if one in other or other in one:
        return None
    if re.search(rf"\b{first}{joined}{second}\b|\b{second}{joined}{first}\b", sentence):
        return None
    pattern = re.compile(rf"\b(?:{first}|{second})\b")
    return pattern.sub(lambda match: other if match[0] == one else one, sentence)


def _swapped_roles(sentence: str, _: random.Random) -> str | None:
    """The subject and what follows the verb, or the agent of a passive, in each other's place."""
    clauses = read_clauses(sentence)
    main = clauses.main()
    if main is None or main.imperative or main.start or main.stop != main.verb or clauses.letters[0] in "PE":
        return None
    after = re.match(r"(?:V[vnR]*I?)(D?[JC]*N+)(?!N|S)", clauses.letters[main.verb :])
    if not after:
        return None
    start, stop = main.verb + after.start(1), main.verb + after.end(1)
    if clauses.lower(main.verb) in ("is", "are", "was", "were") and "n" not in after[0]:
        return None
    subject, other = clauses.span(0, main.stop), clauses.span(start, stop)
    rest = clauses.text[clauses.words[stop - 1].end :]
    verb = clauses.text[clauses.words[main.stop - 1].end : clauses.words[start].start]
    return as_sentence(f"{other}{verb}{lowered(subject)}{rest}", clauses.end)


def _added(sentence: str, rng: random.Random) -> str | None:
    """A claim that the source does not make."""
    if not sentence.endswith("."):
        return None
    return f"{sentence[:-1]}{rng.choice(_CLAIMS)}."


_CLAIMS: Final = tuple(list_lines(_PACKAGE, "claims.txt"))

_TELLING: Final[Sequence[Rule]] = (
    _lighter_verb,
    _other_party,
    _turned,
    _lost_negation,
    _lost_exception,
    _lost_claim,
    _other_number,
    _swapped_names,
    _swapped_roles,
)
_COMMON: Final[Sequence[Rule]] = (_other_of_the_passage, _new_negation, _opposite, _swapped_words, _added)
