"""Evaluation of a text: the reward that guides the search, and feedback in words for the planner."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from redraft.constraints import Findings
from redraft.quality import Quality, QualityScorer, Scale
from redraft.revision.records import Action, Feedback, Reward
from redraft.revision.search.latex import keyword_preservation
from redraft.revision.task import Task
from redraft.text import Document, RuleFinder, mask

_SHOWN = 6
_FIGURES = re.compile(r"\d+")
_CAPITALISED = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}")
_CORRECTED = 1e-3
"""How much better a corrected text is than its source, at the least: each correction was judged by itself."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A text as the tools see it."""

    findings: Findings
    quality: Quality
    reward: Reward


@dataclass(frozen=True, slots=True)
class Switches:
    """What the search goes by; each may be turned off, to see what it is good for."""

    plan: bool = True
    feedback: bool = True
    quality: bool = True
    constraints: bool = True
    preservation: bool = True

    @property
    def off(self) -> list[str]:
        """The names of those that are turned off."""
        return [name for name in self.__slots__ if not getattr(self, name)]


class Evaluator:
    """Scores revisions of one task, each distinct text once."""

    def __init__(self, task: Task, scorer: QualityScorer, switches: Switches) -> None:
        self._task = task
        self._scorer = scorer
        self._switches = switches
        self._known: dict[str, Evaluation] = {}
        self._scale: Scale | None = None

    async def judged(self, text: str, action: Action | None = None) -> Evaluation:
        """The findings, the quality and the reward of a text, by the constraints, whatever was planned."""
        if text not in self._known:
            self._known[text] = await self._judge(text)
        return self._known[text]

    async def _judge(self, text: str) -> Evaluation:
        task = self._task
        if self._scale is None:
            (own,) = await self._scorer.score([task.original], [task.original])
            self._scale = Scale(own)
            if text == task.original:
                return self._rewarded(text, own, self._scale)
        (quality,) = await self._scorer.score([text], [task.original])
        return self._rewarded(text, quality, self._scale)

    def _rewarded(self, text: str, quality: Quality, scale: Scale) -> Evaluation:
        """R_g is the mean of the scaled scores, R_c the share of constraints that hold, names included."""
        task, switches = self._task, self._switches
        findings = task.check(text)
        good = scale.of(quality).mean if switches.quality else 0.0
        if task.is_goal and switches.quality:
            good = (good + rewritten(task, text)) / 2
        elif task.kind == "correct" and switches.quality and text != task.original:
            good = max(good, scale.of(scale.source).mean + _CORRECTED)
        preserved = preservation(task, text, quality) if switches.preservation else None
        if task.kind == "correct" and preserved is not None and _names_alike(task.original, text):
            preserved = 1.0  # "1.4 millions euros" is a name to whoever looks for names, and an error
        if not switches.constraints:
            return Evaluation(findings, quality, Reward(good, 0.0, preserved))
        met = [float(finding.met) for finding in findings]
        if preserved is not None:
            met.append(preserved)
        obeyed = sum(met) / len(met) if met else 1.0
        return Evaluation(findings, quality, Reward(good, obeyed, preserved))

    async def feedback(self, text: str, action: Action | None = None) -> tuple[Feedback, ...]:
        """What the tools say of a text, in words; nothing where feedback is turned off."""
        if not self._switches.feedback:
            return ()
        judged = await self.judged(text)
        checks = (
            Feedback(finding.constraint.call, int(not finding.met), finding.message)
            for finding in judged.findings
        )
        names = await asyncio.to_thread(keywords, self._task, text)
        return (
            Feedback("text_eval()", None, quality_words(judged.quality, text)),
            Feedback("detect_keyword()", None, ", ".join(names[:40]) or "none"),
            *checks,
        )


def _names_alike(one: str, other: str) -> bool:
    """Whether two texts have the same figures, and the words with a capital of the one are in the other."""
    low = other.lower()
    return sorted(_FIGURES.findall(one)) == sorted(_FIGURES.findall(other)) and all(
        word.lower() in low for word in _CAPITALISED.findall(one)
    )


def rewritten(task: Task, text: str) -> float:
    """The share of the sentences that are no longer as they were."""
    known = {sentence.text for sentence in Document(task.original, task.format).sentences}
    now = Document(text, task.format).sentences
    return sum(sentence.text not in known for sentence in now) / max(len(now), 1)


def keywords(task: Task, text: str) -> list[str]:
    """What a revision should keep: names, or in LaTeX the commands, citations and formulas."""
    if task.format == "latex":
        return list(dict.fromkeys(mask(text, "latex").pieces))
    return list(dict.fromkeys(entity.text for entity in RuleFinder().find(text)))


def preservation(task: Task, text: str, quality: Quality) -> float:
    """The share of names that are still there; in LaTeX, of commands, citations and formulas."""
    if task.format != "latex":
        return 1.0 if quality.entities is None else quality.entities
    return keyword_preservation(task.original, text)


def quality_words(quality: Quality, text: str) -> str:
    parts = [f"perplexity {quality.perplexity:.1f}", f"{quality.grammar:.1f} errors per 100 words"]
    if quality.meaning is not None:
        parts.append(f"meaning {quality.meaning.similarity:.2f} of 1")
        parts += [f"changed: {change}" for change in quality.meaning.changes[:_SHOWN]]
    parts += [f"“{text[one.start : one.end]}”: {one.message}" for one in quality.findings[:_SHOWN]]
    return "; ".join(parts)
