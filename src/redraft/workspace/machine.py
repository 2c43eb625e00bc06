"""What this machine has: the models that are chosen and fetched, what was spent, policies, and runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any, Final

from redraft.addresses import without_login
from redraft.bench import compare, open_benchmark
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
from redraft.simplification import Policy, load_policy, policy_names, policy_text
from redraft.workspace.store import Store, from_json

_DEEPEST: Final = 3
_MOST_RUNS: Final = 1000
_MOST_FIGURE: Final = 4_000_000
_RESAMPLES: Final = 1000
"""Fewer than the command draws: somebody waits for the page."""


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
                "fields": _policy_fields(policy),
            }
        )
    return found


def _policy_fields(policy: Policy) -> dict[str, Any]:
    """What a policy's file says, for a form in which another is made of it; examples are its own."""
    limits: dict[str, Any] = {"word_level": policy.limits.word_level}
    if policy.limits.length_ratio is not None:
        limits["length_ratio"] = list(policy.limits.length_ratio)
    if policy.limits.reading_grade is not None:
        limits["reading_grade"] = policy.limits.reading_grade
    principles = {
        aspect: [{name: value for name, value in asdict(one).items() if value is not None} for one in own]
        for aspect, own in policy.principles
    }
    return {
        "name": policy.name,
        "title": policy.title,
        "about": policy.about,
        "instruction": policy.instruction,
        "operations": sorted(policy.operations),
        "decides": policy.decides,
        "limits": limits,
        "constraints": list(policy.constraints),
        "principles": principles,
    }


def list_runs(folder: Path | None) -> list[dict[str, Any]]:
    """The runs in a folder, the newest first: what was run, how far it is, and its scores."""
    found = [(run.file("run.json").stat().st_mtime, name, run) for name, run in _runs(folder)]
    return [_run_row(name, run) for _, name, run in sorted(found, reverse=True, key=lambda one: one[0])]


def get_run(folder: Path | None, name: str, *, limit: int = 50, skip: int = 0) -> dict[str, Any]:
    """A run with some of its samples; NotFound where the folder has none of that name."""
    run = _run(folder, name)
    records = list(islice(run.records(), skip, skip + limit)) if run.samples.is_file() else []
    return {**_run_row(name, run), "samples": records, "figures": sorted(_figures(run))}


def run_figure(folder: Path | None, name: str, figure: str) -> bytes:
    """A figure of a run's report, as SVG; NotFound where its folder has none of that name."""
    file = _figures(_run(folder, name)).get(figure)
    if file is None:
        raise NotFound(f"the run {name!r} has no figure {figure!r}")
    return file.read_bytes()


def compare_runs(folder: Path | None, first: str, second: str) -> dict[str, Any]:
    """Two runs of one benchmark side by side: differences with intervals, and what changed most."""
    runs = _run(folder, first), _run(folder, second)
    names = [run.facts().get("benchmark") for run in runs]
    if not isinstance(names[0], str) or names[0] != names[1]:
        raise InputError(f"{first!r} and {second!r} are not runs of the same benchmark")
    if missing := [name for name, run in zip((first, second), runs, strict=True) if not run.is_scored()]:
        raise InputError(f"{missing[0]!r} is not scored yet: it can be compared when it has ended")
    found = compare(*runs, benchmark=open_benchmark(names[0]), resamples=_RESAMPLES)
    known = tuple(one for one in found.differences if isfinite(one.difference))
    return asdict(replace(found, differences=known))


def _run(folder: Path | None, name: str) -> RunDir:
    """A run by its name, which is looked up among those that are there and never taken for a path."""
    run = dict(_runs(folder)).get(name)
    if run is None:
        raise NotFound(f"there is no run {name!r}")
    return run


def _figures(run: RunDir) -> dict[str, Path]:
    """The figures that a report has left in the folder of a run, by their names; links are not followed."""
    place = run.file("figures")
    if place.is_symlink() or not place.is_dir():
        return {}
    return {
        file.stem: file
        for file in place.glob("*.svg")
        if not file.is_symlink() and file.is_file() and file.stat().st_size <= _MOST_FIGURE
    }


def _run_row(name: str, run: RunDir) -> dict[str, Any]:
    row: dict[str, Any] = {"name": name, "run": None, "scores": None, "problem": None}
    row |= {"finished": 0, "planned": None}
    try:
        row["run"] = run.facts()
        row["scores"] = run.scores() if run.is_scored() else None
        row["finished"] = len(run.finished()) if run.samples.is_file() else 0
        row["planned"] = _planned(row["run"], row["scores"])
    except InputError as error:
        row["problem"] = str(error).replace(str(run.path), name)  # no path of the server's
    return row


def _planned(facts: dict[str, Any], scores: dict[str, Any] | None) -> int | None:
    """How many samples a run has when it has ended, where it says so."""
    coverage = scores.get("coverage") if scores is not None else None
    known = coverage.get("planned") if isinstance(coverage, dict) else facts.get("planned")
    return known if isinstance(known, int) else None


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
