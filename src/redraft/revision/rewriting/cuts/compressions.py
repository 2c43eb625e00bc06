"""Shorter versions of a sentence, from those that lose nothing to the core of its main clause.

The last resort for a sentence that is too long is its beginning (`beginnings`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.cuts.clauses import clause_cuts
from redraft.revision.rewriting.cuts.word_cuts import modifier_cuts, plain_cuts
from redraft.revision.rewriting.edits import WORDS, Replacement, applied, distinct, is_balanced, sound
from redraft.text import BY_FORM, FINITE, Syntax, analyse_syntax, count_words, is_letter_line, tagged

_SHARES: Final = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4)
_MOST_VERSIONS: Final = 14
_FREE: Final = 0.5
_EACH: Final = 0.15
"""What every further cut costs: few large ones read better than many small."""
_LEAST_WORDS: Final = 3
_PASSES: Final = 4
"""How often what is left of a sentence is read anew for what says nothing."""
_ASIDE: Final = re.compile(r", (?:which|who|whose|where)\b[^,]*\Z")
_LAST_OF_LIST: Final = re.compile(r",? (?:and|or) (?:then |finally )?(?P<word>[a-z]+)")
_LISTED: Final = re.compile(r", (?P<word>[a-z]+)")
_LABEL: Final = re.compile(r"\A[A-Z][\w-]*(?: [a-z]+)?: (?=[A-Z])")
_END: Final = re.compile(r"([.!?])[^\w]*\Z")
_PAIRS: Final = (("(", ")"), ("[", "]"), ("“", "”"))
_PAIRED: Final = re.compile(r"\bbetween (?!.*\band\b)|\b(?:either|neither|both)\b(?!.*\b(?:or|nor|and)\b)")
_ENDS_IN_AUXILIARY: Final = re.compile(
    r"(?i)\b(?:do|does|did|can|could|will|would|shall|should|may|might|must|cannot)(?: not)?,[^,]*[.;!]"
)
"""What is left of "it does not, as far as we know, work"."""
_FIXED: Final = re.compile(
    r"(?i)\b(?:(?:every )?now and (?:then|again)|by and large|up and down|back and forth|more or less"
    r"|sooner or later|over and over|on and off|to and fro|here and there|(?:time|again) and again"
    r"|once and for all|first and foremost|each and every|trial and error|all or nothing|give or take"
    r"|(?:on|in|by|until|before|after) the (?:eve|morning|afternoon|evening|night|day|week|month|year|end"
    r"|start|beginning|middle|last day|first day) of(?= \w))"
)
"""Words of which none can go by itself."""
_MARKS: Final = " ,;:–—-("


Missed = Callable[[str, str, Sequence[Reason]], float]
"""What a reader of a sentence would miss in a shorter version of it that was made by such cuts."""


def compressions(sentence: str, missed: Missed | None = None) -> list[Candidate]:
    """Shorter versions, those that lose least first; each says what was cut.

    What says nothing goes first: cuts are made in the sentence as it is, and in what is left of it then.
    With `missed` there are also those of which least is missed: two small phrases may go for one clause.
    A line that greets or closes a letter has none.
    """
    if is_letter_line(sentence):
        return []
    if label := _LABEL.match(sentence):
        return [_labelled(label[0], one) for one in compressions(sentence[label.end() :], missed)]
    tight = tightened(sentence)
    again = (
        [Candidate(one.text, one.by, tight.why + one.why) for one in _versions(tight.text, missed)]
        if tight
        else []
    )
    return distinct([*([tight] if tight else []), *again, *_versions(sentence, missed)])


@lru_cache(maxsize=8192)
def tightened(sentence: str) -> Candidate | None:
    """The sentence without what says nothing, if there is such; what is left is read anew, and cut again."""
    if label := _LABEL.match(sentence):
        bare = tightened(sentence[label.end() :])
        return _labelled(label[0], bare) if bare else None
    text = sentence
    why: tuple[Reason, ...] = ()
    for _ in range(0 if is_letter_line(sentence) else _PASSES):
        read = analyse_syntax(text)
        chosen = _standing(read, _apart(plain_cuts(read)))
        shorter = applied(text, chosen)
        if not chosen or shorter == text:
            break
        text, why = shorter, (*why, *(one.why for one in chosen))
    return Candidate(text, "compression", why) if why else None


def _standing(read: Syntax, chosen: list[Replacement]) -> list[Replacement]:
    """These cuts, or all but one of them, if they leave a sentence; otherwise none."""
    fewer = (chosen[:place] + chosen[place + 1 :] for place in range(len(chosen)))
    return next((some for some in (chosen, *fewer) if _stands(read, some, applied(read.text, some))), [])


def _labelled(label: str, one: Candidate) -> Candidate:
    """A version with the label of its sentence before it: "Results: …" """
    return Candidate(label + one.text, one.by, one.why)


def _versions(sentence: str, missed: Missed | None) -> list[Candidate]:
    read = analyse_syntax(sentence)
    found = cuts(read)
    whole = count_words(sentence)
    weighed = [_weighed(sentence, found, missed)] if missed else []
    tables = [_cheapest(sentence, some, whole) for some in (found, *weighed)]
    versions: dict[str, Sequence[Replacement]] = {}

    def added(chosen: Sequence[Replacement]) -> bool:
        text = applied(sentence, chosen)
        if not chosen or count_words(text) >= whole or not _stands(read, chosen, text):
            return False
        versions.setdefault(text, chosen)
        return True

    added(_apart(found))
    for share in _SHARES:
        least = max(1, round(whole * (1 - share)))
        for table in tables:
            any(added(chosen) for removed, chosen in table.items() if removed >= least)
    for one in sorted(found, key=lambda one: one.cost):
        if len(versions) < _MOST_VERSIONS:
            added([one])
    ranked = sorted(versions.items(), key=lambda item: _cost(item[1]))
    return [_shortened(text, chosen) for text, chosen in ranked]


def trims(sentence: str) -> list[Candidate]:
    """The sentence without what nobody misses, such as wordy phrases: all of it, or one at a time."""
    if is_letter_line(sentence):
        return []
    read = analyse_syntax(sentence)
    found = sorted(plain_cuts(read), key=lambda one: one.cost)
    tried = [chosen for chosen in (_apart(found), *([one] for one in found)) if chosen]
    made = ((applied(sentence, chosen), chosen) for chosen in tried)
    some = (_shortened(text, chosen) for text, chosen in made if _stands(read, chosen, text))
    tight = tightened(sentence)
    return distinct([*([tight] if tight else []), *some])


def _shortened(text: str, chosen: Sequence[Replacement]) -> Candidate:
    return Candidate(text, "compression", tuple(one.why for one in chosen))


def cuts(read: Syntax) -> list[Replacement]:
    """Every cut that leaves a sentence, each for itself, in the order of their places."""
    if read.stop < 4:
        return []
    found = [*plain_cuts(read), *clause_cuts(read), *modifier_cuts(read)]
    fixed = [match.span() for match in _FIXED.finditer(read.text)]
    cheapest: dict[tuple[int, int], Replacement] = {}
    for one in found:
        if not one.new and any(_breaks_up(one, start, end) for start, end in fixed):
            continue
        known = cheapest.get(one[:2])
        if known is None or one.cost < known.cost:
            cheapest[one[:2]] = one
    return sorted(cheapest.values(), key=lambda one: (one.end, one.start))


def _breaks_up(one: Replacement, start: int, end: int) -> bool:
    """Whether a cut takes a part of a stretch, and leaves another."""
    return start < one.end and one.start < end and not (one.start <= start and end <= one.end)


def _weighed(sentence: str, found: Sequence[Replacement], missed: Missed) -> list[Replacement]:
    """The cuts, each at what a reader would miss: statements and conditions count for more than phrases."""
    return [
        one._replace(cost=one.cost + missed(sentence, applied(sentence, [one]), [one.why])) for one in found
    ]


def _cost(chosen: Sequence[Replacement]) -> float:
    return sum(one.cost + _EACH for one in chosen)


def _apart(found: Sequence[Replacement]) -> list[Replacement]:
    """Free cuts that do not touch each other, from left to right."""
    kept: list[Replacement] = []
    for one in sorted((one for one in found if one.cost <= _FREE), key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _cheapest(sentence: str, found: Sequence[Replacement], whole: int) -> dict[int, list[Replacement]]:
    """For each number of words that can go, the cuts that lose least; fewest words first.

    Cuts come by their ends; `best[n]` holds, for what ends by the n-th cut, the cheapest choice by words
    removed.
    """
    best: list[dict[int, tuple[float, list[Replacement]]]] = [{0: (0.0, [])}]
    for number, one in enumerate(found):
        earlier = next((index for index in range(number, 0, -1) if found[index - 1].end <= one.start), 0)
        words = count_words(sentence[one.start : one.end]) - count_words(one.new)
        state = dict(best[number])
        for removed, (cost, chosen) in best[earlier].items():
            total, price = removed + words, cost + one.cost + _EACH
            cheaper = total not in state or price < state[total][0]
            if words > 0 and total <= whole - _LEAST_WORDS and cheaper:
                state[total] = (price, [*chosen, one])
        best.append(state)
    ordered = sorted(best[-1].items())
    # A choice is of no use where one that removes more costs less.
    return {
        removed: chosen
        for place, (removed, (cost, chosen)) in enumerate(ordered)
        if removed and all(cost <= other for _, (other, _) in ordered[place + 1 :])
    }


def _stands(read: Syntax, chosen: Sequence[Replacement], text: str) -> bool:
    """Whether a version is a sentence: it has its main verb, and nothing in it is broken."""
    if not sound(read.text, text) or count_words(text) < _LEAST_WORDS:
        return False
    if (_leads_up(text) and not _leads_up(read.text)) or any(_ends_list(read, one) for one in chosen):
        return False
    spans = [(one.start, one.end) for one in chosen if not one.new]
    # A clause such as ", which …" that is still open: the sentence goes on after it.
    if any(_ASIDE.search(read.text[:start]) and "," in read.text[start:end] for start, end in spans):
        return False
    kept = [
        tag
        for word, tag in zip(read.words, read.tags, strict=True)
        if not any(start <= word.start < end for start, end in spans)
    ]
    if _ENDS_IN_AUXILIARY.search(text) and not _ENDS_IN_AUXILIARY.search(read.text):
        return False
    had = FINITE.intersection(read.tags)
    stands = not had or bool(FINITE.intersection(kept)) or read.tag(read.main or 0) == "VB"
    return stands or not _END.search(read.text)  # a title needs no verb


def beginnings(sentence: str, most: int) -> list[Candidate]:
    """Beginnings of at most so many words, the longest first; each ends as the sentence does."""
    words = sentence.split()
    end = match[1] if (match := _END.search(sentence)) else "."
    found: list[Candidate] = []
    for count in range(min(most, len(words) - 1), _LEAST_WORDS - 1, -1):
        if words[count].lower().strip("\"'“‘(") in WORDS.phrase_openers or words[count - 1][-1] in ",;:":
            text = " ".join(words[:count]).rstrip(_MARKS)
            last = text.split()[-1].lower()
            if _PAIRED.search(text) or text.endswith("."):
                continue  # "between 8 a.m." and what?
            if is_balanced(text, _PAIRS) and last not in WORDS.phrase_openers and _is_sentence(text):
                found.append(Candidate(text + end, "compression", (Reason("truncate"),)))
    return found


def _ends_list(read: Syntax, one: Replacement) -> bool:
    """Whether the last of several things is cut, and its "and" with it: "rinse it, fill it." """
    found = _LAST_OF_LIST.match(read.text, one.start)
    if one.new or found is None or one.end < read.words[read.stop - 1].end:
        return False
    word = found["word"]
    is_base = word in BY_FORM and BY_FORM[word].base == word
    listed = [item["word"] for item in _LISTED.finditer(read.text, 0, one.start)]
    return word in listed or (is_base and any(BY_FORM[one].base == one for one in listed if one in BY_FORM))


def _leads_up(text: str) -> bool:
    """Whether a text is a clause that only leads up to another, which is not there."""
    return text.split(maxsplit=1)[0].lower() in WORDS.leading_conjunctions and "," not in text


def _is_sentence(text: str) -> bool:
    """Whether there is a verb for somebody, not in a clause that only leads up to what was cut."""
    tags = [word.tag for word in tagged(text)]
    if _leads_up(text):
        return False
    return bool(FINITE.intersection(tags)) or tags[:1] == ["VB"]
