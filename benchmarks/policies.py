"""Simplifiers by preference, arm beside arm:

    python benchmarks/policies.py PLAN.toml --sets turk=FILE asset=FILE --out DIR

The plan has an arm a table; what it does not say is as `redraft train policy` has it:

    policy = "lexical"                  # of every arm that names no other
    against = ["vanilla", "sft"]        # arms that the others are compared with
    [[arm]]
    name = "vanilla"                    # no data: nothing is trained
    start = "none"
    [[arm]]
    name = "arpo-1000"
    data = ["builds/rubric"]            # a build beside the plan (its train.jsonl, dev.jsonl), or a file
    objective = "arpo"
    limit = 1000
    [[arm]]
    name = "parallel"
    data = ["parallel.jsonl"]
    parallel = true
    [[arm]]
    name = "engine"
    outputs = "engine.jsonl"            # made elsewhere: lines with source (or input) and output

A set is JSONL with id, source (or input) and references. All arms are trained, and write greedily in batches,
in one process. DIR/ARM has the training and outputs.jsonl, DIR/scores.json what is printed. A script that was
killed goes on with the first arm that is not finished.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import gguf

from redraft.bench import Item, Sample as Text, Vanilla
from redraft.cli.train.models import SimplifierOptions, start_of
from redraft.metrics import Rows, Sample, editeval_normalise, load_metric, paired_bootstrap, rows_of, score_of
from redraft.models import CHAT, MODEL_FILE, Model, Models, ensure
from redraft.settings import load_settings
from redraft.simplification import Policy, load_policy
from redraft.text import write_text
from redraft.train import Guard, Objective, loss_for, read_parallel_data, read_policy_data, train_simplifier

SHOWN = ("copied", "replaced", "deleted", "added", "split", "difficult_words")
SARI = load_metric("sari")

# Every training reads the base anew, and most of that is its vocabulary.
vars(gguf)["GGUFReader"] = cache(gguf.GGUFReader)


@dataclass(frozen=True)
class Arm:
    """A line of the plan."""

    name: str
    policy: str = "lexical"
    data: tuple[Path, ...] = ()
    dev: tuple[Path, ...] = ()
    objective: Objective = "simpo"
    parallel: bool = False
    limit: int | None = None
    start: str = "editor"
    outputs: Path | None = None
    loss: Mapping[str, Any] = field(default_factory=dict)
    """beta, gamma, alpha, authors."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """rate, epochs, pairs, rank, seed and the other options of training."""

    @classmethod
    def of(cls, said: Mapping[str, Any], folder: Path) -> Arm:
        """From the plan; an unknown key is an error."""
        own = {one.name for one in fields(cls)} - {"loss", "options"}
        loss = {"beta", "gamma", "alpha", "clamped"}
        options = {one.name for one in fields(SimplifierOptions)}
        if odd := sorted(set(said) - own - loss - options):
            raise SystemExit(f"the arm {said.get('name')!r} has unknown keys: {', '.join(odd)}")
        values: dict[str, Any] = {key: value for key, value in said.items() if key in own}
        for key in ("data", "dev"):
            paths = (folder / name for name in said.get(key, ()))
            values[key] = tuple(path / "train.jsonl" if path.is_dir() else path for path in paths)
        if "outputs" in said:
            values["outputs"] = folder / said["outputs"]
        if not values["dev"] and not values.get("parallel"):
            beside = dict.fromkeys(path.parent / "dev.jsonl" for path in values["data"])
            values["dev"] = tuple(path for path in beside if path.is_file())
        return cls(
            **values,
            loss={key: said[key] for key in loss & set(said)},
            options={key: said[key] for key in options & set(said)},
        )


@dataclass(frozen=True)
class Set:
    """Sources with references."""

    name: str
    sources: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, name: str, path: Path, limit: int | None) -> Set:
        """Read a file."""
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        rows = rows[:limit]
        return cls(name, tuple(map(source_of, rows)), tuple(tuple(row["references"]) for row in rows))

    def samples(self, outputs: Mapping[str, str]) -> list[Sample]:
        """What an arm made of the sources, as EditEval compares texts."""
        clean = editeval_normalise
        return [
            Sample(clean(source), clean(outputs[source]), tuple(map(clean, references)))
            for source, references in zip(self.sources, self.references, strict=True)
        ]


@dataclass(frozen=True)
class Scored:
    """An arm on every set: the statistics of its SARI, and what is shown of it."""

    name: str
    rows: Mapping[str, Rows]
    shown: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, name: str, outputs: Mapping[str, str], sets: Sequence[Set]) -> Scored:
        """Score an arm."""
        rows, shown = {}, {}
        for one in sets:
            samples = one.samples(outputs)
            rows[one.name] = rows_of(SARI, samples)
            score = score_of(SARI, rows[one.name])
            shares = {each: score_of(load_metric(each), samples, resamples=0).value for each in SHOWN}
            shown[one.name] = {"arm": name, "sari": score.value, "interval": score.interval, **shares}
        return cls(name, rows, shown)


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("plan", type=Path)
    parser.add_argument("--sets", nargs="+", required=True, metavar="NAME=FILE")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--tests", nargs="*", type=Path, default=[], help="what is like them is kept out")
    parser.add_argument("--arms", nargs="*", help="only these arms")
    parser.add_argument("--sources", type=int, help="of each set, the first so many")
    parser.add_argument("--max-steps", type=int, help="of each training")
    parser.add_argument("--tokens", type=int, default=65_536, help="of a batch")
    parser.add_argument("--pairs", type=int, help="of a batch, where the plan does not say")
    given = parser.parse_args()
    plan = tomllib.loads(given.plan.read_text(encoding="utf-8"))
    usual = {"policy": plan.get("policy", "lexical")}
    arms = [Arm.of({**usual, **said}, given.plan.parent) for said in plan["arm"]]
    if len({arm.name for arm in arms}) < len(arms):
        raise SystemExit("two arms have the same name")
    sets = [
        Set.of(name, Path(file), given.sources)
        for name, _, file in (entry.partition("=") for entry in given.sets)
    ]
    guard = Guard.from_files(given.tests) if given.tests else None
    options = {"max_steps": given.max_steps, "tokens": given.tokens}
    if given.pairs:
        options["pairs"] = given.pairs
    asyncio.run(run(arms, sets, plan.get("against", ()), given, guard, options))


async def run(
    arms: Sequence[Arm],
    sets: Sequence[Set],
    against: Sequence[str],
    given: argparse.Namespace,
    guard: Guard | None,
    options: Mapping[str, Any],
) -> None:
    """Train what is to be trained, have it write, and tell how all of it did."""
    settings = load_settings({"model": "torch", "cache": False, "concurrency": 1024})
    base = ensure(CHAT, settings.weights()) / MODEL_FILE
    sources = list(dict.fromkeys(source for one in sets for source in one.sources))
    wanted = [arm for arm in arms if not given.arms or arm.name in given.arms]
    found: list[Scored] = []
    async with Models(settings) as models:
        model = models.open("torch")
        for arm in wanted:
            began = time.monotonic()
            out = given.out / arm.name
            policy = load_policy(arm.policy)
            adapter = None if arm.outputs else trained(arm, policy, base, out, guard, options)
            learnt = time.monotonic()
            if arm.outputs:
                outputs = read_outputs(arm.outputs)
            else:
                outputs = await written(model, policy, adapter, sources, out)
            wrote = time.monotonic()
            found.append(Scored.of(arm.name, outputs, sets))
            saris = ", ".join(f"{name} {row['sari']:.2f}" for name, row in found[-1].shown.items())
            print(f"{arm.name}: {saris}; {learnt - began:.1f} s to train, {wrote - learnt:.1f} s to write, "
                  f"{time.monotonic() - wrote:.1f} s to score", flush=True)  # fmt: skip
            write_text(given.out / "scores.json", json.dumps([one.shown for one in found], indent=2) + "\n")
    scores = {one.name: table(one, found, against) for one in sets}
    write_text(given.out / "scores.json", json.dumps(scores, indent=2) + "\n")


def trained(
    arm: Arm, policy: Policy, base: Path, out: Path, guard: Guard | None, options: Mapping[str, Any]
) -> str | None:
    """The adapter of an arm, trained if it is to be; None for the plain model."""
    chosen = SimplifierOptions(**{**options, **arm.options})
    start = start_of(arm.start, None, chosen.rank)
    if not arm.data:
        return str(start) if start else None
    from redraft.train import Lora, TrainingJob  # noqa: PLC0415 - torch

    objective: Objective = "sft" if arm.parallel else arm.objective
    data = (
        read_parallel_data(policy, arm.data, dev=arm.dev, guard=guard, limit=arm.limit)
        if arm.parallel
        else read_policy_data(
            policy, arm.data, dev=arm.dev, guard=guard, limit=arm.limit, objective=objective
        )
    )
    config = replace(chosen.config_for(objective), compile=False)
    job = TrainingJob(base, out, Lora(chosen.rank), config, data.record, start)
    train_simplifier(job, data, loss_for(objective, **arm.loss), lambda _: None)
    return str(job.result)


async def written(
    model: Model, policy: Policy, adapter: str | None, sources: Sequence[str], out: Path
) -> dict[str, str]:
    """What an adapter makes of every source, greedily; what `out` has is not asked for again."""
    path = out / "outputs.jsonl"
    known = read_outputs(path) if path.exists() else {}
    writer = Vanilla(policy, model, 0, adapter)
    left = [source for source in sources if source not in known]
    items = [Item(Text("", "", "simplification", source, ()), 1, "") for source in left]
    edited = await asyncio.gather(*(writer.edit(item) for item in items))
    known |= {source: one.text for source, one in zip(left, edited, strict=True)}
    out.mkdir(parents=True, exist_ok=True)
    rows = ({"source": source, "output": text} for source, text in known.items())
    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    return known


def read_outputs(path: Path) -> dict[str, str]:
    """Outputs by their sources."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {source_of(row): row["output"] for row in rows}


def source_of(row: Mapping[str, Any]) -> str:
    """The source of a row, which may be called its input."""
    return str(row["source"] if "input" not in row else row["input"])


def table(one: Set, found: Sequence[Scored], against: Sequence[str]) -> dict[str, Any]:
    """Print the scores of all arms on a set, and how they compare; the same as data."""
    rows = {each.name: each.rows[one.name] for each in found}
    shown = {each.name: each.shown[one.name] for each in found}
    compared = {
        f"{name} - {other}": _compared(rows[name], rows[other])
        for name in rows
        for other in against
        if other in rows and name != other
    }
    print(f"\n{one.name}, {len(one.sources)} sources")
    width = max(map(len, (*shown, *compared)))
    print(f"{'':{width}}   SARI   95 %            " + "  ".join(f"{name[:9]:>9}" for name in SHOWN))
    for name, row in shown.items():
        shares = "  ".join(f"{row[each]:9.1f}" for each in SHOWN)
        print(f"{name:{width}}  {row['sari']:6.2f}  {_interval(row['interval'])}  {shares}")
    for name, row in compared.items():
        print(f"{name:{width}}  {row['difference']:+6.2f}  {_interval(row['interval'])}  p {row['p']:.3f}")
    print(flush=True)
    return {"sources": len(one.sources), "arms": shown, "compared": compared}


def _compared(one: Rows, other: Rows) -> dict[str, Any]:
    found = paired_bootstrap(SARI, one, other)
    return {"difference": found.difference, "interval": found.interval, "p": found.p}


def _interval(found: Iterable[float]) -> str:
    low, high = found
    return f"{low:6.2f} to {high:6.2f}"


if __name__ == "__main__":
    main()
