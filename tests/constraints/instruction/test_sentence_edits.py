"""Sentences to delete, combine or swap, and lengths beside the original's, as people ask for them."""

from __future__ import annotations

import pytest

from redraft.constraints import RelativeLength, SentenceEdit, parse, parse_call


@pytest.mark.parametrize(
    ("instruction", "edit", "sentences"),
    [
        ("Delete the last sentence.", "delete", (-1,)),
        ("Remove sentence 3.", "delete", (3,)),
        ("Cut the second sentence.", "delete", (2,)),
        ("cut sentences 2-4 and 7, please", "delete", (2, 3, 4, 7)),
        ("Take the opening sentence out.", "delete", (1,)),
        ("Drop the second-to-last sentence from my letter.", "delete", (-2,)),
        ("Please leave out the last two sentences, because they repeat the first.", "delete", (-2, -1)),
        ("The first sentence and the third should be removed.", "delete", (1, 3)),
        ("Could you delete the penultimate sentence?", "delete", (-2,)),
        ("Get rid of sentence 3, it's redundant.", "delete", (3,)),
        ("The last sentence is unnecessary, cut it.", "delete", (-1,)),
        ("I don't need the second sentence.", "delete", (2,)),
        ("Combine the first two sentences.", "combine", (1, 2)),
        ("Merge sentences 2 and 3 into one.", "combine", (2, 3)),
        ("Join the third sentence with the fourth.", "combine", (3, 4)),
        ("Turn sentences one and two into a single sentence.", "combine", (1, 2)),
        ("Split sentence 2.", "split", (2,)),
        ("Break the last sentence up.", "split", (-1,)),
        ("Please split the first sentence into two shorter ones.", "split", (1,)),
        ("Divide sentences 2 and 4 in two", "split", (2, 4)),
        ("Swap the first and the last sentence.", "swap", (1, -1)),
        ("Reverse the order of sentences 2 and 3.", "swap", (2, 3)),
        ("Sentences 1 and 2 should change places.", "swap", (1, 2)),
        ("Swap Sentence 1 and Sentence 2.", "swap", (1, 2)),
        ("Delete sentence 3. Leave everything else alone.", "delete", (3,)),
        ("Cut the last sentence and keep the rest.", "delete", (-1,)),
    ],
)
def test_edits_of_sentences(instruction: str, edit: str, sentences: tuple[int, ...]) -> None:
    read = parse(instruction)
    assert read.constraints == (SentenceEdit(edit, sentences),)  # type: ignore[arg-type]
    assert read.style == ""


@pytest.mark.parametrize(
    "instruction",
    [
        "Cut the second sentence to 20 words.",
        "Cut the last sentence in half.",
        "Cut the last sentence short.",
        "Delete the last sentence if it repeats the first.",
        "Remove the last sentence of each paragraph.",
        "Remove the last sentence of the second section.",
        "Remove the last sentence but one.",
        "Delete sentence 3's last clause.",
        "Delete the first sentence and the heading.",
        "Do not delete sentence 3.",
        "Never merge sentences 2 and 3.",
        "You may delete the last sentence.",
        "Feel free to combine sentences 2 and 3.",
        "I rewrote the opening and cut the last sentence.",
        "Why did you delete sentence 3?",
        "Do not split the second sentence.",
        "Split the second sentence into a list.",
        "Move the last sentence to the beginning.",
        "Combine the last sentence.",
        "Make sure that nobody says 'delete the last sentence'.",
    ],
)
def test_what_asks_for_no_edit(instruction: str) -> None:
    assert not any(isinstance(one, SentenceEdit) for one in parse(instruction).constraints)


@pytest.mark.parametrize(
    ("instruction", "edit"),
    [
        ("Remove the last sentence of the second paragraph.", SentenceEdit("delete", (-1,), "paragraph 2")),
        ("Merge the first two sentences of paragraph 1.", SentenceEdit("combine", (1, 2), "paragraph 1")),
        ("Swap sentences 1 and 2 in the last paragraph.", SentenceEdit("swap", (1, 2), "last paragraph")),
        ("Split the second sentence of the third paragraph", SentenceEdit("split", (2,), "paragraph 3")),
    ],
)
def test_sentences_are_counted_in_the_paragraph_that_is_named(instruction: str, edit: SentenceEdit) -> None:
    read = parse(instruction)
    assert read.constraints == (edit,)
    assert read.style == ""
    assert parse_call(edit.call) == edit
    assert all(parse(phrasing).constraints == (edit,) for phrasing in edit.phrasings())


def test_other_demands_beside_an_edit() -> None:
    read = parse("Drop sentence 2, keep sentence 4 unchanged and stay under 80 words; make it warmer.")
    assert [one.call for one in read.constraints] == [
        'sentence_edit_check("delete", [2])',
        'sentence_modification_check([4], "unchange")',
        'word_count_check(80, "less than")',
    ]
    assert read.style == "make it warmer"


@pytest.mark.parametrize(
    ("instruction", "amount", "unit", "relation"),
    [
        ("Cut it by 20 %.", 20, "percent", "shorter"),
        (
            "Please shorten my e-mail by roughly 30 percent.".replace("e-mail", "email"),
            30,
            "percent",
            "shorter",
        ),
        ("Cut the text in half.", 50, "percent", "shorter"),
        ("Halve the length.", 50, "percent", "shorter"),
        ("Trim by about a third.", 33, "percent", "shorter"),
        ("Lose a third of it.", 33, "percent", "shorter"),
        ("Reduce it to 80% of its length.", 20, "percent", "shorter"),
        ("Make it half as long.", 50, "percent", "shorter"),
        ("This needs to be 15% shorter.", 15, "percent", "shorter"),
        ("10% shorter.", 10, "percent", "shorter"),
        ("Cut 50 words.", 50, "words", "shorter"),
        ("Can you cut this down by 40 words?", 40, "words", "shorter"),
        ("Make it more than 10 words shorter.", 11, "words", "shorter"),
        ("Make it two sentences shorter.", 2, "sentences", "shorter"),
        ("Make it twice as long.", 100, "percent", "longer"),
        ("Double the length.", 100, "percent", "longer"),
        ("Expand it by 100 words.", 100, "words", "longer"),
        ("Add 50 words.", 50, "words", "longer"),
        ("No longer than the original.", 0, "percent", "shorter"),
        ("It should be no longer than it is now.", 0, "percent", "shorter"),
        ("Don't make it longer.", 0, "percent", "shorter"),
        ("The text must not get any shorter.", 0, "percent", "longer"),
        ("Make it shorter than the original.", 1, "words", "shorter"),
        ("Make sure that the text is at least a quarter shorter.", 25, "percent", "shorter"),
    ],
)
def test_lengths_beside_the_original(instruction: str, amount: int, unit: str, relation: str) -> None:
    read = parse(instruction)
    assert read.constraints == (RelativeLength(amount, unit, relation),)  # type: ignore[arg-type]
    assert read.style == ""


@pytest.mark.parametrize(
    "instruction",
    [
        "Cut the second paragraph by 20%.",
        "Cut each sentence by half.",
        "Cut the text by at most 20%.",
        "Do not cut it by half.",
        "You may cut it by 20%.",
        "We cut costs by 20%.",
        "I rewrote the opening and cut it by half.",
        "The text is 20% shorter than the original.",
        "Sales fell by a third.",
        "Add 50 words about pricing.",
        "Remove two words from the title.",
        "Make it 100% shorter.",
        "Make it shorter.",
        "Cut it by 10 % to 20 %.",
    ],
)
def test_what_asks_for_no_length_beside_the_original(instruction: str) -> None:
    assert not any(isinstance(one, RelativeLength) for one in parse(instruction).constraints)


def test_another_wish_stays_beside_a_length() -> None:
    read = parse("Improve the flow without making it longer.")
    assert [one.call for one in read.constraints] == ['relative_length_check(0, "percent", "shorter")']
    assert read.style == "Improve the flow"


@pytest.mark.parametrize(
    ("instruction", "low", "high"),
    [
        ("About 150 words.", 135, 165),
        ("Cut it to around 200 words.", 180, 220),
        ("roughly 95 words", 86, 104),
        ("about 5 words", 4, 6),
        ("Aim for roughly 140-160 words.", 140, 160),
    ],
)
def test_about_so_many_words_is_a_tenth_more_or_less(instruction: str, low: int, high: int) -> None:
    calls = {one.call for one in parse(instruction).constraints}
    assert calls == {
        f'word_count_check({high + 1}, "less than")',
        f'word_count_check({low - 1}, "more than")',
    }


@pytest.mark.parametrize(
    "instruction",
    [
        "Around 5 sentences.",
        "about 500 characters",
        "It is about 400 words now.",
        "Each sentence about 20 words.",
    ],
)
def test_about_anything_else_stays_a_wish(instruction: str) -> None:
    assert parse(instruction).constraints == ()


@pytest.mark.parametrize(
    "endless",
    ["delete sentence 1, 2, ", "sentence 1 and ", "cut it by ", "make it at least 3 ", "merge the first "],
)
def test_a_line_without_end_is_read_in_good_time(endless: str) -> None:
    parse(endless * 500)
