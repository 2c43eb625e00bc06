"""A comparison of two runs, as tables for Markdown and CSV, and on a terminal with the diffs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, groupby, islice

from rich.console import Group, RenderableType
from rich.text import Text

from redraft.bench.compare import Change, RunComparison
from redraft.bench.report.formats import rich_table, terminal
from redraft.bench.tables import Cell, Column, Number, Table, metric_name
from redraft.text import diff_terminal, diff_words


def comparison_tables(found: RunComparison) -> tuple[Table, ...]:
    """The differences, the items that they stand on, and the samples that changed most either way."""
    tables = (_differences(found), _coverage(found), *_changes(found))
    return tuple(table for table in tables if table.rows)


def comparison_terminal(found: RunComparison) -> RenderableType:
    """For a terminal: two metrics of each data set, and each changed sample as two diffs from its input."""
    parts: list[RenderableType] = [rich_table(_differences(found, most=2)), rich_table(_coverage(found))]
    for changes, title in ((found.gains, "better"), (found.losses, "worse")):
        if changes:
            parts.append(terminal(f"\nWhere {found.second} does {title}\n", "bold"))
            parts += (_block(change, found) for change in changes)
    return Group(*parts)


def _differences(found: RunComparison, most: int | None = None) -> Table:
    """All differences, or those by the first metrics of each data set."""
    by_dataset = groupby(found.differences, key=lambda each: each.dataset)
    shown = [each for _, group in by_dataset for each in islice(group, most)]
    rows: list[tuple[Cell, ...]] = [
        (
            found.abbreviations[each.dataset],
            metric_name(each.metric),
            each.samples,
            (Number(each.first, signature=each.signature),),
            (Number(each.second, signature=each.signature),),
            (Number(each.difference, *each.interval),),
            (Number(each.p_bootstrap),),
            (Number(each.p_randomisation),),
        )
        for each in shown
    ]
    names = (Column("Data set"), Column("Metric"), Column("n"))
    numbers = (
        (found.first, 1),
        (found.second, 1),
        ("Difference", 2),
        ("p (boot.)", 4),
        ("p (rand.)", 4),
    )
    columns = (*names, *(Column(title, ("",), digits) for title, digits in numbers))
    tests = "; ".join(dict.fromkeys(chain.from_iterable(each.tests for each in found.differences)))
    note = (
        "The second run less the first, over the n samples that both have, with the 95 % interval of the "
        f"paired bootstrap; p by it and by randomisation, two-sided, not corrected for many rows ({tests}). "
        "Where samples were run under several prompts, a sample's outputs count together."
    )
    return Table("differences", f"{found.second} against {found.first}", note, columns, tuple(rows))


def _coverage(found: RunComparison) -> Table:
    rows = tuple(
        (found.abbreviations.get(each.dataset, each.dataset), each.both, each.first_only, each.second_only)
        for each in found.coverage
    )
    names = ("Data set", "Both", f"Only {found.first}", f"Only {found.second}")
    note = "Items finished in both runs are compared; those that failed or are missing in one are left out."
    return Table("compared", "Items compared", note, tuple(map(Column, names)), rows)


def _changes(found: RunComparison) -> Iterator[Table]:
    names = (Column("Item"), Column("Metric"), Column("Change", ("",)))
    columns = (*names, *map(Column, ("Prompt", "Input", found.first, found.second)))
    for name, changes, title in (("gains", found.gains, "better"), ("losses", found.losses, "worse")):
        rows: tuple[tuple[Cell, ...], ...] = tuple(
            (
                each.key,
                metric_name(each.metric),
                (Number(each.difference),),
                *(each.instruction, each.input, each.first, each.second),
            )
            for each in changes
        )
        note = "By the score of the single sample, in the main metric of its data set."
        yield Table(name, f"Where {found.second} does {title}", note, columns, rows)


def _block(change: Change, found: RunComparison) -> Text:
    shown = Text.assemble(terminal(change.key, "bold"), terminal(f"  {change.instruction}\n"))
    sides = (
        (found.first, change.first, change.first_score),
        (found.second, change.second, change.second_score),
    )
    for label, output, score in sides:
        shown.append_text(terminal(f"  {metric_name(change.metric)} {score:5.1f}  {label}: ", "dim"))
        edits = diff_words(terminal(change.input).plain, terminal(output).plain)
        shown.append_text(diff_terminal(edits))
        shown.append("\n")
    return shown
