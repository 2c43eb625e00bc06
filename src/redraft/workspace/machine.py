"""What this machine has: the models that are chosen and fetched, what was spent, policies, and runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final

from redraft.addresses import without_login
from redraft.errors import InputError, NotFound
from redraft.models import (
    core_count,
    larger_models,
    larger_status,
    list_adapters,
    memory_mb,
    status,
    suggested_model,
    trust_of,
)
from redraft.runs import RunDir
from redraft.settings import ROLES, Settings
from redraft.simplification import load_policy, policy_names, policy_text
from redraft.workspace.store import Store, from_json

_DEEPEST: Final = 3
_MOST_RUNS: Final = 1000


def list_models(store: Store, settings: Settings) -> dict[str, Any]:
    """The models: by role, what is fetched, what could be, and what the jobs so far have spent."""
    larger = larger_status(settings.weights())
    suggested = suggested_model(memory_mb(), core_count())
    return {
        "roles": [
            {
                "role": role,
                "spec": spec,
                "origin": settings.origin(role),
                "trust": trust_of(spec, settings.trust),
            }
            for role in ("model", *ROLES)
            if (spec := getattr(settings, role))
        ],
        "service": {"address": without_login(settings.base_url), "has_key": settings.api_key is not None},
        "weights": [
            {"name": one.name, "bytes": one.bytes, "state": one.state} for one in status(settings.weights())
        ],
        "larger": [
            {
                "name": name,
                "spec": f"embedded:{name}",
                "title": model.title,
                "licence": model.licence,
                "origin": model.origin,
                "megabytes": model.megabytes,
                "memory_mb": model.memory_mb,
                "state": larger[name].state,
                "suggested": suggested is not None and suggested.name == name,
            }
            for name, model in larger_models().items()
        ],
        "adapters": [
            {"name": one.name, "bytes": one.bytes, "added": one.added}
            for one in list_adapters(settings.weights())
        ],
        "spend": spent(store),
    }


def spent(store: Store) -> dict[str, float]:
    """What all jobs that are kept have taken."""
    total: dict[str, float] = {"jobs": 0, "calls": 0, "tokens": 0, "cost": 0.0, "seconds": 0.0}
    with store.reading() as sql:
        rows = sql.all("SELECT progress FROM jobs")
    for row in rows:
        total["jobs"] += 1
        for name, value in from_json(row["progress"]).items():
            total[name] += value
    return total


def list_policies() -> list[dict[str, Any]]:
    """The policies of simplification that come with redraft, each as its file has it."""
    found = []
    for name in policy_names():
        policy = load_policy(name)
        found.append(
            {
                "name": name,
                "title": policy.title,
                "about": policy.about,
                "instruction": policy.instruction,
                "operations": sorted(policy.operations),
                "word_level": policy.limits.word_level,
                "calls": list(policy.calls),
                "text": policy_text(name),
            }
        )
    return found


def list_runs(folder: Path | None) -> list[dict[str, Any]]:
    """The runs in a folder, the newest first: what was run, how far it is, and its scores."""
    found = [(run.file("run.json").stat().st_mtime, name, run) for name, run in _runs(folder)]
    return [_run_row(name, run) for _, name, run in sorted(found, reverse=True, key=lambda one: one[0])]


def get_run(folder: Path | None, name: str, *, limit: int = 50, skip: int = 0) -> dict[str, Any]:
    """A run with some of its samples; NotFound where the folder has none of that name."""
    run = dict(_runs(folder)).get(name)
    if run is None:
        raise NotFound(f"there is no run {name!r}")
    records = list(islice(run.records(), skip, skip + limit)) if run.samples.is_file() else []
    return {**_run_row(name, run), "samples": records}


def _run_row(name: str, run: RunDir) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "run": None, "scores": None, "finished": 0, "problem": None}
    try:
        row["run"] = run.facts()
        row["scores"] = run.scores() if run.is_scored() else None
        row["finished"] = len(run.finished()) if run.samples.is_file() else 0
    except InputError as error:
        row["problem"] = str(error)
    return row


def _runs(folder: Path | None) -> Iterator[tuple[str, RunDir]]:
    """Folders with a run.json, by their paths below; links are not followed."""
    if folder is None:
        return
    count = 0
    for place, folders, files in os.walk(folder):
        within = Path(place).relative_to(folder)
        if len(within.parts) >= _DEEPEST:
            folders.clear()
        if "run.json" in files:
            yield within.as_posix(), RunDir(Path(place))
            count += 1
        if count >= _MOST_RUNS:
            return
