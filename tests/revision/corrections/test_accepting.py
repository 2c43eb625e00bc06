"""Which edits of the editor's answer are made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import pytest

from redraft.revision.corrections.accepting import Around, EditKey, Sifter, edit_keys
from redraft.revision.corrections.left_alone import Keeps, what_to_keep
from redraft.revision.draft import Draft
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.task import Task
from tests.revision.fakes import Saying, ScriptedJudge, Tagging


def sifted(
    text: str,
    answer: str,
    keeps: Keeps | None = None,
    *,
    certainty: Mapping[str, float] | None = None,
    likely: Mapping[str, float] | None = None,
    is_broken: Callable[[str], bool] = lambda sentence: True,
    around: Around | None = None,
    doubts: Mapping[str, float] | None = None,
) -> str:
    """What is left of an answer, to a sentence that reads badly unless the test says otherwise."""
    verdicts = Verdicts(ScriptedJudge(is_broken), text)
    sifter = Sifter(Saying(likely), Saying(certainty), verdicts, Tagging(doubts))

    async def sift() -> str:
        reading = await sifter.read(text)
        return await sifter.sifted(text, answer, "Correct it", keeps or Keeps(), around or Around(), reading)

    return asyncio.run(sift())


def test_sure_edits_are_made_and_doubtful_ones_left() -> None:
    text, answer = "She have a cat and go home.", "She has a cat and goes house."
    assert sifted(text, answer) == answer
    assert sifted(text, answer, certainty={"house": -3.0}) == "She has a cat and go home."
    assert sifted(text, answer, certainty={"has": -3.0}) == "She have a cat and goes house."


def test_a_word_may_change_its_place_and_is_neither_lost_nor_doubled() -> None:
    text, answer = "He parks always his car there.", "He always parks his car there."
    assert sifted(text, answer) == answer
    assert sifted(text, answer, certainty={"always": -9.0}) == text


def test_what_makes_a_sentence_less_likely_needs_more_certainty() -> None:
    text, answer = "She have a cat.", "She has a cat."
    doubt = {"has": -0.4}
    assert sifted(text, answer, certainty=doubt) == answer
    assert sifted(text, answer, certainty=doubt, likely={"has": -9.0}) == text
    assert sifted(text, answer, certainty={"has": -0.7}) == text
    assert sifted(text, answer, certainty={"has": -0.7}, likely={"have": -9.0}) == answer


def test_edits_that_need_each_other_are_made_together() -> None:
    text, answer = "Inside it artists organises a show.", "Inside it are artists organising a show."
    doubt = {"are": -3.0}
    assert sifted(text, answer, certainty=doubt) == "Inside it artists organising a show."
    assert sifted(text, answer, certainty=doubt, is_broken=lambda one: "are artists" not in one) == answer


def test_less_is_changed_where_the_tagger_sees_nothing_wrong() -> None:
    text, answer, doubt = "He came back at dusk.", "He came back by dusk.", {"by": -0.3}
    assert sifted(text, answer, certainty=doubt) == answer
    assert sifted(text, answer, certainty=doubt, doubts={"at": 0.001}) == text


def test_what_the_tagger_alone_sees_is_made_where_it_is_sure_and_the_sentence_grows_likelier() -> None:
    async def corrected(doubt: float) -> str:
        tagger = Tagging({"it": doubt}, {"it": "=there"})
        sifter = Sifter(Saying({"it": -4.0}), Saying(), Verdicts(ScriptedJudge(lambda _: True), "x"), tagger)
        text = "The box was open, but it was nothing to see."
        return await sifter.corrected(text, text, "Correct it", Keeps())

    assert "there was nothing" in asyncio.run(corrected(0.99))
    assert "it was nothing" in asyncio.run(corrected(0.01))


def test_less_is_changed_among_sentences_that_read_well() -> None:
    text, answer = "He came back at dusk.", "He came back by dusk."
    doubt = {"by": -0.4}
    assert sifted(text, answer, certainty=doubt, around=Around(care=-2.0)) == answer
    assert sifted(text, answer, certainty=doubt, around=Around(care=2.5)) == text


@pytest.mark.parametrize(
    ("text", "answer", "doubt"),
    [
        ("He came back at dusk.", "He came back by dusk.", -0.3),
        ("On the other side, it is dear.", "On the other hand, it is dear.", 0.0),
    ],
)
def test_what_is_doubtful_is_made_where_the_whole_paragraph_bears_it_out(
    text: str, answer: str, doubt: float
) -> None:
    def found(whole: str) -> str:
        async def again() -> list[EditKey]:
            return edit_keys(text, whole)

        return sifted(text, answer, certainty={"by": doubt}, around=Around(care=1.5, again=again))

    assert found(answer) == found(f"{answer} And so on.") == answer
    assert found(text) == text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It cost 40 euro in all.", "It cost 45 euro in all."),
        ("He did go there then.", "He did not go there then."),
        ("We can see it from here.", "We can't see it from here."),
        ("They have too cats at home.", "They have two cats at home."),
        ("We met Siobhan in the park.", "We met Susan in the park."),
        ("Either party may end this Agreement now.", "Either party may end this agreement now."),
        ("The colour of the harbour was grey.", "The color of the harbor was gray."),
        ("It's Tom’s dog, isn't it?", "It's Tom's dog, isn’t it?"),
    ],
)
def test_numbers_denials_names_and_ways_of_spelling_stay(text: str, answer: str) -> None:
    assert sifted(text, answer) == text


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("please don't forgot it, it dont cost a lot.", "Please don't forget it, it doesn't cost a lot."),
        ("The group trains daily, accept on Monday.", "The group trains daily, except on Monday."),
        ("Could you come on friday, i ask?", "Could you come on Friday, I ask?"),
    ],
)
def test_a_word_that_is_spelt_or_inflected_rightly_says_nothing_else(text: str, answer: str) -> None:
    assert sifted(text, answer) == answer


def test_apostrophes_are_those_of_the_text() -> None:
    assert sifted("He dont know it's late.", "He doesn’t know it’s late.") == "He doesn't know it's late."
    assert sifted("He dont know it’s late.", "He doesn't know it’s late.") == "He doesn’t know it’s late."


def kept(text: str) -> list[Keeps]:
    return what_to_keep(Draft.of(Task.of(text, None)))


def test_what_is_quoted_stays() -> None:
    text = 'She say: "I ain\'t done nothing wrong."'
    answer = 'She says: "I have done nothing wrong."'
    assert sifted(text, answer, kept(text)[0]) == 'She says: "I ain\'t done nothing wrong."'


def test_a_word_that_is_used_again_is_no_slip_unless_the_dictionary_says_so() -> None:
    text = "The codel is small. We like the codel."
    assert sifted("We like the codel.", "We like the model.", kept(text)[1]) == "We like the codel."
    text = "We recieve mail. They recieve none."
    assert sifted("We recieve mail.", "We receive mail.", kept(text)[0]) == "We receive mail."


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("He jump up and run down the hill.", "He jumped up and down the hill."),
        ("The rota change on Monday.", "The rollercheck changes on Monday."),
        ("It fell by ten percent.", "It fell by ten %."),
    ],
)
def test_a_correction_leaves_no_word_out_and_makes_none_up(text: str, answer: str) -> None:
    kept_words = {"run", "rota", "percent"} & set(text.rstrip(".").split())
    assert kept_words <= set(sifted(text, answer).rstrip(".").split())
