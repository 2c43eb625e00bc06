"""What an action is worth: the reviser that follows it to the letter, and the three parts of its score."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from redraft.models import LogProbs
from redraft.models.scoring import TorchScorer
from redraft.revision.asking.answers import PlanAnswer
from redraft.text import Document
from redraft.train.planning.progress import Phases, Workers
from redraft.train.planning.scoring import ActionScore, ActionScorer, PlainReviser, apply_literally, share_met
from redraft.train.planning.trajectory import PlannerState, PlannerTrajectory
from tests.models.tiny_llama import write_model
from tests.quality.fakes import FakeScorer
from tests.revision.asking_parts import Answering, asked

PHASES = Phases(None, lambda _: None)
TEXT = "He have went home. It rains."
CALLS = ('word_count_check(6, "less than")', 'keyword_keep_removal_check("home", "keep")')


def state(text: str = TEXT, calls: tuple[str, ...] = CALLS) -> PlannerState:
    return PlannerState.of(PlannerTrajectory("a", len(calls), "Be brief.", calls, text, ()))


def plan(
    advice: dict[int, str], calls: tuple[str, ...] = ("text_eval()", *CALLS), problem: str = ""
) -> PlanAnswer:
    return PlanAnswer("", calls, advice, problem=problem)


@pytest.mark.parametrize(
    ("advice", "expected"),
    [
        ("Fix the grammar: “have went” → “has gone”", "He has gone home."),
        ("Remove “home”", "He have went."),
        ("Leave it out", ""),
        ("Split this long sentence: “have went” → “have. Went”", "He have. Went home."),
        ("Fix the grammar: “had gone” → “has gone”", None),
        ("Make it clearer", None),
    ],
)
def test_what_an_advice_says_in_concrete_terms_is_done(advice: str, expected: str | None) -> None:
    assert apply_literally("He have went home.", advice) == expected


def test_the_editor_is_asked_once_for_what_is_not_concrete_by_the_head_of_the_advice() -> None:
    model = Answering(lambda request: "It pours.")
    reviser = PlainReviser(model)
    advice = {2: "Make it clearer: say how much it rains"}
    for _ in range(2):
        found = asyncio.run(reviser.revised([(Document(TEXT), advice), (Document(TEXT), advice)]))
        assert found == [{2: "It pours."}] * 2
    assert [asked(request) for request in model.requests] == ["Make it clearer:\nIt rains."]


def test_a_sentence_is_joined_with_the_one_before_as_that_is_by_then() -> None:
    text = Document("He have went home. And it rains.")
    advice = {1: "Fix the grammar: “have went” → “has gone”", 2: "Join it with sentence 1: “, and”"}
    (found,) = asyncio.run(PlainReviser(Answering(lambda _: "Edited.")).revised([(text, advice)]))
    assert text.replace(found).text == "He has gone home, and it rains."


def scored(*answers: PlanAnswer) -> list[ActionScore]:
    reviser = PlainReviser(Answering(lambda request: "It rains."))
    scorer = ActionScorer(reviser, FakeScorer(), Workers())
    return asyncio.run(scorer.score([(state(), answer) for answer in answers], PHASES, "test"))


def test_the_parts_are_weighted_as_in_the_paper() -> None:
    assert ActionScore(1, 0, 0).total == 0.5
    assert ActionScore(0, 1, 0).total == ActionScore(0, 0, 1).total == 0.25


def test_calls_count_by_f1_and_constraints_by_the_text_that_comes_of_the_plan() -> None:
    cut, kept, wrong = scored(
        plan({2: "Leave it out"}), plan({}), plan({1: "Remove “home”"}, ("text_eval()",))
    )
    assert (cut.tools, cut.constraints) == (1, 1)
    assert (kept.tools, kept.constraints) == (1, 0.5)
    assert (wrong.tools, wrong.constraints) == (0.5, 0.5)


def test_errors_and_likelihood_make_the_quality() -> None:
    better, same = scored(plan({1: "Fix the grammar: “have went” → “has gone”"}), plan({}))
    assert better.quality > same.quality
    assert same.quality < 2 / 3, "by Eq. 6 a text as it was has no fluency, and this one has errors"


def test_an_answer_that_is_no_plan_is_worth_nothing_and_the_others_keep_their_places() -> None:
    first, none, last = scored(plan({}), plan({}, problem="no plan"), plan({2: "Leave it out"}))
    assert none.total == 0
    assert last.total > first.total > 0


def test_a_plan_that_leaves_nothing_of_a_text_has_no_quality() -> None:
    (gone,) = scored(plan({1: "Leave it out", 2: "Leave it out"}))
    assert gone.quality == 0


def test_without_constraints_all_are_met() -> None:
    assert share_met((TEXT, "Anything.", ())) == share_met((TEXT, "Anything.", ("text_eval()",))) == 1


def test_sentences_are_scored_once() -> None:
    scorer = FakeScorer()
    action = ActionScorer(PlainReviser(Answering(lambda _: "")), scorer, Workers())
    answer = (state(), plan({1: "Fix the grammar: “have went” → “has gone”"}))
    asyncio.run(action.score([answer, answer], PHASES, "test"))
    asyncio.run(action.score([answer], PHASES, "test"))
    texts = [text for texts, _ in scorer.calls for text in texts]
    assert sorted(texts) == sorted(
        ["He have went home.", "It rains.", "He has gone home.", "He has gone home."]
    )


def test_many_things_are_done_in_processes_and_come_back_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "multiprocessing.py").write_text("raise SystemExit('a stranger wrote this')\n")
    monkeypatch.chdir(tmp_path)
    with Workers(2) as workers:
        assert asyncio.run(workers.map(abs, [-number for number in range(300)])) == list(range(300))


def test_the_scorer_in_torch_scores_each_text_after_its_own_context(tmp_path: Path) -> None:
    scorer = TorchScorer(write_model(tmp_path / "tiny.gguf"))
    texts, contexts = ["he goes", "", "ab ab ab"], ["they go. ", "x", ""]
    together = asyncio.run(scorer.log_probs(texts, contexts))
    assert [len(one.values) for one in together] == [len(one.tokens) for one in together]
    assert together[1] == LogProbs((), ())
    for text, context, one in zip(texts, contexts, together, strict=True):
        (alone,) = asyncio.run(scorer.log_probs([text], [context]))
        assert alone.values == pytest.approx(one.values, abs=1e-4)
    (bare,) = asyncio.run(scorer.log_probs(["he goes"]))
    assert bare.total != pytest.approx(together[0].total, abs=1e-3)
