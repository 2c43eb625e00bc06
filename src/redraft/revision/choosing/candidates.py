"""Candidates that obey the constraints: what can replace a unit, made by rules that need no model.

Only what the constraints call for is made. A candidate that breaks a bound of its own is rewritten further,
sentence by sentence, until it breaks none or nothing is left to try.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Final
from zlib import crc32

from redraft.constraints import Interval
from redraft.revision.choosing.ends import signed_otherwise, with_required_ends
from redraft.revision.choosing.needs import Needs, needs_of_parts
from redraft.revision.draft import WRITER, Draft, Option, Unit
from redraft.revision.judging.omission import inseparable, missed
from redraft.revision.records import Candidate, Reason
from redraft.revision.rewriting.cuts.compressions import beginnings, compressions, tightened
from redraft.revision.rewriting.forms.forms import without_form
from redraft.revision.rewriting.splits.splits import breaks, lowered, merges, splits
from redraft.revision.rewriting.wording.extensions import extensions
from redraft.revision.rewriting.wording.keywords import fewer, with_keyword, without
from redraft.revision.rewriting.wording.marks import fewer_marks, without_marks
from redraft.revision.rewriting.wording.openings import reopened
from redraft.revision.rewriting.wording.repeated_openings import (
    begun_otherwise,
    joined_alike,
    named_again,
    relinked,
    restated,
    taken_up,
)
from redraft.revision.task import Task
from redraft.revision.tuning import MENDING_BEAM, MENDING_STEPS
from redraft.text import FORMS, Document, list_lines, list_mark, mask, read_clauses, repeated_openings

_BY_MARKS: Final = ("by a semicolon", "by a dash", "by a colon")
_SAID_FIRST: Final = "what is said, first"
_OPENING_CHARACTERS: Final = 25
"""Characters in which a comma tells that a sentence has an opening phrase."""
_QUOTED_END: Final = re.compile(r"([.!?])([\"”'’)\]]+)(?= )")
_OPENING_PHRASES: Final = {
    word: tuple(phrases.split("; "))
    for word, phrases in (line.split(" | ") for line in list_lines(__package__, "opening-phrases.txt"))
}
"""How a sentence may open with a word that has no meaning of its own to put in."""

Tool = Callable[[str], Sequence[Candidate]]
# The same sentence comes up again and again while a text is mended.
_compressions = lru_cache(maxsize=8192)(partial(compressions, missed=missed))
_extensions = lru_cache(maxsize=8192)(extensions)
_splits = lru_cache(maxsize=8192)(splits)
_breaks = lru_cache(maxsize=8192)(breaks)
_merges = lru_cache(maxsize=8192)(merges)


class OptionMaker:
    """Makes options for the units of a draft; the same unit is worked on once.

    One that is `careful` splits no sentence where no writer would for a reading grade alone.
    """

    def __init__(self, task: Task, *, careful: bool = False) -> None:
        self._task = task
        self._careful = careful
        self._mended: dict[tuple[str, bool], list[Candidate]] = {}
        text = Needs.of(task, task.original)
        self._counts = bool(text.fewer_words or text.fewer_sentences or text.spare or task.part_lengths)
        self.graded_only = text.plainer and not task.totals and task.lengths == Interval()
        """Whether all that is asked for is a reading grade: how to say it, and not to say less."""

    def options(
        self, draft: Draft, needs: Needs, hard: bool = False, only: Collection[int] | None = None
    ) -> list[Option]:
        """What may stand for each unit, or for neighbours together; the unit itself is always among it.

        Where `only` some places are to be worked on, the others have nothing else, but together with these.
        """
        task = self._task
        found: list[Option] = []
        in_parts = needs_of_parts(task, draft, needs)
        joinable = self._joinable(draft, needs, in_parts) if task.is_english else set()
        together = {} if hard else inseparable(draft.units)
        alike = alike_openings(task, draft) if task.is_english else frozenset()
        for place, unit in enumerate(draft.units):
            own = [Candidate(unit.text, WRITER)]
            if only is not None and place not in only:
                found.append(Option(place, place + 1, own[0]))
                joined = self._joined(draft, place) if place in joinable else ()
                found += (one for one in joined if any(at in only for at in range(one.start, one.stop)))
                continue
            made = self._for_unit(unit, in_parts.get(place, needs), hard)
            own += made if self._ends_line(draft, place) else (one for one in made if not _is_salutation(one))
            if place in alike and unit.free:
                own += self._faultless(self._reopened(draft, place))
            apart = hard or bool(unit.kept)
            told = with_required_ends(
                task, own, first=place == 0, last=place == len(draft.units) - 1, apart=apart
            )
            own += self._faultless(told)
            found += (
                Option(*together[place], candidate)
                if not candidate.text and place in together
                else Option(place, place + 1, candidate)
                for candidate in own
            )
            if place in joinable:
                found += self._joined(draft, place)
            elif place in alike and place + 1 in alike and "\n" not in draft.units[place + 1].gap:
                found += self._joined_alike(draft, place)
        signed = signed_otherwise(task, draft)
        found += [signed] if signed else []
        return [option for option in found if self.keeps(draft, option)]

    def _ends_line(self, draft: Draft, place: int) -> bool:
        return place + 1 < len(draft.units) and "\n" in draft.units[place + 1].gap

    def mended(self, text: str, hard: bool = False) -> list[Candidate]:
        """Versions of a stretch without a fault of its own, best first; of those with one, the least."""
        key = (text, hard)
        if key not in self._mended:
            self._mended[key] = list(self._mend(text, hard))
        return self._mended[key]

    def _for_unit(self, unit: Unit, needs: Needs, hard: bool) -> Iterator[Candidate]:
        task = self._task
        if not unit.text:
            yield Candidate(unit.source, "restored", (Reason("restore"),))
            return
        if unit.kept or not task.is_english:  # what our rules cut, divide and join is English
            return
        tools: list[Tool] = []
        if needs.plainer and (self.graded_only or not needs.fewer_words):
            tools.append(_tightened)
        elif needs.fewer_words:
            tools.append(_compressions)
        if needs.more_words:
            tools.append(_extensions)
        if needs.more_sentences or needs.plainer:
            anywhere = hard and (needs.more_sentences or not self._careful)
            ways = _splits if needs.more_sentences or not self.graded_only else _usual_splits
            tools += [_splits, _breaks] if anywhere else [ways]
        tools += [_with(keyword) for keyword in needs.keywords]
        tools += [_fewer(keyword) for keyword in needs.spare]
        tools += [_unmarked(mark) for mark in needs.marks]
        repeated = any(sentence in task.repeats for sentence in unit.altered)
        if any(task.stands(sentence, unit.text) for sentence in unit.altered) and (hard or not repeated):
            tools += [_compressions, _splits, *([_extensions] if hard else [])]
        made = [candidate for tool in tools for candidate in self._masked(unit.text, tool)]
        if task.fault(unit.text):
            made += self.mended(unit.text, hard)
        if hard:
            made += self._fuller(made, needs)
        made = [_with_mark(unit.text, one) for one in made]
        obeying = list(self._faultless(made))
        yield from obeying or self._nearer(unit.text)
        # Mark-up goes only where a count of the whole text leaves no other way.
        counted = bool(needs.fewer_words or needs.fewer_sentences or needs.spare)
        if mask(unit.text, task.format).pieces:
            dropped = hard and self._counts
        elif self.graded_only or self._is_told(unit.text):
            dropped = repeated and not self.graded_only
        else:
            dropped = counted or hard or repeated or task.fault(unit.text) > task.mark_fault(unit.text)
        if dropped:
            yield Candidate("", "drop", (Reason("drop"),))

    def _is_told(self, text: str) -> bool:
        """Whether all that may be wrong with it are marks or its first word, and nothing is counted."""
        fault = self._task.fault(text)
        return not self._counts and (
            fault == self._task.mark_fault(text) > 0 or (self._task.varied and not fault)
        )

    def _nearer(self, text: str) -> Iterator[Candidate]:
        """Versions with fewer of the forms that may not be there, where none can do without."""
        fault = self._task.fault(text)
        if fault and fault == self._task.form_fault(text):
            yield from (one for one in self._step(text, hard=False) if self._task.fault(one.text) < fault)

    def _fuller(self, made: Sequence[Candidate], needs: Needs) -> list[Candidate]:
        """What was made, with a keyword more or a word or two: so that cuts can be made good elsewhere."""
        whole = [one for one in made if not self._task.fault(one.text)][:MENDING_BEAM]
        tools: list[Tool] = [_with(keyword) for keyword in needs.keywords]
        if needs.more_words:
            tools.append(_extensions)
        made_again = ((one, two) for one in whole for tool in tools for two in self._masked(one.text, tool))
        # The same phrase twice in a sentence is never what was meant.
        return [_combine(one, two) for one, two in made_again if not set(one.why) & set(two.why)]

    def _joinable(self, draft: Draft, needs: Needs, in_parts: Mapping[int, Needs]) -> set[int]:
        """The places from which to join: where a sentence is too short, and the shortest of the others."""
        task = self._task
        short: set[int] = set()
        others: list[tuple[int, int]] = []
        for place, (one, other) in enumerate(pairwise(draft.units)):
            if not one.text or not other.text or "\n" in other.gap:
                continue
            counts = (*task.read(one.text).sentence_words, *task.read(other.text).sentence_words)
            in_part = place in in_parts and place + 1 in in_parts and in_parts[place].fewer_sentences
            if min(counts, default=0) < task.lengths.low or in_part or task.misbegun(other.text):
                short.add(place)
            else:
                others.append((sum(counts), place))
        most = max(6, 3 * needs.fewer_sentences) if needs.fewer_sentences else 0
        return short | {place for _, place in sorted(others)[:most]}

    def _joined(self, draft: Draft, place: int) -> Iterator[Option]:
        """This unit and the next one, or two, as one."""
        first, second = draft.units[place : place + 2]
        two = self.merges(first.text, second.text)
        begun = bool(self._task.misbegun(second.text)) and not self._counts
        if begun:  # nobody writes with semicolons alone to be rid of a first word
            two = [one for one in two if one.why[0].detail not in _BY_MARKS]
        yield from (Option(place, place + 2, candidate) for candidate in self._faultless(two))
        third = draft.units[place + 2 : place + 3]
        if begun or not third or not third[0].text or "\n" in third[0].gap:
            return
        three = [again for one in two[:2] for again in self.merges(one.text, third[0].text)[:2]]
        yield from (Option(place, place + 3, candidate) for candidate in self._faultless(three))

    def _reopened(self, draft: Draft, place: int) -> list[Candidate]:
        """A unit that begins like a neighbour with another first word."""
        unit = draft.units[place]
        tools = (reopened, relinked, restated) if place else (reopened, relinked)
        found = [one for tool in tools for one in self._masked(unit.text, tool)]
        if place and draft.units[place - 1].text:
            found += taken_up(draft.units[place - 1].text, unit.text, draft.text)
            found += named_again([one.text for one in draft.units[:place]], unit.text)
        return found

    def _joined_alike(self, draft: Draft, place: int) -> Iterator[Option]:
        """This unit and the next one, or two, which begin alike, as one: their subject is said once."""
        for stop in (place + 2, place + 3):
            units = draft.units[place:stop]
            if len(units) < stop - place or any("\n" in one.gap for one in units[1:]):
                return
            made = joined_alike([one.text for one in units])
            if not made and len(units) == 2:
                main = read_clauses(units[0].text).main()
                if main is None or main.start:  # it would be said of both: "In May, we met, and they left"
                    continue
                alone = self.merges(units[0].text, units[1].text)
                made = [one for one in alone if one.why[0].detail == 'by "and"'][:1]
            yield from (Option(place, stop, candidate) for candidate in self._faultless(made))

    def obeying(self, candidate: Candidate) -> list[Candidate]:
        """A candidate from elsewhere, mended where it has a fault."""
        if not self._task.fault(candidate.text):
            return [candidate]
        return [_combine(candidate, mended) for mended in self.mended(candidate.text)[:2]]

    def keeps(self, draft: Draft, option: Option) -> bool:
        """Whether what must stay stays, and the next unit still starts a sentence."""
        task, text = self._task, option.candidate.text
        if option.candidate.by == WRITER:
            return True
        units = draft.units[option.start : option.stop]
        if any(not task.stands(sentence, text) for unit in units for sentence in unit.kept):
            return False
        return not text or option.stop == len(draft.units) or task.ends(text) or not task.ends(units[-1].text)

    def _faultless(self, made: Iterable[Candidate]) -> Iterator[Candidate]:
        seen: set[str] = set()
        for candidate in made:
            if candidate.text not in seen and not self._task.fault(candidate.text):
                seen.add(candidate.text)
                yield candidate

    def _mend(self, text: str, hard: bool) -> Iterator[Candidate]:
        beam = [Candidate(text, "")]
        seen = {text}
        done: list[Candidate] = []
        for _ in range(MENDING_STEPS):
            grown: list[Candidate] = []
            for state in beam:
                for candidate in self._step(state.text, hard):
                    if candidate.text not in seen:
                        seen.add(candidate.text)
                        grown.append(_combine(state, candidate))
            done += [candidate for candidate in grown if not self._task.fault(candidate.text)]
            left = [candidate for candidate in grown if self._task.fault(candidate.text)]
            # Sorting is stable: of equal faults the tools' own order stands.
            beam = sorted(left, key=lambda candidate: self._task.fault(candidate.text))[:MENDING_BEAM]
            if not beam or len(done) >= 2 * MENDING_BEAM:
                break
        yield from done

    def _step(self, text: str, hard: bool) -> Iterator[Candidate]:
        """The text with its first faulty sentence rewritten, in every way there is."""
        task = self._task
        document = Document(text, task.format)
        for sentence in document.sentences:
            if task.fault(sentence.text):
                for candidate in self._masked(sentence.text, lambda own: self._rewritten(own, hard)):
                    whole = text[: sentence.start] + candidate.text + text[sentence.end :]
                    yield Candidate(whole, candidate.by, candidate.why)
                break
        else:
            moved = _QUOTED_END.sub(r"\2\1", text)
            if moved != text:
                yield Candidate(moved, "split", (Reason("end mark"),))

    def _rewritten(self, sentence: str, hard: bool) -> Sequence[Candidate]:
        task = self._task
        found: list[Candidate] = []
        reading = task.read(sentence)
        marks = task.marked(sentence)
        if written := [mark for mark in marks if mark not in FORMS]:
            quoted = all(map(task.changes_quoted, written))
            return without_marks(sentence, written, quoted=quoted)
        for form in marks:
            if made := without_form(sentence, form, task.banned_marks):
                return made
        for keyword in task.banned:
            if reading.uses(keyword):
                return without(sentence, keyword)
        for match in task.forbidden(sentence):
            return [*without(sentence, match), *_compressions(sentence)]
        if task.misbegun(sentence):
            return begun_otherwise(sentence)
        longest = max(reading.sentence_words, default=0)
        if longest > task.lengths.high:
            most = max(int(task.lengths.high), 1)
            found += _splits(sentence, most)
            fitting = [c for c in _compressions(sentence) if task.fault(c.text) < task.fault(sentence)]
            found += fitting
            whole = any(not task.fault(one.text) for one in found)
            if hard or (longest > 2 * task.lengths.high and not whole):
                found += _breaks(sentence, most)
            if hard:
                found += beginnings(sentence, most)
        elif longest < task.lengths.low:
            found += _extensions(sentence)
        return found

    def merges(self, first: str, second: str) -> list[Candidate]:
        """Two stretches as one, all their mark-up still there."""
        format = self._task.format
        held = Counter((*mask(first, format).pieces, *mask(second, format).pieces))
        return [one for one in _merges(first, second) if Counter(mask(one.text, format).pieces) == held]

    def _masked(self, text: str, tool: Tool) -> Sequence[Candidate]:
        """What a tool makes of a text, its mark-up out of reach."""
        if self._task.format == "text":
            return tool(text)
        hidden = mask(text, self._task.format)
        restored = ((hidden.tried(one.text), one) for one in tool(hidden.text))
        return [Candidate(whole, one.by, one.why) for whole, one in restored if whole is not None]


def alike_openings(task: Task, draft: Draft) -> frozenset[int]:
    """The places of the sentences that begin like a neighbour, where none may."""
    found: set[int] = set()
    if not task.varied:
        return frozenset()
    starts = {start: place for place, start in enumerate(draft.starts) if start is not None}
    document = Document(draft.text, task.format)
    for one in repeated_openings(document):
        for number in (one.sentence - 1, one.sentence):
            if (start := document.sentence(number).start) in starts:
                found.add(starts[start])
    return frozenset(found)


def _usual_splits(text: str) -> Sequence[Candidate]:
    """Splits that keep the order: for a grade nobody says who found a thing behind what was found."""
    return [one for one in _splits(text) if not any(_SAID_FIRST in why.detail for why in one.why)]


def _tightened(text: str) -> Sequence[Candidate]:
    """A text without what says nothing: for a grade nobody says less."""
    made = tightened(text)
    return [made] if made else []


def _with(keyword: str) -> Tool:
    openers = _OPENING_PHRASES.get(keyword.lower(), ())

    def tool(sentence: str) -> list[Candidate]:
        found = list(with_keyword(sentence, keyword))
        if openers and sentence[:1].isupper() and "," not in sentence[:_OPENING_CHARACTERS]:
            opener = openers[crc32(sentence.encode()) % len(openers)]
            text = f"{opener} {lowered(sentence)}"
            found.append(Candidate(text, "keyword", (Reason("open", after=opener),)))
        return found

    return tool


def _fewer(keyword: str) -> Tool:
    return lambda sentence: fewer(sentence, keyword)


def _unmarked(mark: str) -> Tool:
    if mark in FORMS:
        return lambda sentence: without_form(sentence, mark)
    return lambda sentence: [*without_marks(sentence, [mark]), *fewer_marks(sentence, mark)]


def _is_salutation(made: Candidate) -> bool:
    """Whether it ends with the comma of a greeting, which wants a line of its own."""
    return made.by == "marks" and made.text.endswith(",")


def _combine(first: Candidate, second: Candidate) -> Candidate:
    why = first.why if first.why == second.why else first.why + second.why
    return Candidate(second.text, first.by or second.by, why)


def _with_mark(source: str, one: Candidate) -> Candidate:
    """A version of an item of a list, which begins as the item does."""
    mark = list_mark(source)
    if not mark or not one.text or one.text.startswith(mark):
        return one
    return Candidate(f"{mark}{one.text}", one.by, one.why)
