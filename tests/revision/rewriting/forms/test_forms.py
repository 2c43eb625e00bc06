"""Sentences without a passive, a person or a tense that may not be there."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import constraints_of
from redraft.revision.draft import Draft
from redraft.revision.editing.answers import helps
from redraft.revision.editing.controls import ControlRequest, bound_requests
from redraft.revision.judging.facts import FactCheck
from redraft.revision.judging.scoring import _tense
from redraft.revision.rewriting.forms.forms import without_form
from redraft.revision.task import Task
from redraft.text import FORMS, Format, find_marks
from tests.revision.fakes import repaired

BEST = [
    ("passive", "The bridge was built by the Romans.", "The Romans built the bridge."),
    ("passive", "It was not caused by rain.", "Rain did not cause it."),
    ("passive", "Conveyor 3 was stopped by the shift leader, Ms Tran, while conveyor 4 ran on.", "The shift leader, Ms Tran, stopped conveyor 3 while conveyor 4 ran on."),
    ("passive", "When the form has been signed by both parties, it is valid.", "When both parties have signed the form, it is valid."),
    ("passive", "The fee is invoiced by the Organiser and shall be paid by the Exhibitor in May.", "The Organiser invoices the fee, and the Exhibitor shall pay it in May."),
    ("passive", "The letter was sent to the tenants by the landlord on Monday.", "The landlord sent the letter to the tenants on Monday."),
    ("passive", "Until then the house will be rented by a club.", "Until then a club will rent the house."),
    ("passive", "The plan that was signed by 3,800 people was not read by any committee.", "The plan that 3,800 people signed was not read by any committee."),
    ("passive", "It was not discussed by any committee.", "No committee discussed it."),
    ("passive", "The stand is rented by the club and may not be sold by the firm.", "The club rents the stand, and the firm may not sell it."),
    ("passive", "The plan was not endorsed by any member.", "No member endorsed the plan."),
    ("passive", "The rule is not followed by any members.", "No members follow the rule."),
    ("passive", "The hill cannot be seen by visitors.", "Visitors cannot see the hill."),
    ("passive", "We were told by the manager that the shop would close.", "The manager told us that the shop would close."),
    ("passive", "The alarm had been switched off by the firm.", "The firm had switched the alarm off."),
    ("first person", "I think that the plan is good.", "The plan is good."),
    ("first person", "In my opinion, this is wrong.", "This is wrong."),
    ("first person", "This is, I think, wrong.", "This is wrong."),
    ("first person", "However, we found that prices rose.", "However, prices rose."),
    ("first person", "Our results show that it works.", "The results show that it works."),
    ("first person", "We measured the flow and the pressure in May.", "The flow and the pressure were measured in May."),
    ("first person", "We have developed a new method for this.", "A new method has been developed for this."),
    ("first person", "We did not use the old data.", "The old data were not used."),
    ("second person", "You must sign the form.", "The form must be signed."),
    ("present tense", "It's late, and she can't sleep.", "It was late, and she couldn't sleep."),
    ("present tense", "“She's not in,” he says, and hangs up.", "“She's not in,” he said, and hung up."),
    ("present tense", "The meeting ends at 19:30.", "The meeting ended at 19:30."),
    ("present tense", "She says she will come.", "She said she would come."),
    ("present tense", "The train leaves at six and we are on it.", "The train left at six and we were on it."),
    ("present tense", "The old man sits while his dog sleeps under the table.", "The old man sat while his dog slept under the table."),
    ("present tense", "She gets up, opens the door and leaves.", "She got up, opened the door and left."),
    ("present tense", "When the train stops, nobody gets off.", "When the train stopped, nobody got off."),
    ("present tense", "We start at nine and finish by noon.", "We started at nine and finished by noon."),
    ("present tense", "He opens the letter, reads it twice and puts it back.", "He opened the letter, read it twice and put it back."),
    ("present tense", "She is sure that the firm cannot start.", "She was sure that the firm could not start."),
    ("past tense", "They walked home, and she cooked dinner.", "They walk home, and she cooks dinner."),
    ("past tense", "“I saw you,” she said.", "“I saw you,” she says."),
]  # fmt: skip


@pytest.mark.parametrize(("form", "sentence", "best"), BEST)
def test_a_form_goes_as_a_writer_would_have_it(form: str, sentence: str, best: str) -> None:
    assert without_form(sentence, form)[0].text == best


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ("passive", "Mistakes were made."),
        ("passive", "Costs were reduced by 20 percent."),
        ("passive", "He was bitten by a dog and was treated at home."),
        ("passive", "The report was finished by the end of the week."),
        ("first person", "My mother left."),
        ("first person", "We measured it and left."),
        ("first person", "I do not think that it works."),
        ("passive", "Every report has how many dollars were paid by the company."),
        ("passive", "It was created by him, sometimes by her."),
        ("present tense", "After weeks of phone calls, the firm agrees to pay."),
        ("present tense", "She is here today."),
        ("present tense", "I sit on the stairs and count the rings."),
        ("past tense", "He put it away and left."),
        ("past tense", "It was sold in 1990."),
    ],
)
def test_nothing_is_offered_where_it_is_in_doubt(form: str, sentence: str) -> None:
    assert without_form(sentence, form) == []


def test_no_passive_is_made_where_none_may_be() -> None:
    assert without_form("We measured the flow.", "first person", ["passive"]) == []
    assert without_form("We measured the flow.", "first person")[0].text == "The flow was measured."


def revised(text: str, instruction: str, format: Format = "text") -> tuple[str, list[str]]:
    found = asyncio.run(repaired(Task(text, constraints_of(instruction), format=format)))
    return found.draft.text, [finding.message for finding in found.findings if not finding.met]


def test_a_text_is_repaired_as_far_as_the_rules_go_and_nothing_is_left_out() -> None:
    text, unmet = revised("The bridge was built by the Romans. Mistakes were made.", "No passive voice.")
    assert text == "The Romans built the bridge. Mistakes were made."
    assert unmet == ["1 passive; wanted no passives (“were made”)"]


def test_a_sentence_comes_as_near_as_it_can_and_is_not_cut() -> None:
    source = (
        "The line was stopped by Ms Tran, while the pump was left on. Your key is kept here, and it is safe."
    )
    text, unmet = revised(source, "No passive voice. No second person.")
    assert text.startswith("Ms Tran stopped the line, while the pump was left on. Your key is kept here")
    assert len(unmet) == 2


def test_so_many_passives_are_left_as_there_may_be() -> None:
    text, unmet = revised("It was built by the Romans. It was sold by a bank.", "At most one passive.")
    assert unmet == []
    assert len(find_marks(text, "passive")) == 1


def test_what_is_quoted_stays() -> None:
    source = "“I think so. We left,” she said. I think that it is late."
    text, unmet = revised(source, "No first person.")
    assert text == "“I think so. We left,” she said. It is late."
    assert unmet == []


def test_a_story_is_put_into_the_past() -> None:
    text, unmet = revised(
        "She opens the door. Nobody is there. “Who is it?” she asks.", "Use the past tense."
    )
    assert text == "She opened the door. Nobody was there. “Who is it?” she asked."
    assert unmet == []


def test_code_stays() -> None:
    text, _ = revised("I think that `we.run()` is fine.\n", "No first person.", "markdown")
    assert text == "`we.run()` is fine.\n"


PIECES = ["we", "I", "the dog", "was sold", "is", "sees", "it", "by the bank", "and", "that", "found", "You must",
          "sign", "“we left”", "walked", ",", "Our results", "were", "not", "in May"]  # fmt: skip


@settings(max_examples=60)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), st.sampled_from(FORMS))
def test_whatever_is_offered_has_less_of_it(words: list[str], form: str) -> None:
    sentence = " ".join(words).capitalize() + "."
    for one in without_form(sentence, form, FORMS):
        assert len(find_marks(one.text, form)) < len(find_marks(sentence, form))
        assert one.text.count("“we left”") == sentence.count("“we left”")


@pytest.mark.parametrize(
    ("instruction", "text", "asked"),
    [
        ("Use the active voice.", "Many mistakes were made here.", ["Use the active voice"]),
        ("Put it into the past tense.", "I sit on the stairs and count the rings.", ["Use the past tense"]),
        ("Put it into the past tense.", "She sees the dog there.", []),
        ("No first person.", "We all laughed at my dog.", ["Take out the first person"]),
        ("No first person.", "We measured the flow in May.", []),
        ("No passive voice.", "She saw the dog there.", []),
    ],
)
def test_the_editor_is_asked_by_its_control(instruction: str, text: str, asked: list[str]) -> None:
    task = Task(text, constraints_of(instruction))
    assert [one.instruction for one in bound_requests(task, Draft.of(task))] == asked


def test_an_answer_in_another_tense_changes_nothing_else() -> None:
    task = Task("She sees the dog there.", constraints_of("Use the past tense."))
    request = ControlRequest(0, 1, "past")
    assert helps(task, request, "She sees the dog there.", "She saw the dog there.")
    assert not helps(task, request, "She sees the dog there.", "She saw the big dog there.")


def test_what_somebody_did_does_not_become_an_order() -> None:
    task = Task("I have attached both receipts.", constraints_of("No first person."))
    request = ControlRequest(0, 1, "impersonal")
    assert not helps(task, request, task.original, "Please attach both receipts.")
    assert helps(task, request, task.original, "Both receipts are attached.")


def test_only_the_tense_that_is_asked_for_is_let_through() -> None:
    assert _tense("Omar presents the plan.", "Omar presented the plan.")
    assert not _tense("Omar presents the plan.", "Omar presented the plan.", "past")
    assert _tense("Omar presented the plan.", "Omar presents the plan.", "past")
    past = FactCheck(Task("x", constraints_of("Use the past tense.")))
    free = FactCheck(Task("x", constraints_of("No passive voice.")))
    assert past.objections_to("Ann will pay the fee.", "Ann paid the fee.") == ()
    assert past.objections_to("Ann paid the fee.", "Ann will pay the fee.") != ()
    assert free.objections_to("Ann will pay the fee.", "Ann paid the fee.") != ()
