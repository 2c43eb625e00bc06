"""How `redraft judge` shows what was found."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from redraft.cli.console import visible
from redraft.judge import (
    NOT_MEASURED,
    PUBLISHED,
    AspectComparison,
    AspectScore,
    Consistency,
    Part,
    PositionBias,
    RaterAgreement,
    Reliability,
    Rubric,
    Share,
    SheetScores,
    Statistic,
)
from redraft.metrics import Interval

_UNDEFINED = "–"
_NAMES = {
    "exact": "exact",
    "kappa": "κ",
    "kappa_linear": "κ linear",
    "kappa_quadratic": "κ quadratic",
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ-b",
}


Known = Mapping[str, Reliability | None]
"""By the spec of each judge, how reliable it was found to be."""


def score_lines(rubric: Rubric, known: Known, items: int, aspects: Sequence[AspectScore]) -> str:
    """The means of a jury, and where it has several members theirs and how far they agree."""
    specs = list(known)
    jury = len(specs) > 1
    steady = any(each.steady is not None for each in aspects)
    head = ["aspect", "mean", "95 % interval", "scale", "best", "items"]
    head += [*(f"judge {number}" for number, _ in enumerate(specs, 1)), "spread", "α"] if jury else []
    rows = [head + (["repeats alike"] if steady else [])]
    for each in aspects:
        scale = rubric.aspect(each.aspect).scale
        ends = (0, len(each.counts) - 1)
        if scale is not None and isinstance(scale.labels[0], int):
            ends = (scale.labels[0], int(scale.labels[-1]))
        row = [each.aspect, _number(each.mean), _interval(each.interval)]
        row += [f"{ends[0]}–{ends[1]}", each.best, str(each.items)]
        if jury:
            row += [_number(each.judges.get(spec)) for spec in specs]
            row += [_number(each.spread), _number(each.alpha)]
        rows.append(row + ([_percent(each.steady)] if steady else []))
    return _head(known, f"{items} texts by the rubric {visible(rubric.name)}") + _table(rows)


def comparison_lines(
    names: tuple[str, str],
    known: Known,
    pairs: int,
    same: int,
    both: bool,
    aspects: Sequence[AspectComparison],
) -> str:
    """Wins, ties and losses; whether both orders agree; and how often the text shown first is preferred."""
    specs = list(known)
    alike = f", {same} with the same text twice" if same else ""
    orders = "both orders" if both else "one order, drawn by the seed"
    title = f"first   {visible(names[0])}\nsecond  {visible(names[1])}\n{pairs} pairs{alike}, {orders}"
    rows = [["aspect", "first wins", "ties", "second wins", "first's share", "p"]]
    for each in aspects:
        counts = [str(share.count) for share in (each.wins, each.ties, each.losses)]
        rows.append([each.aspect, *counts, _share(each.wins), _p(each.p)])
    lines = _head(known, title, ", by marks") + _table(rows) + "\n"
    trusts = [["aspect", "judge", "consistent under swap", "said A, not B", "p"]]
    for each in aspects:
        if len(specs) > 1:
            trusts.append([each.aspect, "all", *_trust(each.trust)])
        for number, spec in enumerate(specs, 1):
            if spec in each.judges:
                trusts.append([each.aspect, str(number), *_trust(each.judges[spec])])
    lines += _table(trusts)
    for each in aspects:
        if each.unanimous is not None:
            lines += f"{each.aspect}: the judges are of one mind on {_share(each.unanimous)} of the pairs\n"
    return lines


def meta_lines(found: Sequence[Consistency], specs: Sequence[str], title: str) -> str:
    """Judges held against people: a row a setting and judge, a column a task; then what stands behind it."""
    names = {spec: str(number) for number, spec in enumerate(specs, 1)}
    tasks = list(dict.fromkeys(each.task for each in found))
    cells = {(each.without, each.judge, each.task): each for each in found}
    rows = [["asked by", "judge", *map(visible, tasks)]]
    for without, judge in dict.fromkeys((each.without, each.judge) for each in found):
        mine = (cells[without, judge, task] for task in tasks)
        rows.append([_asked_by(without), names.get(judge, judge), *map(_consistency, mine)])
    for without in dict.fromkeys(each.without for each in found):
        if any(task in PUBLISHED[without] for task in tasks):
            shares = (PUBLISHED[without].get(task) for task in tasks)
            shown = (_UNDEFINED if share is None else f"{share:.1f} %" for share in shares)
            rows.append([_asked_by(without), "published", *shown])
    judges = "".join(f"judge {number}  {visible(spec)}\n" for spec, number in names.items())
    detail = [["asked by", "judge", "task", "pairs", "instructions", "ties", "ties as wrong",
               "Pearson r", "Spearman ρ", "unanswered"]]  # fmt: skip
    detail += [
        [_asked_by(each.without), names.get(each.judge, each.judge), visible(each.task), str(each.pairs),
         str(each.groups), str(each.ties), _percent(each.strict), _number(each.pearson),
         _number(each.spearman), str(each.unanswered)]
        for each in found
    ]  # fmt: skip
    return f"{title}\n{judges}\n{_table(rows)}\n{_table(detail)}"


def sheet_lines(found: SheetScores) -> str:
    """The systems with the scores that people gave them, each two of them beside each other, agreement."""
    people = len(found.people)
    rows = [["system", "texts", "mean", "95 % interval", "high", "moderate", "low"]]
    rows += [
        [visible(one.system), str(one.texts), _number(one.mean), _interval(one.interval),
         *map(_percent, (one.high, one.moderate, one.low))]
        for one in found.systems
    ]  # fmt: skip
    lines = f"scores from 1 to 5 by {people} {'person' if people == 1 else 'people'}\n\n" + _table(rows)
    if found.differences:
        rows = [["difference", "sources", "mean", "95 % interval", "p"]]
        for each in found.differences:
            names = f"{visible(each.first)} less {visible(each.second)}"
            rows.append(
                [names, str(each.sources), f"{each.difference:+.2f}", _interval(each.interval), _p(each.p)]
            )
        lines += "\n" + _table(rows)
    if kinds := sorted({kind for one in found.systems for kind in one.errors}):
        rows = [["texts with", *kinds]]
        rows += [
            [visible(one.system), *(_percent(one.errors.get(kind, 0.0)) for kind in kinds)]
            for one in found.systems
        ]
        lines += "\n" + _table(rows)
    return lines + ("\n" + agreement_lines([found.agreement]) if found.agreement else "")


def agreement_lines(groups: Sequence[RaterAgreement]) -> str:
    """The statistics of each two raters, one a line, then α of all."""
    lines = ""
    for group in groups:
        lines += f"{visible(group.aspect)}\n" if group.aspect else ""
        for (one, other), found in group.pairs:
            lines += f"{visible(one)} and {visible(other)}, {found.items} items\n"
            rows = [[f"  {_NAMES[name]}", *_statistic(each)] for name, each in found.statistics.items()]
            lines += _table(rows)
        lines += f"Krippendorff's α of {'both' if len(group.pairs) == 1 else 'all'}: {_number(group.alpha)}\n"
    return lines


def _head(known: Known, title: str, measured: str = "") -> str:
    judges = "".join(
        f"judge {number}  {visible(spec)}: {visible(str(found or NOT_MEASURED))}{measured}\n"
        for number, (spec, found) in enumerate(known.items(), 1)
    )
    return f"{title}\n{judges}\n"


def _asked_by(without: Part | None) -> str:
    return "full rubric" if without is None else f"− {without}"


def _consistency(found: Consistency) -> str:
    if found.value is None:
        return _UNDEFINED
    ends = "" if found.interval is None else " [{:.0f}, {:.0f}]".format(*(100 * x for x in found.interval))
    return f"{100 * found.value:.1f} %{ends}"


def _trust(trust: PositionBias) -> list[str]:
    consistent = _UNDEFINED if trust.consistent is None else _share(trust.consistent)
    return [consistent, _share(trust.said_a), _p(trust.bias_p)]


def _statistic(found: Statistic) -> list[str]:
    return [_number(found.value), _interval(found.interval)]


def _number(value: float | None) -> str:
    return _UNDEFINED if value is None or math.isnan(value) else f"{value:.2f}"


def _percent(value: float | None) -> str:
    return _UNDEFINED if value is None else f"{100 * value:.0f} %"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else f"[{interval[0]:.2f}, {interval[1]:.2f}]".replace("-0.00", "0.00")


def _share(share: Share) -> str:
    if share.interval is None:
        return _UNDEFINED
    low, high = (round(100 * end) for end in share.interval)
    return f"{_percent(share.value)} [{low}, {high}]"


def _p(value: float) -> str:
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _table(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    return "".join(f"{line.rstrip()}\n" for line in lines)
