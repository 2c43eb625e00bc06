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
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from redraft.bench.preferences.pairs import (
    Choice,
    Filters,
    Pairs,
    Source,
    Sources,
    build_pairs,
    is_dev,
    read_judged,
)
from redraft.errors import InputError, ModelError
from redraft.models import Models
from redraft.runs import Answer, Build, Job, ModelsWorker, Record, Results, RunDir, Worker
from redraft.settings import Settings
from redraft.simplification import (
    ASPECTS,
    Aligner,
    Alignment,
    Aspect,
    Judge,
    Judged,
    Own,
    Policy,
    Pool,
    compare_judges,
    compare_rounds,
    distribution,
    diversity,
    open_judge,
    open_pool,
    trained_adapters,
)
from redraft.text import json_lines, write_text


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges, and how."""

    spec: str = "rubric"
    thinking: bool | None = None
    rounds: int = 1
    seed: int = 0
    parser: str = "shallow"
    kept: float = 0.0
    doubted: float = 0.0
    """Points off for kept words, and for what the trained judge doubts, of the judge `agreement`."""

    def open(self, models: Models, policy: Policy) -> Judge:
        """The judge, with the examples that the policy has for it."""
        options = asdict(self)
        return open_judge(options.pop("spec"), models, examples=policy.judged, **options)


async def open_pooling(
    specs: Sequence[str], policy: Policy, seed: int, own: Own, settings: Settings
) -> Worker:
    """A worker that has every system of a pool simplify a source, with models of its own."""
    models = Models(settings)
    return _Pooling(models, open_pool(specs, models, policy, seed, own))


async def open_judging(judging: Judging, policy: Policy, settings: Settings) -> Worker:
    """A worker that judges candidates, with models of its own."""
    models = Models(settings)
    return _Judging(models, judging.open(models, policy), Aligner(models.embedder()), policy)


class _Pooling(ModelsWorker):
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


class _Judging(ModelsWorker):
    def __init__(self, models: Models, judge: Judge, aligner: Aligner, policy: Policy) -> None:
        super().__init__(models)
        self._judge = judge
        self._aligner = aligner
        self._policy = policy

    async def do(self, choice: Choice) -> Answer:
        """The verdicts, and what became of the words in the candidates that the deciding one names."""
        found = await self._judge.judge(choice.source.text, choice.texts, self._policy)
        fields = found.to_dict()
        del fields["usage"], fields["error"]
        if (verdict := found.verdicts.get(self._policy.decides)) is not None:
            named = (choice.texts[verdict.best], choice.texts[verdict.worst])
            aligned = await self._aligner.align([(choice.source.text, text) for text in named])
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


@dataclass(frozen=True)
class PreferenceRecipe:
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
    own: Own = field(default_factory=Own)
    apart: float = 0.0

    def facts(self) -> Record:
        """What decides the candidates: a build is only gone on with where it is the same."""
        other = {} if self.own.model == Own().model else {"own_model": self.own.model}
        return {
            "builds": "preferences",
            "policy": self.policy.name,
            "policy_hash": self.policy.hash,
            "systems": list(self.systems),
            "seed": self.seed,
            "filters": asdict(self.filters),
            **other,
        }

    def further(self) -> Record:
        """What decides the pairs beside the candidates and the judge."""
        return {
            "aspect": self.policy.decides,
            "limit": self.limit,
            "copies": self.copies,
            "dev_share": self.dev,
            "licence": self.licence,
            **({"apart": self.apart} if self.apart else {}),
        }


@dataclass
class PreferenceBuild(Build[PreferenceRecipe, Sources]):
    """Preference data, built in one folder."""

    async def run(self, resume: bool) -> Record:
        """Build, or go on building; what the card says."""
        recipe = self.recipe
        drawn = self.sources.drawn(recipe.seed, recipe.limit)
        facts = {**recipe.facts(), "sources": self.sources.digest}
        if adapters := trained_adapters(recipe.systems, recipe.policy, self.settings, recipe.own):
            facts["adapters"] = adapters
        with self.open_folder(facts, "candidates", resume) as run:
            return await self._built(run, drawn)

    async def _built(self, run: RunDir, drawn: Sequence[Source]) -> Record:
        recipe = self.recipe
        judge = await self._judge_name()
        await self._pool(drawn, run.results)
        records = run.results.latest()
        pooled = [records[source.id] for source in drawn]
        choices = [Choice.of(record) for record in pooled]
        verdicts = await self._judge(choices, judge)
        judgements = {choice.key: read_judged(verdicts[choice.key]) for choice in choices if choice.is_real}
        check_thinking(recipe.judging.spec, judgements.values())
        pairs = build_pairs(choices, verdicts, recipe.policy, copies=recipe.copies, apart=recipe.apart)
        return self._write(judge, pooled, choices, judgements, pairs, run.facts()["versions"])

    async def _judge_name(self) -> str:
        async with Models(self.settings) as models:
            return self.recipe.judging.open(models, self.recipe.policy).name

    async def _pool(self, sources: Sequence[Source], results: Results) -> None:
        """Have every source simplified by every system."""
        recipe = self.recipe
        jobs = (Job(source.id, source.text, {"source": source.text, "candidates": []}) for source in sources)
        opening = partial(open_pooling, recipe.systems, recipe.policy, recipe.seed, recipe.own)
        await self.do(jobs, len(sources), opening, self.settings, results)

    async def _judge(self, choices: Sequence[Choice], judge: str) -> dict[str, Record]:
        """Have every choice judged; what was said of each, now or before."""
        real = [choice for choice in choices if choice.is_real]
        jobs = (Job(choice.key, choice, {"verdicts": {}}) for choice in real)
        opening = partial(open_judging, self.recipe.judging, self.recipe.policy)
        results = self.results(verdicts_name(judge))
        await self.do(jobs, len(real), opening, self.settings, results)
        return results.latest()

    def _write(
        self,
        judge: str,
        pooled: Sequence[Record],
        choices: Sequence[Choice],
        judgements: Mapping[str, Judged],
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
            "judge": {"name": judge, **asdict(recipe.judging), **judging_facts(choices, judgements)},
            "use": use(choices, judgements, pairs, recipe.policy.decides),
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
        self.write_card(found, __package__)
        return found


def verdicts_name(judge: str) -> str:
    """The name of a judge's file; where that of the judge had to be changed, a hash keeps it apart."""
    name = re.sub(r"[^A-Za-z0-9.]+", "-", judge).strip("-.")[:60]
    mark = "" if name == judge else f"-{hashlib.sha256(judge.encode()).hexdigest()[:8]}"
    return f"verdicts-{name}{mark}"


LIMITS: Final = (
    "The preferences are a judge's, and carry its errors; nobody read them all. A pair says which of two "
    "candidates follows the policy better, not that either is good: both come from the same few systems. "
    "Sources are single sentences in English, taken out of their texts."
)


def pool_facts(pooled: Sequence[Record]) -> Record:
    """What failed, and how much the candidates differ."""
    choices = [Choice.of(record) for record in pooled]
    failed = Counter(spec for record in pooled for spec in record.get("failed", ()))
    return {
        "failed": dict(sorted(failed.items())),
        "to_try_again": sum(record["error"] is not None for record in pooled),
        "diversity": asdict(diversity((choice.source.text, choice.candidates) for choice in choices)),
    }


def judging_facts(choices: Sequence[Choice], judgements: Mapping[str, Judged]) -> Record:
    """What became of what the judge was asked, and how far its rounds agree."""
    judged = [judgements[choice.key] for choice in choices if choice.key in judgements]
    thought = [one.thought for one in judged if one.thought is not None]
    agreement: defaultdict[str, list[float]] = defaultdict(list)
    for one in judged:
        for aspect, share in one.agreement.items():
            agreement[aspect].append(share)
    return {
        "judged": len(judged),
        "failed": sum(one.error is not None for one in judged),
        "agreement": {aspect: round(fmean(shares), 4) for aspect, shares in sorted(agreement.items())},
        "thought": round(fmean(thought), 4) if thought else None,
    }


def check_thinking(spec: str, judgements: Iterable[Judged]) -> None:
    """ModelError where a judge was to think first, and never did: its verdicts are not what was asked for."""
    thought = [one.thought for one in judgements if one.thought is not None]
    if thought and not any(thought):
        raise ModelError(
            f"{spec} was to think first, and none of {len(thought)} answers came with any thoughts",
            provider=spec,
            hint="it cannot, or its service keeps them to itself: leave out --think",
        )


def use(choices: Sequence[Choice], judgements: Mapping[str, Judged], pairs: Pairs, aspect: Aspect) -> Record:
    """How often each system is preferred and dispreferred in the pairs, and how evenly."""
    ids = {pair["id"] for pair in pairs.pairs}
    used = [choice for choice in choices if choice.source.id in ids]
    return distribution(
        [judgements[one.key] for one in used], [one.candidates for one in used], aspect
    ).to_dict()


def compare_verdicts(folder: Path) -> dict[str, Any]:
    """All judges of a folder: whom each prefers, how its rounds agree, and every two against each other."""
    choices = {
        choice.key: choice
        for record in Results(folder / "candidates.jsonl").latest().values()
        if (choice := Choice.of(record)).is_real
    }
    files = sorted(folder.glob("verdicts-*.jsonl"))
    if not choices or not files:
        raise InputError(f"{folder} has no verdicts: make some with redraft simplify build-preferences")
    judges = {}
    for file in files:
        judgements = _read(file, choices)
        judges[next((one.judge for one in judgements.values()), file.stem)] = judgements
    return {
        "judges": {name: _one(judgements, choices) for name, judgements in judges.items()},
        "pairs": [_two(*pair) for pair in combinations(judges.items(), 2)],
    }


def _read(file: Path, choices: dict[str, Choice]) -> dict[str, Judged]:
    """What was said of candidates that still are the ones of their source."""
    latest = Results(file).latest().items()
    return {key: read_judged(record) for key, record in latest if key in choices and not record["error"]}


def _one(judgements: dict[str, Judged], choices: dict[str, Choice]) -> dict[str, Any]:
    judged = list(judgements.values())
    candidates = [choices[key].candidates for key in judgements]
    return {
        "judged": len(judged),
        "preferences": {aspect: distribution(judged, candidates, aspect).to_dict() for aspect in ASPECTS},
        "rounds": [one.to_dict() for one in compare_rounds(judged)] if any(x.rounds for x in judged) else [],
    }


def _two(first: tuple[str, dict[str, Judged]], second: tuple[str, dict[str, Judged]]) -> dict[str, Any]:
    (one, judgements), (other, answered) = first, second
    both = [key for key in judgements if key in answered]
    compared = compare_judges([judgements[key] for key in both], [answered[key] for key in both])
    return {
        "judges": [one, other],
        "both": len(both),
        "aspects": [difference.to_dict() for difference in compared],
    }
