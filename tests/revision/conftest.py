"""No weights of a judge in these tests: what it says is by rule, or as the test says."""

from __future__ import annotations

import pytest

from redraft.revision import running
from tests.rule_judge import RuleJudge


@pytest.fixture(autouse=True)
def judge_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "open_judge", lambda models: RuleJudge(models.scorer()))
