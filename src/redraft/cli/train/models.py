"""`redraft train planner` and `policy`: training by imitation and by preference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from redraft.bench import Curve, line_chart
from redraft.cli.console import note, put
from redraft.cli.train.options import (
    TO_TRAIN,
    Dev,
    Out,
    TrainingOptions,
    base_file,
    command_line,
    files,
    need,
    train,
)
from redraft.cli.train.view import counted, say_kept_out, training_view
from redraft.editor import ADAPTER
from redraft.errors import InputError, UnknownModel
from redraft.models import find_adapter, known_adapters
from redraft.settings import load_settings
from redraft.simplification import load_policy
from redraft.text import to_json, write_text
from redraft.train import (
    ALIGN_PAIRS,
    DEFAULT_OBJECTIVE,
    LOSSES,
    PAIRS,
    PLANNER_LONGEST,
    PLANNER_TOKENS,
    RATE,
    SFT_RATE,
    SIMPLIFIER_RANK,
    SIMPLIFIER_TOKENS,
    Alignment,
    Config,
    Objective,
    TrainingData,
    loss_for,
    read_parallel_data,
    read_policy_data,
    train_simplifier,
)

if TYPE_CHECKING:
    from redraft.train import CurvePoint

CURVE = "curve.svg"
_ALIGNMENT = Alignment()


@dataclass(frozen=True, slots=True)
class PlannerOptions(TrainingOptions):
    """How to train a planner; these are the options of the imitation, with which it begins."""

    longest: Annotated[int, typer.Option(min=16, help="Tokens of the longest example.")] = PLANNER_LONGEST
    rank: Annotated[int, typer.Option(min=1, help="The adapter's rank.")] = 16
    tokens: Annotated[int, typer.Option(min=64, help="Tokens of a batch.")] = PLANNER_TOKENS


def train_planner(
    sources: Annotated[
        list[Path],
        files("Texts for fresh requests: JSONL with `text`, or running text; a tenth is held out."),
    ],
    out: Out,
    trajectories: Annotated[
        list[Path] | None, files("Trajectories to imitate, as `train trajectories` writes them.")
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(
            help="A training, or an adapter, to start from; without --trajectories it trains itself at once.",
            exists=True,
        ),
    ] = None,
    iterations: Annotated[
        int, typer.Option(min=0, help="Iterations of self-training at most; 0 imitates only.")
    ] = _ALIGNMENT.iterations,
    texts: Annotated[int, typer.Option(min=1, help="Requests of an iteration.")] = _ALIGNMENT.texts,
    samples: Annotated[int, typer.Option(min=2, help="Answers that are sampled to each.")] = (
        _ALIGNMENT.samples
    ),
    steps: Annotated[int, typer.Option(min=0, help="Steps before an answer is sampled, at most.")] = (
        _ALIGNMENT.steps
    ),
    margin: Annotated[
        float, typer.Option(min=0, max=1, help="By how much the best answer must beat the worst.")
    ] = _ALIGNMENT.margin,
    held_out: Annotated[int, typer.Option(min=1, help="Requests that say when to stop.")] = 200,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of a batch.")] = ALIGN_PAIRS,
    beta: Annotated[float, typer.Option(help="SimPO's β: how much a margin counts.")] = LOSSES["simpo"].beta,
    gamma: Annotated[float, typer.Option(help="SimPO's γ: the margin aimed at.")] = LOSSES["simpo"].gamma,
    every: Annotated[
        bool, typer.Option("--every-iteration", help="Go on though an iteration brought nothing.")
    ] = False,
    control: Annotated[
        bool,
        typer.Option("--control", help="Train another beside it, on pairs of the same answers at random."),
    ] = False,
    watch: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE",
            help="Requests with their calls (ConsTRev's JSONL), to measure tools on after each iteration; "
            "they decide nothing, and their texts are kept out.",
        ),
    ] = None,
    *,
    options: PlannerOptions,
) -> None:
    """Train a planner: imitation of trajectories, then self-training until nothing improves."""
    need(*TO_TRAIN)
    if not trajectories and start is None:
        raise InputError(
            "there is nothing to imitate: give --trajectories, or --start to train itself at once"
        )
    watched = _watched(watch or [])
    from redraft.train import Lora, PlannerTraining, gather_material  # noqa: PLC0415 - slow to import

    material = gather_material(trajectories or [], sources, watched, options.guard())
    if options.patience is not None and not material.dev:
        raise InputError("--patience waits for dev losses, and no trajectory is of a text that is held out")
    _say_material(material.record)
    alignment = Alignment(
        iterations, texts, samples, steps, margin=margin, seed=options.seed, every=every, control=control
    )
    course = PlannerTraining(
        base_file(options.base),
        out,
        Lora(options.rank),
        options.config(),
        replace(LOSSES["simpo"], beta=beta, gamma=gamma),
        alignment,
        pairs,
        held_out,
        command_line(),
        "torch" if options.base is None else f"hf:{options.base}",
        start,
    )
    try:
        curve = course.follow(material, load_settings(), note, training_view)
    except KeyboardInterrupt:
        note(f"the same command goes on in {out}")
        raise
    write_text(out / CURVE, _drawn(curve))
    _say_curve(curve)
    put(f"{out / 'adapter'}\n")


def _watched(watch: list[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for one in watch:
        name, equals, file = one.partition("=")
        if not equals or not name or name in found or not Path(file).is_file():
            raise InputError(f"--watch {one!r}: write NAME=FILE, each name once, with a file that is there")
        found[name] = Path(file)
    return found


def _say_material(record: Mapping[str, Any]) -> None:
    for what, counts in (("trajectories", record["imitated"]), ("texts", record["texts"])):
        parts = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())
        note(f"{what}: {parts}")


def _say_curve(curve: Mapping[str, Any]) -> None:
    for point in curve["iterations"]:
        own = point["held_out"]
        line = f"iteration {point['iteration']}: S_a {own['total']:.3f}, tool F1 {own['tool_f1']:.1f}"
        for name, seen in point["watched"].items():
            levels = ", ".join(
                f"L{level} {values['tool_f1']:.1f}" for level, values in seen["levels"].items()
            )
            line += f"; {name} {levels}"
        note(line)
    note(f"{curve['reason']}; the best is iteration {curve['best']}")


def _drawn(curve: Mapping[str, Any]) -> str:
    """Figure 6 (right) of the TRIPS paper: F1 of tools over the iterations."""
    points = curve["iterations"]
    curves = [Curve("held out", {one["iteration"]: one["held_out"]["tool_f1"] for one in points})]
    for name, seen in points[0]["watched"].items():
        for level in seen["levels"]:
            measured = {one["iteration"]: one["watched"][name]["levels"][level] for one in points}
            values = {number: values["tool_f1"] for number, values in measured.items()}
            curves.append(Curve(f"{name} L{level}", values))
    caption = "F1 of the calls of tools by iteration; 0 is imitation alone. What is watched decided nothing."
    return line_chart("planner", "Tool usage", caption, ("iteration", "F1"), curves).standalone()


PUBLISHED = {0.0: fmean((40, 54, 57, 56)), 4.0: fmean((100, 100, 100, 99.6))}
"""Figure 6 of the TRIPS paper, Llama-3.1-8B: F1 of the checks, L0 to L3, after SFT and four iterations."""


class CurveMeasure(StrEnum):
    """What a curve shows of held-out requests."""

    CHECKS = "check_f1"
    TOOLS = "tool_f1"
    EXACT = "tool_exact"
    SCORE = "total"
    QUALITY = "quality"
    CONSTRAINTS = "constraints"


def train_curve(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN...", help="Trainings of a planner, alike but for --seed.", exists=True),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE.svg", help="Where the figure goes.")],
    measure: Annotated[
        CurveMeasure, typer.Option(help="F1 of checks, of all tools, exact, or S_a, S_r, S_c.")
    ] = CurveMeasure.CHECKS,
    as_json: Annotated[bool, typer.Option("--json", help="Print the points as JSON.")] = False,
) -> None:
    """Draw a planner's self-training over several seeds, beside its control and the published curve."""
    from redraft.train import planner_curves  # noqa: PLC0415 - slow to import

    found = planner_curves(runs, measure.value)
    curves = [
        Curve(
            name,
            {float(point.iteration): point.mean for point in points},
            {float(point.iteration): point.interval for point in points if point.interval is not None},
        )
        for name, points in found.items()
    ]
    if measure is CurveMeasure.CHECKS:
        curves.append(Curve("Llama-3.1-8B (paper, its own texts)", PUBLISHED, is_baseline=True))
    caption = f"{len(runs)} runs, held-out requests; 0 is imitation alone; 95 % intervals over requests."
    drawing = line_chart("planner", "Self-training", caption, ("iteration", measure.value), curves)
    write_text(out, drawing.standalone())
    for name, points in found.items():
        for point in points:
            note(f"{name} {point.iteration} ({point.runs} runs): {_worded(point)}")
    if as_json:
        put(to_json({name: [point.to_dict() for point in points] for name, points in found.items()}) + "\n")
    else:
        put(f"{out}\n")


def _worded(point: CurvePoint) -> str:
    ends = "" if point.interval is None else f" [{point.interval[0]:.3f}, {point.interval[1]:.3f}]"
    if point.gain_interval is None:
        return f"{point.mean:.3f}{ends}"
    low, high = point.gain_interval
    return f"{point.mean:.3f}{ends}, above imitation {point.gain:+.3f} [{low:+.3f}, {high:+.3f}]"


NO_START = "none"
_ARPO = (
    "ARPO lets a pair count for little beside the likelihood of the preferred text, and comes near SFT: "
    "SARI 33.1 where SimPO has 36.0 of the same pairs (docs/training.md); --objective simpo is the default"
)
_USUAL = "the objective's"


@dataclass(frozen=True, slots=True)
class SimplifierOptions(TrainingOptions):
    """How to train a simplifier: once through the pairs, many of them in a step."""

    epochs: Annotated[float, typer.Option(min=0.001, help="Times through the data.")] = 1.0
    rate: Annotated[
        float | None,
        typer.Option(help="The highest learning rate.", show_default=f"{RATE:g}; SFT {SFT_RATE:g}"),
    ] = None
    rank: Annotated[
        int, typer.Option(min=0, help="The adapter's rank, the editor's at least; 0 trains the whole model.")
    ] = SIMPLIFIER_RANK
    tokens: Annotated[int, typer.Option(min=64, help="Tokens of a batch.")] = SIMPLIFIER_TOKENS
    pairs: Annotated[
        int, typer.Option(min=1, help="Pairs of a batch; on a CPU, --pairs 8 --accumulate 16.")
    ] = PAIRS

    def config_for(self, objective: Objective, *, has_dev: bool = True) -> Config:
        """The same for the training loop."""
        usual = SFT_RATE if objective == "sft" else RATE
        config = self.config(has_dev=has_dev)
        rate = usual if self.rate is None else self.rate
        # A few dozen steps are over before layers would be compiled.
        return replace(config, examples=self.pairs, rate=rate, compile=False)


def train_policy(
    data: Annotated[
        list[Path],
        files(
            "Pairs as `simplify build-preferences` writes them (train.jsonl). What another judge chose (a "
            "model that thinks or does not, the rubric, a metric) is another file; train.json says whose."
        ),
    ],
    out: Out,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME|FILE",
            help="The policy to simplify by.",
            show_default="none: the pairs answer any requests",
        ),
    ] = None,
    objective: Annotated[
        Objective | None,
        typer.Option(
            help="What is minimised; sft imitates what is preferred.", show_default=DEFAULT_OBJECTIVE
        ),
    ] = None,
    beta: Annotated[float | None, typer.Option(help="How much a margin counts.", show_default=_USUAL)] = None,
    gamma: Annotated[float | None, typer.Option(help="The margin aimed at.", show_default=_USUAL)] = None,
    alpha: Annotated[
        float | None,
        typer.Option(help="How much the preferred text's likelihood counts.", show_default=_USUAL),
    ] = None,
    arpo: Annotated[
        Literal["ours", "authors"] | None,
        typer.Option(
            help="ARPO's weight: ours stays between 0 and 1; authors is theirs to the letter.",
            show_default="ours",
        ),
    ] = None,
    unclamped: Annotated[bool, typer.Option("--unclamped", hidden=True)] = False,
    start: Annotated[
        str,
        typer.Option(
            metavar="ADAPTER|none",
            help="An adapter to start from, by name or path, of the same rank or a lower one; by default the "
            "editor, which can edit already.",
        ),
    ] = ADAPTER,
    parallel: Annotated[
        bool,
        typer.Option("--parallel", help="The data are rows with input and target: SFT on parallel texts."),
    ] = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="The first so many, for curves over the size.")
    ] = None,
    dev: Dev = None,
    *,
    options: SimplifierOptions,
) -> None:
    """Train by preference, a simplifier for a policy above all; `redraft models add` puts it to use."""
    need(*TO_TRAIN)
    chosen = None if policy is None else load_policy(policy)
    if parallel and chosen is None:
        raise InputError("parallel rows are asked for by a policy: name one with --policy")
    if parallel and objective not in (None, "sft"):
        raise InputError(f"parallel rows hold no pairs for {objective}: they are imitated (sft)")
    if unclamped:
        raise InputError(
            "--unclamped is gone: --arpo authors is ARPO as its authors' code has it, lower bound and all"
        )
    by: Objective = "sft" if parallel else objective or ("arpo" if arpo else DEFAULT_OBJECTIVE)
    if arpo and by != "arpo":
        raise InputError(f"--arpo is for --objective arpo, and the objective is {by}")
    loss = loss_for(by, beta=beta, gamma=gamma, alpha=alpha, authors=arpo == "authors")
    if by == "arpo":
        note(_ARPO, style="yellow")
    held_out = dev if dev is not None else [] if parallel else _beside(data)
    config = options.config_for(by, has_dev=bool(held_out))
    guard = options.guard()
    found: TrainingData[Any] = (
        read_parallel_data(chosen, data, dev=held_out, guard=guard, limit=limit)
        if parallel and chosen
        else read_policy_data(chosen, data, dev=held_out, guard=guard, limit=limit, objective=by)
    )
    say_kept_out(found)
    if judges := found.record.get("judges"):
        note(f"judged by {', '.join(judges)}")
    first = start_of(start, options.base, options.rank)
    note(f"{counted(len(found.kept), 'example')} to learn from, by {by}")
    train(out, options, config, found, lambda job, *view: train_simplifier(job, found, loss, *view), first)


def start_of(start: str, base: Path | None, rank: int) -> Path | None:
    """The adapter to start from; the editor that ships is none for another base, or for a whole model."""
    if start == NO_START or (start == ADAPTER and (base is not None or not rank)):
        return None
    if not rank:
        raise InputError(
            "a whole model (--rank 0) starts from no adapter: leave --start out, or give a --rank"
        )
    weights = load_settings().weights()
    # A name comes first: the default must not be a folder that happens to be called so.
    if start not in known_adapters(weights) and Path(start).exists():
        return Path(start)
    try:
        return find_adapter(start, weights)
    except UnknownModel as error:
        raise InputError(f"{error} (--start)") from None


def _beside(data: list[Path]) -> list[Path]:
    """The dev sets of the builds that the data are from."""
    found = dict.fromkeys(path.parent / "dev.jsonl" for path in data)
    return [path for path in found if path.is_file() and path not in data]
