"""The things to do in commands, and what is told to be done in other ways."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.text import action_starts, analyse_syntax, count_actions, find_list, find_told, told_verbs

_COMMANDS = (
    "open the lid", "fill the pot with water", "close the valve", "rinse it twice", "press the red button",
    "put the cover back", "wipe the glass", "unplug the lamp", "add 20 g of salt", "wait for five minutes",
)  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("Bring it to the boil and skim off the foam.", 2),
        (
            "Soak the beans for 12 hours, then drain them and put them in a pot with an onion and two leaves.",
            3,
        ),
        ("Add the salt, which is in the box, and stir well.", 2),
        ("If it is late, apologise and offer a voucher.", 1),
        ("To make tea, boil 2 cups of water.", 1),
        ("Take a knife to peel and cut the apple.", 1),
        ("Pull out the tube, but leave the tyre on.", 1),
        ("The self-test takes a minute and ends by itself.", 0),
        ("Push it back with your thumbs; do not use a lever.", 1),
        ("Fill it halfway with vinegar and water.", 1),
        ("Rub it with oil and salt and wait.", 2),
        ("Add the salt and water it needs.", 1),
        ("Enter your mail address and confirm it.", 2),
        ("Choose a date, type your name and press Enter.", 3),
        ("Wash, peel and chop the apples and put them in a pan.", 2),
        ("Peel and chop the onions.", 1),
        ("Add water and stir.", 2),
        ("Wipe it with a cloth and dry it.", 2),
        ("Grease and line a tin.", 1),
        ("Salt, oil and water are needed.", 0),
        ("Report cards arrive in May.", 0),
        ("Release notes are written in May.", 0),
        ("He was traded for Jerry Sands, Mark Melancon and Joe.", 0),
    ],
)
def test_each_thing_to_do_has_a_verb_of_its_own(sentence: str, count: int) -> None:
    assert count_actions(sentence) == count


@given(
    st.lists(st.sampled_from(_COMMANDS), min_size=1, max_size=4, unique=True),
    st.sampled_from([" and ", ", then "]),
)
def test_commands_that_are_joined_are_told_apart(commands: list[str], joint: str) -> None:
    sentence = joint.join(commands).capitalize() + "."
    assert len(action_starts(sentence)) == len(commands)


def test_items_of_a_list_have_their_numbers() -> None:
    assert [(one.number, one.text) for one in find_list("Steps:\n1. Go.\n2) Stop.\n- Rest.")] == [
        (1, "Go."),
        (2, "Stop."),
        (None, "Rest."),
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("The label should be read.", ["should be read"]),
        ("You have to close the door, and bags must not be left.", ["have to close", "must not be left"]),
        ("The powder is put into the box.", ["is put"]),
        ("Towels can be washed at 60 degrees.", []),
        ("The door can be opened only after two minutes.", ["can be opened"]),
        ("If the pot must be moved, take care.", []),
        ("This is an experience you should not miss.", []),
        ("The light should come on.", []),
        ("You should get a letter.", []),
        ("Unions are used in C code.", []),
        ("The shops are closed on Sunday.", []),
        ('"You must go," he said.', []),
        ("Employees must wear helmets.", ["must wear"]),
        ("Read the label.", []),
    ],
)
def test_what_is_told_is_no_command(text: str, told: list[str]) -> None:
    assert [text[one.start : one.end] for one in find_told(text)] == told


def test_what_may_be_done_is_leave() -> None:
    assert told_verbs(analyse_syntax("You may use the lift.")) == []
