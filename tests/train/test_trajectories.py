from __future__ import annotations

import asyncio
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from redraft.constraints import check, parse_call
from redraft.errors import InputError
from redraft.revision.asking.answers import read_plan
from redraft.revision.asking.planner import brief_messages
from redraft.revision.records import Feedback
from redraft.text import Document
from redraft.train.planning.generation import (
    SourceText,
    fresh_requests,
    generate_trajectories,
    read_texts,
    teacher_trajectories,
)
from redraft.train.planning.inversion import write_thought
from redraft.train.planning.trajectory import PlannerTrajectory, trajectory_conversations
from tests.train.clean import clean_text
from tests.train.teacher import Teacher

LEVELS = (0, 1, 2, 3)


@pytest.fixture(scope="module")
def texts() -> list[SourceText]:
    return [SourceText(f"t{seed}", clean_text(seed, 30)) for seed in range(12)]


@pytest.fixture(scope="module")
def made(texts: list[SourceText]) -> list[PlannerTrajectory]:
    return list(generate_trajectories(texts, LEVELS, 40, 7))


def test_levels_go_by_turns_and_the_last_text_meets_every_constraint(made: list[PlannerTrajectory]) -> None:
    assert Counter(one.level for one in made) == dict.fromkeys(LEVELS, 10)
    assert len({one.id for one in made}) == 40
    for one in made:
        assert len(one.calls) >= one.level
        assert 1 <= len(one.steps) <= 5
        assert check(one.steps[-1].text, one.calls, original=one.text).met
        assert all(step.calls == ("text_eval()", *one.calls) for step in one.steps)


def test_the_same_seed_makes_the_same(texts: list[SourceText], made: list[PlannerTrajectory]) -> None:
    assert list(generate_trajectories(texts, LEVELS, 6, 7)) == made[:6]
    assert list(generate_trajectories(texts, LEVELS, 6, 8)) != made[:6]


def test_each_step_follows_its_advice_and_leaves_all_else(made: list[PlannerTrajectory]) -> None:
    for one in made:
        for number, step in enumerate(one.steps):
            before = Document(one.before(number))
            assert step.advice.keys() <= {sentence.number for sentence in before.sentences}
            assert (step.text != before.text) is bool(step.advice)
            joined = {n - 1 for n, said in step.advice.items() if said.startswith("Join it with")}
            for sentence in before.sentences:
                if sentence.number not in step.advice.keys() | joined:
                    assert sentence.text in step.text


def test_thoughts_are_short_and_say_what_the_tools_said(made: list[PlannerTrajectory]) -> None:
    later = [(one, n) for one in made for n in range(1, len(one.steps))]
    assert later
    for one in made:
        assert all(len(step.thought.split()) <= 45 for step in one.steps)
    for one, n in later:
        if "Not met yet" in one.steps[n].thought:
            assert any(said.label == 1 for said in one.steps[n - 1].feedback)


def test_a_thought_names_what_is_wanted_and_what_is_not_met() -> None:
    calls = ('word_count_check(3, "less than")', 'sentence_modification_check([1, 3], "unchange")')
    constraints = [parse_call(call) for call in calls]
    assert (
        write_thought(constraints[1:], busy=False)
        == "Wanted: sentence 1, 3 unchanged. Nothing is left to do."
    )
    findings = check("One two three four.", constraints[:1])
    wrong = write_thought(constraints, tuple(findings))
    assert wrong.startswith("Wanted: fewer than 3 words; sentence 1, 3 unchanged. Not met yet: ")
    assert wrong.endswith("Mend what reads badly.")


def test_an_answer_reads_back_as_its_step(made: list[PlannerTrajectory]) -> None:
    for one in made:
        for turns in trajectory_conversations(one):
            answer = turns.messages[-1].content
            found = read_plan(answer, dict(enumerate(["A sentence."] * 99, 1)))
            assert found.problem == ""
            assert found.calls == ("text_eval()", *one.calls)


@dataclass(frozen=True)
class _Root:
    action: None = None
    feedback: tuple[Feedback, ...] = (Feedback("text_eval()", None, "perplexity 30"),)


def test_a_planner_in_use_is_asked_as_it_was_trained(made: list[PlannerTrajectory]) -> None:
    one = next(one for one in made if len(one.steps) > 1)
    document = Document(one.before(1))
    asked = brief_messages(one.instruction, document, range(1, 3), [_Root(), one.steps[0]])
    assert asked == brief_messages(one.instruction, document, range(1, 3), one.steps[:1])
    assert "perplexity" not in asked[-1].content
    assert one.steps[0].thought in asked[-1].content


def test_fresh_requests_have_no_steps(texts: list[SourceText], made: list[PlannerTrajectory]) -> None:
    found = list(fresh_requests(texts, LEVELS, 6, 7))
    assert [one.text for one in found] == [one.text for one in made[:6]]
    assert not any(one.steps for one in found)
    assert next(fresh_requests([one.text for one in texts], LEVELS, 6, 7)).text == found[0].text


def test_texts_that_are_too_short_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="only 0 of 2 trajectories"):
        list(generate_trajectories(["A short one."], LEVELS, 2, 0))
    file = tmp_path / "texts.jsonl"
    file.write_text('{"id": "a", "text": "One."}\n{"text": 3}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 2: needs a field `text`"):
        list(read_texts([file]))


def _gathered(
    requests: list[PlannerTrajectory], model: Teacher, discarded: Counter[str]
) -> list[PlannerTrajectory]:
    async def gather() -> list[PlannerTrajectory]:
        return [one async for one in teacher_trajectories(requests, requests[0], model, discarded)]

    return asyncio.run(gather())


def test_a_model_s_steps_are_kept_where_its_tools_are_right(texts: list[SourceText]) -> None:
    known = [one for one in generate_trajectories(texts, (0, 1), 12, 3) if len(one.steps) == 1]
    discarded: Counter[str] = Counter()
    model = Teacher(known)
    found = _gathered(known, model, discarded)
    assert found
    assert len(found) + discarded.total() == len(known)
    assert {one.id for one in found} <= {one.id for one in known}
    assert all(one.steps[0].calls == ("text_eval()", *one.calls) for one in found)
    example = json.dumps([message.content for message in model.requests[0].messages[1:3]])
    assert "THOUGHT: Wanted" in example


def test_a_model_that_calls_wrong_tools_teaches_nothing(texts: list[SourceText]) -> None:
    known = list(generate_trajectories(texts, (1,), 3, 3))
    discarded: Counter[str] = Counter()
    wrong = Teacher(known, 'sentence_count_check(99, "less than")')
    assert _gathered(known, wrong, discarded) == []
    assert discarded == {"tools used wrongly": 3}
