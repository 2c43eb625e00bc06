"""What a model read in an instruction where the rules read nothing."""

from __future__ import annotations

import pytest

from redraft.constraints import parse_call
from redraft.revision.search.plans import suggested_constraints
from redraft.revision.task import Task

TEXT = "The ferry was built in 1962. It makes eleven crossings a day. Tourists enjoy the ride."
WORDS = 'word_count_check(40, "less than")'


def found(style: str, *calls: str, known: tuple[str, ...] = ()) -> list[str]:
    task = Task(TEXT, [parse_call(call) for call in known], style=style, instruction=style)
    return [constraint.call for constraint in suggested_constraints(task, calls)]


@pytest.mark.parametrize(
    ("style", "call"),
    [
        ("somewhere south of 40 words", WORDS),
        ("a ceiling of forty words or so", WORDS),
        ("at most 39 words, roughly", WORDS),
        ("let “Ferry” survive", 'keyword_keep_removal_check("ferry", "keep")'),
        ("let 'ferry' survive", 'keyword_keep_removal_check("ferry", "keep")'),
        ("hands off number 3", 'sentence_modification_check([3], "unchange")'),
        ("“ferry” some 2 times", 'keyword_frequency_check("ferry", 2, "equal")'),
        ("the word ferry should come up twice", 'keyword_frequency_check("ferry", 2, "equal")'),
    ],
)
def test_what_is_left_over_may_be_what_a_call_says(style: str, call: str) -> None:
    assert found(style, "text_eval()", call) == [call]


@pytest.mark.parametrize(
    ("style", "call"),
    [
        ("make it friendly", WORDS),
        ("somewhere south of 400 words", WORDS),
        ("keep the ferry", 'keyword_keep_removal_check("ferry", "keep")'),
        ("let “ferry” survive", 'keyword_keep_removal_check("ride", "keep")'),
        ("“ferry” now and then", 'keyword_frequency_check("ferry", 2, "equal")'),
        ("hands off number 3", 'sentence_modification_check([2], "unchange")'),
        ("hands off number 9", 'sentence_modification_check([9], "unchange")'),
        ("of 40 words", "nonsense(40)"),
        ("of 40 words", "__import__('os').system('40')"),
        ("about 3 of them", 'preserve_check("names")'),
    ],
)
def test_what_stands_nowhere_in_it_is_not(style: str, call: str) -> None:
    assert found(style, call) == []


def test_the_rules_reading_stands() -> None:
    assert found("of 40 words", WORDS, known=('word_count_check(60, "more than")',)) == []
    assert found("of 40 words", WORDS, known=(WORDS,)) == []
    assert found("of 40 words", WORDS, 'word_count_check(40, "more than")') == [WORDS]
