"""Wishes about wording: how they are read, and what comes of listed phrases."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from redraft.constraints import parse, parse_call
from redraft.revision.first.wording import reword
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.rewriting.wording.courtesy import courteous
from redraft.revision.task import Task
from redraft.revision.wishes.wording import wished_wordings


@pytest.mark.parametrize(
    ("style", "wished"),
    [
        ("tone it down", ("neutral",)),
        ("less salesy please", ("neutral",)),
        ("I don't want it to sound like an ad", ("neutral",)),
        ("keep a neutral tone", ("neutral",)),
        ("make it professional", ("formal",)),
        ("less casual", ("formal",)),
        ("less formal", ("friendly",)),
        ("make it sound less stiff", ("friendly",)),
        ("more conversational", ("friendly",)),
        ("polite and apologetic", ("polite", "apologetic")),
        ("plain English", ("plain",)),
        ("no legalese", ("plain",)),
        ("strip out the buzzwords", ("jargon",)),
        ("more concise", ("concise",)),
        ("gender-neutral language", ("inclusive",)),
        ("no weasel words", ("hedges",)),
        ("it has too many clichés", ("cliches",)),
        ("don't make it formal", ()),
        ("not friendlier", ()),
        ("dont make it nicer", ()),
        ("why is this so formal?", ()),
        ("kindly correct the mistakes", ()),
        ("it goes to the committee so formal tone should be there", ("formal",)),
        ("the most important thing is the date", ()),
        ("write about slang in Leeds", ()),
        ("fix the grammar", ()),
    ],
)
def test_wishes_about_wording_are_read(style: str, wished: tuple[str, ...]) -> None:
    assert wished_wordings(style) == wished


class Judge:
    """Finds every sentence sound but those that are named."""

    def __init__(self, *broken: str) -> None:
        self._broken = broken

    async def soundness(self, sentences: Sequence[str]) -> tuple[float, ...]:
        return tuple(0.0 if any(words in one for words in self._broken) else 1.0 for one in sentences)

    async def sameness(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return (1.0,) * len(pairs)

    async def improvement(self, pairs: Sequence[tuple[str, str]]) -> tuple[float, ...]:
        return (1.0,) * len(pairs)


def after(text: str, instruction: str, *broken: str, **options: str) -> str:
    task = Task.of(text, parse(instruction), [parse_call(one) for one in options.values()])
    found = asyncio.run(reword(task, Verdicts(Judge(*broken), text)))
    return found.text if found else text


def test_listed_phrases_give_way() -> None:
    text = "At the end of the day, we leave no stone unturned. It rained on 3 May in Leeds."
    assert after(text, "No clichés.") == "In the end, we are very thorough. It rained on 3 May in Leeds."


def test_what_reads_badly_is_left_and_found() -> None:
    text = "The ball is rolling. We leave no stone unturned, and it was raining cats and dogs in the town."
    assert after(text, "No clichés.", "very thorough", "everything").count("no stone unturned") == 1
    task = Task.of(text, parse("No clichés."))
    (finding,) = task.check(text)
    assert not finding.met
    assert [text[one.start : one.end] for one in finding.spans] == [
        "leave no stone unturned",
        "raining cats and dogs",
    ]


def test_what_must_stay_stays() -> None:
    text = "It was a piece of cake for all of us. The bread was a piece of cake for the new baker."
    kept = after(text, "No clichés. Keep sentence 2.")
    assert kept == "It was easy for all of us. The bread was a piece of cake for the new baker."
    assert after(text, "No clichés.", keyword='keyword_keep_removal_check("cake", "keep")') == text


def test_quotations_and_code_stay() -> None:
    text = "She said, “At the end of the day, we lost.” The rest of us went home and slept."
    assert after(text, "No clichés.") == text


def test_a_professional_text_has_no_slang_contractions_and_shouting() -> None:
    text = "We're gonna close at five on Friday, so don't freak out!"
    assert after(text, "Make it professional.") == "We are going to close at five on Friday, so do not panic."


def test_nothing_is_done_where_nothing_is_wished() -> None:
    text = "At the end of the day, we leave no stone unturned in the old town."
    assert after(text, "Under 50 words.") == text


@pytest.mark.parametrize(
    ("sentence", "polite"),
    [
        ("Send the form by Friday.", "Please send the form by Friday."),
        ("Don't park here!", "Please do not park here."),
        ("We will send the form by Friday.", None),
        ("Please send the form.", None),
        ("Is it late?", None),
    ],
)
def test_orders_are_made_polite(sentence: str, polite: str | None) -> None:
    assert next(courteous(sentence), None) == polite


def test_bad_news_comes_with_an_apology() -> None:
    assert (
        next(courteous("Your parcel was lost.", apologetic=True)) == "We are sorry that your parcel was lost."
    )
    assert next(courteous("I made a mistake.", apologetic=True)) == "I am sorry that I made a mistake."
