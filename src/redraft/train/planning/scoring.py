"""The score of a planner's action: its tools, and the text that its plan leads to (TRIPS, Eq. 1)."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Final

from redraft.constraints import check
from redraft.editor import Editor
from redraft.errors import ContextOverflow
from redraft.metrics import tool_use
from redraft.models import Model, Scorer
from redraft.quality import CONTEXT, Quality, Scale, grammar_findings, likelihoods, weight
from redraft.revision import PlanAnswer, apply_advice, editor_request
from redraft.text import Document, count_words
from redraft.train.planning.progress import Phases, Workers
from redraft.train.planning.trajectory import PlannerState

Plan = tuple[Document, Mapping[int, str]]
"""A text, and advice by the number of the sentence."""

_OUT: Final = re.compile(r"\W*(?:leave|take|cut) (?:it|this sentence) out\b", re.I)
_JOIN: Final = re.compile(r"\W*join it with sentence (\d{1,6}): “, (\w+)”", re.I)


class PlainReviser:
    """Revises by plans, all at once; what was done once is not done again."""

    def __init__(self, editor: Model) -> None:
        self._editor = Editor(editor)
        self._edited: dict[tuple[str, str], str] = {}
        self._done: dict[tuple[str, str], str | None] = {}

    async def revised(
        self, plans: Sequence[Plan], count: Callable[[int], None] = lambda _: None
    ) -> list[dict[int, str]]:
        """Of each text the sentences that change, by number; an empty one is left out.

        `count` is called with each answer of the editor.
        """
        advised = dict.fromkeys(
            (document.sentence(number).text, advice)
            for document, plan in plans
            for number, advice in plan.items()
        )
        for pair in advised:
            if pair not in self._done:
                self._done[pair] = apply_literally(*pair)
        asked = dict.fromkeys(
            (text, editor_request(advice)) for text, advice in advised if self._done[text, advice] is None
        )
        await asyncio.gather(*(self._ask(*one, count) for one in asked if one not in self._edited))
        return [self._changed(*plan) for plan in plans]

    def _changed(self, document: Document, plan: Mapping[int, str]) -> dict[int, str]:
        found: dict[int, str] = {}
        for number, advice in sorted(plan.items()):
            text = document.sentence(number).text
            before = document.sentence(number - 1).text if number > 1 else ""
            joint = join_sentences(found.get(number - 1, before), text, advice, number)
            if joint:
                found |= {number - 1: joint, number: ""}
                continue
            done = self._done[text, advice]
            new = self._edited[text, editor_request(advice)] if done is None else done
            if new != text:
                found[number] = new
        return found

    async def _ask(self, text: str, request: str, count: Callable[[int], None]) -> None:
        try:
            found = await self._editor.candidates(text, request, count=1)
        except ContextOverflow:
            found = ()
        self._edited[text, request] = found[0].text if found else text
        count(1)


def apply_literally(sentence: str, advice: str) -> str | None:
    """The sentence after what an advice says in concrete terms; None where that is nothing."""
    if _OUT.match(advice):
        return ""
    made = apply_advice(sentence, advice, "plan")
    return made[0].text if made else None


def join_sentences(before: str, sentence: str, advice: str, number: int) -> str:
    """Two sentences as one, where an advice for the second says so: `Join it with sentence 4: “, and”`."""
    wanted = _JOIN.match(advice)
    if wanted is None or int(wanted[1]) != number - 1 or not before.endswith("."):
        return ""
    first, _, rest = sentence.partition(" ")
    return f"{before[:-1]}, {wanted[2]} {rest}" if first.lower() == wanted[2].lower() and rest else ""


TOOLS, QUALITY, CONSTRAINTS = 0.5, 0.25, 0.25
"""λ_v, λ_r and λ_c."""
WEIGHTS: Final = {"tools": TOOLS, "quality": QUALITY, "constraints": CONSTRAINTS}

Planned = tuple[PlannerState, PlanAnswer]


@dataclass(frozen=True, slots=True)
class ActionScore:
    """S_v, S_r and S_c, each from 0 to 1."""

    tools: float
    quality: float
    constraints: float

    @property
    def total(self) -> float:
        """S_a."""
        return TOOLS * self.tools + QUALITY * self.quality + CONSTRAINTS * self.constraints

    def to_dict(self) -> dict[str, float]:
        """The parts and the whole as plain data."""
        return {**asdict(self), "total": self.total}


NOTHING: Final = ActionScore(0.0, 0.0, 0.0)
"""What an answer is worth that is no plan."""


class ActionScorer:
    """Scores actions, many at once; no sentence is revised, read or checked twice.

    The quality of a revised text (S_r) is that of the section that was planned for, sentence by sentence, on
    the scale of D.3 against the section as it was; whether constraints hold (S_c) is asked of the whole text.
    """

    def __init__(self, reviser: PlainReviser, scorer: Scorer, workers: Workers) -> None:
        self.reviser = reviser
        self.workers = workers
        self._scorer = scorer
        self._likely: dict[tuple[str, str], tuple[float, int]] = {}
        self._errors: dict[str, tuple[float, int]] = {}

    async def score(self, actions: Sequence[Planned], phases: Phases, name: str) -> list[ActionScore]:
        """S_a of each action, in order."""
        sound = [action for action in actions if not action[1].problem]
        states = [state for state, _ in sound]
        plans = [(state.document, answer.advice) for state, answer in sound]
        with phases.phase(f"{name}, edits", sum(len(advice) for _, advice in plans)) as phase:
            changes = await self.reviser.revised(plans, phase.add)
        with phases.phase(f"{name}, quality", len(sound)):
            qualities = await self._qualities(states, changes)
        with phases.phase(f"{name}, constraints", len(sound)):
            met = await self._met(states, changes)
        scores = iter(
            ActionScore(tool_score(answer, state), quality, obeyed)
            for (state, answer), quality, obeyed in zip(sound, qualities, met, strict=True)
        )
        return [NOTHING if answer.problem else next(scores) for _, answer in actions]

    async def _met(self, states: Sequence[PlannerState], changes: Sequence[Mapping[int, str]]) -> list[float]:
        asked = [
            (one.trajectory.text, one.document.replace(changed).text, one.trajectory.calls)
            for one, changed in zip(states, changes, strict=True)
        ]
        distinct = list(dict.fromkeys(asked))
        found = dict(zip(distinct, await self.workers.map(share_met, distinct), strict=True))
        return [found[one] for one in asked]

    async def _qualities(
        self, states: Sequence[PlannerState], changes: Sequence[Mapping[int, str]]
    ) -> list[float]:
        texts = [_Texts(one, changed) for one, changed in zip(states, changes, strict=True)]
        await self._know([pair for each in texts for pair in (*each.before, *each.after, *each.rewritten)])
        return [self._scaled(each) for each in texts]

    def _scaled(self, texts: _Texts) -> float:
        before = self._quality(texts.before, ())
        if math.isinf(before.perplexity):
            return 0.0
        return Scale(before).of(self._quality(texts.after, texts.rewritten)).mean

    def _quality(self, own: Sequence[tuple[str, str]], rewritten: Sequence[tuple[str, str]]) -> Quality:
        """A section's quality; what stands as it was is certain, given the source."""
        total, count = _sum(self._likely[pair] for pair in own)
        given, _ = _sum(self._likely[pair] for pair in rewritten)
        errors, words = _sum(self._errors[text] for text, _ in own)
        if not count:
            return Quality(math.inf, -math.inf, 0.0, (), None, None)
        return Quality(math.exp(-total / count), given / count, 100 * errors / max(words, 1), (), None, None)

    async def _know(self, pairs: Sequence[tuple[str, str]]) -> None:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self._likely]
        self._likely |= await likelihoods(self._scorer, new)
        unread = [text for text, context in new if not context and text not in self._errors]
        self._errors.update(zip(unread, await self.workers.map(errors, unread), strict=True))


class _Texts:
    """The sentences of a section before and after, and those that were rewritten, each with its source."""

    def __init__(self, state: PlannerState, changed: Mapping[int, str]) -> None:
        old = {number: state.document.sentence(number).text for number in state.numbers}
        new = {number: changed.get(number, text) for number, text in old.items()}
        self.before = [(text, "") for text in old.values()]
        self.after = [(text, "") for text in new.values() if text]
        self.rewritten = [
            (text, CONTEXT.format(source=old[number]))
            for number, text in new.items()
            if text and text != old[number]
        ]


def tool_score(answer: PlanAnswer, state: PlannerState) -> float:
    """S_v: F1 of the calls against those that the request means."""
    return tool_use(answer.calls, state.trajectory.calls)["tool_f1"] / 100


def share_met(asked: tuple[str, str, tuple[str, ...]]) -> float:
    """S_c of (original, revised, calls): the share of the constraints that hold; 1 where there are none."""
    original, revised, calls = asked
    findings = list(check(revised, checks(calls), original=original))
    return sum(finding.met for finding in findings) / len(findings) if findings else 1.0


def checks(calls: Iterable[str]) -> list[str]:
    """The calls that check something."""
    return [call for call in calls if call.partition("(")[0].endswith("_check")]


def errors(sentence: str) -> tuple[float, int]:
    """What the errors of a sentence weigh, and its words."""
    return weight(grammar_findings(sentence, "text")), count_words(sentence)


def _sum(parts: Iterable[tuple[float, int]]) -> tuple[float, int]:
    total, count = 0.0, 0
    for value, size in parts:
        total, count = total + value, count + size
    return total, count
