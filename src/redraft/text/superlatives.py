"""Superlatives that praise ("the smoothest top on the market"), and the plain forms for them.

One that states a fact stays: which of several it is ("the largest of the three"), or a measure ("the highest
temperature").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import regex

from redraft.text.inflection import (
    BY_FORM,
    NOUNS,
    UNCOUNTED,
    bases,
    is_counted,
    opens_with_vowel,
    plural,
    singular,
)
from redraft.text.levels import is_in_dictionary, zipf
from redraft.text.tagging import Tagged, tagged
from redraft.text.word_lists import word_sets, wordings
from redraft.text.words import Span

_SETS: Final = word_sets(__package__, "superlatives.txt", ",")
_WORDINGS: Final = wordings(__package__, "superlative_tails.txt")
_TAIL: Final = regex.compile(rf"(?i)\s+(?:{_WORDINGS['praise']})(?![\w-])")
_STRESSED: Final = regex.compile(rf"(?i)\b(?:{_WORDINGS['stressed']})\s+\Z")
_FACT: Final = regex.compile(rf"(?i)\s+(?:{_WORDINGS['fact']})")
_RANKED: Final = regex.compile(rf"(?i)\s+(?:{_WORDINGS['ranked']})")
_NEAR: Final = regex.compile(rf"(?i)\s+(?:{_WORDINGS['near']})(?![\w-])")
_LIMITED: Final = regex.compile(rf"(?i)\s+(?:{_WORDINGS['limited']})")
_LATE: Final = regex.compile(
    r"(?i)(?P<what>(?:\s+(?:for|of|to|with)(?:\s\w+){1,4})?)\s+(?:to date|so far)(?=[.,;!])"
)
_OWNED: Final = regex.compile(r"\bever (?:own|buy|wear|need|use|try|read|eat|taste)\Z")
_WORLD: Final = regex.compile(r"(?i)\s+(?:in the (?:whole |entire )?world|on earth)")
_OF_THE_WORLD: Final = frozenset(
    ["longest", "highest", "deepest", "oldest", "tallest", "largest", "smallest"]
)
_ADVISED: Final = regex.compile(r"\s+(?P<be>is|was)(?=\s+to\s)")
_HAVING: Final = frozenset(
    ["have", "has", "had", "offer", "offers", "provide", "provides", "boast", "boasts", "enjoy"]
)
_SET_PHRASE: Final = regex.compile(rf"(?i)(?:{_WORDINGS['set_phrase']})\b")
_BE: Final = frozenset(["is", "are", "was", "were", "be", "been", "'s", "’s", "'re", "’re"])
_THINGS: Final = ("thing", "things")
_POSSESSIVES: Final = frozenset(["my", "your", "his", "her", "its", "our", "their"])
_OF_THEIRS: Final = {"my": "mine", "his": "his", "her": "hers", "our": "ours", "their": "theirs"}
_DETERMINERS: Final = frozenset(["the", "a", "an", "this", "these", "those", *_POSSESSIVES])
_IN_PHRASE: Final = ("NN", "JJ", "CD", "VBG", "VBN")


def find_superlatives(text: str) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """Each superlative that praises, with its article and what makes it one, and what may stand there.

    >>> text = "It has the smoothest top on the market. It is the largest of the three."
    >>> [text[span.start : span.end] for span, _ in find_superlatives(text)]
    ['the smoothest top on the market']
    """
    if not regex.search(r"(?i)est\b|\bmost\b|\bworst\b", text):
        return
    words = tagged(text)
    done = 0
    for at, word in enumerate(words):
        if word.start < done:
            continue
        found = list(_at(text, words, at))
        done = max((span.end for span, _ in found), default=done)
        yield from found


def _at(text: str, words: Sequence[Tagged], at: int) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """The superlative that a word is, or begins."""
    word = words[at]
    low = word.text.lower()
    if low == "most":
        yield from _most(text, words, at)
    elif low in _COMPOUNDS:
        start = at - 1 if at and words[at - 1].text.lower() in _DETERMINERS else at
        yield from _phrase(text, words, start, at, _COMPOUNDS[low])
    elif low.endswith(("est", "worst")) and low not in _SETS["no_superlative"] and word.text.isalpha():
        yield from _inflected(text, words, at)


def _most(text: str, words: Sequence[Tagged], at: int) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """ "The most beautiful desk", "a most generous offer"; not "most people"."""
    before = words[at - 1].text.lower() if at else ""
    following = at + 1
    while following < len(words) and words[following].tag == "RB":
        following += 1
    if before in ("and", ",") and at > 2 and following < len(words):  # "the leading and most trusted bakery"
        joined = words[at - 2].tag in ("JJ", "VBG", "VBN") and words[at - 3].text.lower() in _DETERMINERS
        if joined and words[following].tag in ("JJ", "VBN", "VBG"):
            plain = text[words[at + 1].start : words[following].end]
            if words[at - 2].text.lower() in _SETS["leading"] and words[at - 3].text.lower() == "the":
                yield Span(words[at - 3].start, words[following].end), (_indefinite(plain),)
                return
            yield Span(words[at].start, words[following].end), (plain,)
            return
    if (
        before not in _DETERMINERS
        or following >= len(words)
        or words[following].tag not in ("JJ", "VBN", "VBG")
    ):
        return
    if words[following].text.lower() in _SETS["measure"]:
        return
    yield from _phrase(text, words, at - 1, following, text[words[at + 1].start : words[following].end])


def _inflected(text: str, words: Sequence[Tagged], at: int) -> Iterator[tuple[Span, tuple[str, ...]]]:
    low = words[at].text.lower()
    positive = _positive(low)
    if not positive or _is_set(text, words, at):
        return
    start = at - 1 if at and words[at - 1].text.lower() in _DETERMINERS else at
    if start == at and (
        words[at].tag not in ("JJS", "JJ") or (at and words[at - 1].tag.startswith(("VB", "RB", "PRP")))
    ):
        return  # "works best"
    yield from _phrase(text, words, start, at, positive)


def _is_set(text: str, words: Sequence[Tagged], at: int) -> bool:
    """Whether it belongs to a phrase of its own: "at least", "best wishes"."""
    return any(one.start() <= words[at].start < one.end() for one in _SET_PHRASE.finditer(text))


def _positive(low: str) -> str:
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    known = [one for one in bases(low, "JJS") if is_in_dictionary(one)]
    return max(known, key=zipf, default="")


_COMPOUNDS: Final = {
    "longest-lasting": "long-lasting",
    "hardest-wearing": "hard-wearing",
    "best-looking": "good-looking",
    "best-tasting": "tasty",
}
_IRREGULAR: Final = {"best": "good", "worst": "bad", "furthest": "far", "eldest": "old"}


def _phrase(
    text: str, words: Sequence[Tagged], start: int, at: int, positive: str
) -> Iterator[tuple[Span, tuple[str, ...]]]:
    """The superlative with its article, its noun and its tail, and the ways to say it without."""
    while also := _joined(words, at):  # "the brightest and most useful light"
        joint = words[at + 1].text
        at, more = also
        positive = f"{positive}, {more}" if joint == "," else f"{positive} and {more}"
    stop = at + 1
    while stop < len(words) and words[stop].tag.startswith(_IN_PHRASE) and _is_next(text, words, stop):
        if _TAIL.match(text, words[stop - 1].end):  # "the best coffee money can buy"
            break
        if stop > at + 1 and _is_verb(words, stop):  # "her greatest work hangs in Oslo"
            break
        stop += 1
    is_noun = words[stop - 1].tag.startswith("NN") or words[stop - 2].tag.startswith("NN")  # "work ethic"
    head = words[stop - 1] if stop > at + 1 and is_noun else None
    end = words[stop - 1].end
    tail = _TAIL.match(text, end)
    measured = words[at].text.lower() in _SETS["measure"]
    if tail and words[at].text.lower() in _OF_THE_WORLD and _WORLD.fullmatch(tail[0]):
        tail = None  # "the longest river in the world"
    late = None if tail or measured else _LATE.match(text, end)
    is_degree = words[start].text.lower() in ("a", "an")  # "a most generous offer" is no more than that
    sold = head is not None and _is_sold(words[at].text.lower(), head.text.lower())
    if tail is None and _is_chosen(words, start, at, head):
        return
    measured = measured and not sold
    boasted = _is_owned(words, start) or (head is None and _is_ours(words, start))
    is_fact = (_FACT if measured else _RANKED).match(text, end) or (
        not sold and _is_measure(text, words, at, start) and not boasted
    )
    boasts = not measured and _NEAR.match(text, end) is not None
    if tail is None and late is None and not (is_degree or boasts) and is_fact:
        return
    if head is not None and _is_one_of(words, start):
        start -= 2
    first = words[start].start
    while stressed := _STRESSED.search(text[:first]):  # "hands down the best"
        first = stressed.start()
    limited = tail is None and not is_degree and _LIMITED.match(text, end)  # "in the quickest way she can"
    noun = text[words[at].end : end] if head else ""
    last = tail.end() if tail else end
    if late and head:
        noun, last = noun + late["what"], late.end()
    before = (text[:first].split() or [""])[-1].lower()
    article = words[start].text.lower() if start < at else ""
    ways = [way for way in _ways(before, article, positive, noun, head, text[last:]) if way]
    if head is not None:
        opening = tail[0] if tail and not text[:first].strip() else ""
        ways = _preferred(ways, article, f"{positive}{noun}", head, opening, late=late is not None)
    advised = _ADVISED.match(text, last) if head is not None and head.text.lower() == "thing" else None
    if advised:  # "the most important thing is to stay calm"
        ways, last = [f"it {advised['be']} {positive}"], advised.end()
    if text[first].isupper() and (not text[:first].strip() or before.endswith((".", "!", "?"))):
        ways = [way[:1].upper() + way[1:] for way in ways]
    yield Span(first, last), () if limited else tuple(dict.fromkeys(ways))


def _is_sold(low: str, noun: str) -> bool:
    """Whether the most of it is claimed and not measured: "the lowest prices", "the hottest DJs"."""
    return noun in _SETS["sold"] or (low in ("hottest", "coolest") and noun not in _SETS["weather"])


def _preferred(
    ways: list[str], article: str, phrase: str, head: Tagged, opening: str, *, late: bool
) -> list[str]:
    """The ways, with what is better by the noun, or by the tail of a superlative that opens a sentence."""
    if article in _POSSESSIVES and head.text.lower() in _SETS["feelings"]:  # "my deepest thanks"
        return [f"{article} {head.text}"]
    if late and article in _POSSESSIVES and head.tag == "NN":  # "its boldest plan so far": it has others
        return [_indefinite(phrase), *ways]
    if head.tag == "NN" and _OWNED.search(opening):
        return [f"this {phrase}", *ways]  # "the warmest coat you will ever own is made of wool"
    return ways


def _is_verb(words: Sequence[Tagged], at: int) -> bool:
    """Whether what was taken for a second noun is the verb of the first."""
    forms = BY_FORM.get(words[at].text.lower())
    following = words[at + 1].tag if at + 1 < len(words) else ""
    low = words[at].text.lower()
    if forms is not None and low == forms.base and low not in NOUNS:
        return True
    return forms is not None and low == forms.third and following in ("IN", "TO", "RB")


def _is_owned(words: Sequence[Tagged], start: int) -> bool:
    """Whether somebody has, or offers, the most of something: "we have the strongest work ethic"."""
    for at in range(start - 1, max(start - 10, -1), -1):
        if words[at].text.lower() in _HAVING:
            return True
        if words[at].tag.startswith(("VB", "MD")) or words[at].text in (".", ";"):
            return False
    return False


def _is_ours(words: Sequence[Tagged], start: int) -> bool:
    """Whether we say it of what we have: "our coffee is the strongest"."""
    ahead = [one.text.lower() for one in words[max(start - 5, 0) : start]]
    return len(ahead) > 2 and ahead[-1] in _BE and any(one in ("our", "my") for one in ahead)


def _is_chosen(words: Sequence[Tagged], start: int, at: int, head: Tagged | None) -> bool:
    """Whether it says which one is meant, so that another word would mean another one."""
    low = words[at].text.lower()
    if head is None:
        return False
    if words[start].text.lower() in _POSSESSIVES:
        return low in ("youngest", "oldest", "eldest")  # "my youngest sister"
    return words[start].text.lower() == "the" and head.text.lower() in _SETS["chosen"]


def _joined(words: Sequence[Tagged], at: int) -> tuple[int, str] | None:
    """Where the superlative ends that is joined to one, and its plain form."""
    rest = words[at + 1 : at + 4]
    if len(rest) < 2 or rest[0].text.lower() not in ("and", "&", ","):
        return None
    if rest[1].text.lower() == "most" and len(rest) > 2 and rest[2].tag in ("JJ", "VBN", "VBG"):
        return at + 3, rest[2].text
    low = rest[1].text.lower()
    if rest[1].tag in ("JJS", "JJ") and low.endswith("est") and low not in _SETS["no_superlative"]:
        return at + 2, _positive(low)
    return None


def _is_next(text: str, words: Sequence[Tagged], at: int) -> bool:
    return text[words[at - 1].end : words[at].start].isspace()


def _is_measure(text: str, words: Sequence[Tagged], at: int, start: int) -> bool:
    """Whether a measure is stated, and nobody is being sold anything."""
    measured = words[at].text.lower() in _SETS["measure"]
    is_shouted = regex.search(r"[.?!]", text[words[at].end :] + ".")[0] == "!"
    return measured and not is_shouted and words[start].text.lower() not in _POSSESSIVES - {"its"}


def _ways(
    before: str, article: str, positive: str, noun: str, head: Tagged | None, rest: str
) -> Iterator[str]:
    """What may stand there, between a word before it and the rest."""
    is_said = before in _BE or before.endswith(("'s", "’s", "'re", "’re"))
    if is_said and (_ends(rest) if head is None else head.text.lower() in _THINGS):
        yield positive if positive != "good" else "very good"
    if head is None:
        if article == "the" and before in ("and", "but") and _ends(rest):
            yield f"{_indefinite(positive)} one"
        return
    phrase = f"{positive}{noun}"
    low = head.text.lower()
    is_one = head.tag in ("NN", "NNP", "JJ") and is_counted(low) and low not in UNCOUNTED | _SETS["mass"]
    if article == "one":
        one = singular(head.text.lower())
        yield _indefinite(f"{phrase.removesuffix(head.text)}{one}") if one else ""
    elif article == "the":
        yield _indefinite(phrase) if is_one else phrase
        if not is_said:
            yield f"the {phrase}"
        if positive in ("good", "bad"):  # any other word says something
            yield _indefinite(noun.strip()) if is_one else noun.strip()
    elif article in ("a", "an"):
        yield _indefinite(phrase)
    else:
        if article == "your" and is_one and not is_said:
            yield _indefinite(phrase)
        if article in _OF_THEIRS and low in _SETS["several"] and not rest.lstrip().startswith("of "):
            yield f"{_indefinite(phrase)} of {_OF_THEIRS[article]}"  # "her great work" would be her only one
            return
        if article == "its" and low in _SETS["several"] and not is_said:  # it has others
            yield f"one of its {phrase.removesuffix(head.text)}{plural(low)}"
            return
        yield f"{article} {phrase}".strip()


def _indefinite(phrase: str) -> str:
    return f"{'an' if opens_with_vowel(phrase.split(maxsplit=1)[0].lower()) else 'a'} {phrase}"


def _is_one_of(words: Sequence[Tagged], start: int) -> bool:
    return start >= 2 and [one.text.lower() for one in words[start - 2 : start]] == ["one", "of"]


def _ends(rest: str) -> bool:
    rest = rest.lstrip()
    return not rest or rest[0] in ".,;:!?)" or rest.startswith(("and ", "but "))
