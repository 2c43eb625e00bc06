"""Words to put in the place of others, as people ask for them."""

from __future__ import annotations

import pytest

from redraft.constraints import Parts, Replacement, parse
from redraft.text import Document

SCHOOL = Replacement(("the Licensee",), ("the School",))


@pytest.mark.parametrize(
    "instruction",
    [
        "Replace 'the Licensee' with 'the School'.",
        "Replace the Licensee with the School throughout.",
        "Please change “the Licensee” to “the School” everywhere.",
        "Use 'the School' instead of 'the Licensee'.",
        "Use the School rather than the Licensee throughout the contract.",
        "Call the Licensee the School.",
        'Refer to "the Licensee" as "the School".',
        "Swap 'the Licensee' for 'the School', please.",
        "Substitute 'the School' for 'the Licensee'.",
        "Substitute 'the Licensee' with 'the School'.",
        "Could you replace every mention of the Licensee by the School?",
        "Instead of 'the Licensee', say 'the School'.",
        "'the Licensee' should become 'the School'.",
        "Write 'the School' wherever it says 'the Licensee'.",
        "'the Licensee' → 'the School'",
    ],
)
def test_one_pair_has_many_wordings(instruction: str) -> None:
    read = parse(instruction)
    assert read.constraints == (SCHOOL,)
    assert not read.style


@pytest.mark.parametrize(
    "rest",
    [
        "Leave everything else alone.",
        "Leave the rest as it is.",
        "Change nothing else.",
        "Don't touch anything else.",
        "Do not change anything else.",
        "Make no other changes.",
        "Nothing else may be changed.",
        "Everything else should stay as it is.",
    ],
)
def test_nothing_else_may_change(rest: str) -> None:
    pairs = "Replace 'the Licensor' with 'Brightwater Ltd' and 'the Licensee' with 'the School' throughout."
    read = parse(f"{pairs} {rest}")
    wanted = Replacement(("the Licensor", "the Licensee"), ("Brightwater Ltd", "the School"), "kept")
    assert read.constraints == (wanted,)
    assert not read.style


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("Replace 'a1', 'b1' and 'c1' with 'd1'.", ("a1", "b1", "c1"), ("d1", "d1", "d1")),
        ("Replace 'a1' and 'b1' with 'c1' and 'd1' respectively.", ("a1", "b1"), ("c1", "d1")),
        ("Change 'a1' to 'b1', 'c1' to 'd1' and 'e1' to 'f1'.", ("a1", "c1", "e1"), ("b1", "d1", "f1")),
        ("Use 'b1' instead of 'a1', and 'd1' instead of 'c1'.", ("a1", "c1"), ("b1", "d1")),
        ("Replace 'a1' with 'b1' and change 'c1' to 'd1'.", ("a1", "c1"), ("b1", "d1")),
        ("Swap 'left' and 'right'.", ("left", "right"), ("right", "left")),
        ("Replace 'don't' with 'do not'.", ("don't",), ("do not",)),
    ],
)
def test_several_pairs(instruction: str, old: tuple[str, ...], new: tuple[str, ...]) -> None:
    assert parse(instruction).constraints == (Replacement(old, new),)


@pytest.mark.parametrize(
    "instruction",
    [
        "Do not replace 'x' with 'y'.",
        "Never change 'x' to 'y'.",
        "Feel free to replace 'x' with 'y'.",
        "I replaced 'x' with 'y' last week.",
        "Replace 'x' in 'y'.",
        "Replace 'x' with 'y' except in the first sentence.",
        "Do not replace 'x' with 'y' in the first sentence.",
        "In the second table, change 'x' to 'y'.",
        "Replace jargon with plain words.",
        "Change the tone to formal.",
        "Use British, not American spelling.",
        "Convert Fahrenheit to Celsius.",
    ],
)
def test_what_is_none(instruction: str) -> None:
    assert not any(isinstance(one, Replacement) for one in parse(instruction).constraints)


def test_what_else_is_asked_for_is_read_too() -> None:
    read = parse("Make it friendlier, replace 'big' with 'large', and keep it under 100 words.")
    assert [one.call for one in read.constraints] == [
        'replacement_check(["big"], ["large"], "free")', 'word_count_check(100, "less than")',
    ]  # fmt: skip
    assert read.style == "Make it friendlier"


@pytest.mark.parametrize(
    ("instruction", "within"),
    [
        ("Replace 'x' with 'y' in the first sentence.", ("sentence 1",)),
        ("In the second paragraph, change 'x' to 'y'.", ("paragraph 2",)),
        ("In the last sentence use 'y' instead of 'x'.", ("last sentence",)),
        ("Replace 'x' with 'y' in sentences 2 and 4 only", ("sentence 2", "sentence 4")),
        ("Only in the title, please replace 'x' with 'y'.", ("title",)),
        ("Replace 'x' with 'y' in the last paragraph, but nowhere else.", ("last paragraph",)),
    ],
)
def test_a_part_that_is_named_is_where_words_are_replaced(instruction: str, within: tuple[str, ...]) -> None:
    read = parse(instruction)
    assert read.constraints == (Replacement(("x",), ("y",), within=within),)
    assert read.style == ""


def test_each_part_has_its_own_words() -> None:
    read = parse("In sentence 2, change 'x' to 'y', and in sentence 4, change 'v' to 'w'; be friendlier.")
    assert [one.call for one in read.constraints] == [
        'replacement_check(["x"], ["y"], "free", ["sentence 2"])',
        'replacement_check(["v"], ["w"], "free", ["sentence 4"])',
    ]
    assert read.style == "be friendlier"


def test_a_place_that_has_no_name_stays_a_wish() -> None:
    asked = "Replace 'x' with 'y' in the first table"
    assert parse(f"{asked}. Stay under 90 words.").style == asked


@pytest.mark.parametrize(
    "asked", ["Replace 'x' with 'y' in paragraph 0", "Replace 'x' with ' ' in paragraph 1"]
)
def test_what_no_constraint_can_say_stays_a_wish(asked: str) -> None:
    read = parse(f"{asked}. Stay under 90 words.")
    assert [one.call for one in read.constraints] == ['word_count_check(90, "less than")']
    assert read.style == asked


def test_long_instructions_take_no_longer_than_they_are() -> None:
    for text in ("replace 'a' with 'b' and ", "Replace 'a', ", "The Big Of ", "leave everything else "):
        parse(text * 400)


@pytest.mark.parametrize(
    ("instruction", "old", "new"),
    [
        ("change Miss Harcourt to Mr. Delgado everywhere", "Miss Harcourt", "Mr. Delgado"),
        ("Replace Dr. Smith with Prof. A. B. Jones.", "Dr. Smith", "Prof. A. B. Jones"),
        ("Replace London with St. Ives.", "London", "St. Ives"),
        ("Change Kennedy to John F. Kennedy everywhere", "Kennedy", "John F. Kennedy"),
        ("change Anna to J. K. Rowling", "Anna", "J. K. Rowling"),
        ("Replace Acme Ltd. with Acme Inc. throughout the text", "Acme Ltd.", "Acme Inc."),
        ("Replace No. 5 with No. 7 everywhere.", "No. 5", "No. 7"),
        ("Replace Building A with Building B.", "Building A", "Building B"),
        ("Use Dr. Who instead of Mr. Who", "Mr. Who", "Dr. Who"),
        ('don\'t mention Kowalczyk by name (say "the site manager")', "Kowalczyk", "the site manager"),
        ('do not name Kowalczyk, say "the site manager"', "Kowalczyk", "the site manager"),
        ('don\'t mention Anna Nowak by name; call her "the tenant"', "Anna Nowak", "the tenant"),
        ('avoid "utilise" (write "use" instead)', "utilise", "use"),
        ("rename the project from quillsort to Fernsort", "quillsort", "Fernsort"),
        ("change the name from Anna to Maria", "Anna", "Maria"),
    ],
)
def test_names_with_full_stops_and_words_for_a_name(instruction: str, old: str, new: str) -> None:
    read = parse(instruction)
    assert read.constraints == (Replacement((old,), (new,)),)
    assert not read.style


@pytest.mark.parametrize(
    ("instruction", "new"),
    [
        ("Replace Anna with Group B. Keep it short.", "Group B"),
        ("Rename Anna to Tim. Mr. Brown stays.", "Tim"),
        ("Replace Anna with Mr. Brown. Use short sentences.", "Mr. Brown"),
    ],
)
def test_a_name_ends_where_the_next_sentence_begins(instruction: str, new: str) -> None:
    assert Replacement(("Anna",), (new,)) in parse(instruction).constraints


def test_titles_in_every_pair() -> None:
    read = parse("Replace Mr. Brown with Dr. Green, and Mrs. Lee with Ms. Ray.")
    assert read.constraints == (Replacement(("Mr. Brown", "Mrs. Lee"), ("Dr. Green", "Ms. Ray")),)


@pytest.mark.parametrize(
    "instruction",
    [
        'Avoid "client". Use "customer" at least twice.',
        'Avoid "utilise", use "use", "employ"',
        "Don't mention Kowalczyk",
        "Rename sections to chapters",
        "Rename the main character to Tim",
    ],
)
def test_what_is_not_plain_replaces_nothing(instruction: str) -> None:
    assert not any(isinstance(one, Replacement) for one in parse(instruction).constraints)


@pytest.mark.parametrize(
    "instruction",
    [
        "rename the project from quillsort to Fernsort (leave the code block alone)",
        "rename quillsort to Fernsort outside the code",
        'Replace "quillsort" with "Fernsort", but not in the code',
        'Replace "quillsort" with "Fernsort" except in code',
    ],
)
def test_code_is_spared(instruction: str) -> None:
    found = parse(instruction).constraints
    assert found == (Replacement(("quillsort",), ("Fernsort",)), Parts(("code",), "unchange"))


def test_what_stands_in_code_is_not_replaced() -> None:
    document = Document("Use quillsort.\n\n```\nimport quillsort\n```\n", "markdown")
    applied = Replacement(("quillsort",), ("Fernsort",)).applied(document)
    assert applied == "Use Fernsort.\n\n```\nimport quillsort\n```\n"
