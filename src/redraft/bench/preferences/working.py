"""The work of a build that models do, in whatever process: candidates for a source, verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from redraft.models import Models
from redraft.runs import Answer, Record, Worker
from redraft.settings import Settings
from redraft.simplification import Aligner, Alignment, Judge, Policy, Pool, open_judge, open_pool


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges, and how."""

    spec: str = "rubric"
    thinking: bool | None = None
    rounds: int = 1
    seed: int = 0
    parser: str = "shallow"

    def open(self, models: Models) -> Judge:
        """The judge."""
        return open_judge(
            self.spec,
            models,
            thinking=self.thinking,
            rounds=self.rounds,
            seed=self.seed,
            parser=self.parser,
        )


@dataclass(frozen=True, slots=True)
class Judgeable:
    """A source, and the different texts that were made of it."""

    source: str
    texts: tuple[str, ...]


async def open_pooling(specs: Sequence[str], policy: Policy, seed: int, settings: Settings) -> Worker:
    """A worker that has every system of a pool simplify a source, with models of its own."""
    models = Models(settings)
    return _Pooling(models, open_pool(specs, models, policy, seed))


async def open_judging(judging: Judging, policy: Policy, settings: Settings) -> Worker:
    """A worker that judges candidates, with models of its own."""
    models = Models(settings)
    return _Judging(models, judging.open(models), Aligner(models.embedder()), policy)


class _Working:
    def __init__(self, models: Models) -> None:
        self._models = models

    async def aclose(self) -> None:
        """Close the models."""
        await self._models.aclose()


class _Pooling(_Working):
    def __init__(self, models: Models, pool: Pool) -> None:
        super().__init__(models)
        self._pool = pool

    async def do(self, source: str) -> Answer:
        """The candidates; an error where another try may give more of them, or there are fewer than two."""
        found = await self._pool.candidates(source)
        error = found.again
        if error is None and len(found.candidates) < 2:
            error = "; ".join(f"{spec}: {why}" for spec, why in found.failed.items())
        fields = {"candidates": [asdict(one) for one in found.candidates], "failed": dict(found.failed)}
        return Answer(fields, found.usage, error)


class _Judging(_Working):
    def __init__(self, models: Models, judge: Judge, aligner: Aligner, policy: Policy) -> None:
        super().__init__(models)
        self._judge = judge
        self._aligner = aligner
        self._policy = policy

    async def do(self, given: Judgeable) -> Answer:
        """The verdicts, and what became of the words in the candidates that the deciding one names."""
        found = await self._judge.judge(given.source, given.texts, self._policy)
        fields = found.to_dict()
        del fields["usage"], fields["error"]
        if (verdict := found.verdicts.get(self._policy.decides)) is not None:
            named = (given.texts[verdict.best], given.texts[verdict.worst])
            aligned = await self._aligner.align([(given.source, text) for text in named])
            fields["words"] = dict(zip(("best", "worst"), map(_words, aligned), strict=True))
        return Answer(fields, found.usage, found.error)


def _words(alignment: Alignment) -> Record:
    """The words that were replaced, deleted and added."""
    source, target = alignment.source_words, alignment.words
    pairs = [(source[link.source], target[link.target]) for link in alignment.links]
    return {
        "replaced": [[one, other] for one, other in pairs if one.lower() != other.lower()],
        "deleted": [source[place] for place in alignment.deleted],
        "added": [target[place] for place in alignment.added],
    }
