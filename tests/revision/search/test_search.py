"""The search: UCT, expansion, back-up and its ends, on trees small enough to work out by hand."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Mapping, Sequence

import pytest

from redraft.constraints import Findings, constraints_of
from redraft.models import Usage
from redraft.quality import Quality
from redraft.revision.draft import Draft
from redraft.revision.records import Action, Feedback, Node, Reward
from redraft.revision.search.evaluation import Evaluation
from redraft.revision.search.search import Carried, Search, SearchLimits
from redraft.revision.task import Task

ROOT = "root."
QUALITY = Quality(20.0, None, 0.0, (), None, None)


def draft_of(text: str) -> Draft:
    return Draft.of(Task(text))


class Judge:
    """An evaluator that knows the reward of each text; those that are named do not obey."""

    def __init__(self, rewards: Mapping[str, float], wrong: Sequence[str] = ()) -> None:
        self._rewards = rewards
        self._wrong = wrong
        self.judged_texts: list[str] = []

    async def judged(self, text: str, action: Action | None) -> Evaluation:
        self.judged_texts.append(text)
        bound = 1 if text in self._wrong else 100
        checked = Task(text, constraints_of(f'word_count_check({bound}, "less than")')).check(text)
        total = self._rewards[text]
        return Evaluation(checked, QUALITY, Reward(min(total, 1.0), max(total - 1.0, 0.0)))

    async def feedback(self, text: str, action: Action | None) -> tuple[Feedback, ...]:
        return (Feedback("text_eval()", None, f"said of {text}"),)


class Tree:
    """Steps that lead from each text to those that a table says; later ones are done first."""

    def __init__(self, children: Mapping[str, Sequence[str]]) -> None:
        self._children = children
        self.expanded: list[str] = []
        self.asked: list[int] = []
        self.seeds: list[int] = []

    async def plans(self, path: Sequence[Node], draft: Draft, count: int) -> list[Action]:
        assert path[-1].text == draft.text
        assert [node.depth for node in path] == list(range(len(path)))
        self.expanded.append(draft.text)
        self.asked.append(count)
        return [Action(text, (), ()) for text in self._children.get(draft.text, ())][:count]

    async def carry_out(self, draft: Draft, action: Action, *, seed: int) -> Carried[Draft]:
        self.seeds.append(seed)
        order = list(self._children[draft.text]).index(action.thought)
        for _ in range(3 - order):  # the last comes back first
            await asyncio.sleep(0)
        return Carried((draft_of(action.thought),), Usage(1, 10, 5))


def search(
    tree: Tree, judge: Judge, heard: list[Node] | None = None, seed: int = 0, **limits: float
) -> Search[Draft]:
    told = [] if heard is None else heard
    return Search(tree, judge, SearchLimits(**limits), told.append, seed=seed)  # type: ignore[arg-type]


def run(tree: Tree, judge: Judge, **limits: float) -> Search[Draft]:
    found = search(tree, judge, **limits)

    async def go() -> None:
        await found.start(draft_of(ROOT))
        await found.run()

    asyncio.run(go())
    return found


def test_values_are_means_and_visits_are_counted() -> None:
    tree = Tree({ROOT: ["a.", "b."], "a.": ["c."]})
    found = run(tree, Judge({ROOT: 0.4, "a.": 1.2, "b.": 0.6, "c.": 1.5}), iterations=2, children=2)
    root, a, b, c = found.nodes
    # Eqs. 4 and 5: each evaluation is backed up to the root, the node's own among them.
    assert [node.visits for node in (root, a, b, c)] == [4, 2, 1, 1]
    assert root.value == pytest.approx((0.4 + 1.2 + 0.6 + 1.5) / 4)
    assert a.value == pytest.approx((1.2 + 1.5) / 2)
    assert (b.value, c.value) == (pytest.approx(0.6), pytest.approx(1.5))


def test_the_next_node_is_the_one_that_eq_3_says() -> None:
    # After the root's expansion N(root) = 3, so that the bonus of both is alpha * sqrt(ln 3): a leads. After a's,
    # N(root) = 4, N(a) = 2, V(a) = 0.85: a has 0.85 + alpha * 0.8326, b has 0.9 + alpha * 1.1774.
    rewards = {ROOT: 0.1, "a.": 1.0, "b.": 0.9, "c.": 0.7, "d.": 0.2}
    tree = Tree({ROOT: ["a.", "b."], "a.": ["c."], "b.": ["d."], "c.": ["c."]})
    run(tree, Judge(rewards), explore=0.2, iterations=3, children=2, patience=9)
    assert tree.expanded == [ROOT, "a.", "b."]
    assert 0.85 + 0.2 * math.sqrt(math.log(4) / 2) < 0.9 + 0.2 * math.sqrt(math.log(4))


def test_exploring_can_outweigh_value() -> None:
    rewards = {ROOT: 0.1, "a.": 1.0, "b.": 0.9, "c.": 0.98, "d.": 0.2}
    children = {ROOT: ["a.", "b."], "a.": ["c."], "b.": ["d."], "c.": ["c."]}
    greedy, curious = Tree(children), Tree(children)
    run(greedy, Judge(rewards), explore=0.0, iterations=3, children=2, patience=9)
    run(curious, Judge(rewards), explore=0.4, iterations=3, children=2, patience=9)
    # V(a) = 0.99 leads by 0.09; the bonus of b is larger by alpha * (1.1774 - 0.8326), 0.14 at 0.4.
    assert greedy.expanded == [ROOT, "a.", "c."]
    assert curious.expanded == [ROOT, "a.", "b."]


def test_a_child_that_was_never_visited_is_first() -> None:
    tree = Tree({ROOT: ["a.", "b."], "b.": ["d."]})
    found = search(tree, Judge({ROOT: 0.1, "a.": 1.0, "b.": 0.2, "d.": 0.3}), children=2, iterations=1)

    async def go() -> None:
        root = await found.start(draft_of(ROOT))
        await found.run()
        root.children[1].visits = 0
        await found.run()

    asyncio.run(go())
    assert tree.expanded == [ROOT, "b."]


def test_of_equals_the_first_is_taken() -> None:
    tree = Tree({ROOT: ["a.", "b.", "c."], "a.": ["d."]})
    found = run(tree, Judge({ROOT: 0.5, "a.": 0.9, "b.": 0.9, "c.": 0.9, "d.": 0.9}), iterations=2)
    assert tree.expanded == [ROOT, "a."]
    assert found.best.text == "a."


def test_one_that_obeys_is_better_than_one_that_does_not() -> None:
    tree = Tree({ROOT: ["a.", "b."]})
    judge = Judge({ROOT: 1.9, "a.": 1.8, "b.": 0.3}, wrong=[ROOT, "a."])
    assert run(tree, judge, iterations=1).best.text == "b."


def test_the_iterations_are_a_limit() -> None:
    tree = Tree({ROOT: ["a."], "a.": ["b."], "b.": ["c."]})
    found = run(tree, Judge({ROOT: 0.1, "a.": 0.2, "b.": 0.3, "c.": 0.4}), iterations=2)
    assert (tree.expanded, found.stopped) == ([ROOT, "a."], "the iterations are spent")
    assert found.best.text == "b."


def test_the_depth_is_a_limit() -> None:
    tree = Tree({ROOT: ["a."], "a.": ["b."], "b.": ["c."], "c.": ["d."]})
    found = run(
        tree,
        Judge(dict(zip([ROOT, "a.", "b.", "c.", "d."], [0.1, 0.2, 0.3, 0.4, 0.5], strict=True))),
        depth=2,
    )
    assert [node.depth for node in found.nodes] == [0, 1, 2]
    assert found.stopped == "every branch is at its end"


def test_it_ends_when_nothing_improves() -> None:
    tree = Tree({ROOT: ["a."], "a.": ["b."], "b.": ["c."], "c.": ["d."]})
    judge = Judge({ROOT: 0.5, "a.": 0.5004, "b.": 0.5008, "c.": 0.9, "d.": 0.9})
    found = run(tree, judge, patience=2)
    assert (tree.expanded, found.stopped) == ([ROOT, "a."], "no further change made it better")
    assert run(Tree(tree._children), judge, patience=3).best.text == "c."


def test_to_obey_is_a_gain_even_if_the_reward_is_not() -> None:
    tree = Tree({ROOT: ["a."], "a.": ["b."], "b.": ["c."]})
    judge = Judge({ROOT: 0.9, "a.": 0.5, "b.": 0.4, "c.": 0.3}, wrong=[ROOT])
    run(tree, judge, patience=1)
    assert tree.expanded == [ROOT, "a."]


def test_a_text_that_is_known_is_no_new_node() -> None:
    tree = Tree({ROOT: ["a.", "b.", ROOT], "a.": ["b.", ROOT], "b.": []})
    judge = Judge({ROOT: 0.1, "a.": 0.9, "b.": 0.2})
    found = run(tree, judge, patience=9)
    assert [node.text for node in found.nodes] == [ROOT, "a.", "b."]
    assert judge.judged_texts == [ROOT, "a.", "b."]
    assert (tree.expanded, found.stopped) == ([ROOT, "a.", "b."], "every branch is at its end")


def test_a_child_made_elsewhere_counts_once() -> None:
    heard: list[Node] = []
    found = search(Tree({}), Judge({ROOT: 0.1, "a.": 0.9}), heard)

    async def go() -> None:
        root = await found.start(draft_of(ROOT))
        await found.add(root, Action("made", (), ()), draft_of("a."))
        await found.add(root, Action("again", (), ()), draft_of("a."))
        await found.add(root, Action("the root", (), ()), draft_of(ROOT))

    asyncio.run(go())
    assert [(node.id, node.text) for node in heard] == [(0, ROOT), (1, "a.")]
    assert found.best.text == "a."
    assert found.nodes[0].visits == 2


def test_nodes_come_in_the_order_of_the_plans_whoever_is_done_first() -> None:
    children = {ROOT: ["a.", "b.", "c."], "c.": ["d.", "e."]}
    rewards = {ROOT: 0.1, "a.": 0.2, "b.": 0.3, "c.": 0.9, "d.": 0.4, "e.": 0.5}
    first, second = run(Tree(children), Judge(rewards)), run(Tree(children), Judge(rewards))
    assert [node.text for node in first.nodes] == [ROOT, "a.", "b.", "c.", "d.", "e."]
    assert [node.to_dict() for node in first.nodes] == [node.to_dict() for node in second.nodes]


def test_siblings_differ_in_their_seed_and_runs_do_not() -> None:
    children = {ROOT: ["a.", "b.", "c."], "c.": ["d."]}
    rewards = {ROOT: 0.1, "a.": 0.2, "b.": 0.3, "c.": 0.9, "d.": 0.4}
    trees = [Tree(children) for _ in range(2)]
    for tree in trees:
        run(tree, Judge(rewards))
    assert trees[0].seeds == trees[1].seeds
    assert len(set(trees[0].seeds)) == len(trees[0].seeds) == 4
    assert trees[0].asked[0] == 3


def test_a_node_keeps_its_plan_its_feedback_and_what_it_took() -> None:
    found = run(Tree({ROOT: ["a."]}), Judge({ROOT: 0.1, "a.": 0.9}), iterations=1)
    node = found.nodes[1]
    assert node.action is not None
    assert (node.action.thought, node.usage.calls, node.feedback[0].words) == ("a.", 1, "said of a.")
    assert node.findings == Findings(node.findings.findings, "default")


def test_what_is_finished_is_kept_when_a_sibling_fails() -> None:
    class Failing(Tree):
        async def carry_out(self, draft: Draft, action: Action, *, seed: int) -> Carried[Draft]:
            if action.thought == "c.":
                raise RuntimeError("no")
            return await super().carry_out(draft, action, seed=seed)

    found = search(Failing({ROOT: ["a."], "a.": ["c.", "b."]}), Judge({ROOT: 0.1, "a.": 0.2, "b.": 0.9}))

    async def go() -> None:
        await found.start(draft_of(ROOT))
        await found.run()

    with pytest.raises(RuntimeError):
        asyncio.run(go())
    assert found.best.text == "b."
