"""Whole answers of the editor, where one says what the sentence says, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from redraft.constraints import spelled
from redraft.editor import EditorAnswer, agreed_sari
from redraft.models import Embedder, Scorer
from redraft.quality import listed
from redraft.revision import Appraiser, PassageScore, parts
from redraft.simplification.operations import operations_used
from redraft.simplification.policy import Policy
from redraft.text import Document, spellings, tagged

TELLING: Final = listed(
    """
    few fewer many several some most all no none not never only both each every any much little less more once
    twice half one two three four five six seven eight nine ten
    """
)
"""Words that tell how many, or whether at all."""
_LIKE: Final = 0.92
_GONE: Final = 0.25
"""The share of the words of content that a rewritten sentence may do without."""
_LONGER: Final = 1.15
"""How much longer it may be: sentences take their subject up again."""
_ONCE: Final = frozenset({"CD", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"})
_HELPING: Final = listed("be is are was were been being am have has had having do does did")
_NO_START: Final = frozenset({"VBG", "VBN", "WDT", "CC"})
_VOTED: Final = 2
"""Votes for an answer that may have a word of content more than the sentence."""


class Rewriter:
    """Finds the answer that most others would defend, among those that may stand for the sentence."""

    def __init__(self, scorer: Scorer, embedder: Embedder, policy: Policy) -> None:
        self._appraiser = Appraiser(scorer, embedder)
        self._policy = policy

    async def best(self, sentence: str, answers: Sequence[EditorAnswer]) -> str | None:
        """The best answer; None where none says the same in whole sentences, as the policy would have it."""
        if not answers:
            return None
        texts = [answer.text for answer in answers]
        worths = await self._appraiser.score([(sentence, text) for text in texts])
        agreed = agreed_sari(sentence, texts, [answer.votes for answer in answers])
        found = [
            (agreement, answer.text)
            for agreement, answer, score in zip(agreed, answers, worths, strict=True)
            if _same(score, answer) and _whole(sentence, answer.text) and self._permits(sentence, answer.text)
        ]
        return max(found)[1] if found else None

    def _permits(self, sentence: str, text: str) -> bool:
        used = operations_used(sentence, text).keys()
        return self._policy.limits.fits(sentence, text) and used <= self._policy.operations


def _same(score: PassageScore, answer: EditorAnswer) -> bool:
    new = score.new == 0 or (score.new == 1 and answer.votes >= _VOTED)
    return score.sound and score.likeness >= _LIKE and score.gone <= _GONE and new


def _whole(sentence: str, text: str) -> bool:
    """Whether a text is made of whole sentences, and tells as much of how many and whether at all."""
    words, before = ([word.lower() for word in spellings(one)] for one in (text, sentence))
    if words == before or len(words) > _LONGER * len(before) or TELLING & {*words} != TELLING & {*before}:
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
        word.text.lower() for word in tagged(text) if word.tag in _ONCE and word.text.lower() not in _HELPING
    )


def _stands(sentence: str) -> bool:
    """Whether a sentence has a verb of its own and a beginning; after a comma, it may be a participle."""
    read = parts(sentence)
    verb = read.main
    return verb is not None and read.word(verb - 1) != "," and read.tag(0) not in _NO_START
