"""The facts of a text: what a revision may not change unless the instruction or the documents call for it.

Numbers, names, negations, who does what to whom, who must and who may, what will be and what was, quotations
and mark-up. Facts are all that is held against the work of a model that is trusted; how well it writes is for
the model to say.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from redraft.quality import (
    MeaningChange,
    added_negations,
    compare_meaning,
    mentions,
    missing_names,
    numerals,
)
from redraft.revision.draft import Draft, Unit
from redraft.revision.task import Task
from redraft.text import (
    CARDINALS,
    Document,
    RuleFinder,
    is_english,
    mask,
    quotations,
    similarity,
    tagged,
    word_sets,
)

_SHORTER: Final = word_sets(__package__)["facts.shorter"]
_TIMES: Final = word_sets(__package__)["facts.times"]
_PERSONS: Final = word_sets(__package__)["facts.persons"]
_TONES: Final = word_sets(__package__)["facts.tones"]
_NUMBERED: Final = re.compile(r"(?m)^[ \t]*(?:\*\*)?\(?\d{1,3}[.)](?:\*\*)?[ \t]+")
"""The number of a list item, which is no number of the text."""
_WORDS: Final = re.compile(r"\w+")
_BLANK: Final = re.compile(
    r"\[(?:your|insert|enter|add|recipient|sender|company|date|name|title|address)\b[^\]\n]{0,60}\]", re.I
)
"""What a model leaves for the writer to fill in, such as `[Your Name]`."""
_WILL: Final = re.compile(r"\b(?:will|wo)\b|['’]ll\b")
"""What makes a verb speak of the future."""
_LEAST_QUOTED: Final = 3
"""Words from which on a quotation is somebody's: fewer are a way of speaking."""
_SUPPORTED: Final = 0.35
"""The share of words that a passage of a document has in common with what it supports."""
_LEAST_KEPT: Final = 0.5
"""The share of an original's words that stand in sentences of which something is left, at the least."""
_SMALL_NUMBERS: Final = (1.0, 2.0)
_ALIKE: Final = 0.65
"""The share of words in common from which on a negation that is gone has not gone into other words."""
_HOURS: Final = "|".join(word for word, value in CARDINALS.items() if 1 <= value <= 12)
_TOLD_TIME: Final = re.compile(
    r"(?i)(?:\b(?=half|quarter|a quarter)|(?<=\bat )|(?<=\buntil )|(?<=\bbefore )|(?<=\bafter )|(?<=\bit is )"
    r"|(?<=\bit was ))(?P<minutes>half|(?:a )?quarter|five|ten|twenty(?:[- ]five)?) (?P<way>past|to) "
    rf"(?P<hour>{_HOURS})\b(?! \w+s\b| per\b)"  # "at five to ten degrees" is no time
)
_CLOCK: Final = re.compile(r"\b(?P<hour>\d{1,2})[:.](?P<minute>[0-5]\d)(?!\d)")
_HALF_DAY: Final = re.compile(r"(?i)\d ?(?P<half>[ap])\.? ?m\b")
_HALF_A_DAY: Final = 12 * 60
_PARTS_OF_DAY: Final = {"a": "morning", "p": "afternoon|evening|night|noon"}
_FINDER: Final = RuleFinder()
_Value = float | str


@dataclass(frozen=True, slots=True)
class Support:
    """A fact that is new in a revision, and the passage of a document that it comes from."""

    fact: str
    document: int
    passage: str


class FactCheck:
    """Holds the passages of revised drafts of one task against those that they came from."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._material = "\n\n".join((*task.documents, task.instruction))

    def objections(self, draft: Draft) -> dict[int, tuple[str, ...]]:
        """What speaks against the units of a draft, by their places; nothing for those that may stand."""
        after = _Facts(draft.text, self._task)
        found: dict[int, tuple[str, ...]] = {}
        for place, unit in enumerate(draft.units):
            if unit.text and unit.text != unit.source and (against := tuple(self._against(unit, after))):
                found[place] = against
        return found

    def objections_to(self, source: str, text: str) -> tuple[str, ...]:
        """The same for one passage, as if it were the whole text."""
        return tuple(
            self._against(Unit(text, "", source), _Facts(text, self._task), _Facts(source, self._task))
        )

    def is_another_text(self, draft: Draft) -> bool:
        """Whether hardly anything of the original has become a part of a draft, and nothing calls for that.

        So a refusal, or the request said once more, is no revision. A wish that is no constraint ("turn it
        into a headline") may call for little of the original, but not for its own words.
        """
        sources = [(len(unit.source.split()), bool(unit.text)) for unit in draft.units]
        whole = sum(words for words, _ in sources)
        kept = sum(words for words, stands in sources if stands)
        if self._shortened or kept >= _LEAST_KEPT * whole:
            return False
        said = set(_WORDS.findall(draft.text.lower()))
        asked = set(_WORDS.findall(self._task.instruction.lower()))
        return not self._task.style or (kept == 0 and len(said & asked) > _LEAST_KEPT * len(said))

    def support(self, draft: Draft) -> tuple[Support, ...]:
        """The facts of a revision that only the documents have, each with the passage that says so."""
        found: dict[str, Support] = {}
        for unit in draft.units:
            if unit.text and unit.text != unit.source:
                for fact in self._new(unit.text):
                    source = self._passage_with(fact, unit.text)
                    if source is not None:
                        found.setdefault(fact, Support(fact, *source))
        return tuple(found.values())

    @cached_property
    def _before(self) -> _Facts:
        return _Facts(self._task.original, self._task)

    @cached_property
    def _allowed(self) -> _Facts:
        """What the instruction and the documents say."""
        return _Facts(self._material, self._task)

    @cached_property
    def _shortened(self) -> bool:
        """Whether the text is to lose something: then what is gone was left out, and not changed."""
        task = self._task
        size = {"words": task.before.words, "sentences": len(task.before.sentences)}
        size["characters"] = len(task.original)
        size["words in a sentence"] = max(task.before.sentence_words, default=0)
        return (
            any(task.bounds(quantity).high < amount for quantity, amount in size.items())
            or any(part.measure(task.before.document) > part.allowed.high for part in task.part_lengths)
            or task.kind == "simplify"
            or any(word.startswith(tuple(_SHORTER)) for word in self._wish)
        )

    @cached_property
    def _wish(self) -> frozenset[str]:
        """The words of what is asked for."""
        asked = self._task.style or self._task.instruction
        return frozenset(word.lower() for word in _WORDS.findall(asked))

    def _new(self, text: str) -> list[str]:
        """The numbers and names of a passage that the original does not have."""
        text = _NUMBERED.sub("", text)
        original = self._before
        numbers = [one.text for one in numerals(text) if one.value not in original.numbers]
        return [*numbers, *missing_names(text, self._task.original, _FINDER)]

    def _against(self, unit: Unit, after: _Facts, before: _Facts | None = None) -> Iterator[str]:
        before = before or self._before
        source, text = _NUMBERED.sub("", unit.source), _NUMBERED.sub("", unit.text)
        if source.strip():
            for change in compare_meaning(source, text):
                if not self._called_for(change, text, before, after):
                    yield str(change)
            yield from self._new_in_words(text, before)
            yield from self._turned_round(source, text)
            yield from self._timed(source, text, before, after)
        elif is_english(text):
            known = {**before.numbers, **self._allowed.numbers}
            yield from (
                f"number added: {one.text}"
                for one in numerals(text)
                if one.written == "in digits" and one.value not in known
            )
            added = missing_names(text, f"{before.text}\n{self._material}", _FINDER)
            yield from (f"name added: {name}" for name in added)
        yield from (
            f"left to fill in: {blank}"
            for blank in dict.fromkeys(_BLANK.findall(text))
            if blank not in before.text and blank not in self._material
        )
        yield from self._quoted(source, text, before, after)
        yield from self._marked(source, text, before, after)

    def _new_in_words(self, text: str, before: _Facts) -> Iterator[str]:
        """Numbers in words that nobody spoke of; small ones come and go with the wording."""
        for one in numerals(text):
            known = one.value in before.numbers or one.value in self._allowed.numbers
            if one.written == "in words" and not known and one.value not in _SMALL_NUMBERS:
                yield f"number added: {one.text}"

    def _turned_round(self, source: str, text: str) -> Iterator[str]:
        """A negation too many, or too few in words that are much the same."""
        surplus, alike = added_negations(source, text)
        if surplus and self._passage_with("", text) is None:
            if surplus > 0:
                yield "negation added"
            elif alike >= _ALIKE:
                yield "negation lost"

    def _timed(self, source: str, text: str, before: _Facts, after: _Facts) -> Iterator[str]:
        """Times of day that are others now, or said to be before or after noon by nobody."""
        for half in dict.fromkeys(found["half"].lower() for found in _HALF_DAY.finditer(text)):
            said = rf"\d ?{half}\.? ?m\b|\b(?:{_PARTS_OF_DAY[half]})\b"
            if not re.search(said, f"{before.text}\n{self._material}", re.I):
                yield f"time of day added: {half}.m."
        lost = {} if self._shortened else _told_times(source)
        yield from (f"time changed: {told}" for told, time in lost.items() if time not in after.times)

    def _called_for(self, change: MeaningChange, text: str, before: _Facts, after: _Facts) -> bool:
        match change.kind:
            case "number":
                return self._number_called_for(change, before, after)
            case "name":
                return self._name_called_for(change, text, before, after)
            case "opposite" | "role" | "verb":
                return self._passage_with("", text) is not None
            case "tense":
                if self._task.tense is not None:
                    return self._task.tense == "past" and not _WILL.search(change.after)
                return not _TIMES.isdisjoint(self._wish) or self._passage_with("", text) is not None
            case "person":
                asked = self._task.persons or not _PERSONS.isdisjoint(self._wish)
                return bool(asked) or self._passage_with("", text) is not None
            case "modal":
                asked = any(word.startswith(tuple(_TONES)) for word in self._wish)
                return asked or self._passage_with("", text) is not None
            case "negation" | "condition" if change.before and change.after:
                return self._passage_with("", text) is not None
        return True  # a shade of meaning: not for us to hold against it

    def _number_called_for(self, change: MeaningChange, before: _Facts, after: _Facts) -> bool:
        old, new = ({one.value for one in numerals(side)} for side in (change.before, change.after))
        if new and new <= self._allowed.numbers.keys():
            return True
        moved_here = all(after.numbers[value] <= before.numbers[value] for value in new)
        elsewhere = all(after.numbers[value] >= before.numbers[value] for value in old)
        return moved_here and (elsewhere or (self._shortened and not new))

    def _name_called_for(self, change: MeaningChange, text: str, before: _Facts, after: _Facts) -> bool:
        if _opens_as_word(change.after, text):
            change = replace(change, after="")
        if change.after and mentions(self._material, change.after):
            return True
        known = not change.after or mentions(before.text, change.after)
        kept = not change.before or mentions(after.text, change.before)
        return known and (kept or (self._shortened and not change.after))

    def _quoted(self, source: str, text: str, before: _Facts, after: _Facts) -> Iterator[str]:
        """Quotations that are not what was said."""
        for quoted in _quotations(text):
            if quoted not in before.words and quoted not in self._allowed.words:
                yield f"quotation changed: “{quoted}”"
        for quoted in _quotations(source):
            if quoted not in after.words and not self._shortened:
                yield f"quotation lost: “{quoted}”"

    def _marked(self, source: str, text: str, before: _Facts, after: _Facts) -> Iterator[str]:
        """Mark-up that came or went."""
        if self._task.format == "text":
            return
        own = Counter(mask(text, self._task.format).pieces)
        for piece in own:
            if after.pieces[piece] > before.pieces[piece] and piece not in self._material:
                yield f"mark-up added: {piece}"
        for piece in Counter(mask(source, self._task.format).pieces) - own:
            if after.pieces[piece] < before.pieces[piece] and not self._shortened:
                yield f"mark-up lost: {piece}"

    @cached_property
    def _passages(self) -> list[tuple[int, str]]:
        """The sentences of the documents, each with the number of its document."""
        return [
            (number, sentence.text)
            for number, document in enumerate(self._task.documents, 1)
            for sentence in Document(document, "text").sentences
        ]

    def _passage_with(self, fact: str, text: str) -> tuple[int, str] | None:
        """The sentence of the documents that is most like a passage, among those that have the fact."""
        values = {one.value for one in numerals(fact)}
        best: tuple[float, int, str] | None = None
        for number, passage in self._passages:
            has_it = fact in passage or (bool(values) and values <= {one.value for one in numerals(passage)})
            if fact and not has_it:
                continue
            likeness = similarity(text, passage)
            if (fact or likeness >= _SUPPORTED) and (best is None or likeness > best[0]):
                best = likeness, number, passage
        return None if best is None else best[1:]


class _Facts:
    """The facts of a whole text, as far as they are asked for."""

    def __init__(self, text: str, task: Task) -> None:
        self.text = text
        self._task = task

    @cached_property
    def numbers(self) -> Counter[_Value]:
        return Counter(one.value for one in numerals(_NUMBERED.sub("", self.text)))

    @cached_property
    def times(self) -> frozenset[int]:
        """Minutes after twelve."""
        clock = (60 * int(one["hour"]) + int(one["minute"]) for one in _CLOCK.finditer(self.text))
        return frozenset((*_told_times(self.text).values(), *(time % _HALF_A_DAY for time in clock)))

    @cached_property
    def words(self) -> str:
        return _spoken(self.text)

    @cached_property
    def pieces(self) -> Counter[str]:
        return Counter(mask(self.text, self._task.format).pieces)


def _told_times(text: str) -> dict[str, int]:
    """The times that are said in words, each in minutes after twelve: "ten to one" is 50."""
    found = {}
    for one in _TOLD_TIME.finditer(text):
        minutes = {"half": 30, "quarter": 15}.get(one["minutes"].lower().removeprefix("a ")) or sum(
            CARDINALS[word] for word in re.split("[- ]", one["minutes"].lower())
        )
        hour = 60 * int(CARDINALS[one["hour"].lower()])
        found[one[0]] = (hour + (minutes if one["way"].lower() == "past" else -minutes)) % _HALF_A_DAY
    return found


def _opens_as_word(name: str, text: str) -> bool:
    """Whether a name is only a word that opens a sentence."""
    if not name or " " in name:
        return False
    opening = any(sentence.text.startswith(name) for sentence in Document(text, "text").sentences)
    tags = {word.tag for word in tagged(text) if word.text == name}
    return opening and not tags & {"NN", "NNP", "NNPS"}


def _spoken(text: str) -> str:
    return " ".join(_WORDS.findall(text.lower()))


def _quotations(text: str) -> list[str]:
    """The words of each quotation that is somebody's."""
    found = (_spoken(quoted.text) for quoted in quotations(text))
    return [words for words in found if len(words.split()) >= _LEAST_QUOTED]
