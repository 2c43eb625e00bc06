"""Figures as SVG, readable aloud and in the dark: box plots, bars, curves, points, a heat map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files
from itertools import pairwise
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

from redraft.bench.tables import Number

WIDTH = 720
COLOURS = 6
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True)
class Drawing:
    """A figure without its frame: what it shows in words, its size, and its marks."""

    name: str
    """A word for the file and the anchor."""
    title: str
    caption: str
    description: str
    """What can be read off it, for those who cannot see it."""
    height: int
    marks: tuple[str, ...]

    def inline(self) -> str:
        """As an element of a page that has `stylesheet()`."""
        return self._element("", "")

    def standalone(self) -> str:
        """As a file of its own."""
        space = ' xmlns="http://www.w3.org/2000/svg"'
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + self._element(
            space, f"<style>{stylesheet()}</style>"
        )

    def _element(self, space: str, style: str) -> str:
        name = clean(self.name)
        return (
            f'<svg{space} class="figure" role="img" viewBox="0 0 {WIDTH} {self.height}" width="{WIDTH}" '
            f'height="{self.height}" aria-labelledby="{name}-title {name}-desc">\n'
            f'<title id="{name}-title">{clean(self.title)}</title>\n'
            f'<desc id="{name}-desc">{clean(self.description)}</desc>\n{style}'
            f'<rect class="ground" width="{WIDTH}" height="{self.height}"/>\n'
            + "\n".join(self.marks)
            + "\n</svg>\n"
        )


@dataclass(frozen=True)
class Axis:
    """A horizontal scale of values, with round ticks."""

    low: float
    high: float
    left: float
    right: float
    step: float

    def x(self, value: float) -> float:
        """Where a value stands; one beyond the ends stands at the end."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.left + min(max(share, 0.0), 1.0) * (self.right - self.left), 1)

    def draw(self, top: float, bottom: float, label: str) -> list[str]:
        """Grid lines, the numbers under them, and what they measure."""
        marks = []
        for place in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + place * self.step
            marks.append(line(self.x(value), top, self.x(value), bottom, "grid"))
            marks.append(text(self.x(value), bottom + 16, f"{value:g}", "quiet", "middle"))
        return [*marks, text((self.left + self.right) / 2, bottom + 34, label, "quiet", "middle")]


def axis(values: list[float], left: float, right: float, *, zero: bool = False) -> Axis:
    """A scale that holds the values, from zero where lengths are to be compared."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    low, high = (min(low, 0.0), max(high, 0.0)) if zero else (low, high)
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / 6
    power = 10.0 ** floor(log10(rough))
    step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
    return Axis(floor(low / step) * step, ceil(high / step) * step, left, right, step)


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """A line."""
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def rect(x: float, y: float, width: float, height: float, kind: str, title: str = "") -> str:
    """A rectangle, with a text that shows when it is pointed at."""
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{round(max(width, 0.5), 1)}" height="{height}">'
        f"<title>{clean(title)}</title></rect>"
    )


def dot(x: float, y: float, kind: str, title: str) -> str:
    """A point, with a text that shows when it is pointed at."""
    return f'<circle class="point {kind}" cx="{x}" cy="{y}" r="3.5"><title>{clean(title)}</title></circle>'


def text(x: float, y: float, value: str, kind: str = "", anchor: str = "start") -> str:
    """A line of text."""
    return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{clean(value)}</text>'


def label(x: float, y: float, value: str, width: float, kind: str = "") -> str:
    """A text that ends at x, cut where it is wider than there is room; pointing at it shows all of it."""
    room = int(width / 6.9)
    shown = value if len(value) <= room else value[: room - 1].rstrip() + "…"
    return (
        f'<text class="{kind}" x="{x}" y="{y}" text-anchor="end">{clean(shown)}'
        f"<title>{clean(value)}</title></text>"
    )


def clean(value: str) -> str:
    """Text that XML can hold: escaped, and without the characters that it forbids."""
    return escape(_ILLEGAL.sub("\ufffd", value))


@cache
def stylesheet() -> str:
    """The colours of figures, by day and by night."""
    return (files(__package__) / "figure.css").read_text(encoding="utf-8")


_ROW = 26
_LEGEND = 20
_FEWEST_FOR_A_BOX = 5


@dataclass(frozen=True)
class Values:
    """A row of a box plot: named values; `points` says whether to show each of them."""

    label: str
    values: Mapping[str, float]
    points: bool = True


@dataclass(frozen=True)
class Bar:
    """A bar: `series` is the place of its system in the legend."""

    series: int
    score: Number


@dataclass(frozen=True)
class BarGroup:
    """The bars of one data set, and what others published on it."""

    label: str
    bars: tuple[Bar, ...]
    published: Mapping[str, float]


@dataclass(frozen=True)
class Curve:
    """A line through points: values by place, with the ends of their intervals where these are known."""

    label: str
    points: Mapping[float, float]
    intervals: Mapping[float, tuple[float, float]] = field(default_factory=dict)
    is_baseline: bool = False
    """Whether it is only there to be compared with, and dashed."""


@dataclass(frozen=True)
class Point:
    """A point of a cloud, and what it stands for."""

    label: str
    x: float
    y: float


def box_plot(
    name: str,
    title: str,
    caption: str,
    unit: str,
    rows: Sequence[Values],
    *,
    legend: Sequence[str] = (),
    room: int = 170,
) -> Drawing:
    """Quartiles, whiskers to the last value within 1.5 times their distance, and the values themselves.

    A row of fewer than five values shows the values alone: a box would claim more than they say. Values that
    the legend names have its colours, others are grey; `room` is the width of the labels.
    """
    scale = axis([value for row in rows for value in row.values.values()], room, WIDTH - 16)
    top = 10 + _LEGEND * len(legend)
    bottom = top + _ROW * len(rows)
    marks = [*_legend(legend, room), *scale.draw(top - 4, bottom, unit)]
    colours = {who: f"c{place % COLOURS}" for place, who in enumerate(legend)}
    descriptions = []
    for place, row in enumerate(rows):
        middle = top + _ROW * place + _ROW / 2
        marks.append(label(room - 10, middle + 4, row.label, room - 16))
        values = np.array(list(row.values.values()), dtype=np.float64)
        if not len(values):
            descriptions.append(f"{row.label}: no values")
            continue
        q1, median, q3 = (float(each) for each in np.percentile(values, (25, 50, 75)))
        descriptions.append(
            f"{row.label}: median {median:.1f}, {values.min():.1f} to {values.max():.1f} (n {len(values)})"
        )
        if len(values) >= _FEWEST_FOR_A_BOX:
            inner = values[(values >= q1 - 1.5 * (q3 - q1)) & (values <= q3 + 1.5 * (q3 - q1))]
            places = [scale.x(float(each)) for each in (inner.min(), q1, median, q3, inner.max())]
            marks += _box(places, middle, descriptions[-1])
        if row.points:
            marks += [
                dot(
                    scale.x(value),
                    middle,
                    colours.get(who, "others" if legend else "c1"),
                    f"{who}: {value:.1f}",
                )
                for who, value in row.values.items()
            ]
    return Drawing(name, title, caption, "; ".join(descriptions), bottom + 42, tuple(marks))


def bar_chart(
    name: str,
    title: str,
    caption: str,
    unit: str,
    series: Sequence[str],
    groups: Sequence[BarGroup],
    *,
    room: int = 70,
    digits: int = 1,
) -> Drawing:
    """A bar for each system in each group, its interval as a line, published scores as points below.

    `room` is the width of the labels.
    """
    numbers = [bar.score for group in groups for bar in group.bars]
    ends = [end for each in numbers for end in (each.value, each.low, each.high) if end is not None]
    ends += [value for group in groups for value in group.published.values()]
    left = room
    scale = axis(ends, left, WIDTH - 60, zero=True)
    top = 14 + _LEGEND * len(series)
    heights = [18 * len(group.bars) + (18 if group.published else 0) + 14 for group in groups]
    bottom = top + sum(heights)
    marks = [*_legend(series, left), *scale.draw(top, bottom, unit)]
    descriptions = []
    y = float(top)
    for group, height in zip(groups, heights, strict=True):
        marks.append(label(left - 10, y + (height - 14) / 2 + 10, group.label, left - 12, "strong"))
        for place, bar in enumerate(group.bars):
            what = f"{series[bar.series]}, {group.label}: {_spoken(bar.score, digits)}"
            descriptions.append(what)
            marks += _bar(scale.x(0), scale.x(bar.score.value), y + 7 + 18 * place, bar, what, digits)
            if bar.score.low is not None and bar.score.high is not None:
                marks += _interval(scale.x(bar.score.low), scale.x(bar.score.high), y + 14 + 18 * place)
        if group.published:
            line_y = y + 16 + 18 * len(group.bars)
            marks += [
                dot(scale.x(v), line_y, "others", f"{who}: {v:.1f}") for who, v in group.published.items()
            ]
            best = max(group.published, key=lambda who: group.published[who])
            marks.append(text(scale.x(group.published[best]) + 8, line_y + 4, best, "quiet"))
        y += height
    return Drawing(name, title, caption, "; ".join(descriptions), bottom + 42, tuple(marks))


def line_chart(
    name: str, title: str, caption: str, units: tuple[str, str], curves: Sequence[Curve]
) -> Drawing:
    """A line for each curve; `units` name what goes to the right and what goes up."""
    ends = [end for curve in curves for both in curve.intervals.values() for end in both]
    plane = _plane(
        [curve.label for curve in curves],
        units,
        [place for curve in curves for place in curve.points],
        [*ends, *(value for curve in curves for value in curve.points.values())],
    )
    marks = list(plane.marks)
    descriptions = []
    for number, curve in enumerate(curves):
        colour = f"c{number % COLOURS}"
        places = [plane.at(place, value) for place, value in curve.points.items()]
        kind = f"curve {colour} baseline" if curve.is_baseline else f"curve {colour}"
        marks += [line(*one, *other, kind) for one, other in pairwise(places)]
        for place, (low, high) in curve.intervals.items():
            marks.append(line(*plane.at(place, low), *plane.at(place, high), f"spread {colour}"))
        marks += [
            dot(x, y, colour, f"{curve.label}, {units[0]} {place:g}: {value:.2f}")
            for (x, y), (place, value) in zip(places, curve.points.items(), strict=True)
        ]
        values = ", ".join(f"{value:.2f}" for value in curve.points.values())
        descriptions.append(f"{curve.label}: {values}")
    return Drawing(name, title, caption, "; ".join(descriptions), plane.bottom + 42, tuple(marks))


def scatter(
    name: str, title: str, caption: str, units: tuple[str, str], clouds: Mapping[str, Sequence[Point]]
) -> Drawing:
    """A cloud of named points for each label; `units` name what goes to the right and what goes up."""
    points = [point for cloud in clouds.values() for point in cloud]
    plane = _plane(list(clouds), units, [point.x for point in points], [point.y for point in points])
    marks = list(plane.marks)
    for number, (legend, cloud) in enumerate(clouds.items()):
        for point in cloud:
            what = f"{point.label} ({legend}): {point.x:g}, {point.y:g}"
            marks.append(dot(*plane.at(point.x, point.y), f"c{number % COLOURS}", what))
    descriptions = "; ".join(f"{legend}: {len(cloud)} points" for legend, cloud in clouds.items())
    return Drawing(name, title, caption, descriptions, plane.bottom + 42, tuple(marks))


def heat_map(name: str, title: str, caption: str, names: Sequence[str], grid: NDArray[np.float64]) -> Drawing:
    """Correlations from -1, orange, to 1, blue; one that is not defined (NaN) stays empty."""
    left, top = 130, 20
    size = min(76.0, (WIDTH - left - 16) / max(len(names), 1))
    marks: list[str] = []
    descriptions = []
    for i, one in enumerate(names):
        marks.append(label(left - 8, top + size * (i + 0.5) + 4, one, left - 10))
        for j, other in enumerate(names):
            value = float(grid[i, j])
            x, y = round(left + size * j, 1), round(top + size * i, 1)
            marks += _square(x, y, round(size - 2, 1), value, f"{one} and {other}")
            if j < i and not np.isnan(value):
                descriptions.append(f"{one} and {other} {value:.2f}")
    bottom = top + size * len(names)
    for j, other in enumerate(names):
        x = round(left + size * (j + 0.5), 1)
        marks.append(
            f'<g transform="translate({x + 4} {bottom + 10}) rotate(-40)">{label(0, 4, other, 120)}</g>'
        )
    return Drawing(
        name, title, caption, "; ".join(descriptions) or "no pair of metrics", int(bottom + 90), tuple(marks)
    )


@dataclass(frozen=True)
class _Plane:
    """Two scales with their lines and the legend, for what goes to the right and up."""

    across: Axis
    up: Axis
    bottom: int
    marks: tuple[str, ...]

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.across.x(x), self.bottom - self.up.x(y)


def _plane(legend: Sequence[str], units: tuple[str, str], places: list[float], values: list[float]) -> _Plane:
    left, height = 70, 220
    top = 20 + _LEGEND * len(legend)
    bottom = top + height
    across, up = axis(places, left, WIDTH - 30), axis(values, 0, height)
    marks = [*_legend(legend, left), *across.draw(top, bottom, units[0])]
    for step in range(round((up.high - up.low) / up.step) + 1):
        value = up.low + step * up.step
        y = bottom - up.x(value)
        marks += [line(left, y, WIDTH - 30, y, "grid"), text(left - 8, y + 4, f"{value:g}", "quiet", "end")]
    marks.append(text(left, top - 6, units[1], "quiet"))
    return _Plane(across, up, bottom, tuple(marks))


def _legend(names: Sequence[str], left: float) -> Iterator[str]:
    for place, name in enumerate(names):
        yield rect(left, 6 + _LEGEND * place, 12, 12, f"c{place % COLOURS}", name)
        yield text(left + 18, 17 + _LEGEND * place, name)


def _box(places: Sequence[float], middle: float, what: str) -> list[str]:
    low, left, median, right, high = places
    return [
        line(low, middle, left, middle, "whisker"),
        line(right, middle, high, middle, "whisker"),
        line(low, middle - 4, low, middle + 4, "whisker"),
        line(high, middle - 4, high, middle + 4, "whisker"),
        rect(left, middle - 8, right - left, 16, "box", what),
        line(median, middle - 8, median, middle + 8, "median"),
    ]


def _bar(zero: float, end: float, y: float, bar: Bar, what: str, digits: int) -> list[str]:
    shape = rect(min(zero, end), y, abs(end - zero), 14, f"c{bar.series % COLOURS}", what)
    return [shape, text(WIDTH - 8, y + 11, f"{bar.score.value:.{digits}f}", "", "end")]


def _interval(low: float, high: float, y: float) -> list[str]:
    """A whisker, over a halo that keeps it apart from the bar."""
    lines = ((low, y, high, y), (low, y - 4, low, y + 4), (high, y - 4, high, y + 4))
    return [line(*each, kind) for kind in ("halo", "whisker") for each in lines]


def _square(x: float, y: float, size: float, value: float, what: str) -> list[str]:
    if np.isnan(value):
        return [rect(x, y, size, size, "empty", f"{what}: not defined")]
    red, green, blue = (42, 101, 176) if value > 0 else (180, 82, 15)
    share = abs(value)
    mixed = [round(255 + (part - 255) * share) for part in (red, green, blue)]
    ink = "#ffffff" if share > 0.9 else "#000000"  # each keeps 4.5 to 1
    middle = round(x + size / 2, 1)
    return [
        f'<g><title>{clean(what)}: {value:.2f}</title><rect x="{x}" y="{y}" width="{size}" height="{size}" '
        f'fill="rgb({mixed[0]} {mixed[1]} {mixed[2]})"/><text x="{middle}" y="{round(y + size / 2 + 4, 1)}" '
        f'text-anchor="middle" style="fill:{ink}">{value:.2f}</text></g>'
    ]


def _spoken(score: Number, digits: int) -> str:
    if score.low is None or score.high is None:
        return f"{score.value:.{digits}f}"
    return f"{score.value:.{digits}f}, 95 % interval {score.low:.{digits}f} to {score.high:.{digits}f}"
