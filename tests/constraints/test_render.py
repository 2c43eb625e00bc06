from __future__ import annotations

import string
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings, strategies as st

from redraft.constraints import Constraint, parse, render
from redraft.constraints.kinds import (
    CharacterCount,
    Commands,
    Contractions,
    EndsWith,
    HeadingCase,
    Keyword,
    KeywordFrequency,
    ListForm,
    NarrativeTense,
    Numbers,
    Openings,
    ParagraphCount,
    PassiveVoice,
    Pattern,
    PersonUse,
    Preserve,
    Punctuation,
    ReadingEase,
    ReadingGrade,
    RelativeLength,
    SentenceCount,
    SentenceEdit,
    SentenceLength,
    SentenceModification,
    SentenceStarts,
    SerialComma,
    Spelling,
    StartsWith,
    UniqueSentences,
    WordCount,
)
from redraft.text import MARKS

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
STARTS = st.sampled_from(["But", "There is", "However", "I", "Moreover", "The firm"])
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
    st.builds(Spelling, st.sampled_from(["british", "american", "oxford"])),
    st.builds(SerialComma, st.sampled_from(["use", "avoid"])),
    st.builds(Punctuation, st.sampled_from(MARKS), st.integers(0, 50), RELATIONS),
    st.builds(Contractions, st.sampled_from(["none", "use"])),
    st.builds(
        RelativeLength,
        st.integers(0, 99),
        st.sampled_from(["percent", "words", "sentences"]),
        st.sampled_from(["shorter", "longer"]),
    ).map(lambda one: one if one.amount else replace(one, unit="percent")),
    st.builds(
        SentenceEdit,
        st.sampled_from(["delete", "combine", "swap"]),
        st.lists(st.integers(1, 60) | st.integers(-20, -1), min_size=2, max_size=2, unique=True).map(tuple),
    ),
    st.builds(PassiveVoice, st.integers(0, 50), RELATIONS),
    st.builds(
        PersonUse, st.sampled_from(["first", "first singular", "second"]), st.sampled_from(["none", "use"])
    ),
    st.builds(NarrativeTense, st.sampled_from(["past", "present"])),
    st.builds(Commands),
    st.builds(
        ListForm,
        st.sampled_from(["numbered", "bulleted"]),
        st.sampled_from(["any", "one action", "enumerated"]),
    ),
    st.builds(
        ReadingGrade,
        st.integers(1, 18) | st.sampled_from([6.5, 7.5]),
        st.sampled_from(["at most", "at least"]),
        st.sampled_from(["gunning fog", "smog", "coleman-liau", "ari", "dale-chall"]),
    ),
    st.builds(ReadingEase, st.integers(1, 100), st.sampled_from(["at most", "at least"])),
    st.builds(Numbers, st.sampled_from(["digits", "words"]), st.integers(0, 2000)),
    st.builds(HeadingCase, st.sampled_from(["title", "sentence"])),
    st.just(Openings()),
    st.builds(SentenceStarts, st.lists(STARTS, min_size=1, max_size=3).map(tuple)),
)


@settings(max_examples=200)
@given(st.lists(CONSTRAINTS, min_size=1, max_size=6), st.integers(0, 10**6))
def test_rendering_reads_back_as_the_same_constraints(constraints: list[Constraint], seed: int) -> None:
    text = render(constraints, seed)
    read = parse(text)
    assert set(read.constraints) == set(constraints), text
    assert len(read.constraints) == len(set(constraints))


@settings(max_examples=200)
@given(CONSTRAINTS)
def test_every_phrasing_reads_back(constraint: Constraint) -> None:
    for phrasing in constraint.phrasings():
        assert parse(phrasing).constraints == (constraint,), phrasing


@settings(max_examples=200)
@given(CONSTRAINTS)
def test_every_clause_reads_back_after_make_sure_that(constraint: Constraint) -> None:
    keyword = getattr(constraint, "keyword", "word")
    assume(keyword.isalpha() and keyword.isascii())  # of odd keywords, `render` takes what reads back
    for clause in constraint.clauses():
        assert parse(f"Make sure that {clause}.").constraints == (constraint,), clause


@pytest.mark.parametrize(
    ("constraint", "said"),
    [
        (SentenceModification((1, 2, 13), "change"),
         ["Only change the 1st, 2nd and 13th sentences.", "Only change sentences 1, 2 and 13.",
          "Only change the first, second and thirteenth sentences."]),
        (SentenceModification((3,), "unchange"),
         ["Do not change the 3rd sentence.", "Do not change sentence 3.", "Do not change the third sentence."]),
        (SentenceModification((20, 111), "unchange"),
         ["Do not change the 20th and 111th sentences.", "Do not change sentences 20 and 111."]),
        (SentenceModification((20,), "unchange"),
         ["Do not change the 20th sentence.", "Do not change sentence 20.", "Do not change the twentieth sentence."]),
        (Keyword("sea", "keep"), ['Do not change the word "sea".']),
        (Keyword('the "sea"', "keep"), ['Do not change the phrase «the "sea"».']),
        (Keyword("\"»`›'", "keep"), ["Do not change the word \"\"»`›'\"."]),
        (KeywordFrequency("{sea}", 2, "equal"), ['The word "{sea}" should appear exactly twice.']),
        (Preserve("entities"), ["Keep all named entities.", "Preserve every named entity."]),
        (Pattern("a/b", "forbid"), ['The text must not match the pattern "a/b".']),
        (Pattern("ab", "require"), ["The text must match the pattern /ab/."]),
        (ReadingGrade(8, "at least"), ["The reading grade should be at least 8."]),
        (SentenceLength(21, "less than"), ["Each sentence should contain fewer than 21 words."]),
    ],
)  # fmt: skip
def test_what_is_said_first_of_each_kind(constraint: Constraint, said: list[str]) -> None:
    assert list(constraint.phrasings()[: len(said)]) == said


def test_a_sentence_may_be_no_longer_than_a_round_number() -> None:
    for length, relation, end in (
        (21, "less than", "longer than 20 words"),
        (4, "more than", "shorter than 5 words"),
    ):
        one = SentenceLength(length, relation)  # type: ignore[arg-type]
        assert one.phrasings()[-1] == f"No sentence may be {end}."
        assert one.clauses()[-1] == f"no sentence is {end}"
    for one in (SentenceLength(20, "less than"), SentenceLength(20, "equal"), SentenceLength(2, "less than")):
        assert not any("may be" in said for said in one.phrasings())


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
    read = parse(render(constraints, seed, style="Make it friendlier and more vivid"))
    assert set(read.constraints) == set(constraints)
    assert read.style == "Make it friendlier and more vivid"


MANY = [
    WordCount(300, "less than"),
    WordCount(250, "more than"),
    SentenceModification((4,), "unchange"),
    Keyword("synergy", "remove"),
    SentenceLength(25, "less than"),
    KeywordFrequency("sea", 2, "more than"),
]


@pytest.mark.parametrize(
    ("seed", "style", "many", "text"),
    [
        (2, "Please revise this:", 3,
         'Please revise this. Write over 250 but under 300 words in all, and leave sentence 4 untouched.'),
        (3, "", 4,
         'Ensure that the word "synergy" does not appear. The text should contain over 250 but under 300 words. Also, do not touch the fourth sentence.'),
        (5, "Please revise this:", 6,
         'Please revise this, making sure that the result contains more than 250 and fewer than 300 words. The word "synergy" must not appear. Use the word "sea" no fewer than 3 times, and keep the 4th sentence unchanged. Every sentence must have less than 25 words.'),
        (10, "Make it friendlier.", 5,
         'Make it friendlier, ensuring that the word "synergy" is not used and that sentence 4 stays as it is. Use more than 250 but fewer than 300 words in total. Keep all sentences below 25 words.'),
        (11, "Please revise this:", 6,
         'Please revise this. Make no changes to the 4th sentence, and write more than 250 but fewer than 300 words in all. The word "sea" must occur no fewer than three times, and every sentence must have under 25 words. Remove the word "synergy".'),
        (17, "Please revise this:", 6,
         'Please revise this. The revised version must be more than 250 and fewer than 300 words long. Use the word "sea" no fewer than three times. Leave the fourth sentence untouched. The word "synergy" should not be used. Also, every sentence must have fewer than 25 words.'),
        (18, "", 1, 'Keep the whole text under 300 words.'),
        (21, "", 4,
         'Please ensure that the revised version is over 250 but under 300 words long, that the 4th sentence is not changed and that the word "synergy" is not used.'),
        (40, "Make it friendlier.", 5,
         'Make it friendlier, ensuring that the 4th sentence is not changed, that the text has over 250 but under 300 words and that each sentence has less than 25 words. Remove the word "synergy".'),
        (56, "Please revise this:", 3,
         'Please revise this so that the text has over 250 but under 300 words. Keep the 4th sentence unchanged.'),
        (58, "Make it friendlier.", 5,
         'Make it friendlier. Do not use the word "synergy". Keep sentence 4 unchanged, and write more than 250 but fewer than 300 words in all. Also, write less than 25 words per sentence.'),
        (59, "Please revise this:", 6,
         'Please revise this so that the word "sea" occurs at least three times. Keep the 4th sentence exactly as it is. All sentences should have under 25 words each. Avoid using the word "synergy", and use more than 250 but fewer than 300 words in total.'),
    ],
)  # fmt: skip
def test_a_seed_gives_the_words_that_it_always_gave(seed: int, style: str, many: int, text: str) -> None:
    assert render(MANY[:many], seed, style) == text


def test_other_seeds_give_other_words() -> None:
    assert len({render(MANY[1:4], seed) for seed in range(200)}) > 100


def test_bounds_on_both_sides_may_be_said_together() -> None:
    constraints = [WordCount(300, "less than"), WordCount(250, "more than")]
    texts = [render(constraints, seed) for seed in range(30)]
    assert any("more than 250 but fewer than 300 words" in text for text in texts)
    assert all(set(parse(text).constraints) == set(constraints) for text in texts)
    each = [SentenceLength(25, "less than"), SentenceLength(9, "more than")]
    wordings = {"more than 9 but fewer than", "more than 9 and fewer than", "over 9 but under"}
    said = {render(each, seed) for seed in range(60)}
    assert {f"Each sentence should have {wording} 25 words." for wording in wordings} <= said
    assert {f"Every sentence must contain {wording} 25 words." for wording in wordings} <= said
    assert {f"Make sure that each sentence has {wording} 25 words." for wording in wordings} <= said
    assert "Make sure that every sentence contains over 9 but under 25 words." in said
    near = [SentenceCount(7, "less than"), SentenceCount(5, "more than")]  # six: nobody says that as a range
    assert not any("5 but" in render(near, seed) or "5 and" in render(near, seed) for seed in range(30))
    assert any("5 but" in render([SentenceCount(8, "less than"), near[1]], seed) for seed in range(30))


@pytest.mark.parametrize("seed", range(20))
def test_nothing_renders_as_the_style_alone(seed: int) -> None:
    assert render([], seed) == ""
    assert render([], seed, style="Make it friendlier.") == "Make it friendlier."
