"""Building preference data: candidates from a pool, verdicts from a judge, pairs from both.

DIR/run.json               what decides the candidates, and when and with what they were made
DIR/candidates.jsonl       what the pool made of each source; append-only, so that a killed build goes on
DIR/verdicts-JUDGE.jsonl   likewise what a judge said; another judge reads the same candidates
DIR/train.jsonl, dev.jsonl the pairs of the judge that was asked last, split by source
DIR/train-N.jsonl          the first N pairs of train.jsonl, for size curves
DIR/card.md, card.json     what the data hold, and how they were made
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from redraft.bench.preferences.card import LIMITS, judge_facts, page, pool_facts, use
from redraft.bench.preferences.pairs import Choice, Pairs, build_pairs, read_judged
from redraft.bench.preferences.sources import Filters, Source, Sources, is_dev
from redraft.bench.preferences.working import Judgeable, Judging, open_judging, open_pooling
from redraft.bench.results import Record, Results
from redraft.bench.rundir import RunDir
from redraft.bench.runner import Progress, begun, execute
from redraft.bench.work import Engine, Job, Opening
from redraft.models import Models, Usage, remaining_budget
from redraft.settings import Settings
from redraft.simplification import Judged, Policy, trained_adapters
from redraft.text import dumped, json_lines, sound, write_text

Shown = Callable[[int], AbstractContextManager[Callable[[Progress], None]]]
"""Opens a display for so many jobs."""


@dataclass(frozen=True)
class Recipe:
    """What is built."""

    policy: Policy
    systems: tuple[str, ...]
    judging: Judging
    filters: Filters
    seed: int = 0
    limit: int | None = None
    dev: float = 0.125
    sizes: tuple[int, ...] = ()
    copies: bool = False
    licence: str = "not stated"

    def facts(self) -> Record:
        """What decides the candidates: a build is only gone on with where it is the same."""
        return {
            "builds": "preferences",
            "policy": self.policy.name,
            "policy_hash": self.policy.hash,
            "systems": list(self.systems),
            "seed": self.seed,
            "filters": asdict(self.filters),
        }

    def further(self) -> Record:
        """What decides the pairs beside the candidates and the judge."""
        return {
            "aspect": self.policy.decides,
            "limit": self.limit,
            "copies": self.copies,
            "dev_share": self.dev,
            "licence": self.licence,
        }


@dataclass(frozen=True)
class Build:
    """One build: what is built, of what, where, and where its models work."""

    recipe: Recipe
    sources: Sources
    out: Path
    settings: Settings
    engine: Engine
    shown: Shown

    async def run(self, resume: bool) -> dict[str, Any]:
        """Build, or go on building; what the card says."""
        recipe = self.recipe
        drawn = self.sources.drawn(recipe.seed, recipe.limit)
        run = RunDir(self.out)
        run.results = Results(self.out / "candidates.jsonl")
        facts = {**recipe.facts(), "sources": self.sources.digest}
        if adapters := trained_adapters(recipe.systems, recipe.policy, self.settings):
            facts["adapters"] = adapters
        with begun(run, facts, resume):
            return await self._built(run, drawn)

    async def _built(self, run: RunDir, drawn: Sequence[Source]) -> dict[str, Any]:
        recipe = self.recipe
        judge = await self._judge_name()
        with self.engine.held():
            spent = await self._pool(drawn, run.results)
            records = run.results.latest()
            pooled = [records[source.id] for source in drawn]
            choices = [Choice.of(record) for record in pooled]
            results = Results(self.out / verdicts_file(judge))
            await self._judge(choices, results, spent)
        verdicts = results.latest()
        pairs = build_pairs(choices, verdicts, recipe.policy, copies=recipe.copies)
        said = {choice.key: read_judged(verdicts[choice.key]) for choice in choices if choice.is_real}
        return self._write(judge, pooled, choices, said, pairs, run.facts()["versions"])

    async def _judge_name(self) -> str:
        async with Models(self.settings) as models:
            return self.recipe.judging.open(models).name

    async def _pool(self, sources: Sequence[Source], results: Results) -> Usage:
        """Have every source simplified by every system; what it took."""
        recipe = self.recipe
        jobs = (Job(source.id, source.text, {"source": source.text, "candidates": []}) for source in sources)
        opening = partial(open_pooling, recipe.systems, recipe.policy, recipe.seed)
        return await self._do(jobs, opening, self.settings, results, len(sources))

    async def _judge(self, choices: Sequence[Choice], results: Results, spent: Usage) -> None:
        """Have every choice judged, with what is left of the budget."""
        settings = remaining_budget(self.settings, spent)
        real = [choice for choice in choices if choice.is_real]
        jobs = (
            Job(choice.key, Judgeable(choice.source.text, choice.texts), {"verdicts": {}}) for choice in real
        )
        opening = partial(open_judging, self.recipe.judging, self.recipe.policy)
        await self._do(jobs, opening, settings, results, len(real))

    async def _do(
        self, jobs: Iterator[Job], opening: Opening, settings: Settings, results: Results, planned: int
    ) -> Usage:
        with self.shown(planned) as progress:
            done = await execute(
                jobs, opening, settings, results, self.engine, planned=planned, progress=progress
            )
        return done.usage

    def _write(
        self,
        judge: str,
        pooled: Sequence[Record],
        choices: Sequence[Choice],
        said: Mapping[str, Judged],
        pairs: Pairs,
        versions: Mapping[str, str],
    ) -> dict[str, Any]:
        recipe = self.recipe
        train = [pair for pair in pairs.pairs if not is_dev(pair["id"], recipe.dev)]
        dev = [pair for pair in pairs.pairs if is_dev(pair["id"], recipe.dev)]
        sizes = [size for size in recipe.sizes if size <= len(train)]
        found = {
            "data": "preferences",
            "recipe": {**recipe.facts(), **recipe.further()},
            "sources": {**self.sources.facts(), "drawn": len(pooled)},
            "pool": pool_facts(pooled),
            "judge": {"name": judge, **asdict(recipe.judging), **judge_facts(choices, said)},
            "use": use(choices, said, pairs, recipe.policy.decides),
            "pairs": {"all": len(pairs.pairs), "left_out": pairs.left_out}
            | {"train": len(train), "dev": len(dev), "sizes": sizes},
            "versions": dict(versions),
            "limits": LIMITS,
        }
        for stale in self.out.glob("train-*.jsonl"):
            if re.fullmatch(r"train-\d+\.jsonl", stale.name):
                stale.unlink()
        write_text(self.out / "train.jsonl", json_lines(train))
        write_text(self.out / "dev.jsonl", json_lines(dev))
        for size in sizes:
            write_text(self.out / f"train-{size}.jsonl", json_lines(train[:size]))
        write_text(self.out / "card.json", dumped(found, indent=2) + "\n")
        write_text(self.out / "card.md", sound(page(found)))
        return found


def verdicts_file(judge: str) -> str:
    """The file of a judge; where its name had to be changed to be one, a hash keeps it apart."""
    name = re.sub(r"[^A-Za-z0-9.]+", "-", judge).strip("-.")[:60]
    mark = "" if name == judge else f"-{hashlib.sha256(judge.encode()).hexdigest()[:8]}"
    return f"verdicts-{name}{mark}.jsonl"
