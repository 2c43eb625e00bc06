"""Sentences in another form: the active voice, commands, lists, persons."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings, strategies as st

from redraft.constraints import parse
from redraft.revision.first.other_forms import Retold
from redraft.revision.rewriting.forms.commands import commanded
from redraft.revision.rewriting.forms.lists import as_list, steps_of
from redraft.revision.rewriting.forms.speakers import Speakers, impersonal_by_text
from redraft.revision.rewriting.voice.active_verbs import _counterparts
from redraft.revision.rewriting.voice.without_passives import without_passives
from redraft.revision.task import Task
from redraft.text import Document, count_actions, find_list, find_marks

_HELPERS = ("was", "was not", "is", "has been", "has not yet been", "had been", "will be", "will not be")


def retold(text: str, instruction: str) -> str:
    return Retold(Task.of(text, parse(instruction))).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The alarm was not triggered.", "The alarm did not go off."),
        ("It will be held in the hall.", None),
        ("The pool had been closed for repairs twice.", "The pool had closed for repairs twice."),
        ("Nobody was injured.", "Nobody suffered injuries."),
        ("Conveyor 4 was left running.", "Conveyor 4 kept running."),
        ("Visitors are not allowed to smoke.", "Visitors may not smoke."),
        ("If payment is not received by that date, call us.", "If payment does not arrive by that date, call us."),
        ("No changes were made.", "There were no changes."),
        ("The concert was cancelled on Friday.", "The concert did not take place on Friday."),
        ("The window, which was painted green, faces east.", "The window, painted green, faces east."),
        ("Exceptions can be granted only by the head.", "Only the head can grant exceptions."),
        (
            "It is not refunded unless the fair is cancelled by the Organiser itself.",
            "It is not refunded unless the Organiser itself cancels the fair.",
        ),
        ("Badges are issued by the guard and must be worn.", "The guard issues badges, and they must be worn."),
        ("The costs are shared by the county and the railway.", "The county and the railway share the costs."),
        ("He was helped by a boy with a torch.", "A boy with a torch helped him."),
        ("The letter was written in green ink.", None),
        ("Authors are expected to pay a fee.", None),
        ("This is what was found.", None),
    ],
)  # fmt: skip
def test_a_passive_that_names_nobody_goes_or_stays_whole(before: str, after: str | None) -> None:
    assert without_passives(before) == after


def _sayable() -> list[tuple[str, str]]:
    rows = [row for some in _counterparts().values() for row in some if not any(one.denied for one in some)]
    return [
        (min(row.subjects, key=len), row.participle)
        for row in rows
        if row.subjects
        and row.following == ("END",)
        and not row.denied
        and not row.present
        and row.new[0] != "not"
    ]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(_sayable()), st.sampled_from(_HELPERS))
def test_no_counterpart_invents_anybody_or_loses_a_negation(said: tuple[str, str], helpers: str) -> None:
    subject, participle = said
    sentence = f"The {subject} {helpers} {participle} on 3 May."
    made = without_passives(sentence)
    if made is None:
        return
    assert find_marks(made, "passive") == []
    assert made.startswith(f"The {subject} ")
    assert made.endswith("on 3 May.")
    assert (" not " in made) == ("not" in helpers)
    assert not re.search(r"\b(?:we|you|they|somebody|people)\b", made)


def test_who_acts_is_taken_from_the_text_alone() -> None:
    contract = "The rent shall be paid by the Tenant. If the rent is not paid in May, the contract ends."
    assert "If the Tenant does not pay the rent in May" in retold(contract, "No passive voice.")
    report = "We studied sleep. Samples were collected at 08:00 and stored at 4 °C."
    assert retold(report, "No passive voice.").endswith(
        "We collected samples at 08:00 and stored them at 4 °C."
    )
    story = "Samples were collected at 08:00. She was tired."
    assert retold(story, "No passive voice.") == story


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("First the care label should be looked at.", "First look at the care label."),
        ("Garments with a red tag must not be washed at all.", "Do not wash garments with a red tag at all."),
        ("Towels can be washed at 60 degrees.", "You can wash towels at 60 degrees."),
        ("The door can be opened only after two minutes.", "Open the door only after two minutes."),
        ("You should then attach the handle.", "Then attach the handle."),
        ("The pot should be put in water and then drained.", "Put the pot in water and then drain it."),
        (
            "Damaged tools should be reported and must not be used.",
            "Report damaged tools and do not use them.",
        ),
        ("If it is still locked, it must not be forced.", "If it is still locked, do not force it."),
        ("Never should the cover be opened.", "Never open the cover."),
        ("It must not stand in water.", "Do not let it stand in water."),
        ("It is forbidden to smoke.", "Do not smoke."),
        ("Passengers must keep their bags with them.", "Keep your bags with you."),
        ("Machines are switched off before they are cleaned.", "Switch off machines before you clean them."),
        ("The light should come on.", None),
        ("Glass should be rinsed and goes in the green box.", None),
        ("You can change the password.", None),
    ],
)
def test_what_is_told_becomes_a_command(before: str, after: str | None) -> None:
    assert commanded(before) == after


_ACTIONS = (
    "Open the lid",
    "Add 20 g of salt",
    "Close the valve",
    "Wipe the glass",
    "Fill the pot with 3 l of water",
)


@given(st.lists(st.sampled_from(_ACTIONS), min_size=2, max_size=5, unique=True), st.booleans())
def test_steps_keep_order_and_quantities(actions: list[str], joined: bool) -> None:
    low = [f"{one[0].lower()}{one[1:]}" for one in actions[1:]]
    text = f"{' and '.join([actions[0], *low])}." if joined else " ".join(f"{one}." for one in actions)
    made, _ = as_list(Document(f"You need a pot. {text} Never shake it."), "numbered", one_action=True)
    items = find_list(made)
    assert [item.number for item in items] == list(range(1, len(actions) + 1))
    assert [item.text.split(".")[0] for item in items] == actions
    assert items[-1].text.endswith("Never shake it.")
    assert made.startswith("You need a pot.")
    assert all(count_actions(item.text) == 1 for item in items)


def test_what_depends_on_a_condition_stays_with_it() -> None:
    sentence = "If it is late, apologise and offer a voucher."
    assert steps_of(sentence) == [sentence]


def test_a_letter_keeps_its_greeting_as_a_list() -> None:
    text = "Dear Ann,\n\nThe room is free. It has two beds.\n\nBest wishes,\nTom"
    assert retold(text, "Make it a bulleted list.") == (
        "Dear Ann,\n\n- The room is free.\n- It has two beds.\n\nBest wishes,\nTom"
    )


def test_a_list_is_left_alone_that_is_one() -> None:
    text = "1. Open the lid.\n2. Add salt."
    assert retold(text, "Turn it into numbered steps.") == text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("We start at 18:05.", "The meeting starts at 18:05."),
        (
            "We discuss the roof and approve our rules.",
            "The group discusses the roof and approves the rules.",
        ),
        ("She said that we have 300 euros.", "She said that there are 300 euros."),
        (
            "I suggest that we do not decide today.",
            "The minute-taker suggests that the group should not decide today.",
        ),
        ("In this essay I will argue that it is late.", "This essay will argue that it is late."),
        ("We can see from Figure 1 that grades improve.", "Figure 1 shows that grades improve."),
    ],
)
def test_we_and_i_are_who_the_text_says(before: str, after: str) -> None:
    assert impersonal_by_text(before, Speakers("the group", "the minute-taker", meets=True)) == after


def test_who_writes_is_the_author_where_the_text_says_nothing() -> None:
    text = "I have worked as a nurse for eleven years. I also train new colleagues."
    assert retold(text, "Put this into the third person.") == (
        "The author has worked as a nurse for eleven years. The author also trains new colleagues."
    )


def test_minutes_in_the_past_without_us() -> None:
    text = "We start at 18:05. I suggest that we wait, and everybody agrees. I write these minutes."
    assert retold(text, "Past tense throughout, and no 'I' or 'we'.") == (
        "The meeting started at 18:05. The minute-taker suggested that the group should wait, and everybody agreed. "
        "The minute-taker wrote these minutes."
    )


def test_what_must_stay_stays() -> None:
    text = "The alarm was not triggered. Nobody was injured."
    assert retold(text, "No passive voice, but keep sentence 1 as it is.").startswith(
        "The alarm was not triggered."
    )


def test_another_language_is_not_touched() -> None:
    text = "Der Alarm wurde nicht ausgelöst. Niemand wurde verletzt, und die Halle wurde wieder geöffnet."
    assert retold(text, "No passive voice.") == text


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("You need: a pot, a lid and a spoon. Then go home.", "Keep the first sentence."),
        ("“Go now. You need: a pot, a lid and a spoon. Run,” he said.", ""),
    ],
)
def test_what_must_stay_is_no_list(text: str, named: str) -> None:
    assert retold(text, f"Turn the enumerations into bullet points. {named}") == text


@pytest.mark.parametrize(
    "named",
    [
        "Keep sentences 2 and 5.",
        "Keep the last paragraph and sentence 2.",
        "Only change sentences 1, 3 and 4.",
    ],
)
def test_after_a_list_the_same_sentences_must_stay(named: str) -> None:
    text = "Hi Tim,\n\nYou need: a pot, a lid and a spoon. Go home. Bring: tea, rice and salt. It is late.\n\nRun."
    made = Retold(Task.of(text, parse(f"Turn the enumerations into bullet points. {named}")))
    assert "- a spoon\n\nGo home. Bring:\n\n- tea" in made.text
    kept = [one.text for one in made.given.kept if not one.aside]
    assert kept[0] == "Go home."
    assert [one.text for one in made.task.kept] == kept
