"""Of constraints that conflict, what gives way: numbers before words, words before sentences."""

from __future__ import annotations

from redraft.constraints import constraints_of
from redraft.revision.task import Task, relax_constraints

LONG = "The council met twice a week and, after some debate, decided to ration coal in the town."
TEXT = f"It was cold. {LONG} Nobody spoke."
KEEP = 'sentence_modification_check([2], "unchange")'


def left(*calls: str, text: str = TEXT) -> list[str]:
    return [one.call for one in relax_constraints(Task(text, constraints_of(calls))).constraints]


def test_what_does_not_conflict_is_left_alone() -> None:
    calls = ['word_count_check(20, "less than")', KEEP]
    assert left(*calls) == calls


def test_a_bound_that_gives_way_to_a_sentence_is_met_as_nearly_as_may_be() -> None:
    calls = ['sentence_length_check(9, "less than")', KEEP]
    assert left(*calls) == calls


def test_a_sentence_gives_way_only_to_more_than_one() -> None:
    calls = ['word_count_check(9, "less than")', 'keyword_keep_removal_check("coal", "remove")', KEEP]
    assert left(*calls) == calls[:2]


def test_a_bound_gives_way_to_its_contrary() -> None:
    calls = [
        'word_count_check(9, "less than")',
        'word_count_check(12, "more than")',
        "unique_sentences_check()",
    ]
    assert left(*calls) == calls[1:]
    often = ['keyword_frequency_check("coal", 2, "more than")', 'keyword_frequency_check("coal", 1, "equal")']
    assert left(*often) == often[1:]


def test_a_sentence_that_is_not_there_gives_way() -> None:
    calls = ['sentence_modification_check([9], "unchange")', 'word_count_check(20, "less than")']
    assert left(*calls) == calls[1:]
