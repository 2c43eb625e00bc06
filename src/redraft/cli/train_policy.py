"""`redraft train policy`: a simplifier for a policy, from preferences or from parallel texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli.frame import note
from redraft.cli.train_options import Base, Dev, How, Longest, Out, Tests, with_how
from redraft.cli.train_running import TO_TRAIN, base_file, command_line, need, trained
from redraft.cli.train_view import counted, say_in_dev, say_refused
from redraft.editor import ADAPTER
from redraft.errors import InputError, UnknownModel
from redraft.models import find_adapter, known_adapters
from redraft.settings import load_settings
from redraft.simplification import load_policy
from redraft.train import (
    PAIRS,
    RATE,
    SFT_RATE,
    Guard,
    Objective,
    loss_for,
    read_parallel_data,
    read_policy_data,
    train_simplifier,
)

if TYPE_CHECKING:
    from redraft.train import Config

_NONE = "none"
_USUAL = "the objective's"


class ObjectiveChoice(StrEnum):
    """The objectives."""

    ARPO = "arpo"
    SIMPO = "simpo"
    CPO_SIMPO = "cpo-simpo"
    DPO = "dpo"
    SFT = "sft"


@dataclass(frozen=True, slots=True)
class PolicyHow(How):
    """How to train a simplifier: once through the pairs, many of them in a step."""

    epochs: Annotated[float, typer.Option("--epochs", min=0.001, help="Times through the data.")] = 1.0
    rate: Annotated[
        float | None,
        typer.Option("--rate", help="The highest learning rate.", show_default=f"{RATE:g}; SFT {SFT_RATE:g}"),
    ] = None
    tokens: Annotated[int, typer.Option("--tokens", min=64, help="Tokens of a batch.")] = 65_536
    pairs: Annotated[
        int,
        typer.Option("--pairs", min=1, help="Pairs of a batch; on a CPU, --pairs 8 --accumulate 16."),
    ] = PAIRS

    def of(self, objective: Objective, longest: int) -> Config:
        """The same for the training loop."""
        rate = SFT_RATE if objective == "sft" else RATE
        config = self.config(longest)
        return replace(config, examples=self.pairs, rate=self.rate if self.rate is not None else rate)


@with_how
def train_policy(
    policy: Annotated[str, typer.Option("--policy", metavar="NAME|FILE", help="The policy to simplify by.")],
    data: Annotated[
        list[Path],
        typer.Option(
            "--data",
            help="Pairs as `simplify build-preferences` writes them (train.jsonl). What another judge chose "
            "(a model that thinks or does not, the rubric, a metric) is another file; train.json says whose.",
            exists=True,
            dir_okay=False,
        ),
    ],
    out: Out,
    how: PolicyHow,
    objective: Annotated[
        ObjectiveChoice | None,
        typer.Option(help="What is minimised; sft imitates what is preferred.", show_default="arpo"),
    ] = None,
    beta: Annotated[float | None, typer.Option(help="How much a margin counts.", show_default=_USUAL)] = None,
    gamma: Annotated[float | None, typer.Option(help="The margin aimed at.", show_default=_USUAL)] = None,
    alpha: Annotated[
        float | None,
        typer.Option(help="How much the preferred text's likelihood counts.", show_default=_USUAL),
    ] = None,
    unclamped: Annotated[
        bool, typer.Option("--unclamped", help="ARPO's weight may fall below zero, as in its authors' code.")
    ] = False,
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
        int | None, typer.Option("--limit", min=1, help="The first so many, for curves over the size.")
    ] = None,
    dev: Dev = None,
    tests: Tests = None,
    base: Base = None,
    longest: Longest = 512,
) -> None:
    """Train a simplifier for a policy, by preference; `redraft models add` puts it to use."""
    need(*TO_TRAIN)
    chosen = load_policy(policy)
    if parallel and objective not in (None, ObjectiveChoice.SFT):
        raise InputError(f"parallel rows hold no pairs for {objective}: they are imitated (sft)")
    by: Objective = "sft" if parallel else objective.value if objective else "arpo"
    loss = loss_for(by, beta=beta, gamma=gamma, alpha=alpha, clamped=not unclamped)
    if unclamped and by != "arpo":
        raise InputError(f"--unclamped is for ARPO, and the objective is {by}")
    held_out = dev if dev is not None else [] if parallel else _beside(data)
    if how.patience is not None and not held_out:
        raise InputError("--patience waits for dev losses: name the files of a dev set with --dev")
    guard = Guard.from_files(tests) if tests else None
    found = (
        read_parallel_data(chosen, data, dev=held_out, guard=guard, limit=limit)
        if parallel
        else read_policy_data(chosen, data, dev=held_out, guard=guard, limit=limit, objective=by)
    )
    say_refused(found.refused, guarded=guard is not None)
    say_in_dev(found.in_dev)
    if judges := found.record.get("judges"):
        note(f"judged by {', '.join(judges)}")
    from redraft.train import Lora, TrainingJob  # noqa: PLC0415 - torch

    job = TrainingJob(
        base_file(base),
        out,
        Lora(how.rank) if how.rank else None,
        how.of(by, longest),
        {"command": command_line(), **found.record},
        start_of(start, base, how.rank),
    )
    note(f"{counted(sum(1 for _ in found.epoch(0)), 'example')} to learn from, by {by}")
    trained(job, partial(train_simplifier, job, found, loss), looked=bool(found.dev))


def start_of(start: str, base: Path | None, rank: int) -> Path | None:
    """The adapter to start from; the editor that ships is none for another base, or for a whole model."""
    if start == _NONE or (start == ADAPTER and (base is not None or not rank)):
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
