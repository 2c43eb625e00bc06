"""Whether any text can satisfy a set of constraints, as far as that can be proved.

A proof is a search for a contradiction between necessary conditions: each rule below looks at what the
constraints demand and returns a reason if no text can have it all. A rule fires only where the counting
convention in force leaves no way out, so a set that some text satisfies is never called infeasible. When the
whole set contradicts itself, the smallest part of it that still does is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import TypeVar

from redraft.constraints.base import (
    SCORES,
    Bounds,
    Changes,
    Constraint,
    Demand,
    Edge,
    Holds,
    Impossible,
    Keeps,
    Lacks,
    Marks,
    Matches,
    NotOpening,
    Occurs,
    PartBounds,
    Quantity,
    Swaps,
)
from redraft.constraints.bounds import Interval, plural
from redraft.constraints.counting import Reading, plain, read
from redraft.constraints.kinds.marks import counted, is_form, named_marks
from redraft.constraints.kinds.parts import named_part
from redraft.constraints.kinds.sentences import name_sentences
from redraft.text import FORMS, Sentence, Span, find_marks, opens_with, spellings

_MOST_SUBSETS = 3000
"""So many subsets are tried for the smallest conflict; then the one found so far is given."""

D = TypeVar("D", bound=Demand)


@dataclass(frozen=True)
class Conflict:
    """Constraints that no text can satisfy together, none of them to spare, and why."""

    constraints: tuple[Constraint, ...]
    reason: str

    def to_dict(self) -> dict[str, object]:
        """Ready for JSON."""
        return {"calls": [constraint.call for constraint in self.constraints], "reason": self.reason}


def conflict(constraints: Sequence[Constraint], original: Reading | None, counting: str) -> Conflict | None:
    """A smallest set of constraints that contradict each other, or None if no contradiction is proved."""
    demands = {c: tuple(c.demands(original)) for c in dict.fromkeys(constraints)}

    def prove(subset: Iterable[Constraint]) -> str | None:
        return _contradiction(_Case([d for c in subset for d in demands[c]], original, counting))

    if prove(demands) is None:
        return None
    smallest = _smallest(list(demands), lambda subset: prove(subset) is not None)
    return Conflict(tuple(smallest), prove(smallest) or "")


def _smallest(items: list[Constraint], bad: Callable[[Sequence[Constraint]], bool]) -> list[Constraint]:
    """A bad subset of least size; where that is too much to search, one that loses nothing."""
    kept = items
    for item in items:
        without = [other for other in kept if other is not item]
        if bad(without):
            kept = without
    tried = 0
    for size in range(1, len(kept)):
        for subset in combinations(items, size):
            tried += 1
            if tried > _MOST_SUBSETS:
                return kept
            if bad(subset):
                return list(subset)
    return kept


class _Case:
    """The demands of one subset, sorted for the rules."""

    def __init__(self, demands: Sequence[Demand], original: Reading | None, counting: str) -> None:
        self.demands = demands
        self.counting = counting
        self.loose = counting == "constrev"
        """Whether a kept sentence need only be a substring, so that it may sit inside a longer sentence."""
        self.format = original.document.format if original else "text"
        sentences = {s.number: s for d in self.all(Keeps) for s in d.sentences}
        self.kept: list[Sentence] = [sentences[number] for number in sorted(sentences)]
        self.original = original
        self._occurrences: dict[str, list[Span]] = {}

    def all(self, kind: type[D]) -> Iterator[D]:
        return (demand for demand in self.demands if isinstance(demand, kind))

    def bounds(self, quantity: Quantity) -> Interval:
        found = [demand.allowed for demand in self.all(Bounds) if demand.quantity == quantity]
        return _meet(found)

    def read(self, text: str) -> Reading:
        return read(text, self.counting)

    def inside(self, sentence: Sentence, keyword: str, banned: bool) -> int:
        """How often a kept sentence holds a keyword, as banning or as counting sees it."""
        if self.loose or self.original is None:
            reading = self.read(sentence.text)
            return len(reading.uses(keyword) if banned else reading.occurrences(keyword))
        # Seen in its place: in Markdown or LaTeX a sentence alone may read otherwise.
        spans = self._occurrences.setdefault(keyword, self.original.occurrences(keyword))
        return sum(sentence.start <= span.start and span.end <= sentence.end for span in spans)

    def marked(self, sentence: Sentence, mark: str) -> int:
        """How many of a mark a kept sentence holds, wherever it stands."""
        # Alone and in its place: around it, what is a mark here may be part of something else.
        alone = len([one for one in find_marks(sentence.text, mark) if sentence.text[one.start] != "["])
        if self.loose or self.original is None:
            return alone
        view = self.original.document.words_view
        placed = (one for one in find_marks(view, mark) if view[one.start] != "[")
        return min(alone, sum(sentence.start <= one.start and one.end <= sentence.end for one in placed))

    def is_spared(self, sentence: Sentence, mark: str) -> bool:
        """Whether a mark that is ruled out may stand in a kept sentence."""
        if self.original is None:
            return False
        spared, text = self.original.spared, plain(sentence.text)
        return text in spared.sentences and (is_form(mark) or text not in spared.numbered)

    def least_words(self, sentence: Sentence) -> int:
        """The fewest words that the sentence of the revision with this kept one can have."""
        if self.loose:
            # The revision's own sentence loses one final mark before its words are counted.
            stripped = sentence.text[:-1] if sentence.text[-1:] in (".", "!", "?") else sentence.text
            return len(stripped.split())
        assert self.original is not None  # kept sentences come from an original
        return self.original.sentence_words[sentence.number - 1]

    @cached_property
    def distinct_kept(self) -> list[Sentence]:
        """The kept sentences that need a place of their own each.

        Equal sentences share one, unless a single demand names several of them.
        """
        most: dict[str, list[Sentence]] = {}
        for demand in self.all(Keeps):
            groups: dict[str, list[Sentence]] = {}
            for sentence in demand.sentences:
                groups.setdefault(plain(sentence.text), []).append(sentence)
            for text, group in groups.items():
                most[text] = max(most.get(text, []), group, key=len)
        return sorted((s for group in most.values() for s in group), key=lambda s: s.number)

    def least_total(self) -> int:
        """The fewest words of a text with all kept sentences."""
        if not self.kept:
            return 0
        if not self.loose:
            return sum(self.least_words(sentence) for sentence in self.distinct_kept)
        counts = [self.least_words(sentence) for sentence in self.kept]
        if _overlap([sentence.text for sentence in self.kept]):
            return max(counts)
        # Two neighbours may be written without a space and so share a word.
        return max(sum(counts) - (len(counts) - 1), 0)


def _meet(intervals: Iterable[Interval]) -> Interval:
    low, high = Interval().low, Interval().high
    for item in intervals:
        low, high = max(low, item.low), min(high, item.high)
    return Interval(low, high)


def _overlap(texts: Sequence[str]) -> bool:
    """Whether some of these strings could share characters when written into one text."""
    for a, b in combinations(texts, 2):
        if a in b or b in a:
            return True
        longest = min(len(a), len(b))
        if any(a.endswith(b[:size]) or b.endswith(a[:size]) for size in range(1, longest)):
            return True
    return False


def _contradiction(case: _Case) -> str | None:
    for rule in _RULES:
        if reason := rule(case):
            return reason
    return None


def _impossible(case: _Case) -> str | None:
    return next((demand.reason for demand in case.all(Impossible)), None)


def _crossing(case: _Case) -> str | None:
    """Bounds on one quantity that leave nothing."""
    # By constrev even an empty text is one sentence.
    least: dict[Quantity, int] = {"sentences": 1 if case.loose else 0}
    for quantity in {demand.quantity: None for demand in case.all(Bounds)}:
        allowed = case.bounds(quantity)
        named = SCORES.get(quantity, f"number of {quantity}")
        if allowed.empty:
            return f"the {named} must be at least {allowed.low:g} and at most {allowed.high:g}"
        if quantity not in SCORES and allowed.high < least.get(quantity, 0):
            return f"no text has at most {allowed.high:g} {quantity}"
    for keyword, allowed in _frequencies(case).items():
        if allowed.empty or allowed.high < 0:
            return f'"{keyword}" must occur at least {allowed.low:g} and at most {allowed.high:g} times'
    return None


def _frequencies(case: _Case) -> dict[str, Interval]:
    found: dict[str, list[Interval]] = {}
    for demand in case.all(Occurs):
        found.setdefault(demand.keyword.lower(), []).append(demand.allowed)
    return {keyword: _meet(intervals) for keyword, intervals in found.items()}


def _kept_and_changed(case: _Case) -> str | None:
    for demand in case.all(Changes):
        if case.loose:
            clash = next(((c, k) for c in demand.sentences for k in case.kept if c.text in k.text), None)
            if any(not changed.text for changed in demand.sentences):
                return "an empty sentence cannot change"
        else:
            # What may not be changed may well say the same as a sentence that must.
            numbers = {sentence.number for sentence in demand.sentences}
            rest = case.original.sentences if case.original else ()
            others = {plain(sentence.text) for sentence in rest if sentence.number not in numbers}
            named = {plain(sentence.text): sentence for sentence in demand.sentences}
            texts = (
                (named.get(plain(kept.text)), kept) for kept in case.kept if plain(kept.text) not in others
            )
            clash = next(((changed, kept) for changed, kept in texts if changed), None)
        if clash and clash[0].number == clash[1].number:
            return f"{clash[0].name} must {demand.how}, and must stay as it is"
        if clash:
            return f"{clash[0].name} must {demand.how}, but {clash[1].name} holds it and stays"
    return None


def _kept_and_swapped(case: _Case) -> str | None:
    """Sentences that must stay, in their order, and change places."""
    if case.loose or case.original is None:
        return None
    often = Counter(plain(sentence.text) for sentence in case.original.sentences)
    for swapped in case.all(Swaps):
        numbers = {swapped.first.number, swapped.second.number}
        once = all(often[plain(one.text)] == 1 for one in (swapped.first, swapped.second))
        if once and any(numbers <= {one.number for one in demand.sentences} for demand in case.all(Keeps)):
            named = name_sentences([swapped.first, swapped.second])
            return f"{named} must change places, and must stay as they are"
    return None


def _kept_length(case: _Case) -> str | None:
    allowed = case.bounds("words in a sentence")
    for sentence in case.kept:
        count = case.least_words(sentence)
        has = f"{sentence.name} must stay, and has {plural(count, 'word')}"
        if count > allowed.high:
            return f"{has}; every sentence must have at most {allowed.high:g}"
        if not case.loose and count < allowed.low:
            return f"{has}; every sentence must have at least {allowed.low:g}"
    return None


def _kept_words(case: _Case) -> str | None:
    least, allowed = case.least_total(), case.bounds("words")
    if least > allowed.high:
        return (
            f"{_staying(case)} {plural(least, 'word')} at least; the text must have at most {allowed.high:g}"
        )
    return None


def _held_words(case: _Case) -> str | None:
    """Names and the like that have more words than there may be, beside the sentences that must stay."""
    held = list(case.all(Holds))
    if case.loose or not held:
        return None
    kept = {word for sentence in case.kept for word in spellings(sentence.text.lower())}
    words = frozenset().union(*(demand.words for demand in held)) - kept
    least, allowed = case.least_total() + len(words), case.bounds("words")
    if least > allowed.high:
        what = " and ".join(dict.fromkeys(demand.what for demand in held))
        besides = f", {least} with the sentences that must stay," if kept else ""
        return (
            f"the {what} that must stay have {plural(len(words), 'word')}{besides} at least; "
            f"the text must have at most {allowed.high:g}"
        )
    return None


def _kept_sentences(case: _Case) -> str | None:
    allowed = case.bounds("sentences")
    if not case.loose and len(case.distinct_kept) > allowed.high:
        count = plural(len(case.distinct_kept), "sentence")
        return f"{count} must stay; the text must have at most {allowed.high:g}"
    return None


def _kept_characters(case: _Case) -> str | None:
    if not case.kept:
        return None
    least = max(len(plain(s.text)) for s in case.kept) - 1
    if not case.loose:
        least = sum(len(plain(sentence.text)) for sentence in case.distinct_kept)
    allowed = case.bounds("characters")
    if least > allowed.high:
        return f"{_staying(case)} {plural(least, 'character')} at least; at most {allowed.high:g} are allowed"
    return None


def _staying(case: _Case) -> str:
    if len(case.kept) == 1:
        return f"{case.kept[0].name} must stay, and has"
    if len(case.kept) <= 5:
        return f"{name_sentences(case.kept)} must stay, and together have"
    return f"{len(case.kept)} sentences must stay, and together have"


def _room(case: _Case) -> str | None:
    """Words that so many sentences of such a length cannot hold, or must have."""
    words, count, length = case.bounds("words"), case.bounds("sentences"), case.bounds("words in a sentence")
    kept = 0 if case.loose else len(case.distinct_kept)
    kept_words = 0 if case.loose else case.least_total()
    besides = f" beside the {plural(kept, 'sentence')} that must stay" if kept else ""
    low = max(count.low, 1)
    fewest = kept_words + max(low - kept, 0) * max(length.low, 0)
    if fewest > words.high and length.low > 0:
        sentences = plural(int(low), "sentence")
        return (
            f"{sentences} of at least {plural(int(length.low), 'word')}{besides} make {fewest:g} words; "
            f"the text must have at most {words.high:g}"
        )
    if case.loose:
        # By this convention one word of a sentence may hold many words of the text, and an end of sentence
        # takes a mark: a word of the text each, but for the last.
        if low - 1 > words.high:
            return f"{plural(int(low), 'sentence')} need more than {plural(int(words.high), 'word')}"
        return None
    if count.high <= kept and kept_words < words.low:
        return (
            f"only the {plural(kept, 'sentence')} that must stay fit in, with {plural(kept_words, 'word')}; "
            f"the text must have at least {words.low:g}"
        )
    most = kept_words + max(count.high - kept, 0) * length.high
    if most < words.low:
        return (
            f"{plural(int(count.high), 'sentence')} of at most {length.high:g} words{besides} hold "
            f"{most:g} words; the text must have at least {words.low:g}"
        )
    return None


def _sizes(case: _Case) -> str | None:
    """What needs at least one of something else: paragraphs of sentences, words of characters."""
    if case.loose:
        return None
    pairs: list[tuple[Quantity, Quantity]] = [("words", "characters"), ("sentences", "characters")]
    if case.format == "text":
        pairs.append(("paragraphs", "sentences"))
    for many, few in pairs:
        if case.bounds(many).low > case.bounds(few).high:
            return (
                f"at least {case.bounds(many).low:g} {many} cannot be had "
                f"with at most {case.bounds(few).high:g} {few}"
            )
    return None


def _banned(case: _Case) -> str | None:
    for demand in case.all(Lacks):
        for sentence in case.kept:
            if case.inside(sentence, demand.keyword, banned=True):
                return f'{sentence.name} must stay, and holds "{demand.keyword}", which must go'
        for keyword, allowed in _frequencies(case).items():
            if allowed.low > 0 and _forces(case, keyword, demand.keyword):
                inside = "" if keyword == demand.keyword.lower() else f', which "{keyword}" holds,'
                return f'"{keyword}" must be there, but "{demand.keyword}"{inside} must not'
        for edge in case.all(Edge):
            # A letter more on each side: the text may go on with one.
            plain_text = not case.loose and case.format == "text"
            if plain_text and case.read(f"x{edge.text}x").uses(demand.keyword):
                return f'the text must {edge.side} with "{edge.text}", but "{demand.keyword}" must not occur'
    return None


def _opened(case: _Case) -> str | None:
    for demand in case.all(NotOpening):
        for edge in case.all(Edge):
            if edge.side == "start" and (found := opens_with(edge.text, demand.words)):
                words = edge.text[found.start : found.end]
                return f'the text must start with "{edge.text}", but no sentence may begin with "{words}"'
    return None


def _forces(case: _Case, keyword: str, banned: str) -> bool:
    """Whether every occurrence of a keyword is a use of the banned one."""
    if not case.loose:
        return bool(case.read(keyword).uses(banned))
    # There keeping ignores case and banning does not, so another case is a way out, if the word has cases.
    caseless = banned == banned.lower() == banned.upper() and "\u0307" not in banned
    return caseless and banned in keyword


def _frequency(case: _Case) -> str | None:
    frequencies = _frequencies(case)
    for keyword, allowed in frequencies.items():
        held = case.kept if case.loose else case.distinct_kept
        counts = [case.inside(sentence, keyword, banned=False) for sentence in held]
        together = not case.loose or not _overlap([s.text for s in case.kept])
        least = sum(counts) if together else max(counts, default=0)
        if least > allowed.high:
            return (
                f'what must stay holds "{keyword}" {plural(least, "time")}; it must occur '
                f"at most {plural(int(allowed.high), 'time')}"
            )
        for other, asked in frequencies.items():
            inside = len(case.read(other).occurrences(keyword)) if other != keyword else 0
            if inside and inside * asked.low > allowed.high:
                return (
                    f'"{other}" must occur at least {plural(int(asked.low), "time")} and holds "{keyword}", '
                    f"which must occur at most {plural(int(allowed.high), 'time')}"
                )
    return None


def _edges(case: _Case) -> str | None:
    for side in ("start", "end"):
        texts = sorted((edge.text for edge in case.all(Edge) if edge.side == side), key=len)
        for short, long in pairwise(texts):
            if not (long.startswith(short) if side == "start" else long.endswith(short)):
                return f'the text cannot {side} with both "{short}" and "{long}"'
    return None


def _patterns(case: _Case) -> str | None:
    wanted = {demand.pattern for demand in case.all(Matches) if demand.somewhere}
    for demand in case.all(Matches):
        if not demand.somewhere and demand.pattern in wanted:
            return f"/{demand.pattern}/ must match somewhere and nowhere"
    return None


def _marks(case: _Case) -> str | None:
    """Marks that must be there and must not, or stand in what must stay."""
    allowed: dict[str, list[Interval]] = {}
    for demand in case.all(Marks):
        allowed.setdefault(demand.mark, []).append(demand.allowed)
    for mark, bounds in allowed.items():
        room = _meet(bounds)
        if room.empty or room.high < 0:
            return (
                f"the number of {named_marks(mark)} must be at least {room.low:g} and at most {room.high:g}"
            )
        # Words may be put between quotation marks, where they may stay as they are.
        spoken = mark == "full form" or mark in FORMS
        kept = () if spoken else case.kept if case.loose else case.distinct_kept
        if not room.high:
            kept = [sentence for sentence in kept if not case.is_spared(sentence, mark)]
        counts = {sentence: case.marked(sentence, mark) for sentence in kept}
        holding = [sentence.name for sentence, count in counts.items() if count]
        together = not case.loose or not _overlap([sentence.text for sentence in kept])
        least = sum(counts.values()) if together else max(counts.values(), default=0)
        if least > room.high:
            which = holding[0] if len(holding) == 1 else f"{len(holding)} sentences"
            most = f"at most {room.high:g} may be there" if room.high else "none may be there"
            return f"{which} must stay, with {counted(least, mark)}; {most}"
    return None


def _part_bounds(case: _Case) -> str | None:
    """A part that must be longer than it may be."""
    allowed: dict[tuple[str, str], list[Interval]] = {}
    for demand in case.all(PartBounds):
        allowed.setdefault((demand.part, demand.unit), []).append(demand.allowed)
    for (part, unit), bounds in allowed.items():
        # A part that is there has a sentence and a character, though maybe no word.
        room = _meet([*bounds, Interval(low=0 if unit == "words" else 1)])
        if room.empty:
            return f"{named_part(part)} must have at least {room.low:g} and at most {room.high:g} {unit}"
    return None


_RULES = (
    _impossible,
    _crossing,
    _kept_and_changed,
    _kept_and_swapped,
    _kept_length,
    _banned,
    _opened,
    _kept_sentences,
    _kept_words,
    _held_words,
    _kept_characters,
    _room,
    _frequency,
    _sizes,
    _edges,
    _patterns,
    _marks,
    _part_bounds,
)
