"""Pairs whose best and worst are too near each other, by the points of a judge."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from redraft.bench.preferences.pairs import Choice, Source, build_pairs
from redraft.simplification.verdicts import Candidate, rank_by_points
from tests.bench.preferences.builder import POLICY

TEXTS = ("They began at noon.", "They started off at noon.")


def judged(*points: float) -> tuple[Choice, dict[str, Any]]:
    choice = Choice(
        Source("a", "They commenced at noon."), tuple(Candidate(text, "editor") for text in TEXTS)
    )
    verdict = asdict(rank_by_points("lexical", points, range(2)))
    words = {side: {"replaced": [], "deleted": [], "added": []} for side in ("best", "worst")}
    return choice, {"error": None, "verdicts": {"lexical": verdict}, "words": words}


@pytest.mark.parametrize(("apart", "pairs"), [(0.0, 1), (2.0, 1), (2.5, 0)])
def test_best_and_worst_are_so_far_apart(apart: float, pairs: int) -> None:
    choice, record = judged(52, 50)
    found = build_pairs([choice], {choice.key: record}, POLICY, apart=apart)
    assert len(found.pairs) == pairs
    assert found.left_out == ({} if pairs else {"best and worst are too near each other": 1})
