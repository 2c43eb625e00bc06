"""Paragraphs and sentences to move, swap, join, divide and delete, as people ask for it."""

from __future__ import annotations

import pytest

from redraft.constraints import PartEdit, SentenceEdit, parse


@pytest.mark.parametrize(
    ("instruction", "call"),
    [
        ("The paragraphs are too long.", '"divide", "paragraph", []'),
        ("shorter paragraphs", '"divide", "paragraph", []'),
        ("Please break up the long paragraphs!", '"divide", "paragraph", []'),
        ("Split long paragraphs into shorter ones", '"divide", "paragraph", []'),
        ("My paragraphs are way too long, please fix.", '"divide", "paragraph", []'),
        ("Break it up into shorter paragraphs", '"divide", "paragraph", []'),
        ("Add some paragraph breaks.", '"divide", "paragraph", []'),
        ("This is a wall of text", '"divide", "paragraph", []'),
        ("Keep the paragraphs short.", '"divide", "paragraph", []'),
        ("Split the second paragraph into two.", '"divide", "paragraph", [2]'),
        ("The last paragraph is too long, break it up", '"divide", "paragraph", [-1]'),
        ("Delete the second paragraph.", '"delete", "paragraph", [2]'),
        ("Get rid of the last two paragraphs", '"delete", "paragraph", [-2, -1]'),
        ("Cut the first paragraph entirely.", '"delete", "paragraph", [1]'),
        ("The third paragraph should go.", '"delete", "paragraph", [3]'),
        ("Swap paragraphs 2 and 3.", '"swap", "paragraph", [2, 3]'),
        ("Reverse the order of the first two paragraphs.", '"swap", "paragraph", [1, 2]'),
        ("Merge the first two paragraphs into one.", '"join", "paragraph", [1, 2]'),
        ("Join paragraph 3 with paragraph 4", '"join", "paragraph", [3, 4]'),
        ("Move the last paragraph to the top.", '"move", "paragraph", [-1], "start"'),
        ("Put paragraph 2 before paragraph 1, please", '"move", "paragraph", [2], "before 1"'),
        ("The last paragraph should come first.", '"move", "paragraph", [-1], "start"'),
        ("Move the first paragraph after the third.", '"move", "paragraph", [1], "after 3"'),
        ("Start with the second sentence.", '"move", "sentence", [2], "start"'),
        ("Move sentences 2 and 3 to the end of the text.", '"move", "sentence", [2, 3], "end"'),
        ("Make the last sentence the first one", '"move", "sentence", [-1], "start"'),
        ("End with the first sentence", '"move", "sentence", [1], "end"'),
        ("Keep only the first paragraph.", '"delete", "paragraph", [1], "others"'),
        ("Only keep sentences 1 to 3, and delete the rest.", '"delete", "sentence", [1, 2, 3], "others"'),
        ("Delete everything except the last paragraph", '"delete", "paragraph", [-1], "others"'),
        ("Cut everything after the second paragraph.", '"delete", "paragraph", [], "after 2"'),
        ("Remove everything before sentence 3", '"delete", "sentence", [], "before 3"'),
        ("The second paragraph is unnecessary, delete it.", '"delete", "paragraph", [2]'),
        ("We don't need the last paragraph any more.", '"delete", "paragraph", [-1]'),
        ("The last paragraph is redundant. Could you remove it?", '"delete", "paragraph", [-1]'),
        ("The last paragraph is redundant and should go.", '"delete", "paragraph", [-1]'),
        ("The last paragraph is redundant. Thanks!", '"delete", "paragraph", [-1]'),
        ("Keep only the first paragraph. Delete the rest.", '"delete", "paragraph", [1], "others"'),
        ("Delete the sentence about prices.", '"delete", "sentence", [], "", "prices"'),
        ("Delete the sentence about the second question.", '"delete", "sentence", [], "", "second question"'),
        ("Move the paragraph about prices to the top", '"move", "paragraph", [], "start", "prices"'),
        ("Start a new paragraph after the third sentence.", '"divide", "sentence", [4]'),
        ("Add a paragraph break before sentence 3", '"divide", "sentence", [3]'),
        ("Start a new paragraph at 'However'.", '"divide", "sentence", [], "", "However"'),
        ("Make the last sentence its own paragraph.", '"divide", "sentence", [-1]'),
        ("Put the deadline first.", '"move", "sentence", [], "start", "deadline"'),
        ("Move the delivery date to the top", '"move", "sentence", [], "start", "delivery date"'),
    ],
)
def test_edits_of_parts(instruction: str, call: str) -> None:
    read = parse(instruction)
    assert [one.call for one in read.constraints] == [f"part_edit_check({call})"]
    assert not read.style or read.style == "please fix"


@pytest.mark.parametrize(
    "instruction",
    [
        "Do not split the paragraphs.",
        "Don't move the last paragraph to the top.",
        "You may delete the second paragraph.",
        "I moved the last paragraph to the top.",
        "Cut the first paragraph.",
        "Cut the second paragraph to 50 words.",
        "Delete the last paragraph if it repeats the first.",
        "Merge the last paragraph.",
        "Put the most important point first.",
        "Put commas first.",
        "Shorter paragraphs please: not more than two sentences each.",
        "Remove the sentence about the weather... I mean sentence 2.",
        "Move the greeting to the end.",
        "Keep only the first paragraph as it is.",
        "Keep only the first paragraph and rewrite the rest.",
        "Only keep sentence 3 unchanged.",
        "The second paragraph is not redundant.",
        "Start a new paragraph after the last sentence.",
        "The paragraphs are too short.",
        "Split paragraph 3 into three paragraphs.",
        "Start with the words 'Dear all'.",
        "Start with a question.",
        "Delete the first word of the second paragraph.",
        "Delete the sentence with mistakes.",
        "Remove the paragraph on top.",
        "Cut the sentence with bad grammar.",
        "Delete the sentence that says nothing.",
        "I don't want the last paragraph so formal.",
        "We don't need the first paragraph so long.",
        "The second paragraph is irrelevant, so rewrite it.",
        "The second paragraph is redundant and should be shortened.",
        "The second paragraph is redundant, so merge it with the first.",
        "The last paragraph is off-topic; please tie it to the rest.",
        "The last paragraph feels unnecessary. Can you tighten it?",
        "The last paragraph feels unnecessary. Rewrite.",
        "Shorten paragraph 2. The second paragraph is redundant.",
        "Delete the second paragraph, except its first sentence.",
        "Delete the second paragraph, or shorten it.",
        "The third paragraph must go, or at least be shortened.",
        "Delete the last paragraph and replace it with a summary.",
        "I don't want the second paragraph – rephrase.",
        "Delete the second paragraph but keep its last sentence.",
        "Keep only the first sentence. Rewrite the rest.",
        "Only keep the first paragraph: the others should be rewritten.",
        "Only leave the second paragraph – rewrite everything else.",
        "Keep only the first paragraph; leave the others alone.",
        "Delete everything after the second paragraph, except the last one.",
        "Delete everything after the second paragraph. Keep the last one.",
    ],
)
def test_what_asks_for_no_edit(instruction: str) -> None:
    assert not any(isinstance(one, PartEdit) for one in parse(instruction).constraints)


@pytest.mark.parametrize(
    "instruction",
    [
        "Sentence 3 is redundant but keep it.",
        "The first sentence is useless as an opening.",
        "Sentence 3 is redundant. Simplify.",
        "Delete sentence 2, or rewrite it.",
    ],
)
def test_what_is_thought_of_a_sentence_is_no_order_to_delete_it(instruction: str) -> None:
    assert not any(isinstance(one, SentenceEdit) for one in parse(instruction).constraints)


def test_other_demands_beside_an_edit() -> None:
    read = parse("Move the last paragraph to the top, keep sentence 4 unchanged, and use shorter paragraphs.")
    assert [one.call for one in read.constraints] == [
        'part_edit_check("move", "paragraph", [-1], "start")',
        'sentence_modification_check([4], "unchange")',
        'part_edit_check("divide", "paragraph", [])',
    ]
    assert read.style == ""
