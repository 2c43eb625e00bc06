"""A small build: models on a scripted server, and a judge that likes short texts and asks nobody.

`python -m tests.bench.preferences.builder SOURCES OUT URL` builds in a process of its own.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from redraft.bench.preferences import build as working
from redraft.bench.preferences.build import Judging, PreferenceBuild, PreferenceRecipe
from redraft.bench.preferences.pairs import Filters, read_preference_sources
from redraft.cli.runs import shown
from redraft.models import Models
from redraft.runs.jobs import LocalEngine
from redraft.settings import load_settings
from redraft.simplification.judging.alignment import Alignment
from redraft.simplification.policy import ASPECTS, Example, Policy
from redraft.simplification.verdicts import Judged, Verdict
from redraft.text.tagging import tagged

POLICY = Policy(
    "tiny",
    "A policy for tests",
    "Use easier words.",
    frozenset({"replace", "keep"}),
    "lexical",
    (),
    (),
    (Example("They commenced.", "They began."),),
)


class ShortestBest:
    """Prefers the shortest, and is against the longest."""

    def __init__(self, name: str = "shortest", fails_at: str = "", thinks_at: str = "") -> None:
        self.name = name
        self._fails_at = fails_at
        self._thinks_at = thinks_at

    async def judge(self, source: str, candidates: Sequence[str], policy: Policy) -> Judged:
        if self._fails_at and self._fails_at in source:
            return Judged(self.name, error="BadAnswer: no")
        places = sorted(range(len(candidates)), key=lambda place: len(candidates[place]))
        if self.name == "longest":
            places.reverse()
        said = tuple(f"{len(text)} characters" for text in candidates)
        verdicts = {aspect: Verdict(aspect, places[0], places[-1], said) for aspect in ASPECTS}
        thought = float(self._thinks_at in source) if self._thinks_at else None
        return Judged(self.name, verdicts, dict.fromkeys(ASPECTS, 1.0), thought=thought)


class NoLinks:
    """Aligns nothing."""

    def __init__(self, _: object) -> None:
        return

    async def align(self, pairs: Sequence[tuple[str, str]]) -> tuple[Alignment, ...]:
        return tuple(Alignment(tuple(tagged(one)), tuple(tagged(two)), ()) for one, two in pairs)


def open_shortest(spec: str, models: Models, **_: Any) -> ShortestBest:
    """In the place of `open_judge`: `rubric` likes short texts, `longest` long ones, `fails:X` not all.

    `thinks:X` was to think first, and does where the source has X in it.
    """
    name = "longest" if spec == "longest" else "shortest"
    return ShortestBest(name, spec.partition("fails:")[2], spec.partition("thinks:")[2])


def build(sources: Path, out: Path, systems: Sequence[str], **changes: Any) -> PreferenceBuild:
    """A build that runs in this process."""
    recipe = replace(PreferenceRecipe(POLICY, tuple(systems), Judging(), Filters()), **changes)
    settings = load_settings({"cache": False, "retries": 0})
    return PreferenceBuild(
        recipe, read_preference_sources(sources, recipe.filters), out, settings, LocalEngine(), shown
    )


if __name__ == "__main__":
    source, target, url = sys.argv[1:]
    work = build(Path(source), Path(target), (f"{url}#tiny@0.5", f"{url}#tiny"))
    with patch.object(working, "open_judge", open_shortest), patch.object(working, "Aligner", NoLinks):
        asyncio.run(work.run(resume=False))
