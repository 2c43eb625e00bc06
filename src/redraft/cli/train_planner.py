"""`redraft train planner`: a planner by imitation of trajectories, then by preference of its own answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from redraft.bench import Curve, line_chart
from redraft.cli.frame import note, put
from redraft.cli.train_options import Base, How, Longest, Out, Tests, with_how
from redraft.cli.train_running import TO_TRAIN, base_file, command_line, need
from redraft.cli.train_view import training_view
from redraft.errors import InputError
from redraft.settings import load_settings
from redraft.text import write_text
from redraft.train import LOSSES, Guard

CURVE = "curve.svg"


@dataclass(frozen=True, slots=True)
class PlannerHow(How):
    """How to train a planner; these are the options of the imitation, with which it begins."""

    rank: Annotated[int, typer.Option("--rank", min=1, help="The adapter's rank.")] = 16
    tokens: Annotated[int, typer.Option("--tokens", min=64, help="Tokens of a batch.")] = 32_768


@with_how
def train_planner(
    trajectories: Annotated[
        list[Path],
        typer.Option(
            "--trajectories",
            help="Trajectories to imitate, as `train trajectories` writes them.",
            exists=True,
            dir_okay=False,
        ),
    ],
    sources: Annotated[
        list[Path],
        typer.Option(
            "--sources",
            help="Texts for fresh requests: JSONL with `text`, or running text; a tenth is held out.",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Out,
    how: PlannerHow,
    iterations: Annotated[
        int, typer.Option(min=0, help="Iterations of self-training at most; 0 imitates only.")
    ] = 4,
    texts: Annotated[int, typer.Option(min=1, help="Requests of an iteration.")] = 2000,
    samples: Annotated[int, typer.Option(min=2, help="Answers that are sampled to each.")] = 4,
    steps: Annotated[int, typer.Option(min=0, help="Steps before an answer is sampled, at most.")] = 5,
    temperature: Annotated[
        float, typer.Option(min=0.01, max=2, help="How freely answers are sampled.")
    ] = 0.8,
    margin: Annotated[
        float, typer.Option(min=0, max=1, help="By how much the best answer must beat the worst.")
    ] = 0.05,
    held_out: Annotated[int, typer.Option(min=1, help="Requests that say when to stop.")] = 200,
    align_rate: Annotated[float, typer.Option(help="The highest learning rate of an iteration.")] = 2e-4,
    align_epochs: Annotated[float, typer.Option(min=0.001, help="Times through an iteration's pairs.")] = 1.0,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of a batch.")] = 32,
    beta: Annotated[float, typer.Option(help="SimPO's β: how much a margin counts.")] = LOSSES["simpo"].beta,
    gamma: Annotated[float, typer.Option(help="SimPO's γ: the margin aimed at.")] = LOSSES["simpo"].gamma,
    watch: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=FILE",
            help="Requests with their calls (ConsTRev's JSONL), to measure tools on after each iteration; "
            "they decide nothing, and their texts are kept out.",
        ),
    ] = None,
    tests: Tests = None,
    base: Base = None,
    longest: Longest = 1536,
) -> None:
    """Train a planner: imitation of trajectories, then self-training until nothing improves."""
    need(*TO_TRAIN)
    watched = _watched(watch or [])
    from redraft.train import (  # noqa: PLC0415
        Alignment,
        Lora,
        PlannerTraining,
        gather_material,
    )

    material = gather_material(trajectories, sources, watched, Guard.from_files(tests) if tests else None)
    imitation = how.config(longest)
    if how.patience is not None and not material.dev:
        raise InputError("--patience waits for dev losses, and no trajectory is of a text that is held out")
    _say_material(material.record)
    course = PlannerTraining(
        base_file(base),
        out,
        Lora(how.rank),
        imitation,
        replace(
            imitation,
            epochs=align_epochs,
            max_steps=None,
            rate=align_rate,
            examples=pairs,
            patience=None,
            compile=False,  # takes longer than an iteration's few steps
        ),
        replace(LOSSES["simpo"], beta=beta, gamma=gamma),
        Alignment(iterations, texts, samples, steps, temperature, margin, how.seed),
        held_out,
        command_line(),
        "torch" if base is None else f"torch:{base}",
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
        told = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())
        note(f"{what}: {told}")


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
    curves += _of_levels(points)
    caption = "F1 of the calls of tools by iteration; 0 is imitation alone. What is watched decided nothing."
    return line_chart("planner", "Tool usage", caption, ("iteration", "F1"), curves).standalone()


def _of_levels(points: list[dict[str, Any]]) -> Iterator[Curve]:
    for name, seen in points[0]["watched"].items():
        for level in seen["levels"]:
            yield Curve(
                f"{name} L{level}",
                {one["iteration"]: one["watched"][name]["levels"][level]["tool_f1"] for one in points},
            )
