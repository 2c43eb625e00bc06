"""The arms of the policies: the plan that ships can be read, and the report says what the scores say."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from benchmarks.policies import Arm, by_policy
from benchmarks.policy_report import above, drawn, table

PLAN = Path(__file__).parents[1] / "benchmarks" / "arms.toml"


def row(sari: float, limit: int | None = None, curve: str | None = None) -> dict[str, Any]:
    interval = (sari - 1, sari + 1)
    return {"sari": sari, "interval": interval, "saris": [sari], "limit": limit, "curve": curve, "split": 3.0}


def test_every_arm_of_the_plan_is_read_for_every_policy() -> None:
    plan = tomllib.loads(PLAN.read_text(encoding="utf-8"))
    told = by_policy(plan["arm"], plan["policies"])
    arms = [Arm.of(said, Path("data"), 0, plan["options"]) for said in told]
    assert len({arm.folder for arm in arms}) == len(arms) == 2 * len(plan["arm"])
    assert all(arm.name.startswith(f"{arm.policy}-") for arm in arms)
    assert not any("{" in str(path) for arm in arms for path in arm.data)
    named = {said["name"] for said in told}
    assert {
        each["name"] for each in by_policy([{"name": n} for n in plan["against"]], plan["policies"])
    } < named


def test_an_arm_that_names_no_policy_stays_as_it_is() -> None:
    assert by_policy([{"name": "sft", "limit": 5}], ["lexical"]) == [{"name": "sft", "limit": 5}]


def test_the_table_has_the_best_first_and_marks_what_is_beyond_the_interval() -> None:
    arms = {"lexical-vanilla": row(35.0), "lexical-sft": row(36.5, 1970)}
    compared = {"lexical-sft - lexical-vanilla": {"difference": 1.5, "interval": (0.4, 2.6)}}
    lines = table(arms, compared).splitlines()
    assert "above lexical-vanilla" in lines[0]
    assert lines[2].startswith("| lexical-sft | 1,970 | 36.5 [35.5, 37.5] |")
    assert lines[2].endswith("| **+1.5** [0.4, 2.6] |")
    assert len({line.count("|") for line in lines}) == 1
    assert above({"difference": 0.5, "interval": (-0.4, 1.4)}) == "+0.5 [-0.4, 1.4]"


def test_the_curve_has_what_is_no_matter_of_size() -> None:
    points = {f"lexical-sft-{size}": row(33.0 + size / 500, size, "SFT") for size in (250, 500)}
    chart = drawn("turk", "lexical", {"lexical-vanilla": row(35.0), "lexical-dpo": row(34.0), **points})
    assert "vanilla" in chart
    assert "dpo" not in chart
