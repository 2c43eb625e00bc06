"""What speaks for a change: easier words, the language model, the meaning, the editor's answers."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from redraft.constraints import spelled
from redraft.editor import EditorAnswer, agreed_sari
from redraft.models import Embedder, Scorer
from redraft.quality import grammar_findings, meaning_changes, weight
from redraft.revision import Appraiser, Edit, PassageScore, applied
from redraft.simplification import tuning
from redraft.simplification.changes import QUANTITIES, Change
from redraft.simplification.policy import Policy, operations_used
from redraft.simplification.verdicts import WORD_SETS
from redraft.text import Document, Tagged, analyse_syntax, difficulty, spellings, syllables, tagged

_WORD: Final = re.compile(r"\S+")
_ONCE: Final = frozenset({"CD", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
_AUXILIARIES: Final = WORD_SETS["auxiliaries"]
_NO_START: Final = frozenset({"VBG", "VBN", "WDT", "CC"})


@dataclass(frozen=True, slots=True)
class ScoredChange:
    """A change, and what is known of it."""

    change: Change
    easing: float
    """Levels by which the hardest word is easier."""
    fluency: float
    """Nats that the sentence gains."""
    likeness: float
    """How like the sentence is to what it was."""
    nearness: float
    """How near the new words are to the old ones, by themselves."""

    @property
    def word_for_word(self) -> bool:
        """Whether it puts one word for one."""
        return " " not in self.change.new and " " not in self.change.old

    @property
    def accepted(self) -> bool:
        """Whether it may be made, if it is simpler and changes nothing that is told."""
        change = self.change
        if (
            self.value <= 0
            or self.fluency < tuning.FLUENCY_LEAST[change.by]
            or self.likeness < tuning.CHANGE_LIKENESS
        ):
            return False
        if change.operation == "delete":
            return self.likeness >= tuning.DELETION_LIKENESS or change.votes > 0
        if change.votes >= tuning.VOTES_ENOUGH:
            return True
        return self.nearness >= tuning.NEARNESS_LEAST[change.by] and (
            change.by != "editor" or self.word_for_word
        )

    @property
    def value(self) -> float:
        """How much speaks for it."""
        change = self.change
        fluency = min(self.fluency, tuning.FLUENCY_MOST)
        return tuning.TRUST[change.by] + 3 * change.votes + 0.1 * fluency + 0.3 * self.easing


@dataclass(frozen=True)
class ChangeScorer:
    """Scores changes to sentences with a language model and an embedder."""

    scorer: Scorer
    embedder: Embedder

    async def accepted(self, sentence: str, changes: Sequence[Change]) -> list[ScoredChange]:
        """The changes to a sentence that may be made, each by itself, with what speaks for them.

        A very long sentence is scored stretch by stretch, so that the time it takes grows no faster than it.
        """
        found: list[ScoredChange] = []
        for start, end in _stretches(sentence):
            within = [one for one in changes if start <= one.start and one.end <= end]
            if within:
                found += await self._accepted_within(sentence[start:end], start, within)
        return found

    async def _accepted_within(
        self, stretch: str, first: int, changes: Sequence[Change]
    ) -> list[ScoredChange]:
        words = tagged(stretch)
        simpler: list[tuple[Change, str, float]] = []
        for one in changes:
            start, end = one.start - first, one.end - first
            text = applied(stretch, [Edit(start, end, one.new)])
            easing = _hardest(words, start, end) - _hardest_new(text, one.new, start)
            if _simpler(one, easing):
                simpler.append((one, text, easing))
        if not simpler:
            return []
        texts = [text for _, text, _ in simpler]
        old, new = [one.old for one, _, _ in simpler], [one.new or "nothing" for one, _, _ in simpler]
        log_probs, vectors = await asyncio.gather(
            self.scorer.log_probs([stretch, *texts]), self.embedder.embed([stretch, *texts, *old, *new])
        )
        whole, count = log_probs[0].total, len(simpler)
        likeness = vectors[1 : count + 1] @ vectors[0]
        nearness = np.einsum("ij,ij->i", vectors[count + 1 : 2 * count + 1], vectors[2 * count + 1 :])
        found: list[ScoredChange] = []
        for (change, text, easing), probabilities, like, near in zip(
            simpler, log_probs[1:], likeness, nearness, strict=True
        ):
            scored = ScoredChange(change, easing, probabilities.total - whole, float(like), float(near))
            if scored.accepted and not meaning_changes(stretch, text):
                found.append(scored)
        return found

    async def no_worse(self, before: str, after: str) -> bool:
        """Whether a sentence says the same after all its changes, with no more errors."""
        if meaning_changes(before, after) or weight(grammar_findings(after, "text")) > weight(
            grammar_findings(before, "text")
        ):
            return False
        one, other = await self.embedder.embed([before, after])
        return float(one @ other) >= tuning.SENTENCE_LIKENESS


def _stretches(sentence: str) -> Iterator[tuple[int, int]]:
    """Where to weigh changes: in the whole sentence, or from mark to mark in one that is very long."""
    words = list(_WORD.finditer(sentence))
    first = 0
    while first < len(words):
        end = min(first + tuning.SCORED_WORDS, len(words))
        if end < len(words):
            marks = (
                n for n in range(end, first + tuning.SCORED_WORDS // 2, -1) if words[n - 1][0][-1] in ",;:"
            )
            end = next(marks, end)
        yield words[first].start(), words[end - 1].end()
        first = end


def _simpler(change: Change, easing: float) -> bool:
    """Whether the words are easier, or fewer and no harder; those of the list are, as a rule."""
    if change.by == "list":
        return easing > -tuning.LIST_DOUBT
    return easing > tuning.EASIER_FOR_SURE or (
        easing >= 0 and _syllables(change.old) > _syllables(change.new)
    )


def _hardest(words: Sequence[Tagged], start: int, end: int) -> float:
    found = (difficulty(word.text, word.tag) for word in words if word.start < end and word.end > start)
    return max(found, default=1.0)


def _hardest_new(text: str, new: str, near: int) -> float:
    """How difficult the new words are where they stand; an article before them may have moved them."""
    start = text.find(new, max(0, near - 2)) if new else -1
    return _hardest(tagged(text), start, start + len(new)) if start >= 0 else 1.0


def _syllables(text: str) -> int:
    return sum(syllables(word.text) for word in tagged(text) if word.text[:1].isalpha())


async def best_answer(
    sentence: str, answers: Sequence[EditorAnswer], appraiser: Appraiser, policy: Policy
) -> str | None:
    """The answer that most others would defend, among those that may stand for the sentence.

    None where none says the same in whole sentences, as the policy would have it.
    """
    if not answers:
        return None
    texts = [answer.text for answer in answers]
    scores = await appraiser.score([(sentence, text) for text in texts])
    agreed = agreed_sari(sentence, texts, [answer.votes for answer in answers])
    found = [
        (agreement, answer.text)
        for agreement, answer, score in zip(agreed, answers, scores, strict=True)
        if _same(score, answer)
        and _whole(sentence, answer.text)
        and policy.limits.fits(sentence, answer.text)
        and operations_used(sentence, answer.text).keys() <= policy.operations
    ]
    return max(found)[1] if found else None


def _same(score: PassageScore, answer: EditorAnswer) -> bool:
    new = score.new == 0 or (score.new == 1 and answer.votes >= tuning.ANSWER_VOTES)
    return (
        score.sound and score.likeness >= tuning.ANSWER_LIKENESS and score.gone <= tuning.ANSWER_GONE and new
    )


def _whole(sentence: str, text: str) -> bool:
    """Whether a text is made of whole sentences, and tells as much of how many and whether at all."""
    words, before = ([word.lower() for word in spellings(one)] for one in (text, sentence))
    if (
        words == before
        or len(words) > tuning.ANSWER_LONGER * len(before)
        or QUANTITIES & {*words} != QUANTITIES & {*before}
    ):
        return False
    if any(words[n : n + 2] == words[n + 2 : n + 4] for n in range(len(words) - 3)):
        return False
    if _told(text) - _told(sentence) or spelt_numbers(text) != spelt_numbers(sentence):
        return False
    return all(_stands(one.text) for one in Document(text, "text").sentences)


def spelt_numbers(text: str) -> set[float]:
    """The numbers above one that are spelt out, "eleven", "forty-two": taggers take some for adjectives."""
    found = (spelled(word.lower().split("-")) for word in spellings(text))
    return {number[0] for number in found if number is not None and not number[2] and number[0] > 1}


def _told(text: str) -> Counter[str]:
    """The numbers and the verbs that tell something: said once more, they tell of something else."""
    return Counter(
        word.text.lower()
        for word in tagged(text)
        if word.tag in _ONCE and word.text.lower() not in _AUXILIARIES
    )


def _stands(sentence: str) -> bool:
    """Whether a sentence has a verb of its own and a beginning; after a comma, it may be a participle."""
    read = analyse_syntax(sentence)
    verb = read.main
    return verb is not None and read.word(verb - 1) != "," and read.tag(0) not in _NO_START
