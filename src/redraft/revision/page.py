"""An HTML page that shows a search: its tree, and all that is known of each node; it opens offline.

Every text on it is escaped and part of the page itself; the script only moves what is there. The page's
content policy allows that script and that style sheet, by their hashes, and nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING

from redraft import __version__
from redraft.models import Usage
from redraft.revision.records import Change
from redraft.text import diff_words

if TYPE_CHECKING:
    from redraft.revision.trace import TracedFinding, TracedNode, TracedQuality, Trajectory

_ILLEGAL = re.compile("[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SCORES = (
    ("perplexity", 1, "lower is more fluent"),
    ("grammar", 1, "errors per 100 words"),
    ("some", 2, "SOME's judgement; 1 is best"),
    ("likelihood", 2, "per token, given the original"),
    ("meaning", 2, "likeness to the original"),
    ("entities", 2, "share of the original's names, dates and numbers"),
)


def search_page(trajectory: Trajectory) -> str:
    """The page as HTML."""
    script, style = _asset("page.js"), _asset("page.css")
    return Template(_asset("page.html")).substitute(
        title=shown(_title(trajectory)),
        policy=f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; "
        "base-uri 'none'; form-action 'none'",
        style=style,
        outcome=outcome(trajectory),
        tree=draw(trajectory),
        nodes=node_list(trajectory),
        version=shown(__version__),
        script=script,
    )


def _title(trajectory: Trajectory) -> str:
    asked = " ".join(trajectory.task.instruction.split()) or "Improve the text"
    return asked if len(asked) <= 90 else asked[:89].rstrip() + "…"


def _hash(content: str) -> str:
    digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
    return f"'sha256-{digest}'"


def _asset(name: str) -> str:
    return (files(__package__) / "data" / name).read_text(encoding="utf-8")


def outcome(trajectory: Trajectory) -> str:
    """What was asked, how it ended, and what changed."""
    task, result = trajectory.task, trajectory.result
    facts = {
        "Instruction": task.instruction,
        "Strategy": f"{task.strategy}, {task.effort} effort, seed {task.seed}",
        "Planner": task.planner,
        "Reviser": task.reviser,
        "Counting": task.counting,
        "Format": task.format,
        "Switched off": ", ".join(task.switches),
        "Begun": task.started,
        "Stopped": "" if result is None else result.stopped,
        "Took": "" if result is None else _took(result.usage),
    }
    rows = "".join(f"<dt>{name}</dt><dd>{shown(value)}</dd>" for name, value in facts.items() if value)
    parts = [f"<dl>{rows}</dl>"]
    if result is None:
        parts.append(
            '<p class="warning">The run ended before it had a result. '
            "What it had finished is below; its best text is that with the highest reward.</p>"
        )
        findings = trajectory.best.findings if trajectory.best is not None else ()
    else:
        findings = result.findings
        parts += [
            f'<div class="warning">No text can meet these together: {shown(one.reason)}'
            f"{bullets(f'<code>{shown(call)}</code>' for call in one.calls)}</div>"
            for one in result.infeasible
        ]
    parts.append(titled("Constraints", findings_list(findings)))
    if result is not None:
        scores = scores_table(result.quality.before, result.quality.after, ("before", "after"))
        parts.append(titled("Scores", scores))
    parts.append(titled("What changed", word_diff(task.text, trajectory.text)))
    if result is not None and result.changes:
        parts.append(_folded(f"Why ({len(result.changes)} changes)", _changes(result.changes)))
    return "".join(parts)


def node_list(trajectory: Trajectory) -> str:
    """Every node in words, each folded away inside its parent."""
    parts: list[str] = []
    open_ = 0
    for node in _in_order(trajectory):
        depth = trajectory.depths[node.id]
        parts.append("</details>" * (open_ - depth))
        parts.append(f"<details><summary>{_summary(node, trajectory)}</summary>{_article(node, trajectory)}")
        open_ = depth + 1
    parts.append("</details>" * open_)
    return "".join(parts)


def _in_order(trajectory: Trajectory) -> Iterator[TracedNode]:
    """Parents before their children, siblings in the order that they were tried."""
    children: dict[int | None, list[TracedNode]] = {}
    for node in trajectory.nodes:
        children.setdefault(node.parent, []).append(node)
    stack = list(reversed(children.get(None, [])))
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(children.get(node.id, []))


def _summary(node: TracedNode, trajectory: Trajectory) -> str:
    met = sum(finding.met for finding in node.findings)
    is_best = trajectory.best is not None and node.id == trajectory.best.id
    return (
        f"Node {node.id}{' (the original)' if node.parent is None else ''}"
        f"{', <strong>the best</strong>' if is_best else ''}: reward {number(node.reward.total)}, "
        f"{met} of {len(node.findings)} constraints met"
    )


def _article(node: TracedNode, trajectory: Trajectory) -> str:
    parent = next((one for one in trajectory.nodes if one.id == node.parent), None)
    parts = [f"<h3>{_summary(node, trajectory)}</h3>", f"<p>{_reward(node, trajectory)}</p>"]
    parts.append(titled("Thought", f'<p class="text">{shown(node.thought)}</p>' if node.thought else ""))
    parts.append(titled("Calls", bullets(f"<code>{shown(call)}</code>" for call in node.calls)))
    parts.append(titled("Plan", _plan(node)))
    parts.append(titled("Constraints", findings_list(node.findings)))
    parts.append(titled("Feedback", _feedback(node)))
    before = None if parent is None else parent.quality
    names = ("" if parent is None else f"node {parent.id}", f"node {node.id}")
    parts.append(titled("Scores", scores_table(before, node.quality, names)))
    parts.append(titled("Changes", _changes(node.changes)))
    if parent is None:
        parts.append(_folded("Its text", f'<div class="text">{shown(node.text)}</div>'))
    else:
        title = "Against the original" if parent.text == trajectory.task.text else f"Against node {parent.id}"
        parts.append(_folded(title, word_diff(parent.text, node.text), is_open=True))
        if parent.text != trajectory.task.text:
            parts.append(_folded("Against the original", word_diff(trajectory.task.text, node.text)))
    took = _took(node.usage)
    parts.append(f'<p class="quiet">Took {took}.</p>' if took else "")
    return f'<article id="node-{node.id}">{"".join(parts)}</article>'


def _reward(node: TracedNode, trajectory: Trajectory) -> str:
    reward = node.reward
    parts = f"quality {number(reward.quality)} + constraints {number(reward.constraints)}"
    told = f"R {number(reward.total)} = {parts}"
    if reward.preserved is not None:
        told += f" (preserved {number(reward.preserved)})"
    visits = None if trajectory.result is None else trajectory.result.visits.get(node.id)
    if visits is not None:
        told += f"; visits {visits[0]}, value {number(visits[1])}"
    return shown(f"{told}; planned by {node.by}" if node.by else told)


def _plan(node: TracedNode) -> str:
    advised = [one for one in node.plan if one.advice]
    stay = len(node.plan) - len(advised)
    items = [
        f"Sentence {one.sentence}: {shown(one.advice)}"
        f'<blockquote class="text quiet">{shown(one.text)}</blockquote>'
        for one in advised
    ]
    if stay:
        items.append(f"{'The others' if advised else 'All'} stay as they are ({stay}).")
    return bullets(items)


def _feedback(node: TracedNode) -> str:
    labels = {0: "met", 1: "not met", None: ""}
    kinds = {0: "met", 1: "unmet", None: "quiet"}
    return bullets(
        f'<span class="{kinds.get(one.label, "quiet")}">{labels.get(one.label, "")}</span> '
        f"<code>{shown(one.tool)}</code> {shown(one.words)}"
        for one in node.feedback
    )


def _changes(changes: Iterable[Change]) -> str:
    return bullets(
        f"{word_diff(change.before, change.after)}"
        f'<p class="quiet">{shown(f"{change.by}: {change.why}" if change.why else change.by)}</p>'
        for change in changes
    )


def _folded(title: str, content: str, *, is_open: bool = False) -> str:
    return f"<details{' open' if is_open else ''}><summary>{shown(title)}</summary>{content}</details>"


def _took(usage: Usage) -> str:
    if not usage.calls and not usage.cached and not usage.seconds:
        return ""
    cost = f", cost {usage.cost:.4f}" if usage.cost else ""
    cached = f", {usage.cached} answers from the cache" if usage.cached else ""
    return f"{usage.calls} calls, {usage.tokens:,} tokens, {usage.seconds:.1f} s{cost}{cached}"


def shown(text: str) -> str:
    """Text that a page can hold: escaped, and without the characters that it may not have."""
    return escape(_ILLEGAL.sub("\ufffd", text))


def number(value: float | None, digits: int = 2) -> str:
    """A number, or a dash where there is none."""
    return "–" if value is None else f"{value:,.{digits}f}"


def word_diff(before: str, after: str) -> str:
    """What changed, word by word; line by line where there are as many, which is faster."""
    pairs = [(before, after)]
    if before.count("\n") == after.count("\n"):
        pairs = list(zip(before.split("\n"), after.split("\n"), strict=True))
    lines = (shown(old) if old == new else _marked(old, new) for old, new in pairs)
    whole = "\n".join(lines)
    return f'<div class="text">{whole}</div>'


def _marked(before: str, after: str) -> str:
    parts: list[str] = []
    for edit in diff_words(before, after):
        if edit.op == "equal":
            parts.append(shown(edit.before))
            continue
        if edit.before:
            parts.append(f"<del>{shown(edit.before)}</del>")
        if edit.after:
            parts.append(f"<ins>{shown(edit.after)}</ins>")
    return "".join(parts)


def bullets(items: Iterable[str]) -> str:
    """A list of pieces that are HTML already; nothing where there are none."""
    lines = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul>{lines}</ul>" if lines else ""


def titled(title: str, content: str) -> str:
    """A piece under a small heading; nothing where it is empty."""
    return f"<h4>{shown(title)}</h4>{content}" if content else ""


def findings_list(findings: Sequence[TracedFinding]) -> str:
    """Each constraint, and whether it is met."""
    return bullets(
        f'<span class="{"met" if one.met else "unmet"}">{"met" if one.met else "not met"}</span> '
        f"<code>{shown(one.call)}</code> {shown(one.message)}"
        for one in findings
    )


def scores_table(before: TracedQuality | None, after: TracedQuality | None, names: tuple[str, str]) -> str:
    """The scores of two texts, side by side."""
    rows = "".join(
        f"<tr><th>{name}</th><td>{number(_score(before, name), digits)}</td>"
        f"<td>{number(_score(after, name), digits)}</td><td>{meaning}</td></tr>"
        for name, digits, meaning in _SCORES
        if _score(before, name) is not None or _score(after, name) is not None
    )
    heads = "".join(f"<th>{shown(name)}</th>" for name in names)
    return f"<table><thead><tr><th></th>{heads}<th></th></tr></thead>{rows}</table>" if rows else ""


def _score(quality: TracedQuality | None, name: str) -> float | None:
    if quality is None:
        return None
    if name == "meaning":
        return None if quality.meaning is None else quality.meaning.similarity
    value: float | None = getattr(quality, name)
    return value


SHADES = 7
_STEP, _ROW, _MARGIN, _RADIUS = 118, 44, 24, 13


def draw(trajectory: Trajectory) -> str:
    """The tree as SVG; each node is a link to its place in the page."""
    if not trajectory.nodes:
        return '<p class="quiet">No text was tried yet.</p>'
    places = _places(trajectory)
    on_path = {node.id for node in trajectory.best_path}
    deepest, rows = max(trajectory.depths.values()), max(row for _, row in places.values())
    width = 2 * _MARGIN + deepest * _STEP + 90
    height = 2 * _MARGIN + rows * _ROW
    marks = [_edge(node, places, on_path) for node in trajectory.nodes if node.parent is not None]
    marks += [_circle(node, trajectory, places, on_path) for node in trajectory.nodes]
    told = f"{len(trajectory.nodes)} texts, at most {deepest} steps from the original"
    return (
        f'<svg id="tree" role="group" aria-label="The search tree: {told}" viewBox="0 0 {width} {height:g}" '
        f'width="{width}" height="{height:g}">\n' + "\n".join(marks) + "\n</svg>"
    )


def _places(trajectory: Trajectory) -> dict[int, tuple[int, float]]:
    """The depth and the row of each node: a leaf has a row of its own, a parent is amid its children."""
    children: dict[int | None, list[int]] = {}
    for node in trajectory.nodes:
        children.setdefault(node.parent, []).append(node.id)
    rows: dict[int, float] = {}
    stack = list(reversed(children[None]))
    leaves = 0
    while stack:
        last = stack[-1]
        below = children.get(last, [])
        if below and below[0] not in rows:
            stack += reversed(below)
            continue
        rows[last] = (rows[below[0]] + rows[below[-1]]) / 2 if below else leaves
        leaves += not below
        stack.pop()
    return {name: (trajectory.depths[name], row) for name, row in rows.items()}


def _at(place: tuple[int, float]) -> tuple[float, float]:
    depth, row = place
    return _MARGIN + depth * _STEP, _MARGIN + row * _ROW


def _edge(node: TracedNode, places: dict[int, tuple[int, float]], on_path: set[int]) -> str:
    assert node.parent is not None
    x1, y1 = _at(places[node.parent])
    x2, y2 = _at(places[node.id])
    middle = x2 - _STEP / 4
    kind = "edge best" if node.id in on_path else "edge"
    return f'<path class="{kind}" d="M{x1:g} {y1:g} C{middle:g} {y1:g} {middle:g} {y2:g} {x2:g} {y2:g}"/>'


def _circle(
    node: TracedNode, trajectory: Trajectory, places: dict[int, tuple[int, float]], on_path: set[int]
) -> str:
    x, y = _at(places[node.id])
    reward = number(node.reward.total)
    met = sum(finding.met for finding in node.findings)
    visits = None if trajectory.result is None else trajectory.result.visits.get(node.id)
    counted = "" if visits is None else f"N {visits[0]} V {visits[1]:.2f}"
    told = f"Node {node.id}: reward {reward}, {met} of {len(node.findings)} constraints met. {counted}"
    kinds = ["node", f"shade{_shade(node, trajectory)}"]
    kinds += ["best"] * (node.id in on_path) + ["open"] * (met < len(node.findings))
    aside = x + _RADIUS + 4
    return (
        f'<a href="#node-{node.id}" data-node="{node.id}" class="{" ".join(kinds)}">'
        f"<title>{shown(told)}</title>"
        f'<circle cx="{x:g}" cy="{y:g}" r="{_RADIUS}"/>'
        f'<text class="name" x="{x:g}" y="{y + 4:g}">{node.id}</text>'
        f'<text x="{aside:g}" y="{y - 4:g}">{reward}</text>'
        f'<text class="quiet" x="{aside:g}" y="{y + 13:g}">{shown(counted)}</text></a>'
    )


def _shade(node: TracedNode, trajectory: Trajectory) -> int:
    """Which shade: from the lowest reward of this search to its highest."""
    rewards = [one.reward.total for one in trajectory.nodes]
    low, high = min(rewards), max(rewards)
    if high - low < 1e-9:
        return SHADES - 1
    return min(int((node.reward.total - low) / (high - low) * SHADES), SHADES - 1)
