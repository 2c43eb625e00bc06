from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import Constraint, all_kinds, parse_call
from redraft.constraints.calls import looks_like_call
from redraft.constraints.kinds import (
    Keyword,
    KeywordFrequency,
    ReadingGrade,
    SentenceLength,
    SentenceModification,
    SentenceStarts,
    Spelling,
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
        ('keyword_frequency_check("eat", 2, "at most")', KeywordFrequency("eat", 3, "less than")),
        ('sentence_length_check(2, "at most")', SentenceLength(3, "less than")),
        (r'keyword_keep_removal_check("say \"hi\"", "keep")', Keyword('say "hi"', "keep")),
        ('keyword_keep_removal_check("few years.", "remove")', Keyword("few years.", "remove")),
        ('reading_grade_check(8, "at most")', ReadingGrade(8.0, "at most")),
        ("unique_sentences_check()", UniqueSentences()),
        ('sentence_start_check(["But", " There  is", "But"])', SentenceStarts(("But", "There is"))),
        ('sentence_start_check(["But", "but"])', SentenceStarts(("But",))),
        ('spelling_check("British")', Spelling("british")),
        ("word_count_check(1_000, “no more than”)", WordCount(1001, "less than")),
        ("word_count_check(1000000000, ‘equal’)", WordCount(10**9, "equal")),
        ("sentence_modification_check( [ 2 ,1, ] ,'CHANGE')", SentenceModification((1, 2), "change")),
        (r"""keyword_keep_removal_check('tab\tline\nit\'s \u00e9 \q', "keep")""", Keyword("tab\tline\nit's é q", "keep")),
        ("reading_grade_check(grade=-2.5, relation=' at  Least ')", ReadingGrade(-2.5, "at least")),
    ],
)  # fmt: skip
def test_reads_the_papers_syntax(text: str, constraint: Constraint) -> None:
    assert parse_call(text) == constraint


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("word_cuont_check(300, 'less than')", 0, "unknown constraint 'word_cuont_check'; did you mean word_count_check?"),
        ("frobnicate(1)", 0, f"unknown constraint 'frobnicate'; known are {', '.join(all_kinds())}"),
        ('word_count_check("300", "less than")', 17, "word_count_check: count must be a whole number"),
        ('word_count_check(3.5, "less than")', 17, "word_count_check: count must be a whole number"),
        ('word_count_check([3], "less than")', 17, "word_count_check: count must be a whole number"),
        ('reading_grade_check("8", "at most")', 20, "reading_grade_check: grade must be a number"),
        ('reading_grade_check(101, "at most")', 20, "reading_grade_check: 101.0 is no school grade"),
        ('keyword_keep_removal_check(8, "keep")', 27, "keyword_keep_removal_check: keyword must be a string"),
        ('word_count_check(300, "sideways")', 22,
         'unknown relation "sideways"; use one of "less than", "more than", "equal", "at least", "at most"'),
        ('word_count_check(-3, "less than")', 17, "word_count_check: the count must not be negative, and is -3"),
        ('keyword_frequency_check("a", -1, "equal")', 24,
         "keyword_frequency_check: the frequency must not be negative, and is -1"),
        ("word_count_check(300)", 21, "word_count_check needs relation: word_count_check(count, relation)"),
        ('word_count_check(1, "less than", 2)', 33,
         "word_count_check takes 2 arguments at most: word_count_check(count, relation)"),
        ('word_count_check(1, size="less than")', 20,
         "word_count_check takes no argument 'size': word_count_check(count, relation)"),
        ("word_count_check(1, count=2)", 20, "count is given twice"),
        ("word_count_check(300, less than)", 27, "expected '='"),
        ("word_count_check 300", 17, "expected '('"),
        ('word_count_check(300, "less than"', 33, "expected ','"),
        ('word_count_check(300, "less than") extra', 35, "nothing may follow the call"),
        ('sentence_modification_check([0], "change")', 28,
         "sentence_modification_check: sentences are counted from 1, and 0 is named"),
        ('sentence_modification_check([], "change")', 28, "sentence_modification_check: name at least one sentence"),
        ('sentence_modification_check([1 2], "change")', 31, "expected ','"),
        ('sentence_modification_check(["a"], "change")', 28,
         "sentence_modification_check: sentences must be a list of whole numbers"),
        ('sentence_modification_check([[1]], "change")', 29, "expected a number or a quoted string"),
        ('keyword_keep_removal_check("  ", "keep")', 27, "keyword_keep_removal_check: the keyword is empty"),
        ('keyword_frequency_check("", 1, "equal")', 24, "keyword_frequency_check: the keyword is empty"),
        ('starts_with_check("")', 18, "starts_with_check: the keyword is empty"),
        ('ends_with_check("")', 16, "ends_with_check: the keyword is empty"),
        ('keyword_keep_removal_check("a", "kill")', 32,
         'keyword_keep_removal_check: relation must be one of "keep", "remove"'),
        ('pattern_check("", "require")', 14, "pattern_check: the pattern is empty"),
        ('pattern_check("(", "require")', 14,
         "pattern_check: '(' is not a regular expression: missing ) at position 1"),
        ("word_count_check(1000000001, 'less than')", 17, "the number is too large; counts go up to 1000000000"),
        ("word_count_check(99999999999999999999, 'less than')", 17,
         "the number is too large; counts go up to 1000000000"),
        ("__import__('os').system('true')", 16, "nothing may follow the call"),
        ("", 0, "expected a name such as word_count_check"),
    ],
)  # fmt: skip
def test_an_error_names_what_is_wrong_and_where(text: str, position: int, message: str) -> None:
    with pytest.raises(CallError) as caught:
        parse_call(text)
    assert str(caught.value) == f"{message}\n  {text}\n  {' ' * position}^"
    assert (caught.value.call, caught.value.position) == (text, position)


def test_of_a_long_call_the_part_around_the_error_is_shown() -> None:
    keyword = "a very\tlong\nkeyword " * 9
    with pytest.raises(CallError) as caught:
        parse_call(f'keyword_frequency_check("{keyword}", "two", "{"less" * 30}")')
    _, shown, pointer = str(caught.value).split("\n")
    assert shown == f'  {("a very long keyword " * 9)[-57:]}", "two", "{"less" * 13}'
    assert pointer == f"  {' ' * 60}^"


def test_a_sentence_that_does_not_exist_is_an_error_where_the_text_is_known() -> None:
    with pytest.raises(CallError, match="sentence 12 is named, but the text has 9 sentences"):
        parse_call('sentence_modification_check([3, 12], "unchange")', sentences=9)
    assert parse_call('sentence_modification_check([3, 9], "unchange")', sentences=9)


@pytest.mark.parametrize(
    ("wordings", "meant"),
    [
        ("less than|fewer than|under|below|<", WordCount(9, "less than")),
        ("more than|greater than|over|above|>", WordCount(9, "more than")),
        ("at most|no more than|up to|maximum|max|<=|≤", WordCount(10, "less than")),
        ("at least|no less than|minimum|min|>=|≥", WordCount(8, "more than")),
        ("equal|equal to|equals|exactly|=|==", WordCount(9, "equal")),
    ],
)
def test_every_wording_of_a_relation_is_known(wordings: str, meant: Constraint) -> None:
    for wording in wordings.split("|"):
        assert parse_call(f'word_count_check(9, "{wording.upper()}")') == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (' word_count_check (3, "less than")', True),
        ("wrod_check(", True),
        ("word_count(3)", False),
        ("use word_count_check(3)", False),
        ("Keep it under 3 words (check it).", False),
    ],
)
def test_a_call_is_known_from_english(text: str, meant: bool) -> None:
    assert looks_like_call(text) is meant


@given(constraints)
def test_a_call_reads_back_as_its_constraint(constraint: Constraint) -> None:
    assert parse_call(constraint.call) == constraint


@given(st.text(min_size=1).filter(str.strip))
def test_any_keyword_survives_the_syntax(keyword: str) -> None:
    assert parse_call(Keyword(keyword, "keep").call) == Keyword(keyword, "keep")


@given(st.text() | st.builds("{}({})".format, st.sampled_from(sorted(all_kinds())), st.text()))
def test_anything_else_is_an_error_and_nothing_more(text: str) -> None:
    position = 0
    try:
        parse_call(text)
    except CallError as error:
        position = error.position
    assert 0 <= position <= len(text)
