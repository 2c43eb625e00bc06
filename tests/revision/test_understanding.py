"""What of an instruction is a constraint, what a wish that a model acts on, and what nothing acts on."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.editor import places, read_phrasings
from redraft.errors import InputError
from redraft.revision import understand


@pytest.mark.parametrize(
    ("instruction", "wishes", "unread"),
    [
        ("Fix the grammar and keep it under 100 words.", ["Fix the grammar"], []),
        ("Fix the grammar, nothing else.", ["Fix the grammar, nothing else"], []),
        ("Proofread. Don't change anything else.", ["Proofread", "Don't change anything else"], []),
        ("Correct the errors and leave the rest.", ["Correct the errors and leave the rest"], []),
        ("Make it friendlier, but add a joke.", ["Make it friendlier"], ["add a joke"]),
        ("Rewrite it as a sonnet", [], ["Rewrite it as a sonnet"]),
        ("Make it warm, funny and rhymed", ["Make it warm"], ["funny and rhymed"]),
        ("Don't fix the grammar", [], ["Don't fix the grammar"]),
        ("Make it less formal", ["Make it less formal"], []),
        ("never use corporate jargon", ["never use corporate jargon"], []),
        ("Simplify it, and don't change the meaning", ["Simplify it, and don't change the meaning"], []),
        ("Hello! Can you please improve this email, under 90 words? Thank you so much!", [], []),
        ("Rewrite this paragraph.", [], []),
        ("Divide paragraph 2. No passive voice.", [], ["Divide paragraph 2"]),
        ("Split the last paragraph in two and fix typos", ["fix typos"], ["Split the last paragraph in two"]),
        ("Split the third sentence, under 90 words", [], ["Split the third sentence"]),
        ("Split the long sentences, no contractions", ["Split the long sentences"], []),
        ("Turn it into a poem, no contractions", [], ["Turn it into a poem"]),
        ("", [], []),
    ],
)
def test_wishes_and_words_that_nothing_acts_on(
    instruction: str, wishes: list[str], unread: list[str]
) -> None:
    found = understand(instruction)
    assert list(found.wishes) == wishes
    assert [one.words for one in found.not_understood] == unread


def test_a_model_that_reads_the_instruction_takes_all_of_it_for_a_wish() -> None:
    found = understand("Under 90 words, as a sonnet.", by_model=True)
    assert (found.wishes, found.not_understood) == (("as a sonnet",), ())


def test_strict_names_what_is_not_understood_and_the_nearest_that_is() -> None:
    understand("Make it clearer, under 90 words.").require()
    with pytest.raises(InputError, match=r"no semmicollans.*nearest: “Do not use semicolons"):
        understand("Make it clearer, and no semmicollans.").require()


@pytest.mark.parametrize("task", ["fluency", "clarity", "neutralization", "plain", "formal", "friendly"])
def test_most_of_what_the_editor_was_trained_on_is_a_wish(task: str) -> None:
    ways = [way for way in read_phrasings()[task]["training"] if not places(way)]
    assert sum(not understand(way).not_understood for way in ways) >= 0.8 * len(ways)


@given(
    st.lists(
        st.sampled_from(["make it clearer", "add a joke", "be kind", "no bias", ",", " and ", ". ", "\n"])
    )
)
def test_what_is_told_are_words_of_the_instruction(parts: list[str]) -> None:
    instruction = " ".join(parts)
    found = understand(instruction)
    said = " ".join(found.instruction.style.split())
    for words in (*found.wishes, *(one.words for one in found.not_understood)):
        assert words in said
