"""What is asked of a judge, and what its answers come to."""

from __future__ import annotations

import asyncio

import pytest

from redraft.revision.judging.verdicts import Verdict, Verdicts
from tests.revision.fakes import ScriptedJudge

SOURCE = "The plan was approved by the board, which met in May."
SPLIT = "The plan was approved by the board. Which met in May."


def odd(sentence: str) -> bool:
    return sentence.startswith("Which")


def judged(judge: ScriptedJudge, *pairs: tuple[str, str]) -> list[Verdict]:
    return asyncio.run(Verdicts(judge).of(pairs))


def test_a_sentence_that_is_worse_than_its_source_is_broken() -> None:
    (found,) = judged(ScriptedJudge(odd), (SOURCE, SPLIT))
    assert found.broken
    assert found.worst == "Which met in May."
    assert found.bad == 1


def test_the_writers_own_sentence_is_judged_where_the_new_one_is_in_doubt_or_held_beside_it() -> None:
    good = SPLIT.replace("Which", "It")
    for text, beside, is_asked in ((good, (), False), (SPLIT, (), True), (good, [(SOURCE, good)], True)):
        judge = ScriptedJudge(odd)
        asyncio.run(Verdicts(judge).of([(SOURCE, text)], beside=beside))
        assert (SOURCE in judge.asked) is is_asked


def test_an_odd_sentence_of_the_writer_is_no_fault() -> None:
    judge = ScriptedJudge(odd)
    kept, no_better, gone = judged(
        judge, (SPLIT, SPLIT), ("Which met in May and June.", "Which met in May."), (SOURCE, "")
    )
    assert not kept.broken
    assert not no_better.broken
    assert not gone.broken
    assert "The plan was approved by the board." not in judge.asked


def test_a_statement_that_is_turned_round_is_reversed() -> None:
    judge = ScriptedJudge(says_otherwise=lambda source, text: "June" in text)
    turned, other, same = judged(
        judge,
        ("We do not sell the boat.", "We sell the boat."),
        (SOURCE, "The plan was approved by the board, which met in June."),
        (SOURCE, "The board, which met in May, approved the plan."),
    )
    assert turned.reversed
    assert turned.turned
    assert other.reversed
    assert not same.reversed


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("We do not pay until we have it.", "We do not pay for as long as we have it."),
        ("We pay as soon as we have it.", "I pay as soon as we have it."),
        ("The buyer shall destroy every copy.", "The buyer should destroy every copy."),
        ("The results suggest that trees help.", "The results show that trees help."),
        ("Trees may be a better way.", "Trees are a better way."),
    ],
)
def test_what_is_said_of_others_or_with_another_certainty_is_another_statement(
    source: str, text: str
) -> None:
    (found,) = judged(ScriptedJudge(), (source, text))
    assert found.reversed


def test_a_cut_says_less_and_nothing_else() -> None:
    judge = ScriptedJudge(says_otherwise=lambda source, text: True)
    cut, other = judged(
        judge, (SOURCE, "The plan was approved by the board."), (SOURCE, "The boat was sold.")
    )
    assert not cut.reversed
    assert other.reversed


def test_nothing_is_asked_twice_or_of_another_language() -> None:
    judge = ScriptedJudge()
    verdicts = Verdicts(judge)
    asyncio.run(verdicts.of([(SOURCE, SPLIT), (SOURCE, SPLIT)]))
    asyncio.run(verdicts.of([(SOURCE, SPLIT)]))
    assert len(judge.asked) == len(set(judge.asked))
    german = "Der Plan wurde vom Rat gebilligt, der sich im Mai und im Juni mit den anderen traf."
    judge = ScriptedJudge(lambda sentence: True)
    asyncio.run(Verdicts(judge, german).of([(german, "Der Plan wurde gebilligt.")]))
    assert judge.asked == []


def test_a_passage_is_sound_without_errors_and_doubts() -> None:
    verdicts = Verdicts(ScriptedJudge(odd))
    passages = ["The plan was approved.", "Which met in May.", "He have went to the shop."]
    assert asyncio.run(verdicts.are_sound(passages)) == [True, False, False]


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [
        ("The buyer shall destroy every copy within fourteen days.", False),
        ("Within fourteen days, the buyer shall destroy every copy.", False),
        ("Every copy shall destroy the buyer of the seller within fourteen days.", True),
    ],
)
def test_what_is_put_together_anew_from_the_words_of_its_source_is_no_cut(text: str, is_asked: bool) -> None:
    source = "Upon notice of the seller, the buyer shall, within fourteen days, destroy every copy and certify this."
    judge = ScriptedJudge(says_otherwise=lambda before, after: True)
    (verdict,) = asyncio.run(Verdicts(judge).of([(source, text)]))
    assert (verdict.sameness < 0.5) == is_asked


def test_a_rules_cut_in_the_words_of_its_source_says_no_other_thing() -> None:
    pair = (
        "We met in May, and the board has approved the plan.",
        "We met in May, and the board approved the plan.",
    )
    judge = ScriptedJudge(says_otherwise=lambda source, text: True)
    (asked,) = judged(judge, pair)
    (spared,) = asyncio.run(Verdicts(judge).of([pair], by_rule={pair}))
    assert asked.reversed
    assert not spared.reversed


def test_what_was_not_asked_is_taken_to_be_good_and_can_only_get_worse() -> None:
    verdicts = Verdicts(ScriptedJudge(odd))
    (assumed,) = verdicts.assumed([(SOURCE, SPLIT)])
    assert not assumed.broken
    asyncio.run(verdicts.of([(SOURCE, SPLIT)]))
    (known,) = verdicts.assumed([(SOURCE, SPLIT)])
    assert known.broken
    assert known.soundness < assumed.soundness
