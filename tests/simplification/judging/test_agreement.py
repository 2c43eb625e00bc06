from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from redraft.errors import InputError
from redraft.simplification.judging.metric import AgreementJudge, judge_questions
from redraft.simplification.policy_files import load_policy
from redraft.simplification.verdicts import Judged

SOURCE = "The committee convened in order to deliberate upon the proposal."
SHORT = "The committee met to discuss the proposal."
NEAR = "The committee met to talk about the proposal."
ALSO = "The committee gathered to discuss the proposal."
ODD = "Nobody knew anything of the proposal at all."
SPLIT = "The committee met. It discussed the proposal."


def judged(*candidates: str, policy: str = "lexical") -> Judged:
    return asyncio.run(AgreementJudge().judge(SOURCE, candidates, load_policy(policy)))


def test_the_best_is_what_the_others_bear_out_and_the_worst_stands_alone() -> None:
    verdict = judged(ODD, NEAR, SHORT, ALSO).verdicts["lexical"]
    assert (verdict.best, verdict.worst) == (2, 0)


def test_copies_of_the_source_neither_win_nor_speak_for_others() -> None:
    alone = judged(NEAR, SHORT, ALSO).verdicts["overall"].points
    beside = judged(NEAR, SHORT, ALSO, SOURCE, SOURCE).verdicts["overall"]
    assert beside.points is not None
    assert beside.points[:3] == pytest.approx(alone)
    assert beside.best != 3


def test_words_that_are_kept_cost_points_where_they_are_to() -> None:
    policy = load_policy("lexical")
    free, dear = (
        asyncio.run(AgreementJudge(off).judge(SOURCE, (NEAR, SHORT, SOURCE), policy)) for off in (0, 30)
    )
    assert free.judge != dear.judge
    before, after = free.verdicts["lexical"].points, dear.verdicts["lexical"].points
    assert before is not None
    assert after is not None
    assert before[2] - after[2] == pytest.approx(30)
    assert 0 < before[0] - after[0] < 30


class Doubts:
    """A trained judge that believes nothing said of the odd one, and all else."""

    async def yes(self, questions: Sequence[str]) -> tuple[float, ...]:
        return tuple(0.25 if ODD in question else 1.0 for question in questions)


def test_doubt_of_the_trained_judge_costs_points_where_it_is_to() -> None:
    policy = load_policy("rewrite")
    free, dear = (
        asyncio.run(AgreementJudge(doubted=off, answerer=Doubts()).judge(SOURCE, (ODD, SHORT, SPLIT), policy))
        for off in (0, 20)
    )
    assert free.judge != dear.judge
    before, after = free.verdicts["overall"].points, dear.verdicts["overall"].points
    assert before is not None
    assert after is not None
    assert [one - other for one, other in zip(before, after, strict=True)] == pytest.approx([15, 0, 0])


def test_the_trained_judge_is_asked_of_each_sentence_and_of_the_whole() -> None:
    assert len(judge_questions(SOURCE, SPLIT)) == 3
    assert len(judge_questions(SOURCE, SOURCE)) == 1


def test_the_same_words_speak_once() -> None:
    once = judged(ODD, SHORT, NEAR).verdicts["lexical"].points
    often = judged(ODD, SHORT, NEAR, ODD, ODD + " ").verdicts["lexical"].points
    assert often is not None
    assert often[:3] == pytest.approx(once)


def test_what_the_policy_does_not_permit_comes_last() -> None:
    assert judged(SPLIT, SPLIT + " ", SHORT, ODD).verdicts["lexical"].worst == 0
    free = judged(SPLIT, SHORT, ODD, policy="rewrite").verdicts["overall"]
    assert free.worst == 2


def test_one_candidate_is_no_choice_and_none_an_error() -> None:
    assert judged(SHORT, SHORT).verdicts["lexical"].best == 0
    with pytest.raises(InputError):
        judged()
