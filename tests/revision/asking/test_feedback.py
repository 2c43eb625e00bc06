"""Feedback from a model, in short words by sentence."""

from __future__ import annotations

import asyncio

import pytest

from redraft.errors import InputError
from redraft.models import Completion, Request
from redraft.revision.asking.feedback import ASPECTS, model_feedback
from redraft.revision.records import Feedback
from tests.models.scripted import FakeModel
from tests.revision.asking_parts import Answering

TEXT = "The ferry was built in 1962. It make eleven crossings. Tourists enjoys the ride."


def feedback(model: object, text: str = TEXT, **options: object) -> tuple[Feedback, ...]:
    return asyncio.run(model_feedback(model, text, **options))  # type: ignore[arg-type]


def grammar(answer: str | Completion) -> list[str]:
    return [one.words for one in feedback(Answering(lambda _: answer), aspects=["grammaticality"])]


def test_each_aspect_is_asked_about_at_once() -> None:
    waiting: list[str] = []
    everyone = asyncio.Event()

    class Together(Answering):
        async def complete(self, request: Request) -> tuple[Completion, ...]:
            waiting.append(request.messages[0].content)
            if len(waiting) == len(ASPECTS):
                everyone.set()
            await asyncio.wait_for(everyone.wait(), 240)
            return await super().complete(request)

    def answer(request: Request) -> str:
        return "[2] verb -> makes" if "agreement" in request.messages[0].content else "none"

    assert feedback(Together(answer)) == (
        Feedback("fluency", None, "no problems seen"),
        Feedback("grammaticality", None, "2: verb → makes"),
        Feedback("coherence", None, "no problems seen"),
    )


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            '[3] agreement → use "enjoy"\n[2] agreement -> "makes"',
            '2: agreement → "makes"; 3: agreement → use "enjoy"',
        ),
        ("2. the verb", "2: the verb"),
        (
            "Original: It make eleven crossings.; Suggestion: It makes eleven crossings.",
            "2: It makes eleven crossings.",
        ),
        ("[2] It make eleven crossings. -> It makes eleven crossings.", "2: It makes eleven crossings."),
        ("[1] It make x -> y\n[7] verb -> no\n[0] verb -> no", "1: It make x → y"),
        ("[1] none\n[2] verb -> makes", "2: verb → makes"),
        ("[2] verb -> makes\n[2] again -> makes", "2: verb → makes"),
        ("No grammar errors were found.", "no problems seen"),
    ],
)
def test_answers_in_many_forms(answer: str, words: str) -> None:
    assert grammar(answer) == [words]


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I like it.",
        "[9] verb -> no",
        "[2] It make eleven crossings.",
        "\n".join(["x"] * 500_000),
        "[2] \n" * 200_000,
    ],
)
def test_an_answer_of_no_use_is_no_feedback(answer: str) -> None:
    assert grammar(answer) == []


def test_a_model_that_repeats_what_it_was_asked_says_nothing() -> None:
    assert feedback(Answering(lambda request: "\n".join(m.content for m in request.messages))) == ()


def test_the_line_that_was_cut_off_goes() -> None:
    assert grammar(Completion("[2] verb -> makes\n[3] ver", "length")) == ["2: verb → makes"]


def test_long_feedback_is_shortened() -> None:
    text = " ".join(f"Number {n} stand here." for n in range(1, 31))
    answer = "\n".join(f"[{n}] {'very ' * 99}wrong -> stands" for n in range(1, 31))
    (words,) = (one.words for one in feedback(Answering(lambda _: answer), text, aspects=["fluency"]))
    assert words.endswith("; and 18 more")
    assert len(words) < 12 * 200


def test_a_long_text_is_read_in_sections() -> None:
    text = " ".join(f"Number {n} stand here." for n in range(1, 101))
    model = Answering(lambda _: "[3] verb -> stands\n[99] verb -> stands")
    (one,) = feedback(model, text, aspects=["fluency"], room=600)
    assert one.words == "3: verb → stands; 99: verb → stands"
    assert len(model.requests) > 3


def test_what_does_not_fit_has_no_feedback() -> None:
    assert feedback(Answering(lambda _: "none", limit=10)) == ()
    assert feedback(FakeModel([]), "") == ()


def test_an_unknown_aspect_is_refused() -> None:
    with pytest.raises(InputError, match="fluency, grammaticality, coherence"):
        feedback(FakeModel([]), aspects=["beauty"])
