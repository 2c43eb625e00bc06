"""Simplifiers by preference, arm beside arm:

    python benchmarks/policies.py PLAN.toml --sets turk=FILE asset=FILE --out DIR [--processes 4] [--judge]

The plan has an arm a table; what it does not say is as `redraft train policy` has it:

    policy = "lexical"                  # of every arm that names no other
    against = ["vanilla", "sft"]        # arms that the others are compared with
    seeds = [0, 1, 2]                   # of every arm that is trained and names no others
    options = {rank = 32}               # of training, likewise
    [[arm]]
    name = "vanilla"                    # no data: nothing is trained
    start = "none"
    [[arm]]
    name = "arpo-1000"
    data = ["builds/rubric"]            # a build beside the plan (its train.jsonl, dev.jsonl), or a file;
    objective = "arpo"                  # {seed} in its name is replaced by the seed
    authors = true                      # ARPO as its authors' code has it
    limit = 1000
    curve = "ARPO"                      # a point, at its limit, of the curve of that name
    [[arm]]
    name = "parallel"
    data = ["parallel.jsonl"]
    parallel = true
    [[arm]]
    name = "engine"
    outputs = "engine.jsonl"            # made elsewhere: lines with source (or input) and output

With policies = ["lexical", "rewrite"], an arm with {policy} in its name is one of each policy, and {policy}
is replaced wherever it stands; so it is in `against`. `benchmarks/arms.toml` is such a plan.

A set is JSONL with id, source (or input) and references. Processes share the arms out among themselves, on
one GPU too; each trains an arm and has it write greedily in batches. DIR/ARM@SEED has the training and
outputs.jsonl. What is finished is not done again: a script that was killed, or that --seconds ended between
two arms, goes on. Then all that is there is scored: SARI, the mean of the seeds, with the interval of the
sentences, and paired differences. --judge adds how many outputs the trained judge calls broken, or saying
something else. DIR/scores.json has what is printed; `python benchmarks/policy_report.py DIR` draws it beside
the paper's.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shutil
import time
import tomllib
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import chain
from pathlib import Path
from queue import Empty
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from redraft.cli.train.models import SimplifierOptions, start_of
from redraft.editor import room, usable
from redraft.metrics import Rows, Sample, editeval_normalise, load_metric, paired_bootstrap, rows_of, score_of
from redraft.models import Completion, find_adapter, sha256_of
from redraft.quality import JUDGE
from redraft.settings import load_settings
from redraft.simplification import Policy, judge_questions, load_policy, messages
from redraft.text import write_text
from redraft.train import Guard, Objective, loss_for, read_parallel_data, read_policy_data, train_simplifier

if TYPE_CHECKING:
    from batched import Writer

SHOWN = ("copied", "replaced", "deleted", "added", "split", "difficult_words")
SARI = load_metric("sari")
SURE = 0.5
"""Below it the judge says no."""
PLACES = 4
"""Of its answers that are kept."""


@dataclass(frozen=True)
class Arm:
    """A line of the plan, with one of its seeds."""

    name: str
    policy: str = "lexical"
    seed: int = 0
    data: tuple[Path, ...] = ()
    dev: tuple[Path, ...] = ()
    objective: Objective = "simpo"
    parallel: bool = False
    limit: int | None = None
    curve: str | None = None
    start: str = "editor"
    outputs: Path | None = None
    loss: Mapping[str, Any] = field(default_factory=dict)
    """beta, gamma, alpha, authors."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """rate, epochs, pairs, rank and the other options of training."""

    @classmethod
    def of(cls, said: Mapping[str, Any], folder: Path, seed: int, usual: Mapping[str, Any]) -> Arm:
        """From the plan; an unknown key is an error."""
        own = {one.name for one in fields(cls)} - {"loss", "options", "seed"}
        loss = {"beta", "gamma", "alpha", "authors"}
        options = {one.name for one in fields(SimplifierOptions)} - {"seed"}
        if odd := sorted(set(said) - own - loss - options - {"seeds"}):
            raise SystemExit(f"the arm {said.get('name')!r} has unknown keys: {', '.join(odd)}")
        values: dict[str, Any] = {key: value for key, value in said.items() if key in own}
        for key in ("data", "dev"):
            paths = (folder / name.replace("{seed}", str(seed)) for name in said.get(key, ()))
            values[key] = tuple(path / "train.jsonl" if path.is_dir() else path for path in paths)
        if "outputs" in said:
            values["outputs"] = folder / said["outputs"]
        if not values["dev"] and not values.get("parallel"):
            beside = dict.fromkeys(path.parent / "dev.jsonl" for path in values["data"])
            values["dev"] = tuple(path for path in beside if path.is_file())
        return cls(
            **values,
            seed=seed,
            loss={key: said[key] for key in loss & set(said)},
            options={**usual, **{key: said[key] for key in options & set(said)}},
        )

    @property
    def folder(self) -> str:
        """Where its training and its outputs go."""
        return f"{self.name}@{self.seed}" if self.data else self.name


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
    """An arm on every set: the statistics of its SARI, the mean of its seeds, and what is shown of it."""

    name: str
    rows: Mapping[str, Rows]
    shown: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(
        cls,
        arm: Arm,
        outputs: Sequence[Mapping[str, str]],
        sets: Sequence[Set],
        judged: Mapping[tuple[str, str], bool],
    ) -> Scored:
        """Score an arm; of outputs that were judged, the share that is broken too."""
        rows, shown = {}, {}
        about = {"policy": arm.policy, "objective": arm.objective, "limit": arm.limit, "curve": arm.curve}
        for one in sets:
            by_seed = [one.samples(each) for each in outputs]
            each_rows = [rows_of(SARI, samples) for samples in by_seed]
            rows[one.name] = np.mean(each_rows, axis=0)
            saris = [score_of(SARI, each, resamples=0).value for each in each_rows]
            shares = {
                name: fmean(score_of(load_metric(name), samples, resamples=0).value for samples in by_seed)
                for name in SHOWN
            }
            pairs = [(source, each[source]) for each in outputs for source in one.sources]
            if judged and all(pair in judged for pair in pairs):
                shares["broken"] = 100 * fmean(judged[pair] for pair in pairs)
            interval = score_of(SARI, rows[one.name]).interval
            shown[one.name] = {"sari": fmean(saris), "interval": interval, "saris": saris, **shares, **about}
        return cls(arm.name, rows, shown)


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
    parser.add_argument("--processes", type=int, default=1, help="that train and write")
    parser.add_argument("--seconds", type=float, default=1e9, help="after which no arm is begun")
    parser.add_argument("--judge", action="store_true", help="ask the trained judge about the outputs")
    parser.add_argument("--no-scores", action="store_true", help="train, write and judge only")
    given = parser.parse_args()
    plan = tomllib.loads(given.plan.read_text(encoding="utf-8"))
    told = {
        "max_steps": given.max_steps,
        "tokens": given.tokens,
        **({"pairs": given.pairs} if given.pairs else {}),
    }
    options = {**told, **plan.get("options", {})}
    policies = plan.get("policies", ())
    arms = [
        Arm.of({"policy": plan.get("policy", "lexical"), **said}, given.plan.parent, seed, options)
        for said in by_policy(plan["arm"], policies)
        for seed in (said.get("seeds", plan.get("seeds", [0])) if said.get("data") else [0])
    ]
    arms.sort(key=lambda arm: arm.seed)  # every arm once, before any is trained again
    if len({arm.folder for arm in arms}) < len(arms):
        raise SystemExit("two arms have the same name")
    arms = [arm for arm in arms if not given.arms or arm.name in given.arms]
    named = (entry.partition("=") for entry in given.sets)
    sets = [Set.of(name, Path(file), given.sources) for name, _, file in named]
    guard = Guard.from_files(given.tests) if given.tests else None
    ends = time.time() + given.seconds
    do_all(arms, [source for one in sets for source in one.sources], given.out, guard, given.processes, ends)
    found = {arm.folder: outputs for arm in arms if (outputs := read_outputs(output_file(arm, given.out)))}
    asked = {source for one in sets for source in one.sources}
    judged = judge_outputs(found.values(), asked, given.out / "judged.json", ask=given.judge)
    if not given.no_scores:
        beside = [{"name": name} for name in plan.get("against", ())]
        against = [each["name"] for each in by_policy(beside, policies)]
        tell(arms, found, sets, against, judged, given.out / "scores.json")


def by_policy(arms: Iterable[Mapping[str, Any]], policies: Sequence[str]) -> list[dict[str, Any]]:
    """The arms of a plan, one with {policy} in its name once for each policy."""
    found = []
    for said in arms:
        if "{policy}" not in said["name"]:
            found.append(dict(said))
            continue
        text = json.dumps({"policy": "{policy}", **said})
        found += [json.loads(text.replace("{policy}", policy)) for policy in policies]
    return found


def do_all(
    arms: Sequence[Arm], sources: Sequence[str], out: Path, guard: Guard | None, processes: int, ends: float
) -> None:
    """Train what is to be trained and have it write, in processes that take the next arm each."""
    for arm in arms:
        if not arm.outputs:
            forget_others(arm, out / arm.folder)
    wanted = set(sources)
    left = [arm for arm in arms if not wanted <= read_outputs(output_file(arm, out)).keys()]
    if not left:
        return
    context = multiprocessing.get_context("spawn")
    waiting = context.Queue()
    for arm in left:
        waiting.put(arm)
    given = (waiting, tuple(dict.fromkeys(sources)), out, guard, ends)
    if processes == 1:
        work(*given)
        return
    started = [context.Process(target=work, args=given) for _ in range(min(processes, len(left)))]
    for process in started:
        process.start()
    for process in started:
        process.join()
    waiting.cancel_join_thread()


def forget_others(arm: Arm, folder: Path) -> None:
    """Delete what an arm of this name left that had other settings, or other data; what has no data stays."""
    files = (*arm.data, *arm.dev)
    if not all(path.exists() for path in files):
        return
    hashes = [sha256_of(path) for path in files]
    told = {**asdict(arm), "data": hashes, "dev": len(arm.dev), "curve": None}
    made = json.dumps(told, default=str, sort_keys=True, indent=2) + "\n"
    known = folder / "arm.json"
    if folder.exists() and (not known.exists() or known.read_text(encoding="utf-8") != made):
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_text(known, made)


def work(waiting: Any, sources: tuple[str, ...], out: Path, guard: Guard | None, ends: float) -> None:
    """Do one arm after the other, as long as there are any; one that fails stops no other."""
    import torch  # noqa: PLC0415 - slow to import

    import once  # noqa: F401, PLC0415 - every training would read the base anew
    from batched import Writer, base_file  # noqa: PLC0415 - torch, and in each process its own

    base = base_file()
    writer = Writer(base)
    while time.time() < ends:
        try:
            arm = waiting.get(timeout=2)
        except Empty:
            return
        began = time.monotonic()
        try:
            adapter = trained(arm, base, out / arm.folder, guard)
            learnt = time.monotonic()
            torch.cuda.empty_cache()  # others want the memory too
            write_outputs(writer, load_policy(arm.policy), adapter, sources, out / arm.folder)
        except Exception:  # an arm that cannot be had is missing from the table, and told of here
            traceback.print_exc()
            continue
        seconds = f"{learnt - began:.1f} s to train, {time.monotonic() - learnt:.1f} s to write"
        print(f"{arm.folder}: {seconds}", flush=True)


def trained(arm: Arm, base: Path, out: Path, guard: Guard | None) -> Path | None:
    """The adapter of an arm, trained if it is to be; None for the plain model."""
    chosen = SimplifierOptions(**arm.options, seed=arm.seed)
    start = start_of(arm.start, None, chosen.rank)
    if not arm.data:
        return start
    from redraft.train import Lora, TrainingJob  # noqa: PLC0415 - torch

    policy = load_policy(arm.policy)
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
    return job.result


def write_outputs(
    writer: Writer, policy: Policy, adapter: Path | None, sources: Sequence[str], out: Path
) -> None:
    """What an adapter makes of every source, greedily; the source where that is of no use."""
    known = read_outputs(out / "outputs.jsonl")
    left = [source for source in sources if source not in known]
    writer.use(adapter)
    asked = [messages(policy, source) for source in left]
    answers = writer.write(asked, [room(source) for source in left], [0.0] * len(left))
    for source, (text, ended) in zip(left, answers, strict=True):
        known[source] = usable(Completion(text, "stop" if ended else "length"), source) or source
    rows = ({"source": source, "output": text} for source, text in known.items())
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "outputs.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def output_file(arm: Arm, out: Path) -> Path:
    """Where the outputs of an arm are."""
    return arm.outputs or out / arm.folder / "outputs.jsonl"


def read_outputs(path: Path) -> dict[str, str]:
    """Outputs by their sources; none where there is no file."""
    if not path.exists():
        return {}
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return {source_of(row): row["output"] for row in rows}


def source_of(row: Mapping[str, Any]) -> str:
    """The source of a row, which may be called its input."""
    return str(row["source"] if "input" not in row else row["input"])


def judge_outputs(
    found: Iterable[Mapping[str, str]], sources: set[str], path: Path, *, ask: bool
) -> dict[tuple[str, str], bool]:
    """Of each output, whether one of its sentences is broken, or it says something else than its source."""
    pairs = dict.fromkeys(pair for outputs in found for pair in outputs.items() if pair[0] in sources)
    asked = {pair: judge_questions(*pair) for pair in pairs}
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    if ask and (new := [one for one in {*chain.from_iterable(asked.values())} if one not in known]):
        from batched import Writer, base_file  # noqa: PLC0415 - torch

        writer = Writer(base_file())
        writer.use(find_adapter(JUDGE, load_settings().weights()))
        known |= {one: round(sure, PLACES) for one, sure in zip(new, writer.yes(new), strict=True)}
        write_text(path, json.dumps(known, ensure_ascii=False))
    return {
        pair: any(known[one] < SURE for one in questions)
        for pair, questions in asked.items()
        if all(one in known for one in questions)
    }


def tell(
    arms: Sequence[Arm],
    found: Mapping[str, Mapping[str, str]],
    sets: Sequence[Set],
    against: Sequence[str],
    judged: Mapping[tuple[str, str], bool],
    path: Path,
) -> None:
    """Score what was written, print it, and keep it."""
    seeds: dict[str, list[Arm]] = {}
    for arm in arms:
        if all(source in found.get(arm.folder, {}) for one in sets for source in one.sources):
            seeds.setdefault(arm.name, []).append(arm)
    if missing := [arm.folder for arm in arms if arm not in seeds.get(arm.name, ())]:
        print(f"not there: {', '.join(missing)}")
    scored = [Scored.of(own[0], [found[arm.folder] for arm in own], sets, judged) for own in seeds.values()]
    if scored:
        scores = {one.name: table(one, scored, against) for one in sets}
        write_text(path, json.dumps(scores, indent=2) + "\n")


def table(one: Set, found: Sequence[Scored], against: Sequence[str]) -> dict[str, Any]:
    """Print the scores of all arms on a set, and how they compare; the same as data."""
    rows = {each.name: each.rows[one.name] for each in found}
    shown = {each.name: each.shown[one.name] for each in found}
    compared = {
        f"{name} - {other}": _compared(rows[name], rows[other])
        for name in rows
        for other in against
        if other in rows and name != other and shown[name]["policy"] == shown[other]["policy"]
    }
    print(f"\n{one.name}, {len(one.sources)} sources")
    width = max(map(len, (*shown, *compared)))
    columns = (*SHOWN, "broken")
    print(f"{'':{width}}   SARI   95 %            " + "  ".join(f"{name[:9]:>9}" for name in columns))
    for name, row in shown.items():
        shares = "  ".join(f"{row[each]:9.1f}" for each in columns if each in row)
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
