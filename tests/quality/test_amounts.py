"""Amounts with their units, and times with their limits."""

from __future__ import annotations

import pytest

from redraft.quality import meaning_changes


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("Visitors pay 8 reais.", "Visitors pay 8 cents."),
        ("The engine cost 300 pounds.", "The engine cost 300 dollars."),
        ("Cyclists may use it from Monday.", "Cyclists may use it on Monday."),
        ("Pay by 3 May.", "Pay on 3 May."),
    ],
)
def test_another_unit_or_limit_is_a_change(source: str, text: str) -> None:
    assert meaning_changes(source, text)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("It cost 300 quid.", "It cost 300 pounds."),
        ("It is 12 km long.", "It is 12 kilometres long."),
        ("It is open until June.", "It is open till June."),
        ("We met in May and left before June.", "In May we met, and we left before June."),
    ],
)
def test_another_word_for_it_is_none(source: str, text: str) -> None:
    assert not meaning_changes(source, text)
