from __future__ import annotations

from redraft.bench.constrev.building.records import draw_goal
from redraft.constraints import Constraint
from tests.bench.constrev.built import text


def test_goals_depend_on_the_text_and_the_seed_alone() -> None:
    goals = {name: draw_goal(name, text(name), 1) for name in ("a", "b", "c", "d")}
    assert goals["b"] == draw_goal("b", text("b"), 1)
    assert len({goal.name for goal in goals.values()}) > 1
    assert {draw_goal("a", text("a"), seed).name for seed in range(30)} > {goals["a"].name}
    said = draw_goal("a", text("a"), 1)
    assert all(isinstance(one, Constraint) for one in said.constraints)
