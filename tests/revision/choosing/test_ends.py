"""A text that closes with the signature that is asked for."""

from __future__ import annotations

import pytest

from redraft.constraints import parse
from redraft.revision.choosing.ends import closed_with, signed_otherwise
from redraft.revision.draft import Draft
from redraft.revision.task import Task

ASKED = "Kind regards, Tom"


@pytest.mark.parametrize(
    ("last", "closed"),
    [
        ("Best, Tom", ASKED),
        ("Could you tell me what to do?", f"Could you tell me what to do?\n\n{ASKED}"),
    ],
)
def test_nobody_signs_twice(last: str, closed: str) -> None:
    assert [one.text for one in closed_with(last, ASKED)] == [closed]


def test_a_signature_of_two_lines_gives_way() -> None:
    text = "Dear Ann,\n\nThe lamp flickers. What can I do?\n\nBest,\nTom"
    task = Task.of(text, parse(f"End with '{ASKED}'."))
    signed = signed_otherwise(task, Draft.of(task))
    assert signed is not None
    assert (signed.stop - signed.start, signed.candidate.text) == (2, ASKED)
    plain = Task.of(text.replace("Best,\nTom", "It is new."), parse(f"End with '{ASKED}'."))
    assert signed_otherwise(plain, Draft.of(plain)) is None
