"""The tables of the RAVEL paper: task capabilities and dynamics (Table 2), roles (§5.4), texts, costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

from redraft.bench.benchmark import read_data
from redraft.bench.c3e.details import COSTS, NAMES
from redraft.bench.c3e.reading import LANGUAGES, TASKS
from redraft.bench.measures import JUDGE, WRITING
from redraft.bench.report.figures import SampleScores, bar_groups
from redraft.bench.report.plots import Bar, BarGroup, Drawing, Values, bar_chart, box_plot
from redraft.bench.tables import (
    Cell,
    Column,
    Number,
    Result,
    ScoredRun,
    Table,
    as_number,
    coverage,
    scored_runs,
)
from redraft.runs import RunDir

NOT_JUDGED: Final = "not judged"
_BOTH: Final = " + ".join(LANGUAGES)
_PUBLISHED_ON: Final = "en"
"""Table 2 is of the English records: the authors' own table of those has the same figures."""
_STRATEGIES: Final = {
    "GPT-5.2": "ISS",
    "Claude-4.5 Sonnet": "ISS",
    "Gemini-3 Pro": "PBS",
    "DeepSeek-v3.2": "PBS",
}
"""What the paper says of systems (§5.3)."""
_DYNAMICS: Final = {
    "success": ("S %", 1),
    "efficiency": ("η", 2),
    "refinements_per_section": ("ρ refine %", 1),
    "reviews_per_section": ("ρ review %", 1),
    "gain": ("δ points", 2),
    "gain_percent": ("δ %", 2),
    "failures": ("ERR %", 2),
    "outline": ("|O|", 1),
    "steps": ("|T|", 1),
    "lifetime": ("Δ med", 1),
}
"""Heads and digits of what `redraft.composition.dynamics` measures."""
_PUBLISHED: Final = {
    "success": "success",
    "efficiency": "efficiency",
    "density": "refinements_per_section",
    "gain": "gain_percent",
    "failures": "failures",
    "outline": "outline",
    "trajectory": "steps",
}
"""Where the paper's columns stand among ours."""
_ROLES: Final = ("success", "refinements_per_section", "gain", "gain_percent", "failures")


def report_tables(runs: Sequence[RunDir], results: Sequence[Result]) -> tuple[Table, ...]:
    """Every table that these runs have the numbers for."""
    found = scored_runs(runs, results)
    tables = [
        capabilities(found),
        dynamics(found),
        roles(found),
        texts(found),
        judges(found),
        costs(found),
        coverage(results),
    ]
    return tuple(table for table in tables if table.rows)


def capabilities(found: Sequence[ScoredRun]) -> Table:
    """Table 2, left: what a judge says of each task."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        own = [language for language in LANGUAGES if any(map(one.result.dataset, _names(language)))]
        rows += [(one.label, each, *(_judged(one, name) for name in _names(each))) for each in own]
        if len(own) > 1:
            rows.append((one.label, _BOTH, *(_over_languages(one, task) for task in TASKS)))
    rows += [
        (f"{system} †", _PUBLISHED_ON, *((Number(row[task]),) for task in TASKS))
        for system, row in _table_2().items()
    ]
    columns = (Column("System"), Column("Language"), *(_column(NAMES[task], 2) for task in TASKS))
    note = (
        "The judge's score from 1 to 10, the reference being worth 6; en + zh: over the texts of both. –: "
        "the system does not do the task, or was not run on it. † published (RAVEL, Table 2, English only; "
        "judge GPT-5.2): scores of different judges do not compare."
    )
    return Table("tasks", "Task capabilities (Table 2)", note, columns, tuple(rows), is_main=True)


def dynamics(found: Sequence[ScoredRun]) -> Table:
    """Table 2, right: how pieces were written."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for name, own in one.details.get("dynamics", {}).items():
            label = f"{one.label} ‡" if _is_guarded(one) else one.label
            cells = [_number(own, measure) for measure in _DYNAMICS]
            counts = own.get("strategies", {})
            strategies = ", ".join(f"{counts[each]} {each}" for each in sorted(counts)) or "–"
            rows.append(
                (label, short_name(one, name), own["trajectories"], *cells, strategies, _judged(one, name))
            )
    if rows:
        rows += [
            (f"{system} †", f"{NAMES['end2end']} {_PUBLISHED_ON}", "–", *_published(system, row))
            for system, row in _table_2().items()
        ]
    heads = (_column(head, digits) for head, digits in _DYNAMICS.values())
    note = (
        "S: finished within the steps allowed. η: steps by section. ρ: by section, refinements (what the "
        "paper's figures can only mean) and reviews (its Eq. 9). δ: last score less the first of sections "
        "that were refined, in points and in per cent of the first. ERR: steps that failed. |O|, |T|: "
        "sections and steps. Δ med: the median turn of a section's end less that of its start. Strategy: "
        "pieces whose sections were each reviewed before the next was drafted (ISS), or drafted together "
        "(PBS); by our rule, for the paper has none. † published (Table 2, English only), by the protocol "
        "`paper`; the unit of its δ is not stated, and cannot be points of ten. ‡ guarded: it finishes by "
        "construction, so that its S says nothing of the model, and does not compare with a published one."
    )
    columns = (
        *map(Column, ("System", "Data set", "Pieces")),
        *heads,
        Column("Strategy"),
        _column("Judge", 2),
    )
    return Table("dynamics", "Dynamics of writing (Table 2)", note, columns, tuple(rows), is_main=True)


def roles(found: Sequence[ScoredRun]) -> Table:
    """§5.4: the same system with one role's model exchanged."""
    rows: list[tuple[Cell, ...]] = []
    for study in role_studies(found):
        for what, one in study:
            for name, own in one.details.get("dynamics", {}).items():
                cells = [_number(own, measure) for measure in _ROLES]
                rows.append((what, short_name(one, name), *cells, _judged(one, name)))
    heads = (_column(*_DYNAMICS[name]) for name in _ROLES)
    note = "The system as given, and with the model of one role exchanged; the judge scores the final texts."
    columns = (Column("Roles"), Column("Data set"), *heads, _column("Judge", 2))
    return Table("roles", "Who decides: roles exchanged (§5.4)", note, columns, tuple(rows), is_main=True)


def role_studies(found: Sequence[ScoredRun]) -> list[list[tuple[str, ScoredRun]]]:
    """Runs that differ in the models of roles alone, each with what was exchanged in it; the base first."""
    groups: dict[tuple[Any, ...], list[ScoredRun]] = {}
    for one in found:
        if "roles" in one.facts:
            same = tuple(one.facts.get(name) for name in ("system", "model", "data", "seed"))
            groups.setdefault(same, []).append(one)
    studies = []
    for group in groups.values():
        base = next((one for one in group if "swap" not in one.facts), group[0])
        others = [one for one in group if "swap" in one.facts and one is not base]
        if others:
            named = [
                (f"{base.facts['system']}, {one.facts['swap'].replace('=', ': ')}", one) for one in others
            ]
            studies.append([(f"{base.label}, as given", base), *named])
    return studies


def texts(found: Sequence[ScoredRun]) -> Table:
    """What needs no judge."""
    measures = (*WRITING, "rougeL")
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        for each in one.result.datasets:
            asked, cut = (int(one.details.get(part, {}).get(each.name, 0)) for part in ("asked", "cut"))
            cells = [(one.result.score(each.name, measure),) for measure in measures]
            rows.append((one.label, each.abbreviation, each.scored, each.failed, cut, asked, *cells))
    columns = (
        *map(Column, ("System", "Data set", "Texts", "Failed", "Cut off", "Length asked")),
        *map(_column, ("Length %", "Within %", "Repeated %", "Empty %", "ROUGE-L")),
    )
    note = (
        "Length: in per cent of what was asked, over the texts whose instruction asks for one; within: those "
        "within a fifth of it. Repeated: how much of a text stood in it before. ROUGE-L: against the "
        "reference, in Chinese by characters. Cut off: the model was not done when its room was."
    )
    return Table("texts", "Texts, without a judge", note, columns, tuple(rows), is_main=True)


def judges(found: Sequence[ScoredRun]) -> Table:
    """Who judged, and how far it is known to agree with people."""
    rows: list[tuple[Cell, ...]] = []
    for one in found:
        judge: Mapping[str, Any] = one.facts.get("judge", {})
        for each in one.result.datasets if judge else ():
            score, count = one.result.score(each.name, JUDGE), one.count(each.name, JUDGE)
            agreement = judge["agreement"].get(each.task, "not measured")
            rows.append((one.label, each.abbreviation, judge["spec"], count, (score,), agreement))
    columns = (
        *map(Column, ("System", "Data set", "Judge", "Judged")),
        _column("Score", 2),
        Column("Agreement with people"),
    )
    note = "Agreement: how often the judge prefers what people prefer, as `redraft judge meta` measured it."
    return Table("judges", "Judges", note, columns, tuple(rows), is_main=True)


def costs(found: Sequence[ScoredRun]) -> Table:
    """Times and tokens."""
    rows: list[tuple[Cell, ...]] = [
        (one.label, short_name(one, name), own["texts"], *((Number(own[part]),) for part in COSTS))
        for one in found
        for name, own in one.details.get("costs", {}).items()
    ]
    heads = (_column(part.replace("_", " ").capitalize()) for part in COSTS)
    note = "Means of a text; answers from the cache took nothing. Seconds of texts written at once overlap."
    columns = (Column("System"), Column("Data set"), Column("Texts"), *heads)
    return Table("costs", "Times and tokens", note, columns, tuple(rows), is_main=True)


def _column(head: str, digits: int = 1) -> Column:
    """A column of numbers that its head says all of."""
    return Column(head, (head,), digits)


def short_name(one: ScoredRun, name: str) -> str:
    """A data set as tables call it."""
    each = one.result.dataset(name)
    return each.abbreviation if each else name


def _table_2() -> Mapping[str, Mapping[str, float]]:
    """The paper's systems: the tasks, S, η_traj, ρ_ref, δ_gain, Judge, ERR, |O| and |T|."""
    return cast("Mapping[str, Mapping[str, float]]", read_data(__package__, "published.json")["systems"])


def _judged(one: ScoredRun, name: str) -> Cell:
    """The judge's score; that there is none, where a text was written."""
    each = one.result.dataset(name)
    if each is not None and each.scored and JUDGE not in each.spreads:
        return NOT_JUDGED
    return (one.result.score(name, JUDGE),)


def _names(language: str) -> list[str]:
    return [f"{language}-{task}" for task in TASKS]


def _over_languages(one: ScoredRun, task: str) -> Cell:
    """The mean over the texts of all languages, where all are judged."""
    names = [f"{language}-{task}" for language in LANGUAGES]
    if any(_judged(one, name) == NOT_JUDGED for name in names):
        return NOT_JUDGED
    found = [
        (number.value, one.count(name, JUDGE)) for name in names if (number := one.result.score(name, JUDGE))
    ]
    if len(found) < len(names):
        return (None,)
    return (Number(sum(mark * count for mark, count in found) / sum(count for _, count in found)),)


def _number(values: Mapping[str, Any], name: str) -> tuple[Number | None, ...]:
    return (as_number(values.get(name)),)


def _published(system: str, row: Mapping[str, float]) -> list[Cell]:
    known = {ours: row[theirs] for theirs, ours in _PUBLISHED.items()}
    cells = (_number(known, measure) for measure in _DYNAMICS)
    return [*cells, _STRATEGIES.get(system, "–"), (Number(row["judge"]),)]


def _is_guarded(one: ScoredRun) -> bool:
    """Whether a run cannot but finish."""
    return bool(one.facts.get("parameters", {}).get("guarded", True))


_FEW: Final = 12
"""Sections up to which each is shown."""
_STUDIED: Final = {"success": "S %", "refinements_per_section": "ρ refine %", "gain_percent": "δ %"}


def draw(
    runs: Sequence[RunDir], results: Sequence[Result], samples: Sequence[SampleScores]
) -> tuple[Drawing, ...]:
    """Every figure that these runs have the numbers for."""
    found = scored_runs(runs, results)
    return (*_judged_bars(results), *_lives(found), *_roles(found))


def _judged_bars(results: Sequence[Result]) -> Iterator[Drawing]:
    if groups := bar_groups(results, JUDGE):
        caption = "The judge's score from 1 to 10, with its 95 % interval; the reference is worth 6."
        labels = [one.label for one in results]
        yield bar_chart("judged", "Scores by task", caption, "score", labels, groups)


def _lives(found: Sequence[ScoredRun]) -> Iterator[Drawing]:
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


def _roles(found: Sequence[ScoredRun]) -> Iterator[Drawing]:
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
