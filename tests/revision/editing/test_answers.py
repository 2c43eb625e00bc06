"""Which answers of an editor are taken for what was asked."""

from __future__ import annotations

import pytest

from redraft.constraints import parse
from redraft.revision.editing.answers import changes_numbers, helps, is_doubtful
from redraft.revision.editing.controls import ControlRequest
from redraft.revision.task import Task


def is_taken(task: Task, request: ControlRequest, before: str, after: str) -> bool:
    """Whether an answer is taken without a judge."""
    return helps(task, request, before, after) and not is_doubtful(task, request, before, after)


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("Two countries withdrew in protest.", "The two countries have withdrawn in protest.", True),
        ("The two countries withdrew.", "The two countries have withdrawn.", False),
        ("They sold 40 of 60 boats.", "They sold the 40 boats.", True),
        ("Batch 6 failed.", "Batches of 6 failed.", True),
        ("Batch 6 failed in May.", "In May, batch 6 failed.", False),
    ],
)
def test_some_are_not_all_there_are(before: str, after: str, changes: bool) -> None:
    assert changes_numbers(before, after) is changes


@pytest.mark.parametrize(
    ("control", "before", "after", "does"),
    [
        (
            "concise",
            "It was found that visits to doctors rose, whereas visits to hospitals did not.",
            "Visions of doctors rose, whereas visits to hospitals did not.",
            False,
        ),
        (
            "shorten",
            "A total of 312 ships called, which is 40 fewer than there had been in the year before.",
            "312 ships called, 40 fewer than there.",
            False,
        ),
        (
            "shorten",
            "Please let me know as soon as you possibly can whether you want the report.",
            "Please let me know as soon as you may.",
            False,
        ),
        (
            "concise",
            "It reduced weeds by a third and did not reduce the yield in any of the four years.",
            "It reduced weeds by a third, but not in any of the four years.",
            False,
        ),
        ("active", "It will be repaired on Monday.", "It will repair it on Monday.", False),
        ("active", "It will be repaired by Ann on Monday.", "Ann will repair it on Monday.", True),
        (
            "active",
            "The well, which is old, is lit at night.",
            "The well, which is old, lights at night.",
            False,
        ),
        ("active", "The gate was opened at six.", "The gate opened at six.", True),
        ("active", "The house was sold last year.", "Last year sold the house.", False),
        ("active", "The bags were left in the hall.", "The hall left the bags.", False),
        ("active", "Last year the house was sold by Ann.", "Last year Ann sold the house.", True),
    ],
)
def test_what_is_another_word_or_another_s_deed_does_not_help(
    control: str, before: str, after: str, does: bool
) -> None:
    task = Task.of(before, parse("Use the active voice."))
    assert is_taken(task, ControlRequest(0, 1, control), before, after) is does


@pytest.mark.parametrize(
    ("control", "before", "after", "does"),
    [
        (
            "simpler",
            "Members who are not able to attend the meeting must notify the treasurer in advance.",
            "Members who are not able to attend the meeting must be told in advance.",
            False,
        ),
        (
            "simpler",
            "Everybody has to leave the hall via the nearest exit.",
            "Everybody has to leave the hall. The only exception is the nearest exit.",
            False,
        ),
        (
            "simpler",
            "The swelling usually disappears within two days.",
            "The swelling usually passes within two days.",
            True,
        ),
        (
            "split",
            "Most of the wells lie at the edge of the desert, where the ground is hard.",
            "Most of the wells lie at the edge of the desert. The ground is hard.",
            False,
        ),
        (
            "split",
            "Most of the wells lie at the edge of the desert, where the ground is hard.",
            "Most of the wells lie at the edge of the desert. The ground is hard there.",
            True,
        ),
        (
            "split",
            "The count of the votes, which was done by 12 helpers, shows that few people came.",
            "The count of the votes shows that few people came. It was done by 12 helpers.",
            False,
        ),
        (
            "split",
            "Storing paint in the cellar is a fire risk and is therefore forbidden.",
            "Storing paint in the cellar is a fire risk. cellar is therefore forbidden.",
            False,
        ),
        (
            "split",
            "We invite all parents to the feast, which starts at 3 pm.",
            "We invite all parents to the feast. The start of the feast will start at 3 pm.",
            False,
        ),
    ],
)
def test_easier_sentences_say_the_same_of_the_same(control: str, before: str, after: str, does: bool) -> None:
    task = Task.of(before, parse("A reading grade of 4 at most."))
    assert is_taken(task, ControlRequest(0, 1, control), before, after) is does


@pytest.mark.parametrize(
    ("before", "after", "does"),
    [
        (
            "The lift in Block C, which was inspected in March, will be closed, and anyone who needs help should "
            "call Mr Boateng on 555 0148.",
            "The lift in Block C was inspected in March. It will be closed. Anyone who needs help should call "
            "Mr Boateng. He can be reached on 555 0148.",
            True,
        ),
        (
            "The edge of the field, which is dry, will be sown, and the crew will come in May to do it.",
            "The edge of the field will be sown. It is dry. The crew will come in May to do it.",
            False,  # what is dry?
        ),
        (
            "If you want to hold an event, or to join one of ours, write to the team.",
            "You may want to hold an event. Or you may want to join one of ours. If so, write to the team.",
            True,
        ),
        (
            "If you want to hold an event, or to join one of ours, write to the team.",
            "You want to hold an event. Or you want to join one of ours. Write to the team.",
            False,
        ),
        (
            "The roof leaks, while the walls, which were painted in June, have no damage at all.",
            "The roof leaks. However, the walls have no damage at all. The walls were painted in June.",
            True,
        ),
        (
            "The roof leaks, while the walls, which were painted in June, have no damage at all.",
            "The roof leaks. The gardener repaired the chimney. The walls have no damage at all.",
            False,
        ),
    ],
)
def test_a_split_may_link_and_name_anew_and_says_nothing_else(before: str, after: str, does: bool) -> None:
    task = Task.of(before, parse("At most 14 words a sentence."))
    assert is_taken(task, ControlRequest(0, 1, "split", (("n", 14),)), before, after) is does
