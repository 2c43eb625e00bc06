"""Tool-guided Monte Carlo tree search over revisions: select, expand, evaluate, back up."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from redraft.models import Usage
from redraft.revision.records import Action, Change, Feedback, Node
from redraft.revision.search.evaluation import Evaluation


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
    as_published: bool = False
    """Whether all goes by value, as in the paper: the root, to which no plan led, has none of its own; every
    revision is a node, also one whose text is known; the values alone decide which is the best."""
    enough: float = math.inf
    """A value above which the search ends."""


class Written(Protocol):
    """A text as the steps of a search have it."""

    @property
    def text(self) -> str:
        """The whole text."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """The passages that are no longer as the writer had them."""


W = TypeVar("W", bound=Written)


@dataclass(frozen=True, slots=True)
class Carried(Generic[W]):
    """What a plan leads to, and what it took: drafts in the order in which each was made from the one before.

    The last is the finished one; those before it are not worked on further.
    """

    drafts: tuple[W, ...]
    usage: Usage


class Steps(Protocol[W]):
    """What an expansion takes: plans for a node, and what becomes of its text by one of them."""

    async def plans(self, path: Sequence[Node], draft: W, count: int) -> list[Action]:
        """Several plans for the last node of a path."""

    async def carry_out(self, draft: W, action: Action, *, seed: int) -> Carried[W]:
        """The draft that a plan leads to, and what it took."""


class Tools(Protocol):
    """What looks at a text that a plan led to; the original has none."""

    async def judged(self, text: str, action: Action | None) -> Evaluation:
        """The findings, the quality and the reward."""

    async def feedback(self, text: str, action: Action | None) -> tuple[Feedback, ...]:
        """What to tell the planner of it."""


Rank = tuple[float, ...]


class Search(Generic[W]):
    """A search from one draft; `reached` is told of every node, the root first.

    It can be stopped at any time: `best` is the best node so far.
    """

    def __init__(
        self,
        steps: Steps[W],
        tools: Tools,
        limits: SearchLimits,
        reached: Callable[[Node], None],
        *,
        seed: int = 0,
        rank: Callable[[Node], Rank] | None = None,
    ) -> None:
        self._rank = rank or default_rank
        self._steps = steps
        self._tools = tools
        self._limits = limits
        self._reached = reached
        self._seed = seed
        self._drafts: dict[int, W] = {}
        self._texts: set[str] = set()
        self._closed: set[int] = set()
        self._expanded: set[int] = set()
        self._kept: Node | None = None
        self.nodes: list[Node] = []
        self.calls: tuple[str, ...] = ()
        """The tools that the first plan chose."""
        self.stopped = "nothing to search"

    @property
    def best(self) -> Node:
        """The node of the highest rank, or the one to hold on to.

        As published, a node that is good enough, or else the leaf that the largest values lead to.
        """
        if not self._limits.as_published:
            return self._kept or self._best(self.nodes)
        good = max(self.nodes[1:], key=_value, default=None)
        if good is not None and good.value > self._limits.enough:
            return good
        node = self.nodes[0]
        while node.children:
            node = max(node.children, key=_value)
        return node

    def keep(self, node: Node) -> None:
        """Hold on to a node, whatever its rank."""
        self._kept = node

    def draft(self, node: Node) -> W:
        """The draft of a node."""
        return self._drafts[node.id]

    @property
    def rounds(self) -> list[Node]:
        """The best node within one step, within two, and so on; as published, the steps to the best one."""
        if self._limits.as_published:
            return _path(self.best)[1:]
        deepest = max(node.depth for node in self.nodes)
        return [
            self._best([node for node in self.nodes if node.depth <= depth])
            for depth in range(1, deepest + 1)
        ]

    def _best(self, nodes: Sequence[Node]) -> Node:
        return max(nodes, key=self._rank)

    async def start(self, draft: W) -> Node:
        """The root."""
        return await self._node(None, None, draft, Usage())

    async def add(self, parent: Node, action: Action, draft: W) -> Node:
        """A child that was made elsewhere; the node that has the text already, where there is one."""
        known = next((node for node in self.nodes if node.text == draft.text), None)
        return known or await self._node(parent, action, draft, Usage())

    async def run(self) -> None:
        """Search until nothing improves or the iterations are spent."""
        root, limits = self.nodes[0], self._limits
        idle = 0
        for _ in range(limits.iterations):
            node = self._selected(root)
            if node is None:
                self.stopped = "every branch is at its end"
                return
            before = self._standing()
            await self._expand(node)
            if max((one.value for one in self.nodes[1:]), default=0.0) > limits.enough:
                self.stopped = "a text is good enough"
                return
            after = self._standing()
            is_better = after[1] > before[1] + limits.least or after[0] > before[0]
            idle = 0 if is_better else idle + 1
            if idle >= limits.patience:
                self.stopped = "no further change made it better"
                return
        self.stopped = "the iterations are spent"

    def _standing(self) -> tuple[float, float]:
        """How near to obeying the best text is, and its reward; as published, the largest reward is all."""
        if self._limits.as_published:
            return 0.0, max((one.reward.total for one in self.nodes[1:]), default=-math.inf)
        return -self.best.findings.distance, self.best.reward.total

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
        self.calls = self.calls or next((action.calls for action in actions if action.calls), ())
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
            else:
                await self._add_all(node, action, found)
        if failures:
            raise failures[0]  # once what the others finished is kept
        if not node.children:
            self._closed.add(node.id)

    async def _add_all(self, parent: Node, action: Action, found: Carried[W]) -> None:
        """A node for each draft that is new, one below the other; as published, known ones count too."""
        usage = found.usage
        for place, draft in enumerate(found.drafts):
            if draft.text in self._texts and not self._limits.as_published:
                continue
            parent = await self._node(parent, action, draft, usage)
            usage = Usage()
            if place + 1 < len(found.drafts) and found.drafts[-1].text != draft.text:
                self._expanded.add(parent.id)

    async def _node(self, parent: Node | None, action: Action | None, draft: W, usage: Usage) -> Node:
        judged = await self._tools.judged(draft.text, action)
        feedback = await self._tools.feedback(draft.text, action)
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
        if parent is not None or not self._limits.as_published:
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


def _value(node: Node) -> float:
    return node.value


def default_rank(node: Node) -> Rank:
    """One that obeys before one that does not, then the larger reward; of equals the first."""
    return (-node.findings.distance, round(node.reward.total, 9), -node.id)
