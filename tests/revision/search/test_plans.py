"""What is made of advice: requests to the editor, versions of a sentence, one plan from two."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import parse_call
from redraft.revision.draft import Draft
from redraft.revision.records import Action, Improvement, explained
from redraft.revision.search.plans import apply_advice, editor_request, merge_plans, plan_for_units
from redraft.revision.task import Task
from redraft.text import Document


@pytest.mark.parametrize(
    ("advice", "asked"),
    [
        ("Fix the grammar: “have went” → “have gone”", "Fix the grammar"),
        ("make this more concise: “in order to” → “to”", "make this more concise"),
        ("Split this long sentence after “winter”", "Split this long sentence"),
        ("Fix the grammars", "Correct the spelling, grammar and punctuation"),
        ("Use plain words for the crossing", "Rewrite this in simple English"),
        ("Remove “synergy”", "Fix the grammar"),
        ("", "Fix the grammar"),
    ],
)
def test_the_editor_is_asked_in_words_that_it_knows(advice: str, asked: str) -> None:
    assert editor_request(advice) == asked


@pytest.mark.parametrize(
    ("text", "advice", "made"),
    [
        ("They have went home.", "Fix the grammar: “have went” → “have gone”", ["They have gone home."]),
        ("They have went home.", 'Write "have went" -> "have gone".', ["They have gone home."]),
        ("Really, it was late.", "Remove “Really,”", ["It was late."]),
        ("It was a odd, late hour.", "Cut “odd,”.", ["It was a late hour."]),
        ("A went, and B go.", "“went” → “goes”; “go” → “goes”",
         ["A goes, and B goes.", "A goes, and B go.", "A went, and B goes."]),
        ("The wentworth went.", "“went” → “goes”", ["The wentworth goes."]),
        ("It went and went.", "“went” → “goes”", []),
        ("It went.", "“gone” → “goes”", []),
        ("It went.", "“went” → “went”", []),
        ("It went.", "Remove “It went”", []),
        ("He is of age.", "Remove “age”", []),
        ("It went home.", "Make it clearer", []),
    ],
)  # fmt: skip
def test_a_named_replacement_is_a_version(text: str, advice: str, made: list[str]) -> None:
    found = apply_advice(text, advice, "planner")
    assert [one.text for one in found] == made
    assert {(one.by, explained(one.why)) for one in found} <= {("planner", advice)}


@given(st.text(max_size=80), st.text(alphabet='ab “”→"->.remov[](*\\', max_size=120))
def test_no_advice_breaks_it(text: str, advice: str) -> None:
    assert all(one.text != text for one in apply_advice(text, advice, "planner"))
    assert editor_request(advice)


TEXT = 'He said "no." Then he left the house. It was late in the evening. The town was dark.'


def both(
    said: tuple[Improvement, ...], *, leading: bool = True, keep: str = "[3]"
) -> tuple[Action, list[str]]:
    task = Task(TEXT, [parse_call(f'sentence_modification_check({keep}, "unchange")')], counting="constrev")
    draft = Draft.of(task)
    rules = Action(
        "by rule",
        ("text_eval()",),
        (
            Improvement(1, draft.units[0].text, "shorten it", "Fix the grammar"),
            Improvement(2, draft.units[1].text, "Fix the grammar", "Fix the grammar"),
            Improvement(3, draft.units[2].text),
        ),
    )
    action = merge_plans(rules, Action("Mine.", (), said, "fake"), draft, Document(TEXT), leading=leading)
    return action, [unit.text for unit in draft.units]


SAID = (
    Improvement(2, "", "Make it clearer: “left the house” → “went”"),
    Improvement(3, "", "Make it clearer"),
    Improvement(4, "", "Make it clearer"),
)


def test_advice_on_sentences_is_for_the_units_that_they_stand_in() -> None:
    action, units = both(SAID)
    assert len(units) == 3
    assert action.by == "rules and fake"
    assert (action.thought, action.calls) == ("by rule", ("text_eval()",))
    assert [(one.advice, one.edit) for one in action.plan] == [
        ("shorten it; Make it clearer: “left the house” → “went”", "Make it clearer"),
        ("Make it clearer", "Make it clearer"),
        ("", ""),  # it must stay
    ]


def test_a_plan_that_does_not_lead_adds_to_what_the_rules_ask() -> None:
    action, _ = both(SAID, leading=False, keep="[2]")
    assert [one.edit for one in action.plan] == ["Fix the grammar", "Fix the grammar", "Make it clearer"]


def test_without_advice_the_rules_plan_alone() -> None:
    action, _ = both((Improvement(1, ""),))
    assert action.by == "rules"


def test_a_persons_words_are_asked_as_they_are() -> None:
    draft = Draft.of(Task(TEXT))
    plan = plan_for_units(Action("", (), SAID, "person"), draft, Document(TEXT)).plan
    assert [one.edit for one in plan if one.edit] == [one.advice for one in SAID]
