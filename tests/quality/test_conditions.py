"""Conditions that are lost while what they governed stands."""

from __future__ import annotations

import pytest

from redraft.quality import lost_conditions

CLAUSE = "The duty lasts five years, provided that it ends once the text enters the public domain."


@pytest.mark.parametrize(
    ("source", "text", "lost"),
    [
        (
            CLAUSE,
            "The duty lasts five years. It ends once the text enters the public domain.",
            ["provided that"],
        ),
        ("Unless you pay by Friday, we will close your account.", "We will close your account.", ["unless"]),
        (CLAUSE, "The duty lasts five years.", []),
        (
            CLAUSE,
            "The duty lasts for five years, provided that it ends once the text enters the public domain.",
            [],
        ),
        ("We do not pay it until we have it.", "We do not pay it. We have it.", ["until"]),
        ("We do not pay it until we have the parcel.", "We pay it once we have the parcel.", []),
        ("We pay unless you cancel the order in time.", "We pay if you do not cancel the order in time.", []),
        ("He asked whether the council had met that week.", "He asked them.", []),
    ],
)
def test_a_condition_is_lost_where_what_it_governed_stands(source: str, text: str, lost: list[str]) -> None:
    assert lost_conditions(source, text) == lost
