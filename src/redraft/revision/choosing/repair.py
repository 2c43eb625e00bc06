"""Repair: from a draft to one that meets its constraints.

Makes options for every unit, selects the best of them, and checks the whole text; what the parts did not tell
of the whole is allowed for in the next round.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

import numpy as np

from redraft.constraints import (
    Findings,
    Interval,
    Marks,
    Openings,
    ParagraphLength,
    Punctuation,
    Readable,
    Wording,
    sentence_key,
)
from redraft.revision.choosing.candidates import OptionMaker
from redraft.revision.choosing.needs import Needs
from redraft.revision.choosing.selection import OptionAmounts, Row, choose
from redraft.revision.choosing.tables import without_in_tables
from redraft.revision.choosing.worth import ScoredOptions
from redraft.revision.corrections.meaning import meant_in
from redraft.revision.draft import WRITER, Draft, Option, conform_candidate, conform_draft, conform_in_place
from redraft.revision.judging.scoring import Appraiser
from redraft.revision.judging.verdicts import Verdict, Verdicts
from redraft.revision.paragraphs import fit_paragraphs, part_paragraphs
from redraft.revision.records import Candidate, Considered, explained
from redraft.revision.task import FORM_KINDS, Task
from redraft.revision.tuning import (
    CLEAR_IMPROVEMENT,
    ERROR_COST,
    FAR_TOO_LONG,
    JUDGED_ROUNDS,
    NOTHING_LEFT,
    POOR,
    REPAIR_ROUNDS,
    SCORING_ROUNDS,
)
from redraft.revision.wishes.keeping import kept_by_kind

_TOLD: Final = (*FORM_KINDS, Openings, Punctuation, Wording)
_NO_BETTER: Final = "not clearly better than what stands there"
_NEEDLESS: Final = "nothing is wrong with the sentence, and this is not clearly better"
_BROKEN: Final = "reads badly"
_TURNED: Final = "says something else"


@dataclass(frozen=True, slots=True)
class Repaired:
    """A draft, and what checking it as a whole gave."""

    draft: Draft
    findings: Findings
    flaws: float = 0.0
    """What its broken sentences cost, and those that should not have been left out."""
    chosen: tuple[Option, ...] = ()
    """The options that it was made of, each as it was given."""
    weak: frozenset[int] = frozenset()
    """The places of units for which nothing was found that obeys and has no flaw."""
    poor: frozenset[int] = frozenset()
    """Those, and the ones for which nothing was found that loses little."""

    @property
    def distance(self) -> tuple[float, float]:
        """How far it is from what is wanted."""
        return self.findings.distance, self.flaws


class Repair:
    """Makes a draft meet its constraints, as far as it can; always ends.

    `may_break_met` is for constraints that conflict: one that is met may then be given up for the others.
    Where there are verdicts of a judge, what is broken is chosen last.
    """

    def __init__(
        self,
        task: Task,
        appraiser: Appraiser,
        verdicts: Verdicts | None = None,
        *,
        may_break_met: bool = False,
    ) -> None:
        self._task = task
        self._appraiser = appraiser
        self._verdicts = verdicts
        self._may_break_met = may_break_met
        self._pool = OptionMaker(task, careful=verdicts is not None)
        self._flaws: dict[str, float] = {}
        self._done: dict[tuple[Draft, frozenset[Option]], Repaired] = {}
        self._working = asyncio.Lock()
        self.considered: dict[str, dict[str, Considered]] = {}
        """What was scored for each passage of the original, by its text."""

    def flaws(self, text: str) -> float:
        """What the flaws of a text cost that came of a repair."""
        return self._flaws.get(text, 0.0)

    def checked(self, draft: Draft) -> Repaired:
        """A draft as it is."""
        return Repaired(draft, self._task.check(draft.text))

    async def selected(self, draft: Draft, options: Sequence[Option]) -> Repaired:
        """The best choice among these options alone, whose worth is as given."""
        draft = self._fit_paragraphs(draft)
        kept = [option for option in options if self._pool.keeps(draft, option)]
        measured = await asyncio.to_thread(self._amounts, draft, kept)
        found, _ = await asyncio.to_thread(self._best, draft, kept, measured)
        return found

    async def repaired(self, draft: Draft, proposed: Sequence[Option] = ()) -> Repaired:
        """The draft with the best of the proposed options, and of what the constraints call for besides.

        What was met stays met: a draft that breaks more than the one it came from is not taken. Options that
        are trusted stand for the units as they are. The same draft with the same options is repaired once.
        """
        asked = draft, frozenset(proposed)
        async with self._working:
            if asked not in self._done:
                self._done[asked] = await self._repaired(draft, proposed)
            return self._done[asked]

    async def poor_places(self, draft: Draft, proposed: Sequence[Option]) -> frozenset[int]:
        """The places for which nothing good is among the proposed options and what the rules make at first.

        To have something else proposed for the others would be for nothing.
        """
        async with self._working:
            draft = self._fit_paragraphs(without_in_tables(self._task, conform_draft(self._task, draft)))
            made = await asyncio.to_thread(self._pool.options, draft, Needs.of(self._task, draft.text, False))
            options = [*made, *self._obeying(draft, self._conformed(proposed))]
            return (await self._chosen(draft, options, improving=False)).poor

    def _conformed(self, options: Sequence[Option]) -> list[Option]:
        return [replace(one, candidate=conform_candidate(self._task, one.candidate)) for one in options]

    async def _repaired(self, draft: Draft, proposed: Sequence[Option]) -> Repaired:
        task = self._task
        start = self.checked(draft)
        if start.findings.met and not proposed:
            return start
        best, settled = start, without_in_tables(task, conform_draft(task, draft))
        if settled != draft:
            found = self.checked(settled)
            if found.findings.met and not proposed:
                return found
            best = min(start, found, key=lambda one: one.distance)
        draft = self._fit_paragraphs(settled)
        proposed = self._conformed(proposed)
        if task.lengths.distance(0) and not (task.read(draft.text).sentence_words or (1,))[-1]:
            draft = replace(draft, tail=draft.tail.rstrip(" "))  # one convention counts what follows it
        weak: frozenset[int] | None = None
        settled_options: tuple[Option, ...] = ()
        for hard in (False, True):
            was = start if best.findings.met else best
            if hard and (_is_told_otherwise(was.findings) or self._is_fixed(best)):
                break  # no cut of a sentence is worth another voice or mark, or one that stays as it is
            needs = Needs.of(task, draft.text, hard)
            made = await asyncio.to_thread(self._pool.options, draft, needs, hard, weak)
            trusted = [option for option in proposed if option.trusted]
            if trusted:
                made = [option for option in made if option.candidate.by != WRITER]
            options = [*trusted, *settled_options, *made, *self._obeying(draft, _within(proposed, weak))]
            options = [option for option in options if not self._is_gutted(draft, option)]
            found = await self._chosen(draft, options, improving=start.findings.met)
            if task.is_by_sentence and found.weak and not trusted:
                # Only these are worked on harder: what stands for the others is good.
                weak = found.weak
                settled_options = tuple(one for one in found.chosen if not _covers(one, weak))
            if self._loses(start, found) and found.distance < best.distance:
                # Nearer to a bound that is out of reach, with all that the text has to keep.
                options = [option for option in options if self._keeps_all(draft, option)]
                found = await self._chosen(draft, options, improving=start.findings.met)
            if found.distance < best.distance and not self._loses(start, found):
                best = found
            if found.findings.met and not found.flaws:
                return found
        self._flaws[best.draft.text] = best.flaws
        return best

    def _loses(self, start: Repaired, found: Repaired) -> bool:
        """Whether something that was met no longer is, and may not be given up."""
        return not self._may_break_met and _broken(start.findings, found.findings)

    def _keeps_all(self, draft: Draft, option: Option) -> bool:
        """Whether an option has as much as its passage of all that the text needs, such as its numbers."""
        text, passage = option.candidate.text, draft.passage(option.start, option.stop)
        needed = (total for total in self._task.totals if total.allowed.low > 0)
        return all(total.amount(text) >= total.amount(passage) for total in needed)

    def _is_fixed(self, found: Repaired) -> bool:
        """Whether all that is still wrong are marks in quotations, which nothing changes."""
        unmet = [finding.constraint for finding in found.findings if not finding.met]
        demands = [[*constraint.demands(None)] for constraint in unmet]
        return bool(unmet) and all(
            one and all(isinstance(demand, Marks) and self._is_too_much(found, demand) for demand in one)
            for one in demands
        )

    def _is_too_much(self, found: Repaired, demand: Marks) -> bool:
        """Whether there are too many marks, and all of them stand in quotations."""
        free = any(self._task.count_marks(unit.text, demand.mark) for unit in found.draft.units)
        return not free and demand.allowed.low == 0

    async def preferred(
        self, draft: Draft, proposed: Sequence[Option], *, improving: bool
    ) -> dict[int, Candidate]:
        """The best of what is proposed for single units, by their places, as far as that can be said of each.

        What the whole text calls for may be another choice.
        """
        scored = self._scored(draft, self._obeying(draft, self._conformed(proposed)))
        await self._score(scored, scored.proposals, improving=improving and self._task.is_open)
        best = scored.best_by_place()
        while await self._is_worse_than_assumed(scored, list(best.values())):
            best = scored.best_by_place()
        return {place: scored.options[index].candidate for place, index in best.items()}

    def _fit_paragraphs(self, draft: Draft) -> Draft:
        task = self._task
        allowed = task.bounds("paragraphs")
        if allowed != Interval():
            draft = fit_paragraphs(draft, allowed, task.format)
        for constraint in task.constraints:
            if isinstance(constraint, ParagraphLength):
                parted = part_paragraphs(draft, constraint, task.format)
                draft = min(draft, parted, key=lambda one: task.check(one.text).distance)
        return draft

    async def _chosen(self, draft: Draft, options: Sequence[Option], *, improving: bool) -> Repaired:
        """The best choice, where options are scored once they are about to be chosen, and not before.

        `improving` says that nothing but being better speaks for a proposal: the draft obeys without it.
        """
        scored = self._scored(draft, options)
        await self._score(scored, scored.proposals, improving=improving and self._task.is_open)
        measured = await asyncio.to_thread(self._amounts, draft, scored.options)
        graded = bool(self._task.scores)
        if graded:
            complete = self._scored(draft, options)
            complete.refuse(gutted=True)  # no reading grade is worth a claim
            await self._score(complete, complete.proposals, improving=improving and self._task.is_open)
            found = await self._settled(draft, complete, measured)
            if _met(found) == sum(not isinstance(one, Readable) for one in self._task.constraints):
                return found
        found = await self._settled(draft, scored, measured)
        if graded and found.flaws:
            plain = await self._settled(draft, scored, replace(measured, scores=()))
            if _met(plain) >= _met(found) and not plain.flaws:
                return plain
        if found.flaws and _is_told_otherwise(self.checked(draft).findings):
            scored.refuse(gutted=True)  # no voice is worth bad English, or a sentence
            return await self._settled(draft, scored, measured)
        if (found.findings.met or self._is_fixed(found)) and not (graded and found.flaws):
            return found
        if not (graded or found.flaws):
            return found
        # What is broken and does not obey either is worth nothing, and no readability is worth bad English.
        scored.refuse(gutted=graded)
        whole = await self._settled(draft, scored, measured)
        return whole if _met(whole) >= _met(found) else found

    def _is_gutted(self, draft: Draft, option: Option) -> bool:
        """Whether a sentence that is far too long would lose most of what it says: no length is worth it."""
        task = self._task
        high = task.lengths.high
        if high == Interval().high or self._is_shortened or task.bounds("sentences") != Interval():
            return False
        words = task.read(" ".join(unit.text for unit in draft.units[option.start : option.stop])).words
        return words > FAR_TOO_LONG * high and task.read(option.candidate.text).words < words / 2

    @property
    def _is_shortened(self) -> bool:
        """Whether the text is to be shorter, and not only its sentences."""
        task = self._task
        bounded = (task.bounds("words").high, task.bounds("characters").high)
        return min(bounded) < Interval().high or "concise" in task.wishes or bool(task.part_lengths)

    def _scored(self, draft: Draft, options: Sequence[Option]) -> ScoredOptions:
        task = self._task
        return ScoredOptions(
            draft,
            options,
            meant=meant_in(task, draft),
            is_asked=kept_by_kind(task.instruction),
            is_shortened=self._is_shortened,
        )

    async def _settled(self, draft: Draft, scored: ScoredOptions, measured: OptionAmounts) -> Repaired:
        """The best choice once its options are scored, or enough rounds are done."""
        rounds = 1
        while True:
            found, chosen = await asyncio.to_thread(self._best, draft, scored.options, measured)
            fresh = scored.unscored(chosen)
            if await asyncio.to_thread(scored.lower, fresh, self._appraiser):
                continue  # something else may be better, and no model had to be asked
            if fresh and rounds <= (JUDGED_ROUNDS if scored.has_flaws else SCORING_ROUNDS):
                rounds += 1
                await self._score_with_rivals(scored, fresh)
            elif not await self._is_worse_than_assumed(scored, chosen):
                bad = [index for index in chosen if measured.faults[index] or scored.flaws([index])]
                lossy = [index for index in chosen if scored.options[index].value < -POOR]
                return replace(
                    found,
                    flaws=scored.flaws(chosen),
                    chosen=tuple(scored.given[index] for index in chosen),
                    weak=frozenset(place for index in bad for place in scored.places(index)),
                    poor=frozenset(place for index in (*bad, *lossy) for place in scored.places(index)),
                )

    async def _score_with_rivals(self, scored: ScoredOptions, indices: Sequence[int]) -> None:
        """Score options, and of those for the same places the ones that might be better.

        Where each sentence obeys by itself, one that cannot be worth more need not be looked at.
        """
        siblings = {index: scored.siblings(index) for index in indices}
        if self._task.is_by_sentence:
            await self._score(scored, indices)
            indices = [
                one
                for index in indices
                for one in siblings[index]
                if scored.best_case(one, (value := scored.options[index].value), self._appraiser) > value
            ]
        else:
            indices = [one for index in indices for one in (index, *siblings[index])]
        await self._score(scored, list(dict.fromkeys(indices)))

    async def _is_worse_than_assumed(self, scored: ScoredOptions, chosen: Sequence[int]) -> bool:
        """Have the options judged that are chosen; whether one of them is not as good as it seemed."""
        scores = scored.unjudged(chosen)
        before = [scored.options[index].value for index in scores]
        verdicts = await self._judged(scored, list(scores))
        for (index, (score, credit)), verdict in zip(scores.items(), verdicts, strict=True):
            scored.scored(index, score, verdict, credit)
            self._consider(scored, index, verdict)
        return [scored.options[index].value for index in scores] != before

    async def _score(self, scored: ScoredOptions, indices: Sequence[int], *, improving: bool = False) -> None:
        """Score options; those that may be chosen are taken to read well until they are judged.

        A verdict can only make one worse: which is best is known without asking about the others.
        """
        found = await self._appraiser.score([scored.pair(index) for index in indices])
        gates = await self._appraiser.score([scored.present(index) for index in indices])
        taken = [index for index, gate in zip(indices, gates, strict=True) if scored.accepts(index, gate)]
        sure: list[int] = []
        if self._task.kind == "correct":
            sound = [index for index, gate in zip(indices, gates, strict=True) if gate.sound]
            sure = await self._sure(scored, [index for index in sound if index not in taken])
            taken += sure
        needless = await self._needless(scored, taken) if improving else set()
        wanted = [index for index in taken if index not in needless]
        verdicts = dict(zip(wanted, self._assumed(scored, wanted), strict=True))
        for index, score in zip(indices, found, strict=True):
            if index in verdicts:
                scored.assumed(index, score, verdicts[index], ERROR_COST if index in sure else 0.0)
                self._consider(scored, index, None)
            else:
                scored.rejected(index)
                self._consider(scored, index, None, _NEEDLESS if index in needless else _NO_BETTER)

    def _consider(
        self, scored: ScoredOptions, index: int, verdict: Verdict | None, refused: str = ""
    ) -> None:
        """Remember what was found of an option, for whoever asks why it was or was not taken."""
        option = scored.options[index]
        made, source = option.candidate, scored.source(option)
        if verdict is not None and (verdict.broken or verdict.reversed):
            refused = _BROKEN if verdict.broken else _TURNED
        found = Considered(made.text, made.by, explained(made.why), scored.worth(index), refused=refused)
        if verdict is not None and verdict.worst:
            found = replace(found, sound=verdict.soundness, same=verdict.sameness)
        known = self.considered.setdefault(source, {}).setdefault(made.text, found)
        judged = known.sound is None and found.sound is not None
        if judged or (known.refused and not refused):  # a later text may have come from it
            self.considered[source][made.text] = found

    def _assumed(self, scored: ScoredOptions, indices: Sequence[int]) -> list[Verdict]:
        if self._verdicts is None:
            return [Verdict()] * len(indices)
        return self._verdicts.assumed([scored.pair(index) for index in indices])

    async def _judged(self, scored: ScoredOptions, indices: Sequence[int]) -> list[Verdict]:
        if self._verdicts is None:
            return [Verdict()] * len(indices)
        pairs = [scored.pair(index) for index in indices]
        by_rule = {scored.pair(index) for index in indices if scored.is_by_rule(index)}
        complete = "concise" in self._task.wishes
        others = {pair for pair in pairs if pair not in by_rule}
        return await self._verdicts.of(pairs, complete=complete, by_rule=by_rule, beside=others)

    async def _sure(self, scored: ScoredOptions, indices: Sequence[int]) -> list[int]:
        """Those of the corrections that the judge is sure of, whatever the scores say of a changed word."""
        if self._verdicts is None:
            return []
        better = await self._verdicts.improvement([scored.present(index) for index in indices])
        return [index for index, share in zip(indices, better, strict=True) if share >= CLEAR_IMPROVEMENT]

    async def _needless(self, scored: ScoredOptions, indices: Sequence[int]) -> set[int]:
        """The proposals for a sentence with nothing wrong in it that are not clearly better."""
        if self._verdicts is None:
            return set()
        needless = await self._verdicts.are_needless([scored.present(index) for index in indices])
        return {index for index, one in zip(indices, needless, strict=True) if one}

    def _obeying(self, draft: Draft, proposed: Sequence[Option]) -> list[Option]:
        """The proposed options that keep what must stay, those with a fault mended."""
        found: list[Option] = []
        for option in proposed:
            if option.trusted:
                continue
            for candidate in self._pool.obeying(option.candidate) or self._nearer(draft, option):
                mended = replace(option, candidate=candidate)
                if self._pool.keeps(draft, mended):
                    found.append(mended)
        return found

    def _nearer(self, draft: Draft, option: Option) -> list[Candidate]:
        """An option with fewer of the forms that may not be there, and no other fault."""
        task, text = self._task, option.candidate.text
        fault = task.fault(text)
        nearer = fault == task.form_fault(text) < task.fault(draft.passage(option.start, option.stop))
        return [option.candidate] if nearer else []

    def _amounts(self, draft: Draft, options: Sequence[Option]) -> OptionAmounts:
        return OptionAmounts.of(
            self._task, draft, options, [self._fault(draft, option) for option in options]
        )

    def _best(
        self, draft: Draft, options: Sequence[Option], measured: OptionAmounts
    ) -> tuple[Repaired, list[int]]:
        """The best choice, verified; what the parts did not tell of the whole is learnt and allowed for."""
        task = self._task
        faults = list(measured.faults)
        totals, amounts = task.totals, measured.amounts
        offsets = [0.0] * len(totals)
        best: tuple[Repaired, list[int]] | None = None
        chosen: list[int] = []
        filled: list[Row] = []
        for _ in range(REPAIR_ROUNDS):
            rows = [
                Row(amount, Interval(total.allowed.low - offset, total.allowed.high - offset))
                for amount, total, offset in zip(amounts, totals, offsets, strict=True)
            ]
            rows += measured.score_rows(options, chosen)
            chosen = choose(
                len(draft.units),
                options,
                faults,
                [*rows, *measured.once, *measured.openings, *measured.filled, *filled],
            )
            found = draft.chosen(options[index] for index in chosen)
            if not found.text.strip():
                # Nothing is no text: one unit at least has to stay.
                there = np.array([float(bool(option.candidate.text)) for option in options])
                filled, chosen = [Row(there, Interval(low=1), weight=NOTHING_LEFT)], []
                continue
            found = conform_in_place(task, self._fit_paragraphs(found))
            repaired = Repaired(found, task.check(found.text))
            if best is None or repaired.findings.distance < best[0].findings.distance:
                best = repaired, chosen
            if repaired.findings.met:
                break
            learnt = [
                task.measure(total, found.text) - float(amount[chosen].sum())
                for total, amount in zip(totals, amounts, strict=True)
            ]
            misread = self._misread(found, [options[index] for index in chosen], chosen)
            misread += self._repeating(options, chosen)
            if learnt == offsets and not misread and not task.scores:
                break
            offsets = learnt
            for index in misread:
                faults[index] += 1.0
        if best is None:
            own = [index for index, option in enumerate(options) if option.candidate.by == WRITER]
            return Repaired(draft, task.check(draft.text)), own
        return best

    def _fault(self, draft: Draft, option: Option) -> float:
        """How far an option by itself is from obeying."""
        task, text = self._task, option.candidate.text
        units = draft.units[option.start : option.stop]
        if not text:
            lost = any(unit.kept for unit in units)
            opens = option.start == 0 and "start" in task.required_ends
            closes = option.stop == len(draft.units) and "end" in task.required_ends
            return 100.0 * lost + opens + closes + sum(task.form_fault(unit.text) for unit in units)
        fault = task.fault(text)
        fault += sum(task.stands(sentence, text) for unit in units for sentence in unit.altered)
        if option.start == 0 and "start" in task.required_ends:
            fault += not task.starts(text)
        if option.stop == len(draft.units) and "end" in task.required_ends:
            fault += not task.closes(text)
        return fault

    def _misread(self, draft: Draft, chosen: Sequence[Option], indices: Sequence[int]) -> list[int]:
        """The options whose sentences are not the text's: their ends or starts read otherwise in place."""
        sentences = {sentence.start for sentence in self._task.read(draft.text).sentences}
        ordered = sorted(zip(chosen, indices, strict=True), key=lambda pair: pair[0].start)
        found: list[int] = []
        starts = iter(draft.starts)
        previous: int | None = None
        for option, index in ordered:
            covered = option.stop - option.start if option.candidate.by == WRITER else 1
            for start in islice(starts, covered):
                if start is not None and start not in sentences and previous is not None:
                    found += [previous, index]
            previous = index
        own = {index for option, index in ordered if option.candidate.by == WRITER}
        return [index for index in dict.fromkeys(found) if index not in own]

    def _repeating(self, options: Sequence[Option], chosen: Sequence[int]) -> list[int]:
        """The chosen options that say the same as one before them, where none may."""
        if not self._task.unique:
            return []
        found: list[int] = []
        seen: set[str] = set()
        for index in sorted(chosen, key=lambda one: options[one].start):
            key = sentence_key(options[index].candidate.text)
            if key and key in seen:
                found.append(index)
            seen.add(key)
        return found


def _covers(option: Option, places: frozenset[int]) -> bool:
    return not places.isdisjoint(range(option.start, option.stop))


def _within(options: Sequence[Option], places: frozenset[int] | None) -> list[Option]:
    """The options for some places, or for all."""
    return [option for option in options if places is None or _covers(option, places)]


def _met(found: Repaired) -> int:
    """How many constraints are met, reading grades aside."""
    return sum(finding.met for finding in found.findings if not isinstance(finding.constraint, Readable))


def _is_told_otherwise(findings: Findings) -> bool:
    """Whether all that is not met is how the text is told: its voice, tense, wording, marks or openings."""
    unmet = [finding.constraint for finding in findings if not finding.met]
    return bool(unmet) and all(isinstance(one, _TOLD) for one in unmet)


def _broken(before: Findings, after: Findings) -> bool:
    """Whether something that was met no longer is."""
    return any(old.met and not new.met for old, new in zip(before, after, strict=True))
