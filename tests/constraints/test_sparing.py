"""What stays word for word is spared by demands on form, in checks and in proofs alike."""

from __future__ import annotations

import pytest

from redraft.constraints import check, infeasible, parse
from redraft.revision.task import Task

STORY = "“I don’t know. It’s 3 miles. We can’t walk!” she said. He did not answer. “Don’t go,” he thought."
PAGE = "# Top 10 tips\n\nUse a pen.\n\n# The 3 rules\n\nIt is so."


@pytest.mark.parametrize(
    "instruction",
    [
        "don't alter the dialogue, no contractions elsewhere",
        "Do not touch the dialogue; spell out numbers.",
        "Don't change the dialogue. No first person.",
        "Leave the dialogue as it is, and no exclamation marks.",
        "Keep the quotes. No contractions.",
        "Only change sentence 4. No contractions.",
        "Keep sentences 1, 2, 3 and 5. No contractions.",
    ],
)
def test_forms_are_asked_of_what_may_change(instruction: str) -> None:
    assert infeasible(instruction, original=STORY) is None
    revised = STORY.replace("He did not answer.", "He gave no answer.")
    found = check(revised, instruction, original=STORY)
    assert found.met, [one.message for one in found]


def test_headings_that_stay_keep_their_numbers() -> None:
    instruction = "keep the headings; spell out numbers"
    assert infeasible(instruction, original=PAGE, format="markdown") is None
    found = check(PAGE, instruction, original=PAGE, format="markdown")
    assert found.met
    assert "2 in what stays as it is" in found.findings[1].message
    offending = PAGE.replace("a pen", "2 pens")
    assert not check(offending, instruction, original=PAGE, format="markdown").met


def test_forms_elsewhere_are_found_and_what_stays_is_told() -> None:
    revised = STORY.replace("did not", "didn’t")
    contractions = check(revised, "don't alter the dialogue, no contractions", original=STORY).findings[1]
    assert not contractions.met
    assert contractions.measured == 1
    assert "4 in what stays as it is" in contractions.message


def test_marks_in_a_sentence_that_is_named_by_its_number_are_a_conflict_still() -> None:
    text = "It was late; we left. It rained."
    assert infeasible("No semicolons, and keep sentence 1.", original=text) is not None
    assert infeasible("No semicolons, and only change sentence 2.", original=text) is None


def test_a_task_does_not_count_forms_in_what_stays() -> None:
    task = Task.of(STORY, parse("don't alter the dialogue, no contractions, spell out numbers"))
    for sentence in task.kept:
        assert task.fault(sentence.text) == 0
        assert task.conform(sentence.text)[0] == sentence.text
    assert task.fault("He didn’t see 3 cats.") > 0
