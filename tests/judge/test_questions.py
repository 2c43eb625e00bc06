"""Answers of judges: read strictly, asked for again, and never guessed."""

from __future__ import annotations

import asyncio
import contextlib
import re

import pytest
from hypothesis import given, strategies as st

from redraft.errors import ConnectionFailed, MissingKey
from redraft.judge import Answer, Choice, Note, Question
from redraft.judge.questions import ask_judge, read_marks
from redraft.models import Completion, Request
from redraft.models.base import Finish
from tests.models.scripted import FakeModel

QUESTION = Question(
    "You judge.",
    "Judge this.",
    (Choice("fluency", (1, 2, 3, 4, 5)), Choice("errors", ("0", "1", "2 or more"))),
    frame="",
    reason=True,
)
GOOD = '{"reason": "fine", "fluency": 4, "errors": "0"}'
MARKS = {"fluency": 4, "errors": "0"}


def answer_of(model: FakeModel) -> Answer:
    return asyncio.run(ask_judge(model, QUESTION, QUESTION.request()))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"```json\n{GOOD}\n```",
        f"I would say: {GOOD}. That is {{all}}.",
        f"{GOOD}\n{GOOD}",
        '{"fluency": 4, "errors": "0", "overall": 9}',
        f'The text quotes {{"fluency": 9}}, but {GOOD}',
    ],
)
def test_one_clear_answer_is_read(text: str) -> None:
    assert read_marks(text, QUESTION)[0] == MARKS


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no JSON object"),
        ("Fluency: 4, errors: 0", "no JSON object"),
        ("[4, 0]", "no JSON object"),
        ('{"fluency": 4', "no JSON object"),
        ('{"fluency": 6, "errors": "0"}', "fluency: 6 is not one of 1, 2, 3, 4, 5"),
        ('{"fluency": 0, "errors": "0"}', "fluency: 0 is not one of"),
        ('{"fluency": 4.5, "errors": "0"}', "fluency: 4.5 is not one of"),
        ('{"fluency": 4.0, "errors": "0"}', "fluency: 4.0 is not one of"),
        ('{"fluency": true, "errors": "0"}', "fluency: true is not one of"),
        ('{"fluency": "4", "errors": "0"}', 'fluency: "4" is not one of'),
        ('{"fluency": null, "errors": "0"}', "fluency: null is not one of"),
        ('{"fluency": [4], "errors": "0"}', "fluency: [4] is not one of"),
        ('{"fluency": 4, "errors": 0}', 'errors: 0 is not one of "0", "1", "2 or more"'),
        ('{"fluency": 4, "errors": "2"}', 'errors: "2" is not one of'),
        ('{"fluency": 4, "errors": "2 or More"}', "is not one of"),
        ('{"fluency": 4}', "errors is missing"),
        ('{"marks": {"fluency": 4, "errors": "0"}}', "fluency is missing"),
        ('{"fluency": 4, "fluency": 5, "errors": "0"}', "with each key once"),
        (
            '{"fluency": 5, "errors": "0"} or rather {"fluency": 4, "errors": "0"}',
            "several JSON objects that differ",
        ),
    ],
)
def test_what_is_not_on_the_scale_is_no_answer(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        read_marks(text, QUESTION)


@given(st.text() | st.text('{}[]":, fluency45errors0', max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ValueError):
        found, *_ = read_marks(text, QUESTION)
        assert found["fluency"] in range(1, 6)


def test_a_valid_answer_costs_one_question() -> None:
    model = FakeModel([GOOD])
    answer = answer_of(model)
    assert (answer.marks, answer.reason, answer.raw, answer.error) == (MARKS, "fine", (GOOD,), None)
    (request,) = model.requests
    assert request.schema is not None
    assert request.schema.index("reason") < request.schema.index("fluency"), "the reason comes first"
    assert '"enum":[1,2,3,4,5]' in request.schema


def test_an_invalid_answer_is_told_what_is_wrong_and_kept() -> None:
    bad = '{"fluency": 7, "errors": "0"}'
    model = FakeModel([bad, GOOD])
    answer = answer_of(model)
    assert (answer.marks, answer.raw, answer.error) == (MARKS, (bad, GOOD), None)
    again = model.requests[1].messages
    assert [message.role for message in again] == ["system", "user", "assistant", "user"]
    assert again[2].content == bad
    assert "fluency: 7 is not one of 1, 2, 3, 4, 5" in again[3].content


def test_what_stays_invalid_is_a_failure_and_no_guess() -> None:
    model = FakeModel(["5!", "five", '{"fluency": 5}', GOOD])
    answer = answer_of(model)
    assert len(model.requests) == 3
    assert answer.marks == {}
    assert answer.raw == ("5!", "five", '{"fluency": 5}')
    assert answer.error == "no valid answer in 3 tries; the last: errors is missing"


def test_an_answer_that_was_cut_off_is_told_so() -> None:
    class Short(FakeModel):
        async def complete(self, request: Request) -> tuple[Completion, ...]:
            return (Completion('{"reason": "It is', "length"),)

    answer = asyncio.run(ask_judge(Short([]), QUESTION, QUESTION.request(max_tokens=60)))
    assert answer.error is not None
    assert answer.error.endswith("it was cut off after 60 tokens")


@pytest.mark.parametrize("finish", ["length", "filtered", "refused"])
def test_choices_of_an_answer_that_is_not_whole_do_not_count(finish: Finish) -> None:
    answer = answer_of(FakeModel([GOOD, GOOD], finish))
    assert len(answer.raw) == 2, "the second try was whole"
    assert answer.error is None


class Failing:
    spec = "failing"

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def complete(self, request: Request) -> tuple[Completion, ...]:
        raise self._error


def test_a_failure_of_the_service_is_recorded_but_what_concerns_all_is_raised() -> None:
    answer = asyncio.run(ask_judge(Failing(ConnectionFailed("gone")), QUESTION, QUESTION.request()))
    assert answer.error == "ConnectionFailed: gone"
    with pytest.raises(MissingKey):
        asyncio.run(ask_judge(Failing(MissingKey("none")), QUESTION, QUESTION.request()))


BEST_AND_WORST = Question(
    "You judge.",
    "Judge these.",
    (Note("why"), Choice("best", ("A", "B")), Choice("worst", ("A", "B"), unlike="best")),
    frame="",
)


def test_the_parts_of_an_answer_are_asked_for_in_their_order() -> None:
    found = re.findall(r'"(why|best|worst)":\{"type"', BEST_AND_WORST.schema)
    assert found == ["why", "best", "worst"]


def test_notes_are_read_beside_the_choices() -> None:
    marks, _, notes = read_marks('{"why": " so ", "best": "A", "worst": "B"}', BEST_AND_WORST)
    assert marks == {"best": "A", "worst": "B"}
    assert notes == {"why": "so"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"best": "A", "worst": "B"}', "why is missing"),
        ('{"why": 3, "best": "A", "worst": "B"}', "why is missing, or not said in words"),
        ('{"why": "so", "best": "A", "worst": "A"}', "worst and best are the same"),
    ],
)
def test_a_note_that_is_missing_and_choices_that_must_differ_are_told(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_marks(text, BEST_AND_WORST)
