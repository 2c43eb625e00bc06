"""What each option is worth: a guessed value until it is about to be chosen, and a score from then on."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, Protocol

from redraft.revision.draft import CONVENTION, WRITER, Draft, Option
from redraft.revision.judging.broken_phrases import is_stranded
from redraft.revision.judging.losses import Elsewhere, cut_loss, said_stems
from redraft.revision.judging.omission import cut_cost, lost_statements, omission_cost, points_back
from redraft.revision.judging.scoring import PassageScore
from redraft.revision.judging.verdicts import Verdict
from redraft.revision.records import Candidate
from redraft.revision.rewriting.cuts.compressions import tightened
from redraft.revision.rewriting.splits.conditions import with_conditions
from redraft.revision.rewriting.splits.joining import RELATED, are_related
from redraft.revision.rewriting.splits.last_resort import WHYS as LAST_RESORT
from redraft.revision.tuning import (
    ASIDE_FACTS,
    ASIDE_SHARE,
    ASKED_TIMES,
    BOUND,
    BROKEN_COST,
    CHAINED_COST,
    CLEARLY_WORSE,
    CORRECTED,
    DOUBTFUL_SAMENESS,
    ERROR_COST,
    GOAL,
    GUESSED_VALUES,
    GUTTED_SHARE,
    JOIN_COST,
    LAST_RESORT_COST,
    LOOSE_JOIN_COST,
    LOSSY,
    LOST_LIMIT_COST,
    LOST_WORD_COST,
    MEANING_CHANGE_COST,
    MENDED,
    MOST_CUT_FLUENCY,
    MOST_FLUENCY,
    NOTHING_LOST,
    OMISSION_COSTS,
    OMITTED_SHARE,
    OPENING_COST,
    OTHERS_LOSS,
    OWN_WORDS,
    PIECE_COST,
    POINTED_AT_COST,
    RANK_COST,
    RELATED_JOIN_WORTH,
    REVERSED_COST,
    REWRITTEN_LOSS_COST,
    REWRITTEN_WORD_COST,
    SAMENESS_WORTH,
    SIBLINGS_SCORED,
    SOUNDNESS_WORTH,
    SURELY_SOUND,
    TIE_COST,
    TIGHT_SOUND,
    UNRELATED_COST,
    WHOLE_TIMES,
    WORSE_COST,
)
from redraft.text import spellings

_REJECTED: Final = -1e7
_FLAW: Final = min(BROKEN_COST, OMISSION_COSTS["claim"])
"""What costs so much is chosen only where it makes the text obey."""
_AND_CLAUSE: Final = re.compile(r", and (?:the|it|they|he|she|we|this|an?|all|[a-z]+s?)\b")
_ASIDES: Final = frozenset({"the insertion", "the relative clause", "the aside", "the examples"})
_CONTRACTED: Final = re.compile(r"n['’]t\b|\w['’](?:re|ll|ve|d|m)\b")
_PIECE: Final = re.compile(r"[.!?](?= [A-Z“\"(\[])")


class Known(Protocol):
    """What can be said of texts without a model."""

    def errors(self, text: str) -> float:
        """The errors of a text."""

    def stated(self, source: str, text: str) -> tuple[float, tuple[str, ...]]:
        """How many errors fewer a text has than its source, and what it states otherwise."""


class ScoredOptions:
    """The options for the units of a draft."""

    def __init__(
        self,
        draft: Draft,
        options: Sequence[Option],
        *,
        meant: Callable[[str], str] | None = None,
        is_asked: Callable[[str], bool] = lambda _: False,
        is_shortened: bool = True,
    ) -> None:
        self._draft = draft
        self._is_asked = is_asked
        self._loss_times = 1.0 if is_shortened else WHOLE_TIMES
        self._meant = meant
        self._stems = said_stems(self._texts())
        self.given = _distinct(options)
        """The options as they were given, each with the worth that it was given with."""
        self.options = list(self.given)
        self._by_rule = {_said_where(one) for one in options if not one.value}
        self._corrected = {_said_where(one) for one in self.options if one.value in (CORRECTED, MENDED)}
        self._scored = {index for index, option in enumerate(self.options) if self._own(option)}
        self._proposed = {
            index: option.value
            for index, option in enumerate(self.options)
            if option.value > 0 and index not in self._scored
        }
        self.proposals = list(self._proposed)
        self._costs: dict[int, float] = {}
        self._losses: dict[tuple[int, int, Candidate], tuple[float, float]] = {}
        self._unjudged: dict[int, tuple[PassageScore, float]] = {}
        self._gutted: set[int] = set()
        self._refuses_broken = self._refuses_gutted = False
        self._places: dict[tuple[int, int], list[int]] = {}
        for index, option in enumerate(self.options):
            siblings = self._places.setdefault((option.start, option.stop), [])
            siblings.append(index)
            if index not in self._scored:
                guess = self._guess(option) - RANK_COST * len(siblings)
                self.options[index] = replace(option, value=guess)

    def _own(self, option: Option) -> bool:
        """Whether it is the writer's own text, the measure of all others, or trusted."""
        if option.trusted:
            return True
        return option.candidate.by == WRITER and self._draft.units[option.start].by in (WRITER, CONVENTION)

    def places(self, index: int) -> range:
        """The places of the units that an option stands for."""
        return range(self.options[index].start, self.options[index].stop)

    def source(self, option: Option) -> str:
        """The passage of the original that an option stands for."""
        first, *rest = self._draft.units[option.start : option.stop]
        return first.source + "".join(unit.gap + unit.source for unit in rest)

    def pair(self, index: int) -> tuple[str, str]:
        """The passage and the candidate for it."""
        option = self.options[index]
        return self._said(option), option.candidate.text

    def _said(self, option: Option) -> str:
        """The passage that a candidate is held against.

        For a correction of which each edit was decided by itself it is the passage as it was `meant`, without
        the errors that are sure.
        """
        source = self.source(option)
        return self._meant(source) if self._meant and _said_where(option) in self._corrected else source

    def is_by_rule(self, index: int) -> bool:
        """Whether a rule made an option for a bound, and nobody proposed it."""
        return index not in self._proposed

    def present(self, index: int) -> tuple[str, str]:
        """What stands in the place now, and the candidate for it."""
        option = self.options[index]
        return self._draft.passage(option.start, option.stop), option.candidate.text

    def accepts(self, index: int, gate: PassageScore) -> bool:
        """Whether an option may be chosen; a proposal that is no better is out of the question.

        It is held against what stands there now, which may have been cut. One that does what was asked for
        need only be sound, and one for a bound is left to the judge, like those of the rules, and so is a
        correction of which each edit was decided by itself.
        """
        proposed = self._proposed.get(index)
        if proposed is None or proposed in (BOUND, CORRECTED, MENDED):
            return True
        if proposed >= GOAL and self.options[index].candidate.by == "compression":
            return gate.errors >= 0  # a rule's cut of filler is a wish fulfilled
        return gate.sound if proposed >= GOAL else gate.better

    def unjudged(self, chosen: Iterable[int]) -> dict[int, tuple[PassageScore, float]]:
        """Those of the chosen that were scored and not judged, with their scores and their credit."""
        return {index: self._unjudged[index] for index in chosen if index in self._unjudged}

    def assumed(self, index: int, score: PassageScore, verdict: Verdict, credit: float = 0.0) -> None:
        """Take note of what an option is worth if it reads well, which is to be asked if it is chosen."""
        self.scored(index, score, verdict, credit)
        self._unjudged[index] = score, credit

    def scored(self, index: int, score: PassageScore, verdict: Verdict, credit: float = 0.0) -> None:
        """Take note of what an option is worth; a proposal has what was asked for to its credit."""
        option = self.options[index]
        self._unjudged.pop(index, None)
        # A verb in another form, or a phrase that said nothing, is where the judge errs more than the rule.
        says_all = option.candidate.by == "compression" and self._cut_loss(option) < NOTHING_LOST
        if option.candidate.by == "forms" or (says_all and verdict.soundness >= TIGHT_SOUND):
            cost = 0.0
        elif option.candidate.by == "marks":  # every word stays: one mark may read worse than another
            cost = WORSE_COST * (verdict.broken or verdict.bad)
        else:
            cost = BROKEN_COST * verdict.broken + WORSE_COST * verdict.bad
        if says_all:
            verdict = replace(verdict, sameness=1.0)
        cost += REVERSED_COST * verdict.reversed
        cost += self._omission(option)
        is_correction = self._proposed.get(index) in (CORRECTED, MENDED)  # each edit was decided by itself
        cost += self._cut_claims(option) if option.candidate.text and not is_correction else 0.0
        cost += BROKEN_COST * (not verdict.broken and self._is_doubtful(index, verdict))
        self._costs[index] = cost
        cost += self._join_cost(option) + self._omitted_content(option) + self._split_cost(index)
        lost = 0.0 if is_correction else self._cut_claims(option) + self._cut_loss(option)
        if lost >= LOSSY or score.loss > GUTTED_SHARE * len(self.source(option).split()):
            self._gutted.add(index)
        is_rewriting = self._proposed.get(index, 0.0) >= BOUND
        worth = _rewriting_value(score, verdict) if is_rewriting else score.value
        if option.candidate.by == "compression" or (
            not is_rewriting and option.candidate.by in ("split", "merge")
        ):
            worth = _cut_value(score, self._cut_loss(option))
        elif self._proposed.get(index) not in (None, GOAL, CORRECTED, MENDED) and self._is_shorter(option):
            worth -= OTHERS_LOSS * self._cut_loss(option)
        if _said_where(option) in self._by_rule:
            worth = max(worth, _cut_value(score, self._cut_loss(option)))
        worth += OWN_WORDS * (is_rewriting and _has_same_words(*self.pair(index)))
        value = worth + self._proposed.get(index, 0.0) + credit - cost
        if option.stop - option.start > 1 and self._proposed.get(index, BOUND) == BOUND:
            value = _joined(value)
        self._put(index, value)
        if self._is_refused(index):
            self.rejected(index)

    def _is_doubtful(self, index: int, verdict: Verdict) -> bool:
        """Whether the words that the editor chose may be wrong.

        More is asked of them than of a rule's, which are mostly the writer's own.
        """
        proposed, option = self._proposed.get(index, 0.0), self.options[index]
        if proposed < BOUND or _said_where(option) in self._by_rule or option.candidate.by == "compression":
            return False
        odd = verdict.soundness < min(SURELY_SOUND, verdict.before - CLEARLY_WORSE)
        shortened = proposed == BOUND or len(self.options[index].candidate.text) < len(self.pair(index)[0])
        if proposed in (CORRECTED, MENDED):
            return odd  # "except of nuts" loses an "of", and nothing else
        if not shortened:
            return odd or verdict.sameness < DOUBTFUL_SAMENESS
        source, text = self.pair(index)
        is_split = len(_PIECE.findall(text)) > len(_PIECE.findall(source))  # and no telegram
        lost = (not is_split and is_stranded(source, text)) or self._cut_claims(option) >= LOST_LIMIT_COST
        odd = odd or len(_CONTRACTED.findall(text)) > len(_CONTRACTED.findall(source))
        return odd or lost or verdict.sameness < DOUBTFUL_SAMENESS

    def refuse(self, *, gutted: bool) -> None:
        """Put out of the question what reads badly or says something else; perhaps what is gutted or gone.

        So it is from now on, with options that are yet to be scored too.
        """
        self._refuses_broken, self._refuses_gutted = True, gutted
        for index in self._costs:
            if self._is_refused(index):
                self.rejected(index)

    def _is_refused(self, index: int) -> bool:
        if not self.options[index].candidate.text:
            return self._refuses_gutted  # to leave something out is at least no bad English
        if self.options[index].candidate.by == "marks" and _has_same_words(*self.pair(index)):
            return False  # the words are the writer's own, and the marks as asked for
        broken = self._refuses_broken and self._costs[index] >= _FLAW
        return broken or (self._refuses_gutted and index in self._gutted)

    def rejected(self, index: int) -> None:
        """Take note that an option is out of the question."""
        self._put(index, _REJECTED)

    def worth(self, index: int) -> float | None:
        """What an option was found to be worth; none where it is out of the question."""
        value = self.options[index].value
        return None if value == _REJECTED else value

    def _put(self, index: int, value: float) -> None:
        self.options[index] = replace(self.options[index], value=value)
        self._scored.add(index)

    @property
    def has_flaws(self) -> bool:
        """Whether an option that was about to be chosen is broken."""
        return any(cost >= _FLAW for cost in self._costs.values())

    def flaws(self, chosen: Iterable[int]) -> float:
        """What the broken sentences, and those that should not have been left out, cost in a choice."""
        costs = (self._costs.get(index, 0.0) for index in chosen)
        return sum(cost for cost in costs if cost >= _FLAW)

    def unscored(self, chosen: Sequence[int]) -> list[int]:
        """Those of the chosen that are not scored yet."""
        return [index for index in chosen if index not in self._scored]

    def siblings(self, index: int) -> list[int]:
        """Some options for the same place that are not scored yet, those of about its length."""
        option = self.options[index]
        rest = [i for i in self._places[option.start, option.stop] if i not in self._scored and i != index]
        size = len(option.candidate.text)
        return sorted(rest, key=lambda i: abs(len(self.options[i].candidate.text) - size))[:SIBLINGS_SCORED]

    def best_by_place(self) -> dict[int, int]:
        """The option for each single unit that is worth most, where one is better than nothing."""
        best: dict[int, int] = {}
        for index, option in enumerate(self.options):
            known = self.options[best[option.start]].value if option.start in best else 0.0
            if option.stop == option.start + 1 and option.value > known:
                best[option.start] = index
        return best

    def lower(self, indices: Sequence[int], known: Known) -> bool:
        """Take note that options are worth no more than their best case; whether one was thought to be."""
        before = [self.options[index].value for index in indices]
        for index, value in zip(indices, before, strict=True):
            best = self.best_case(index, value, known)
            if best < value:
                self.options[index] = replace(self.options[index], value=best)
        return [self.options[index].value for index in indices] != before

    def best_case(self, index: int, value: float, known: Known) -> float:
        """What an option is worth at the most: all that counts for a rule's but how fluent it is.

        It may be worth less than that where it is below a value that it is held against.
        """
        option = self.options[index]
        by = option.candidate.by
        if (
            index in self._proposed
            or not option.candidate.text
            or by not in ("compression", "split", "merge")
        ):
            return math.inf
        loss = self._cut_loss(option) + self._cut_claims(option)
        best = MOST_CUT_FLUENCY - loss - self._join_cost(option) - self._split_cost(index)
        mended = ERROR_COST * known.errors(self._said(option))
        if best + mended < value:
            return best + mended
        errors, changes = known.stated(*self.pair(index))
        return best + ERROR_COST * errors - MEANING_CHANGE_COST * len(changes)

    def _guess(self, option: Option) -> float:
        words = len(self.source(option).split())
        left = len(option.candidate.text.split())
        if not left:
            return -LOST_WORD_COST * words - self._omission(option) - self._omitted_content(option)
        if option.candidate.by == "compression":
            return -1.0 - self._cut_loss(option) - self._cut_claims(option)
        guess = GUESSED_VALUES.get(option.candidate.by, 0.0) * (option.stop - option.start)
        guess -= self._join_cost(option)
        return _joined(guess) if option.candidate.by == "merge" else guess

    def _is_shorter(self, option: Option) -> bool:
        return len(option.candidate.text) < len(self.source(option))

    def _cut_loss(self, option: Option) -> float:
        """What it costs that a passage says less; what others say too is missed less."""
        return self._lost(option)[0]

    def _cut_claims(self, option: Option) -> float:
        """What it costs that numbers, conditions and denials are gone."""
        return self._lost(option)[1]

    def _lost(self, option: Option) -> tuple[float, float]:
        """Both, which are asked for again and again."""
        key = option.start, option.stop, option.candidate
        if key not in self._losses:
            self._losses[key] = self._lost_content(option), self._lost_claims(option)
        return self._losses[key]

    def _lost_content(self, option: Option) -> float:
        others = Elsewhere(self._stems, said_stems(self._texts(option.start, option.stop)))
        loss = min(cut_loss(one, option.candidate.text, others) for one in self._contents(option))
        asides = sum(cut_loss(one.before, "") for one in option.candidate.why if one.detail in _ASIDES)
        return self._loss_times * (loss - ASIDE_SHARE * min(asides, loss))

    def _texts(self, start: int = 0, stop: int | None = None) -> list[str]:
        """The texts of the units that are not left out."""
        return [unit.text for unit in self._draft.units[start:stop] if unit.text]

    def _contents(self, option: Option) -> list[str]:
        """The passage of the original, and the same without what says nothing: that is no loss."""
        source = self._said(option)
        tight = tightened(source)
        return [source, tight.text] if tight else [source]

    def _lost_claims(self, option: Option) -> float:
        lost = min(cut_cost(one, with_conditions(option.candidate.text)) for one in self._contents(option))
        asides = sum(cut_cost(one.before, "") for one in option.candidate.why if one.detail in _ASIDES)
        lost -= ASIDE_FACTS * min(asides, lost)
        lost += lost_statements(self._said(option), option.candidate.why)
        return lost * (ASKED_TIMES if self._is_asked(self.source(option)) else 1.0)

    def _split_cost(self, index: int) -> float:
        """What it costs that a sentence is in pieces, and where it was cut; the rules' best comes first."""
        option = self.options[index]
        if option.candidate.by not in ("split", "compression"):
            return 0.0
        units = self._draft.units[option.start : option.stop]
        pieces = len(_PIECE.findall(option.candidate.text)) - sum(len(_PIECE.findall(u.text)) for u in units)
        last = sum(way in LAST_RESORT for way in _ways_of_splitting(option))
        rank = self._places[option.start, option.stop].index(index) if pieces > 0 else 0
        return PIECE_COST * max(pieces, 0) + LAST_RESORT_COST * last + TIE_COST * rank

    def _join_cost(self, option: Option) -> float:
        """What it costs that sentences are only strung together; nothing where they belong together."""
        units = [unit.text for unit in self._draft.units[option.start : option.stop] if unit.text]
        if len(units) < 2:
            return 0.0
        text = option.candidate.text
        ands = len(_AND_CLAUSE.findall(text)) - sum(len(_AND_CLAUSE.findall(unit)) for unit in units)
        related = any(reason.detail in RELATED for reason in option.candidate.why)
        strange = sum(not are_related(one, other) for one, other in pairwise(units))
        cost = CHAINED_COST * (len(units) - 2 + max(ands - 1, 0)) + UNRELATED_COST * strange
        return cost + LOOSE_JOIN_COST * (ands > 0 and not related) - RELATED_JOIN_WORTH * related

    def _omitted_content(self, option: Option) -> float:
        """What a sentence that is left out takes along: what it says, and what the text is about."""
        source = self.source(option)
        if option.candidate.text or not source.strip() or self._omission(option) < OMISSION_COSTS["other"]:
            return 0.0
        sentences = [place for place, unit in enumerate(self._draft.units) if unit.source.count(" ") >= 4]
        opens = bool(sentences) and option.start == sentences[0]
        taken = OMITTED_SHARE * (cut_cost(source, "") + cut_loss(source, ""))
        return taken + OPENING_COST * opens + POINTED_AT_COST * self._is_pointed_at(option)

    def _is_pointed_at(self, option: Option) -> bool:
        """Whether the next sentence of the paragraph speaks of what this one names."""
        after = self._draft.units[option.stop : option.stop + 1]
        return bool(after) and "\n" not in after[0].gap and points_back(after[0].text)

    def _omission(self, option: Option) -> float:
        """What it costs that a sentence is left out."""
        units = self._draft.units
        if option.candidate.text or not units[option.start].source.strip():
            return 0.0
        others = [unit.text for place, unit in enumerate(units) if place != option.start and unit.text]
        cost = omission_cost(self.source(option), others)
        asked = cost >= OMISSION_COSTS["other"] and self._is_asked(self.source(option))
        return max(cost, OMISSION_COSTS["rule"]) if asked else cost


def _joined(value: float) -> float:
    """What it is worth to join sentences: never anything, so that no more are joined than have to be."""
    return -JOIN_COST / (1.0 + value) if value > 0 else value - JOIN_COST


def _ways_of_splitting(option: Option) -> list[str]:
    """How a sentence was split, each way by its name."""
    return [way for one in option.candidate.why if one.kind == "split" for way in one.detail.split(", ")]


def _has_same_words(source: str, text: str) -> bool:
    """Whether only marks and capitals are others."""
    return sorted(spellings(source.lower())) == sorted(spellings(text.lower()))


def _cut_value(score: PassageScore, loss: float) -> float:
    """What a rule's cut, split or join is worth: what it loses decides, not how predictable that was."""
    fluency = min(max(score.fluency, -MOST_CUT_FLUENCY), MOST_CUT_FLUENCY)
    return fluency + ERROR_COST * score.errors - MEANING_CHANGE_COST * len(score.changes) - loss


def _rewriting_value(score: PassageScore, verdict: Verdict) -> float:
    """What a rewriting is worth that was asked for: the judge's word counts for more than how fluent it is.

    How surprising it is says little of words that are new, or fewer: what is predictable is dear to cut, and
    cheap to add.
    """
    fluency = min(max(score.fluency, -MOST_FLUENCY), MOST_FLUENCY)
    judged = SOUNDNESS_WORTH * min(verdict.soundness - verdict.before, 0.0)
    cost = REWRITTEN_WORD_COST * score.new + REWRITTEN_LOSS_COST * score.loss
    cost += SAMENESS_WORTH * (1 - verdict.sameness)
    return score.value - score.fluency + fluency + judged - cost


def _said_where(option: Option) -> tuple[int, int, str]:
    """The units that it stands for, and its text: whoever proposes it, it is the same option."""
    return option.start, option.stop, option.candidate.text


def _distinct(options: Sequence[Option]) -> list[Option]:
    """The options without repeats; of those with the same text, the one that is worth most."""
    found: dict[tuple[int, int, str], Option] = {}
    for option in options:
        known = found.setdefault(_said_where(option), option)
        if option.value > known.value and known.candidate.by != WRITER:
            found[_said_where(option)] = option
    return list(found.values())
