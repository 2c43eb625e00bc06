"""Named parts of the text: those that stay or alone change, and how long one of them may be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from redraft.constraints.base import (
    Bounds,
    Constraint,
    Demand,
    Finding,
    Impossible,
    Keeps,
    PartBounds,
    Phrased,
)
from redraft.constraints.bounds import (
    Interval,
    Relation,
    bounded,
    correction,
    interval,
    plural,
    settle,
    wording,
)
from redraft.constraints.counting import Reading, plain
from redraft.constraints.kinds.sentences import name_sentences
from redraft.errors import CallError
from redraft.text import (
    Document,
    Heading,
    Sentence,
    Span,
    count_words,
    find_code,
    find_equations,
    find_greeting,
    find_headings,
    find_items,
    find_quotations,
    find_section,
    find_signature,
    find_title,
    prose_paragraphs,
    quoted_sentences,
)

_FINDERS: Final[Mapping[str, Callable[[Document], Sequence[Span]]]] = {
    "headings": lambda document: [
        Span(one.sentence.start, one.sentence.end) for one in find_headings(document)
    ],
    "bullets": find_items,
    "greeting": find_greeting,
    "signature": find_signature,
    "quotations": find_quotations,
    "equations": find_equations,
    "title": find_title,
    "code": find_code,
}
_WITHIN: Final = ("quotations", "equations", "code")
"""Parts that stand within sentences, of which the rest may change."""
_ALL_OF: Final = (*_WITHIN, "headings", "bullets", "dialogue", "sentences")
"""Parts that a text may have none of: then none of them changes."""
_REGION: Final = (
    r"last paragraph|paragraph (?P<paragraph>[1-9]\d{0,3})|section (?P<section>\S.{0,99})"
    r"|(?P<item>bullet|heading) (?P<nth>[1-9]\d{0,3})"
)
_PART: Final = re.compile(
    rf"(?P<last>last|second-to-last) sentence|last (?P<count>\d{{1,4}}) sentences|dialogue|sentences"
    rf"|{'|'.join(_FINDERS)}|{_REGION}"
)
_BOUNDED: Final = re.compile(rf"title|{_REGION}")
_EACH: Final = re.compile(r"each (?P<one>bullet|heading|section)")
_NUMBERED: Final = re.compile(r"sentence ([1-9]\d{0,3})")
_PLACE: Final = re.compile(rf"{_NUMBERED.pattern}|(?:second-to-)?last sentence|title|{_REGION}")
_SPOKEN: Final = re.compile(r"[“”\"„«»]|(?<!\w)[‘']\w.*[’'](?!\w)")


def _spans(part: str, document: Document) -> Sequence[Span]:
    """Where a part stands that is no sentence by its number; nowhere if it is not there."""
    if finder := _FINDERS.get(part):
        return finder(document)
    match = _PART.fullmatch(part)
    assert match is not None
    if match["item"]:
        number = int(match["nth"])
        return _FINDERS[f"{match['item']}s"](document)[number - 1 : number]
    paragraphs = prose_paragraphs(document)
    if match["section"]:
        return find_section(document, match["section"]) or _unnamed(match["section"], document, paragraphs)
    number = int(match["paragraph"] or len(paragraphs))
    return paragraphs[number - 1 : number]


def part_spans(part: str, document: Document) -> Sequence[Span]:
    """Where a part stands, which may be a sentence by its number; nowhere if it is not there.

    >>> part_spans("sentence 2", Document("It rained. We left."))
    [Span(start=11, end=19)]
    """
    counted = [one for one in document.sentences if not one.aside]
    if number := _NUMBERED.fullmatch(part):
        counted = counted[int(number[1]) - 1 : int(number[1])]
    elif part == "last sentence":
        counted = counted[-1:]
    elif part == "second-to-last sentence":
        counted = counted[-2:-1]
    else:
        return _spans(part, document)
    return [Span(one.start, one.end) for one in counted]


def is_place(part: str) -> bool:
    """Whether something can be asked for in a part alone, and nowhere else."""
    return bool(_PLACE.fullmatch(part))


_OPENINGS: Final = ("introduction", "intro", "opening", "beginning")
_CLOSINGS: Final = ("conclusion", "conclusions", "ending", "closing")


def _unnamed(section: str, document: Document, paragraphs: Sequence[Span]) -> Sequence[Span]:
    """A section that no heading has the name of: by its number, or by where it stands in the text."""
    name = section.lower()
    headings = _headings(document)
    if headings and name.isdecimal():
        named = _of_sections(headings)[int(name) - 1 : int(name)]
        return find_section(document, named[0].sentence.text) if named else ()
    if name in _OPENINGS:
        called = (find_section(document, other) for other in _OPENINGS)
        return next(filter(None, called), () if headings else paragraphs[:1])
    return paragraphs[-1:] if name in _CLOSINGS and not headings else ()


def _headings(document: Document) -> list[Heading]:
    """The headings but for the title."""
    titled = find_title(document)
    return [one for one in find_headings(document) if not any(_covers(t, one.sentence) for t in titled)]


def _of_sections(headings: Sequence[Heading]) -> list[Heading]:
    """The headings of the sections that have a number."""
    return [one for one in headings if one.level == min(other.level for other in headings)]


def _absent(part: str, document: Document) -> str:
    """Why a part cannot be checked."""
    if part.startswith("section"):
        names = [f"“{' '.join(one.sentence.text.split())}”" for one in find_headings(document)]
        has = f"the headings are {', '.join(names)}" if names else "the text has no headings"
        return f"{part} is named, but {has}"
    if "paragraph" in part:
        count = plural(len(prose_paragraphs(document)), "paragraph")
        return f"{part} is named, but the text has {count} and no such part"
    if each := _EACH.fullmatch(part):
        return f"{part} is named, but the text has no {each['one']}s"
    if item := re.fullmatch(r"(bullet|heading) \d+", part):
        count = plural(len(_FINDERS[f"{item[1]}s"](document)), item[1])
        return f"{part} is named, but the text has {count} and no such part"
    return f"{part} {'are' if part.endswith('s') else 'is'} named, but the text has none"


@dataclass(frozen=True)
class Parts(Constraint):
    """Parts of the original stay word for word ("unchange"), or nothing but them changes ("change").

    A part is "last sentence", "second-to-last sentence", "last 2 sentences", "paragraph 2", "last
    paragraph", "section Methods", "title", "headings", "bullets", "greeting", "signature", "dialogue",
    "quotations", "equations", "code" or "sentences", which are all of them.
    """

    parts: tuple[str, ...]
    relation: Literal["change", "unchange"]

    name = "parts_check"

    def __post_init__(self) -> None:
        for part in self.parts:
            if not _PART.fullmatch(part):
                known = ", ".join(f'"{name}"' for name in _FINDERS)
                raise CallError(
                    f'{self.name}: no part "{part}"; known are "last sentence", "second-to-last sentence",'
                    f' "last 2 sentences", "paragraph 2", "last paragraph", "section Methods", "dialogue",'
                    f" {known}"
                )
        if not self.parts:
            raise CallError(f"{self.name}: name at least one part")

    @property
    def needs_original(self) -> bool:
        """The parts are the original's."""
        return True

    def missing(self, original: Reading) -> str | None:
        """Why a part cannot be checked, if it is not there."""
        for part in self.parts:
            if self.relation == "unchange" and part in _ALL_OF:
                continue
            sentences, stretches = _found(part, original)
            if not sentences and not stretches:
                return _absent(part, original.document)
        return None

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Look for what stays; the distance is how much of it is gone."""
        if original is None:
            raise CallError(f"{self.call} needs the original text")
        wanted = f"{', '.join(self.parts)} {'unchanged' if self.relation == 'unchange' else 'alone changed'}"
        if reason := self.missing(original):
            return Finding(self, False, [], wanted, reason, float(len(self.parts)))
        changed = revised.changed(self.kept(original))
        lost = [
            f"“{one}”"
            for one, low in self.stretches(original).items()
            if plain(revised.text).count(one) < low
        ]
        problems = [f"{name_sentences(changed)} changed"] if changed else []
        problems += [f"{', '.join(lost[:3])} changed"] if lost else []
        none = [part for part in self.parts if part in _ALL_OF and not any(_found(part, original))]
        message = "; ".join(problems) or wanted + f" (the text has no {', '.join(none)})" * bool(none)
        wrong = [sentence.counted for sentence in changed]
        spans = self._spans_of_new(original, revised) if changed else ()
        return Finding(self, not problems, wrong, wanted, message, float(len(changed) + len(lost)), spans)

    def _spans_of_new(self, original: Reading, revised: Reading) -> tuple[Span, ...]:
        """What stands in the revision where nothing new should."""
        old = {plain(sentence.text) for sentence in self.kept(original)}
        new = [sentence for sentence in self.kept(revised) if plain(sentence.text) not in old]
        return tuple(Span(sentence.start, sentence.end) for sentence in new)

    def kept(self, original: Reading) -> tuple[Sentence, ...]:
        """The sentences that stay."""
        named = {one.number for part in self.parts for one in _found(part, original)[0]}
        if self.relation == "unchange":
            return tuple(one for one in original.sentences if one.number in named)
        within = [span for part in self.parts for span in _found(part, original)[1]]
        return tuple(
            one
            for one in original.sentences
            if one.number not in named
            and not any(span.start < one.end and one.start < span.end for span in within)
        )

    def stretches(self, original: Reading) -> dict[str, int]:
        """What stays within sentences that may change, and between them, and how often it is there."""
        spans = [span for part in self.parts for span in _found(part, original)[1]]
        whole = plain(original.text)
        texts = [plain(original.text[span.start : span.end]) for span in spans]
        return {text: whole.count(text) for text in texts if text} if self.relation == "unchange" else {}

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The sentences that stand."""
        if original is None:
            return
        reason = self.missing(original)
        yield Impossible(reason) if reason else Keeps(self.kept(original))

    def phrasings(self) -> list[str]:
        """English imperatives."""
        listed = _joined([named_part(part) for part in self.parts])
        if self.relation == "change":
            return [f"Only change {listed}."]
        if "sentences" in self.parts:  # "do not change every sentence" would be something else
            return [f"Keep {listed} unchanged."]
        return [f"Do not change {listed}.", f"Keep {listed} unchanged."]


def _found(part: str, original: Reading) -> tuple[list[Sentence], list[Span]]:
    """The sentences of a part, and the stretches of it that are no whole sentences."""
    match = _PART.fullmatch(part)
    assert match is not None
    if part == "sentences":
        return list(original.sentences), []
    if part == "dialogue":
        quoted = quoted_sentences(original.document)
        return [one for one in original.sentences if one.text in quoted or _SPOKEN.search(one.text)], []
    if match["last"] or match["count"]:
        last = -2 if match["last"] == "second-to-last" else -int(match["count"] or 1)
        counted = original.counted
        return list(counted[last : last + 1] if match["last"] == "second-to-last" else counted[last:]), []
    spans = list(_spans(part, original.document))
    if part in _WITHIN:
        return [], spans
    if part in ("greeting", "title"):  # they may stand within a sentence, or where none is
        loose = [span for span in spans if not any(_covers(span, one) for one in original.sentences)]
        spans = [span for span in spans if span not in loose]
    else:
        loose = []
    inside = [one for one in original.sentences if any(span.start <= one.start < span.end for span in spans)]
    return inside, loose


def _covers(span: Span, sentence: Sentence) -> bool:
    return span.start <= sentence.start and sentence.end <= span.end


def named_part(part: str) -> str:
    """A part as a sentence names it: "the last paragraph", "paragraph 2", "the Methods section"."""
    if part == "sentences":
        return "every sentence"
    if part.startswith("section "):
        return f"the {part.removeprefix('section ')} section"
    own_name = ("paragraph", "sentence ", "bullet ", "heading ", "each ")
    return part if part.startswith(own_name) else f"the {part}"


def _joined(items: Sequence[str]) -> str:
    return f"{', '.join(items[:-1])} and {items[-1]}" if len(items) > 1 else items[0]


Unit = Literal["words", "sentences", "characters", "percent"]
_ALL_WORDS: Final = 100


@dataclass(frozen=True)
class PartLength(Phrased):
    """A named part of the text has fewer, more or exactly so many words, sentences or characters.

    A part is "paragraph 2", "last paragraph", "section Methods", "title", "bullet 2" or "heading 2"; "each
    bullet", "each heading" and "each section" are all of them, one by one. A number of "percent" is of the
    words that the part has in the original.
    """

    part: str
    count: int
    unit: Unit
    relation: Relation

    name = "part_length_check"

    def __post_init__(self) -> None:
        if not self.bounds(self.part):
            raise CallError(
                f'{self.name}: no part "{self.part}"; known are "paragraph 2", "last paragraph",'
                ' "section Methods", "title", "bullet 2", "heading 2", "each bullet", "each heading" and'
                ' "each section"'
            )
        settle(self, "count")
        if self.unit == "percent" and _EACH.fullmatch(self.part):
            raise CallError(f"{self.name}: give percent of one part")
        if self.unit == "percent" and self.relation == "equal":
            raise CallError(f'{self.name}: give percent with "at most" or "at least"')

    @staticmethod
    def bounds(part: str) -> bool:
        """Whether a part of this name can have a length."""
        return (_BOUNDED.fullmatch(part) or _EACH.fullmatch(part)) is not None

    def each(self, document: Document) -> tuple[PartLength, ...]:
        """The same bound for each of the parts that are meant: for one alone where one is named."""
        each = _EACH.fullmatch(self.part)
        if each is None:
            return (self,)
        one = each["one"]
        found = _of_sections(_headings(document)) if one == "section" else _FINDERS[f"{one}s"](document)
        return tuple(replace(self, part=f"{one} {number}") for number in range(1, len(found) + 1))

    @property
    def needs_original(self) -> bool:
        """What a share is of is the original's."""
        return self.unit == "percent"

    def absolute(self, original: Reading) -> PartLength:
        """The same bound as a number of words, where it is a share of those of the original."""
        if self.unit != "percent":
            return self
        has = sum(_amount(original.document, span, "words") for span in self.spans(original.document))
        if self.relation == "less than":
            return PartLength(self.part, has * (self.count - 1) // _ALL_WORDS + 1, "words", "less than")
        least = math.ceil(has * (self.count + 1) / _ALL_WORDS)
        return PartLength(self.part, max(least - 1, 0), "words", "more than")

    @property
    def allowed(self) -> Interval:
        """What the part may have."""
        return interval(self.count, self.relation)

    def spans(self, document: Document) -> Sequence[Span]:
        """Where the part stands; nowhere if it is not there."""
        if _EACH.fullmatch(self.part):
            return [span for one in self.each(document) for span in one.spans(document)]
        return _spans(self.part, document)

    def measure(self, document: Document) -> int:
        """What the part has; 0 where it is not there."""
        return sum(_amount(document, span, self.unit) for span in self.spans(document))

    def check(self, original: Reading | None, revised: Reading) -> Finding:
        """Compare the part with the bound."""
        if self.unit == "percent":
            if original is None:
                raise CallError(f"{self.call} needs the original text")
            return replace(self.absolute(original).check(original, revised), constraint=self)
        if _EACH.fullmatch(self.part):
            return self._check_each(revised)
        document, one = revised.document, self.unit.removesuffix("s")
        wanted = f"{wording(self.count, self.relation, one)} in {named_part(self.part)}"
        spans = tuple(self.spans(document))
        measured = self.measure(document)
        distance = self.allowed.distance(measured)
        if not spans:
            return Finding(self, False, 0, wanted, _absent(self.part, document), max(distance, 1.0))
        opening = " ".join(document.text[spans[0].start : spans[0].end].split()[:4])
        message = f"{named_part(self.part)} (“{opening} …”) has {plural(measured, one)}; wanted {wanted}"
        if not distance:
            return Finding(self, True, measured, wanted, message)
        message += f": {correction(self.count, self.relation, measured, ('add', 'cut'))}"
        return Finding(self, False, measured, wanted, message, distance, spans)

    def _check_each(self, revised: Reading) -> Finding:
        """Compare every part of a kind with the bound; the distance is what is off, all together."""
        document, one = revised.document, self.unit.removesuffix("s")
        wanted = f"{wording(self.count, self.relation, one)} in {self.part}"
        parts = self.each(document)
        if not parts:
            return Finding(self, True, [], wanted, f"{wanted} ({_absent(self.part, document)})")
        counts = [part.measure(document) for part in parts]
        off = [place for place, count in enumerate(counts) if self.allowed.distance(count)]
        if not off:
            return Finding(self, True, counts, wanted, f"wanted, and found: {wanted}")
        named = ", ".join(f"{parts[place].part} has {plural(counts[place], one)}" for place in off[:3])
        named += f" and {len(off) - 3} more" * (len(off) > 3)
        distance = sum(self.allowed.distance(counts[place]) for place in off)
        spans = tuple(span for place in off for span in parts[place].spans(document))
        return Finding(self, False, counts, wanted, f"{named}; wanted {wanted}", distance, spans)

    def demands(self, original: Reading | None) -> Iterable[Demand]:
        """The interval, and that the whole text has at least as much as a part of it must."""
        if self.unit == "percent":
            yield from self.absolute(original).demands(original) if original is not None else ()
            return
        if _EACH.fullmatch(self.part):
            for one in self.each(original.document) if original is not None else ():
                yield PartBounds(one.part, self.unit, self.allowed)
            return
        yield PartBounds(self.part, self.unit, self.allowed)
        least = self.allowed.low
        if least > 0 and original is not None and original.counting == "default" and self.part != "title":
            yield Bounds(self.unit, Interval(low=least))

    def phrasings(self) -> list[str]:
        """English imperatives."""
        named = named_part(self.part)
        if self.unit == "percent":
            change = self.count - 1 if self.relation == "less than" else self.count + 1
            verb = "Shorten" if self.relation == "less than" else "Expand"
            return [f"{verb} {named} by {abs(_ALL_WORDS - change)} percent."]
        bounds = bounded(self.count, self.relation, self.unit.removesuffix("s"))
        said = named[0].upper() + named[1:]
        return [
            *(f"{said} should have {bound}." for bound in bounds),
            *(f"There should be {bound} in {named}." for bound in bounds),
        ]


def _amount(document: Document, span: Span, unit: Unit) -> int:
    inside = [one for one in document.sentences if span.start <= one.start < span.end]
    if unit == "characters":
        return len(document.text[span.start : span.end].replace("\r\n", "\n"))
    if unit == "sentences":
        return len(inside) or 1
    if not inside:  # a title in LaTeX's preamble is no sentence
        return count_words(document.text[span.start : span.end])
    return sum(document.word_counts[one.number - 1] for one in inside)
