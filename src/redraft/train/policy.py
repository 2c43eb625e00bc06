"""A simplifier's training: preferences of a build, or parallel rows, asked for in the policy's own words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from redraft.errors import InputError
from redraft.models import Message
from redraft.simplification import Policy, messages
from redraft.train.conversations import (
    ChatData,
    PreferenceData,
    Turns,
    plain,
    preference_data,
    preferred_only,
    sifted,
)
from redraft.train.guard import Guard
from redraft.train.losses import LOSSES, Loss
from redraft.train.rows import Row, parsed, read_lines, read_rows

if TYPE_CHECKING:
    from redraft.train.loop import Listener, Outcome
    from redraft.train.sft import Job

Objective = Literal["arpo", "simpo", "cpo-simpo", "dpo", "sft"]
RATE: Final = 1e-4
SFT_RATE: Final = 2e-4
PAIRS: Final = 128
"""Of a batch, as in the paper."""
_NEEDS: Final = "prompt, chosen and rejected in a JSON object"


def policy_data(
    policy: Policy,
    files: Sequence[Path],
    *,
    dev: Sequence[Path] = (),
    guard: Guard | None = None,
    limit: int | None = None,
    objective: Objective = "arpo",
) -> PreferenceData | ChatData:
    """The pairs that were built for a policy, the first `limit` of them; for SFT, what is preferred of them.

    Data for another policy, or for other words of this one, are an error. Which judge chose the pairs is
    recorded: another judge's are another file.
    """
    judges = sorted({judge for path in (*files, *dev) for judge in _judges(path, policy)})
    found = preference_data(files, dev, guard, limit)
    _check_enough(len(found.pairs), limit)
    found = replace(found, record={**found.record, **_about(policy, objective), "judges": judges})
    return preferred_only(found) if objective == "sft" else found


def parallel_data(
    policy: Policy,
    files: Sequence[Path],
    *,
    dev: Sequence[Path] = (),
    guard: Guard | None = None,
    limit: int | None = None,
) -> ChatData:
    """Rows of texts and simpler ones (the editor's form), each asked for as the policy asks.

    A row that changes nothing teaches nothing of simplifying, and is left out.
    """
    found = sifted("row that changes something", files, dev, guard, _changing, _is_refused, _key, limit)
    _check_enough(len(found.kept), limit)
    turns, held_out = (tuple(_asked(policy, row) for row in rows) for rows in (found.kept, found.dev))
    record = {**found.record, **_about(policy, "sft"), "parallel": True}
    return ChatData(turns, held_out, found.refused, record, found.in_dev)


def learn(
    job: Job,
    data: PreferenceData | ChatData,
    by: Loss | None,
    listener: Listener,
    interrupted: Callable[[], None] = lambda: None,
) -> Outcome:
    """Train on pairs by a loss, or without one on conversations."""
    from redraft.train.sft import fine_tune, prefer  # noqa: PLC0415 - loads torch

    if isinstance(data, ChatData):
        return fine_tune(job, data.epoch, data.dev, listener, interrupted)
    if by is None:
        raise InputError("pairs are learnt from by a loss: name an objective")
    return prefer(job, data.epoch, data.dev, by, listener, interrupted)


def loss_of(
    objective: Objective,
    *,
    beta: float | None = None,
    gamma: float | None = None,
    alpha: float | None = None,
    clamped: bool = True,
) -> Loss | None:
    """The loss of an objective, with its published constants but for those given; none for SFT."""
    given = {"beta": beta, "gamma": gamma, "alpha": alpha}
    said = {name: value for name, value in given.items() if value is not None}
    if objective != "sft":
        usual = LOSSES[objective]
        constants = {name: getattr(usual, name) for name in given} | said
        return Loss(usual.name, **constants, clamped=clamped)
    if said:
        raise InputError(f"SFT knows no {' or '.join(said)}: leave that out, or choose another objective")
    return None


def _about(policy: Policy, objective: Objective) -> dict[str, Any]:
    told = {"name": policy.name, "hash": policy.hash, "instruction": policy.instruction}
    return {"policy": told, "objective": objective}


def _asked(policy: Policy, row: Row) -> Turns:
    return Turns((*messages(policy, row.input), Message("assistant", row.target)), source=row.input)


def _changing(path: Path) -> Iterable[Row]:
    return (row for row in read_rows(path) if row.input != row.target)


def _is_refused(row: Row, guard: Guard) -> bool:
    return guard.refuses(row) is not None


def _key(row: Row) -> tuple[str, str]:
    return plain(row.input), plain(row.target)


def _judges(path: Path, policy: Policy) -> Iterable[str]:
    """Who judged the pairs of a file; InputError where they were built for another policy."""
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        row = parsed(line, f"{path}, line {number}", _NEEDS)
        if not isinstance(row, dict):
            raise InputError(f"{path}, line {number}: needs {_NEEDS}")
        if (name := row.get("policy", policy.name)) != policy.name:
            raise InputError(
                f"{path}, line {number}: the pair was built for the policy {name!r}, not for {policy.name!r}"
            )
        prompt = row.get("prompt")
        first = prompt[0] if isinstance(prompt, list) and prompt else None
        if not isinstance(first, dict) or first.get("content") != policy.instruction:
            raise InputError(
                f"{path}, line {number}: the prompt does not begin with the instruction of the policy "
                f"{policy.name!r}: build the data anew, or name the policy that they were built with"
            )
        yield str(row.get("judge", "not stated"))


def _check_enough(count: int, limit: int | None) -> None:
    if limit is not None and count < limit:
        raise InputError(f"there are only {count:,} to learn from, fewer than {limit:,} (--limit)")
