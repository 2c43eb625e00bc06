"""Where much has to go, whole sentences go first."""

import pytest

from redraft.constraints import parse
from redraft.revision.choosing.abridging import spared_sentences
from redraft.revision.task import Task

NEWS = (
    "The council voted on Tuesday to close the market hall for eighteen months. A survey had found rust in"
    " eleven of its fourteen beams. Traders were told of it in a letter. Some of them were angry. For example,"
    " one of them shouted from the gallery. The council will pay 2 million pounds for the work. It is due to"
    " begin in February. Thank you all for reading our newsletter."
)


def task(instruction: str, text: str = NEWS) -> Task:
    return Task(text, parse(instruction).constraints, instruction=instruction)


def left(instruction: str, text: str = NEWS) -> list[str]:
    asked = task(instruction, text)
    gone = set(spared_sentences(asked))
    return [one.text for place, one in enumerate(asked.before.sentences) if place not in gone]


@pytest.mark.parametrize("instruction", ["At most 60 words.", "Fix the grammar.", "At most six sentences."])
def test_a_little_less_spares_no_sentence(instruction: str) -> None:
    assert spared_sentences(task(instruction)) == ()


@pytest.mark.parametrize("most", [20, 30, 40])
def test_a_bound_on_words_leaves_about_as_many(most: int) -> None:
    words = sum(len(one.split()) for one in left(f"At most {most} words."))
    assert most / 2 < words <= 1.1 * most


def test_what_says_most_stays() -> None:
    kept = left("Summarise in three sentences.")
    assert len(kept) == 3
    assert kept[0].startswith("The council voted")
    assert not any(one.startswith(("For example", "Thank you", "Some of them")) for one in kept)


def test_no_sentence_points_back_to_one_that_is_gone() -> None:
    pointed = 0
    for most in range(12, 45):
        kept = left(f"At most {most} words.")
        for pointing, meant in (("Some of them", "Traders"), ("It is due", "The council will pay")):
            if any(one.startswith(pointing) for one in kept):
                pointed += 1
                assert any(one.startswith(meant) for one in kept)
    assert pointed


def test_so_few_that_they_must_be_split_again_are_not_left() -> None:
    assert spared_sentences(task("At most 12 words, and at least six sentences.")) == ()


def test_what_a_constraint_keeps_stays() -> None:
    kept = left("At most 30 words, and keep the word 'gallery'.")
    assert any("gallery" in one for one in kept)


def test_a_letter_keeps_its_greeting_and_who_writes() -> None:
    letter = f"Dear Ms Ito,\n\n{NEWS}\n\nYours sincerely,\nJan Kos"
    kept = left("At most 30 words.", letter)
    assert kept[0].startswith("Dear Ms Ito")
    assert any("Jan Kos" in one for one in kept)
