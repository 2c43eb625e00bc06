"""Training a simplifier: preference pairs or parallel rows, asked for in the words of its policy."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from redraft.errors import InputError
from redraft.models import Message
from redraft.simplification import Policy, messages
from redraft.train.config import LOSSES, Loss
from redraft.train.conversations import (
    Conversation,
    PreferencePair,
    TrainingData,
    read_filtered,
    read_preference_data,
    row_key,
    row_texts,
)
from redraft.train.guard import Guard
from redraft.train.rows import TrainingRow, read_objects, read_rows

if TYPE_CHECKING:
    from redraft.train.loop import Listener, Outcome
    from redraft.train.sft import TrainingJob

Objective = Literal["arpo", "simpo", "cpo-simpo", "dpo", "sft"]
DEFAULT_OBJECTIVE: Final = "simpo"
"""The objective that came out best: see docs/training.md."""
_NEEDS: Final = "prompt, chosen and rejected in a JSON object"


def read_policy_data(
    policy: Policy | None,
    files: Sequence[Path],
    *,
    dev: Sequence[Path] = (),
    guard: Guard | None = None,
    limit: int | None = None,
    objective: Objective = DEFAULT_OBJECTIVE,
) -> TrainingData[PreferencePair] | TrainingData[Conversation]:
    """The pairs that were built for a policy, the first `limit` of them; for SFT, what is preferred of them.

    Without a policy they may answer any requests. Data for another policy, or for other words of this one,
    are an error. Which judge chose the pairs is recorded: another judge's are another file.
    """
    judges = sorted({judge for path in (*files, *dev) for judge in _judges(path, policy)})
    found = read_preference_data(files, dev, guard, limit)
    record = {**_record(policy, objective), "judges": judges}
    if objective == "sft":
        return found.converted(lambda pair: pair.preferred, **record)
    return found.converted(lambda pair: pair, **record)


def read_parallel_data(
    policy: Policy,
    files: Sequence[Path],
    *,
    dev: Sequence[Path] = (),
    guard: Guard | None = None,
    limit: int | None = None,
) -> TrainingData[Conversation]:
    """Rows of texts and simpler ones (the editor's form), each asked for as the policy asks.

    A row that changes nothing teaches nothing of simplifying, and is left out.
    """

    def read(path: Path) -> Iterator[TrainingRow]:
        return (row for row in read_rows(path) if row.input != row.target)

    def ask(row: TrainingRow) -> Conversation:
        asked = messages(policy, row.input)
        return Conversation((*asked, Message("assistant", row.target)), source=row.input)

    found = read_filtered("row that changes something", files, dev, guard, read, row_texts, row_key, limit)
    return found.converted(ask, **_record(policy, "sft"), parallel=True)


def train_simplifier(
    job: TrainingJob,
    data: TrainingData[PreferencePair] | TrainingData[Conversation],
    loss: Loss | None,
    listener: Listener,
    interrupted: Callable[[], None] = lambda: None,
) -> Outcome:
    """Train on pairs by a loss, or without one on conversations."""
    from redraft.train.sft import fine_tune, train_on_preferences  # noqa: PLC0415 - loads torch

    if loss is None:
        turns = cast("TrainingData[Conversation]", data)
        return fine_tune(job, turns.epoch, turns.dev, listener, interrupted)
    pairs = cast("TrainingData[PreferencePair]", data)
    return train_on_preferences(job, pairs.epoch, pairs.dev, loss, listener, interrupted)


def loss_for(
    objective: Objective,
    *,
    beta: float | None = None,
    gamma: float | None = None,
    alpha: float | None = None,
    authors: bool = False,
) -> Loss | None:
    """The loss of an objective, with its published constants but for those given; none for SFT.

    `authors` takes ARPO as its authors' code has it.
    """
    given = {"beta": beta, "gamma": gamma, "alpha": alpha}
    chosen: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if objective != "sft":
        return replace(LOSSES[objective], **chosen, authors=authors)
    if chosen:
        raise InputError(f"SFT knows no {' or '.join(chosen)}: leave that out, or choose another objective")
    return None


def _record(policy: Policy | None, objective: Objective) -> dict[str, Any]:
    if policy is None:
        return {"objective": objective}
    about = {"name": policy.name, "hash": policy.hash, "instruction": policy.instruction}
    return {"policy": about, "objective": objective}


def _judges(path: Path, policy: Policy | None) -> Iterator[str]:
    """Who judged the pairs of a file; InputError where they were built for another policy."""
    for where, row in read_objects(path, _NEEDS):
        if policy is None:
            yield str(row.get("judge", "not stated"))
            continue
        if (name := row.get("policy", policy.name)) != policy.name:
            raise InputError(f"{where}: the pair was built for the policy {name!r}, not for {policy.name!r}")
        match row.get("prompt"):
            case [{"content": policy.instruction}, *_]:
                yield str(row.get("judge", "not stated"))
            case _:
                raise InputError(
                    f"{where}: the prompt does not begin with the instruction of the policy "
                    f"{policy.name!r}: build the data anew, or name the policy that they were built with"
                )
