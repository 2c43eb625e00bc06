from __future__ import annotations

import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from redraft.constraints import Constraint, parse_instruction, render
from redraft.constraints.kinds import (
    CharacterCount,
    EndsWith,
    Keyword,
    KeywordFrequency,
    ParagraphCount,
    Pattern,
    Preserve,
    ReadingGrade,
    SentenceCount,
    SentenceLength,
    SentenceModification,
    StartsWith,
    UniqueSentences,
    WordCount,
)

RELATIONS = st.sampled_from(["less than", "more than", "equal"])
COUNTS = st.one_of(st.integers(0, 60), st.integers(0, 10**8))
LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"])
KEYWORDS = st.one_of(
    st.sampled_from(
        ["the", "not", "'", '"x"', "don't", "U.S.", "e.g.", "3/4 cup", "sentence 4", "300 words", "no"]
    ),
    st.text(string.ascii_letters + " -'", min_size=1, max_size=12),
    st.text(LETTERS, min_size=1, max_size=20),
).map(str.strip)
KEYWORDS = KEYWORDS.filter(lambda text: bool(text) and len(set(text) & set('"»›`’')) < 2)
PATTERNS = st.one_of(
    st.sampled_from([r"\d{4}", "foo|bar", "a/b", r"https?://\S+", " x ", "[\"']", "^The", r"\bthe\b", r"\/"]),
    st.text(string.ascii_letters + " -'\"0123456789", min_size=1, max_size=12),
)
CONSTRAINTS: st.SearchStrategy[Constraint] = st.one_of(
    st.builds(WordCount, COUNTS, RELATIONS),
    st.builds(SentenceCount, COUNTS, RELATIONS),
    st.builds(SentenceLength, COUNTS, RELATIONS),
    st.builds(ParagraphCount, COUNTS, RELATIONS),
    st.builds(CharacterCount, COUNTS, RELATIONS),
    st.builds(
        SentenceModification,
        st.lists(st.integers(1, 200), min_size=1, max_size=5).map(tuple),
        st.sampled_from(["change", "unchange"]),
    ),
    st.builds(Keyword, KEYWORDS, st.sampled_from(["keep", "remove"])),
    st.builds(KeywordFrequency, KEYWORDS, st.integers(0, 50), RELATIONS),
    st.builds(
        ReadingGrade,
        st.integers(1, 18) | st.sampled_from([6.5, 7.5]),
        st.sampled_from(["at most", "at least"]),
    ),
    st.builds(Preserve, st.sampled_from(["numbers", "quotations", "entities", "citations", "links"])),
    st.builds(StartsWith, KEYWORDS),
    st.builds(EndsWith, KEYWORDS),
    st.builds(Pattern, PATTERNS, st.sampled_from(["require", "forbid"])),
    st.just(UniqueSentences()),
)


@settings(max_examples=400)
@given(st.lists(CONSTRAINTS, min_size=1, max_size=6), st.integers(0, 10**6))
def test_rendering_reads_back_as_the_same_constraints(constraints: list[Constraint], seed: int) -> None:
    text = render(constraints, seed)
    read = parse_instruction(text)
    assert set(read.constraints) == set(constraints), text
    assert len(read.constraints) == len(set(constraints))


@settings(max_examples=200)
@given(CONSTRAINTS)
def test_every_phrasing_reads_back(constraint: Constraint) -> None:
    for phrasing in constraint.phrasings():
        assert parse_instruction(phrasing).constraints == (constraint,), phrasing


@settings(max_examples=200)
@given(CONSTRAINTS)
def test_every_clause_reads_back_after_make_sure_that(constraint: Constraint) -> None:
    keyword = getattr(constraint, "keyword", "word")
    assume(keyword.isalpha() and keyword.isascii())  # of odd keywords, `render` takes what reads back
    for clause in constraint.clauses():
        assert parse_instruction(f"Make sure that {clause}.").constraints == (constraint,), clause


@pytest.mark.parametrize(
    ("constraint", "odd"),
    [
        (WordCount(300, "less than"), "299"),
        (WordCount(850, "more than"), "851"),
        (KeywordFrequency("sea", 1, "more than"), "1 time"),
        (KeywordFrequency("sea", 2, "less than"), "twice"),
    ],
)
def test_numbers_are_said_as_people_say_them(constraint: Constraint, odd: str) -> None:
    assert not [said for said in (*constraint.phrasings(), *constraint.clauses()) if odd in said]


@settings(max_examples=100)
@given(st.lists(CONSTRAINTS, min_size=1, max_size=4), st.integers(0, 1000))
def test_a_style_part_comes_back_as_style(constraints: list[Constraint], seed: int) -> None:
    read = parse_instruction(render(constraints, seed, style="Make it friendlier and more vivid"))
    assert set(read.constraints) == set(constraints)
    assert read.style == "Make it friendlier and more vivid"


def test_the_same_seed_gives_the_same_words_and_other_seeds_give_others() -> None:
    constraints = [
        WordCount(300, "less than"),
        SentenceModification((4,), "unchange"),
        Keyword("synergy", "remove"),
    ]
    texts = {render(constraints, seed) for seed in range(200)}
    assert render(constraints, 7) == render(constraints, 7)
    assert len(texts) > 100


def test_bounds_on_both_sides_may_be_said_together() -> None:
    constraints = [WordCount(300, "less than"), WordCount(250, "more than")]
    texts = [render(constraints, seed) for seed in range(30)]
    assert any("more than 250 but fewer than 300 words" in text for text in texts)
    assert all(set(parse_instruction(text).constraints) == set(constraints) for text in texts)


@pytest.mark.parametrize("seed", range(20))
def test_nothing_renders_as_the_style_alone(seed: int) -> None:
    assert render([], seed) == ""
    assert render([], seed, style="Make it friendlier.") == "Make it friendlier."
