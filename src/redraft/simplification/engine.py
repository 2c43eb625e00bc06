"""The engine: a sentence in, the same sentence in easier words out, with every change told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.editor import EditorAnswer
from redraft.models import Embedder, Scorer
from redraft.revision import Appraiser, Edit, Reason, applied, sound
from redraft.simplification import tuning
from redraft.simplification.changes import (
    Change,
    deletions,
    divided,
    from_answers,
    from_list,
    from_thesaurus,
)
from redraft.simplification.policy import Policy
from redraft.simplification.scoring import ChangeScorer, ScoredChange, best_answer, spelt_numbers
from redraft.simplification.simplification import Replaced
from redraft.text import LEVELS, Document, Syntax, analyse_syntax, level, tagged


@dataclass(frozen=True, slots=True)
class Simplified:
    """A sentence as it was made simpler, by whom, and the changes where they are known."""

    source: str
    text: str
    changes: tuple[Change, ...] = ()
    split: bool = False
    rewritten: bool = False
    """Whether it is an answer of a model, as a whole."""
    by: str = "engine"

    @property
    def why(self) -> tuple[Reason, ...]:
        """Everything that was done, in order."""
        rewrite, divide = [Reason("rewrite")] * self.rewritten, [Reason("divide")] * self.split
        return (*rewrite, *(change.why for change in self.changes), *divide)

    @property
    def replaced(self) -> dict[Reason, Replaced]:
        """The words of the source that were replaced or left out, by the reason that stands in `why`."""
        found: dict[Reason, Replaced] = {}
        for change in self.changes:
            # What the editor wrote and the engine replaced was never in the source.
            known = not self.rewritten or change.old.lower() in self.source.lower()
            if known:
                same = [word for word in tagged(self.source) if word.text == change.old]
                word = min(same, key=lambda word: abs(word.start - change.start), default=None)
                rank = word and level(word.text, word.tag)
                found[change.why] = Replaced(change.old, change.new, str(change.why), rank)
        return found


class Engine:
    """Simplifies sentences by a policy: every change is simpler, and no worse, than what was there."""

    def __init__(self, scorer: Scorer, embedder: Embedder, policy: Policy) -> None:
        self._scorer = scorer
        self._change_scorer = ChangeScorer(scorer, embedder)
        self._appraiser = Appraiser(scorer, embedder)
        self._policy = policy

    async def simplify(self, sentence: str, answers: Sequence[EditorAnswer] = ()) -> Simplified:
        """The sentence with the best changes; the editor's answers add to them, and vote for others."""
        return (await self.versions(sentence, answers))[0]

    async def versions(self, sentence: str, answers: Sequence[EditorAnswer] = ()) -> list[Simplified]:
        """The best version, then those that change less: one sentence for one, and only other words."""
        found = await self._reworded(sentence, answers)
        versions = [found]
        replaced = [change for change in found.changes if change.operation == "replace"]
        if len(replaced) < len(found.changes):
            made = await self._made(sentence, replaced)
            versions += [made] if made else []
        if self._policy.allows("split"):
            versions.insert(0, await self._divided(found, answers))
        if self._policy.rebuilds:
            answer = await best_answer(sentence, answers, self._appraiser, self._policy)
            if answer is not None:
                versions.insert(0, await self._rebuilt(sentence, answer))
        return list({version.text: version for version in versions}.values())

    async def _rebuilt(self, sentence: str, answer: str) -> Simplified:
        """An answer of the editor, in easier words."""
        document = Document(answer, "text")
        pieces = [await self._reworded(one.text) for one in document.sentences]
        text = " ".join(piece.text for piece in pieces)
        changes = tuple(change for piece in pieces for change in piece.changes)
        if not await self._change_scorer.no_worse(sentence, text):
            text, changes = answer, ()
        return Simplified(sentence, text, changes, len(pieces) > 1, rewritten=True)

    async def _reworded(self, sentence: str, answers: Sequence[EditorAnswer] = ()) -> Simplified:
        """The sentence with the changes that speak for themselves, as many as go together."""
        read = analyse_syntax(sentence)
        scored = await self._change_scorer.accepted(sentence, self._changes(read, answers))
        chosen = self._chosen(read, scored)
        while chosen:
            made = await self._made(sentence, [one.change for one in chosen])
            if made is not None:
                return made
            chosen.remove(min(chosen, key=lambda one: one.value))
        return Simplified(sentence, sentence)

    async def _made(self, sentence: str, changes: Sequence[Change]) -> Simplified | None:
        """The sentence with all of these changes, where that is no worse."""
        text = applied(sentence, [Edit(one.start, one.end, one.new) for one in changes])
        if not sound(sentence, text) or not await self._change_scorer.no_worse(sentence, text):
            return None
        return Simplified(sentence, text, tuple(sorted(changes, key=lambda one: one.start)))

    def _changes(self, read: Syntax, answers: Sequence[EditorAnswer]) -> list[Change]:
        allowed = self._policy.operations
        found: list[Change] = []
        if "replace" in allowed:
            found += from_list(read)
            found += from_thesaurus(read, LEVELS.index(self._policy.limits.word_level) + 0.8)
            found += from_answers(read, answers)
        if "delete" in allowed:
            found += deletions(read, answers, phrases=self._policy.rebuilds)
        return _backed(
            [
                one
                for one in found
                if one.operation in allowed and spelt_numbers(one.old) <= spelt_numbers(one.new)
            ]
        )

    def _chosen(self, read: Syntax, scored: Sequence[ScoredChange]) -> list[ScoredChange]:
        """The changes that speak for themselves most and do not touch, within the policy's length."""
        least = self._policy.limits.length_ratio[0] if self._policy.limits.length_ratio else 0.0
        words = len(read.text.split())
        left = words
        chosen: list[ScoredChange] = []
        for one in sorted(scored, key=lambda one: -one.value):
            change = one.change
            fewer = len(change.old.split()) - len(change.new.split())
            apart = all(
                change.end <= other.change.start or change.start >= other.change.end for other in chosen
            )
            if apart and left - fewer >= least * words:
                chosen.append(one)
                left -= fewer
        return chosen

    async def _divided(self, found: Simplified, answers: Sequence[EditorAnswer]) -> Simplified:
        """The same in shorter sentences, where that reads no worse."""
        ways = divided(found.source, found.text, answers)
        if not ways:
            return found
        whole, *rest = await self._scorer.log_probs([found.text, *ways])
        best = max(range(len(ways)), key=lambda n: rest[n].mean)
        if rest[best].mean < whole.mean - tuning.SPLIT_NATS or not await self._change_scorer.no_worse(
            found.text, ways[best]
        ):
            return found
        return replace(found, text=ways[best], split=True)


def _backed(changes: Sequence[Change]) -> list[Change]:
    """The changes without repeats: one that several propose is the first one's, with the most votes."""
    found: dict[tuple[int, int, str], Change] = {}
    for change in changes:
        key = (change.start, change.end, change.new.lower())
        known = found.get(key)
        found[key] = change if known is None else replace(known, votes=max(known.votes, change.votes))
    return list(found.values())
