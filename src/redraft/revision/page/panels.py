"""The parts of the page that are read: how it ended, and each node in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from redraft.revision.page.pieces import (
    bullets,
    findings_list,
    number,
    scores_table,
    shown,
    titled,
    word_diff,
)

if TYPE_CHECKING:
    from redraft.models import Usage
    from redraft.revision.base import Change
    from redraft.revision.trajectory import TracedNode, Trajectory


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
