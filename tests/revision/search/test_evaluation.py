"""What a text earns: R_g and R_c, each on 0 to 1, and what the tools say of it in words."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from redraft.constraints import constraints_of
from redraft.quality import Meaning, Quality, Scale
from redraft.revision.records import Reward
from redraft.revision.search.evaluation import Evaluation, Evaluator, Switches, keywords
from redraft.revision.task import Task

TEXT = "Ann Lee met Bob Ray in Oslo. It was cold."
CALLS = ('word_count_check(9, "less than")', 'keyword_keep_removal_check("cold", "remove")')


class Scored:
    """A QualityScorer with a table of perplexities and shares of names; the rest is the same for all."""

    def __init__(self, **table: tuple[float, float]) -> None:
        self._table = table
        self.asked: list[str] = []

    async def score(self, texts: Sequence[str], sources: Sequence[str] | None = None) -> tuple[Quality, ...]:
        assert sources == [TEXT] * len(texts)
        self.asked += texts
        return tuple(self.quality(text) for text in texts)

    def quality(self, text: str) -> Quality:
        perplexity, share = self._table.get(text.split(maxsplit=1)[0], (40.0, 1.0))
        return Quality(perplexity, -2.0, 5.0, (), Meaning(0.9, ("“12” is gone",)), share)


def judge(text: str, scorer: Scored, *calls: str, instruction: str = "", **switches: bool) -> Evaluation:
    task = Task(TEXT, constraints_of(calls), instruction=instruction)
    return asyncio.run(Evaluator(task, scorer, Switches(**switches)).judged(text))


def test_the_quality_is_the_mean_of_the_scaled_scores() -> None:
    scorer = Scored(They=(10.0, 1.0))
    found = judge("They met.", scorer)
    # Eq. 6: 1 - 10/40; Eq. 7: as likely as the original; five errors in 100 words: one half.
    assert found.reward.quality == pytest.approx((0.75 + 1.0 + 0.5) / 3)
    assert found.reward.quality == Scale(scorer.quality(TEXT)).of(scorer.quality("They met.")).mean


def test_the_constraints_are_a_share_and_the_names_are_one_of_them() -> None:
    scorer = Scored(Ann=(40.0, 1.0), They=(40.0, 0.25))
    assert judge(TEXT, scorer, *CALLS).reward.constraints == pytest.approx((0 + 0 + 1) / 3)
    assert judge("They met, and it was cold.", scorer, *CALLS).reward.constraints == pytest.approx(
        (1 + 0 + 0.25) / 3
    )
    assert judge("They met.", scorer).reward == Reward(
        judge("They met.", scorer, preservation=False).reward.quality, 0.25, 0.25
    )


@pytest.mark.parametrize(
    ("switches", "quality", "constraints", "preserved"),
    [
        ({}, 0.5, (1 + 0 + 0.25) / 3, 0.25),
        ({"quality": False}, 0.0, (1 + 0 + 0.25) / 3, 0.25),
        ({"constraints": False}, 0.5, 0.0, 0.25),
        ({"preservation": False}, 0.5, 0.5, None),
    ],
)
def test_each_part_can_be_turned_off(
    switches: dict[str, Any], quality: float, constraints: float, preserved: float | None
) -> None:
    found = judge("They met, and it was cold.", Scored(They=(40.0, 0.25)), *CALLS, **switches).reward
    assert (found.quality, found.constraints) == (pytest.approx(quality), pytest.approx(constraints))
    assert found.preserved == preserved
    assert found.total == pytest.approx(quality + constraints)


def test_what_is_off_has_its_name() -> None:
    assert Switches().off == []
    assert Switches(plan=False, preservation=False).off == ["plan", "preservation"]


def test_no_constraint_is_all_of_them_met() -> None:
    assert judge("They met.", Scored(), preservation=False).reward.constraints == 1.0


def test_a_goal_counts_where_the_instruction_has_one() -> None:
    scorer = Scored(They=(40.0, 1.0))
    plain = judge("They met. It was cold.", scorer, preservation=False).reward.quality
    goal = judge("They met. It was cold.", scorer, instruction="Simplify this text.", preservation=False)
    assert goal.reward.quality == pytest.approx((plain + 0.5) / 2)


def test_a_text_is_scored_once() -> None:
    scorer = Scored()
    evaluator = Evaluator(Task(TEXT), scorer, Switches())

    async def run() -> None:
        for text in (TEXT, "They met.", TEXT, "They met."):
            await evaluator.judged(text)
            await evaluator.feedback(text)

    asyncio.run(run())
    assert scorer.asked == [TEXT, "They met."]


def test_the_feedback_has_a_label_and_words() -> None:
    task = Task(TEXT, constraints_of(CALLS))
    said = asyncio.run(Evaluator(task, Scored(), Switches()).feedback("They met in Oslo, where it was cold."))
    by_tool = {one.tool: one for one in said}
    assert (by_tool[CALLS[0]].label, by_tool[CALLS[1]].label) == (0, 1)
    assert by_tool[CALLS[1]].words == '"cold" occurs 1 time'
    assert by_tool["text_eval()"].label is None
    assert "perplexity 40.0; 5.0 errors per 100 words; meaning 0.90 of 1" in by_tool["text_eval()"].words
    assert "Oslo" in by_tool["detect_keyword()"].words


def test_the_keywords_of_latex_are_its_commands() -> None:
    text = "We use \\emph{rules} \\cite{lee2020} and $x^2$."
    task = Task(text, format="latex")
    assert any("lee2020" in piece for piece in keywords(task, text))
    assert keywords(Task(TEXT), TEXT) == ["Ann Lee", "Bob Ray", "Oslo"]

    class Latex(Scored):
        async def score(
            self, texts: Sequence[str], sources: Sequence[str] | None = None
        ) -> tuple[Quality, ...]:
            return tuple(self.quality(text) for text in texts)

    found = asyncio.run(Evaluator(task, Latex(), Switches()).judged("We use \\emph{rules} and $x^2$."))
    assert found.reward.preserved is not None
    assert 0 < found.reward.preserved < 1
