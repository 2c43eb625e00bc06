"""Ways to ask for one thing: what each line of a table says, all of its wordings mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.constraints import parse

ROWS = [
    json.loads(line) for line in Path(__file__).with_name("ways_to_ask.jsonl").read_text("utf-8").splitlines()
]


def _calls(instruction: str) -> set[str]:
    return {constraint.call for constraint in parse(instruction).constraints}


def test_all_wordings_of_a_line_mean_its_calls() -> None:
    wrong = [
        f"{way!r} is read as {sorted(_calls(way))}, not {row['calls']}"
        for row in ROWS
        for way in row["ways"]
        if _calls(way) != set(row["calls"])
    ]
    assert not wrong, "\n".join(wrong)


def test_what_is_asked_for_behind_a_ban_is_not_banned() -> None:
    wishes = {
        "No emojis, the client is conservative.": "the client is conservative",
        "no clichés, a bit more formal": "a bit more formal",
        "Without exclamation marks, friendlier tone.": "friendlier tone",
        "no semicolons, slang or jargon": "no jargon",
        "Avoid “synergy”, hype and buzzwords.": "Avoid hype and buzzwords",
    }
    assert {instruction: parse(instruction).style for instruction in wishes} == wishes


@pytest.mark.parametrize(
    ("instruction", "calls"),
    [
        ("avoid contractions and the first person", {'person_check("first", "none")'}),
        ("don't forget the Oxford comma", {'serial_comma_check("use")'}),
        ("The Flesch score must be over 60.", {'reading_ease_check(60, "at least")'}),
        ("no numbers in words", {'numbers_check("digits", 0)'}),
        ("more than 150 words is not possible", {'word_count_check(151, "less than")'}),
        ("not without the word “budget”", {'keyword_keep_removal_check("budget", "keep")'}),
        ("get every sentence under 20 words", {'sentence_length_check(20, "less than")'}),
        ("can you get each sentence to 20 words or less?", {'sentence_length_check(21, "less than")'}),
        ("bring all sentences down to 15 words or fewer", {'sentence_length_check(16, "less than")'}),
        ("merge sentences under 5 words", {'sentence_length_check(4, "more than")'}),
        ("avoid sentences under 5 words", {'sentence_length_check(4, "more than")'}),
        ("split sentences over 25 words", {'sentence_length_check(26, "less than")'}),
        ("Don't touch headings, bullet points and code.", {'parts_check(["headings", "bullets", "code"], "unchange")'}),
    ],
)  # fmt: skip
def test_nothing_is_turned_round(instruction: str, calls: set[str]) -> None:
    assert _calls(instruction) - {'contractions_check("none")'} == calls


def test_numbers_of_demands_in_a_line_are_none_of_theirs() -> None:
    instruction = "1) no emojis 2) under 80 words 3) british spelling"
    assert len(_calls(instruction)) == 3
    assert not parse(instruction).style
    assert _calls("keep sentence 2) and 3") == _calls("keep sentence 2 and 3")


@pytest.mark.parametrize(
    "instruction",
    [
        "Is it under 200 words?",
        "Does it contain “budget”?",
        "Do I need the Oxford comma?",
        "Why so many emojis?",
    ],
)
def test_a_question_about_the_text_asks_for_nothing(instruction: str) -> None:
    assert not parse(instruction).constraints
    assert _calls("Is it possible to get it under 200 words?") == {'word_count_check(200, "less than")'}


@pytest.mark.parametrize(
    ("instruction", "calls"),
    [
        ("Don't change a word of the first paragraph.", {'parts_check(["paragraph 1"], "unchange")'}),
        ("don't alter a single comma in sentence 3", {'sentence_modification_check([3], "unchange")'}),
        ("not a word of paragraph 2 may change", {'parts_check(["paragraph 2"], "unchange")'}),
        ("..., and brandt & sons mustn't be named", {'keyword_keep_removal_check("brandt & sons", "remove")'}),
        ("Mr Lund must not be mentioned.", {'keyword_keep_removal_check("Mr Lund", "remove")'}),
        ("names must not be mentioned", set()),
        ("the client can't be named", set()),
        ("don't say sorry or unfortunately", {
            'keyword_keep_removal_check("sorry", "remove")',
            'keyword_keep_removal_check("unfortunately", "remove")',
        }),
    ],
)  # fmt: skip
def test_not_a_word_of_a_part_and_who_may_not_be_named(instruction: str, calls: set[str]) -> None:
    assert _calls(instruction) == calls
