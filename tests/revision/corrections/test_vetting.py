"""Which edits of a larger model's correction are left out."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from redraft.revision.corrections.left_alone import Keeps
from redraft.revision.corrections.vetting import Vetting
from tests.revision.fakes import Saying, Tagging

TEXT = "He go to the pier on foot. The colour is “more gooder” there."


def vetted(
    answer: str, *, likely: Mapping[str, float] | None = None, doubts: Mapping[str, float] | None = None
) -> str:
    keeps = [Keeps(("more gooder",))]
    return asyncio.run(Vetting(Saying(likely), Tagging(doubts)).vetted(TEXT, answer, keeps))


def test_what_makes_a_sentence_no_likelier_goes_where_nothing_was_wrong() -> None:
    answer = TEXT.replace("He go", "He goes").replace("on foot", "by foot")
    kept = {"doubts": {"go": 0.9, "on": 0.001}, "likely": {"by": -2.0}}
    assert vetted(answer, **kept) == TEXT.replace("He go", "He goes")


def test_either_speaks_for_an_edit() -> None:
    answer = TEXT.replace("on foot", "by foot")
    assert vetted(answer, doubts={"on": 0.001}, likely={"on": -9.0}) == answer
    assert vetted(answer, doubts={"on": 0.9}, likely={"by": -2.0}) == answer


def test_quotations_and_ways_of_spelling_stay() -> None:
    answer = TEXT.replace("more gooder", "better").replace("colour", "color")
    assert vetted(answer, doubts={"more": 0.9, "gooder": 0.9, "colour": 0.9}) == TEXT


def test_a_correction_of_nothing_is_the_text() -> None:
    assert vetted(TEXT) == TEXT


def test_words_that_change_their_place_are_taken_or_left_together() -> None:
    answer = TEXT.replace("on foot", "foot on")
    assert vetted(answer, doubts={"on": 0.9}) == answer
    sure = {"on": 0.001, "foot": 0.001, "pier": 0.001, ".": 0.001}
    assert vetted(answer, doubts=sure) == TEXT


def test_a_figure_neither_goes_nor_comes_nor_moves() -> None:
    text = "Tell me how do you want to proceed until Monday, 12 June."
    answer = "Tell me by Monday or on 12 June how you want to proceed."
    found = asyncio.run(Vetting(Saying(), Tagging({"how": 0.9})).vetted(text, answer, [Keeps()]))
    assert "until Monday, 12 June." in found
    assert found.count("12 June") == 1


def test_another_word_is_not_put_where_the_tagger_would_not_put_it() -> None:
    text = "Turn the key a quarter turn on the left."
    answer = "Turn the key a quarter turn clockwise."
    found = asyncio.run(Vetting(Saying(), Tagging({"left": 0.9, "on": 0.9})).vetted(text, answer, [Keeps()]))
    assert found == text


def test_another_word_is_put_for_one_that_is_surely_wrong_or_out_of_the_question() -> None:
    text, answer = "My wallet get stolen on the tram.", "My wallet was stolen on the tram."

    def found(likely: float, wrong: float) -> str:
        vetting = Vetting(Saying({"get": likely}), Tagging({"get": wrong}))
        return asyncio.run(vetting.vetted(text, answer, [Keeps()]))

    assert found(-9.0, 0.9999) == answer
    assert found(-20.0, 0.001) == answer
    assert found(-9.0, 0.9) == text
    assert found(-4.0, 0.9999) == text


def test_what_comes_as_one_and_goes_as_many_has_moved() -> None:
    text, answer = "The museum of trams is shut.", "The tram museum is shut."
    vetting = Vetting(Saying({"trams": -20.0}), Tagging({"museum": 0.001}))
    assert asyncio.run(vetting.vetted(text, answer, [Keeps()])) == answer
