"""Slips of the pen are put right where they cannot be anything else."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import parse
from redraft.constraints.instruction.slips import mend_slips


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("160 charachters", "160 characters"),
        ("Sentances of 20 wrods", "Sentences of 20 words"),
        ("NO EXCLAMATON MARKS", "NO EXCLAMATION MARKS"),
    ],
)
def test_slips_are_mended(text: str, mended: str) -> None:
    assert mend_slips(text).text == mended


@pytest.mark.parametrize(
    "text",
    [
        "keep 'sentances' and “paragrahs”",
        "never write the word semicolans",
        "fix typos like sentances",
        "replace sentances with sentences",
        "ask Mr Semicolan",
        "mail me@sentances.com",
        "the sentence is a passage of a charter",
    ],
)
def test_what_is_meant_so_stays(text: str) -> None:
    assert mend_slips(text).text == text


def test_places_are_those_of_the_original() -> None:
    text = "max 160 charachters, no exclamaton marks, one paragrah"
    read = parse(text)
    places = [text[place.start : place.end] for place in read.places]
    assert places == ["max 160 charachters", "no exclamaton marks", "one paragrah"]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz sentances'\"", max_size=80))
def test_places_lie_in_the_text(text: str) -> None:
    for place in parse(text).places:
        assert 0 <= place.start <= place.end <= len(text)
