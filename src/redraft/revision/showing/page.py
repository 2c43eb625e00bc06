"""An HTML page that shows a search: its tree, and all that is known of each node; it opens offline.

Every text on it is escaped and part of the page itself; the script only moves what is there. The page's
content policy allows that script and that style sheet, by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from redraft import __version__
from redraft.models import Usage
from redraft.text import diff_words

if TYPE_CHECKING:
    from redraft.revision.showing.trace import TracedNode, TracedQuality, Trajectory

_ILLEGAL: Final = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SCORES: Final = (
    ("perplexity", 1, "lower is more fluent"),
    ("grammar", 1, "errors per 100 words that Harper finds"),
    ("some", 2, "SOME's judgement; 1 is best"),
    ("likelihood", 2, "per token, given the original"),
    ("meaning", 2, "likeness to the original"),
    ("entities", 2, "share of the original's names, dates and numbers"),
)
_SHADES: Final = 7
_STEP, _ROW, _MARGIN, _RADIUS = 118, 44, 24, 13
"""The drawing in pixels: from parent to child, from row to row, around the tree, and of each circle."""


def search_page(trajectory: Trajectory) -> str:
    """The page as HTML."""
    nodes, result, depths = trajectory.nodes, trajectory.result, trajectory.depths
    children = _children(trajectory)
    rows = _rows(children)
    in_order = list(_in_order(children))
    places = {name: (_MARGIN + depths[name] * _STEP, _MARGIN + row * _ROW) for name, row in rows.items()}
    page = _TEMPLATES.get_template("page.html").render(
        title=_title(trajectory),
        style=Markup(_asset("page.css")),
        script=Markup(_asset("page.js")),
        version=__version__,
        task=trajectory.task,
        result=result,
        text=trajectory.text,
        facts=_facts(trajectory),
        best=trajectory.best,
        best_path={node.id for node in trajectory.best_path},
        visits={} if result is None else result.visits,
        nodes_by_id={node.id: node for node in nodes},
        # Each node is folded away inside its parent: so many are closed before it.
        in_order=[
            (node, 0 if before is None else depths[before.id] + 1 - depths[node.id])
            for before, node in zip([None, *in_order], in_order, strict=False)
        ],
        still_open=depths[in_order[-1].id] + 1 if in_order else 0,
        places=places,
        circles=[(node, *places[node.id], _shade(node, trajectory)) for node in nodes],
        deepest=max(depths.values(), default=0),
        width=2 * _MARGIN + max(depths.values(), default=0) * _STEP + 90,
        height=f"{2 * _MARGIN + max(rows.values(), default=0) * _ROW:g}",
    )
    return _ILLEGAL.sub("\ufffd", page)


def _title(trajectory: Trajectory) -> str:
    asked = " ".join(trajectory.task.instruction.split()) or "Improve the text"
    return asked if len(asked) <= 90 else asked[:89].rstrip() + "…"


def _facts(trajectory: Trajectory) -> dict[str, str]:
    """What was asked, and how it ended."""
    task, result = trajectory.task, trajectory.result
    return {
        "Instruction": task.instruction,
        "Strategy": f"{task.strategy}, {task.effort} effort, seed {task.seed}",
        "Planner": task.planner,
        "Reviser": task.reviser,
        "Counting": task.counting,
        "Format": task.format,
        "Switched off": ", ".join(task.switches),
        "Begun": task.started,
        "Stopped": "" if result is None else result.stopped,
        "Took": "" if result is None else describe_usage(result.usage),
    }


def describe_usage(usage: Usage) -> str:
    """What something took, in words; nothing where it took nothing."""
    if not usage.calls and not usage.cached and not usage.seconds:
        return ""
    cost = f", cost {usage.cost:.4f}" if usage.cost else ""
    cached = f", {usage.cached} answers from the cache" if usage.cached else ""
    return f"{usage.calls} calls, {usage.tokens:,} tokens, {usage.seconds:.1f} s{cost}{cached}"


def number(value: float | None, digits: int = 2) -> str:
    """A number, or a dash where there is none."""
    return "–" if value is None else f"{value:,.{digits}f}"


def marked_words(before: str, after: str) -> Iterator[tuple[str, str]]:
    """What changed, word by word, each piece with its element: "del", "ins", or none where it stays.

    Texts of as many lines are compared line by line, which is faster.
    """
    pairs = [(before, after)]
    if before.count("\n") == after.count("\n"):
        pairs = list(zip(before.split("\n"), after.split("\n"), strict=True))
    for line, (old, new) in enumerate(pairs):
        if line:
            yield "", "\n"
        for edit in diff_words(old, new) if old != new else ():
            pieces = (
                [("", edit.before)] if edit.op == "equal" else [("del", edit.before), ("ins", edit.after)]
            )
            yield from (piece for piece in pieces if piece[1])
        if old == new:
            yield "", old


def score_rows(before: TracedQuality | None, after: TracedQuality | None) -> list[tuple[str, str, str, str]]:
    """The scores that one of two texts has: name, before, after, and what it means."""
    return [
        (name, number(old, digits), number(new, digits), meaning)
        for name, digits, meaning in _SCORES
        for old, new in [(_score(before, name), _score(after, name))]
        if old is not None or new is not None
    ]


def _score(quality: TracedQuality | None, name: str) -> float | None:
    value = getattr(quality, name, None)
    score: float | None = getattr(value, "similarity", value)
    return score


def _children(trajectory: Trajectory) -> dict[int | None, list[TracedNode]]:
    children: dict[int | None, list[TracedNode]] = {}
    for node in trajectory.nodes:
        children.setdefault(node.parent, []).append(node)
    return children


def _in_order(children: dict[int | None, list[TracedNode]]) -> Iterator[TracedNode]:
    """Parents before their children, siblings in the order that they were tried."""
    stack = list(reversed(children.get(None, [])))
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(children.get(node.id, []))


def _rows(children: dict[int | None, list[TracedNode]]) -> dict[int, float]:
    """The row of each node in the drawing: a leaf has one of its own, a parent is amid its children."""
    rows: dict[int, float] = {}
    leaves = sum(not children.get(node.id) for node in _in_order(children))
    for node in reversed(list(_in_order(children))):
        below = children.get(node.id)
        leaves -= not below
        rows[node.id] = (rows[below[0].id] + rows[below[-1].id]) / 2 if below else leaves
    return rows


def _shade(node: TracedNode, trajectory: Trajectory) -> int:
    """Which shade: from the lowest reward of this search to its highest."""
    rewards = [one.reward.total for one in trajectory.nodes]
    low, high = min(rewards), max(rewards)
    if high - low < 1e-9:
        return _SHADES - 1
    return min(int((node.reward.total - low) / (high - low) * _SHADES), _SHADES - 1)


def _asset(name: str) -> str:
    return (files(__package__) / "data" / name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


# Whatever models and users wrote is escaped; our own script and styles alone are marked as safe.
_TEMPLATES: Final = Environment(
    autoescape=True,
    loader=FunctionLoader(_asset),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.globals.update(
    count_met=lambda node: sum(finding.met for finding in node.findings),
    describe_usage=describe_usage,
    digest=_digest,
    marked_words=marked_words,
    number=number,
    radius=_RADIUS,
    score_rows=score_rows,
    short="{:g}".format,
    step=_STEP,
)
