"""What the trained editor is asked for a bound or a wish: of which sentences, and by which control.

Only sentences that break a bound, or can help the text to keep one, are asked about.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from redraft.constraints import Interval
from redraft.editor import Value, control_instruction
from redraft.revision.draft import WRITER, Draft, places_within
from redraft.revision.rewriting.forms.forms import without_form
from redraft.revision.rewriting.splits.splits import splits
from redraft.revision.rewriting.wording.repeated_openings import begun_otherwise
from redraft.revision.task import Task
from redraft.revision.tuning import CONCISE_SHARES, CUT_SHARES, LEAST_SPLIT, SHORTENED_FROM, SPARE_WORDS
from redraft.text import FORMS, FORMULAS, find_marks, free_marks, tagged

_FEWEST_WORDS: Final = 4
_MOST_WORDS: Final = 120
"""Words that the editor was trained on at the most."""
_WORDY_FROM: Final = 8
"""Words from which on a sentence may be wordy."""
FORM_CONTROLS: Final = {
    "passive": "active",
    "first person": "impersonal",
    "first person singular": "impersonal",
    "present tense": "past",
    "past tense": "present",
}
"""By which control a sentence is rid of a form of words."""
FORBIDS: Final = re.compile(
    r"(?i)\b(?:not|no|never|cannot|must|shall|unless|until|only|refuse\w*|reject\w*|demand\w*"
    r"|need|have to|want|expect|should|ask|send|tell|give)\b|n['’]t\b"
)
"""What a request, a refusal or a demand has in it."""
_PROMISES: Final = re.compile(
    r"(?i)(?:(?:I|we|it|they|he|she)(?:['’]ll| will| shall| can| have| are| am| is)|your|there)\b"
    r"(?!.*(?:\bnot\b|n['’]t\b|cannot))"
)
"""What is promised or told is not to be asked of the reader."""


@dataclass(frozen=True, slots=True)
class ControlRequest:
    """A control of the editor, and its values, for the units from `start` up to `stop`.

    What is `wished` is asked for by the instruction itself, and not for a bound.
    """

    start: int
    stop: int
    control: str
    values: tuple[tuple[str, Value], ...] = ()
    wished: bool = False

    @property
    def splits(self) -> bool:
        """Whether a sentence is to be split for a bound."""
        return self.control == "split" and not self.wished

    @property
    def most(self) -> int:
        """The words that the text, or each of its sentences, may have."""
        return int(dict(self.values)["n"])

    @property
    def instruction(self) -> str:
        """The words by which the editor is asked."""
        return control_instruction(self.control, **dict(self.values))


def control_requests(task: Task, draft: Draft, *, wishes: bool = True) -> list[ControlRequest]:
    """All that is asked of the editor for a draft, the bounds first."""
    wished = wish_requests(task, draft) if wishes else ()
    return list(dict.fromkeys((*bound_requests(task, draft), *wished)))


def bound_requests(task: Task, draft: Draft) -> Iterator[ControlRequest]:
    """What the sentences are asked for that break a bound, or by which the text may keep one."""
    if not task.is_english:
        return
    sizes = _sizes(task, draft)
    yield from _for_lengths(task, draft, sizes)
    yield from _for_words(task, draft, sizes)
    yield from _for_keywords(task, draft, sizes)
    yield from _for_grade(task, draft, sizes)
    yield from _for_sentences(task, draft, sizes)
    yield from _for_parts(task, draft, sizes)
    yield from _for_forms(task, draft, sizes)
    yield from _for_openings(task, draft, sizes)


def wish_requests(task: Task, draft: Draft) -> Iterator[ControlRequest]:
    """What the instruction wishes of the style, asked of the writer's own sentences that it is about."""
    if not task.is_english:
        return
    sizes = _sizes(task, draft)
    own = {
        place: size
        for place, size in sizes.items()
        if draft.units[place].by == WRITER and not task.is_reworded(draft.units[place].text)
    }
    for control in task.wishes:
        if control == "active" and "passive" in task.marks:
            continue  # it is a bound
        fits = _FITTING.get(control, _any)
        for place, size in own.items():
            if fits(draft.units[place].text):
                yield ControlRequest(place, place + 1, control, wished=True)
                if control == "concise":
                    yield from _shortened(place, size, CONCISE_SHARES, wished=True)


def _sizes(task: Task, draft: Draft) -> dict[int, int]:
    """The words of the units that the editor can be asked about, by their places."""
    words = {place: task.read(unit.text).words for place, unit in enumerate(draft.units) if unit.free}
    return {place: count for place, count in words.items() if _FEWEST_WORDS <= count <= _MOST_WORDS}


def _one(place: int, control: str, **values: Value) -> ControlRequest:
    return ControlRequest(place, place + 1, control, tuple(values.items()))


def _for_lengths(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Splits and cuts of the sentences that are too long; the short ones are joined with a neighbour."""
    low, high = task.lengths.low, task.lengths.high
    for place in sizes:
        counts = task.read(draft.units[place].text).sentence_words
        if max(counts, default=0) > high:
            most = max(int(high), 1)
            ours = (task.read(one.text).sentence_words for one in splits(draft.units[place].text, most)[:1])
            if any(max(words, default=0) <= high for words in ours):
                continue  # our rules keep every word, and the editor does not
            yield _one(place, "split", n=most)
            if max(counts) <= SHORTENED_FROM * high:
                yield _one(place, "shorten", n=most)
        if min(counts, default=low) < low:
            yield from (_joined(at) for at in _neighbours(draft, sizes) if at in (place - 1, place))


def _for_words(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Cuts of several lengths of the longest sentences: as many as it takes, and some to choose from."""
    words, characters = task.read(draft.text).words, len(draft.text.strip())
    too_many = words - task.bounds("words").high
    too_long = (characters - task.bounds("characters").high) * words / max(characters, 1)
    yield from _cuts(max(too_many, too_long), sizes)


def _cuts(excess: float, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    if excess <= 0:
        return
    spare = 0.0
    for place, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        if spare >= SPARE_WORDS * excess:
            break
        spare += (1 - min(CUT_SHARES)) * size
        yield from _shortened(place, size, CUT_SHARES)


def _shortened(
    place: int, size: int, shares: Sequence[float], *, wished: bool = False
) -> Iterator[ControlRequest]:
    for share in shares:
        values = (("n", max(round(share * size), _FEWEST_WORDS)),)
        yield ControlRequest(place, place + 1, "shorten", values, wished)


def _for_keywords(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Other words for what may not occur, or not so often; a sentence or two for what must."""
    whole = task.read(draft.text)
    used = {
        keyword: [place for place in sizes if task.read(draft.units[place].text).uses(keyword)]
        for keyword in (*task.banned, *task.frequencies)
    }
    for keyword, allowed in {**task.frequencies, **dict.fromkeys(task.banned, Interval(0, 0))}.items():
        count = len(whole.uses(keyword) if keyword in task.banned else whole.occurrences(keyword))
        if count > allowed.high:
            yield from (_one(place, "without_word", word=keyword) for place in used[keyword])
        elif count < allowed.low:
            others = [place for place in sizes if place not in used[keyword]]
            longest = sorted(others, key=lambda place: (-sizes[place], place))
            asked = longest[: int(allowed.low) - count + 2]
            yield from (_one(place, "with_word", word=keyword) for place in asked)


def _for_grade(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Simpler sentences for those above the grade; the long ones also split."""
    for formula, allowed in task.scores.items():
        if not _is_too_hard(task, draft.text, formula):
            continue
        grade = _SCHOOL_GRADES.get(formula, _same)(_hardest(formula, allowed))
        for place, size in sizes.items():
            if _is_too_hard(task, draft.units[place].text, formula):
                yield _one(place, "simpler", n=max(int(grade), 1))
                if size > LEAST_SPLIT:
                    yield _one(place, "split", n=max(round(size / 2) + 2, LEAST_SPLIT))


def _hardest(formula: str, allowed: Interval) -> float:
    """The score of the hardest text that is allowed."""
    return allowed.low if FORMULAS[formula].is_ease else allowed.high


def _is_too_hard(task: Task, text: str, formula: str) -> bool:
    sign = -1 if FORMULAS[formula].is_ease else 1
    return hardness(task, text, formula) > sign * _hardest(formula, task.scores[formula])


def hardness(task: Task, text: str, formula: str) -> float:
    """The score of a text by a formula; the negative of one for ease."""
    words, *rest = task.reading_amounts(text, formula)
    score = FORMULAS[formula].score([max(words, 1), *rest])
    return -score if FORMULAS[formula].is_ease else score


def _same(grade: float) -> float:
    return grade


_SCHOOL_GRADES: Final[Mapping[str, Callable[[float], float]]] = {
    "reading ease": lambda ease: (130 - ease) / 8,
    "dale-chall": lambda score: 2 * score - 6,
}
"""About which school grade a score stands for, where it is none itself."""


def _for_openings(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """Other words for the sentences that may not begin so, where our rules can move nothing in them.

    Those that only begin like a neighbour are not worth it: "The only window" came back as "Only a window".
    """
    for place in sizes:
        text = draft.units[place].text
        if task.misbegun(text) and not begun_otherwise(text):
            yield _one(place, "paraphrasing")


def _for_sentences(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """The shortest neighbours as one where there are too many, the longest in two where too few."""
    yield from _to_count(draft, sizes, len(task.read(draft.text).sentences), task.bounds("sentences"))


def _to_count(
    draft: Draft, sizes: Mapping[int, int], count: int, allowed: Interval
) -> Iterator[ControlRequest]:
    if count > allowed.high:
        pairs = sorted(_neighbours(draft, sizes), key=lambda at: (sizes[at] + sizes[at + 1], at))
        yield from (_joined(at) for at in pairs[: 2 * int(count - allowed.high) + 1])
    elif count < allowed.low:
        longest = sorted(sizes, key=lambda place: (-sizes[place], place))
        for place in longest[: int(allowed.low) - count + 2]:
            yield _one(place, "split", n=max(math.ceil(0.6 * sizes[place]), _FEWEST_WORDS))


def _for_parts(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """The same for the sentences of a part that has a bound of its own."""
    document = task.read(draft.text).document
    for part in task.part_lengths:
        places = places_within(draft, part, task.format)
        own = {place: size for place, size in sizes.items() if place in places}
        measured = part.measure(document)
        if part.unit == "sentences":
            yield from _to_count(draft, own, measured, part.allowed)
        else:
            words = sum(task.read(draft.units[place].text).words for place in places)
            share = words / max(measured, 1) if part.unit == "characters" else 1.0
            yield from _cuts((measured - part.allowed.high) * share, own)


def _for_forms(task: Task, draft: Draft, sizes: Mapping[int, int]) -> Iterator[ControlRequest]:
    """The active voice, another tense, or a sentence without a pronoun, where these are asked for."""
    for mark, allowed in task.marks.items():
        if mark not in FORMS or task.count_marks(draft.text, mark) <= allowed.high:
            continue
        if mark == "first person singular" and "first person" in task.marks:
            continue  # the one is part of the other
        for place in sizes:
            text = draft.units[place].text
            found = free_marks(text, mark)
            if found and not _has_rule(task, text, mark):
                if mark in FORM_CONTROLS:
                    yield _one(place, FORM_CONTROLS[mark])
                else:
                    words = dict.fromkeys(text[one.start : one.end] for one in found)
                    yield from (_one(place, "without_word", word=word) for word in words)


def _has_rule(task: Task, text: str, mark: str) -> bool:
    """Whether a rule is rid of a form of words by itself: then there is nothing to ask."""
    return any(not free_marks(one.text, mark) for one in without_form(text, mark, task.banned_marks))


def _neighbours(draft: Draft, sizes: Mapping[int, int]) -> list[int]:
    """The places of units that could be joined with the next one."""
    pairs = [(at, other) for at, other in pairwise(sizes) if other == at + 1]
    return [at for at, other in pairs if "\n" not in draft.units[other].gap]


def _joined(place: int) -> ControlRequest:
    return ControlRequest(place, place + 2, "merge")


def _is_passive(text: str) -> bool:
    return bool(find_marks(text, "passive"))


def _is_request(text: str) -> bool:
    """Whether it asks for something, or refuses it."""
    if _PROMISES.match(text):
        return False
    first = next(iter(tagged(text)), None)
    return bool(FORBIDS.search(text)) or (first is not None and first.tag in ("VB", "VBP"))


def _is_wordy(text: str) -> bool:
    return len(text.split()) >= _WORDY_FROM


def _is_no_thanks(text: str) -> bool:
    """Whether it does not thank already: whoever is thanked needs no warmer word."""
    return not text.lower().startswith("thank")


def _any(text: str) -> bool:
    return True


_FITTING: Final[Mapping[str, Callable[[str], bool]]] = {
    "active": _is_passive,
    "concise": _is_wordy,
    "friendly": _is_no_thanks,
    "polite": _is_request,
}
"""What a sentence must be for a control to be about it."""
