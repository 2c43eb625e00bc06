"""Texts told without the first person: who is named instead, and what is told of nobody."""

from __future__ import annotations

import re
from time import process_time

import pytest

from redraft.constraints import parse
from redraft.revision.first.other_forms import Retold
from redraft.revision.rewriting.forms.narrators import continued, told
from redraft.revision.rewriting.forms.who_speaks import Narrator
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
        ("It is six when I light the oven.", "It is six when the author lights the oven."),
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
        ("I find the ones in red the best.", "The ones in red are the best."),
        ("We find the accused guilty.", "The firm finds the accused guilty."),
        (
            "We read nine letters and invited two people.",
            "The firm read nine letters and invited two people.",
        ),
        ("We test each bike and repair its brakes.", "The firm tests each bike and repairs its brakes."),
        ("We want to help and save them.", "The firm wants to help and save them."),
        (
            "My guard gave me paper, and I hid the pages in my shoes.",
            "The guard gave the author paper, and the author hid the pages in the author's shoes.",
        ),
        ("We had a plan, but our supplier failed.", "The firm had a plan, but its supplier failed."),
        (
            "We sold it, and the bank paid, and we left.",
            "The firm sold it, and the bank paid, and the firm left.",
        ),
        ("We also feel that the date is too early.", "The date is also too early."),
        ("I show how he changed his mind.", None),
        (
            "My brother said that he was ill, and I left.",
            "The author's brother said that he was ill, and the author left.",
        ),
        ("I HAVE NOT SEEN IT.", None),
        ("Tom: I have not seen it.", None),
        ("It is in the section How We Use Data.", None),
        ("I used it (at 60 X). I cut them up.", "The author used it (at 60 X). The author cut them up."),
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
        ("We heated it to 80 degrees and I stirred it.", "It was heated to 80 degrees and it was stirred."),
        ("We will report every six months.", None),
        ("We spent three days in Rome.", "Three days were spent in Rome."),
        ("I find the ones in red the best.", None),
        ("We analysed 58 samples from three lakes.", "Fifty-eight samples from three lakes were analysed."),
        ("We collected soil from three farms.", "Soil was collected from three farms."),
        ("We remind tenants that we test the alarm.", "Tenants are reminded that the alarm is tested."),
        ("We ask state, local and private bodies to share it.", None),
        ("We slow the rate at which prices rise.", None),
        ("We offer a couple of versions.", "A couple of versions are offered."),
        ("We have now repaired it.", "It has now been repaired."),
        ("It is the park at which we work.", None),
        ("We tested the role of salt and sugar.", None),
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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("If you lose it, contact us.", "If you lose it, get in touch."),
        ("Please tell us if you cannot hear it.", "Please say if you cannot hear it."),
        ("Call us on 020 555.", "Call 020 555."),
        ("They tell us if it rains.", None),
        ("They often call us.", None),
        (
            "We had planned to open, but our supplier failed.",
            "The plan had been to open, but the supplier failed.",
        ),
        ("We now expect to open in June.", None),
        ("Our cleaner is ill.", "The cleaner is ill."),
        ("It has changed all our lives.", None),
        ("Our lives have changed.", None),
        ("She paid our rent.", None),
        ("My calendar is free.", "The author's calendar is free."),
    ],
)
def test_where_nothing_says_who_speaks_nobody_is_invented(before: str, after: str | None) -> None:
    assert told(before, Narrator(many="", alone=False)) == after


def test_a_name_stands_for_a_he_that_could_be_the_writer() -> None:
    before = ["The author will show that nobody trusted Hamlet."]
    made = told("Then I compare them with his speeches.", Narrator(passive=False), before=before)
    assert made == "Then the author compares them with Hamlet's speeches."
    before = ["Nobody told Hamlet of Yorick."]
    assert told("Then I compare them with his speeches.", Narrator(passive=False), before=before) is None


def test_a_they_for_what_was_just_named_is_no_subject_behind_those_who_act() -> None:
    narrator = Narrator(many="the authors")
    before = ["The authors tested 90 bees."]
    assert told("We trained them.", narrator, before=before) == "The authors trained them."
    assert told("We trained them.", narrator) == "They were trained."
    assert continued(before[0], "The authors trained them.", narrator) == "The authors trained them."


def test_what_is_not_said_again_stands_before_it() -> None:
    narrator = Narrator(many="the shop")
    assert told("We refund the price.", narrator) == "The price is refunded."
    assert (
        told("We refund the price.", narrator, after="If we cannot, we say so.")
        == "The shop refunds the price."
    )


@pytest.mark.parametrize(
    "text",
    [
        "My fellow citizens, I ask for help. We have no time.",
        "I hope that you like the plan. We had a good start.",
        "Our support team is kind. We like it.",
    ],
)
def test_who_has_no_name_is_left(text: str) -> None:
    made = retold(text, "No first person.")
    assert re.search(r"\b(?:I|We)\b", made)
    assert not re.search(r"(?i)the (?:author|group|team)", made)


def test_a_text_may_speak_for_itself() -> None:
    text = (
        "In this chapter I describe two villages. I compare their schools and ask why one failed. I met Ann."
    )
    assert retold(text, "No first person.") == (
        "This chapter describes two villages. The chapter compares their schools and asks why one failed. "
        "The author met Ann."
    )


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
