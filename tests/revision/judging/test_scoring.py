"""What a candidate is worth: it gains by reading better, and loses by saying something else, or less."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from hypothesis import given, strategies as st

from redraft.models import LogProbs
from redraft.revision.judging.scoring import Appraiser, PassageScore
from redraft.revision.tuning import ANY_CHANGE_COST
from tests.revision.fakes import FakeEmbedder, FakeScorer

SOURCE = "The council of Oslo met twice a week and, after some long debate, decided not to ration coal."


class Counting(FakeScorer):
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def log_probs(
        self, texts: Sequence[str], contexts: Sequence[str] | None = None
    ) -> tuple[LogProbs, ...]:
        self.asked += texts
        return await super().log_probs(texts, contexts)


def score(text: str, source: str = SOURCE) -> PassageScore:
    async def run() -> PassageScore:
        appraiser = Appraiser(FakeScorer(), FakeEmbedder())
        await appraiser.open([source])
        return (await appraiser.score([(source, text)]))[0]

    return asyncio.run(run())


def test_the_same_words_are_worth_nothing() -> None:
    assert score(SOURCE.replace("met twice", "met  twice")) == PassageScore(0.0, 0.0, 0.0, ())
    assert score(SOURCE).value == -ANY_CHANGE_COST


def test_to_leave_out_more_costs_more() -> None:
    cut = score(SOURCE.replace(", after some long debate,", ""))
    assert 0 > cut.value > score("").value
    assert score("", "It was cold.").value > score("").value


def test_to_leave_a_passage_out_is_never_a_gain() -> None:
    awful = (
        "Incomprehensibilities notwithstanding, internationalisation institutionalises counterproductively."
    )
    assert score("", awful).value < 0


@pytest.mark.parametrize(
    "text",
    [SOURCE.replace("not to", "to"), SOURCE.replace("Oslo", "Bergen"), SOURCE.replace("coal", "12 tons")],
)
def test_a_change_of_meaning_is_neither_sound_nor_better(text: str) -> None:
    found = score(text)
    assert found.changes
    assert not found.sound
    assert not found.better
    assert found.value < 0


def test_an_error_mended_is_better_and_one_made_is_not() -> None:
    right, wrong = SOURCE, SOURCE.replace("week and", "wek andd")
    assert score(right, wrong).errors > 0
    assert score(wrong, right).errors < 0
    assert not score(wrong, right).sound
    assert score(right, wrong).value > score(wrong, right).value


@given(st.floats(-20, 20), st.floats(-3, 3), st.floats(0, 1), st.integers(0, 4), st.floats(0, 1))
def test_what_is_better_is_sound(
    fluency: float, errors: float, likeness: float, new: int, gone: float
) -> None:
    found = PassageScore(fluency, errors, 0.0, (), likeness, new, gone)
    assert found.sound or not found.better


def test_an_error_that_goes_with_its_clause_is_not_mended() -> None:
    source = "The council met twice a week, and many a members of them was tired and and cold."
    mended = score("The council met twice a week, and many members of them were tired and cold.", source)
    assert mended.errors > 0
    assert score("The council met twice a week.", source).errors == 0


def test_new_words_have_to_bring_more() -> None:
    assert PassageScore(5.0, 0.0, 0.0, (), 0.95).better
    assert not PassageScore(5.0, 0.0, 0.0, (), 0.95, new=1).better
    assert PassageScore(8.0, 0.0, 0.0, (), 0.95, new=1).better
    assert not PassageScore(8.0, 0.0, 0.0, (), 0.95, gone=0.5).better
    assert not PassageScore(8.0, -1.0, 0.0, (), 0.95).better


def test_nothing_is_scored_twice() -> None:
    scorer = Counting()

    async def run() -> None:
        appraiser = Appraiser(scorer, FakeEmbedder())
        await appraiser.open([SOURCE, "", " "])
        await appraiser.know([SOURCE, "It was cold."])
        await appraiser.score([(SOURCE, "It was cold."), (SOURCE, ""), ("It was cold.", SOURCE)])
        assert appraiser.surprise(SOURCE) == pytest.approx(appraiser.usual)

    asyncio.run(run())
    assert scorer.asked == [SOURCE, "It was cold."]


def test_a_text_without_words_has_the_usual_surprise() -> None:
    appraiser = Appraiser(FakeScorer(), FakeEmbedder())
    asyncio.run(appraiser.open(["", "  "]))
    assert appraiser.usual == 3.5
