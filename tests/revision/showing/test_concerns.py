"""What a revision did that a reader should know of."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import Literal

import pytest

from redraft.constraints import parse_call
from redraft.quality import claim_changes
from redraft.revision.draft import Draft, Option
from redraft.revision.judging.verdicts import Verdicts
from redraft.revision.records import Candidate, Concern
from redraft.revision.showing.concerns import find_concerns, keep_unbroken, without_needless
from redraft.revision.task import Task
from tests.revision.fakes import ScriptedJudge

FIRST = "The tenant shall return the keys within two days, and shall destroy all copies."
SECOND = "Nobody may enter the cellar without a lamp."
THIRD = "The garden belongs to the neighbours."
TEXT = f"{FIRST} {SECOND} {THIRD}"
BROKEN = "The tenant shall return the keys within two days. It destroy all copies."


def odd(sentence: str) -> bool:
    return sentence.startswith("It destroy")


def concerns(text: str, judge: ScriptedJudge | None = None, original: str = TEXT) -> tuple[Concern, ...]:
    task = Task(original)
    draft = Draft.revised(task, text, "test", ())
    return asyncio.run(find_concerns(task, draft, Verdicts(judge or ScriptedJudge(odd))))


def test_a_sentence_that_reads_badly_is_named_with_its_number() -> None:
    (found,) = concerns(f"{BROKEN} {SECOND} {THIRD}")
    assert (found.kind, found.sentence, found.text) == ("reads badly", 2, "It destroy all copies.")
    assert str(found) == "sentence 2 reads badly: “It destroy all copies.”"


def test_what_the_writer_wrote_is_no_concern() -> None:
    assert concerns(TEXT, ScriptedJudge(lambda sentence: True)) == ()


def test_a_sentence_that_is_gone_is_named() -> None:
    (found,) = concerns(f"{FIRST} {THIRD}")
    assert (found.kind, found.sentence, found.text) == ("left out", None, SECOND)


def test_what_was_cut_from_a_sentence_is_named() -> None:
    (found,) = concerns(f"The tenant shall return the keys within two days. {SECOND} {THIRD}")
    assert (found.kind, found.sentence) == ("left out", 1)
    assert found.text == "shall destroy all copies"


def test_a_statement_that_is_turned_round_is_named() -> None:
    mail = "Do not write to us again without the receipt."
    judge = ScriptedJudge(says_otherwise=lambda source, text: "with the receipt" in text)
    (found,) = concerns("Do not write to us again with the receipt.", judge, original=mail)
    assert (found.kind, found.sentence) == ("changed meaning", 1)
    assert found.why


@dataclass(frozen=True)
class Found:
    """A claim as it is found elsewhere."""

    kind: Literal["left out", "reversed", "changed", "new"]
    sentence: int
    before: str = ""
    after: str = ""


@pytest.mark.parametrize("cut", [" from January", " on two days", " unless it rains"])
def test_a_day_a_number_or_a_condition_is_named_however_short_the_cut(cut: str) -> None:
    task = Task(f"The town will lease the old library{cut}. It will stay open.")
    draft = Draft.revised(task, "The town will lease the old library. It will stay open.", "test", ())
    found = asyncio.run(find_concerns(task, draft, Verdicts(ScriptedJudge())))
    assert ("left out", 1, cut.strip()) in [(one.kind, one.sentence, one.text) for one in found]


def test_claims_that_were_compared_elsewhere_are_named() -> None:
    task = Task(TEXT)
    draft = Draft.revised(
        task, "Everybody may enter the cellar. The neighbours belong to the garden, a big one.", "test", ()
    )
    claims = (
        Found("left out", 1, before="shall destroy all copies"),
        Found("reversed", 2, before=SECOND, after="Everybody may enter the cellar"),
        Found("left out", 2, before="without a lamp"),
        Found("reversed", 3, before=THIRD, after="The neighbours belong to the garden"),
        Found("new", 2, after="a big one"),
    )
    found = asyncio.run(find_concerns(task, draft, Verdicts(ScriptedJudge(odd)), claims))
    assert [(one.kind, one.sentence, one.text) for one in found] == [
        ("left out", None, FIRST),
        # The rules have seen both, and each is told once.
        ("changed meaning", 1, "Everybody may enter the cellar."),
        ("left out", 1, "without a lamp"),
        ("changed meaning", 2, "The neighbours belong to the garden, a big one."),
        ("new", 2, "a big one"),
    ]


def test_a_statement_that_was_divided_is_not_called_left_out() -> None:
    source = "The crew painted the long wooden bridge in June, using blue paint from the harbour."
    divided = "The crew painted the long wooden bridge in June. They used blue paint from the harbour."
    task = Task(source)
    draft = Draft.revised(task, divided, "test", ())
    claims = claim_changes(source, divided)
    assert asyncio.run(find_concerns(task, draft, Verdicts(ScriptedJudge(odd)), claims)) == ()


def test_a_salutation_that_was_asked_for_is_no_concern() -> None:
    letter = "Dear Hiring Manager,\n\nThe post suits me."
    task = Task(letter, [parse_call('starts_with_check("Dear Prof. Lee")')])
    draft = Draft.revised(task, "Dear Prof. Lee,\n\nThe post suits me.", "test", ())
    claims = claim_changes(letter, draft.text)
    assert asyncio.run(find_concerns(task, draft, Verdicts(ScriptedJudge(odd)), claims)) == ()


TEN = Task(TEXT, [parse_call('sentence_length_check(10, "less than")')])


def kept_in(*texts: str) -> tuple[str, tuple[Concern, ...]]:
    options = (Option(place, place + 1, Candidate(text, "test")) for place, text in enumerate(texts))
    draft = Draft.of(TEN).chosen(options)
    kept, named = asyncio.run(keep_unbroken(TEN, draft, Verdicts(ScriptedJudge(odd))))
    return kept.text, named


def test_a_broken_sentence_gives_way_to_the_writers_own() -> None:
    text, (found,) = kept_in(BROKEN, "", THIRD)
    assert text == f"{FIRST} {THIRD}"  # the second would obey: it is gone for another reason
    assert (found.kind, found.sentence, found.text) == ("kept", 1, FIRST)
    assert "It destroy all copies." in str(found)


def test_a_sentence_that_was_left_out_for_its_length_comes_back() -> None:
    text, (found,) = kept_in("", SECOND, THIRD)
    assert text == TEXT
    assert found.kind == "kept"


def test_what_reads_well_is_taken() -> None:
    whole = "The tenant shall return the keys within two days. He shall destroy all copies."
    assert kept_in(whole, SECOND, THIRD) == (f"{whole} {SECOND} {THIRD}", ())


@pytest.mark.parametrize(
    ("calls", "stays"),
    [
        ((), True),
        (('sentence_length_check(12, "less than")',), False),
        (('word_count_check(99, "less than")',), True),
    ],
)
def test_a_risk_that_no_constraint_calls_for_is_not_taken(calls: tuple[str, ...], stays: bool) -> None:
    task = Task(TEXT, [parse_call(call) for call in calls], style="make it formal")
    draft = Draft.of(task)
    own = (replace(draft.units[0], text=BROKEN, by="editor"), *draft.units[1:])
    draft = replace(draft, units=own)
    found = asyncio.run(find_concerns(task, draft, Verdicts(ScriptedJudge(odd))))
    assert [one.kind for one in found] == ["reads badly"]
    kept, refused = without_needless(task, draft, found)
    assert kept.text == (TEXT if stays else f"{BROKEN} {SECOND} {THIRD}")
    assert refused == ({FIRST: BROKEN} if stays else {})


def test_a_step_towards_a_bound_that_cannot_be_met_is_kept() -> None:
    """The second sentence has eight words whatever is done, and the first is nearer to six than it was."""
    task = Task(TEXT, [parse_call('sentence_length_check(6, "less than")')])
    draft = Draft.of(task)
    draft = replace(draft, units=(replace(draft.units[0], text=BROKEN, by="split"), *draft.units[1:]))
    found = asyncio.run(find_concerns(task, draft, Verdicts(ScriptedJudge(odd))))
    assert found
    assert without_needless(task, draft, found) == (draft, {})


def test_another_person_and_another_duty_are_named() -> None:
    weaker = FIRST.replace("shall return", "should return").replace("The tenant", "You")
    (found,) = concerns(f"{weaker} {SECOND} {THIRD}")
    assert found.kind == "changed meaning"
    assert "tenant became you" in found.why
    assert "modal shall became should" in found.why
