"""What of an instruction is a constraint, what a wish that a model acts on, and what nothing acts on."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.editor import kind_of, places, read_phrasings, wished_controls
from redraft.errors import InputError
from redraft.revision import understand
from redraft.revision.wishes.wording import wished_wordings


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
        ("Divide paragraph 2. No passive voice.", [], []),
        ("Split the last paragraph in two and fix typos", ["fix typos"], []),
        ("Divide paragraph 2 by subject. No passive voice.", [], ["Divide paragraph 2 by subject"]),
        ("Split the third sentence, under 90 words", [], []),
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


@pytest.mark.parametrize(
    "instruction",
    [
        "Sound friendlier please, it's going to a customer who is upset",
        "pls make it a bit shorter, my boss wont read all that",
        "No semicolons, they look like AI wrote it",
        "fix the typos pls, dont change anything else",
        "Don't reorder anything; only fix grammar",
        "make it longer, about 500 words",
        "Simplify it, and keep the warnings.",
        "I don't mind if it gets longer, but it has to be easier to read",
        'More confident, less hedging (I keep saying "maybe" and "I think")',
        "The second sentence is clumsy. Rest is ok.",
        "make it more formal but not stiff",
        "fix grammar n spelling, due in an hour",
        "Correct this. I'm Italian",
        "Correct the errors. English is not my mother tongue (French).",
        "make this polite. i was angry when i wrote it",
        "fix the mistakes. i speak Dutch normally",
        "fix typos, deadline is tomorrow",
        "Fix typos. My first language is Spanish.",
        "Proofread, I'm from Brazil",
        "fix it pls, need it by tonight",
        "Improve this. I'm Italian.",
        "Fix typos, rename the app from Foo to Bar (leave the code alone, it isn't renamed yet), max 90 words",
        "80 words max, conference portal won't take more",
        "make me sound more confident, I'm apologising all the time",
    ],
)
def test_reasons_and_what_is_kept_anyway_are_no_demands(instruction: str) -> None:
    assert not understand(instruction).not_understood


@pytest.mark.parametrize(
    ("instruction", "unread"),
    [
        ("Fix typos, there is no conclusion", "there is no conclusion"),
        ("Fix the grammar, they should be short", "they should be short"),
        ("It's for LinkedIn, max 100 words, no hashtags", "no hashtags"),
        ("don't keep it casual", "don't keep it casual"),
        ("Under 90 words, as a sonnet", "as a sonnet"),
        ("Under 90 words, so that it rhymes", "that it rhymes"),
        ("Rewrite in passive voice", "Rewrite in passive voice"),
        ("it's for the web", "it's for the web"),
        ("I'm Italian", "I'm Italian"),
        ("Fix typos, the ending isn't funny yet", "the ending isn't funny yet"),
        ("Fix typos. I was tired of the ending", "I was tired of the ending"),
    ],
)
def test_what_may_be_a_demand_is_told(instruction: str, unread: str) -> None:
    assert [one.words for one in understand(instruction).not_understood] == [unread]


@pytest.mark.parametrize(
    "instruction",
    [
        "Schreibe es nicht formal",
        "Mach es formal",
        "Bitte neutral und professional schreiben",
        "hazlo formal por favor",
    ],
)
def test_another_language_is_not_taken_for_english(instruction: str) -> None:
    found = understand(instruction)
    assert not found.wishes
    assert found.is_in_vain
    assert wished_wordings(instruction) == ()
    assert wished_controls(instruction) == ()


@pytest.mark.parametrize(
    "instruction", ["don't make it formal", "dont make it formal, fix the grammar", "not too formal"]
)
def test_what_is_denied_is_not_wished(instruction: str) -> None:
    assert "formal" not in wished_wordings(instruction)
    assert "formal" not in wished_controls(instruction)


def test_what_is_not_enough_is_wished() -> None:
    assert "formal" in wished_wordings("it's not formal enough")


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


@pytest.mark.parametrize(
    "instruction",
    [
        "please check my english in this instruction for guests of our holiday flat (we are from Poland)",
        "fix the english, not the code",
        "could you look over the language of this flyer for our school fair",
        "have a look at my english please",
        "Sort out my broken English in this note to the neighbours",
    ],
)
def test_a_language_that_is_to_be_checked_is_corrected(instruction: str) -> None:
    found = understand(instruction)
    assert found.wishes
    assert not found.not_understood
    assert kind_of(found.instruction.style) == "correct"
