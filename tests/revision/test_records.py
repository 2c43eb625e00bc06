"""Reasons are data; the sentences for a reader are made of them at the end."""

from __future__ import annotations

import pytest

from redraft.revision.records import Reason, explained


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (Reason("cut", "near Leeds in 2014", detail="the phrase", names=("Leeds", "2014")), 'without the phrase "near Leeds in 2014" with Leeds, 2014'),
        (Reason("cut", "very"), 'without "very"'),
        (Reason("cut", "a phrase of more than forty characters that goes on", detail="the aside"), 'without the aside "a phrase of more t…cters that goes on"'),
        (Reason("omit", "i would like to take this opportunity to inform you that"), 'without "i would like to take this opportunity to inform you that"'),
        (Reason("replace", "commenced", "began"), '"began" for "commenced"'),
        (Reason("replace", "commenced", "began", "B2 → A1"), '"began" for "commenced" (B2 → A1)'),
        (Reason("insert", after="quickly", detail="before the verb"), '"quickly" before the verb'),
        (Reason("correct", "teh", "the"), "“teh” to “the”"),
        (Reason("merge", detail='by "and"'), 'joined by "and"'),
        (Reason("open", after="In fact"), 'opened with "In fact"'),
        (Reason("request", detail="say {it} shorter"), "say {it} shorter"),
        (Reason("drop"), "left out"),
    ],
)  # fmt: skip
def test_a_reason_is_said_in_words(reason: Reason, said: str) -> None:
    assert str(reason) == said


def test_several_reasons_are_one_sentence() -> None:
    assert explained([Reason("split", detail="at and"), Reason("replace", "big", "large")]) == (
        'split at and; "large" for "big"'
    )
    assert explained(()) == ""
