"""Best of N: what other writers make of a task, and whether a judge who knows no names prefers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from redraft.bench.c3e.building.asking import ROOM
from redraft.bench.c3e.reading import read_entry
from redraft.bench.c3e.tasks import asking_of
from redraft.bench.results import Record
from redraft.bench.writers import write
from redraft.errors import BadAnswer
from redraft.judge import Context, Pair, PairwiseJudge, load_rubric, pair_verdicts
from redraft.models import Models

_DECIDES: Final = "overall"


@dataclass(frozen=True, slots=True)
class Write:
    """What a writer makes of a record."""

    record: Record
    writer: str

    async def do(self, models: Models) -> Record:
        """Have the task done, as a benchmarked model does it."""
        model = models.open(self.writer, role="writer")
        answer = await write(model, asking_of(read_entry(self.record)), seed=0)
        if answer.more.get("cut") or not answer.text:
            raise BadAnswer("the answer is empty, or was cut off", provider=self.writer)
        return {"answer": answer.text}


@dataclass(frozen=True, slots=True)
class Compare:
    """Whether an answer is better than the reference of a record."""

    record: Record
    answer: str

    async def do(self, models: Models) -> Record:
        """Ask the judge in both orders; the answer wins only where both say so."""
        entry = read_entry(self.record)
        material = "\n\n".join(part for part in (entry.grounding, entry.critique) if part)
        context = Context(source=material or None, instruction=entry.instruction)
        judge = PairwiseJudge(models.for_role("judge"), load_rubric("reference"), max_tokens=ROOM)
        said = await judge.judge(Pair(entry.id, entry.reference, self.answer, context))
        if error := next((one.error for one in said if one.error is not None), None):
            raise BadAnswer(error, provider=said[0].judge)
        verdict = next(one for one in pair_verdicts(said) if one.aspect == _DECIDES)
        return {"wins": verdict.preferred == "second", "said": dict(verdict.said)}
