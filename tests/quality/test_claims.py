"""Which statements of a text are left out, reversed, changed or new in its revision."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, settings, strategies as st

from redraft.quality import claim_changes, judged_claim_changes

LEASE = (
    "The tenant shall not sublet the flat unless the owner agrees in writing. The rent is 900 euros a month. "
    "Mr. Adeyemi said that the lift was repaired in March. For example, the old cable was replaced. "
    "A rent of 900 euros a month is asked. The owner will paint the stairs."
)


def told(text: str, source: str = LEASE) -> list[tuple[str, int, str, bool]]:
    return [
        (change.kind, change.sentence, change.before or change.after, change.minor)
        for change in claim_changes(source, text)
    ]


def test_a_text_that_was_not_changed_has_no_changes() -> None:
    assert claim_changes(LEASE, LEASE) == ()


def test_a_sentence_that_is_gone_is_left_out() -> None:
    text = LEASE.replace(" The owner will paint the stairs.", "")
    assert told(text) == [("left out", 6, "The owner will paint the stairs", False)]


def test_an_exception_that_is_gone_is_left_out_by_itself() -> None:
    text = LEASE.replace(" unless the owner agrees in writing", "")
    assert ("left out", 1, "unless the owner agrees in writing", False) in told(text)


def test_who_said_it_an_example_and_a_repetition_are_minor() -> None:
    text = (
        "The tenant shall not sublet the flat unless the owner agrees in writing. "
        "The rent is 900 euros a month. The lift was repaired in March. The owner will paint the stairs."
    )
    assert told(text) == [
        ("left out", 3, "Mr. Adeyemi said that", True),
        ("left out", 4, "For example, the old cable was replaced", True),
        ("left out", 5, "A rent of 900 euros a month is asked", True),
    ]


@pytest.mark.parametrize("speaker", ["said Mrs. Hale", "Mrs. Hale said"])
def test_a_quotation_without_its_speaker_has_lost_who_said_it(speaker: str) -> None:
    source = f"“We are ruined,” {speaker}, and she shut the door."
    text = "“We are ruined.” She shut the door."
    assert told(text, source) == [("left out", 1, speaker, True)]


def test_a_lost_negation_reverses_a_statement() -> None:
    (change,) = claim_changes(LEASE, LEASE.replace("shall not sublet", "shall sublet"))
    assert (change.kind, change.sentence) == ("reversed", 1)
    assert change.before == "The tenant shall not sublet the flat"
    assert change.after == "The tenant shall sublet the flat"
    assert [one.kind for one in change.changes] == ["negation"]


def test_what_will_be_and_what_was_are_not_the_same() -> None:
    (change,) = claim_changes(LEASE, LEASE.replace("will paint", "painted"))
    assert (change.kind, change.sentence) == ("changed", 6)
    assert str(change) == "changed: The owner will paint the stairs (will paint became painted)"


def test_a_statement_that_nobody_made_is_new() -> None:
    text = f"{LEASE} Dogs are welcome in the garden."
    assert told(text) == [("new", 7, "Dogs are welcome in the garden", False)]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The storm closed the school, and the shops stayed open.", "The shops stayed open."),
        (
            "We met on Monday. The storm closed the school and broke the gate.",
            "We met on Monday. The storm broke the gate.",
        ),
    ],
)
def test_a_clause_can_go_alone(source: str, text: str) -> None:
    assert [change.kind for change in claim_changes(source, text)] == ["left out"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("The committee approved the plan.", "The plan was approved by the committee."),
        (
            "The bridge, which opened in 1932, needs paint and the town has no money for it.",
            "The bridge opened in 1932. It needs paint, and the town has no money for it.",
        ),
        (
            "She began the job in June. She quit in July.",
            "She started the job in June, and she quit in July.",
        ),
        ("Not only the roof leaks.", "Not only the roof leaks!"),
    ],
)
def test_the_same_in_other_words_is_no_change(source: str, text: str) -> None:
    assert claim_changes(source, text) == ()


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            "The pump failed. Engineers from Oslo replaced the cracked valve, cleaned the filter and tested "
            "the alarm. Nobody was hurt.",
            "The pump failed. A cracked valve was replaced. Engineers from Oslo did it. They cleaned the "
            "filter. They tested the alarm. Nobody was hurt.",
        ),
        (
            "The council approved a small library, a swimming pool and a public garden for the northern "
            "district last spring. The mayor was pleased.",
            "The mayor was pleased by the library. The council approved it last spring. It also got a "
            "swimming pool. The northern district has a public garden.",
        ),
    ],
)
def test_a_sentence_that_was_divided_is_not_left_out(source: str, text: str) -> None:
    assert claim_changes(source, text) == ()


def test_of_another_language_the_sentences_are_told() -> None:
    source = (
        "Der Zug ist nicht pünktlich. Die Leute warten auf dem Bahnsteig. Das Wetter ist schlecht und kalt."
    )
    text = "Der Zug ist nicht pünktlich. Das Wetter ist schlecht und kalt."
    assert told(text, source) == [("left out", 2, "Die Leute warten auf dem Bahnsteig.", False)]


class Scripted:
    """A judge that gives one score for all, and keeps what it was asked."""

    def __init__(self, score: float) -> None:
        self.score = score
        self.asked: list[tuple[str, str]] = []

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        self.asked += pairs
        return [self.score] * len(pairs)


@pytest.mark.parametrize(("score", "told"), [(0.9, 0), (0.1, 1)])
def test_the_judge_decides_what_the_rules_leave_open(score: float, told: int) -> None:
    judge = Scripted(score)
    pair = "The sailor scolds the crew on deck.", "The sailor ignores the crew on deck."
    found = asyncio.run(judged_claim_changes(*pair, judge))
    assert judge.asked == [tuple(sentence.rstrip(".") for sentence in pair)]
    assert [change.kind for change in found] == ["changed"] * told
    assert claim_changes(*pair) == ()


def test_the_judge_is_not_asked_about_what_is_sure() -> None:
    judge = Scripted(0.0)
    text = LEASE.replace(" The owner will paint the stairs.", "")
    assert asyncio.run(judged_claim_changes(LEASE, text, judge)) == claim_changes(LEASE, text)
    assert judge.asked == []


@settings(max_examples=50)
@given(st.text(), st.text())
def test_any_two_texts_can_be_compared(source: str, text: str) -> None:
    for change in claim_changes(source, text):
        assert change.sentence >= 1
    assert claim_changes(source, source) == ()
