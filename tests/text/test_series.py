"""Series of three or more, and what only looks like one."""

from __future__ import annotations

import pytest

from redraft.text import find_series


@pytest.mark.parametrize(
    "sentence",
    [
        "We sell apples, pears{} and plums.",
        "He came, saw{} and conquered.",
        "She opened the door, looked around{} and left.",
        "The flag is red, white{} and blue.",
        "Apples, pears{} and plums are fruit.",
        "We met John, Ann{} and Sue.",
        "The price of bread, milk{} and eggs has risen.",
        "The store sells books, pens, paper{} or ink.",
        "You can eat, drink{} or sleep.",
        "Steve, Amina{} or I will lead.",
        "Bring them in person, send them by post{} or upload them here.",
        "Please be polite, patient{} and on time.",
        "They are warm, dry{} and supervised.",
        "Nothing gets lost, delayed{} or forgotten.",
        "It is sold in three towns: Arles, Nîmes{} and Uzès.",
        "She said she was late, and tea, cake{} and rolls were served.",
        "Trams are slow; buses, ferries{} or lifts were named by few.",
        "Tell us what happened, when you bought it{} and whether it broke.",
        "We need rooms, tickets{} and, where possible, meals.",
        "Salt and vinegar, cheese and onion{} and plain crisps are sold.",
        "The plan is cheap, the team is ready{} and the money is there.",
    ],
)
def test_a_series_with_its_comma_and_without(sentence: str) -> None:
    for comma in ("", ","):
        text = sentence.format(comma)
        (found,) = find_series(text)
        assert (found.comma is not None) is bool(comma)
        assert text[found.joint.start : found.joint.end] in ("and", "or")


@pytest.mark.parametrize(
    "sentence",
    [
        "However, John and Mary came.",
        "In my opinion, cats and dogs are nice.",
        "Last week, John and Mary left.",
        "When we arrived, John and Mary left.",
        "The mayor, John Smith and his wife came.",
        "We planted roses, but the frost and the snow killed them.",
        "He was tired, and the dog and the cat slept.",
        "He bought apples, pears and plums were sold out.",
        "After lunch, Tom and Ann walked.",
        "He said “apples, pears and plums”.",
        "Salt and pepper are here.",
        "On Monday, Tom and Ann left.",
        "Dear Ann, Tom and I would like to come.",
        "My brother, a baker and a poet, lives in Hull.",
        "It was late, he told me, and she left early.",
        "If it rains, what you do and what you eat is up to you.",
        "It bounds the risk to which they are subject, stimulating or discouraging trade.",
        "It lists the judge, the share and its range, the pairs.",
    ],
)
def test_what_is_no_series(sentence: str) -> None:
    assert find_series(sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("Bring a tent, a stove and a torch.", 1),
        ("She opened the letter, read it twice and burned it.", 1),
        ("You can pay by card, by phone, or in cash.", 1),
        ("They weighed 2, 4 and 7 grams.", 1),
        ("We will cook, sing and tell stories.", 1),
        ("They study by day, work by night and sleep little.", 1),
        ("She studied law, taught French, and wrote.", 1),
        ("The horse neighed, kicked and bit.", 1),
        ("Thank you, Ann, for the tea, the cake and the songs.", 1),
        ("We need a pilot, a cook and two sailors trained in May.", 1),
        ("He is in the team, I think, and plays well.", 0),
        ("Here they are, you see, black and tan.", 0),
        ("It adds checks, writes logs or mails, and stops.", 1),
        ("The guard, tired and hungry, sat down.", 0),
        ("My sons, Tim and Joe, say hello.", 0),
        ("What he suggests, is taken or left.", 0),
        ("She analyzes every offense, however small, and has a good sense of humor.", 0),
    ],
)
def test_series_of_deeds_places_and_numbers(sentence: str, count: int) -> None:
    assert len(find_series(sentence)) == count
