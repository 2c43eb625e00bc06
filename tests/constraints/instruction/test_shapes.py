"""Commands and lists in instructions."""

from __future__ import annotations

import pytest

from redraft.constraints import Commands, ListForm, check, parse

_STEPS = 'list_check("numbered", "one action")'


@pytest.mark.parametrize(
    ("instruction", "calls"),
    [
        ("Turn this into numbered steps, one thing to do per step.", [_STEPS]),
        ("Break it down into steps", [_STEPS]),
        ("Steps as a numbered list.", [_STEPS]),
        ("Put the steps in a numbered list.", [_STEPS]),
        ("Write step-by-step instructions.", [_STEPS]),
        ("Make this a numbered list.", ['list_check("numbered", "any")']),
        ("Turn the enumerations into bullet points", ['list_check("bulleted", "enumerated")']),
        ("bullet list for what the tenant has to do", ['list_check("bulleted", "enumerated")']),
        ("Make the list of plants a numbered list.", ['list_check("numbered", "enumerated")']),
        ("bullet points for the topics please", ['list_check("bulleted", "enumerated")']),
        ("Turn the sentences into bullet points.", ['list_check("bulleted", "any")']),
        ("as a bulleted list please", ['list_check("bulleted", "any")']),
        ("make it a list", ['list_check("bulleted", "any")']),
        ("Bullet points please, one action per bullet.", ['list_check("bulleted", "one action")']),
        ("write it as commands (imperative)", ["commands_check()"]),
        ("Use the imperative mood throughout.", ["commands_check()"]),
        ("Please rewrite the instructions in the imperative.", ["commands_check()"]),
    ],
)
def test_shapes_are_understood(instruction: str, calls: list[str]) -> None:
    read = parse(instruction)
    assert [one.call for one in read.constraints] == calls
    assert read.style == ""


@pytest.mark.parametrize(
    "instruction",
    [
        "Don't use bullet points.",
        "No bullet points, please.",
        "Make sure the steps stay in order.",
        "Fix the grammar in the list.",
        "Make the instructions clearer.",
        "Add a list of ingredients.",
        "I put the steps in a list; make it shorter.",
    ],
)
def test_a_list_that_is_only_spoken_of_is_none(instruction: str) -> None:
    assert not any(isinstance(one, ListForm | Commands) for one in parse(instruction).constraints)


@pytest.mark.parametrize(
    ("text", "met"),
    [
        ("1. Open the lid.\n2. Add salt.", True),
        ("You need a pot.\n\n1. Open the lid of the pot.\n2. Add salt.", True),
        ("1. Open the lid and add salt.\n2. Close it.", False),
        ("1. Open the lid.\n3. Add salt.", False),
        ("- Open the lid.\n- Add salt.", False),
        ("Open the lid. Add salt.", False),
        ("A long story is told here, with many words.\n1. Open the lid.\n2. Add salt.", False),
    ],
)
def test_steps_are_checked(text: str, met: bool) -> None:
    assert check(text, constraints=[ListForm("numbered", "one action")]).met is met


def test_commands_are_checked() -> None:
    assert check("Read the label. You can wash towels.", constraints=[Commands()]).met
    found = check("The label should be read.", constraints=[Commands()])
    assert not found.met
    assert "should be read" in found.findings[0].message
