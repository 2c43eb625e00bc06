"""The figures of the RAVEL paper: scores by task, lives of sections (Figure 4), roles (Figure 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from redraft.bench.c3e.tables import role_studies, short_name
from redraft.bench.measures import JUDGE
from redraft.bench.report.plots import Bar, BarGroup, Values, bar_chart, box_plot
from redraft.bench.report.svg import Drawing
from redraft.bench.scored import Scored, scored
from redraft.bench.tables import Number, Result, dataset_results
from redraft.runs import RunDir

_FEW: Final = 12
"""Sections up to which each is shown."""
_STUDIED: Final = {"success": "S %", "refinements_per_section": "ρ refine %", "gain_percent": "δ %"}


def draw(runs: Sequence[RunDir], results: Sequence[Result]) -> tuple[Drawing, ...]:
    """Every figure that these runs have the numbers for."""
    found = scored(runs, results)
    return (*_judged(results), *_lives(found), *_roles(found))


def _judged(results: Sequence[Result]) -> Iterator[Drawing]:
    groups = []
    for name, facts in dataset_results(results).items():
        spreads = [each.spreads.get(JUDGE) if (each := one.dataset(name)) else None for one in results]
        if bars := tuple(Bar(place, each.mean) for place, each in enumerate(spreads) if each):
            groups.append(BarGroup(facts.abbreviation, bars, {}))
    if groups:
        caption = "The judge's score from 1 to 10, with its 95 % interval; the reference is worth 6."
        labels = [one.label for one in results]
        yield bar_chart("judged", "Scores by task", caption, "score", labels, groups)


def _lives(found: Sequence[Scored]) -> Iterator[Drawing]:
    rows: list[Values] = []
    medians = []
    for one in found:
        for name, lives in one.details.get("lives", {}).items():
            for place, what in enumerate(("start", "end")):
                turns = {str(number): float(life[place]) for number, life in enumerate(lives)}
                rows.append(Values(f"{what}: {one.label}, {name}", turns, points=len(lives) < _FEW))
            medians.append(f"{one.label}, {name}: {one.details['dynamics'][name]['lifetime']}")
    if rows:
        caption = (
            "The turn at which a section was drafted, and that at which it was done with, over all sections. "
            f"Δ med, the difference of the medians: {'; '.join(medians)}."
        )
        yield box_plot("lives", "Lives of sections (Figure 4)", caption, "turn", rows, room=300)


def _roles(found: Sequence[Scored]) -> Iterator[Drawing]:
    for number, study in enumerate(role_studies(found), 1):
        labels = [what for what, _ in study]
        for measure, head in _STUDIED.items():
            groups = []
            for name in study[0][1].details.get("dynamics", {}):
                owns = [one.details.get("dynamics", {}).get(name, {}).get(measure) for _, one in study]
                bars = tuple(Bar(place, Number(own)) for place, own in enumerate(owns) if own is not None)
                if bars:
                    groups.append(BarGroup(short_name(study[0][1], name), bars, {}))
            if groups:
                title = f"Roles exchanged (Figure 5): {head}"
                caption = "The system as given, and with the model of one role exchanged."
                yield bar_chart(f"roles-{number}-{measure}", title, caption, head, labels, groups)
