from __future__ import annotations

import asyncio

import pytest

from redraft.editor import Edit
from redraft.revision.editing.editor import Polisher
from tests.models.scripted import FakeModel
from tests.revision.corrections.test_suggestions import Costs

FIX = "Fix grammar errors"


def polish(model: FakeModel, text: str, instruction: str = FIX, right: str = "", samples: int = 4) -> Edit:
    polisher = Polisher(model, Costs(right), samples=samples, seed=3)
    return asyncio.run(polisher.polish(text, instruction))


def test_the_model_is_given_a_corrected_text_where_errors_are_to_be_corrected() -> None:
    model = FakeModel(["He got the letter."] * 4)
    edit = polish(model, "He recieved teh letter.", right="received the")
    assert edit.text == "He got the letter."
    assert [request.messages[-1].content for request in model.requests] == [
        f"{FIX}:\nHe received the letter."
    ] * 2
    assert {request.seed for request in model.requests} == {3}


def test_each_sentence_is_corrected_in_its_place() -> None:
    model = FakeModel(["x y."] * 1)
    polish(model, "He recieved it.\n\n  It was teh best. ", right="received the", samples=1)
    assert model.requests[0].messages[-1].content == f"{FIX}:\nHe received it.\n\n  It was the best. "


def test_other_edits_start_from_the_text_itself() -> None:
    model = FakeModel(["He recieved mail."] * 4)
    edit = polish(model, "He recieved teh letter.", "Simplify this sentence", right="the")
    assert edit.text == "He recieved mail."
    assert "teh letter" in model.requests[0].messages[-1].content


def test_what_most_answers_say_is_chosen() -> None:
    answers = ["He goes home.", "He goes home now, I think.", "He goes home.", "He goes home."]
    assert polish(FakeModel(answers), "He go home.").text == "He goes home."


def test_an_answer_that_changes_the_meaning_loses() -> None:
    # The greedy answer comes first, and the answers are as many on either side.
    answers = ["He does not go home.", "He goes home.", "He does not go home.", "He goes home."]
    edit = polish(FakeModel(answers), "He go home.", right="He does not go goes home")
    assert edit.text == "He goes home."
    assert [candidate.votes for candidate in edit.candidates] == [2, 2]


@pytest.mark.parametrize("text", ["", "  ", "…"])
def test_a_text_without_words_is_given_back(text: str) -> None:
    model = FakeModel([])
    assert polish(model, text).text == text
    assert model.requests == []


def test_a_model_that_gives_nothing_of_use_leaves_the_corrections() -> None:
    assert (
        polish(FakeModel([""] * 4), "He recieved teh letter.", right="received the").text
        == "He received the letter."
    )
