"""What can replace a word or phrase, or be left out with it, and what that costs.

Synonyms come from a thesaurus made of WordNet (`redraft.text.synonyms`). Numbers can be written another way,
contractions in full, and a noun phrase as a pronoun.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from redraft.revision.records import Reason
from redraft.revision.rewriting.cuts.clauses import cut
from redraft.revision.rewriting.cuts.compressions import cuts
from redraft.revision.rewriting.edits import WORDS, Edit, Replacement, cased_like, replace_words
from redraft.text import (
    FINITE,
    NOUN,
    VERB_FORMS,
    EntityKind,
    RuleFinder,
    Syntax,
    bases,
    inflected,
    list_lines,
    thesaurus,
)

_KINDS: Final = {"NN": "n", "NNS": "n", "JJ": "a", "JJR": "a", "JJS": "a", "RB": "r"}


def synonyms(word: str, tag: str, *, wider: bool = True) -> tuple[str, ...]:
    """Words that may stand for a word with a Penn tag, in its form and case, the most usual first.

    The word may be a phrase of two words; wider words come last, where they are wanted. Names, pronouns and
    auxiliaries have none.
    """
    low = word.lower()
    if low in WORDS.without_synonyms or (tag not in _KINDS and tag not in VERB_FORMS):
        return ()
    found = _inflected(low, tag, wider)
    if word.isupper() and len(word) > 1:
        return tuple(one.upper() for one in found)
    return tuple(cased_like(word, one) for one in found)


@lru_cache(maxsize=4096)
def _inflected(low: str, tag: str, wider: bool) -> tuple[str, ...]:
    kind = _KINDS.get(tag, "v")
    found: dict[str, None] = {}
    for base in bases(low, tag):
        close, wide = thesaurus().get((base, kind), ((), ()))
        for other in (*close, *wide) if wider else close:
            form = inflected(other, tag)
            if form and form != low and form not in WORDS.without_synonyms:
                found.setdefault(form)
        if found:
            break
    return tuple(sorted(found, key=lambda form: form.count(" ")))


_UNITS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
    *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_VALUES: Final = {
    **{word: value for value, word in enumerate(_UNITS)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
}
_WORD: Final = "|".join((*_VALUES, *_SCALES))
_SPELLED: Final = rf"(?:(?:{_WORD})(?:(?:-| and | )(?:{_WORD}))*)"
_WORDS_OF: Final = dict(line.split(" | ") for line in list_lines(__package__, "numbers.txt"))
_PARTS: Final = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 8: "eighth", 10: "tenth"}
_UNIT: Final = r"(?: (?:cup|teaspoon|tablespoon|inch|mile|hour|pound|ounce)\b)?"
NUMBER: Final = re.compile(
    rf"(?i)(?<![\w.,$€£/-])(?:\d+/\d+{_UNIT}|\d+%|\d+(?:st|nd|rd|th)\b|\d{{1,3}}(?:,\d{{3}})+(?!\.?\d)"
    rf"|\d+(?![\w.,/-]*\d)(?![\w%])|{_SPELLED}(?: percent\b)?(?![\w-])"
    rf"|{'|'.join(sorted(map(re.escape, _WORDS_OF), key=len, reverse=True))})(?![\w])"
)
"""A number that can be written another way."""
_FULL: Final = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am"}
_STEMS: Final = {"ca": "can", "wo": "will", "sha": "shall"}


def respelled(number: str) -> list[str]:
    """Other ways to write a number, the most usual first; none where the text is no such number."""
    low = number.lower()
    found = [one for one in _ways(low) if one and one.lower() != low]
    return [cased_like(number, one) for one in dict.fromkeys(found)]


def _ways(low: str) -> Iterator[str]:
    if low in _WORDS_OF:
        yield _WORDS_OF[low]
    if match := re.fullmatch(r"(\d+)/(\d+)(?: (\w+))?", low):
        yield _fraction(int(match[1]), int(match[2]), match[3] or "")
    elif match := re.fullmatch(r"(\d+)%", low):
        yield f"{match[1]} percent"
        yield f"{_spelled(int(match[1]))} percent"
    elif match := re.fullmatch(rf"({_SPELLED}) percent", low):
        yield f"{_value(match[1])} percent"
        yield f"{_value(match[1])}%"
    elif re.fullmatch(_SPELLED, low) and low not in _SCALES:
        value = _value(low)
        yield f"{value:,}" if value >= 10_000 else str(value)
    elif low.replace(",", "").isdigit() and not low.startswith("0"):
        value = int(low.replace(",", ""))
        if value < 1000 or value % 1000 == 0:
            yield _spelled(value)
        if "," in low:
            yield str(value)


def _fraction(top: int, bottom: int, unit: str) -> str:
    if bottom not in _PARTS or not 0 < top < bottom:
        return ""
    article = "an" if unit[:1] in "aeiou" or unit == "hour" else "a"
    if (top, bottom) == (1, 2):
        return f"half {article} {unit}" if unit else "half"
    share = f"{_UNITS[top]} {_PARTS[bottom]}{'s' if top > 1 else ''}"
    return f"{share} of {article} {unit}" if unit else share


def _value(spelled: str) -> int:
    total = part = 0
    for word in re.findall(r"[a-z]+", spelled):
        if word in _VALUES:
            part += _VALUES[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _SCALES:
            total, part = total + max(part, 1) * _SCALES[word], 0
    return total + part


def _spelled(value: int) -> str:
    if value < 20:
        return _UNITS[value]
    if value < 100:
        return _TENS[value // 10 - 2] + (f"-{_UNITS[value % 10]}" if value % 10 else "")
    if value < 1000:
        rest = f" and {_spelled(value % 100)}" if value % 100 else ""
        return f"{_UNITS[value // 100]} hundred{rest}"
    for name in ("billion", "million", "thousand"):
        if value >= _SCALES[name] and value % _SCALES[name] == 0 and value // _SCALES[name] < 1000:
            return f"{_spelled(value // _SCALES[name])} {name}"
    return ""


def expanded_contraction(parts: Syntax, index: int) -> Edit | None:
    """The edit that writes a contraction in full, where the word at an index is the end of one."""
    full = _FULL.get(parts.word(index)) or _after_s_or_d(parts, index)
    if not full or not index or parts.held[index] or parts.words[index - 1].end != parts.words[index].start:
        return None
    stem = parts.words[index - 1]
    if full == "not" and parts.tag(index + 1) == "PRP":  # "isn't it" would be "is it not"
        return None
    whole = cased_like(stem.text, _STEMS.get(stem.text.lower(), stem.text))
    space = "" if whole.lower() == "can" and full == "not" else " "
    return Edit(stem.start, parts.words[index].end, f"{whole}{space}{full}")


def _after_s_or_d(parts: Syntax, index: int) -> str:
    low, tag, before = parts.word(index), parts.tag(index), parts.word(index - 1)
    following = parts.tag(index + 1 + (parts.tag(index + 1) == "RB"))
    if low == "'s" and before == "let":
        return "us"
    if low == "'s" and tag == "VBZ" and parts.tag(index - 1) in ("PRP", "EX", "WP", "DT"):
        has = following == "VBN" and parts.word(index + 1) in ("been", "got", "had", "become")
        return "has" if has else "is"
    if low == "'d" and parts.tag(index - 1) == "PRP":
        return "would" if following == "VB" else "had" if following == "VBN" else ""
    return ""


_ALTERNATIVES: Final = {
    line.split(" | ")[0]: tuple(line.split(" | ")[1].split("; "))
    for line in list_lines(__package__, "alternatives.txt")
}
_NO_PRONOUN_AFTER: Final = frozenset({"EX", "POS", "RB", "JJ", "VBN", "PRP", "MD", "TO", ",", "CC", "PRP$"})
_FINDER: Final = RuleFinder()


def replacements(parts: Syntax, first: int, end: int) -> list[Replacement]:
    """What can be done to be rid of the words from one index to another, the least harmful first."""
    found = [*_within_cut(parts, first, end)]
    if not any(parts.held[first:end]):
        for rule in (_numbers, _alternatives, _by_synonym, _by_pronoun, _left_out):
            found += rule(parts, first, end)
    return sorted(found, key=lambda swap: swap.cost)


def _span(parts: Syntax, first: int, end: int) -> tuple[int, int]:
    return parts.words[first].start, parts.words[end - 1].end


def _numbers(parts: Syntax, first: int, end: int) -> Iterator[Replacement]:
    start, stop = _span(parts, first, end)
    for match in NUMBER.finditer(parts.text):
        meets = match.start() < stop and start < match.end()
        if not meets or (start < match.start() and stop < match.end()):
            continue
        if match[0].lower() != "one" or parts.tag(first + 1) in NOUN:
            for place, new in enumerate(respelled(match[0])):
                yield Replacement(*match.span(), new, Reason("replace", match[0], new), 0.5 + 0.2 * place)


def _alternatives(parts: Syntax, first: int, end: int) -> Iterator[Replacement]:
    said = parts.phrase_text(first, end)
    low = said.lower().replace("’", "'")
    for place, new in enumerate(_ALTERNATIVES.get(low, ())):
        why = Reason("replace", said, new)
        yield Replacement(*_span(parts, first, end), cased_like(said, new), why, 0.9 + 0.3 * place)
    for index in range(first, min(end + 1, len(parts))):
        expanded = expanded_contraction(parts, index)
        if expanded is not None:
            yield Replacement(*expanded, Reason("expand"), 0.4)


def _by_synonym(parts: Syntax, first: int, end: int) -> Iterator[Replacement]:
    if end - first == 2:
        said, tag = parts.phrase_text(first, end), parts.tags[end - 1]
        tag = parts.tags[first] if parts.tags[first].startswith("VB") else tag
        for place, new in enumerate(synonyms(said, _common(tag))[:4]):
            yield replace_words(parts, first, end, new, 1.0 + 0.2 * place)
    for index in range(first, end):
        word, tag = parts.words[index], parts.tags[index]
        if tag in ("NNP", "NNPS") and not (index == 0 and word.text[1:].islower()):
            continue
        extra = 0.3 * (end - first > 1)
        owns = parts.tag(index + 1) == "POS"
        for place, new in enumerate(synonyms(word.text, _common(tag))[:5]):
            if not (owns and new.endswith("s")):
                yield replace_words(parts, index, index + 1, new, 1.0 + extra + 0.25 * place)


def _common(tag: str) -> str:
    """The tag of a word that may only look like a name, at the start of a sentence."""
    return {"NNP": "NN", "NNPS": "NNS"}.get(tag, tag)


@lru_cache(maxsize=256)
def _kinds(text: str) -> dict[tuple[int, int], EntityKind]:
    return {(one.start, one.end): one.kind for one in _FINDER.find(text)}


def _by_pronoun(parts: Syntax, first: int, end: int) -> Iterator[Replacement]:
    """A pronoun or a general noun for the noun phrase that holds the words."""
    start = next((n for n in range(max(0, first - 8), first + 1) if parts.noun_phrase(n) >= end), None)
    if start is None:
        return
    stop = parts.noun_phrase(start)
    if any(parts.held[start:stop]) or parts.tags[stop - 1] not in NOUN or parts.low[stop - 1] == "%":
        return
    if parts.depth[start]:
        return
    whole = parts.with_complements(start)
    if not any(parts.held[stop:whole]) and parts.word(start) not in ("a", "an"):
        stop = whole
    joined = parts.tag(stop) in ("VBN", "NN", "NNS", "NNP") and parts.word(stop) not in WORDS.days
    if joined or parts.word(stop) in ("that", "who", "which", "whose"):
        return
    head = parts.noun_phrase(start) - 1
    plural = parts.tags[head] in ("NNS", "NNPS")
    said = parts.phrase_text(start, stop)
    person = _is_person(parts, head)
    if parts.tag(stop) == "POS":
        new = "their" if plural or person else "its"
        yield replace_words(parts, start, stop + 1, new, 2.2)._replace(why=Reason("replace", said, new))
        return
    before = parts.tag(start - 1)
    after = stop + (parts.tag(stop) == "RB")
    subject = start == parts.opening() or (parts.tag(after) in FINITE and before not in ("IN", "TO"))
    if parts.word(start - 1) in ("in", "at") and parts.tags[head] == "NNP" and not person:
        why = Reason("replace", said, "there")
        yield replace_words(parts, start - 1, stop, "there", 2.1)._replace(why=why)
    bound = before in _NO_PRONOUN_AFTER or parts.word(start - 1) in WORDS.linking_verbs
    if subject or not bound:
        new = ("they" if subject else "them") if plural else "it"
        if person:
            new = "these people" if plural else "this person"
        yield replace_words(parts, start, stop, new, 2.3)
    if (before not in _NO_PRONOUN_AFTER or before in (",", "CC", "EX")) and parts.tag(stop) != "JJ":
        new = ("people" if person else "things") if plural else ("someone" if person else "something")
        yield replace_words(parts, start, stop, new, 3.6)


def _is_person(parts: Syntax, head: int) -> bool:
    word = parts.words[head]
    if word.tag in ("NNP", "NNPS"):
        kinds = _kinds(parts.text).items()
        return any(kind == "person" and span[0] <= word.start < span[1] for span, kind in kinds)
    one = parts.low[head].removesuffix("s")
    return one in WORDS.person_words or one.endswith(("ist", "man", "woman", "men", "women", "ician"))


def _left_out(parts: Syntax, first: int, end: int) -> Iterator[Replacement]:
    """The words left out, where they only modify others."""
    before, following, last = parts.tag(first - 1), parts.tag(end), parts.tags[end - 1]
    if parts.word(end) == "%" or before in ("RBR", "RBS") or parts.word(first - 1) in WORDS.comparing_words:
        return
    described = following in NOUN | {"JJ"} and before not in ("RB", "CC")
    if last in NOUN and following in ("NN", "NNS") and before not in ("POS", "``"):
        cost = 1.9
    elif last in ("JJ", "JJR", "VBN", "VBG", "CD") and described:
        cost = 1.9 if last == "JJ" else 2.4
    elif last in ("RB", "RBR") and parts.low[end - 1] not in ("not", "n't", "never", "no"):
        cost = 1.6
    else:
        return
    if one := cut(parts, first, end, "", cost):
        yield one


def _within_cut(parts: Syntax, first: int, end: int) -> Iterator[Replacement]:
    start, stop = _span(parts, first, end)
    for one in cuts(parts):
        if one.start <= start and stop <= one.end:
            yield one._replace(cost=one.cost + 0.6)
