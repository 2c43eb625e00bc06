"""The search tree as a drawing: the root at the left, a row for each leaf, coloured by reward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redraft.revision.page.pieces import number, shown

if TYPE_CHECKING:
    from redraft.revision.trajectory import TracedNode, Trajectory

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
