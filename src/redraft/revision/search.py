"""Tool-guided Monte Carlo tree search over revisions: select, expand, evaluate, back up."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from redraft.models import Usage
from redraft.revision.draft import Draft
from redraft.revision.evaluation import Evaluator
from redraft.revision.records import Action, Node


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """How far the search goes; the defaults are the paper's."""

    explore: float = 0.2
    """α of Eq. 3."""
    children: int = 3
    depth: int = 6
    iterations: int = 30
    patience: int = 2
    """Iterations without gain after which the search ends."""
    least: float = 1e-3
    """A smaller gain is none."""


class Steps(Protocol):
    """What an expansion takes: plans for a node, and what becomes of its text by one of them."""

    async def plans(self, path: Sequence[Node], draft: Draft, count: int) -> list[Action]:
        """Several plans for the last node of a path."""

    async def carry_out(self, draft: Draft, action: Action, *, seed: int) -> tuple[Draft, Usage]:
        """The draft that a plan leads to, and what it took."""


class Search:
    """A search from one draft; `reached` is told of every node, the root first.

    It can be stopped at any time: `best` is the best node so far.
    """

    def __init__(
        self,
        steps: Steps,
        evaluator: Evaluator,
        limits: SearchLimits,
        reached: Callable[[Node], None],
        *,
        seed: int = 0,
    ) -> None:
        self._steps = steps
        self._evaluator = evaluator
        self._limits = limits
        self._reached = reached
        self._seed = seed
        self._drafts: dict[int, Draft] = {}
        self._texts: set[str] = set()
        self._closed: set[int] = set()
        self._expanded: set[int] = set()
        self.nodes: list[Node] = []
        self.calls: tuple[str, ...] = ()
        """The tools that the first plan chose."""
        self.stopped = "nothing to search"

    @property
    def best(self) -> Node:
        """The node with the largest reward, the first of equals; one that obeys before one that does not."""
        return _best(self.nodes)

    @property
    def rounds(self) -> list[Node]:
        """The best node within one step, within two, and so on."""
        deepest = max(node.depth for node in self.nodes)
        return [
            _best([node for node in self.nodes if node.depth <= depth]) for depth in range(1, deepest + 1)
        ]

    async def start(self, draft: Draft) -> Node:
        """The root."""
        return await self._node(None, None, draft, Usage())

    async def add(self, parent: Node, action: Action, draft: Draft) -> None:
        """A child that was made elsewhere."""
        if draft.text not in self._texts:
            await self._node(parent, action, draft, Usage())

    async def run(self) -> None:
        """Search until nothing improves or the iterations are spent."""
        root, limits = self.nodes[0], self._limits
        idle = 0
        for _ in range(limits.iterations):
            node = self._selected(root)
            if node is None:
                self.stopped = "every branch is at its end"
                return
            before = self.best
            await self._expand(node)
            gain = self.best.reward.total - before.reward.total
            obeys = self.best.findings.distance < before.findings.distance
            idle = 0 if gain > limits.least or obeys else idle + 1
            if idle >= limits.patience:
                self.stopped = "neither quality nor adherence improves"
                return
        self.stopped = "the iterations are spent"

    def _selected(self, root: Node) -> Node | None:
        """The leaf that UCT leads to; None where no leaf can be expanded."""
        if root.id in self._closed:
            return None
        node = root
        while node.id in self._expanded:
            open_ones = [child for child in node.children if child.id not in self._closed]
            if not open_ones:
                self._closed.add(node.id)
                return self._selected(root)
            node = max(open_ones, key=self._uct)
        if node.depth >= self._limits.depth:
            self._closed.add(node.id)
            return self._selected(root)
        return node

    def _uct(self, node: Node) -> float:
        """Eq. 3; a child that was never visited comes first."""
        if not node.visits:
            return math.inf
        assert node.parent is not None
        return node.value + self._limits.explore * math.sqrt(math.log(node.parent.visits) / node.visits)

    async def _expand(self, node: Node) -> None:
        self._expanded.add(node.id)
        path = _path(node)
        draft = self._drafts[node.id]
        actions = await self._steps.plans(path, draft, self._limits.children)
        self.calls = self.calls or next((action.calls for action in actions), ())
        seeds = [self._seed + 101 * node.id + 7 * number for number in range(len(actions))]
        carried = await asyncio.gather(
            *(
                self._steps.carry_out(draft, action, seed=seed)
                for action, seed in zip(actions, seeds, strict=True)
            ),
            return_exceptions=True,
        )
        failures: list[BaseException] = []
        for action, found in zip(actions, carried, strict=True):
            if isinstance(found, BaseException):
                failures.append(found)
            elif found[0].text not in self._texts:
                await self._node(node, action, *found)
        if failures:
            raise failures[0]  # once what the others finished is kept
        if not node.children:
            self._closed.add(node.id)

    async def _node(self, parent: Node | None, action: Action | None, draft: Draft, usage: Usage) -> Node:
        judged = await self._evaluator.judged(draft.text)
        feedback = await self._evaluator.feedback(draft.text)
        node = Node(
            len(self.nodes),
            parent,
            action,
            draft.text,
            feedback,
            judged.findings,
            judged.quality,
            judged.reward,
            draft.changes,
            usage,
        )
        self._drafts[node.id] = draft
        self._texts.add(draft.text)
        self.nodes.append(node)
        if parent is not None:
            parent.children.append(node)
        _back_up(node)
        self._reached(node)
        return node


def _path(node: Node) -> list[Node]:
    found = [node]
    while found[-1].parent is not None:
        found.append(found[-1].parent)
    return found[::-1]


def _back_up(node: Node) -> None:
    """Eqs. 4 and 5, for the node itself and all above it."""
    reward = node.reward.total
    above: Node | None = node
    while above is not None:
        above.value = (above.value * above.visits + reward) / (above.visits + 1)
        above.visits += 1
        above = above.parent


def _best(nodes: Sequence[Node]) -> Node:
    return max(nodes, key=lambda node: (-node.findings.distance, round(node.reward.total, 9), -node.id))
