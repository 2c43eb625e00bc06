"""Ways to ask that are put into others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.constraints import parse
from redraft.constraints.instruction.rewording import reword

SET = Path(__file__).parents[3] / "benchmarks" / "kinds.jsonl"
READ = [
    ("Emojis out, please!", ['punctuation_check("emoji", 1, "less than")']),
    ("I don't want semicolons in my cover letter.", ['punctuation_check("semicolon", 1, "less than")']),
    ("Too many ellipses; at most one, please.", ['punctuation_check("ellipsis", 2, "less than")']),
    ("rewrite w/o clichés", ['wording_check("clichés")']),
    ("numbered, please", ['list_check("numbered", "any")']),
    ("no paragraph is fine, but none of the paragraphs may exceed 30 words", ['paragraph_length_check(31, "words", "less than")']),
    ("Third paragraph: max. 15 words.", ['part_length_check("paragraph 3", 16, "words", "less than")']),
    ("make one sentence out of the first two", ['sentence_edit_check("combine", [1, 2])']),
    ("take out the I/me/my", ['person_check("first singular", "none")']),
    ("Contractions please!", ['contractions_check("use")']),
    ("half the length please", ['relative_length_check(50, "percent", "shorter")']),
    ("Could you summarise this?", ['relative_length_check(50, "percent", "shorter")']),
    ("Sum this up in two sentences.", ['sentence_count_check(2, "equal")']),
    ("make numbered steps out of this", ['list_check("numbered", "any")']),
    ("Don't change the second paragraph, my solicitor wrote it.", ['parts_check(["paragraph 2"], "unchange")']),
    ("Replace client with customer and staff with team", ['replacement_check(["client", "staff"], ["customer", "team"], "free")']),
    ("change tone to formal and length to 100 words", ['word_count_check(100, "equal")']),
    ("Cut the first sentence, my editor wants at most 100 words.", ['word_count_check(101, "less than")']),
    ("No exclamation marks, also in quotes.", ['punctuation_check("exclamation mark", 1, "less than")']),
    ("Say guest instead of customer, everywhere.", ['replacement_check(["customer"], ["guest"], "free")']),
    ("split it up so that no paragraph has more than three sentences", ['paragraph_length_check(4, "sentences", "less than")']),
    ("no contractions (not even in dialogue)", ['contractions_check("none")']),
    ("break up the paragraphs, never more than 4 sentences in one", ['paragraph_length_check(5, "sentences", "less than")']),
    ("Paragraphs should be shorter: at most 50 words each", ['paragraph_length_check(51, "words", "less than")']),
    ("Put it in the third person, no I/we/our.", ['person_check("first", "none")', 'person_check("second", "none")']),
    ("Write this in the third person, no I.", ['person_check("first", "none")', 'person_check("second", "none")']),
]  # fmt: skip


@pytest.mark.parametrize(("instruction", "calls"), READ)
def test_other_ways_to_ask_are_read(instruction: str, calls: list[str]) -> None:
    assert [constraint.call for constraint in parse(instruction).constraints] == calls


@pytest.mark.parametrize(
    "instruction",
    [
        "Write it in the style of a news report.",
        "This has to fit in a 160-character text message.",
        "Never say 'emojis out'.",
        "Turn this into an email.",
        "replace commas with semicolons and dashes with commas",
        "change headings to bold and lists to paragraphs",
        "the numbers should sum up to 100",
        "no em dashes in quotes",
    ],
)
def test_other_words_stay(instruction: str) -> None:
    assert reword(instruction).text == instruction


def test_places_are_those_of_what_was_written() -> None:
    text = "Under 90 words, emojis out, and keep sentence 2."
    read = parse(text)
    said = {
        one.call: text[span.start : span.end] for one, span in zip(read.constraints, read.places, strict=True)
    }
    assert said['punctuation_check("emoji", 1, "less than")'] == "emojis out"
    assert said['sentence_modification_check([2], "unchange")'] == "keep sentence 2"


def test_every_instruction_of_the_kinds_is_read() -> None:
    rows = [json.loads(line) for line in SET.read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["part"] == "first"]  # the further ones show what reaches other words
    assert [row["instruction"] for row in rows if not parse(row["instruction"]).constraints] == []
