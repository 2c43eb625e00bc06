"""Texts told without the first person: who is named instead, and what is told of nobody."""

from __future__ import annotations

from time import process_time

import pytest

from redraft.constraints import parse
from redraft.revision.first.other_forms import Retold
from redraft.revision.rewriting.forms.narrators import Narrator, told
from redraft.revision.rewriting.voice.into_passives import unnamed
from redraft.revision.task import Task
from redraft.text import find_person

_NAMED = Narrator("the author", "the firm", passive=False)


def retold(text: str, instruction: str) -> str:
    return Retold(Task.of(text, parse(instruction))).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "We use good steel, and we sharpen each blade.",
            "The firm uses good steel and sharpens each blade.",
        ),
        ("I arrived late, but I was not tired.", "The author arrived late but was not tired."),
        ("If we cannot, we tell you why.", "If the firm cannot, it tells you why."),
        ("We're sorry for the noise.", "Apologies for the noise."),
        ("I find the question important.", "The question is important."),
        ("I think that the plan is good.", "The plan is good."),
        ("We believe that the oil was too hot.", "The oil was probably too hot."),
        ("My brother lives near a mine.", "The author's brother lives near a mine."),
        ("I dedicate it to my wife.", "The author dedicates it to their wife."),
        ("Why do we wait so long?", "Why does the firm wait so long?"),
        ("Let us not forget the figures.", "Do not forget the figures."),
        ("Please contact us by email.", "Please contact the firm by email."),
        ("We, the undersigned, object to the plan.", "The undersigned object to the plan."),
        ("Please let us know by Friday.", "Please let the firm know by Friday."),
        ("Let us know by Friday.", "Let the firm know by Friday."),
        ("They let us in at noon.", "They let the firm in at noon."),
        ("I feel sick today.", "The author feels sick today."),
        ("I believe him now.", "The author believes him now."),
        ("I regret that decision.", "The author regrets that decision."),
        ("I regret that the shop is closed.", "Unfortunately, the shop is closed."),
        ("I know that man.", "The author knows that man."),
        ("I feel that he is a thief.", None),
        ("Therefore I think that Tom lied.", "Therefore the author thinks that Tom lied."),
        ("In my opinion the mayor lied.", "In the author's opinion the mayor lied."),
        ("In my view, it is cheaper.", "It is cheaper."),
        ("We put the samples in a jar.", None),
        ("My brother and I bought the shop.", "The author's brother and the author bought the shop."),
        ("My brother and I are tired.", "The author's brother and the author are tired."),
        ("I said I was tired.", "The author said they were tired."),
        ("I'd go there again.", "The author would go there again."),
        ("I'd seen it before.", "The author had seen it before."),
        ("I'd put it there.", None),
        ("We are a bit late.", "The firm is a bit late."),
        ("We are a small bakery in Leeds.", "This is a small bakery in Leeds."),
        ("I do not know how to swim.", "The author does not know how to swim."),
        ("We do not know why it failed.", "It is not known why it failed."),
    ],
)
def test_somebody_is_named_instead(before: str, after: str | None) -> None:
    assert told(before, _NAMED) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We did not observe any change in colour.", "No change in colour was observed."),
        ("We ask all visitors to take off their shoes.", "All visitors are asked to take off their shoes."),
        ("We cannot replace it without proof.", "It cannot be replaced without proof."),
        ("We repeated this three times.", "This was repeated three times."),
        ("We propose a method for sorting mail.", "A method for sorting mail is proposed."),
        ("We washed the cups and dried them.", "The cups were washed and dried."),
        (
            "We washed the cups and counted the plates.",
            "The cups were washed, and the plates were counted.",
        ),
        ("We met Ann in the hall.", None),
        ("We arrived at noon.", None),
        ("We did not find many errors in the text.", None),
        ("We did not find any of the keys.", None),
        ("We did not test every sample.", None),
        ("We only tested three samples.", None),
        ("We never saw anything.", None),
        ("We have never opened the box.", "The box has never been opened."),
        ("We put the samples in a jar.", None),
        ("My brother and I bought the shop.", None),
        ("I know that man.", None),
        ("I called the police.", "The police were called."),
    ],
)
def test_what_was_done_may_stand_without_who_did_it(before: str, after: str | None) -> None:
    assert unnamed(before, {"i", "we"}) == after


@pytest.mark.parametrize(
    ("text", "instruction", "one", "many"),
    [
        ("I speak Polish.", "no I in the application form", "the applicant", "the applicants"),
        ("I reviewed the manuscript.", "", "the reviewer", "the reviewers"),
        ("Our club is old. We have 80 members.", "", "the author", "the club"),
        ("We bake bread. Our shop is closed.", "", "the author", "the shop"),
        ("We asked the council for help.", "", "the author", ""),
        ("I called the police after the burglary.", "", "the author", ""),
        ("I am a tenant. We hear noise from the kitchen.", "", "the author", ""),
        ("My boiler broke. I was cold. The engineer repaired it.", "", "the author", ""),
        ("I ordered a lamp. The delivery was late. We want a refund.", "", "the author", ""),
        ("We are a bit late. I am sorry.", "", "the author", ""),
        ("I arrested the man. We drove on.", "", "the officer", "the officers"),
        ("The author is dead. I wrote an essay on her.", "", "the writer", "people"),
    ],
)
def test_the_kind_of_text_says_who_speaks(text: str, instruction: str, one: str, many: str) -> None:
    found = Narrator.of(text.split(". "), instruction)
    assert (found.one, found.many) == (one, many)


def test_a_letter_is_left_to_its_writer() -> None:
    text = "Dear Ms Hall,\n\nI am writing about the flat. We would like to stay.\n\nKind regards,\nTom"
    assert retold(text, "No first person.") == text


def test_quotations_stay() -> None:
    assert told('She said "I measured the flow" to them.', _NAMED) is None


@pytest.mark.parametrize(
    "instruction", ["No first person.", "Rewrite without 'I' and 'we'.", "no I, we or my, it's a report"]
)
def test_nothing_is_left_of_the_first_person(instruction: str) -> None:
    text = (
        "We met on 3 June and discussed the fence. I suggested a hedge instead. "
        "In my view, it is cheaper. We will send our notes to everybody."
    )
    made = Retold(Task.of(text, parse(instruction)))
    assert not find_person(made.text, "first")
    assert "3 June" in made.text
    assert made.is_all


@pytest.mark.parametrize(
    ("instruction", "is_all"),
    [
        ("No first person. It's a lab report.", True),
        ("No first person. My boss insists.", True),
        ("No first person. Our readers are children.", False),
        ("No first person. It's a letter that must sound warm and funny.", False),
    ],
)
def test_a_wish_beside_it_is_heard(instruction: str, is_all: bool) -> None:
    assert Retold(Task.of("I think that the plan is good.", parse(instruction))).is_all is is_all


@pytest.mark.parametrize("line", ["...", "* * *"])
def test_long_texts_cost_no_more_than_their_length(line: str) -> None:
    def cost(lines: int) -> float:
        start = process_time()
        Narrator.of([line] * lines)
        return process_time() - start

    cost(10)
    assert cost(1600) < 60 * max(cost(100), 0.01)


def test_i_alone_is_the_singular() -> None:
    assert retold("We think that I counted the cups.", 'Please do not use "I".').startswith("We ")
