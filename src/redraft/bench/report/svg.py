"""Drawing: the little of SVG that our figures need, readable aloud and in the dark."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from math import ceil, floor, log10

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
