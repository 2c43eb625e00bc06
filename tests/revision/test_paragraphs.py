"""As many paragraphs as are asked for, by white space alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from redraft.constraints import constraints_of
from redraft.constraints.bounds import Interval
from redraft.revision.draft import Draft
from redraft.revision.paragraphs import fit_paragraphs
from redraft.revision.task import Task
from redraft.text import Document, Format

TEXT = "One is here. Two is there.\n\nThree. Four is long. Five is too.\n\nSix."


def parted(text: str, count: int, format: Format = "text", *calls: str) -> str:
    task = Task(text, constraints_of(calls), format=format)
    return fit_paragraphs(Draft.of(task), Interval(count, count), format).text


@pytest.mark.parametrize("count", range(1, 7))
def test_gaps_are_widened_and_closed(count: int) -> None:
    found = parted(TEXT, count)
    assert len(Document(found).paragraphs) == count
    assert found.split() == TEXT.split()


def test_neighbours_that_are_short_together_are_joined_and_the_longest_is_parted() -> None:
    assert parted(TEXT, 2) == "One is here. Two is there.\n\nThree. Four is long. Five is too. Six."
    assert parted(TEXT, 4) == "One is here. Two is there.\n\nThree.\n\nFour is long. Five is too.\n\nSix."


def test_more_than_there_are_sentences_cannot_be() -> None:
    assert len(Document(parted(TEXT, 9)).paragraphs) == 6


def test_bounds_that_exclude_each_other_change_nothing() -> None:
    assert fit_paragraphs(Draft.of(Task(TEXT)), Interval(5, 2), "text").text == TEXT


def test_a_unit_that_was_split_may_be_parted() -> None:
    task = Task('He said "no." Then he left.', counting="constrev")
    found = fit_paragraphs(Draft.of(task), Interval(2, 2), "text")
    assert found.text == 'He said "no."\n\nThen he left.'
    assert [change.by for change in found.changes] == ["split"]


def test_list_items_are_not_joined() -> None:
    text = "Some words.\n\n- One item.\n- Two items.\n\nThe end."
    found = parted(text, 1, "markdown")
    assert re.findall(r"(?m)^- ", found) == ["- ", "- "]


@given(st.lists(st.sampled_from(["A b.", "C d e.", "Why?"]), min_size=1, max_size=7), st.integers(1, 8))
def test_no_word_is_touched(sentences: list[str], count: int) -> None:
    text = " ".join(sentences)
    found = parted(text, count)
    assert found.split() == text.split()
    assert len(Document(found).paragraphs) == min(count, len(sentences))
