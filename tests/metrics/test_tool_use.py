"""The planner's calls against those that the instruction means."""

from __future__ import annotations

import pytest

from redraft.metrics.adherence import tool_use

WORDS = 'word_count_check(300, "less than")'
KEEP = 'sentence_modification_check([3], "unchange")'


@pytest.mark.parametrize(
    ("planned", "gold", "f1", "exact", "checks"),
    [
        (["text_eval()"], [], 100, 100, 100),
        (["text_eval()", "detect_keyword()", WORDS], [WORDS], 100, 100, 100),
        (["text_eval()", "word_count_check(300,'fewer than')"], [WORDS], 100, 100, 100),
        (["text_eval()", 'sentence_check([3], "unchange")'], [KEEP], 100, 100, 100),
        ([WORDS], [WORDS], 100 * 2 / 3, 0, 100),
        (["text_eval()", WORDS, KEEP], [WORDS], 80, 0, 100 * 2 / 3),
        (["text_eval()", "word_count_check(301, 'less than')"], [WORDS], 50, 0, 0),
        (["text_eval()", "nonsense(1)"], [WORDS], 50, 0, 0),
        ([], [WORDS], 0, 0, 0),
        (["text_eval()", WORDS], [], 100 * 2 / 3, 0, 0),
        (["text_eval()", " nonsense(1) "], ["nonsense(1)"], 100, 100, 100),
    ],
)
def test_f1_and_exact(planned: list[str], gold: list[str], f1: float, exact: float, checks: float) -> None:
    assert tool_use(planned, gold) == pytest.approx({"tool_f1": f1, "tool_exact": exact, "check_f1": checks})


def test_a_system_without_a_planner_has_no_score() -> None:
    assert tool_use(None, [WORDS]) == {}
