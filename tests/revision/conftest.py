"""No weights of a judge in these tests: what it says is by rule, or as the test says."""

from __future__ import annotations

import pytest

from redraft.quality import RuleJudge
from redraft.revision import revising


@pytest.fixture(autouse=True)
def judge_by_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revising, "open_judge", lambda models: RuleJudge(models.scorer()))
