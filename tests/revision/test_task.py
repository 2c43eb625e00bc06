"""What is asked of a revision, in the terms that repair works with."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import constraints_of, parse
from redraft.constraints.bounds import Interval
from redraft.constraints.kinds.sentences import sentence_key
from redraft.revision.task import Task

TEXT = "The cat sat on 12 mats. It was late!  “No,” said Ann Lee. It was late."


def task(*calls: str, text: str = TEXT, counting: str = "default") -> Task:
    return Task(text, constraints_of(calls), counting=counting)


def test_words_and_calls_add_up_each_once() -> None:
    instruction = parse("Under 30 words, and be friendly.")
    calls = constraints_of(['word_count_check(30, "less than")', 'sentence_count_check(3, "less than")'])
    found = Task.of(TEXT, instruction, calls)
    assert [one.call for one in found.constraints] == [
        'word_count_check(30, "less than")',
        'sentence_count_check(3, "less than")',
    ]
    assert "friendly" in found.style
    assert found.request == "Under 30 words, and be friendly."


def test_a_model_is_told_of_calls_in_words() -> None:
    assert Task(TEXT).request == "Improve the text."
    told = task('keyword_keep_removal_check("cat", "remove")').request
    assert told.startswith("Improve the text. ")
    assert "cat" in told


def test_bounds_on_the_same_quantity_are_met_together() -> None:
    found = task('word_count_check(30, "less than")', 'word_count_check(20, "less than")', 'word_count_check(5, "more than")')  # fmt: skip
    assert found.bounds("words") == Interval(6, 19)
    assert found.bounds("characters") == Interval()
    assert task('paragraph_count_check(3, "equal")').bounds("sentences") == Interval(3, math.inf)


def test_a_keyword_that_may_occur_no_time_is_banned() -> None:
    found = task(
        'keyword_frequency_check("cat", 1, "less than")', 'keyword_keep_removal_check("mats", "remove")'
    )
    assert set(found.banned) == {"cat", "mats"}
    assert found.frequencies["cat"].high == 0


def test_what_stays_and_what_does_not() -> None:
    only = task('sentence_modification_check([2], "change")')
    assert [one.number for one in only.kept] == [1, 3, 4]
    assert [one.number for one in only.altered] == [2]
    loose = task('sentence_modification_check([2], "change")', counting="constrev")
    assert loose.kept == ()


def test_a_repeat_is_one_whatever_its_case_and_mark() -> None:
    found = task("unique_sentences_check()")
    assert [one.number for one in found.repeats] == [4]
    assert found.altered == found.repeats
    assert Task(TEXT).repeats == ()
    assert sentence_key("It was  LATE!") == sentence_key("it was late.") != sentence_key("It was lately.")


def test_the_longest_edge_counts_in_the_users_own_words() -> None:
    found = task('starts_with_check("The")', 'starts_with_check("The cat")', 'ends_with_check("was LATE.")')
    assert found.required_ends == {"start": "The cat", "end": "was LATE."}
    assert found.starts("the cat slept.")
    assert not found.starts("The dog slept.")
    assert found.closes("It was late!")
    assert not found.closes("It was early.")


def test_a_fault_is_how_far_off_a_stretch_is() -> None:
    found = task('sentence_length_check(4, "less than")', 'keyword_keep_removal_check("cat", "remove")')
    assert found.fault("It was late.") == 0
    assert found.fault("It was very late indeed.") == 2
    assert found.fault("The cat sat.") > 20
    assert task('pattern_check("[0-9]+", "forbid")').fault("In 12 or 13 years.") == 50
    assert task('pattern_check("[0-9]+", "forbid")').forbidden("In 12 or 13 years.") == ["12", "13"]


@pytest.mark.parametrize("counting", ["default", "constrev"])
@given(cut=st.integers(0, 4))
def test_totals_add_up_over_sentences(counting: str, cut: int) -> None:
    calls = (
        'word_count_check(9, "less than")', 'sentence_count_check(3, "less than")', 'keyword_frequency_check("it", 2, "equal")',
        'preserve_check("numbers")', 'preserve_check("entities")', 'pattern_check("late", "require")',
    )  # fmt: skip
    found = task(*calls, counting=counting)
    parts = ["The cat sat on 12 mats.", "It was late!", "No, said Ann Lee.", "It was late."]
    one, other = " ".join(parts[:cut]), " ".join(parts[cut:])
    assert len(found.totals) >= len(calls)
    for total in found.totals:
        whole = total.amount(" ".join(parts))
        assert sum(total.amount(part) for part in (one, other) if part) == whole


def test_a_task_without_a_constraint_is_the_same_but_for_it() -> None:
    found = task('word_count_check(9, "less than")', "unique_sentences_check()", counting="constrev")
    less = found.without(found.constraints[0])
    assert [one.call for one in less.constraints] == ["unique_sentences_check()"]
    assert (less.original, less.counting, less.format) == (found.original, "constrev", "text")


def test_checking_is_the_checkers() -> None:
    found = task('word_count_check(9, "less than")').check("One two three.")
    assert found.met
    assert found.counting == "default"


SECTIONS = "It was cold. We left early.\n\nNobody spoke on the way home. It was late.\n\nAll is well now."


@pytest.mark.parametrize(
    ("instruction", "free"),
    [
        ("Soften the second paragraph", {3, 4}),
        ("The second sentence is clumsy. The rest is fine.", {2}),
        ("make the conclusion stronger", {5}),
        ("Soften the second paragraph, and no contractions", {1, 2, 3, 4, 5}),
        ("Soften it", {1, 2, 3, 4, 5}),
    ],
)
def test_what_a_wish_about_one_part_leaves_alone(instruction: str, free: set[int]) -> None:
    task = Task.of(SECTIONS, parse(instruction))
    assert {one.number for one in task.before.sentences} - {one.number for one in task.kept} == free


def test_a_part_that_is_to_be_shorter_has_a_bound() -> None:
    task = Task.of(SECTIONS, parse("Shorten the second paragraph."))
    (bound,) = task.part_lengths
    assert bound.part == "paragraph 2"
    assert bound.allowed.high < 9
    assert not Task.of(SECTIONS, parse("Shorten it.")).part_lengths
