from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redraft.constraints import Constraint, kinds, parse_call
from redraft.constraints.kinds import (
    Keyword,
    KeywordFrequency,
    ReadingGrade,
    SentenceModification,
    UniqueSentences,
    WordCount,
)
from redraft.errors import CallError
from tests.constraints.texts import constraints


@pytest.mark.parametrize(
    ("text", "constraint"),
    [
        ('word_count_check(300, "less than")', WordCount(300, "less than")),
        ("word_count_check(300, 'less than')", WordCount(300, "less than")),
        ("  word_count_check ( 300 , “less than” , ) ", WordCount(300, "less than")),
        ('word_count_check(count=300, relation="less than")', WordCount(300, "less than")),
        ('word_count_check(250, "at most")', WordCount(251, "less than")),
        ('word_count_check(250, ">=")', WordCount(249, "more than")),
        ('word_count_check(250, "Exactly")', WordCount(250, "equal")),
        ('sentence_modification_check([19, 3, 3], "unchange")', SentenceModification((3, 19), "unchange")),
        ('sentence_modification_check(3, "change")', SentenceModification((3,), "change")),
        ('sentence_check([1], "unchange")', SentenceModification((1,), "unchange")),
        ('keyword_frequency_check("eat", 2, "more than")', KeywordFrequency("eat", 2, "more than")),
        (r'keyword_keep_removal_check("say \"hi\"", "keep")', Keyword('say "hi"', "keep")),
        ('keyword_keep_removal_check("few years.", "remove")', Keyword("few years.", "remove")),
        ('reading_grade_check(8, "at most")', ReadingGrade(8.0, "at most")),
        ("unique_sentences_check()", UniqueSentences()),
    ],
)
def test_reads_the_papers_syntax(text: str, constraint: Constraint) -> None:
    assert parse_call(text) == constraint


@pytest.mark.parametrize(
    ("text", "position", "says"),
    [
        ("word_cuont_check(300, 'less than')", 0, "did you mean word_count_check"),
        ("frobnicate(1)", 0, "unknown constraint 'frobnicate'; known are"),
        ('word_count_check("300", "less than")', 17, "count must be a whole number"),
        ('word_count_check(3.5, "less than")', 17, "count must be a whole number"),
        ('word_count_check(300, "sideways")', 22, 'unknown relation "sideways"'),
        ('word_count_check(-3, "less than")', 17, "must not be negative"),
        ("word_count_check(300)", 21, "needs relation"),
        ('word_count_check(1, "less than", 2)', 33, "2 arguments at most"),
        ('word_count_check(1, size="less than")', 20, "no argument 'size'"),
        ("word_count_check(1, count=2)", 20, "given twice"),
        ("word_count_check(300, less than)", 27, "expected '='"),
        ("word_count_check 300", 17, "expected '('"),
        ('word_count_check(300, "less than"', 33, "expected ','"),
        ('word_count_check(300, "less than") extra', 35, "nothing may follow"),
        ('sentence_modification_check([0], "change")', 28, "counted from 1"),
        ('sentence_modification_check([], "change")', 28, "at least one sentence"),
        ('sentence_modification_check(["a"], "change")', 28, "a list of whole numbers"),
        ('sentence_modification_check([[1]], "change")', 29, "expected a number"),
        ('keyword_keep_removal_check("  ", "keep")', 27, "keyword is empty"),
        ('keyword_keep_removal_check("a", "kill")', 32, 'one of "keep", "remove"'),
        ('pattern_check("(", "require")', 14, "not a regular expression"),
        ("word_count_check(99999999999999999999, 'less than')", 17, "too large"),
        ("__import__('os').system('true')", 16, "nothing may follow"),
        ("", 0, "expected a name"),
    ],
)
def test_an_error_names_what_is_wrong_and_where(text: str, position: int, says: str) -> None:
    with pytest.raises(CallError) as caught:
        parse_call(text)
    assert says in str(caught.value)
    assert caught.value.position == position


def test_a_sentence_that_does_not_exist_is_an_error_where_the_text_is_known() -> None:
    with pytest.raises(CallError, match="sentence 12 is named, but the text has 9 sentences"):
        parse_call('sentence_modification_check([3, 12], "unchange")', sentences=9)
    assert parse_call('sentence_modification_check([3, 9], "unchange")', sentences=9)


@given(constraints)
def test_a_call_reads_back_as_its_constraint(constraint: Constraint) -> None:
    assert parse_call(constraint.call) == constraint


@given(st.text(min_size=1).filter(str.strip))
def test_any_keyword_survives_the_syntax(keyword: str) -> None:
    assert parse_call(Keyword(keyword, "keep").call) == Keyword(keyword, "keep")


@given(st.text() | st.builds("{}({})".format, st.sampled_from(sorted(kinds())), st.text()))
def test_anything_else_is_an_error_and_nothing_more(text: str) -> None:
    position = 0
    try:
        parse_call(text)
    except CallError as error:
        position = error.position
    assert 0 <= position <= len(text)
