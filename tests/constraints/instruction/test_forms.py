"""Numbers, the case of headings, openings and scores of readability, as people ask for them."""

from __future__ import annotations

import pytest

from redraft.constraints import infeasible, parse

# the call → how people say it
READ = {
    'numbers_check("words", 10)': [
        "Spell out numbers under ten.", "Write numbers below 10 as words.", "Single-digit numbers should be spelled out.",
        "Numbers one to nine should be spelled out.", "numbers below 10 in words",
    ],
    'numbers_check("words", 11)': ["Spell out numbers up to ten.", "spell out numbers from one through ten"],
    'numbers_check("words", 101)': [
        "Spell out numbers.", "Spell numbers out.", "Convert numbers to words.", "Use words for numbers up to one hundred.",
    ],
    'numbers_check("words", 0)': ["Spell out all numbers.", "Avoid numerals.", "No digits, please."],
    'numbers_check("digits", 0)': [
        "Use numerals.", "Use digits for all numbers.", "Write numbers as digits.", "Use numerals instead of words.",
        "Write all numbers in figures, please.", "Don't spell out numbers.", "Keep numbers as numerals.",
        "Make sure that numbers are written in digits.",
    ],
    'heading_case_check("title")': [
        "Use title case for headings.", "Headings in title case.", "title-case the headings", "Use title case.",
        "Section titles must use title case.", "Put all headings in title case.",
    ],
    'heading_case_check("sentence")': [
        "Headings should be in sentence case.", "Use sentence case.", "Headings: sentence case.",
        "Use sentence-style capitalization for headings.", "Don't use title case for headings.",
        "Capitalise headings like sentences.", "headings should not be in title case",
    ],
    "openings_check()": [
        "Don't start two sentences in a row with the same word.", "Vary the sentence openings.",
        "No two consecutive sentences should begin with the same word.", "Vary how sentences begin.",
        "Avoid repetitive sentence openings.", "Consecutive sentences must not start with the same word.",
        "Avoid starting consecutive sentences with the same word.",
        "Each sentence should start with a different word from the previous one.",
    ],
    'reading_grade_check(10, "at most", "gunning fog")': [
        "Keep the Gunning fog index below 10.", "Get the fog index down to 10.", "A fog score of 10 or below.",
    ],
    'reading_grade_check(9, "at most", "smog")': ["SMOG under 9, please.", "The SMOG grade should be at most 9."],
    'reading_grade_check(11, "at most", "coleman-liau")': ["Coleman-Liau index no higher than 11"],
    'reading_grade_check(8, "at most", "ari")': [
        "An ARI of at most 8.", "The automated readability index must not exceed 8.",
    ],
    'reading_grade_check(7, "at most", "dale-chall")': ["Dale-Chall score below 7."],
    'reading_grade_check(8, "at most")': ["Flesch-Kincaid grade at most 8", "Flesch-Kincaid score of at most 8"],
    'reading_ease_check(60, "at least")': [
        "Flesch reading ease of at least 60.", "reading ease 60+", "Aim for a Flesch score of 60.",
        "Make it score at least 60 on the Flesch reading ease scale.", "The reading ease should not fall below 60.",
        "Bring the reading ease up to 60.",
    ],
    'reading_ease_check(30, "at most")': ["Reading ease should be at most 30."],
}  # fmt: skip


@pytest.mark.parametrize(("call", "wording"), [(call, one) for call in READ for one in READ[call]])
def test_a_demand_is_read(call: str, wording: str) -> None:
    read = parse(wording)
    assert [one.call for one in read.constraints] == [call]
    assert read.style in ("", "Bring")


@pytest.mark.parametrize(
    "wording",
    [
        "You may spell out numbers.",
        "No need to spell out numbers.",
        "Don't worry about spelling out numbers.",
        "Numbers are written in digits.",
        "Use numbers to back it up.",
        "Use numerals for 10 and above.",
        "You can use title case.",
        "The headings are in title case.",
        "In that case, change the title.",
        "Don't start sentences with the same word.",
        "Begin two sentences with the same word.",
        "Start every sentence with the same word.",
        "Don't vary the sentence openings.",
        "There's no need to vary sentence openings.",
        "Vary the sentence length.",
        "Its Flesch reading ease is 45.",
        "The text currently has a fog index of 14.",
        "Describe the fog at 10 in the morning.",
        "Improve the reading ease.",
    ],
)
def test_nothing_is_read_where_nothing_is_asked(wording: str) -> None:
    assert parse(wording).constraints == ()
    assert parse(wording).style == wording.rstrip(".")


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("No sentence may begin with 'I'.", '"I"'),
        ('Don\'t start any sentence with "And" or "But".', '"And", "But"'),
        ("Sentences must not start with I, we or the.", '"I", "We", "The"'),
        ("avoid starting sentences with There is", '"There is"'),
        ('No sentence should start with "There is", "It is" or "However".', '"There is", "It is", "However"'),
        ("never begin a sentence with because", '"Because"'),
        ("No 'However' at the start of a sentence.", '"However"'),
        ("Stop starting sentences with So.", '"So"'),
        ("Do not start sentences with the words 'and' or 'but'.", '"and", "but"'),
        ('Make sure no sentence begins with "This"', '"This"'),
        ("Not a single sentence should start with 'I'.", '"I"'),
    ],
)
def test_words_that_no_sentence_may_begin_with(said: str, words: str) -> None:
    found = parse(said)
    assert [one.call for one in found.constraints] == [f"sentence_start_check([{words}])"]
    assert not found.style


@pytest.mark.parametrize(
    "said",
    [
        "It's fine if a sentence starts with 'But'.",
        "Start the second sentence with 'But'.",
        "Remove 'very' at the start of the second sentence.",
        "No sentence starts with a number.",
        "No sentence may begin with '...'.",
        "Use 'but' at most once and never start a sentence with it.",
        "Remove the sentence that begins with 'But'.",
    ],
)
def test_other_openings_are_not_forbidden(said: str) -> None:
    assert not any(one.name == "sentence_start_check" for one in parse(said).constraints)


def test_demands_stand_beside_others() -> None:
    read = parse(
        "Write out numbers below 13, sentence case for headings, reading ease between 60 and 70, and"
    )
    assert [one.call for one in read.constraints] == [
        'numbers_check("words", 13)',
        'heading_case_check("sentence")',
        'reading_ease_check(60, "at least")',
        'reading_ease_check(70, "at most")',
    ]
    more = parse("Spell out numbers under ten and use numerals for 10 and above; under 200 words.")
    assert [one.call for one in more.constraints] == [
        'numbers_check("words", 10)',
        'word_count_check(200, "less than")',
    ]
    assert more.style == "use numerals for 10 and above"


@pytest.mark.parametrize("part", ["numbers, ", "title case ", "two sentences in a row ", "fog index of "])
def test_a_line_without_end_is_read_all_the_same(part: str) -> None:
    assert len(parse(part * 1000).constraints) <= 1


@pytest.mark.parametrize(
    ("instruction", "reason"),
    [
        ("Reading ease of at least 130.", "no text has a reading ease above 121.2"),
        (
            "A fog index of at least 12, and a Gunning fog of at most 8.",
            "the Gunning fog index must be at least 12 and at most 8",
        ),
    ],
)
def test_what_cannot_be_is_said(instruction: str, reason: str) -> None:
    found = infeasible(instruction, original="We saw 3 cats. They ran.")
    assert found is not None
    assert found.reason == reason


def test_bounds_by_different_formulas_are_no_conflict() -> None:
    assert infeasible("A fog index of at least 12, and a SMOG grade of at most 8.") is None
