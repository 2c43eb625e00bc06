"""Neighbouring sentences that begin alike."""

from __future__ import annotations

import pytest

from redraft.revision.rewriting.wording.repeated_openings import (
    joined_alike,
    named_again,
    relinked,
    restated,
    taken_up,
    without_there,
)


@pytest.mark.parametrize(
    ("before", "sentence", "rest", "made"),
    [
        ("The firm is old.", "The firm sells pumps.", "", "It sells pumps."),
        ("Cars need space.", "Cars stand still all day.", "", "They stand still all day."),
        (
            "Our cat is called Milo.",
            "Our cat hates rain.",
            "Our cat is called Milo. Our cat hates rain.",
            "Milo hates rain.",
        ),
        ("Lena got up.", "Lena left.", "Lena got up. Lena left. She was late.", "She left."),
    ],
)
def test_a_subject_is_taken_up_by_a_pronoun(before: str, sentence: str, rest: str, made: str) -> None:
    assert [one.text for one in taken_up(before, sentence, rest)] == [made]


@pytest.mark.parametrize(
    ("before", "sentence"),
    [
        ("Kim got up.", "Kim left."),  # "he" or "she"?
        ("The firm is old.", "The shop is new."),
        ("We came.", "We saw."),
        ("No words are sad enough.", "No words are strong enough."),
    ],
)
def test_what_a_pronoun_would_not_tell_is_named_again(before: str, sentence: str) -> None:
    assert not taken_up(before, sentence)


def test_the_pronoun_of_somebody_else_tells_nothing() -> None:
    assert not taken_up("Anna got up.", "Anna left.", "Tom slept. He was tired. Anna got up. Anna left.")
    assert not taken_up("Anna got up.", "Anna left.", "Her father said he slept. Anna got up. Anna left.")


@pytest.mark.parametrize(
    ("sentences", "made"),
    [
        (["He came.", "He saw.", "He won."], "He came, saw and won."),
        (["They promised a reply.", "They did not send one."], "They promised a reply but did not send one."),
        (
            ["You will feel better.", "You will also sleep well."],
            "You will feel better and will also sleep well.",
        ),
        (["We were too cold to talk.", "We walked home."], "Too cold to talk, we walked home."),
        (["She locked the shop.", "She ran for the bus."], "Having locked the shop, she ran for the bus."),
        (
            ["The roof was old.", "The rain came in.", "The firm closed in May."],
            "The roof was old, the rain came in, and the firm closed in May.",
        ),
        (["There is a shop.", "There is no bank."], "There is a shop, but no bank."),
        (["There are two shops.", "There is no bank."], "There are two shops, but there is no bank."),
    ],
)
def test_a_subject_is_said_once(sentences: list[str], made: str) -> None:
    assert made in [one.text for one in joined_alike(sentences)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Karl keeps nine sheep.", "Karl was married once."],  # two times
        ["He left.", "She stayed."],
        ["He left because it rained.", "He came home."],
        ["She never married.", "She raised three children."],  # what is denied would be both
        ["He did not call.", "He wrote a letter."],
        ["In winter, Karl mends nets.", "Karl keeps nine sheep."],  # in winter, too?
        ["You will sleep better.", "You do not need pills."],
        ["I thought that was a mistake.", "I supported it."],
        ["They've stopped it.", "They've sold it."],
    ],
)
def test_what_does_not_belong_together_is_not_joined(sentences: list[str]) -> None:
    assert not joined_alike(sentences)


def test_no_phrase_in_front_comes_to_be_said_of_both() -> None:
    made = [one.text for one in joined_alike(["She became a judge in 1990.", "She retired last year."])]
    assert made == ["She became a judge in 1990 and retired last year."]


def test_a_name_stands_again_where_nobody_else_is_told_of() -> None:
    before = ["My uncle has a bakery.", "He rises at three."]
    assert [one.text for one in named_again(before, "He sells rolls.")] == ["My uncle sells rolls."]
    assert not named_again(["My uncle has a son.", "He rises at three."], "He sells rolls.")
    assert not named_again(["It rained.", "He rose at three."], "He sells rolls.")


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("The village has two pubs.", "There are two pubs in the village."),
        ("The village has a history.", ""),
        ("They came with a spare wheel.", "A spare wheel came with them."),
        ("It comes with age.", ""),
        ("This study is new.", "The study is new."),
        ("This is new.", ""),
    ],
)
def test_a_sentence_has_another_subject(sentence: str, other: str) -> None:
    assert [one.text for one in restated(sentence)] == ([other] if other else [])


def test_then_gives_way_to_another_link() -> None:
    assert "After that, it is cut." in [one.text for one in relinked("Then it is cut.")]
    assert not relinked("The dough is cut.")
    assert [one.text for one in relinked("But we stayed.")] == ["However, we stayed.", "Still, we stayed."]
    assert "Then he left." in [one.text for one in relinked("Next, he left.")]


@pytest.mark.parametrize(
    "sentence", ["Next week he left.", "Next door lives a baker.", "Then mayor Ann Lee left."]
)
def test_a_word_of_a_phrase_is_no_link(sentence: str) -> None:
    assert not relinked(sentence)


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("There are many people who like the park.", "Many people like the park."),
        ("There is a lift in the old building.", "The old building has a lift."),
        ("There is a book which the boy read.", ""),
        ("There are two rules that everyone must follow.", ""),
        ("There is a meeting in the afternoon.", ""),
        ("There is nothing in the room.", ""),
    ],
)
def test_what_there_is_is_said_of_the_thing(sentence: str, other: str) -> None:
    assert [one.text for one in without_there(sentence)] == ([other] if other else [])


@pytest.mark.parametrize("sentence", ["However we do it, it fails.", "So many people came.", "So there."])
def test_what_looks_like_a_link_is_none(sentence: str) -> None:
    assert not relinked(sentence)
