"""The task of a revision: the text, its constraints, and what a stretch of text counts towards them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations
from typing import Final

from redraft.constraints import (
    FINDERS,
    SCORES,
    Bounds,
    Changes,
    Commands,
    Constraint,
    Demand,
    EndsWith,
    Exact,
    Findings,
    Instruction,
    Interval,
    Keeps,
    Keyword,
    KeywordFrequency,
    Lacks,
    ListForm,
    Marks,
    Matches,
    NarrativeTense,
    NotOpening,
    Occurs,
    Openings,
    ParagraphLength,
    PartLength,
    Parts,
    PassiveVoice,
    PersonUse,
    Preserve,
    Reading,
    RelativeLength,
    Replacement,
    RightForm,
    SentenceCount,
    SentenceModification,
    StartsWith,
    UniqueSentences,
    conform,
    find_scope,
    infeasible,
    is_form,
    matched,
    read,
    render,
    sentence_key,
    spared_by,
)
from redraft.editor import Kind, kind_of, wished_controls
from redraft.revision.short_sentences import fewer_short_sentences
from redraft.revision.tuning import SHORTER_PART
from redraft.text import (
    FORMS,
    FORMULAS,
    Document,
    Format,
    Opening,
    Person,
    RuleFinder,
    Sentence,
    Tense,
    banned_openings,
    count_amounts,
    find_marks,
    free_marks,
    is_english,
    is_told_in_dialogue,
    quoted_sentences,
    repeated_openings,
    spellings,
)

FORM_KINDS: Final = (Commands, ListForm, NarrativeTense, PassiveVoice, PersonUse)
"""What is asked of the form of sentences: no sentence is left out or broken for it."""
_LETTER: Final = re.compile(r"[^\W\d_]")
_ENDED: Final = re.compile(r"[.!?]\Z")
_NO_MORE: Final = re.compile(
    r"(?i)\W*(?:(?:please|kindly|can you|could you)\W+)?(?:improve|polish|edit|revise|better|make)?"
    r"(?:\W+(?:it|this|that|the|my|text|draft|paragraph|writing|passage|better|where|needed|necessary))*\W*"
)
"""What an instruction says that asks for a better text and nothing else."""
GOALS: Final = ("simplify", "paraphrase", "neutralise", "update")
"""Kinds of edit that are a goal of their own: a sentence may be rewritten with nothing wrong in it."""
_FORMULAS: Final = {"grade": "flesch-kincaid"}
"""The formulas that a quantity does not have its name from."""
_FORBIDDEN_COST: Final = 25.0
"""What a fault that no amount of good text outweighs counts for."""
_SHORTER: Final = re.compile(
    r"(?i)\b(?:shorten|shorter|abridge|condense|cut (?:it )?(?:down|back)|too (?:long|wordy))\b"
)
_MOST_DROPPED: Final = 4
"""Constraints that are given up together, at most: beyond that the search is for nobody."""

_SAID: Final = r"(?:quot(?:e|ation)s?|dialogues?|direct speech)"
_QUOTED: Final = re.compile("quotations|dialogue")
_QUOTES_TOO: Final = re.compile(
    rf"(?i)\b{_SAID},? (?:too|as well|also)\b"
    rf"|\b(?:also|even|including|incl\.?)(?: (?:those |the ones )?(?:in|inside|within))?"
    rf" (?:the |my |all |any )?{_SAID}\b"
)
"""A wish to have what somebody is quoted with changed, too."""


@dataclass(frozen=True, slots=True)
class Total:
    """Something that adds up over the text, or over a part of it, and how much of it there may be."""

    allowed: Interval
    amount: Callable[[str], float]
    """What a stretch of text adds."""
    part: PartLength | None = None
    """The bound on the part that it is counted in alone."""


class Task:
    """A text, the constraints on its revision, and the rest of the instruction.

    Sentences and words are what the counting convention says they are.
    """

    def __init__(
        self,
        original: str,
        constraints: Sequence[Constraint] = (),
        *,
        instruction: str = "",
        style: str = "",
        counting: str = "default",
        format: Format = "text",
        documents: Sequence[str] = (),
    ) -> None:
        self.original = original
        self.constraints = tuple(dict.fromkeys(constraints))
        self.instruction = instruction
        self.style = style
        self.counting = counting
        self.format: Format = format
        self.documents = tuple(documents)
        self.reworded: frozenset[str] = frozenset()
        """Passages in which phrases gave way as was wished: the editor is not asked for it again."""
        self.before = read(original, counting, format)
        self.before.spared = spared_by(self.constraints, self.before)
        self._readings: dict[str, Reading] = {}
        self._faults: dict[str, float] = {}
        self._conformed: dict[str, tuple[str, list[tuple[str, str]]]] = {}

    @classmethod
    def of(
        cls,
        original: str,
        instruction: Instruction | None,
        constraints: Iterable[Constraint] = (),
        *,
        counting: str = "default",
        format: Format = "text",
        documents: Sequence[str] = (),
    ) -> Task:
        """The task of an instruction in plain English, with further constraints."""
        style = instruction.style if instruction else ""
        given = (*(instruction.constraints if instruction else ()), *constraints)
        if not any(isinstance(one, SentenceCount) for one in given):
            joined = fewer_short_sentences(style, partial(read, original, counting, format))
            given = (*given, joined) if joined else given
        given = (*given, *_scope(style, given, read(original, counting, format)))
        return cls(
            original,
            given,
            instruction=instruction.text if instruction else "",
            style=style,
            counting=counting,
            format=format,
            documents=documents,
        )

    def without(self, constraint: Constraint) -> Task:
        """The same task with one constraint less."""
        return self._but(self.original, [other for other in self.constraints if other is not constraint])

    def on(self, original: str) -> Task:
        """The same task on another text."""
        return self._but(original, [self._absolute(one) for one in self.constraints])

    def asking(self, style: str) -> Task:
        """The same task with something else asked for beside its constraints."""
        return Task(
            self.original,
            self.constraints,
            instruction=style,
            style=style,
            counting=self.counting,
            format=self.format,
            documents=self.documents,
        )

    def _absolute(self, constraint: Constraint) -> Constraint:
        """A constraint that does not depend on the length of the original."""
        if isinstance(constraint, RelativeLength | PartLength):
            return constraint.absolute(self.before)
        return constraint

    def _but(self, original: str, constraints: Sequence[Constraint]) -> Task:
        return Task(
            original,
            constraints,
            instruction=self.instruction,
            style=self.style,
            counting=self.counting,
            format=self.format,
            documents=self.documents,
        )

    @property
    def request(self) -> str:
        """The task in words for a model that is told of it."""
        return self.instruction or f"Improve the text. {render(self.constraints)}".strip()

    @property
    def kind(self) -> Kind:
        """What kind of edit the words of the instruction ask for, those of the constraints left out."""
        return kind_of(self.style if self.constraints else self.style or self.instruction)

    @cached_property
    def corrects_quotations(self) -> bool:
        """Whether errors are also to be mended in what somebody is quoted with."""
        return self.kind == "correct" and _QUOTES_TOO.search(self.instruction) is not None

    def changes_quoted(self, mark: str) -> bool:
        """Whether a mark may go from what is quoted: that is asked for, or it is a story's own dialogue."""
        if any(isinstance(one, Parts | Preserve) and _QUOTED.search(one.call) for one in self.constraints):
            return False
        if _QUOTES_TOO.search(self.instruction):
            return mark not in FORMS
        return not is_form(mark) and is_told_in_dialogue(self.original)

    @cached_property
    def wishes(self) -> tuple[str, ...]:
        """The controls of the editor that the rest of the instruction asks for."""
        return wished_controls(self.style)

    def is_reworded(self, text: str) -> bool:
        """Whether a passage has the words that were wished for already."""
        return any(one in text or text in one for one in self.reworded)

    @property
    def is_goal(self) -> bool:
        """Whether a sentence may be rewritten with nothing wrong in it, for what the instruction asks."""
        return self.kind in GOALS or bool(self.wishes)

    @property
    def is_open(self) -> bool:
        """Whether no more is asked for than a better text: a good one has then nothing to mend."""
        return self.kind == "improve" and bool(_NO_MORE.fullmatch(self.style))

    @property
    def is_bounds_alone(self) -> bool:
        """Whether nothing but constraints is asked for: what obeys them is the writer's own affair."""
        return bool(self.constraints and self.instruction) and not _LETTER.search(self.style)

    @property
    def is_by_need(self) -> bool:
        """Whether it does not matter how each sentence reads: those that break a bound, or have an error, are
        worked on, and no others."""
        return self.is_bounds_alone or self.kind == "correct"

    @cached_property
    def is_english(self) -> bool:
        """Whether our rules know the language of the text, or nobody can tell which it is."""
        return is_english(self.original)

    def check(self, text: str) -> Findings:
        """What checking the constraints gives."""
        findings = tuple(constraint.check(self.before, self.read(text)) for constraint in self.constraints)
        return Findings(findings, self.counting)

    def read(self, text: str) -> Reading:
        """A stretch of text by itself, as the convention sees it."""
        if text not in self._readings:
            self._readings[text] = read(text, self.counting, self.format)
            self._readings[text].spared = self.before.spared
        return self._readings[text]

    @cached_property
    def demands(self) -> tuple[Demand, ...]:
        """What any text must have that meets the constraints."""
        return tuple(demand for constraint in self.constraints for demand in constraint.demands(self.before))

    def bounds(self, quantity: str) -> Interval:
        """What the constraints leave of a quantity, all together."""
        found = [d.allowed for d in self.demands if isinstance(d, Bounds) and d.quantity == quantity]
        if quantity == "sentences":  # a paragraph has one at least
            found.append(Interval(low=self.bounds("paragraphs").low))
        return Interval(
            max((one.low for one in found), default=Interval().low),
            min((one.high for one in found), default=Interval().high),
        )

    @cached_property
    def scores(self) -> dict[str, Interval]:
        """The scores of readability that are bounded, by their formulas, and what they may be."""
        bounded = {d.quantity: self.bounds(d.quantity) for d in self.demands if isinstance(d, Bounds)}
        return {_FORMULAS.get(name, name): one for name, one in bounded.items() if name in SCORES}

    @cached_property
    def lengths(self) -> Interval:
        """The words that a sentence may have."""
        return self.bounds("words in a sentence")

    @cached_property
    def banned(self) -> tuple[str, ...]:
        """Keywords that may not occur."""
        zero = [d.keyword for d in self.demands if isinstance(d, Occurs) and d.allowed.high <= 0]
        return tuple(dict.fromkeys([d.keyword for d in self.demands if isinstance(d, Lacks)] + zero))

    @cached_property
    def frequencies(self) -> dict[str, Interval]:
        """How often a keyword may occur."""
        found: dict[str, Interval] = {}
        for demand in self.demands:
            if isinstance(demand, Occurs):
                known = found.get(demand.keyword, Interval())
                low, high = max(known.low, demand.allowed.low), min(known.high, demand.allowed.high)
                found[demand.keyword] = Interval(low, high)
        return found

    @property
    def replacements(self) -> tuple[Replacement, ...]:
        """The words that are asked for in the place of others."""
        return tuple(one for one in self.constraints if isinstance(one, Replacement))

    @cached_property
    def marks(self) -> dict[str, Interval]:
        """How often a mark may stand where a revision can change it: what is quoted or in a table stays."""
        found: dict[str, Interval] = {}
        view, is_fixed = self.before.document.words_view, self.before.document.is_in_table
        for demand in self.demands:
            if isinstance(demand, Marks):
                quoted = self.changes_quoted(demand.mark)
                free = [
                    one for one in free_marks(view, demand.mark, quoted=quoted) if not is_fixed(one.start)
                ]
                fixed = len(find_marks(view, demand.mark)) - len(free)
                known = found.get(demand.mark, Interval())
                # No rule sets a mark, and none makes a question into a statement: nothing is broken for that.
                low = min(demand.allowed.low - fixed, len(free))
                high = Interval().high if demand.mark == "question mark" else demand.allowed.high - fixed
                found[demand.mark] = Interval(max(known.low, low), min(known.high, max(high, 0)))
        return found

    @cached_property
    def part_lengths(self) -> tuple[PartLength, ...]:
        """The bounds on named parts of the text, in numbers."""
        bounds = (one for one in self.constraints if isinstance(one, PartLength))
        return tuple(part for one in bounds for part in one.absolute(self.before).each(self.before.document))

    def measure(self, total: Total, text: str) -> float:
        """What a whole text has of a total."""
        return total.amount(text) if total.part is None else total.part.measure(self.read(text).document)

    @cached_property
    def banned_marks(self) -> tuple[str, ...]:
        """Marks that may not be there."""
        return tuple(mark for mark, allowed in self.marks.items() if allowed.high == 0)

    def marked(self, text: str) -> tuple[str, ...]:
        """The marks of a stretch that may not be there, and can be changed."""
        return tuple(mark for mark in self.banned_marks if self.count_marks(text, mark))

    def count_marks(self, text: str, mark: str) -> int:
        """How often a mark stands in a stretch where it can be changed."""
        if mark in FORMS and text in self._quoted:
            return 0
        reading = self.read(text)
        found = free_marks(reading.document.view, mark, quoted=self.changes_quoted(mark))
        if found and mark in self.banned_marks:
            found = reading.without_spared(found, numbered=is_form(mark))
        return len(found)

    @cached_property
    def kept(self) -> tuple[Sentence, ...]:
        """The sentences of the original that stay word for word."""
        found = {s.number: s for d in self.demands if isinstance(d, Keeps) for s in d.sentences}
        found |= {sentence.number: sentence for sentence in self._outside_parts}
        return tuple(found[number] for number in sorted(found))

    @cached_property
    def _outside_parts(self) -> tuple[Sentence, ...]:
        """What stands outside of the parts that a bound is for, where nothing else is asked for."""
        if not self.part_lengths or self.style:
            return ()
        if not all(isinstance(one, PartLength | Parts) for one in self.constraints):
            return ()
        spans = [span for part in self.part_lengths for span in part.spans(self.before.document)]
        return tuple(
            sentence
            for sentence in self.before.sentences
            if not any(span.start <= sentence.start < span.end for span in spans)
        )

    @cached_property
    def altered(self) -> tuple[Sentence, ...]:
        """The sentences of the original that must be said in another way, repeats included where none may be.

        Not those in which a rule only changes a word's spelling, or a mark.
        """
        rewritten = (one for one in self.constraints if not isinstance(one, Exact))
        demands = (demand for one in rewritten for demand in one.demands(self.before))
        found = {s.number: s for d in demands if isinstance(d, Changes) for s in d.sentences}
        found |= {s.number: s for s in self.repeats}
        return tuple(found[number] for number in sorted(found))

    @property
    def unique(self) -> bool:
        """Whether no sentence may be said twice."""
        return any(isinstance(constraint, UniqueSentences) for constraint in self.constraints)

    @property
    def varied(self) -> bool:
        """Whether no two sentences in a row may begin with the same word."""
        return any(isinstance(constraint, Openings) for constraint in self.constraints)

    @cached_property
    def is_by_sentence(self) -> bool:
        """Whether each sentence obeys or not by itself, whatever becomes of the others."""
        together = self.totals or self.scores or self.required_ends or self.varied or self.unique
        parted = any(isinstance(one, ParagraphLength) for one in self.constraints)
        return not (together or parted or self.bounds("paragraphs") != Interval())

    @cached_property
    def repeats(self) -> tuple[Sentence, ...]:
        """The sentences of the original that say an earlier one again, where none may."""
        found: list[Sentence] = []
        seen: set[str] = set()
        for sentence in self.before.sentences if self.unique else ():
            key = sentence_key(sentence.text)
            if key in seen:
                found.append(sentence)
            seen.add(key)
        return tuple(found)

    @cached_property
    def required_ends(self) -> dict[str, str]:
        """What the text must start and end with, in the words of the longest such constraint."""
        found: dict[str, str] = {}
        for constraint in sorted(self.constraints, key=lambda one: len(getattr(one, "text", ""))):
            if isinstance(constraint, StartsWith | EndsWith):
                found["start" if isinstance(constraint, StartsWith) else "end"] = constraint.text
        return found

    @cached_property
    def _forbidden(self) -> tuple[str, ...]:
        return tuple(d.pattern for d in self.demands if isinstance(d, Matches) and not d.somewhere)

    @cached_property
    def totals(self) -> tuple[Total, ...]:
        """All that adds up and is bounded."""
        found = [
            Total(self.bounds("words"), lambda text: self.read(text).words),
            Total(self.bounds("sentences"), lambda text: len(self.read(text).sentences)),
            Total(self.bounds("characters"), len),
        ]
        for keyword, allowed in self.frequencies.items():
            found.append(Total(self._in_sentences(keyword, allowed), self._occurrences(keyword)))
        for mark, allowed in self.marks.items():
            if mark not in self.banned_marks:
                found.append(Total(allowed, partial(self.count_marks, mark=mark)))
        for part in self.part_lengths:
            allowed = Interval(max(part.allowed.low, 1), part.allowed.high)  # a part that is named stays
            found.append(Total(allowed, partial(self._size, unit=part.unit), part))
        for constraint in self.constraints:
            if isinstance(constraint, Parts):
                found += self._stretches(constraint)
            elif isinstance(constraint, Preserve) and constraint.what in FINDERS:
                found += self._preserved(constraint.what)
            elif isinstance(constraint, Preserve):
                for name in dict.fromkeys(entity.text for entity in RuleFinder().find(self.original)):
                    found.append(Total(self._in_sentences(name, Interval(1)), self._occurrences(name)))
        for demand in self.demands:
            if isinstance(demand, Matches) and demand.somewhere:
                found.append(Total(Interval(low=1), _matches(demand.pattern)))
        return tuple(total for total in found if total.allowed != Interval())

    def _in_sentences(self, keyword: str, allowed: Interval) -> Interval:
        """How often the sentences may have a keyword: what stands in a table stays."""
        spans, is_fixed = self.before.occurrences(keyword), self.before.document.is_in_table
        fixed = sum(is_fixed(span.start) for span in spans)
        return Interval(max(allowed.low - fixed, 0), max(allowed.high - fixed, 0)) if fixed else allowed

    def _occurrences(self, keyword: str) -> Callable[[str], float]:
        return lambda text: len(self.read(text).occurrences(keyword))

    def _size(self, text: str, unit: str) -> float:
        document = self.read(text).document
        sizes = {"words": document.words, "sentences": len(document.sentences), "characters": len(text)}
        return sizes[unit]

    def _stretches(self, constraint: Parts) -> list[Total]:
        """What must stay within the sentences: what stands between them does."""

        def amount(stretch: str) -> Callable[[str], float]:
            return lambda text: " ".join(text.split()).count(stretch)

        found: list[Total] = []
        for stretch in constraint.stretches(self.before):
            count = sum(amount(stretch)(sentence.text) for sentence in self.before.sentences)
            found += [Total(Interval(low=count), amount(stretch))] if count else []
        return found

    def _preserved(self, what: str) -> list[Total]:
        finder = FINDERS[what]
        counts = Counter(found.value for found in finder(self.original))

        def amount(value: str) -> Callable[[str], float]:
            return lambda text: sum(found.value == value for found in finder(text))

        return [Total(Interval(low=count), amount(value)) for value, count in counts.items()]

    def forbidden(self, text: str) -> list[str]:
        """What a stretch has that a pattern forbids."""
        return [text[span.start : span.end] for one in self._forbidden for span in matched(one, text)]

    def reading_amounts(self, text: str, formula: str) -> tuple[int, ...]:
        """What a formula of readability counts in a stretch: words, sentences and more."""
        document = Document(text, self.format)
        words, sentences = spellings(document.view), max(len(document.sentences), 1)
        return count_amounts(words, sentences, FORMULAS[formula].amounts)

    def fault(self, text: str) -> float:
        """How far a stretch is from what every stretch must be; 0 where nothing is wrong with it."""
        if text not in self._faults:
            self._faults[text] = self._fault(text)
        return self._faults[text]

    def _fault(self, text: str) -> float:
        reading = self.read(text)
        fault = sum(self.lengths.distance(count) for count in reading.sentence_words)
        fault += sum(_FORBIDDEN_COST * len(reading.uses(keyword)) for keyword in self.banned)
        fault += _FORBIDDEN_COST * (len(self.forbidden(text)) + len(self.conform(text)[1]))
        if self.varied:
            fault += len(repeated_openings(reading.document))
        return fault + self.mark_fault(text)

    def mark_fault(self, text: str) -> float:
        """What of that comes of marks, and of how sentences begin: their words may stay."""
        marks = sum(self.count_marks(text, mark) for mark in self.banned_marks)
        return _FORBIDDEN_COST * (marks + len(self.misbegun(text)))

    def misbegun(self, text: str) -> tuple[Opening, ...]:
        """The sentences of a stretch that begin with what none may begin with."""
        return banned_openings(self.read(text).document, self.banned_starts) if self.banned_starts else ()

    @cached_property
    def banned_starts(self) -> tuple[str, ...]:
        """The words that no sentence may begin with."""
        return tuple(word for d in self.demands if isinstance(d, NotOpening) for word in d.words)

    def form_fault(self, text: str) -> float:
        """What of that comes of forms of words: nobody leaves a sentence out to be rid of its passive.

        Nor of its first word.
        """
        forms = sum(self.count_marks(text, mark) for mark in self.banned_marks if mark in FORMS)
        return _FORBIDDEN_COST * (forms + len(self.misbegun(text)))

    @property
    def tense(self) -> Tense | None:
        """The tense that the text is to be put into."""
        return next((one.tense for one in self.constraints if isinstance(one, NarrativeTense)), None)

    @property
    def persons(self) -> frozenset[Person]:
        """The persons that are to come or to go."""
        return frozenset(one.person for one in self.constraints if isinstance(one, PersonUse))

    def conform(self, text: str) -> tuple[str, list[tuple[str, str]]]:
        """A stretch with each word and comma as the conventions want it, and what was replaced by what."""
        if text not in self._conformed:
            exact = [one for one in self.exact if not one.in_place]
            fixed = self._quoted | {one.text for one in self.kept}
            self._conformed[text] = conform(text, exact, self.format, fixed) if exact else (text, [])
        return self._conformed[text]

    @cached_property
    def exact(self) -> tuple[Exact, ...]:
        """The conventions that are asked for."""
        return tuple(one for one in self.constraints if isinstance(one, Exact)) if self.is_english else ()

    def offences_in_place(self, text: str) -> list[RightForm]:
        """What offends in a whole text, where a sentence by itself does not tell."""
        placed = [one for one in self.exact if one.in_place]
        document = Document(text, self.format)
        return [found for one in placed for found in one.offences(document, self._quoted)]

    @cached_property
    def _quoted(self) -> frozenset[str]:
        return quoted_sentences(self.before.document)

    def stands(self, sentence: Sentence, text: str) -> bool:
        """Whether a sentence of the original stands unchanged in a stretch of text."""
        return not self.read(text).changed([sentence])

    def starts(self, text: str) -> bool:
        """Whether a stretch opens as the text must."""
        return StartsWith(self.required_ends["start"]).check(None, self.read(text)).met

    def closes(self, text: str) -> bool:
        """Whether a stretch closes as the text must."""
        return EndsWith(self.required_ends["end"]).check(None, self.read(text)).met

    def ends(self, text: str) -> bool:
        """Whether what follows a stretch starts a sentence of its own, by this convention."""
        return self.counting != "constrev" or _ENDED.search(text) is not None


def _scope(style: str, given: Sequence[Constraint], before: Reading) -> tuple[Constraint, ...]:
    """That nothing but one part changes, where nothing is asked of any other, and how short it becomes."""
    if not all(isinstance(one, Parts | Preserve | SentenceModification) for one in given):
        return ()
    asked = next((one for one in given if getattr(one, "relation", "") == "change"), None)
    scope = asked or find_scope(style)
    if isinstance(scope, Parts) and scope.missing(before) is None:
        shorter = (
            PartLength(part, SHORTER_PART, "percent", "at most")  # type: ignore[arg-type]
            for part in scope.parts
            if _SHORTER.search(style) and PartLength.bounds(part)
        )
        return (*shorter, *(() if asked else (scope,)))
    if asked or not isinstance(scope, SentenceModification) or scope.missing(before) is not None:
        return ()
    others = tuple(one.counted for one in before.counted if one.counted not in scope.sentences)
    return (SentenceModification(others, "unchange"),) if others else ()


def relax_constraints(task: Task) -> Task:
    """The task without what keeps it from being met, where that is a sentence or the contrary of another.

    Any other constraint that gives way stays in the task: it is then met as nearly as the rest allows.
    """
    for count in range(1, min(_MOST_DROPPED, len(task.constraints)) + 1):
        for dropped in combinations(sorted(task.constraints, key=_importance), count):
            rest = [constraint for constraint in task.constraints if constraint not in dropped]
            if infeasible(rest, original=task.original, counting=task.counting, format=task.format) is None:
                for constraint in dropped:
                    if isinstance(constraint, SentenceModification) or _crosses(task, constraint):
                        task = task.without(constraint)
                return task
    return task


def _crosses(task: Task, constraint: Constraint) -> bool:
    """Whether a bound leaves nothing of what another allows: no number is near to both."""
    return any(
        (isinstance(demand, Bounds) and task.bounds(demand.quantity).empty)
        or (isinstance(demand, Occurs) and task.frequencies[demand.keyword].empty)
        for demand in constraint.demands(task.before)
    )


def _importance(constraint: Constraint) -> int:
    """A sentence that must stay before a word that must, and that before a number."""
    if isinstance(constraint, SentenceModification):
        return 2
    return int(isinstance(constraint, Keyword | KeywordFrequency))


def _matches(pattern: str) -> Callable[[str], float]:
    return lambda text: len(matched(pattern, text))
